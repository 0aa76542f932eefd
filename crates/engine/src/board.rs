//! Boards as people ask for them, before anybody knows whether there is such a board.

use thiserror::Error;

/// A board as it is asked for on the command line. What is not given has the default of the game.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct BoardOptions {
    /// `8`, or `4x4x5` for Havannah with uneven sides.
    pub size: Option<String>,
    /// Rows of a Kōnane board.
    pub rows: Option<u32>,
    /// Columns of a Kōnane board.
    pub cols: Option<u32>,
    /// The pair removed from a Kōnane board before the game.
    pub setup: Option<String>,
    /// How stones may be removed in Kōnane: `traditional` or `any`.
    pub opening: Option<String>,
    /// Whether Havannah is played with the swap rule.
    pub swap: bool,
}

/// Why there is no such board, with what can be asked for.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("{0}")]
pub struct BoardError(pub String);

impl BoardError {
    pub(crate) fn of(why: impl std::fmt::Display) -> BoardError {
        BoardError(why.to_string())
    }
}
