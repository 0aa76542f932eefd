use crate::Game;

/// A game whose moves put a stone on an empty cell, so that the same move can be made at many points of
/// a game and be judged wherever it occurs (RAVE, last good reply, history).
pub trait Placement: Game {
    /// One more than the largest index of a cell. Indices need not be dense.
    fn cells(&self) -> usize;

    /// The index of the cell that a move fills, or `None` for a move that fills none, such as a swap.
    fn cell_of(&self, mv: Self::Move) -> Option<usize>;

    /// The move that fills a cell, or `None` if there is no such cell.
    fn move_to(&self, cell: usize) -> Option<Self::Move>;
}
