//! Distance to win: how many more stones a fork or a bridge through a cell needs, if the opponent does
//! nothing (Castro thesis, 2012, "Distance to Win").

use crate::rules::board::Board;
use crate::rules::geometry::{Cell, Geometry};
use game::Side;

/// A number of stones that cannot be reached.
const FAR: u8 = 100;

/// The corners and edges, with room to fill a vector register.
const TARGETS: usize = 16;

/// The distances of one place: of lane k, the stones needed to connect it with corner k (0 to 5) or edge
/// k − 6 (6 to 11), its own stone included.
type Lanes = [u8; TARGETS];

/// Computes distances on boards of one shape. Opponents' stones cannot be passed; own stones cost
/// nothing, so that within a group the distance is 0. Rings, virtual connections and paths that share
/// stones are not known.
///
/// The twelve flood fills of a side run side by side, each in a lane of a vector: the board is swept
/// until nothing gets nearer.
#[derive(Clone, Debug)]
pub struct Distances {
    geometry: &'static Geometry,
    /// For each cell its neighbours as grid indices; 0, which is in the margin, for those off the board.
    near: Box<[[u16; 6]]>,
    lanes: Box<[Lanes]>,
}

impl Distances {
    /// For boards of one geometry.
    pub fn new(geometry: &'static Geometry) -> Distances {
        let near = |&cell: &Cell| {
            std::array::from_fn(|direction| {
                let neighbour = geometry.neighbour(cell, direction);
                neighbour.map_or(0, |cell| cell.index() as u16)
            })
        };
        Distances {
            geometry,
            near: geometry.cells().iter().map(near).collect(),
            lanes: vec![[FAR; TARGETS]; geometry.grid()].into(),
        }
    }

    /// Computes the distances of a side to all corners and edges, for [`to_win`](Distances::to_win).
    pub fn compute(&mut self, board: &Board, side: Side) {
        self.lanes.fill([FAR; TARGETS]);
        let mut costs = [0u8; MAX_CELLS];
        let costs = &mut costs[..self.near.len()];
        for (cost, &cell) in costs.iter_mut().zip(self.geometry.cells()) {
            *cost = match board.stone(cell) {
                Some(stone) if stone == side => 0,
                Some(_) => FAR,
                None => 1,
            };
            let rim = self.geometry.rim(cell);
            if *cost < FAR && rim != 0 {
                self.lanes[cell.index()][rim.trailing_zeros() as usize] = *cost;
            }
        }
        loop {
            let mut changed = false;
            for (index, &cost) in costs.iter().enumerate() {
                changed |= self.relax(index, cost);
            }
            for (index, &cost) in costs.iter().enumerate().rev() {
                changed |= self.relax(index, cost);
            }
            if !changed {
                break;
            }
        }
    }

    /// Brings one cell nearer to the targets if its neighbours are nearer.
    #[inline]
    fn relax(&mut self, index: usize, cost: u8) -> bool {
        if cost == FAR {
            return false;
        }
        let mut nearest = [FAR; TARGETS];
        for &neighbour in &self.near[index] {
            let lanes = &self.lanes[usize::from(neighbour)];
            for (nearest, &lane) in nearest.iter_mut().zip(lanes) {
                *nearest = (*nearest).min(lane);
            }
        }
        let lanes = &mut self.lanes[self.geometry.cells()[index].index()];
        let before = *lanes;
        for (lane, nearest) in lanes.iter_mut().zip(nearest) {
            *lane = (*lane).min(nearest + cost);
        }
        *lanes != before
    }

    /// The number of stones, its own included, that a fork or bridge through an empty cell needs of the
    /// side whose distances were computed last: the two nearest corners − 1, or the three nearest edges
    /// − 2, because the cell itself counts once. `None` if there can be none.
    pub fn to_win(&self, cell: Cell) -> Option<u32> {
        let lanes = &self.lanes[cell.index()];
        let (corners, rest) = lanes.split_at(6);
        let [first, second, _] = three_smallest(corners);
        let bridge = u32::from(first) + u32::from(second) - 1;
        let [first, second, third] = three_smallest(&rest[..6]);
        let fork = u32::from(first) + u32::from(second) + u32::from(third) - 2;
        let least = bridge.min(fork);
        (least < u32::from(FAR) - 2).then_some(least)
    }
}

/// Cells of the largest board.
const MAX_CELLS: usize = 1141;

fn three_smallest(numbers: &[u8]) -> [u8; 3] {
    let mut smallest = [u8::MAX; 3];
    for &number in numbers {
        if number < smallest[0] {
            smallest = [number, smallest[0], smallest[1]];
        } else if number < smallest[1] {
            smallest = [smallest[0], number, smallest[1]];
        } else if number < smallest[2] {
            smallest[2] = number;
        }
    }
    smallest
}

/// What a distance is worth on a board of a size: `max(0, 2 · size − distance)`.
#[inline]
pub fn points(distance: Option<u32>, size: usize) -> u32 {
    distance.map_or(0, |distance| (2 * size as u32).saturating_sub(distance))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::geometry::Shape;
    use crate::{Dialect, Move, Position};
    use game::{Game, Notation, random};
    use std::collections::HashMap;

    /// The figure "Distance to a Win" of the Castro thesis (2012): the labels for White, for Black, and
    /// the smaller of the two.
    const WHITE: &str = "2: a2 a3 b5 c6 e7 f7; 3: b1 b2 b4 c5 d6 e6 f6 g6; 4: c3 c4 d5 e5; \
        5: c1 c2 d4 f5 g5; 6: d3 e3 e4 f4";
    const BLACK: &str = "1: e3; 2: c1 c2 d3 f4 g5; 3: e4; 4: b1 b2 c3 d4 f5 g6; 5: a2 a3 b4 e5 f6; \
        6: b5 c4 c5 c6 d5 d6 e6 e7 f7";
    const BOTH: &str = "1: e3; 2: a2 a3 b5 c1 c2 c6 d3 e7 f4 f7 g5; 3: b1 b2 b4 c5 d6 e4 e6 f6 g6; \
        4: c3 c4 d4 d5 e5 f5";

    fn figure() -> Position {
        let mut position = Position::new(Shape::regular(4).expect("a size"));
        for text in "a4 g4 a1 b3 g7 d1 d7 f3 e2 d2".split(' ') {
            let mv = position.parse_move(text, Dialect::Grid).expect("a cell");
            position.play(mv);
        }
        position
    }

    fn labels(position: &Position, map: &str) -> HashMap<Cell, u32> {
        map.split(';')
            .flat_map(|group| {
                let (label, cells) = group.split_once(':').expect("a label");
                let label: u32 = label.trim().parse().expect("a number");
                cells.split_whitespace().map(move |cell| (cell, label))
            })
            .map(
                |(text, label)| match position.parse_move(text, Dialect::Grid) {
                    Ok(Move::Place(cell)) => (cell, label),
                    other => panic!("{other:?}"),
                },
            )
            .collect()
    }

    #[test]
    fn the_distances_are_those_of_the_figure() {
        let position = figure();
        let mut of_sides = Side::BOTH.map(|side| {
            let mut distances = Distances::new(position.geometry());
            distances.compute(position.board(), side);
            distances
        });
        let [white, black] = &mut of_sides;
        let both = |cell| match (white.to_win(cell), black.to_win(cell)) {
            (Some(white), Some(black)) => white.min(black),
            other => panic!("{other:?}"),
        };
        let mut checked = 0;
        for (map, side) in [(WHITE, 0), (BLACK, 1), (BOTH, 2)] {
            let labels = labels(&position, map);
            checked += labels.len();
            for (cell, label) in labels {
                let found = match side {
                    0 => white.to_win(cell).expect("a way"),
                    1 => black.to_win(cell).expect("a way"),
                    _ => both(cell),
                };
                assert_eq!(
                    found,
                    label,
                    "map {side}, {:?}",
                    position.geometry().coordinates(cell)
                );
            }
        }
        assert_eq!(checked, 81);
    }

    /// The distance to one target by relaxing single cells until nothing changes, without lanes.
    fn slow(board: &Board, side: Side, bit: u16) -> HashMap<Cell, u32> {
        let geometry = board.geometry();
        let cost = |cell| match board.stone(cell) {
            None => Some(1),
            Some(stone) => (stone == side).then_some(0),
        };
        let mut known = HashMap::new();
        for &cell in geometry.cells() {
            if geometry.rim(cell) == bit
                && let Some(cost) = cost(cell)
            {
                known.insert(cell, cost);
            }
        }
        loop {
            let before = known.clone();
            for (&from, &distance) in &before {
                for next in geometry.neighbours(from) {
                    if let Some(cost) = cost(next) {
                        let entry = known.entry(next).or_insert(u32::MAX);
                        *entry = (*entry).min(distance + cost);
                    }
                }
            }
            if known == before {
                return known;
            }
        }
    }

    #[test]
    fn twelve_flood_fills_one_after_the_other_give_the_same() {
        let mut rng = random::seeded(3);
        for shape in ["3", "4", "3x4x5"] {
            let geometry = Geometry::of(shape.parse().expect("a shape"));
            let mut distances = Distances::new(geometry);
            for _ in 0..20 {
                let mut board = Board::new(geometry);
                let mut cells = geometry.cells().to_vec();
                random::shuffle(&mut cells, &mut rng);
                let stones = random::below(cells.len() as u32, &mut rng) as usize;
                for (index, &cell) in cells.iter().take(stones).enumerate() {
                    board.place(cell, Side::BOTH[index % 2]);
                }
                for side in Side::BOTH {
                    distances.compute(&board, side);
                    let fills: Vec<_> = (0..12).map(|bit| slow(&board, side, 1 << bit)).collect();
                    for &cell in &cells[stones..] {
                        let to = |range: std::ops::Range<usize>, count| {
                            let mut all: Vec<u32> = fills[range]
                                .iter()
                                .filter_map(|fill| fill.get(&cell).copied())
                                .collect();
                            all.sort_unstable();
                            let enough = all.len() >= count;
                            enough.then(|| all[..count].iter().sum::<u32>() + 1 - count as u32)
                        };
                        let expected = [to(0..6, 2), to(6..12, 3)].into_iter().flatten().min();
                        assert_eq!(distances.to_win(cell), expected);
                    }
                }
            }
        }
    }

    #[test]
    fn near_is_worth_more() {
        assert_eq!(points(Some(1), 4), 7);
        assert_eq!(points(Some(9), 4), 0);
        assert_eq!(points(None, 4), 0);
    }
}
