use super::{Setup, SetupError, Shape};
use thiserror::Error;

/// How a game begins. It is raw; [`Position::new`](super::Position::new) makes a position of it, or says
/// what is wrong.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Start {
    /// The rows and columns of the board.
    pub shape: Shape,
    /// Which stones are removed first, and by whom.
    pub opening: Opening,
}

/// How the first two stones leave the board. Black jumps first in all variants.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Opening {
    /// Black removes a black stone from a corner or from the four cells in the middle
    /// ([`Shape::is_corner`], [`Shape::is_centre`]), then White a white stone beside the gap. These are
    /// the rules of Shokry's thesis (2023), section 2.1.
    #[default]
    Traditional,
    /// Black removes any black stone, then White a white stone beside the gap.
    AnyStone,
    /// A pair of stones is gone before the first move.
    Removed(Setup),
}

/// Why no game begins in this way.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum StartError {
    /// The setup does not belong on the board.
    #[error(transparent)]
    Setup(#[from] SetupError),
    /// The representation of the board is made for smaller ones.
    #[error("a {shape} board has {} cells, and this kind of board holds at most {capacity}", shape.area())]
    TooManyCells {
        /// The shape asked for.
        shape: Shape,
        /// [`Board::CAPACITY`](super::Board::CAPACITY).
        capacity: usize,
    },
}
