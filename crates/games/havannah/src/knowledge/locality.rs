//! Locality: cells near stones are worth more than the empty parts of the board.

use super::neighbourhood::Neighbourhoods;
use crate::rules::board::Board;
use crate::rules::geometry::{Cell, Geometry};
use game::Side;

/// Tells how near stones are, on boards of one shape.
#[derive(Clone, Debug)]
pub struct Locality {
    around: Neighbourhoods,
}

impl Locality {
    /// For boards of one geometry.
    pub fn new(geometry: &Geometry) -> Locality {
        Locality {
            around: Neighbourhoods::new(geometry),
        }
    }

    /// For an empty cell: 3 beside a stone, 2 where a stone would form a virtual connection with one
    /// (two steps away, both cells between them empty), 1 at distance two otherwise, 0 beyond; of several
    /// stones the one that gives most counts. `side` tells whose stones, `None` both sides'.
    #[inline]
    pub fn points(&self, board: &Board, cell: Cell, side: Option<Side>) -> u32 {
        let counts = |stone: Option<Side>| match side {
            Some(_) => stone == side,
            None => stone.is_some(),
        };
        let patterns = Side::BOTH.map(|side| board.pattern(cell, side));
        let beside = match side {
            Some(side) => patterns[side.index()],
            None => patterns[0] | patterns[1],
        };
        if beside != 0 {
            return 3;
        }
        let around = self.around.of(cell);
        let has_stone = |at: &Option<Cell>| at.is_some_and(|at| counts(board.stone(at)));
        // No neighbour of the cells that count; those of the other side are in the way.
        let taken = patterns[0] | patterns[1];
        let mut points = 0;
        for (direction, at) in around.bridged.iter().enumerate() {
            if has_stone(at) {
                let between = 1 << direction | 1 << ((direction + 1) % 6);
                if taken & between == 0 {
                    return 2;
                }
                points = 1;
            }
        }
        if points == 0 && around.straight.iter().any(has_stone) {
            points = 1;
        }
        points
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::geometry::Shape;
    use crate::{Dialect, Position};
    use game::{Game, Notation};

    /// The figure "Points Given by Distance From an Existing Stone" of the Castro thesis (2012): all
    /// cells of size 3 around a stone on b2.
    #[test]
    fn points_by_distance_are_those_of_the_figure() {
        let mut position = Position::new(Shape::regular(3).expect("a size"));
        let figure = [
            (3, "a1 a2 b1 c2 c3 b3"),
            (2, "c1 a3 d3 c4"),
            (1, "d2 d4 b4"),
            (0, "c5 d5 e3 e4 e5"),
        ];
        let cells: Vec<(u32, crate::Move)> = figure
            .iter()
            .flat_map(|(points, cells)| cells.split(' ').map(move |cell| (*points, cell)))
            .map(|(points, cell)| {
                (
                    points,
                    position.parse_move(cell, Dialect::Grid).expect("a cell"),
                )
            })
            .collect();
        let last = position.parse_move("b2", Dialect::Grid).expect("a cell");
        position.play(last);
        assert_eq!(cells.len(), 18);
        let locality = Locality::new(position.geometry());
        for (expected, mv) in cells {
            let crate::Move::Place(cell) = mv else {
                unreachable!()
            };
            let points = |side| locality.points(position.board(), cell, side);
            assert_eq!(points(Some(Side::White)), expected, "{mv:?}");
            assert_eq!(points(None), expected, "{mv:?}");
            assert_eq!(points(Some(Side::Black)), 0, "{mv:?}");
        }
    }

    #[test]
    fn a_stone_of_the_opponent_in_the_way_is_no_virtual_connection() {
        let geometry = Geometry::of(Shape::regular(4).expect("a size"));
        let at = |x, y| geometry.cell_at(x, y).expect("a cell");
        let mut board = Board::new(geometry);
        board.place(at(3, 3), Side::White);
        let locality = Locality::new(geometry);
        let points = |board: &Board| locality.points(board, at(4, 5), Some(Side::White));
        assert_eq!(points(&board), 2);
        board.place(at(3, 4), Side::Black);
        assert_eq!(points(&board), 1);
        assert_eq!(locality.points(&board, at(4, 5), None), 3);
    }
}
