use crate::Game;

/// A game whose moves put a stone on an empty cell, so that the same move can be made at many points of
/// a game and be judged wherever it occurs (RAVE, last good reply, history).
pub trait Placement: Game {
    /// The number of cells: one more than the largest index.
    fn cells(&self) -> usize;

    /// The index of the cell that a move fills, or `None` for a move that fills none, such as a swap.
    fn cell_of(&self, mv: Self::Move) -> Option<usize>;

    /// The move that fills a cell.
    fn move_to(&self, cell: usize) -> Self::Move;
}
