//! A network of one layer, for boards of 8 × 8 cells: what it says is added to what the counts and windows are worth.
//!
//! It sees six sets of cells as they are for the side to move, which for White is the board mirrored from top to
//! bottom: a mirror exchanges the colours of the cells. Each filter looks at the board in the four ways that keep the
//! colours, so that a position is worth the same however it is turned.

use super::jumps::Jumps;
use crate::Direction;
use crate::rules::Bits;
use game::Side;
use std::sync::LazyLock;

/// The cells of the board.
const CELLS: usize = 64;
/// The sets that the network sees.
pub const NETWORK_SETS: usize = 6;
/// What the network may see of a position: each cell of each set. Cell `c` of set `s` is number `64 s + c`.
pub const NETWORK_INPUTS: usize = CELLS * NETWORK_SETS;
/// The filters, each with a weight for each input.
pub const NETWORK_FILTERS: usize = 16;
/// The ways in which a filter looks at the board.
pub const NETWORK_TURNS: usize = 4;
/// How many weights there are: by input those of the filters, then what is added to each filter, then what each
/// counts on an empty board and what on a full one.
pub const NETWORK_WEIGHTS: usize = (NETWORK_INPUTS + 3) * NETWORK_FILTERS;
/// What the weights of the filters are multiplied by to make whole numbers of them.
pub const NETWORK_UNIT: f32 = 256.0;
/// What the weights behind the filters are, in hundredths of a logit.
pub const NETWORK_OUT_UNIT: f32 = 8.0;

/// A neuron for each filter and turn.
const NEURONS: usize = NETWORK_FILTERS * NETWORK_TURNS;
/// A row of weights is looked up for so many cells at once; there is one of zeros for those that are not there.
const AT_ONCE: usize = 4;

static BYTES: &[u8; 2 * NETWORK_WEIGHTS] = include_bytes!("network.bin");

/// The weights that are there.
pub(super) static NETWORK: LazyLock<Network> = LazyLock::new(|| Network::read(BYTES));

/// What the network sees of a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Seen(pub [u64; NETWORK_SETS]);

impl Seen {
    /// Of a board of 8 × 8 cells.
    #[inline(always)]
    pub(super) fn of<const WORDS: usize>(
        stones: Bits<WORDS>,
        jumps: &Jumps<WORDS>,
        to_move: Side,
    ) -> Seen {
        let Jumps {
            jumping: [east, north, west, south],
            movable,
            threatened,
            alone,
            ..
        } = *jumps;
        let later = alone.launching & stones & !movable;
        let captured_later = alone.jumped & stones & !threatened;
        let word = |bits: Bits<WORDS>| bits.words()[0];
        Seen(match to_move {
            Side::Black => [east, north, west, south, later, captured_later].map(word),
            Side::White => [east, south, west, north, later, captured_later]
                .map(|bits| word(bits).swap_bytes()),
        })
    }
}

/// The number of an input on the board turned in one of the [`NETWORK_TURNS`].
pub fn turned_input(turn: usize, input: usize) -> usize {
    let (set, cell) = (input / CELLS, input % CELLS);
    let (row, col) = (cell / 8, cell % 8);
    let (row, col) = match turn {
        0 => (row, col),
        1 => (7 - row, 7 - col),
        2 => (col, row),
        _ => (7 - col, 7 - row),
    };
    let set = match Direction::ALL.get(set) {
        None => set,
        Some(direction) => turned_direction(turn, *direction).index(),
    };
    CELLS * set + 8 * row + col
}

fn turned_direction(turn: usize, direction: Direction) -> Direction {
    use Direction::{East, North, South, West};
    let transposed = match direction {
        East => North,
        North => East,
        West => South,
        South => West,
    };
    match turn {
        0 => direction,
        1 => direction.opposite(),
        2 => transposed,
        _ => transposed.opposite(),
    }
}

/// The network with its weights for each neuron.
#[derive(Debug)]
pub(super) struct Network {
    /// By set and cell; the last row of each set is zeros.
    rows: Box<[[[i16; NEURONS]; CELLS + 1]]>,
    added: [i16; NEURONS],
    /// What a neuron counts on an empty board, and on a full one.
    out: [[i16; NEURONS]; 2],
}

impl Network {
    fn read(bytes: &[u8; 2 * NETWORK_WEIGHTS]) -> Network {
        let weight = |row: usize, filter: usize| {
            let at = 2 * (row * NETWORK_FILTERS + filter);
            i16::from_le_bytes([bytes[at], bytes[at + 1]])
        };
        let neurons = |row: &dyn Fn(usize) -> usize| -> [i16; NEURONS] {
            std::array::from_fn(|neuron| {
                let (turn, filter) = (neuron / NETWORK_FILTERS, neuron % NETWORK_FILTERS);
                weight(row(turn), filter)
            })
        };
        let mut rows = vec![[[0; NEURONS]; CELLS + 1]; NETWORK_SETS].into_boxed_slice();
        for input in 0..NETWORK_INPUTS {
            rows[input / CELLS][input % CELLS] = neurons(&|turn| turned_input(turn, input));
        }
        Network {
            rows,
            added: neurons(&|_| NETWORK_INPUTS),
            out: [1, 2].map(|which| neurons(&|_| NETWORK_INPUTS + which)),
        }
    }

    /// What it adds to the value for the side to move, in hundredths of a logit.
    #[inline(always)]
    pub fn value(&self, Seen(sets): Seen, stones: u32) -> i32 {
        let mut sums = self.added;
        for (&set, rows) in sets.iter().zip(self.rows.iter()) {
            let mut left = set;
            while left != 0 {
                // Some for nothing at the end of a set cost less than to find out how many there are.
                for _ in 0..AT_ONCE {
                    let row = &rows[(left.trailing_zeros() as usize).min(CELLS)];
                    for (sum, weight) in sums.iter_mut().zip(row) {
                        *sum = sum.wrapping_add(*weight);
                    }
                    left &= left.wrapping_sub(1);
                }
            }
        }
        let [empty, full] = self.out.map(|out| {
            let active = sums.iter().map(|sum| i32::from((*sum).max(0)));
            let counted = active
                .zip(out)
                .map(|(active, weight)| active * i32::from(weight));
            counted.sum::<i32>() / CELLS as i32
        });
        let stones = stones as i32;
        let unit = (NETWORK_UNIT * NETWORK_OUT_UNIT) as i32;
        (empty * (CELLS as i32 - stones) + full * stones) / unit
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    /// A sum that wrapped round, or a product too large, would be a wrong value without a word.
    #[test]
    fn no_position_is_too_much_for_its_numbers() {
        for neuron in 0..NEURONS {
            let weights = NETWORK
                .rows
                .iter()
                .flatten()
                .map(|row| i64::from(row[neuron]));
            let (above, below): (Vec<i64>, Vec<i64>) = weights.partition(|&weight| weight > 0);
            let added = i64::from(NETWORK.added[neuron]);
            let most = added + above.iter().sum::<i64>();
            assert!(most < i64::from(i16::MAX));
            assert!(added + below.iter().sum::<i64>() > i64::from(i16::MIN));
            for out in NETWORK.out {
                let counted = most * i64::from(out[neuron]).abs();
                assert!(counted < i64::from(i32::MAX) / NEURONS as i64);
            }
        }
    }

    #[test]
    fn turns_are_the_four_that_keep_the_colours() {
        for turn in 0..NETWORK_TURNS {
            let turned: HashSet<usize> = (0..NETWORK_INPUTS)
                .map(|input| turned_input(turn, input))
                .collect();
            assert_eq!(turned.len(), NETWORK_INPUTS);
            for input in 0..NETWORK_INPUTS {
                let [before, after] = [input, turned_input(turn, input)].map(|input| {
                    let cell = input % CELLS;
                    (cell / 8 + cell % 8) % 2
                });
                assert_eq!(before, after);
                assert_eq!(turned_input(turn, turned_input(turn, input)), input);
            }
        }
    }
}
