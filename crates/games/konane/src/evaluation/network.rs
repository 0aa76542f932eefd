//! A network of one hidden layer that sees what stones can do on the whole board, on boards of any size.
//!
//! Its inputs are sets of cells ([`Seen`]). A filter has a weight for each set, the side whose stone it is, and the place
//! of the cell as seen from a corner: the four rows and columns next to each edge are told apart, those between them are
//! one. Each filter looks at the board from two corners, along either edge ([`views`]): these are its neurons.

use super::jumps::Jumps;
use super::weights::{Part, Weights};
use crate::rules::Bits;
use crate::{Cell, Direction, Shape};
use game::Side;

/// The sets that the network sees.
pub(super) const SETS: usize = 6;
/// How many rows, and how many columns, are told apart.
const PLACES: usize = 2 * NEAR + 1;
/// So many next to an edge are.
const NEAR: usize = 4;
/// What the network may see of a position: for the side to move and for its opponent, for each set, each place.
pub const ROWS: usize = 2 * SETS * PLACES * PLACES;
/// The filters, each with a weight for each input.
pub const FILTERS: usize = 16;
/// The ways in which a filter looks at the board.
pub const VIEWS: usize = 4;
/// A neuron for each filter and view.
const NEURONS: usize = FILTERS * VIEWS;
/// A row of weights is looked up for so many cells at once; there is one of zeros for those that are not there.
const AT_ONCE: usize = 4;

/// The weights of what is seen of the cells of one word: the last row is zeros, for what `trailing_zeros` says of none.
type WordRows = [[i16; NEURONS]; WORD_ROWS];
const WORD_ROWS: usize = u64::BITS as usize + 1;

/// How weights of filters become whole numbers.
pub(super) struct Filters;

impl Filters {
    /// What a logit is.
    pub const UNIT: i32 = 256;
    /// The largest weight.
    pub const LARGEST: i32 = 2047;
    /// More than this a neuron never says.
    pub const CEILING: i32 = 4095;
    /// What a hundredth of a logit is behind the filters.
    pub const OUT_UNIT: i32 = 8;
    /// The largest weight behind the filters: with it no sum is too large.
    pub const LARGEST_OUT: i32 = 4095;
}

const _: () = assert!(
    Filters::CEILING as i64 * Filters::LARGEST_OUT as i64 * NEURONS as i64 <= i32::MAX as i64
);

/// More than this a neuron never says, in logits.
pub const CEILING: f32 = Filters::CEILING as f32 / Filters::UNIT as f32;

/// What the network sees of a position: the stones that can jump east, north, west and south; the others that could ever
/// jump if the other side never moved; and those that could ever be captured so, but not now.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Seen<const WORDS: usize>(pub [Bits<WORDS>; SETS]);

impl<const WORDS: usize> Seen<WORDS> {
    #[inline(always)]
    pub fn of(stones: Bits<WORDS>, jumps: &Jumps<WORDS>) -> Self {
        let [east, north, west, south] = jumps.jumping;
        let later = jumps.alone.launching & stones & !jumps.movable;
        let captured_later = jumps.alone.jumped & stones & !jumps.threatened;
        Seen([east, north, west, south, later, captured_later])
    }
}

/// A way to look at the board.
#[derive(Clone, Copy, Debug)]
struct View {
    /// Whether the corner is in the last row, and whether in the last column.
    from_last: [bool; 2],
    /// Whether columns are taken for rows.
    is_turned: bool,
}

impl View {
    /// A row and a column, or a step in their directions, seen so.
    fn turn([row, col]: [i32; 2], is_turned: bool) -> [i32; 2] {
        if is_turned { [col, row] } else { [row, col] }
    }

    /// The place of a cell.
    fn place(self, shape: Shape, cell: Cell) -> usize {
        let seen = |at: usize, side: usize, from_last: bool| {
            let (near, far) = if from_last {
                (side - 1 - at, at)
            } else {
                (at, side - 1 - at)
            };
            if near < NEAR && near <= far {
                near as i32
            } else if far < NEAR {
                (PLACES - 1 - far) as i32
            } else {
                NEAR as i32
            }
        };
        let [last_row, last_col] = self.from_last;
        let row = seen(cell.row(), shape.rows(), last_row);
        let col = seen(cell.col(), shape.cols(), last_col);
        let [row, col] = View::turn([row, col], self.is_turned);
        PLACES * row as usize + col as usize
    }

    /// The set as which one is seen.
    fn set(self, set: usize) -> usize {
        let step = |direction| match direction {
            Direction::East => [0, 1],
            Direction::North => [1, 0],
            Direction::West => [0, -1],
            Direction::South => [-1, 0],
        };
        let Some(&direction) = Direction::ALL.get(set) else {
            return set;
        };
        let [rows, cols] = step(direction);
        let mirrored = |by: i32, from_last: bool| if from_last { -by } else { by };
        let [last_row, last_col] = self.from_last;
        let seen = View::turn(
            [mirrored(rows, last_row), mirrored(cols, last_col)],
            self.is_turned,
        );
        let found = Direction::ALL
            .iter()
            .find(|&&direction| step(direction) == seen);
        found.map_or(set, |direction| direction.index())
    }
}

/// How a side looks at a board: from the two corners with cells of its colour, or from two opposite ones where all corners
/// are of one colour.
fn views(shape: Shape, side: Side) -> [View; VIEWS] {
    let (rows, cols) = (shape.rows(), shape.cols());
    let corners = [[false, false], [true, true], [false, true], [true, false]];
    let is_own = |&[last_row, last_col]: &[bool; 2]| {
        let at = |is_last: bool, side: usize| if is_last { side - 1 } else { 0 };
        let cell = Cell::new(at(last_col, cols), at(last_row, rows));
        cell.is_some_and(|cell| cell.colour() == side)
    };
    let own: Vec<[bool; 2]> = corners.into_iter().filter(is_own).collect();
    let two = match own[..] {
        [one, other] => [one, other],
        _ => [corners[0], corners[1]],
    };
    std::array::from_fn(|view| View {
        from_last: two[view / 2],
        is_turned: view % 2 == 1,
    })
}

/// The rows of the weights that count for a side to move, for each set and then each cell, in each view.
pub(super) fn rows(shape: Shape, to_move: Side) -> Vec<[u16; VIEWS]> {
    let views = views(shape, to_move);
    let sets = (0..SETS).flat_map(|set| shape.cells().map(move |cell| (set, cell)));
    sets.map(|(set, cell)| {
        let is_opponents = usize::from(cell.colour() != to_move);
        views.map(|view| {
            let set = SETS * is_opponents + view.set(set);
            (PLACES * PLACES * set + view.place(shape, cell)) as u16
        })
    })
    .collect()
}

/// The network for boards of one shape.
#[derive(Debug)]
pub(super) struct Network {
    /// The words of a set of the board's cells.
    words: usize,
    /// By side to move, set and word.
    rows: [Box<[WordRows]>; 2],
    added: [i16; NEURONS],
    /// What a neuron counts on an empty board, and on a full one.
    out: [[i16; NEURONS]; 2],
    /// Whether all sums are small enough for 16 bits.
    is_narrow: bool,
}

impl Network {
    pub fn new(shape: Shape, weights: &Weights) -> Network {
        let cells = shape.area();
        let words = cells.div_ceil(64);
        let of_filters = weights.part(Part::Rows).as_chunks::<FILTERS>().0;
        let repeated = |filters: &[i16]| std::array::from_fn(|neuron| filters[neuron % FILTERS]);
        let rows = Side::BOTH.map(|side| {
            let numbers = rows(shape, side);
            let mut expanded = vec![[[0; NEURONS]; WORD_ROWS]; SETS * words].into_boxed_slice();
            for (set, of_set) in numbers.chunks(cells).enumerate() {
                for (cell, rows) in of_set.iter().enumerate() {
                    expanded[words * set + cell / 64][cell % 64] = std::array::from_fn(|neuron| {
                        let row = rows[neuron / FILTERS];
                        of_filters[usize::from(row)][neuron % FILTERS]
                    });
                }
            }
            expanded
        });
        let (out, _) = weights.part(Part::Out).as_chunks::<FILTERS>();
        let mut network = Network {
            words,
            rows,
            added: repeated(weights.part(Part::Added)),
            out: [repeated(&out[0]), repeated(&out[1])],
            is_narrow: false,
        };
        network.is_narrow = network.fits_16_bits(cells);
        network
    }

    /// Whether no position makes a sum that needs more than 16 bits. A stone that can jump is not among those that can
    /// jump later.
    fn fits_16_bits(&self, cells: usize) -> bool {
        let fits = |rows: &[WordRows], neuron: usize, sign: i32| {
            let weight = |set: usize, cell: usize| {
                let rows = &rows[self.words * set + cell / 64];
                let weight = i32::from(rows[cell % 64][neuron]);
                (sign * weight).max(0)
            };
            let of_cell = |cell: usize| {
                let jumping: i32 = (0..4).map(|set| weight(set, cell)).sum();
                jumping.max(weight(4, cell)) + weight(5, cell)
            };
            let most: i32 = (0..cells).map(of_cell).sum();
            most + sign * i32::from(self.added[neuron]) < i32::from(i16::MAX)
        };
        self.rows.iter().all(|rows| {
            let fits = |neuron| fits(rows, neuron, 1) && fits(rows, neuron, -1);
            (0..NEURONS).all(fits)
        })
    }

    /// What it adds to the value for the side to move, in hundredths of a logit, on a board with this fullness in 256ths.
    #[inline(always)]
    pub fn value<const WORDS: usize>(
        &self,
        seen: &Seen<WORDS>,
        to_move: Side,
        fullness: i32,
    ) -> i32 {
        let rows = &*self.rows[to_move.index()];
        let active: [i32; NEURONS] = if self.is_narrow {
            let mut sums = self.added;
            self.for_each_row(rows, seen, |row| {
                for (sum, weight) in sums.iter_mut().zip(row) {
                    *sum = sum.wrapping_add(*weight);
                }
            });
            sums.map(|sum| i32::from(sum.clamp(0, Filters::CEILING as i16)))
        } else {
            let mut sums = self.added.map(i32::from);
            self.for_each_row(rows, seen, |row| {
                for (sum, weight) in sums.iter_mut().zip(row) {
                    *sum += i32::from(*weight);
                }
            });
            sums.map(|sum| sum.clamp(0, Filters::CEILING))
        };
        let [empty, full] = self.out.map(|out| {
            let counted = active.iter().zip(out);
            let counted = counted.map(|(active, weight)| active * i32::from(weight));
            i64::from(counted.sum::<i32>())
        });
        let fullness = i64::from(fullness);
        let unit = 256 * i64::from(Filters::UNIT * Filters::OUT_UNIT);
        ((empty * (256 - fullness) + full * fullness) / unit) as i32
    }

    #[inline(always)]
    fn for_each_row<const WORDS: usize>(
        &self,
        rows: &[WordRows],
        Seen(sets): &Seen<WORDS>,
        mut visit: impl FnMut(&[i16; NEURONS]),
    ) {
        for (set, rows) in sets.iter().zip(rows.chunks_exact(self.words)) {
            for (mut left, rows) in set.words().into_iter().zip(rows) {
                while left != 0 {
                    // Some for nothing at the end of a set cost less than to find out how many there are.
                    for _ in 0..AT_ONCE {
                        visit(&rows[left.trailing_zeros() as usize]);
                        left &= left.wrapping_sub(1);
                    }
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    fn shape(rows: usize, cols: usize) -> Shape {
        Shape::new(rows, cols).expect("a shape")
    }

    /// On 8 × 8 cells no two inputs of a view are one, and each side sees its own corner first.
    #[test]
    fn all_cells_of_small_boards_are_told_apart() {
        for size in 1..=8 {
            let shape = shape(size, size);
            for side in Side::BOTH {
                let rows = rows(shape, side);
                for view in 0..VIEWS {
                    let seen: HashSet<u16> = rows.iter().map(|rows| rows[view]).collect();
                    assert_eq!(seen.len(), SETS * shape.area(), "size {size}");
                    assert!(seen.iter().all(|&row| usize::from(row) < ROWS));
                }
            }
        }
    }

    /// What is next to an edge on one board is so on another, and what is between is the same everywhere.
    #[test]
    fn places_are_relative_to_the_edges() {
        let place = |rows, cols, row, col| {
            let view = views(shape(rows, cols), Side::Black)[0];
            view.place(shape(rows, cols), Cell::new(col, row).expect("a cell"))
        };
        assert_eq!(place(8, 8, 1, 7), place(12, 20, 1, 19));
        assert_eq!(place(12, 12, 4, 7), place(20, 20, 9, 11));
        assert_eq!(place(3, 3, 2, 2), place(20, 20, 19, 19));
        assert_ne!(place(8, 8, 3, 0), place(8, 8, 4, 0));
    }

    /// A view from the opposite corner sees a jump to the east as one to the west, and one along the other edge as one to
    /// the north.
    #[test]
    fn directions_turn_with_the_view() {
        let view = |from_last, is_turned| View {
            from_last,
            is_turned,
        };
        let seen = |view: View| [0, 1, 2, 3, 4, 5].map(|set| view.set(set));
        assert_eq!(seen(view([false, false], false)), [0, 1, 2, 3, 4, 5]);
        assert_eq!(seen(view([true, true], false)), [2, 3, 0, 1, 4, 5]);
        assert_eq!(seen(view([false, false], true)), [1, 0, 3, 2, 4, 5]);
        assert_eq!(seen(view([false, true], false)), [2, 1, 0, 3, 4, 5]);
    }

    /// The same weights with sums of 16 and of 32 bits.
    #[test]
    fn narrow_and_wide_sums_are_equal() {
        let mut numbers = vec![0; super::super::NUMBERS].into_boxed_slice();
        let mut next = 1_u64;
        for number in &mut numbers[Part::Rows.range().start..] {
            next = game::random::mix(next);
            *number = (next % 61) as i16 - 30;
        }
        let weights = Weights::new(numbers).expect("weights");
        for size in [6, 8, 12] {
            let shape = shape(size, size);
            let narrow = Network::new(shape, &weights);
            assert!(narrow.is_narrow);
            let wide = Network {
                is_narrow: false,
                ..Network::new(shape, &weights)
            };
            let mut values = HashSet::new();
            for number in 0..50_u64 {
                let set = |set: u64| {
                    let is_there = |&cell: &usize| {
                        game::random::mix(number << 32 | set << 16 | cell as u64).is_multiple_of(3)
                    };
                    (0..shape.area()).filter(is_there).collect()
                };
                let seen: Seen<7> = Seen([0, 1, 2, 3, 4, 5].map(set));
                let side = Side::BOTH[number as usize % 2];
                let value = narrow.value(&seen, side, 3 * number as i32);
                assert_eq!(wide.value(&seen, side, 3 * number as i32), value);
                values.insert(value);
            }
            assert!(values.len() > 10, "{values:?}");
        }
    }

    /// Weights as large as they may be are too much for 16 bits, and not for 32.
    #[test]
    fn the_largest_weights_are_added_in_32_bits() {
        let mut numbers = vec![0; super::super::NUMBERS].into_boxed_slice();
        numbers[Part::Rows.range()].fill(Filters::LARGEST as i16);
        numbers[Part::Out.range()].fill(-Filters::LARGEST_OUT as i16);
        let weights = Weights::new(numbers).expect("weights");
        let network = Network::new(shape(20, 20), &weights);
        assert!(!network.is_narrow);
        let all: Seen<7> = Seen([(0..400).collect(); SETS]);
        let most = Filters::CEILING * Filters::LARGEST_OUT * NEURONS as i32;
        let expected = -most / (Filters::UNIT * Filters::OUT_UNIT);
        assert_eq!(network.value(&all, Side::Black, 128), expected);
    }
}
