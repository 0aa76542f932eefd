//! What each game's records have of their own.

use crate::KonanePosition;
use engine::{BoardError, BoardOptions, Playable};
use havannah::{Dialect, Position};
use sgf::Node;

/// A game that records are kept of.
pub trait Recorded: Playable {
    /// The board and the rules that the root of a game tree asks for.
    ///
    /// # Errors
    /// If a property has a value that it cannot have.
    fn options(root: Node<'_>) -> Result<BoardOptions, BoardError>;

    /// The dialects that the moves may be written in, the likeliest first, as far as the root tells.
    fn dialects(root: Option<Node<'_>>) -> Vec<Self::Dialect>;

    /// The properties of a root from which [`options`](Recorded::options) and
    /// [`dialects`](Recorded::dialects) read the same options and the dialect back.
    fn root_properties(
        options: &BoardOptions,
        dialect: Self::Dialect,
    ) -> Vec<(&'static str, String)>;
}

/// `SZ` is the size: `8`, or `4x4x5`. `DIALECT` is `grid` or `row`; without it, a file that says that it
/// is from Little Golem is probably in the row dialect, another one in the grid dialect. `RU[swap]`
/// stands for the swap rule; a game in which Black swaps does not need it.
impl Recorded for Position {
    fn options(root: Node<'_>) -> Result<BoardOptions, BoardError> {
        let size = root.simple_text("SZ");
        let size = size.ok_or_else(|| BoardError("the game has no board size (SZ)".to_owned()))?;
        Ok(BoardOptions {
            size: Some(size.trim().to_owned()),
            swap: rules(root).any(|rule| rule == "swap"),
            ..BoardOptions::default()
        })
    }

    fn dialects(root: Option<Node<'_>>) -> Vec<Dialect> {
        let Some(root) = root else {
            return Dialect::ALL.to_vec();
        };
        let named = root
            .simple_text("DIALECT")
            .and_then(|name| Self::dialect(name.trim()));
        if let Some(dialect) = named {
            return vec![dialect];
        }
        let from_little_golem = rules(root).any(|rule| rule == "lg")
            || root
                .simple_text("SO")
                .is_some_and(|source| source.contains("littlegolem"));
        if from_little_golem {
            vec![Dialect::Row, Dialect::Grid]
        } else {
            vec![Dialect::Grid, Dialect::Row]
        }
    }

    fn root_properties(options: &BoardOptions, dialect: Dialect) -> Vec<(&'static str, String)> {
        let size = options.size.clone().unwrap_or_else(|| "8".to_owned());
        let mut properties = vec![("SZ", size), ("DIALECT", dialect.to_string())];
        if options.swap {
            properties.push(("RU", "swap".to_owned()));
        }
        properties
    }
}

/// `SZ` is `8`, or `8:6` for 8 columns and 6 rows, as SGF has it for rectangles. `SU` is the setup, such
/// as `centre` or `d4,e4`. Without it, `RU` is the opening rule, `traditional` or `any`; the default is
/// `traditional`.
impl Recorded for KonanePosition {
    fn options(root: Node<'_>) -> Result<BoardOptions, BoardError> {
        let size = root.simple_text("SZ").unwrap_or("8".into());
        let number = |text: &str| {
            let error = |_| BoardError(format!("{size:?} is not a board size (SZ)"));
            text.trim().parse::<u32>().map(Some).map_err(error)
        };
        let (cols, rows) = size.split_once(':').unwrap_or((&size, &size));
        let setup = root.simple_text("SU").map(|setup| setup.trim().to_owned());
        let opening = rules(root).find(|rule| rule == "traditional" || rule == "any");
        Ok(BoardOptions {
            rows: number(rows)?,
            cols: number(cols)?,
            opening: opening.filter(|_| setup.is_none()),
            setup,
            ..BoardOptions::default()
        })
    }

    fn dialects(_: Option<Node<'_>>) -> Vec<()> {
        vec![()]
    }

    fn root_properties(options: &BoardOptions, (): ()) -> Vec<(&'static str, String)> {
        let side = |side: Option<u32>| side.unwrap_or(8);
        let size = format!("{}:{}", side(options.cols), side(options.rows));
        let opening = match (&options.setup, &options.opening) {
            (Some(setup), _) => ("SU", setup.clone()),
            (None, Some(opening)) => ("RU", opening.clone()),
            (None, None) => ("RU", "traditional".to_owned()),
        };
        vec![("SZ", size), opening]
    }
}

/// The rules that a game names, in small letters.
fn rules(root: Node<'_>) -> impl Iterator<Item = String> {
    let rules = root
        .simple_text("RU")
        .unwrap_or_default()
        .to_ascii_lowercase();
    rules
        .split([',', ' '])
        .map(str::to_owned)
        .collect::<Vec<_>>()
        .into_iter()
}
