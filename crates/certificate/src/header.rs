//! The lines of text with which a certificate begins.

use crate::Claim;
use std::io::{self, Write};
use thiserror::Error;

/// What a certificate is about.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Header {
    /// The name of the game.
    pub game: String,
    /// The shape of the board, as on the command line.
    pub board: String,
    /// The moves from the start of the game to the position, as on the command line.
    pub moves: Vec<String>,
    /// What is claimed of the position.
    pub claim: Claim,
}

/// A beginning that is not that of a certificate.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("line {line} of the certificate should begin with {expected:?}")]
pub struct HeaderError {
    /// The number of the line, from 1.
    pub line: usize,
    /// What was expected.
    pub expected: &'static str,
}

const FIRST_LINE: &str = "papamu certificate 2";

/// The longest line that is read: far more than a game of the largest board.
pub(crate) const LONGEST_LINE: usize = 1 << 16;

impl Header {
    /// Writes the lines and the empty line after them.
    ///
    /// # Errors
    /// Those of the output.
    pub fn write(&self, out: &mut impl Write) -> io::Result<()> {
        let Header { game, board, .. } = self;
        let moves = self.moves.join(" ");
        write!(
            out,
            "{FIRST_LINE}\ngame {game}\nboard {board}\nmoves {moves}\nclaim {}\n\n",
            self.claim
        )
    }

    /// Reads the lines. `next` gives a line without its end, or `None` if there is none of a bearable
    /// length.
    pub(crate) fn read<E: From<HeaderError>>(
        mut next: impl FnMut() -> Result<Option<String>, E>,
    ) -> Result<Header, E> {
        let mut number = 0;
        let mut line = |expected: &'static str| -> Result<String, E> {
            number += 1;
            let error = HeaderError {
                line: number,
                expected,
            };
            let text = next()?.ok_or_else(|| error.clone())?;
            let rest = text.strip_prefix(expected).ok_or(error)?;
            Ok(rest.to_owned())
        };
        line(FIRST_LINE)?;
        let game = line("game ")?;
        let board = line("board ")?;
        let moves = line("moves ")?;
        let claim = line("claim ")?;
        let claim = claim.parse().map_err(|()| HeaderError {
            line: 5,
            expected: "claim white wins",
        })?;
        line("")?;
        Ok(Header {
            game,
            board,
            moves: moves.split_whitespace().map(str::to_owned).collect(),
            claim,
        })
    }
}
