//! What stones in small windows are worth: the board is covered with all windows of 3 × 4 and 4 × 3 cells,
//! and each of the 4096 ways in which a window can be filled has a weight (Buro, "Improving heuristic
//! mini-max search by supervised learning", 2002). As stones stay on cells of their own colour, a cell is
//! empty or not, and a window is a number of 12 bits.
//!
//! Windows that are equally far from the edges share their weights, and those that a mirror makes of
//! them: the weights are for a window that lies along the rows, with its first cell towards the nearest
//! corner. From two cells on, all distances are one.

use super::features::fullness;
#[cfg(target_arch = "x86_64")]
use super::squares::Squares;
use super::weights::{Part, Weights as Learned};
use crate::Shape;
use crate::rules::Bits;
use game::Side;
use std::collections::HashMap;
use std::sync::LazyLock;

/// The ways to fill a window.
pub(super) const STATES: usize = 1 << 12;
/// Distances from the nearest edge that are told apart: 0, 1, and more.
const DISTANCES: usize = 3;
/// How many weights there are: for both players, whether the first cell is of the colour that is to move.
pub const PATTERN_WEIGHTS: usize = DISTANCES * DISTANCES * 2 * STATES;
/// What a weight of 1 is worth, in hundredths of a logit.
pub const PATTERN_UNIT: i32 = 2;
/// The parts of the board, in 256ths, that are full where the first of the two weights of a window counts alone and
/// where the second does. Between them it is a mixture.
pub const PATTERN_KNOTS: [i32; 2] = [56, 216];

/// The cells of a window along the rows.
const ALONG: usize = 4;
const ACROSS: usize = 3;

/// A weight, and whether it counts for the side to move or for its opponent.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Pattern {
    /// Whether it counts for the opponent.
    pub is_opponents: bool,
    /// Below [`PATTERN_WEIGHTS`].
    pub weight: usize,
}

/// A window of a board.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct Window {
    /// Whether it is along the columns.
    is_upright: bool,
    /// The distances of its first and of its last cell from the edges, along its longer and its shorter
    /// side; from 2 on all are 2.
    distances: [[usize; 2]; 2],
    /// The colour of the cell nearest to a1.
    colour: Side,
}

impl Window {
    pub fn new(shape: [usize; 2], row: usize, col: usize, is_upright: bool) -> Window {
        let [rows, cols] = shape;
        let (height, width) = extent(is_upright);
        let most = DISTANCES - 1;
        let between = |first: usize, length: usize, side: usize| {
            [first.min(most), (side - length - first).min(most)]
        };
        let (vertical, horizontal) = (between(row, height, rows), between(col, width, cols));
        Window {
            is_upright,
            distances: if is_upright {
                [vertical, horizontal]
            } else {
                [horizontal, vertical]
            },
            colour: if (row + col).is_multiple_of(2) {
                Side::Black
            } else {
                Side::White
            },
        }
    }

    /// How the window is turned and mirrored so that it lies as the weights are for, for one of the colours that
    /// may be to move: the turns in [`TURNED`], each with where its weights begin.
    pub fn turns(&self, to_move: Side) -> Vec<(usize, usize)> {
        let mirrors = |[first, last]: [usize; 2]| match first.cmp(&last) {
            std::cmp::Ordering::Less => &[false][..],
            std::cmp::Ordering::Equal => &[false, true],
            std::cmp::Ordering::Greater => &[true],
        };
        let [along, across] = self.distances;
        let class = along[0].min(along[1]) * DISTANCES + across[0].min(across[1]);
        let mut turns = Vec::new();
        for &along in mirrors(along) {
            for &across in mirrors(across) {
                let turn =
                    4 * usize::from(self.is_upright) + 2 * usize::from(along) + usize::from(across);
                // A mirror along four cells makes the first cell one of the other colour.
                let is_opponents = (self.colour == to_move) == along;
                turns.push((
                    turn * STATES,
                    (2 * class + usize::from(is_opponents)) * STATES,
                ));
            }
        }
        turns
    }
}

impl Pattern {
    /// The pattern of a window that is turned in one of these ways.
    #[inline]
    pub(super) fn of(turns: &[(usize, usize)], turned: &[u16], stones: usize) -> Pattern {
        let weights = turns
            .iter()
            .map(|&(turn, begin)| begin + usize::from(turned[turn + stones]));
        // Of several that are equally near to a corner, always the same.
        let weight = weights.min().unwrap_or(0);
        Pattern {
            is_opponents: weight / STATES % 2 == 1,
            weight,
        }
    }
}

/// The stones of a window laid along the rows and mirrored: for windows along the rows and upright ones,
/// mirrored along the longer side or not, and across it or not.
pub(super) static TURNED: LazyLock<Vec<u16>> = LazyLock::new(|| {
    let mut turned = Vec::with_capacity(8 * STATES);
    for turn in 0..8 {
        let begin = turned.len();
        turned.push(0);
        for stones in 1..STATES {
            // The stone with the lowest number is added to the others, which are there already.
            let here = stones.trailing_zeros() as usize;
            let others: u16 = turned[begin + (stones & (stones - 1))];
            turned.push(others | 1 << turned_cell(turn, here));
        }
    }
    turned
});

/// The place of a cell of a window that is laid along the rows and mirrored.
fn turned_cell(turn: usize, cell: usize) -> usize {
    let (mut along, mut across) = if turn & 4 != 0 {
        (cell / ACROSS, cell % ACROSS)
    } else {
        (cell % ALONG, cell / ALONG)
    };
    if turn & 2 != 0 {
        along = ALONG - 1 - along;
    }
    if turn & 1 != 0 {
        across = ACROSS - 1 - across;
    }
    ALONG * across + along
}

/// The windows of a board with their weights.
#[derive(Debug)]
pub(super) struct Patterns {
    shape: Shape,
    /// For the windows along the rows, then for those along the columns, row by row: where their weights
    /// begin in `weights`, for each side to move by [`Side::index`].
    offsets: [Vec<u32>; 2],
    weights: Box<[Weights]>,
    /// If the board has at most 8 rows and 8 columns, and windows are on it.
    #[cfg(target_arch = "x86_64")]
    squares: Option<Squares>,
}

/// What a window is worth at the two [`PATTERN_KNOTS`].
pub(super) type Weights = [i8; 2];

/// Weights that were added up.
#[derive(Clone, Copy, Default)]
pub(super) struct Sums(pub [i32; 2]);

impl Sums {
    #[inline(always)]
    pub fn add(self, [empty, full]: Weights) -> Sums {
        let Sums([empty_sum, full_sum]) = self;
        Sums([empty_sum + i32::from(empty), full_sum + i32::from(full)])
    }

    /// What they are worth with so many stones on so many cells, in hundredths of a logit.
    #[inline(always)]
    pub fn worth(self, stones: u32, cells: u32) -> i32 {
        let Sums([empty, full]) = self;
        let [first, last] = PATTERN_KNOTS;
        let past = (fullness(stones, cells) - first).clamp(0, last - first);
        (empty * (last - first - past) + full * past) * PATTERN_UNIT / (last - first)
    }
}

impl Patterns {
    pub fn new(shape: Shape, learned: &Learned) -> Patterns {
        let of_patterns = learned.part(Part::Windows);
        let size = size(shape);
        let turned = &TURNED[..];
        let mut known = HashMap::new();
        let mut weights = Vec::new();
        let offsets: [Vec<u32>; 2] = [false, true].map(|is_upright| {
            let windows = windows(size, is_upright);
            let offset = |(row, col)| {
                let window = Window::new(size, row, col, is_upright);
                *known.entry(window).or_insert_with(|| {
                    let begin = weights.len() as u32;
                    for side in Side::BOTH {
                        let turns = window.turns(side);
                        let weight =
                            |stones| weights_of(Pattern::of(&turns, turned, stones), of_patterns);
                        weights.extend((0..STATES).map(weight));
                    }
                    begin
                })
            };
            windows.map(offset).collect()
        });
        Patterns {
            shape,
            offsets,
            weights: weights.into(),
            #[cfg(target_arch = "x86_64")]
            squares: Squares::new(shape, of_patterns),
        }
    }

    /// What finds the same as [`value`](Patterns::value) by bit instructions, if the board has a place for it.
    #[cfg(target_arch = "x86_64")]
    pub fn squares(&self) -> Option<&Squares> {
        self.squares.as_ref()
    }

    /// What the windows are worth to the side to move, in hundredths of a logit. `extract` puts those bits of its first
    /// argument together that its second one has.
    #[inline(always)]
    pub fn value<const WORDS: usize>(
        &self,
        stones: Bits<WORDS>,
        to_move: Side,
        extract: impl Fn(u64, u64) -> u64,
    ) -> i32 {
        let weights = &self.weights[STATES * to_move.index()..];
        let mut sums = Sums::default();
        visit_windows(
            self.shape,
            &self.offsets,
            stones,
            extract,
            |offset, state| {
                sums = sums.add(weights[offset as usize + state]);
            },
        );
        sums.worth(stones.count(), self.shape.area() as u32)
    }
}

/// The bits of a window along the rows and of an upright one, in rows of [`ROW`] bits.
const MASKS: [u64; 2] = [0x000f_000f_000f, 0x0007_0007_0007_0007];
/// Rows of so many cells are put together.
const ROW: usize = 16;

/// Puts the bits of one of the [`MASKS`] together without an instruction for it.
#[inline(always)]
pub(super) fn extract_plainly(bits: u64, mask: u64) -> u64 {
    let width = mask.trailing_ones();
    (0..4).fold(0, |together, row| {
        let cells = (bits & mask) >> (row * ROW as u32) & ((1 << width) - 1);
        together | cells << (row * width)
    })
}

/// The size of a board as windows see it, at least 4 × 4: what it lacks is filled with stones.
fn size(shape: Shape) -> [usize; 2] {
    [shape.rows(), shape.cols()].map(|side| side.max(ALONG))
}

/// Calls `visit` with what there is for each window and with its stones.
#[inline(always)]
fn visit_windows<const WORDS: usize, T: Copy>(
    shape: Shape,
    [along, upright]: &[Vec<T>; 2],
    stones: Bits<WORDS>,
    extract: impl Fn(u64, u64) -> u64,
    mut visit: impl FnMut(T, usize),
) {
    let [height, width] = size(shape);
    let mut rows = [u32::MAX; Shape::MAX_SIDE];
    for (row, bits) in rows.iter_mut().take(shape.rows()).enumerate() {
        let cols = shape.cols();
        *bits = stones.slice(row * cols, cols) | u32::MAX << cols;
    }
    if width <= ROW {
        let row = |row: usize| u64::from(rows[row]) & ((1 << ROW) - 1);
        // The last of them at the top.
        let mut together = row(0) << (2 * ROW) | row(1) << (3 * ROW);
        let mut of_along = along.chunks_exact(width + 1 - ALONG);
        let mut of_upright = upright.chunks_exact(width + 1 - ACROSS);
        for next in 2..height {
            together = together >> ROW | row(next) << (3 * ROW);
            for (col, &window) in of_along.next().into_iter().flatten().enumerate() {
                let state = extract(together >> (ROW + col), MASKS[0]) as usize;
                visit(window, state % STATES);
            }
            if next >= 3 {
                for (col, &window) in of_upright.next().into_iter().flatten().enumerate() {
                    let state = extract(together >> col, MASKS[1]) as usize;
                    visit(window, state % STATES);
                }
            }
        }
        return;
    }
    let places = width + 1 - ALONG;
    for (rows, offsets) in rows[..height].windows(3).zip(along.chunks_exact(places)) {
        for (col, &offset) in offsets.iter().enumerate() {
            let cells = |row: u32| (row >> col & 0xf) as usize;
            visit(
                offset,
                cells(rows[0]) | cells(rows[1]) << 4 | cells(rows[2]) << 8,
            );
        }
    }
    let places = width + 1 - ACROSS;
    for (rows, offsets) in rows[..height].windows(4).zip(upright.chunks_exact(places)) {
        for (col, &offset) in offsets.iter().enumerate() {
            let cells = |row: u32| (row >> col & 7) as usize;
            visit(
                offset,
                cells(rows[0]) | cells(rows[1]) << 3 | cells(rows[2]) << 6 | cells(rows[3]) << 9,
            );
        }
    }
}

/// The windows of a board, for learning: which weights count in a position.
#[derive(Debug)]
pub(super) struct Windows {
    shape: Shape,
    /// How each window is turned, by [`Side::index`] of the side to move.
    turns: [Vec<Vec<(usize, usize)>>; 2],
    /// The numbers of the windows, first of those along the rows.
    numbers: [Vec<usize>; 2],
}

impl Windows {
    pub fn new(shape: Shape) -> Windows {
        let size = size(shape);
        let all = [false, true].map(|is_upright| -> Vec<Window> {
            let window = |(row, col)| Window::new(size, row, col, is_upright);
            windows(size, is_upright).map(window).collect()
        });
        let [along, upright] = [all[0].len(), all[1].len()];
        let turns = |side| all.iter().flatten().map(move |window| window.turns(side));
        Windows {
            shape,
            turns: Side::BOTH.map(|side| turns(side).collect()),
            numbers: [(0..along).collect(), (along..along + upright).collect()],
        }
    }

    /// The weights that count in a position.
    pub fn patterns<const WORDS: usize>(&self, stones: Bits<WORDS>, to_move: Side) -> Vec<Pattern> {
        let turns = &self.turns[to_move.index()];
        let mut patterns = Vec::with_capacity(turns.len());
        visit_windows(
            self.shape,
            &self.numbers,
            stones,
            extract_plainly,
            |number, state| {
                patterns.push(Pattern::of(&turns[number], &TURNED, state));
            },
        );
        patterns
    }
}

/// How much the two weights of a pattern count on a board with this fullness in 256ths, of 1.
pub(super) fn parts(fullness: i32) -> [f32; 2] {
    let [first, last] = PATTERN_KNOTS;
    let past = (fullness - first).clamp(0, last - first) as f32 / (last - first) as f32;
    [1.0 - past, past]
}

/// The rows and the columns of a window.
pub(super) fn extent(is_upright: bool) -> (usize, usize) {
    if is_upright {
        (ALONG, ACROSS)
    } else {
        (ACROSS, ALONG)
    }
}

/// The first row and column of each window, row by row.
pub(super) fn windows(
    [rows, cols]: [usize; 2],
    is_upright: bool,
) -> impl Iterator<Item = (usize, usize)> {
    let (height, width) = extent(is_upright);
    (0..=rows - height).flat_map(move |row| (0..=cols - width).map(move |col| (row, col)))
}

/// The weights from the point of view of the side to move, given those of all patterns.
pub(super) fn weights_of(pattern: Pattern, of_patterns: &[i16]) -> Weights {
    let first = 2 * pattern.weight;
    // They are no larger.
    let weights = [of_patterns[first], of_patterns[first + 1]].map(|weight| weight as i8);
    if pattern.is_opponents {
        weights.map(|weight| -weight)
    } else {
        weights
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// On boards with rows that are put together, and on wider ones.
    #[test]
    fn every_window_has_its_cells() {
        for (rows, cols) in [
            (1, 3),
            (4, 4),
            (8, 8),
            (12, 12),
            (9, 16),
            (10, 17),
            (20, 20),
        ] {
            let shape = Shape::new(rows, cols).expect("a shape");
            let Windows { numbers, .. } = Windows::new(shape);
            let stones: Bits<7> = (0..shape.area())
                .filter(|&cell| game::random::mix(cell as u64).is_multiple_of(2))
                .collect();
            let places: Vec<_> = [false, true]
                .into_iter()
                .flat_map(|is_upright| {
                    windows(size(shape), is_upright).map(move |place| (is_upright, place))
                })
                .collect();
            let mut seen = vec![0; places.len()];
            visit_windows(shape, &numbers, stones, extract_plainly, |number, state| {
                seen[number] += 1;
                let (is_upright, (row, col)) = places[number];
                let (height, width) = extent(is_upright);
                for at in 0..height * width {
                    let (row, col) = (row + at / width, col + at % width);
                    let is_filled = row >= rows || col >= cols || stones.has(row * cols + col);
                    assert_eq!(state >> at & 1 == 1, is_filled, "{shape} {number} {at}");
                }
            });
            assert!(seen.iter().all(|&times| times == 1), "{shape}");
        }
    }
}
