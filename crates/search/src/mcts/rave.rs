//! RAVE, "rapid action value estimation": a move counts as tried wherever its side fills the same cell
//! later in the simulation (Gelly and Silver, "Combining online and offline knowledge in UCT", 2007).

use super::points::{Points, pair};
use game::Side;

/// How often each side filled each cell in one simulation, and with what result: visits and half points
/// of this side in one word.
#[derive(Clone, Debug, Default)]
pub(super) struct Filled {
    cells: usize,
    /// White's cells, then Black's.
    table: Vec<u64>,
}

impl Filled {
    /// Forgets all, for a board with indices of cells below `cells`.
    #[inline]
    pub(super) fn clear(&mut self, cells: usize) {
        self.cells = cells;
        self.table.clear();
        self.table.resize(2 * cells, 0);
    }

    /// Counts cells filled, by side, in playouts with these results.
    #[inline]
    pub(super) fn add(&mut self, side: Side, cell: usize, points: Points) {
        let index = side.index() * self.cells + cell;
        if let Some(entry) = self.table.get_mut(index) {
            *entry += pair(points.visits, points.halves(side));
        }
    }

    /// What a side did on each cell.
    #[inline]
    pub(super) fn of(&self, side: Side) -> &[u64] {
        let start = side.index() * self.cells;
        &self.table[start..start + self.cells]
    }
}
