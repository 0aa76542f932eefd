//! Kōnane as a game that people and programs play: its boards, players and solvers.

use crate::certificate::{board_name, named_start};
use crate::evaluation;
use crate::rules::Known;
use crate::{
    AnyBitBoard, Board, Cell, Move, Opening, Position, Shape, Stage, Start, players, solvers,
};
use engine::{
    BoardError, BoardOptions, Insight, Level, MoveKind, Opinion, OptionKind, Playable, Player,
    Playouts, Prover, Resources, STONES, SetUp, Sight, SolveError, Solver, StartOption,
    uniform_playouts,
};
use game::Side;
use search::proof::Combination;
use std::path::Path;

impl Playable for Position {
    type Start = Start;

    const TITLE: &'static str = "Kōnane";
    const GOAL: &'static str = "Jump and capture. Who cannot jump loses.";

    const OPTIONS: &'static [StartOption] = &[
        StartOption::new(
            "size",
            OptionKind::Text("N"),
            "rows and columns, 8 by default; 6x8 for 6 rows and 8 columns",
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
            "the pair that is already removed when the game begins: corner, corner-vertical, centre, \
             centre-vertical, or two cells such as d4,e4",
        )
        .choices(&["corner", "corner-vertical", "centre", "centre-vertical"]),
        StartOption::new(
            "opening",
            OptionKind::Text("RULE"),
            "which stones Black may remove first: traditional (corner or centre, the default) or any",
        )
        .choices(&["traditional", "any"]),
        SetUp::STONES,
        SetUp::TURN,
    ];

    const SIZES: &'static [&'static str] = &["6", "8", "10", "14x17"];
    const DEFAULT_SIZE: &'static str = "8";
    const FIRST_SIZE: &'static str = "8";
    const OTHER_SIZE: &'static str = "6x9";
    const EXAMPLE: (&'static str, &'static str) = ("4", "b2 b3 d2-b2");
    const PUZZLE_SIZES: &'static [&'static str] = &["6"];
    const BOARDSIZE: &'static str = "ROWS COLS";

    const SIGHTS: &'static [Sight] = &[Sight::Mobility];
    const DRAWS: bool = false;
    const PROVES: bool = true;

    const LEVELS: &'static [Level] = &[
        Level::of("beginner", "Beginner", "greedy-captures").rated(0, 0),
        Level::of("easy", "Easy", "greedy-mobility").rated(127, 70),
        Level::of("casual", "Casual", "shokry-dabs")
            .setting("depth=2")
            .rated(681, 141),
        Level::of("club", "Club", "shokry-dabs")
            .setting("depth=4")
            .rated(914, 156),
        Level::of("strong", "Strong", "papamu")
            .simulations(500)
            .rated(1_557, 237),
        Level::of("expert", "Expert", "papamu")
            .simulations(5_000)
            .rated(1_870, 249),
        Level::of("full", "Full strength", "papamu")
            .seconds(5.0)
            .rated(2_090, 255),
    ];

    fn players() -> Vec<Player<Position>> {
        players::players()
    }

    fn solvers() -> Vec<Solver<Position>> {
        solvers::solvers()
    }

    fn read_options(options: &BoardOptions) -> Result<Start, BoardError> {
        let has = |name| options.get(name).is_some();
        if has("size") && (has("rows") || has("cols")) {
            return Err(BoardError::of("a board has a size, or rows and cols").about("size"));
        }
        let (rows, cols) = sides(options);
        let (Ok(rows), Ok(cols)) = (rows.parse::<u32>(), cols.parse::<u32>()) else {
            let size = options
                .get("size")
                .map_or_else(|| format!("{rows}x{cols}"), str::to_owned);
            let why = format!(
                "{size:?} is not a size of a konane board: expected one number from 1 to 20, or rows and columns such as 6x8"
            );
            return Err(BoardError::of(why).about(wrong_side(options)));
        };
        let opening = match (options.get("setup"), options.get("opening")) {
            (Some(_), Some(_)) => {
                let why =
                    "with a setup the stones are removed already, so that there is no opening";
                return Err(BoardError::of(why).about("opening"));
            }
            (Some(setup), None) => {
                let setup = setup.parse().map_err(BoardError::of);
                Opening::Removed(setup.map_err(|why| why.about("setup"))?)
            }
            (None, None | Some("traditional")) => Opening::Traditional,
            (None, Some("any")) => Opening::AnyStone,
            (None, Some(other)) => {
                let why = format!("{other:?} is not an opening: expected traditional or any");
                return Err(BoardError::of(why).about("opening"));
            }
        };
        let wrong = |why| BoardError::of(why).about(wrong_side(options));
        let shape = Shape::new(rows as usize, cols as usize).map_err(wrong)?;
        Ok(Start { shape, opening })
    }

    fn begin(start: &Start) -> Result<Position, BoardError> {
        // Every shape has a board; what the shape cannot have is a setup.
        Position::new(start).map_err(|why| BoardError::of(why).about("setup"))
    }

    fn set_up(&self, set_up: &SetUp) -> Result<Position, BoardError> {
        if self.stage() != (Stage::BlackRemoves { anywhere: false }) {
            return Err(BoardError::of(
                "a position that is set up has no opening: say its stones without a setup and an opening rule",
            ));
        }
        let shape = self.shape();
        let mut stones = Vec::with_capacity(set_up.stones.len());
        for (side, text) in &set_up.stones {
            let cell: Cell = text.parse().map_err(BoardError::of)?;
            let colour = cell.colour();
            let wrong = if !shape.contains(cell) {
                format!(
                    "{cell} is not on a {shape} board, whose cells are a1 to {}",
                    shape.last()
                )
            } else if colour != *side {
                format!(
                    "{cell} is a cell of {colour}: stones jump two cells at a time, so that no {side} stone comes there"
                )
            } else if stones.contains(&cell) {
                format!("there are two stones on {cell}")
            } else {
                stones.push(cell);
                continue;
            };
            return Err(BoardError::of(wrong));
        }
        let board = AnyBitBoard::new(shape, |cell| stones.contains(&cell));
        Ok(Position::from_board(
            board,
            set_up.turn.unwrap_or(Side::Black),
        ))
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
            text.parse::<u32>().map_err(|_| {
                BoardError::of(format!("{text:?} is not a number of rows or columns"))
            })?;
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
            let error = |_| BoardError::of(format!("{size:?} is not a board size (SZ)"));
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
        let (rows, cols) = sides(options);
        let opening = match options.get("setup") {
            Some(setup) => ("SU", setup),
            None => ("RU", options.get("opening").unwrap_or("traditional")),
        };
        vec![
            ("SZ", format!("{cols}:{rows}")),
            (opening.0, opening.1.to_owned()),
        ]
    }

    /// `6x8`, and behind it a setup or an opening rule if there is one: `6x8 centre`, `6x8 any`.
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
            [rule @ ("any" | "traditional")] => Ok(options.with("opening", rule)),
            [setup] => Ok(options.with("setup", setup)),
            _ => Err(wrong()),
        }
    }

    fn listed_words(options: &BoardOptions) -> Vec<String> {
        let (rows, cols) = sides(options);
        let size = if rows == cols {
            rows.to_owned()
        } else {
            format!("{rows}x{cols}")
        };
        let rule = options.get("opening").filter(|&rule| rule != "traditional");
        let opening = options.get("setup").or(rule).map(str::to_owned);
        std::iter::once(size).chain(opening).collect()
    }

    fn made_on(&self, mv: Move, (): ()) -> (MoveKind, Vec<String>) {
        match mv {
            Move::Remove(cell) => (MoveKind::Remove, vec![cell.to_string()]),
            Move::Jump { from, to } => (MoveKind::Jump, vec![from.to_string(), to.to_string()]),
        }
    }

    fn playouts(&self, games: Option<u64>, seed: u64, depth: u32) -> Playouts {
        let games = games.unwrap_or(STONES / (4 * self.shape().area()) as u64);
        match self.known() {
            Known::One(position) => uniform_playouts(&position, games, seed, depth),
            Known::Seven(position) => uniform_playouts(&position, games, seed, depth),
        }
    }

    fn insight(&self, (): ()) -> Insight {
        crate::insight::insight(self)
    }

    fn opinion(&self, weights: Option<&Path>, (): ()) -> Result<Option<Opinion>, String> {
        let weights = match weights {
            None => evaluation::shipped(),
            Some(path) => {
                let named = players::papamu::weights(path);
                named.map_err(|why| format!("{} {why}", path.display()))?
            }
        };
        crate::insight::opinion(self, &weights).map(Some)
    }

    fn prover(&self, resources: Resources) -> Result<Box<dyn Prover<Position>>, SolveError> {
        solvers::prover(self, resources)
    }

    fn combination() -> Combination {
        crate::solver::COMBINATION
    }

    fn certified_start(&self, options: &BoardOptions) -> Result<String, BoardError> {
        Ok(board_name(&Self::read_options(options)?))
    }

    fn options_of_start(board: &str) -> Result<BoardOptions, BoardError> {
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

/// The rows and columns that are asked for.
fn sides(options: &BoardOptions) -> (&str, &str) {
    let size = options.get("size").unwrap_or(Position::DEFAULT_SIZE);
    let (rows, cols) = size.split_once(['x', 'X']).unwrap_or((size, size));
    (
        options.get("rows").unwrap_or(rows),
        options.get("cols").unwrap_or(cols),
    )
}

/// The option that asks for sides which no board has.
fn wrong_side(options: &BoardOptions) -> &'static str {
    let is_wrong = |name| {
        let side = options.get(name);
        side.is_some_and(|side| !side.parse().is_ok_and(|side| Shape::new(side, 1).is_ok()))
    };
    if options.get("size").is_some() {
        "size"
    } else if is_wrong("rows") || !is_wrong("cols") && options.get("rows").is_some() {
        "rows"
    } else {
        "cols"
    }
}
