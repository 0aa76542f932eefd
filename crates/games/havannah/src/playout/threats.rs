//! Threats, found by walking round a group (Castro thesis, 2012, "Mate-in-one").
//!
//! If a side had no winning cell before its last stone, every winning cell that it has now lies beside
//! the group of that stone. The group has no hole, because a hole would be a ring, so that its outline is
//! one closed line: the walk follows it from the last stone round to where it began.

use crate::rules::board::{Board, Structure};
use crate::rules::geometry::Cell;
use game::Side;

/// The winning cells found: the first two, in the order of the walk.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Threats {
    /// Each with what a stone there completes.
    pub cells: [Option<(Cell, Structure)>; 2],
}

impl Threats {
    /// How many there are: 0, 1, or 2 for two or more.
    pub fn count(self) -> usize {
        self.cells.iter().flatten().count()
    }

    fn contains(self, cell: Cell) -> bool {
        self.cells.iter().flatten().any(|&(known, _)| known == cell)
    }

    /// Whether that is enough.
    fn push(&mut self, cell: Cell, structure: Structure) -> bool {
        match &mut self.cells {
            [first @ None, _] => *first = Some((cell, structure)),
            [_, second] => *second = Some((cell, structure)),
        }
        self.cells[1].is_some()
    }
}

/// The empty cells beside the group of `last`, a stone of `side`, on which another stone of it would win.
/// `counts` tells of each structure found whether it counts as one.
///
/// A group that encloses something, as can be where rings do not count, is walked round on the line on
/// which the first gap beside the stone lies; what is on its other lines is not found.
pub fn beside_group(
    board: &Board,
    last: Cell,
    side: Side,
    mut counts: impl FnMut(Cell, Structure) -> bool,
) -> Threats {
    let mut threats = Threats::default();
    // A group without an edge or corner adds nothing to what others connect, and the last stone of a
    // ring has five others beside it.
    if board.group_size(last) < 5 && board.group_rim(last) == 0 {
        return threats;
    }
    let geometry = board.geometry();
    let own = board.pattern(last, side);
    let Some(first) = (0..6).find(|direction| own >> direction & 1 == 0) else {
        return threats;
    };
    let (mut stone, mut direction) = (last, first);
    let mut looked_at = None;
    loop {
        // Beside the outline: off the board, the opponent's, or empty.
        let beside = geometry.neighbour(stone, direction);
        if let Some(cell) = beside
            && beside != looked_at
            && board.is_empty(cell)
            && !threats.contains(cell)
            && let Some(structure) = board.completes(cell, side)
            && counts(cell, structure)
            && threats.push(cell, structure)
        {
            return threats;
        }
        looked_at = beside;
        direction = (direction + 1) % 6;
        if board.pattern(stone, side) >> direction & 1 == 1 {
            // The outline goes on along the next stone, from which the same place lies in the direction
            // two before the step.
            let Some(next) = geometry.neighbour(stone, direction) else {
                return threats;
            };
            stone = next;
            direction = (direction + 4) % 6;
        }
        if stone == last && direction == first {
            return threats;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::geometry::{Geometry, Shape};
    use game::random;

    /// All cells on which a stone would win, by placing it.
    fn winning(board: &Board, side: Side) -> Vec<(Cell, Structure)> {
        let cells = board.geometry().cells().iter();
        cells
            .filter(|&&cell| board.is_empty(cell))
            .filter_map(|&cell| Some((cell, board.clone().place(cell, side)?)))
            .collect()
    }

    /// In random games: what a stone would complete is what it completes, and what is new after a stone
    /// lies beside its group.
    #[test]
    fn threats_are_what_placing_a_stone_shows() {
        let mut rng = random::seeded(9);
        let mut counts = [0; 3];
        for game in 0..900 {
            let shape = ["3", "4", "5", "3x4x6", "6"][game % 5];
            let geometry = Geometry::of(shape.parse().expect("a shape"));
            let mut board = Board::new(geometry);
            let mut cells = geometry.cells().to_vec();
            random::shuffle(&mut cells, &mut rng);
            let mut before: [Vec<(Cell, Structure)>; 2] = Default::default();
            for (index, &cell) in cells.iter().enumerate() {
                let side = Side::BOTH[index % 2];
                if board.place(cell, side).is_some() {
                    break;
                }
                let now = winning(&board, side);
                for &at in &cells[index + 1..] {
                    let known = now.iter().find(|(cell, _)| *cell == at);
                    assert_eq!(board.completes(at, side), known.map(|&(_, what)| what));
                }
                let mut new = now.clone();
                new.retain(|threat| !before[side.index()].contains(threat));
                // Those that were there before may be found again.
                let found = beside_group(&board, cell, side, |cell, _| {
                    new.iter().any(|&(threat, _)| threat == cell)
                });
                assert_eq!(found.count(), new.len().min(2), "{shape} {new:?} {found:?}");
                for threat in found.cells.iter().flatten() {
                    assert!(new.contains(threat));
                }
                counts[found.count()] += 1;
                before[side.index()] = now;
            }
        }
        assert!(counts[1] > 1_000 && counts[2] > 300, "{counts:?}");
    }

    #[test]
    fn a_lone_stone_threatens_nothing_but_the_next_corner() {
        let geometry = Geometry::of(Shape::regular(2).expect("a size"));
        let mut board = Board::new(geometry);
        let corners = geometry.corners();
        board.place(corners[0], Side::White);
        let found = beside_group(&board, corners[0], Side::White, |_, _| true);
        assert_eq!(found.count(), 2);
        assert_eq!(
            found.cells[0].map(|(_, what)| what),
            Some(Structure::Bridge)
        );
    }
}
