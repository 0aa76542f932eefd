//! What a solver knows, in a file and back.

use super::exhaustive::shape;
use crate::solver::{CheckpointError, Params, Solver, Spent};
use crate::{Dialect, Position};
use game::{Game, Notation, Outcome, Side};
use search::Limits;
use std::time::Duration;

fn early() -> Position {
    let mut position = Position::new(shape("4"));
    for mv in ["b1", "d2", "a2", "e4"] {
        position.play(position.parse_move(mv, Dialect::Grid).expect("a move"));
    }
    position
}

const SPENT: Spent = Spent {
    nodes: 1_234,
    elapsed: Duration::from_millis(56),
};

fn solver(text: &str) -> Solver {
    Solver::new(shape(text), &Params::default()).expect("a board that fits")
}

fn limited(nodes: u64) -> Limits {
    Limits {
        nodes: Some(nodes),
        ..Limits::default()
    }
}

#[test]
fn a_search_goes_on_where_it_was_saved() {
    let mut straight = solver("4");
    let all = straight.solve(&early(), &Limits::default(), &mut |_| {});
    let mut nodes = 0;
    let mut bytes = Vec::new();
    solver("4").save(SPENT, &mut bytes).expect("written");
    // Each time a new solver, as after the end of the process.
    for _ in 0..100 {
        let mut solver = solver("4");
        assert_eq!(solver.load(bytes.as_slice()).expect("read"), SPENT);
        let report = solver.solve(&early(), &limited(500), &mut |_| {});
        nodes += report.nodes;
        bytes.clear();
        solver.save(SPENT, &mut bytes).expect("written");
        if report.outcome.is_some() {
            assert_eq!(report.outcome, all.outcome);
            assert_eq!(solver.known(&early()).outcome, all.outcome);
            assert!(nodes > 1_000 && nodes < 3 * all.nodes, "{nodes}");
            return;
        }
        assert_eq!(solver.known(&early()).outcome, None);
    }
    panic!("it never ends");
}

#[test]
fn large_boards_have_checkpoints_too() {
    for text in ["4x4x5", "5", "7"] {
        let start = Position::new(shape(text));
        let mut solver = solver(text);
        solver.solve(&start, &limited(100), &mut |_| {});
        let mut bytes = Vec::new();
        solver.save(SPENT, &mut bytes).expect("written");
        let mut other = self::solver(text);
        other.load(bytes.as_slice()).expect("read");
        assert_eq!(other.known(&start), solver.known(&start));
        assert!(solver.known(&start).nodes > 50);
        let mut again = Vec::new();
        other.save(SPENT, &mut again).expect("written");
        assert_eq!(again.len(), bytes.len());
    }
}

#[test]
fn what_is_damaged_is_refused() {
    let mut solver = solver("4");
    let report = solver.solve(&early(), &Limits::default(), &mut |_| {});
    assert_eq!(report.outcome, Some(Outcome::Win(Side::White)));
    let mut bytes = Vec::new();
    solver.save(SPENT, &mut bytes).expect("written");
    for at in (0..bytes.len()).step_by(997).chain(0..60) {
        let mut damaged = bytes.clone();
        damaged[at] ^= 4;
        let loaded = self::solver("4").load(damaged.as_slice());
        // What was spent has no checksum, since nothing rests on it.
        assert!(
            loaded.is_err() || loaded.is_ok_and(|spent| spent != SPENT),
            "{at}"
        );
        assert!(self::solver("4").load(&bytes[..at]).is_err());
    }
    let other = self::solver("3").load(bytes.as_slice());
    assert!(matches!(other, Err(CheckpointError::Other(..))));
}

/// Every value that the table gives is that of the position.
#[test]
fn what_is_known_is_true() {
    let mut solver = solver("3");
    solver.solve(&Position::new(shape("3")), &Limits::default(), &mut |_| {});
    let mut known = 0;
    let mut moves = Vec::new();
    Position::new(shape("3")).legal_moves(&mut moves);
    for mv in moves {
        let mut after = Position::new(shape("3"));
        after.play(mv);
        if let Some(outcome) = solver.known(&after).outcome {
            known += 1;
            let mut fresh = self::solver("3");
            let report = fresh.solve(&after, &Limits::default(), &mut |_| {});
            assert_eq!(report.outcome, Some(outcome));
        }
    }
    assert!(known > 0);
}
