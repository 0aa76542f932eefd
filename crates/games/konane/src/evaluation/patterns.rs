//! What stones in small windows are worth: the board is covered with all windows of 3 × 4 and 4 × 3 cells,
//! and each of the 4096 ways in which a window can be filled has a weight (Buro, "Improving heuristic
//! mini-max search by supervised learning", 2002). As stones stay on cells of their own colour, a cell is
//! empty or not, and a window is a number of 12 bits.
//!
//! Windows that are equally far from the edges share their weights, and those that a mirror makes of
//! them: the weights are for a window that lies along the rows, with its first cell towards the nearest
//! corner. From two cells on, all distances are one.

use super::squares::Squares;
use crate::Shape;
use crate::rules::Bits;
use game::Side;
use std::collections::HashMap;
use std::sync::{Arc, LazyLock};

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
#[derive(Clone, Debug)]
pub(super) struct Patterns {
    /// The size of the board, at least 4 × 4: what it lacks is filled with stones.
    size: [usize; 2],
    shape: Shape,
    /// For the windows along the rows, then for those along the columns, row by row: where their weights
    /// begin in `weights`, for each side to move by [`Side::index`].
    offsets: [Vec<u32>; 2],
    weights: Arc<[Weights]>,
    /// If the board has at most 8 rows and 8 columns, and windows are on it.
    squares: Option<Squares>,
}

/// What a window is worth at the two [`PATTERN_KNOTS`].
pub(super) type Weights = [i8; 2];

static WEIGHTS: &[u8; 2 * PATTERN_WEIGHTS] = include_bytes!("patterns.bin");

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
        let fullness = (256 * stones / cells) as i32;
        let past = (fullness - first).clamp(0, last - first);
        (empty * (last - first - past) + full * past) * PATTERN_UNIT / (last - first)
    }
}

impl Patterns {
    pub fn new(shape: Shape) -> Patterns {
        let size = [shape.rows(), shape.cols()].map(|side| side.max(ALONG));
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
                        let weight = |stones| weights_of(Pattern::of(&turns, turned, stones));
                        weights.extend((0..STATES).map(weight));
                    }
                    begin
                })
            };
            windows.map(offset).collect()
        });
        Patterns {
            size,
            shape,
            offsets,
            weights: weights.into(),
            squares: Squares::new(shape),
        }
    }

    /// What finds the same as [`value`](Patterns::value) by bit instructions, if the board has a place for it.
    pub fn squares(&self) -> Option<&Squares> {
        self.squares.as_ref()
    }

    /// What the windows are worth to the side to move, in hundredths of a logit.
    #[inline]
    pub fn value<const WORDS: usize>(&self, stones: Bits<WORDS>, to_move: Side) -> i32 {
        let weights = &self.weights[STATES * to_move.index()..];
        let mut sums = Sums::default();
        self.visit(stones, |offset, state| {
            sums = sums.add(weights[offset as usize + state]);
        });
        sums.worth(stones.count(), self.shape.area() as u32)
    }

    /// The weights that count in a position.
    pub fn patterns<const WORDS: usize>(&self, stones: Bits<WORDS>, to_move: Side) -> Vec<Pattern> {
        let mut states = Vec::new();
        self.visit(stones, |_, state| states.push(state));
        let windows = [false, true].into_iter().flat_map(|is_upright| {
            let window = move |(row, col)| Window::new(self.size, row, col, is_upright);
            windows(self.size, is_upright).map(window)
        });
        let pairs = windows.zip(states);
        pairs
            .map(|(window, state)| Pattern::of(&window.turns(to_move), &TURNED, state))
            .collect()
    }

    /// Calls `visit` with the offset and the stones of each window.
    #[inline]
    fn visit<const WORDS: usize>(&self, stones: Bits<WORDS>, mut visit: impl FnMut(u32, usize)) {
        let [height, width] = self.size;
        let mut rows = [u32::MAX; Shape::MAX_SIDE];
        for (row, bits) in rows.iter_mut().take(self.shape.rows()).enumerate() {
            let cols = self.shape.cols();
            *bits = stones.slice(row * cols, cols) | u32::MAX << cols;
        }
        let [along, upright] = &self.offsets;
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
                    cells(rows[0])
                        | cells(rows[1]) << 3
                        | cells(rows[2]) << 6
                        | cells(rows[3]) << 9,
                );
            }
        }
    }
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

/// The weights from the point of view of the side to move.
pub(super) fn weights_of(pattern: Pattern) -> Weights {
    let first = 2 * pattern.weight;
    let weights = [WEIGHTS[first], WEIGHTS[first + 1]].map(|weight| weight as i8);
    if pattern.is_opponents {
        weights.map(|weight| -weight)
    } else {
        weights
    }
}
