//! Plain lists of moves: a first line that names the game and the board, then the moves.

use crate::record::Written;
use engine::{BoardError, BoardOptions};

/// A list as it is written.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct List {
    /// The name of the game.
    pub game: String,
    pub options: BoardOptions,
    /// Words of the first line that are no board.
    pub moves: Vec<Written>,
}

/// Reads a list: `havannah 8` or `konane 6x8 centre` on the first line, moves on the others. `#` begins
/// a comment.
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
    let options = match words[..] {
        ["havannah", size] => BoardOptions {
            size: Some(size.to_owned()),
            ..BoardOptions::default()
        },
        ["konane", size, ref rest @ ..] if rest.len() <= 1 => {
            let (rows, cols) = size.split_once(['x', 'X']).unwrap_or((size, size));
            let number = |text: &str| {
                let error = |_| BoardError(format!("{size:?} is not a board: {expected}"));
                text.parse::<u32>().map(Some).map_err(error)
            };
            BoardOptions {
                rows: number(rows)?,
                cols: number(cols)?,
                setup: rest.first().map(|&setup| setup.to_owned()),
                ..BoardOptions::default()
            }
        }
        _ => return Err(BoardError(expected.to_owned())),
    };
    let moves = lines.flat_map(engine::list_items).map(|text| Written {
        side: None,
        text: text.to_owned(),
    });
    Ok(List {
        game: words[0].to_owned(),
        options,
        moves: moves.collect(),
    })
}
