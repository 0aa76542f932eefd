//! Plain lists of moves: a first line that names the game and the board, then the moves.

use crate::record::{Record, Written};
use crate::recorded::Recorded;
use engine::{BoardError, BoardOptions, Playable};
use havannah::{Dialect, Position};

/// A list as it is written.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct List {
    /// The name of the game.
    pub game: String,
    pub options: BoardOptions,
    /// The dialect of Havannah that the first line names.
    pub dialect: Option<Dialect>,
    pub moves: Vec<Written>,
}

/// Reads a list: `havannah 8`, `havannah 8 row swap` or `konane 6x8 centre` on the first line, moves on the
/// others. `#` begins a comment.
pub(crate) fn read(text: &str) -> Result<List, BoardError> {
    let lines = text
        .lines()
        .map(|line| line.split('#').next().unwrap_or_default().trim());
    let mut lines = lines.filter(|line| !line.is_empty());
    let expected = "expected an SGF file, or a list of moves whose first line is like \
                    `havannah 8` or `konane 6x8 centre`";
    let first = lines
        .next()
        .ok_or_else(|| BoardError(format!("the file is empty: {expected}")))?;
    let words: Vec<&str> = first.split_whitespace().collect();
    let wrong = || BoardError(format!("{first:?} names no board: {expected}"));
    let (mut options, mut dialect) = (BoardOptions::default(), None);
    match words[..] {
        ["havannah", size, ref rest @ ..] => {
            options.size = Some(size.to_owned());
            for &word in rest {
                match Position::dialect(word) {
                    Some(named) => dialect = Some(named),
                    None if word == "swap" => options.swap = true,
                    None => return Err(wrong()),
                }
            }
        }
        ["konane", size, ref rest @ ..] if rest.len() <= 1 => {
            let (rows, cols) = size.split_once(['x', 'X']).unwrap_or((size, size));
            let number = |text: &str| text.parse::<u32>().map(Some).map_err(|_| wrong());
            (options.rows, options.cols) = (number(rows)?, number(cols)?);
            match rest.first() {
                Some(rule @ (&"any" | &"traditional")) => {
                    options.opening = Some((*rule).to_owned());
                }
                setup => options.setup = setup.map(|&setup| setup.to_owned()),
            }
        }
        _ => return Err(wrong()),
    }
    let moves = lines.flat_map(engine::list_items).map(|text| Written {
        side: None,
        text: text.to_owned(),
    });
    Ok(List {
        game: words[0].to_owned(),
        options,
        dialect,
        moves: moves.collect(),
    })
}

/// The first line of a list from which [`read`] gets the same board, rules and dialect.
pub(crate) fn heading<G: Recorded>(record: &Record<G>, dialect: G::Dialect) -> String {
    let options = &record.options;
    let mut words = vec![G::NAME.to_owned(), record.start.size_name()];
    for (name, value) in G::root_properties(options, dialect) {
        match name {
            "DIALECT" | "SU" => words.push(value),
            "RU" if value != "traditional" => words.push(value),
            _ => {}
        }
    }
    words.join(" ")
}
