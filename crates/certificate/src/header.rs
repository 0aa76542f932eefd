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

/// The versions of the format, which differ in what a walk costs that names no moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Version {
    /// Such walks cost nothing. It is read, and not written any more.
    Two,
    Three,
}

/// A beginning that is not that of a certificate.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("line {line} of the certificate should be {expected}")]
pub struct HeaderError {
    /// The number of the line, from 1.
    pub line: usize,
    /// What was expected.
    pub expected: &'static str,
}

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
            "papamu certificate 3\ngame {game}\nboard {board}\nmoves {moves}\nclaim {}\n\n",
            self.claim
        )
    }

    /// Reads the lines. `next` gives a line without its end, or `None` if there is none of a bearable
    /// length. Whether game, board and moves are written as they should be is for their games to say.
    pub(crate) fn read<E: From<HeaderError>>(
        mut next: impl FnMut() -> Result<Option<String>, E>,
    ) -> Result<(Version, Header), E> {
        let mut number = 0;
        let mut line = |begin: &str, expected: &'static str| -> Result<String, E> {
            number += 1;
            let error = HeaderError {
                line: number,
                expected,
            };
            let text = next()?.ok_or_else(|| error.clone())?;
            let rest = text.strip_prefix(begin).ok_or(error)?;
            Ok(rest.to_owned())
        };
        let wrong = |line, expected| HeaderError { line, expected };
        let first = "\"papamu certificate 3\"";
        let version = match line("papamu certificate ", first)?.as_str() {
            "2" => Version::Two,
            "3" => Version::Three,
            _ => return Err(wrong(1, first).into()),
        };
        let game = line("game ", "\"game\" and its name")?;
        let board = line("board ", "\"board\" and its shape")?;
        let moves = line("moves ", "\"moves\" and a space before each move")?;
        let moves = match moves.as_str() {
            "" => Vec::new(),
            moves => moves.split(' ').map(str::to_owned).collect(),
        };
        let claims = "\"claim\" and a claim, such as white wins";
        let claim = line("claim ", claims)?;
        let claim = claim.parse().map_err(|()| wrong(5, claims))?;
        let empty = "empty";
        if !line("", empty)?.is_empty() {
            return Err(wrong(6, empty).into());
        }
        let header = Header {
            game,
            board,
            moves,
            claim,
        };
        Ok((version, header))
    }
}
