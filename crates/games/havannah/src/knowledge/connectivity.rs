//! Edge connectivity: a stone that is connected to edges and corners is worth more.

use crate::rules::board::Board;
use crate::rules::geometry::Cell;
use game::Side;

/// The number of edges and corners that a stone on an empty cell would be connected to: from 0 to 3, two
/// edges and a corner, unless it wins.
#[inline]
pub fn points(board: &Board, cell: Cell, side: Side) -> u32 {
    let (_, rim) = board.would_join(cell, side);
    rim.count_ones()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::geometry::Shape;
    use crate::{Dialect, Position};
    use game::{Game, Notation};

    #[test]
    fn edges_and_corners_of_all_groups_joined_count() {
        let mut position = Position::new(Shape::regular(4).expect("a size"));
        for mv in ["a2", "e5", "b1", "f5"] {
            let mv = position.parse_move(mv, Dialect::Grid).expect("a cell");
            position.play(mv);
        }
        let cell = |text: &str| match position.parse_move(text, Dialect::Grid) {
            Ok(crate::Move::Place(cell)) => cell,
            other => panic!("{other:?}"),
        };
        for (text, expected) in [
            ("d4", 0),
            // On a corner; on an edge.
            ("d7", 1),
            ("d1", 1),
            ("c6", 1),
            // Beside both stones, and the corner between them.
            ("b2", 2),
            ("a1", 3),
        ] {
            assert_eq!(
                points(position.board(), cell(text), Side::White),
                expected,
                "{text}"
            );
        }
    }
}
