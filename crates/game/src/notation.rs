use crate::{Game, Side};
use thiserror::Error;

/// A text that names no move on this board.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("{text:?} is not a move: {reason}")]
pub struct ParseMoveError {
    /// What was read, shortened if it was very long.
    pub text: String,
    /// What is wrong with it, and what was expected.
    pub reason: String,
}

impl ParseMoveError {
    /// The error for a text, of which it keeps at most the first 40 characters.
    pub fn new(text: &str, reason: impl Into<String>) -> Self {
        let mut shown: String = text.chars().take(40).collect();
        if shown.len() < text.len() {
            shown.push('…');
        }
        ParseMoveError {
            text: shown,
            reason: reason.into(),
        }
    }
}

/// How people write the moves of a game.
///
/// Reading is total: any text gives a move or an error. A move that is read need not be legal.
pub trait Notation: Game {
    /// The ways of writing that people use; `()` where there is only one. The default is the one of the
    /// command line.
    type Dialect: Copy + Default + PartialEq + std::fmt::Debug + Send + Sync;

    /// Reads a move.
    ///
    /// # Errors
    /// If the text names no move on a board of this shape.
    fn parse_move(&self, text: &str, dialect: Self::Dialect) -> Result<Self::Move, ParseMoveError>;

    /// Writes a move so that [`parse_move`](Notation::parse_move) reads it back.
    fn write_move(&self, mv: Self::Move, dialect: Self::Dialect) -> String;

    /// Every move that can be written down on this board, legal or not.
    fn every_move(&self) -> Vec<Self::Move>;
}

/// A board as text.
pub trait Picture: Notation {
    /// Draws the board with its coordinates, ending in a line break. `paint` wraps what stands for a
    /// stone, for example in terminal colours; the last argument tells whether it is part of the last
    /// move.
    fn draw(&self, dialect: Self::Dialect, paint: &dyn Fn(Side, &str, bool) -> String) -> String;

    /// The board without colours.
    fn picture(&self, dialect: Self::Dialect) -> String {
        self.draw(dialect, &|_, stone, _| stone.to_owned())
    }
}
