//! Hex against a slow referee, and against what is published.

use engine::{BoardOptions, Playable};
use game::{Game, Notation, Side, conformance, perft};
use hex::{Move, Position};
use std::collections::HashMap;

fn starts() -> impl Iterator<Item = (Position, u64)> {
    let sizes = (3..=19).step_by(4);
    sizes.flat_map(|size: u8| {
        [false, true].map(|swap| (Position::new(size, swap).expect("a size"), size.into()))
    })
}

#[test]
fn the_suite_of_every_game() {
    for (start, seed) in starts() {
        conformance::rules(&start, if seed < 12 { 3 } else { 1 }, seed);
        conformance::notation(&start, &[()], 1, seed);
        conformance::uniform_random_moves(&start, seed);
    }
}

/// The stones of a board by rows, and the rules of Hex in the slowest way.
type Stones = Vec<Vec<Option<Side>>>;

fn has_chain(stones: &Stones, side: Side) -> bool {
    let last = stones.len() - 1;
    let at = |x: usize, y: usize| stones[y][x] == Some(side);
    let along = |x, y| if side == Side::Black { y } else { x };
    let cells = || (0..=last).flat_map(|y| (0..=last).map(move |x| (x, y)));
    let mut reached: Vec<_> = cells()
        .filter(|&(x, y)| along(x, y) == 0 && at(x, y))
        .collect();
    let mut next = 0;
    while let Some(&(x, y)) = reached.get(next) {
        next += 1;
        for (a, b) in cells() {
            let (dx, dy) = (a as i32 - x as i32, b as i32 - y as i32);
            let touches = dx.abs() <= 1 && dy.abs() <= 1 && dx != dy;
            if touches && at(a, b) && !reached.contains(&(a, b)) {
                reached.push((a, b));
            }
        }
    }
    reached.iter().any(|&(x, y)| along(x, y) == last)
}

fn slow_perft(stones: &mut Stones, side: Side, depth: u32) -> u64 {
    if depth == 0 {
        return 1;
    }
    if has_chain(stones, !side) {
        return 0;
    }
    let size = stones.len();
    let mut nodes = 0;
    for (x, y) in (0..size).flat_map(|y| (0..size).map(move |x| (x, y))) {
        if stones[y][x].is_none() {
            stones[y][x] = Some(side);
            nodes += slow_perft(stones, !side, depth - 1);
            stones[y][x] = None;
        }
    }
    nodes
}

#[test]
fn perft_agrees_with_a_slow_referee() {
    for (size, depth) in [(3, 7), (4, 4), (6, 2)] {
        let mut stones = vec![vec![None; size.into()]; size.into()];
        let expected = slow_perft(&mut stones, Side::Black, depth);
        let mut start = Position::new(size, false).expect("a size");
        assert_eq!(perft(&mut start, depth), expected, "size {size}");
    }
}

/// A board as two sets of cells, the first of the side to move, and whether that is Black.
type Masks = ([u32; 2], bool);

/// The cells of a set, each as a set.
fn each(set: u32) -> impl Iterator<Item = u32> {
    (0..32)
        .map(|cell| 1 << cell)
        .filter(move |cell| set & cell != 0)
}

/// A solver that shares nothing with the crate.
struct Solver {
    size: usize,
    known: HashMap<Masks, (bool, u32)>,
}

impl Solver {
    fn new(size: usize) -> Solver {
        Solver {
            size,
            known: HashMap::new(),
        }
    }

    /// The cells of the first column.
    fn column(&self) -> u32 {
        (0..self.size).map(|y| 1 << (y * self.size)).sum()
    }

    /// The cells beside those of a set, and some of its own.
    fn around(&self, set: u32) -> u32 {
        let size = self.size;
        let column = self.column();
        let (left, right) = (set & !column, set & !(column << (size - 1)));
        let around = left >> 1 | right << 1 | set >> size | set << size;
        let around = around | left << (size - 1) | right >> (size - 1);
        around & ((1 << (size * size)) - 1)
    }

    /// Free cells that join a side's edges even if the opponent moves next; `None` where none are seen. They are pairs
    /// between chains, or between a chain and an edge: the side gets one cell of each, and no cell is in two pairs.
    fn joins(&self, stones: u32, free: u32, black: bool) -> Option<u32> {
        let row = (1_u32 << self.size) - 1;
        let [begin, end] = if black {
            [row, row << (self.size * (self.size - 1))]
        } else {
            [self.column(), self.column() << (self.size - 1)]
        };
        let chain = |mut chain: u32| loop {
            let longer = chain | self.around(chain) & stones;
            if longer == chain {
                return chain;
            }
            chain = longer;
        };
        let pair_of = |cells: u32| {
            let without_one = cells & cells.wrapping_sub(1);
            let without_two = without_one & without_one.wrapping_sub(1);
            (without_one != 0).then_some(cells ^ without_two)
        };
        let (mut joined, mut pairs) = (chain(begin & stones), 0);
        loop {
            if joined & end != 0 {
                return Some(pairs);
            }
            let beside = (begin | self.around(joined)) & free & !pairs;
            if let Some(pair) = pair_of(beside & end) {
                return Some(pairs | pair);
            }
            let mut others = stones & !joined;
            let (longer, pair) = loop {
                if others == 0 {
                    return None;
                }
                let other = chain(others & others.wrapping_neg());
                if let Some(pair) = pair_of(beside & self.around(other)) {
                    break (other, pair);
                }
                others &= !other;
            };
            joined |= longer;
            pairs |= pair;
        }
    }

    /// Of all cells that a side may need to join its edges with the next move: those that stop each way that is seen,
    /// and those of all these ways.
    fn stops(&self, stones: u32, free: u32, black: bool) -> (u32, u32) {
        if let Some(cells) = self.joins(stones, free, black) {
            return (0, cells);
        }
        let ways = each(free).filter_map(|cell| {
            let cells = self.joins(stones | cell, free & !cell, black)?;
            Some(cells | cell)
        });
        ways.fold((free, 0), |(stop, all), way| (stop & way, all | way))
    }

    /// How far a cell is from the middle of the board.
    fn off_centre(&self, cell: u32) -> i32 {
        let (cell, size) = (cell.trailing_zeros() as i32, self.size as i32);
        let (x, y) = (2 * (cell % size) - size + 1, 2 * (cell / size) - size + 1);
        x * x + y * y + x * y
    }

    /// Whether the side to move wins, and free cells that suffice the winner: a loser's moves elsewhere lose
    /// against the same play. Nobody has won.
    fn wins(&mut self, masks: Masks) -> (bool, u32) {
        let ([own, other], black) = masks;
        let cells = self.size * self.size;
        // Half a turn changes nothing.
        let half_turn = |set: u32| set.reverse_bits() >> (32 - cells);
        let turned = [half_turn(own), half_turn(other)];
        let is_turned = turned < [own, other];
        let key = if is_turned { (turned, black) } else { masks };
        let back = |set| if is_turned { half_turn(set) } else { set };
        if let Some(&(wins, suffice)) = self.known.get(&key) {
            return (wins, back(suffice));
        }
        let free = ((1_u32 << cells) - 1) & !(own | other);
        let (wins, suffice) = self.searched(masks, free);
        self.known.insert(key, (wins, back(suffice)));
        (wins, suffice)
    }

    fn searched(&mut self, ([own, other], black): Masks, free: u32) -> (bool, u32) {
        let at_once = each(free).find_map(|cell| {
            let cells = self.joins(own | cell, free & !cell, black)?;
            Some(cells | cell)
        });
        if let Some(cells) = at_once {
            return (true, cells);
        }
        let (mut must_play, mut suffice) = self.stops(other, free, !black);
        // Those first that leave the opponent the fewest replies.
        let mut moves: Vec<u32> = each(must_play).collect();
        moves.sort_by_cached_key(|&cell| {
            let (replies, _) = self.stops(own | cell, free & !cell, black);
            (replies.count_ones(), self.off_centre(cell))
        });
        for cell in moves {
            if must_play & cell == 0 {
                continue;
            }
            match self.wins(([other, own | cell], !black)) {
                (false, cells) => return (true, cells | cell),
                (true, cells) => {
                    must_play &= cells;
                    suffice |= cells;
                }
            }
        }
        (false, suffice)
    }

    /// Whether the side to move wins a position.
    fn value(&mut self, position: &Position) -> bool {
        let side = position.to_move();
        let of = |side: Side| {
            let cells = position.cells().enumerate();
            let own = cells.filter(|&(_, (x, y))| position.stone(x, y) == Some(side));
            own.map(|(cell, _)| 1 << cell).sum()
        };
        self.wins(([of(side), of(!side)], side == Side::Black)).0
    }
}

/// The first stones with which Black wins on each small board, row by row. The tables of openings of the program
/// `MoHex` (`share/swap-moves.txt` in Benzene, by R. Hayward) have the same up to exchanging the sides, which mirrors the
/// board on its long diagonal.
const WINNING: [(u8, &str); 3] = [
    (3, "c1 a2 b2 c2 a3"),
    (4, "d1 c2 b3 a4"),
    (5, "e1 b2 c2 d2 e2 b3 c3 d3 a4 b4 c4 d4 a5"),
];

fn winning_openings(size: u8) -> String {
    let start = Position::new(size, false).expect("a size");
    let mut solver = Solver::new(size.into());
    let mut found = Vec::new();
    for (x, y) in start.cells() {
        let mut after = start.clone();
        after.play(Move::Place(x, y));
        if !solver.value(&after) {
            found.push(start.write_move(Move::Place(x, y), ()));
        }
    }
    found.join(" ")
}

#[test]
fn solved_openings() {
    for (size, winning) in WINNING {
        assert_eq!(winning_openings(size), winning, "size {size}");
    }
}

#[test]
fn a_swap_keeps_the_value_of_the_stone() {
    for size in [3, 4] {
        let start = Position::new(size, true).expect("a size");
        let mut solver = Solver::new(size.into());
        for (x, y) in start.cells() {
            let mut kept = start.clone();
            kept.play(Move::Place(x, y));
            let mut swapped = kept.clone();
            swapped.play(Move::Swap);
            // Who owns the stone is the opponent of who moves, before and after the swap.
            assert_eq!(solver.value(&swapped), solver.value(&kept));
        }
    }
}

#[test]
fn players_play_and_prove() {
    let start = Position::start(&BoardOptions::sized(3)).expect("a board");
    for player in Position::players() {
        let mut engine = player.build(start.clone(), 1, &[]).expect("a player");
        let limits = search::Limits {
            simulations: Some(2_000),
            ..search::Limits::default()
        };
        let report = engine.search(&limits, &mut |_| {});
        let best = report.best.expect("a move");
        assert!(start.is_legal(best), "{}", player.name);
        if player.name != "random" {
            let best = start.write_move(best, ());
            assert!(WINNING[0].1.contains(&best), "{}: {best}", player.name);
        }
    }
    for size in ["2", "20", "x"] {
        assert!(Position::start(&BoardOptions::sized(size)).is_err());
    }
}
