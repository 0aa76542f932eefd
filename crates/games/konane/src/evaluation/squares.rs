//! What windows are worth on boards of up to 8 × 8 cells. The board is turned and mirrored in all eight ways, so that
//! windows which share their weights also share a table: all tables together stay in the nearer caches.

use super::patterns::{Pattern, STATES, Sums, TURNED, Window, extent, weights_of, windows};
use crate::Shape;
use game::Side;
use std::collections::HashMap;

const SIDE: usize = 8;

/// The windows of a board.
#[derive(Debug)]
pub(super) struct Squares {
    /// The cells of the board, in 8 rows of 8.
    inside: u64,
    /// By [`Side::index`] of the side to move.
    looks: [Vec<Look>; 2],
    /// For each table the weights of all states, packed: the second of each times 2¹⁶, and the first.
    weights: Vec<i32>,
}

/// Where to find what a window is worth.
#[derive(Clone, Copy, Debug)]
struct Look {
    /// The window on the turned board.
    mask: u64,
    /// How the board is turned.
    turn: u32,
    /// Where its table begins.
    table: u32,
}

impl Squares {
    /// `None` if the board or the windows are too large.
    pub fn new(shape: Shape, of_patterns: &[i16]) -> Option<Squares> {
        let size = [shape.rows(), shape.cols()];
        if size.iter().any(|side| !(4..=SIDE).contains(side)) {
            return None;
        }
        let mut packed = Vec::new();
        let mut known = HashMap::new();
        let looks = Side::BOTH.map(|side| {
            let of_direction =
                |is_upright| windows(size, is_upright).map(move |place| (is_upright, place));
            let all = [false, true].into_iter().flat_map(of_direction);
            all.map(|(is_upright, (row, col))| {
                let window = Window::new(size, row, col, is_upright);
                let turns = window.turns(side);
                let table = known.entry(turns_from_first(&turns)).or_insert_with(|| {
                    let begin = packed.len();
                    packed.extend(table(&turns, of_patterns));
                    begin
                });
                let turn = turns[0].0 / STATES;
                Look {
                    mask: mask(row, col, is_upright, turn),
                    turn: turn as u32,
                    table: *table as u32,
                }
            })
            .collect()
        });
        let row = (1 << shape.cols()) - 1;
        Some(Squares {
            inside: (0..shape.rows()).fold(0, |inside, number| inside | row << (SIDE * number)),
            looks,
            weights: packed,
        })
    }

    /// What the windows are worth to the side to move. `extract` puts those bits of its first argument together that
    /// its second one has, and `deposit` puts them there.
    #[inline(always)]
    pub fn sums(
        &self,
        stones: u64,
        to_move: Side,
        extract: impl Fn(u64, u64) -> u64,
        deposit: impl Fn(u64, u64) -> u64,
    ) -> Sums {
        let boards = turned(deposit(stones, self.inside));
        let mut sum = 0;
        for look in &self.looks[to_move.index()] {
            let state = extract(boards[look.turn as usize % 8], look.mask) as usize % STATES;
            // SAFETY: `new` has pushed weights for all states from the beginning of each table on.
            sum += unsafe { self.weights.get_unchecked(look.table as usize + state) };
        }
        let first = i32::from(sum as i16);
        Sums([first, (sum - first) >> 16])
    }
}

/// What decides the table of a window: where its weights begin for each turn, and how these differ from the first.
fn turns_from_first(turns: &[(usize, usize)]) -> Vec<(usize, usize)> {
    let first = turns[0].0 / STATES;
    let from_first = turns
        .iter()
        .map(|&(turn, begin)| ((turn / STATES) ^ first, begin));
    from_first.collect()
}

/// What each state of a window is worth that is turned in the first of these ways.
fn table(turns: &[(usize, usize)], of_patterns: &[i16]) -> [i32; STATES] {
    let mut table = [0; STATES];
    for stones in 0..STATES {
        let turned = usize::from(TURNED[turns[0].0 + stones]);
        let [first, second] = weights_of(Pattern::of(turns, &TURNED, stones), of_patterns);
        table[turned] = i32::from(first) + (i32::from(second) << 16);
    }
    table
}

/// The cells of a window on a turned board.
fn mask(row: usize, col: usize, is_upright: bool, turn: usize) -> u64 {
    let (height, width) = extent(is_upright);
    let line = ((1_u64 << width) - 1) << (row * SIDE + col);
    let mask = (0..height).fold(0, |mask, row| mask | line << (SIDE * row));
    turned(mask)[turn]
}

/// A board turned in eight ways: the rows as they are and as columns (4), mirrored along the rows (2) and across them
/// (1).
#[inline(always)]
fn turned(board: u64) -> [u64; 8] {
    let columns = transposed(board);
    let (along, columns_along) = (mirrored(board), mirrored(columns));
    [
        board,
        board.swap_bytes(),
        along,
        along.swap_bytes(),
        columns,
        columns.swap_bytes(),
        columns_along,
        columns_along.swap_bytes(),
    ]
}

/// Every row the other way round.
#[inline(always)]
fn mirrored(board: u64) -> u64 {
    let swapped = |board: u64, by: u32, mask: u64| (board >> by & mask) | (board & mask) << by;
    let board = swapped(board, 1, 0x5555_5555_5555_5555);
    let board = swapped(board, 2, 0x3333_3333_3333_3333);
    swapped(board, 4, 0x0f0f_0f0f_0f0f_0f0f)
}

/// The rows as columns.
#[inline(always)]
fn transposed(board: u64) -> u64 {
    let swapped = |board: u64, by: u32, mask: u64| {
        let differing = (board ^ board >> by) & mask;
        board ^ differing ^ differing << by
    };
    let board = swapped(board, 7, 0x00aa_00aa_00aa_00aa);
    let board = swapped(board, 14, 0x0000_cccc_0000_cccc);
    swapped(board, 28, 0x0000_0000_f0f0_f0f0)
}
