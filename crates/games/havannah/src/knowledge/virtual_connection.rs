//! Virtual connections: two stones that have two empty cells in common are as good as connected, as long
//! as an intrusion into one of the cells is answered in the other.

use crate::rules::board::Board;
use crate::rules::geometry::Cell;
use game::Side;

/// What lies off the board on either side of an empty cell.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OffBoard {
    /// Nothing.
    Nothing,
    /// As good as an own stone, so that connections to the edge are kept as well.
    OwnStone,
}

/// Directions as bits, each turned by one step round the circle.
const fn turned(directions: u8, by: u32) -> u8 {
    (directions << by | directions >> (6 - by)) & 0b11_1111
}

/// The directions from the opponent's last stone in which an empty cell lies between two own stones,
/// seen from the last stone: stone, empty, stone, side by side. There `side` keeps a virtual connection
/// that the stone intruded upon. Bit d for direction d. At least one of the two is a real stone.
#[inline]
pub fn kept_from(board: &Board, last: Cell, side: Side, off_board: OffBoard) -> u8 {
    let own = board.pattern(last, side);
    if own == 0 {
        return 0;
    }
    let opponents = board.pattern(last, !side);
    let geometry = board.geometry();
    let on_board = (0..6).fold(0, |bits, direction| {
        bits | u8::from(geometry.neighbour(last, direction).is_some()) << direction
    });
    let empty = on_board & !own & !opponents;
    let as_own = match off_board {
        OffBoard::Nothing => own,
        OffBoard::OwnStone => own | !on_board & 0b11_1111,
    };
    let next_to_own = turned(own, 1) | turned(own, 5);
    empty & turned(as_own, 1) & turned(as_own, 5) & next_to_own
}

/// 1 for a move that keeps a virtual connection upon which the opponent's last stone intruded, 0 for
/// others; for all six directions from that stone at once.
pub fn keeping_cells(
    board: &Board,
    last: Cell,
    side: Side,
    off_board: OffBoard,
) -> impl Iterator<Item = Cell> + '_ {
    let directions = kept_from(board, last, side, off_board);
    let geometry = board.geometry();
    (0..6)
        .filter(move |direction| directions >> direction & 1 == 1)
        .filter_map(move |direction| geometry.neighbour(last, direction))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::geometry::{Geometry, Shape};
    use game::random;

    /// From the coordinates: an empty cell beside the last stone that has two own stones in common with
    /// it, these being on either side, or off the board.
    fn keeping_by_definition(board: &Board, last: Cell, side: Side, edges: bool) -> Vec<Cell> {
        let geometry = board.geometry();
        let around = |cell: Cell| {
            let (x, y) = geometry.coordinates(cell);
            crate::rules::geometry::DIRECTIONS
                .map(|(dx, dy)| (x as isize + dx, y as isize + dy))
                .to_vec()
        };
        let at = |(x, y): (isize, isize)| {
            geometry.cell_at(usize::try_from(x).ok()?, usize::try_from(y).ok()?)
        };
        let mut found: Vec<Cell> = geometry
            .neighbours(last)
            .filter(|&cell| board.is_empty(cell))
            .filter(|&cell| {
                let of_last = around(last);
                let common = around(cell)
                    .into_iter()
                    .filter(|place| of_last.contains(place));
                let stones: Vec<Option<Cell>> = common.map(at).collect();
                assert_eq!(stones.len(), 2);
                let own = |place: &Option<Cell>| {
                    place.is_some_and(|cell| board.stone(cell) == Some(side))
                };
                let good = |place: &Option<Cell>| own(place) || (edges && place.is_none());
                stones.iter().all(good) && stones.iter().any(own)
            })
            .collect();
        found.sort_unstable();
        found
    }

    #[test]
    fn connections_are_kept_where_the_definition_says() {
        let geometry = Geometry::of(Shape::regular(4).expect("a size"));
        let mut rng = random::seeded(5);
        let mut kept = [0; 2];
        for _ in 0..2_000 {
            let mut board = Board::new(geometry);
            let mut cells = geometry.cells().to_vec();
            random::shuffle(&mut cells, &mut rng);
            let mut last = cells[0];
            for (index, &cell) in cells.iter().take(12).enumerate() {
                board.place(cell, Side::BOTH[index % 2]);
                last = cell;
            }
            for (off_board, edges) in [(OffBoard::Nothing, false), (OffBoard::OwnStone, true)] {
                let mut found: Vec<Cell> =
                    keeping_cells(&board, last, Side::White, off_board).collect();
                found.sort_unstable();
                assert_eq!(
                    found,
                    keeping_by_definition(&board, last, Side::White, edges)
                );
                kept[usize::from(edges)] += found.len();
            }
        }
        assert!(kept[0] > 100 && kept[1] > 2 * kept[0], "{kept:?}");
    }
}
