//! Progressive history: how a move did wherever the tree has it, for where it is new (Nijssen and Winands,
//! "Enhancements for multi-player Monte-Carlo tree search", 2010).
//!
//! There, selection adds `W · mean / (losses + 1)`. Here it is knowledge as any other: a move gets
//! `W · (mean − ½) / √visits` with the mean of the moment when it becomes a child, so that selection has
//! nothing more to read. RAVE counts the moves of playouts as well; these are those of the tree alone.

use super::node_statistics::NodeStatistics;
use super::rave::Filled;
use game::Side;

/// How both sides' moves did in the tree, by the cell that they fill, in one search.
#[derive(Clone, Debug, Default)]
pub(super) struct History {
    made: Filled,
}

impl History {
    /// Forgets all, for a board with indices of cells below `cells`.
    pub(super) fn clear(&mut self, cells: usize) {
        self.made.clear(cells);
    }

    /// A move got these results.
    #[inline]
    pub(super) fn add(&mut self, side: Side, cell: usize, points: NodeStatistics) {
        self.made.add(side, cell, points);
    }

    /// The mean result of a side's moves on a cell, less ½; 0 where it made none.
    #[inline]
    pub(super) fn advantage(&self, side: Side, cell: usize) -> f32 {
        let NodeStatistics {
            visits,
            white_halves: own_halves,
        } = NodeStatistics::of_word(self.made.of(side)(cell));
        if visits == 0 {
            return 0.0;
        }
        own_halves as f32 / (2.0 * visits as f32) - 0.5
    }
}

#[cfg(all(test, not(feature = "loom")))]
mod tests {
    use super::*;
    use game::Outcome;

    #[test]
    fn the_advantage_is_the_mean_of_the_side_that_moved_less_a_half() {
        let mut history = History::default();
        history.clear(3);
        history.add(
            Side::Black,
            2,
            NodeStatistics::of(Outcome::Win(Side::Black), 3),
        );
        history.add(
            Side::Black,
            2,
            NodeStatistics::of(Outcome::Win(Side::White), 1),
        );
        history.add(Side::White, 2, NodeStatistics::of(Outcome::Draw, 5));
        let close = |side, cell, expected: f32| {
            assert!((history.advantage(side, cell) - expected).abs() < 1e-6);
        };
        close(Side::Black, 2, 0.25);
        close(Side::White, 2, 0.0);
        close(Side::Black, 1, 0.0);
        history.clear(3);
        assert!(history.advantage(Side::Black, 2).abs() < 1e-6);
    }
}
