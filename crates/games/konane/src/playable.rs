//! Kōnane as a game that people and programs play: its boards, players and solvers.

use crate::certificate::{board_name, named_start};
use crate::{Opening, Position, Shape, Start, players, solvers};
use engine::{
    BoardError, BoardOptions, Insight, Level, OptionKind, Playable, Player, Prover, Resources,
    SolveError, Solver, StartOption,
};

impl Playable for Position {
    type Start = Start;

    const TITLE: &'static str = "Kōnane";

    const OPTIONS: &'static [StartOption] = &[
        StartOption::new(
            "size",
            OptionKind::Text("N"),
            "rows and columns, 8 by default, or 6x8 for 6 rows and 8 columns",
        ),
        StartOption::new("rows", OptionKind::Number("N"), "rows, in place of a size"),
        StartOption::new(
            "cols",
            OptionKind::Number("N"),
            "columns, in place of a size",
        ),
        StartOption::new(
            "setup",
            OptionKind::Text("PAIR"),
            "the pair that is removed before the game: corner, corner-vertical, centre, \
             centre-vertical, or two cells such as d4,e4",
        )
        .choices(&["corner", "corner-vertical", "centre", "centre-vertical"]),
        StartOption::new(
            "opening",
            OptionKind::Text("RULE"),
            "which stones may be removed first: traditional (corner or centre, the default) or any",
        )
        .choices(&["traditional", "any"]),
    ];

    const SIZES: &'static [&'static str] = &["6", "8", "10", "14x17"];
    const FIRST_SIZE: &'static str = "8";
    const BOARDSIZE: &'static str = "ROWS COLS";

    const PROVES: bool = true;

    const LEVELS: &'static [Level] = &[
        Level::of("beginner", "Beginner", "greedy-captures").rated(0, 0),
        Level::of("easy", "Easy", "greedy-mobility").rated(127, 70),
        Level::of("casual", "Casual", "dabs")
            .setting("depth=2")
            .rated(678, 140),
        Level::of("club", "Club", "dabs")
            .setting("depth=4")
            .rated(930, 157),
        Level::of("strong", "Strong", "papamu")
            .simulations(500)
            .rated(1_418, 197),
        Level::of("expert", "Expert", "papamu")
            .simulations(5_000)
            .rated(1_906, 234),
        Level::of("full", "Full strength", "papamu")
            .seconds(5.0)
            .rated(2_228, 248),
    ];

    fn players() -> Vec<Player<Position>> {
        players::players()
    }

    fn solvers() -> Vec<Solver<Position>> {
        solvers::solvers()
    }

    fn read_options(options: &BoardOptions) -> Result<Start, BoardError> {
        let (rows, cols) = (options.number("rows")?, options.number("cols")?);
        if options.get("size").is_some() && (rows.is_some() || cols.is_some()) {
            return Err(BoardError::of("a board has a size, or rows and cols"));
        }
        let (down, across) = match options.get("size") {
            None => (8, 8),
            Some(size) => {
                let number = |text: &str| text.parse::<u32>().ok();
                let (rows, cols) = size.split_once(['x', 'X']).unwrap_or((size, size));
                number(rows).zip(number(cols)).ok_or_else(|| {
                    BoardError(format!("{size:?} is not a size of a konane board: expected one number from 1 to 20, or rows and columns such as 6x8"))
                })?
            }
        };
        let opening = match (options.get("setup"), options.get("opening")) {
            (Some(_), Some(_)) => {
                return Err(BoardError::of(
                    "with a setup the stones are removed already, so that there is no opening",
                ));
            }
            (Some(setup), None) => Opening::Removed(setup.parse().map_err(BoardError::of)?),
            (None, None | Some("traditional")) => Opening::Traditional,
            (None, Some("any")) => Opening::AnyStone,
            (None, Some(other)) => {
                return Err(BoardError(format!(
                    "{other:?} is not an opening: expected traditional or any"
                )));
            }
        };
        let (rows, cols) = (rows.unwrap_or(down), cols.unwrap_or(across));
        let shape = Shape::new(rows as usize, cols as usize).map_err(BoardError::of)?;
        Ok(Start { shape, opening })
    }

    fn begin(start: &Start) -> Result<Position, BoardError> {
        Position::new(start).map_err(BoardError::of)
    }

    fn resized(options: &BoardOptions, arguments: &[&str]) -> Result<BoardOptions, BoardError> {
        let (rows, cols) = match arguments {
            [size] => (size, size),
            [rows, cols] => (rows, cols),
            _ => {
                return Err(BoardError::of(
                    "expected rows and columns, such as 6 8, or one size",
                ));
            }
        };
        for text in [rows, cols] {
            text.parse::<u32>()
                .map_err(|_| BoardError(format!("{text:?} is not a number of rows or columns")))?;
        }
        let options = options.clone().without("size");
        Ok(options.with("rows", rows).with("cols", cols))
    }

    fn boardsize(&self) -> String {
        self.size_name().replace('x', " ")
    }

    fn size_name(&self) -> String {
        let shape = self.shape();
        if shape.rows() == shape.cols() {
            shape.rows().to_string()
        } else {
            format!("{}x{}", shape.rows(), shape.cols())
        }
    }

    /// `SZ` is `8`, or `8:6` for 8 columns and 6 rows, as SGF has it for rectangles. `SU` is the setup,
    /// such as `centre` or `d4,e4`. Without it, `RU` is the opening rule, `traditional` or `any`; the
    /// default is `traditional`.
    fn recorded_options(
        property: &dyn Fn(&str) -> Option<String>,
    ) -> Result<BoardOptions, BoardError> {
        let size = property("SZ").unwrap_or_else(|| "8".to_owned());
        let number = |text: &str| {
            let error = |_| BoardError(format!("{size:?} is not a board size (SZ)"));
            text.trim().parse::<u32>().map_err(error)
        };
        let (cols, rows) = size.split_once(':').unwrap_or((&size, &size));
        let options = BoardOptions::default()
            .with("rows", number(rows)?)
            .with("cols", number(cols)?);
        let opening = engine::rules(property).find(|rule| rule == "traditional" || rule == "any");
        Ok(match (property("SU"), opening) {
            (Some(setup), _) => options.with("setup", setup.trim()),
            (None, Some(opening)) => options.with("opening", opening),
            (None, None) => options,
        })
    }

    fn record_properties(options: &BoardOptions) -> Vec<(&'static str, String)> {
        let size = options.get("size").unwrap_or("8");
        let (down, across) = size.split_once('x').unwrap_or((size, size));
        let rows = options.get("rows").unwrap_or(down);
        let cols = options.get("cols").unwrap_or(across);
        let opening = match options.get("setup") {
            Some(setup) => ("SU", setup),
            None => ("RU", options.get("opening").unwrap_or("traditional")),
        };
        vec![
            ("SZ", format!("{cols}:{rows}")),
            (opening.0, opening.1.to_owned()),
        ]
    }

    /// `6x8`, or `6x8 centre` with a setup.
    fn listed_options(words: &[&str]) -> Result<BoardOptions, BoardError> {
        let wrong = || BoardError::of("expected a board such as `konane 6x8 centre`");
        let (&size, rest) = words.split_first().ok_or_else(wrong)?;
        let (rows, cols) = size.split_once(['x', 'X']).unwrap_or((size, size));
        let number = |text: &str| text.parse::<u32>().map_err(|_| wrong());
        let options = BoardOptions::default()
            .with("rows", number(rows)?)
            .with("cols", number(cols)?);
        match rest {
            [] => Ok(options),
            [setup] => Ok(options.with("setup", setup)),
            _ => Err(wrong()),
        }
    }

    fn insight(&self, (): ()) -> Insight {
        crate::insight::insight(self)
    }

    fn prover(&self, resources: Resources) -> Result<Box<dyn Prover<Position>>, SolveError> {
        crate::proofs::prover(self, resources)
    }

    fn certified_board(&self, options: &BoardOptions) -> Result<String, BoardError> {
        Ok(board_name(&Self::read_options(options)?))
    }

    fn options_of_certified(board: &str) -> Result<BoardOptions, BoardError> {
        let wrong = || BoardError::of("a board is such as 6x7 corner");
        named_start(board).ok_or_else(wrong)?;
        let (size, opening) = board.split_once(' ').ok_or_else(wrong)?;
        let options = BoardOptions::sized(size);
        Ok(match opening {
            "traditional" | "any" => options.with("opening", opening),
            setup => options.with("setup", setup),
        })
    }
}
