use super::{Cell, Shape};
use game::Side;
use game::random::Rng;
use std::fmt::Debug;

/// The stones on a board, and the jumps they can make. Whose turn it is, and how the game begins, is the
/// business of [`PositionOn`](super::PositionOn).
///
/// Boards that hold the same stones are equal, and count the same pieces and moves; only the order of
/// the jumps, and the time it all takes, are each board's own.
pub trait Board: Clone + Debug + PartialEq + Send + Sync + 'static {
    /// The most cells that a board of this kind can have.
    const CAPACITY: usize = Shape::MAX_CELLS;

    /// What [`rewind`](Board::rewind) needs to find the way back.
    type Mark;

    /// The board with stones on those cells for which `has_stone` holds.
    ///
    /// # Panics
    /// If the shape has more cells than [`CAPACITY`](Board::CAPACITY).
    fn new(shape: Shape, has_stone: impl Fn(Cell) -> bool) -> Self;

    /// The rows and columns.
    fn shape(&self) -> Shape;

    /// The stone on a cell: `None` when the cell is empty, or not on the board.
    fn stone(&self, cell: Cell) -> Option<Side>;

    /// How many stones a side has.
    fn pieces(&self, side: Side) -> u32;

    /// How many stones of a side can jump.
    fn movable(&self, side: Side) -> u32;

    /// How many jumps a side could choose from if it were its turn; a stone that can go on jumping has
    /// one for each cell where it can stop.
    fn moves(&self, side: Side) -> u32;

    /// Whether a side can jump at all.
    fn can_jump(&self, side: Side) -> bool;

    /// Calls `visit` with the first and the last cell of each jump of a side.
    fn for_each_jump(&self, side: Side, visit: impl FnMut(Cell, Cell));

    /// The first and the last cell of a jump of a side, each with the same probability; `None` when
    /// there is no jump.
    fn random_jump(&self, side: Side, rng: &mut Rng) -> Option<(Cell, Cell)>;

    /// Takes a stone off the board.
    fn remove(&mut self, cell: Cell);

    /// Makes a jump that is known to be legal.
    fn jump(&mut self, from: Cell, to: Cell);

    /// Begins an excursion: whatever is played from here on can be taken back by
    /// [`rewind`](Board::rewind). Excursions can be nested.
    fn mark(&mut self) -> Self::Mark;

    /// Ends the excursion that began with the mark, the latest that has not ended, and brings the board
    /// back to where it was, the order of its jumps included.
    fn rewind(&mut self, mark: Self::Mark);
}
