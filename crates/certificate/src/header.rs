//! The lines of text with which a certificate begins.

use crate::{Claim, MOST_SEARCHED};
use std::fmt;
use std::io::{self, Write};
use std::str::FromStr;
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

/// The versions of the format. Only the last is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Version {
    /// Depth first, and a walk that names no moves costs nothing.
    Two,
    /// Depth first.
    Three,
    /// In the order of the moves played, and coded.
    Four,
}

/// What a proof may rest on besides the moves that it names.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Terms {
    /// The positions that the checker searches at most for one that is left out; 0 if none is.
    pub searched: u32,
    /// The certificates that prove parts of it.
    pub pieces: Vec<Digest>,
}

/// The SHA-256 of a certificate. As text, 64 hexadecimal digits.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Digest(pub [u8; 32]);

impl fmt::Display for Digest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|byte| write!(f, "{byte:02x}"))
    }
}

impl fmt::Debug for Digest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{self}")
    }
}

impl FromStr for Digest {
    type Err = ();

    fn from_str(text: &str) -> Result<Digest, ()> {
        let mut digest = Digest([0; 32]);
        if text.len() != 2 * digest.0.len() || !text.is_ascii() {
            return Err(());
        }
        for (number, byte) in digest.0.iter_mut().enumerate() {
            let digits = &text[2 * number..2 * number + 2];
            *byte = u8::from_str_radix(digits, 16).map_err(|_| ())?;
        }
        // There is one way to write it.
        if digest.to_string() == text {
            Ok(digest)
        } else {
            Err(())
        }
    }
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
    pub fn write(&self, terms: &Terms, out: &mut impl Write) -> io::Result<()> {
        let Header { game, board, .. } = self;
        let moves = self.moves.join(" ");
        write!(
            out,
            "papamu certificate 4\ngame {game}\nboard {board}\nmoves {moves}\nclaim {}\nsearch {}\n",
            self.claim, terms.searched
        )?;
        for piece in &terms.pieces {
            writeln!(out, "piece {piece}")?;
        }
        writeln!(out)
    }

    /// Reads the lines. `next` gives a line without its end, or `None` if there is none of a bearable
    /// length. Whether game, board and moves are written as they should be is for their games to say.
    pub(crate) fn read<E: From<HeaderError>>(
        mut next: impl FnMut() -> Result<Option<String>, E>,
    ) -> Result<(Version, Header, Terms), E> {
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
        let first = "\"papamu certificate 4\"";
        let version = match line("papamu certificate ", first)?.as_str() {
            "2" => Version::Two,
            "3" => Version::Three,
            "4" => Version::Four,
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
        let terms = if version == Version::Four {
            read_terms(&mut line)?
        } else {
            let empty = "empty";
            if !line("", empty)?.is_empty() {
                return Err(wrong(6, empty).into());
            }
            Terms::default()
        };
        let header = Header {
            game,
            board,
            moves,
            claim,
        };
        Ok((version, header, terms))
    }
}

/// The lines behind the claim, and the empty one.
fn read_terms<E: From<HeaderError>>(
    line: &mut impl FnMut(&str, &'static str) -> Result<String, E>,
) -> Result<Terms, E> {
    let expected = "\"search\" and a number of positions, 0 to 10000";
    let text = line("search ", expected)?;
    let wrong = HeaderError { line: 6, expected };
    let searched: u32 = text.parse().map_err(|_| wrong.clone())?;
    if searched > MOST_SEARCHED || searched.to_string() != text {
        return Err(wrong.into());
    }
    let mut pieces: Vec<Digest> = Vec::new();
    loop {
        let expected = "empty, or \"piece\" and a SHA-256 above those before";
        let text = line("", expected)?;
        if text.is_empty() {
            return Ok(Terms { searched, pieces });
        }
        let line = 7 + pieces.len();
        let piece = text
            .strip_prefix("piece ")
            .and_then(|text| text.parse().ok());
        let is_next = |piece: &Digest| pieces.last().is_none_or(|last| last < piece);
        match piece.filter(is_next) {
            Some(piece) if pieces.len() < MOST_PIECES => pieces.push(piece),
            _ => return Err(HeaderError { line, expected }.into()),
        }
    }
}

/// The most certificates that one can refer to.
const MOST_PIECES: usize = 1 << 20;
