//! The solver against exhaustive search: no claim may ever be wrong.

use super::exhaustive::{
    Exhaustive, drawish_position, drawn_position, random_position, shape, stones,
};
use crate::Position;
use crate::solver::{Params, Solver};
use ::certificate::Promise;
use game::random::{self, Rng};
use game::{Game, Outcome, Side};
use search::Limits;
use std::collections::HashSet;

fn solver(text: &str, params: &Params) -> Solver {
    Solver::new(shape(text), params).expect("a board that fits")
}

/// Solves a position and checks the value and that the move keeps it.
fn check(solver: &mut Solver, exhaustive: &mut Exhaustive, position: &Position) -> Outcome {
    let report = solver.solve(position, &Limits::default(), &mut |_| {});
    let expected = exhaustive.value(position);
    assert_eq!(report.outcome, Some(expected), "{position:?}");
    if position.outcome().is_none() {
        let mut after = position.clone();
        after.play(report.best.expect("a move"));
        assert_eq!(exhaustive.value(&after), expected, "{position:?}");
        for promise in [Promise::Wins, Promise::Holds].map(|promise| promise(position.to_move())) {
            let kept = solver.keep(position, promise, &Limits::default());
            let is_kept = promise.is_kept_by(expected);
            assert_eq!(kept.is_some(), is_kept, "{promise:?} in {position:?}");
        }
    }
    expected
}

fn small() -> Params {
    Params {
        memory: 1 << 20,
        ..Params::default()
    }
}

#[test]
fn every_position_of_size_2() {
    fn visit(
        position: &Position,
        seen: &mut HashSet<Vec<u8>>,
        solver: &mut Solver,
        exhaustive: &mut Exhaustive,
    ) {
        if !seen.insert(stones(position)) {
            return;
        }
        check(solver, exhaustive, position);
        let mut moves = Vec::new();
        position.legal_moves(&mut moves);
        for mv in moves {
            let mut after = position.clone();
            after.play(mv);
            visit(&after, seen, solver, exhaustive);
        }
    }
    let mut seen = HashSet::new();
    let start = Position::new(shape("2"));
    visit(
        &start,
        &mut seen,
        &mut solver("2", &small()),
        &mut Exhaustive::default(),
    );
    assert!(seen.len() > 100);
}

/// Random and drawish positions of a board with a number of empty cells; the counts of the values.
fn compare(
    text: &str,
    empty: std::ops::Range<u32>,
    positions: usize,
    params: &Params,
) -> [usize; 3] {
    let mut rng: Rng = random::seeded(u64::from(empty.start) + positions as u64);
    let mut exhaustive = Exhaustive::default();
    let mut solver = solver(text, params);
    let mut values = [0; 3];
    for number in 0..positions {
        let cells = empty.start + random::below(empty.end - empty.start, &mut rng);
        let cells = cells as usize;
        let position = match number % 4 {
            0 => random_position(text, cells, &mut rng),
            1 => drawn_position(text, cells.min(5), &mut rng),
            _ => drawish_position(text, cells, &mut rng),
        };
        exhaustive.forget();
        let value = check(&mut solver, &mut exhaustive, &position);
        values[value.winner().map_or(2, Side::index)] += 1;
    }
    values
}

#[test]
fn random_positions_of_size_3() {
    let [white, black, draws] = compare("3", 3..11, 1_200, &small());
    assert!(
        white > 200 && black > 200 && draws > 40,
        "{white} {black} {draws}"
    );
}

#[test]
fn late_positions_of_other_boards() {
    for text in ["4", "3x4x4", "4x3x4", "4x4x5", "2x4x3", "5", "6", "7"] {
        let positions = if text < "5" { 80 } else { 16 };
        let [white, black, draws] = compare(text, 3..9, positions, &small());
        assert!(
            white > 1 && black > 1 && draws > 0,
            "{text}: {white} {black} {draws}"
        );
    }
}

#[test]
fn every_way_to_search_gives_the_same_values() {
    for (weak, epsilon_divisor, symmetric_plies, open_replies, threads) in [
        (false, 4, 0, Some(1), 1),
        (true, 1, 30, None, 1),
        (false, 100, 5, Some(7), 1),
        (true, 8, 5, None, 2),
        (true, 8, 0, None, 5),
    ] {
        let params = Params {
            weak,
            epsilon_divisor,
            symmetric_plies,
            open_replies,
            // So little that entries are lost.
            memory: 1 << 10,
            threads,
        };
        compare("3", 4..11, 300, &params);
        compare("3x4x4", 4..9, 60, &params);
    }
}
