//! The symmetries of a board: twelve on a regular one, four if two sides are equal, else two.
//!
//! Each position keeps a Zobrist hash for every symmetry, and the smallest of them represents it and all
//! positions symmetric to it (notes on solving, "Symmetry and Transpositions").

use super::geometry::{Cell, Geometry, Shape};
use game::{Side, random};

/// The number of symmetries of a regular board, and of the hashes of every position.
const ALL: usize = 12;

/// What each symmetry does to each cell, and the keys of the hashes.
#[derive(Debug)]
pub struct Symmetries {
    /// For each symmetry, by grid index: where the cell is shown.
    shown: Vec<Box<[Cell]>>,
    inverse: Vec<usize>,
    /// By grid index and side: the key of the stone in the hash of each symmetry.
    keys: Box<[[[u64; ALL]; 2]]>,
}

impl Symmetries {
    /// The symmetries of a shape. `at` gives the cell at (x, y).
    pub(super) fn new(shape: Shape, grid: usize, at: impl Fn(usize, usize) -> Cell) -> Symmetries {
        let coordinates = || {
            let row = |y| shape.columns(y).map(move |x| (x, y));
            (0..shape.rows()).flat_map(row)
        };
        let mut shown: Vec<Box<[Cell]>> = Vec::new();
        for number in 0..ALL {
            // Places in the margin are shown where they are.
            let mut table: Box<[Cell]> = (0..grid).map(|index| Cell(index as u16)).collect();
            let fits = coordinates().all(|(x, y)| {
                transformed(shape, number, x, y).is_some_and(|(to_x, to_y)| {
                    table[at(x, y).index()] = at(to_x, to_y);
                    true
                })
            });
            if fits {
                shown.push(table);
            }
        }
        let undoes = |table: &[Cell], other: &[Cell]| {
            coordinates().all(|(x, y)| other[table[at(x, y).index()].index()] == at(x, y))
        };
        let inverse_of = |table: &[Cell]| shown.iter().position(|other| undoes(table, other));
        // The symmetries of a figure form a group: each has an inverse among them.
        let inverse = shown.iter().filter_map(|table| inverse_of(table)).collect();
        let key = |index: usize, side: Side| {
            // A board with fewer symmetries repeats the first, which leaves the smallest hash as it is.
            std::array::from_fn(|number| {
                let table = shown.get(number).unwrap_or(&shown[0]);
                random::mix((table[index].index() * 2 + side.index()) as u64)
            })
        };
        let keys = (0..grid).map(|index| Side::BOTH.map(|side| key(index, side)));
        Symmetries {
            keys: keys.collect(),
            inverse,
            shown,
        }
    }

    /// How many there are.
    pub(super) fn count(&self) -> usize {
        self.shown.len()
    }

    /// Which symmetry undoes another.
    pub(super) fn inverse(&self, symmetry: usize) -> usize {
        self.inverse[symmetry]
    }

    /// Where a symmetry shows a cell.
    pub(super) fn shown(&self, symmetry: usize, cell: Cell) -> Cell {
        self.shown[symmetry][cell.index()]
    }
}

/// Where symmetry `number` of the hexagonal lattice about the middle of the board takes a cell: for
/// numbers from 0 to 5 a turn by as many times 60°, for the others the same after a reflection. `None`
/// if that is not on the board.
fn transformed(shape: Shape, number: usize, x: usize, y: usize) -> Option<(usize, usize)> {
    let [a, b, c] = shape.sides();
    // Twice the distance from the middle, to stay in whole numbers.
    let (middle_x, middle_y) = ((a + b - 2) as isize, (b + c - 2) as isize);
    let mut u = 2 * x as isize - middle_x;
    let mut v = 2 * y as isize - middle_y;
    if number >= 6 {
        (u, v) = (v, u);
    }
    for _ in 0..number % 6 {
        (u, v) = (u - v, u);
    }
    let halved = |twice: isize| (twice % 2 == 0).then(|| usize::try_from(twice / 2).ok())?;
    let (x, y) = (halved(u + middle_x)?, halved(v + middle_y)?);
    shape.contains(x, y).then_some((x, y))
}

/// The Zobrist hash of the stones as each symmetry shows them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Hashes([u64; ALL]);

impl Hashes {
    /// Puts a stone on the board, or takes it away.
    #[inline]
    pub fn toggle(&mut self, geometry: &Geometry, cell: Cell, side: Side) {
        let keys = &geometry.symmetries().keys[cell.index()][side.index()];
        for (hash, key) in self.0.iter_mut().zip(keys) {
            *hash ^= key;
        }
    }

    /// The hash of the stones as they are.
    #[inline]
    pub fn identity(&self) -> u64 {
        self.0[0]
    }

    /// The smallest hash: the same for all symmetric positions.
    pub fn smallest(&self) -> u64 {
        self.0.iter().copied().fold(u64::MAX, u64::min)
    }
}

#[cfg(test)]
mod tests {
    use crate::rules::geometry::{Geometry, Shape};
    use crate::{Move, Position};
    use game::{Game, Symmetric};
    use std::collections::HashSet;

    fn distinct_openings(shape: &str) -> usize {
        let position = Position::new(shape.parse::<Shape>().expect("a shape"));
        let cells = position.geometry().cells().iter();
        let after = |&cell| {
            let mut position = position.clone();
            position.play(Move::Place(cell));
            position.representative_hash()
        };
        cells.map(after).collect::<HashSet<u64>>().len()
    }

    #[test]
    fn size_4_has_six_distinct_openings() {
        assert_eq!(distinct_openings("4"), 6);
        assert_eq!(distinct_openings("2"), 2);
        assert_eq!(distinct_openings("3"), 4);
    }

    #[test]
    fn uneven_boards_have_fewer_symmetries() {
        let count = |shape: &str| {
            Geometry::of(shape.parse().expect("a shape"))
                .symmetries()
                .count()
        };
        assert_eq!(count("5"), 12);
        for two_equal in ["4x4x5", "3x4x4", "4x5x4", "2x7x2"] {
            assert_eq!(count(two_equal), 4, "{two_equal}");
        }
        assert_eq!(count("3x4x5"), 2);
    }
}
