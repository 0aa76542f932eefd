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

/// A move that wins at once.
fn immediate(position: &mut Position) -> Option<Move> {
    let mut moves = Vec::new();
    position.legal_moves(&mut moves);
    let mut wins = moves.into_iter();
    wins.find(|&mv| position.explore(mv, |after| after.outcome().is_some()))
}

/// Whether the side to move wins, by looking at every move that answers what the opponent threatens. No
/// move of this side wins at once.
fn wins(position: &mut Position, known: &mut HashMap<u64, bool>) -> bool {
    if let Some(&value) = known.get(&position.hash()) {
        return value;
    }
    let mut moves = Vec::new();
    position.legal_moves(&mut moves);
    let far = |z: u8, size: u8| (2 * i32::from(z) + 1 - i32::from(size)).abs();
    let size = position.size();
    moves.sort_by_key(|mv| match *mv {
        Move::Place(x, y) => far(x, size) + far(y, size) + far(x + y, 2 * size - 1),
        Move::Swap => 0,
    });
    let mut answer = None;
    let value = moves.into_iter().any(|mv| {
        if answer.is_some_and(|answer| answer != mv) {
            return false;
        }
        position.explore(mv, |after| {
            let threat = immediate(after);
            answer = answer.or(threat);
            threat.is_none() && !wins(after, known)
        })
    });
    known.insert(position.hash(), value);
    value
}

/// The first stones with which Black wins on each small board, row by row. Short diagonals win and `a1` and
/// `b1` lose on all of them, as is published (Beck, Bleicher and Crowe, "Excursions into mathematics", 1969;
/// van Rijswijck's tables of openings, made by Queenbee).
#[test]
fn solved_openings() {
    let solved = EXPECTED.map(|(size, _)| {
        let start = Position::new(size, false).expect("a size");
        let mut known = HashMap::new();
        let mut winning = Vec::new();
        for (x, y) in start.cells() {
            let mut after = start.clone();
            after.play(Move::Place(x, y));
            if !wins(&mut after, &mut known) {
                winning.push(start.write_move(Move::Place(x, y), ()));
            }
        }
        (size, winning.join(" "))
    });
    let expected = EXPECTED.map(|(size, winning)| (size, winning.to_owned()));
    assert_eq!(solved, expected);
}

const EXPECTED: [(u8, &str); 2] = [(3, "c1 a2 b2 c2 a3"), (4, "d1 c2 b3 a4")];

#[test]
fn a_swap_keeps_the_value_of_the_stone() {
    for size in [3, 4] {
        let start = Position::new(size, true).expect("a size");
        for (x, y) in start.cells() {
            let mut kept = start.clone();
            kept.play(Move::Place(x, y));
            let mut swapped = kept.clone();
            swapped.play(Move::Swap);
            // Who owns the stone is the opponent of who moves, before and after the swap.
            let mut plain = Position::new(size, false).expect("a size");
            plain.play(Move::Place(x, y));
            let value = wins(&mut plain, &mut HashMap::new());
            assert_eq!(wins(&mut swapped, &mut HashMap::new()), value);
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
            assert!(EXPECTED[0].1.contains(&best), "{}: {best}", player.name);
        }
    }
    for size in ["2", "20", "x"] {
        assert!(Position::start(&BoardOptions::sized(size)).is_err());
    }
}
