//! What the network sees of a position.

use super::super::virtual_connection::{OffBoard, keeping_cells};
use crate::rules::geometry::{CORNERS, EDGES, Rim};
use crate::rules::position::{Move, Position};
use game::Game;

/// Numbers for each cell.
pub const PLANES: usize = 16;

/// What a number is of, in the order of a cell's numbers. Of the two sides the one to move comes first.
enum Plane {
    /// 1 on the board: what lies off it is 0 throughout.
    OnBoard,
    /// 1 for a stone of the side.
    Stone,
    /// Edges that the group of a stone touches, or that the side's stone on an empty cell would be connected to.
    Edges = 3,
    /// Corners, in the same way.
    Corners = 5,
    /// Stones of the group, or of those that the side's stone on an empty cell would join, up to 8.
    Stones = 7,
    OnEdge = 9,
    OnCorner,
    /// 1 for the last stone.
    Last,
    /// 1 where a virtual connection is kept that the last stone intruded upon.
    Keeping,
    /// 1 for an empty cell where the side's stone wins.
    Wins,
    /// The size of the board less [`USUAL_SIZE`].
    Size = 15,
}

/// Which plane is 1 on the board, and which is the size of the board less the usual one.
pub(super) const ON_BOARD: usize = Plane::OnBoard as usize;
pub(super) const SIZE: usize = Plane::Size as usize;
pub(super) const USUAL_SIZE: i16 = 6;

/// The numbers for each cell of a position in which the game is not over, in the order of
/// [`Geometry::cells`](crate::Geometry::cells), as the side to move sees it.
pub fn planes(position: &Position) -> Vec<[i16; PLANES]> {
    let board = position.board();
    let geometry = board.geometry();
    let own = position.to_move();
    let last = match position.last_move() {
        Some(Move::Place(cell)) => Some(cell),
        _ => None,
    };
    let size = geometry.shape().size() as i16 - USUAL_SIZE;
    let of_cell = |&cell| {
        let mut numbers = [0; PLANES];
        let rim = geometry.rim(cell);
        numbers[Plane::OnBoard as usize] = 1;
        numbers[Plane::OnEdge as usize] = (rim & EDGES != 0).into();
        numbers[Plane::OnCorner as usize] = (rim & CORNERS != 0).into();
        numbers[Plane::Last as usize] = (last == Some(cell)).into();
        numbers[Plane::Size as usize] = size;
        if let Some(side) = board.stone(cell) {
            let which = usize::from(side != own);
            tell_group(
                &mut numbers,
                which,
                board.group_size(cell),
                board.group_rim(cell),
            );
            numbers[Plane::Stone as usize + which] = 1;
        } else {
            for (which, side) in [own, !own].into_iter().enumerate() {
                let made = board.would_make(cell, side);
                tell_group(&mut numbers, which, made.stones, made.rim);
                numbers[Plane::Wins as usize + which] = made.wins.into();
            }
        }
        numbers
    };
    let mut planes: Vec<_> = geometry.cells().iter().map(of_cell).collect();
    if let Some(last) = last {
        for cell in keeping_cells(board, last, own, OffBoard::Nothing) {
            if let Ok(place) = geometry.cells().binary_search(&cell) {
                planes[place][Plane::Keeping as usize] = 1;
            }
        }
    }
    planes
}

fn tell_group(numbers: &mut [i16; PLANES], which: usize, stones: u32, rim: Rim) {
    numbers[Plane::Edges as usize + which] = (rim & EDGES).count_ones() as i16;
    numbers[Plane::Corners as usize + which] = (rim & CORNERS).count_ones() as i16;
    numbers[Plane::Stones as usize + which] = stones.min(8) as i16;
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Dialect, Shape};
    use game::Notation;

    /// White has a bridge but for one stone, and is to move.
    #[test]
    fn a_cell_is_seen_from_the_side_to_move() {
        let mut position = Position::new(Shape::regular(3).expect("a size"));
        for text in ["a1", "c2", "a2", "c4"] {
            let mv = position.parse_move(text, Dialect::Grid).expect("a cell");
            position.play(mv);
        }
        let planes = planes(&position);
        let of = |text: &str| {
            let Ok(Move::Place(cell)) = position.parse_move(text, Dialect::Grid) else {
                panic!("a cell")
            };
            let place = position.geometry().cells().binary_search(&cell);
            planes[place.expect("a cell of the board")]
        };
        // A group of two stones, with a corner and an edge, on a board of size 3.
        assert_eq!(of("a1"), [1, 1, 0, 1, 0, 1, 0, 2, 0, 0, 1, 0, 0, 0, 0, -3]);
        // The last stone, Black's.
        assert_eq!(of("c4"), [1, 0, 1, 0, 0, 0, 0, 0, 1, 0, 0, 1, 0, 0, 0, -3]);
        // White wins here, connected to two corners; for Black it is a corner.
        assert_eq!(of("a3"), [1, 0, 0, 1, 0, 2, 1, 2, 0, 0, 1, 0, 0, 1, 0, -3]);
    }
}
