//! RAVE, "rapid action value estimation": a move counts as tried wherever its side fills the same cell
//! later in the simulation (Gelly and Silver, "Combining online and offline knowledge in UCT", 2007).

use super::node_statistics::{NodeStatistics, pair};
use game::Side;

/// How often each side filled each cell in one simulation, and with what result: visits and half points
/// of this side in one word.
#[derive(Clone, Debug)]
pub(super) struct Filled {
    /// The tables of White and Black have as many entries as the next power of two, so that an index can
    /// be cut to fit where one too large cannot be: there is no branch.
    tables: [Vec<u64>; 2],
}

impl Default for Filled {
    fn default() -> Self {
        Filled {
            tables: [vec![0], vec![0]],
        }
    }
}

impl Filled {
    /// Forgets all, for a board with indices of cells below `cells`.
    #[inline]
    pub(super) fn clear(&mut self, cells: usize) {
        for table in &mut self.tables {
            table.clear();
            table.resize(cells.next_power_of_two(), 0);
        }
    }

    /// Counts cells filled, by side, in playouts with these results.
    #[inline]
    pub(super) fn add(&mut self, side: Side, cell: usize, points: NodeStatistics) {
        let table = &mut self.tables[side.index()];
        let mask = table.len() - 1;
        table[cell & mask] += pair(points.visits, points.halves(side));
    }

    /// What a side did on a cell, as a function of the cell.
    #[inline]
    pub(super) fn of(&self, side: Side) -> impl Fn(usize) -> u64 + Copy {
        let table = self.tables[side.index()].as_slice();
        let mask = table.len() - 1;
        move |cell| table[cell & mask]
    }
}
