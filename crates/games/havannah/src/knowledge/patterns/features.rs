//! What a move looks like: the features that its probability is computed from.

use super::super::virtual_connection::{OffBoard, keeping_cells};
use crate::rules::geometry::{CORNERS, Cell, DIRECTIONS, EDGES, Geometry};
use crate::rules::position::{Move, Position};
use game::{Game, Side};

/// The cells around a move that its shape is made of.
pub const SHAPE: usize = 18;

/// What is on a cell of a shape: two bits each.
const OWN: u8 = 1;
const OPPONENT: u8 = 2;
const OFF_BOARD: u8 = 3;

/// The number of features beside the shape.
pub const PLAIN: usize = 5;

/// The number of values that each of the plain features has.
const PLAIN_VALUES: [u16; PLAIN] = [3 * 5 * 6, 48, 48, 7, 2];

/// The number of plain features in all; those of a move are below it, and all different.
pub const PLAIN_COUNT: usize = {
    let mut sum = 0;
    let mut kind = 0;
    while kind < PLAIN {
        sum += PLAIN_VALUES[kind] as usize;
        kind += 1;
    }
    sum
};

/// The cells around a move, seen from the side to move: two bits each, first the neighbours, then the
/// cells that share two neighbours with it, then those straight behind the neighbours, each clockwise.
pub type ShapeCode = u64;

/// The bits of a shape's neighbours.
pub const NEAREST: ShapeCode = (1 << 12) - 1;
/// The bits of the neighbours and the cells that share two of them.
pub const NEAR: ShapeCode = (1 << 24) - 1;

/// The twelve codes of a shape that symmetry makes of one.
pub fn symmetric(code: ShapeCode) -> [ShapeCode; 12] {
    let at = |ring: usize, place: usize| code >> (2 * (6 * ring + place % 6)) & 3;
    std::array::from_fn(|symmetry| {
        let turn = symmetry % 6;
        let mut image = 0;
        for place in 0..6 {
            let from = |ring| match (symmetry < 6, ring) {
                (true, _) => at(ring, place + turn),
                // A cell of the middle ring lies between two directions.
                (false, 1) => at(ring, 11 - place + turn),
                (false, _) => at(ring, 12 - place + turn),
            };
            for ring in 0..3 {
                image |= from(ring) << (2 * (6 * ring + place));
            }
        }
        image
    })
}

/// The least of the symmetric codes.
pub fn canonical(code: ShapeCode) -> ShapeCode {
    symmetric(code).into_iter().min().unwrap_or(code)
}

/// Looks at the moves of one position at a time, on boards of one geometry.
#[derive(Clone, Debug)]
pub struct Features {
    geometry: &'static Geometry,
    /// By place of a grid with a margin of two: the state of the cell, seen from the side to move.
    states: Vec<u8>,
    empty: Vec<u8>,
    /// From a place of that grid to those of the shape.
    steps: [isize; SHAPE],
    /// By grid index: the place in the grid with a margin of two.
    places: Vec<usize>,
    /// By grid index: distances to the nearest edge and the nearest corner, as one number.
    rims: Vec<u16>,
    phase: u16,
    last: Option<Cell>,
    keeping: [Option<Cell>; 6],
}

impl Features {
    /// For boards of one geometry.
    pub fn new(geometry: &'static Geometry) -> Features {
        let [a, b, c] = geometry.shape().sides();
        let stride = (a + b + 3) as isize;
        let rows = geometry.shape().rows();
        let mut empty = vec![OFF_BOARD; stride as usize * (rows + 5)];
        let mut places = vec![0; geometry.grid()];
        let mut rims = vec![0; geometry.grid()];
        for &cell in geometry.cells() {
            let (x, y) = geometry.coordinates(cell);
            let place = (y + 2) * stride as usize + x + 2;
            empty[place] = 0;
            places[cell.index()] = place;
            let to_edges = [
                y,
                rows - 1 - y,
                x,
                a + b - 2 - x,
                a - 1 + y - x,
                c - 1 + x - y,
            ];
            let edge = to_edges.into_iter().min().unwrap_or(0).min(4);
            let to_corners = geometry
                .corners()
                .map(|corner| geometry.distance(cell, corner));
            let corner = to_corners.into_iter().min().unwrap_or(0).min(5);
            rims[cell.index()] = (6 * edge + corner) as u16;
        }
        let step = |(dx, dy): (isize, isize)| dx + dy * stride;
        let steps = std::array::from_fn(|place| {
            let [one, next] = [place % 6, (place + 1) % 6].map(|to| step(DIRECTIONS[to]));
            match place / 6 {
                0 => one,
                1 => one + next,
                _ => 2 * one,
            }
        });
        Features {
            geometry,
            states: empty.clone(),
            empty,
            steps,
            places,
            rims,
            phase: 0,
            last: None,
            keeping: [None; 6],
        }
    }

    /// Looks at a position that is not over.
    pub fn prepare(&mut self, position: &Position) {
        let board = position.board();
        let side = position.to_move();
        self.states.clone_from(&self.empty);
        let mut stones = 0;
        for &cell in self.geometry.cells() {
            if let Some(owner) = board.stone(cell) {
                stones += 1;
                let state = if owner == side { OWN } else { OPPONENT };
                self.states[self.places[cell.index()]] = state;
            }
        }
        let cells = self.geometry.cells().len();
        self.phase = u16::from(stones >= 6) + u16::from(3 * stones >= cells);
        self.last = match position.last_move() {
            Some(Move::Place(cell)) => Some(cell),
            Some(Move::Swap) | None => None,
        };
        self.keeping = [None; 6];
        if let Some(last) = self.last {
            let kept = keeping_cells(board, last, side, OffBoard::OwnStone);
            for (known, cell) in self.keeping.iter_mut().zip(kept) {
                *known = Some(cell);
            }
        }
    }

    /// The shape around an empty cell.
    #[inline]
    pub fn shape(&self, cell: Cell) -> ShapeCode {
        let place = self.places[cell.index()];
        let mut code = 0;
        for (index, &step) in self.steps.iter().enumerate() {
            let state = self.states[place.wrapping_add_signed(step)];
            code |= ShapeCode::from(state) << (2 * index);
        }
        code
    }

    /// The other features of a stone of the side to move on an empty cell.
    #[inline]
    pub fn plain(&self, position: &Position, cell: Cell) -> [u16; PLAIN] {
        let side = position.to_move();
        let near = |stone: Option<Cell>| stone.map_or(6, |stone| self.relation(stone, cell));
        let values = [
            self.phase * 30 + self.rims[cell.index()],
            links(position, cell, side),
            links(position, cell, !side),
            near(self.last),
            u16::from(self.keeping.contains(&Some(cell))),
        ];
        let mut first = 0;
        std::array::from_fn(|kind| {
            let feature = first + values[kind];
            first += PLAIN_VALUES[kind];
            feature
        })
    }

    /// How a cell lies from a stone: 0 beside it, 1 with two neighbours in common, 2 straight behind a
    /// neighbour, 3 to 5 by distance.
    #[inline]
    fn relation(&self, stone: Cell, cell: Cell) -> u16 {
        match self.geometry.distance(stone, cell) {
            0 | 1 => 0,
            2 => {
                let (x0, y0) = self.geometry.coordinates(stone);
                let (x1, y1) = self.geometry.coordinates(cell);
                let straight = x0 == x1 || y0 == y1 || x1 + y0 == x0 + y1;
                1 + u16::from(straight)
            }
            3 => 3,
            4 => 4,
            _ => 5,
        }
    }
}

/// What a stone would join: edges, corners, and the size of the group.
#[inline]
fn links(position: &Position, cell: Cell, side: Side) -> u16 {
    let (size, rim) = position.board().would_join(cell, side);
    let edges = (rim & EDGES).count_ones().min(3);
    let corners = (rim & CORNERS).count_ones().min(1);
    let size = match size {
        0 => 0,
        1 => 1,
        2..=3 => 2,
        4..=6 => 3,
        7..=11 => 4,
        _ => 5,
    };
    (12 * edges + 6 * corners + size) as u16
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::geometry::Shape;
    use game::{Symmetric, random};

    fn cell_of(mv: Move) -> Cell {
        match mv {
            Move::Place(cell) => cell,
            Move::Swap => unreachable!("no swap"),
        }
    }

    /// By the definition: from the coordinates of the cells around.
    fn slow_shape(position: &Position, cell: Cell) -> ShapeCode {
        let geometry = position.geometry();
        let (x, y) = geometry.coordinates(cell);
        let state = |dx: isize, dy: isize| {
            let at = geometry.cell_at(
                x.checked_add_signed(dx).unwrap_or(usize::MAX),
                y.checked_add_signed(dy).unwrap_or(usize::MAX),
            );
            match at.map(|at| position.board().stone(at)) {
                None => 3,
                Some(None) => 0,
                Some(Some(side)) if side == position.to_move() => 1,
                Some(Some(_)) => 2,
            }
        };
        let mut code = 0;
        for (place, &(dx, dy)) in DIRECTIONS.iter().enumerate() {
            let (next_x, next_y) = DIRECTIONS[(place + 1) % 6];
            code |= state(dx, dy) << (2 * place);
            code |= state(dx + next_x, dy + next_y) << (2 * (place + 6));
            code |= state(2 * dx, 2 * dy) << (2 * (place + 12));
        }
        code
    }

    #[test]
    fn shapes_are_those_of_the_definition_and_symmetric_moves_look_alike() {
        let mut rng = random::seeded(4);
        for (text, games) in [("3", 30), ("4", 20), ("5", 10), ("2x3x4", 10)] {
            let start = Position::new(text.parse::<Shape>().expect("a shape"));
            let symmetries = start.symmetries();
            for _ in 0..games {
                let mut images = vec![start.clone(); symmetries];
                let mut seen: Vec<Features> = vec![Features::new(start.geometry()); symmetries];
                while let Some(mv) = images[0].random_move(&mut rng) {
                    for (image, features) in images.iter().zip(&mut seen) {
                        features.prepare(image);
                    }
                    let cells = start.geometry().cells().iter().copied();
                    for cell in cells.filter(|&cell| images[0].board().is_empty(cell)) {
                        let shape = seen[0].shape(cell);
                        assert_eq!(shape, slow_shape(&images[0], cell));
                        assert!(symmetric(shape).contains(&shape));
                        for symmetry in 1..symmetries {
                            let place = Move::Place(cell);
                            let image = cell_of(start.transformed_move(symmetry, place));
                            let other = seen[symmetry].shape(image);
                            assert!(symmetric(shape).contains(&other), "{text} {symmetry}");
                            assert_eq!(canonical(other), canonical(shape));
                            for part in [NEAREST, NEAR] {
                                assert_eq!(canonical(other & part), canonical(shape & part));
                            }
                            assert_eq!(
                                seen[symmetry].plain(&images[symmetry], image),
                                seen[0].plain(&images[0], cell)
                            );
                        }
                    }
                    for (symmetry, image) in images.iter_mut().enumerate() {
                        image.play(start.transformed_move(symmetry, mv));
                    }
                }
            }
        }
    }

    #[test]
    fn plain_features_have_numbers_of_their_own() {
        let position = Position::new(Shape::regular(5).expect("a size"));
        let mut features = Features::new(position.geometry());
        features.prepare(&position);
        let mut least = 0;
        let plain = features.plain(&position, position.geometry().cells()[30]);
        for (value, values) in plain.into_iter().zip(PLAIN_VALUES) {
            assert!((least..least + values).contains(&value));
            least += values;
        }
        assert_eq!(usize::from(least), PLAIN_COUNT);
    }
}
