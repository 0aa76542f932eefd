//! Group size: joining groups is worth as much as they have stones.

use crate::rules::board::Board;
use crate::rules::geometry::Cell;
use game::Side;

/// The sum of the sizes of the groups that a stone on an empty cell would join; 0 for a lone stone.
#[inline]
pub fn points(board: &Board, cell: Cell, side: Side) -> u32 {
    let (stones, _) = board.would_join(cell, side);
    stones
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::geometry::{Geometry, Shape};

    #[test]
    fn every_group_counts_once() {
        let geometry = Geometry::of(Shape::regular(5).expect("a size"));
        let mut board = Board::new(geometry);
        let at = |x, y| geometry.cell_at(x, y).expect("a cell");
        // Three stones around one side of (4, 4), and one across.
        for (x, y) in [(3, 3), (4, 3), (3, 2), (5, 5)] {
            board.place(at(x, y), Side::Black);
        }
        assert_eq!(points(&board, at(4, 4), Side::Black), 4);
        assert_eq!(points(&board, at(4, 4), Side::White), 0);
        assert_eq!(points(&board, at(3, 4), Side::Black), 3);
        assert_eq!(points(&board, at(0, 0), Side::Black), 0);
    }
}
