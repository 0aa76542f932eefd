//! What a solver knows, in a file and back.

use super::exhaustive::shape;
use crate::solver::{Params, Solver};
use crate::{Dialect, Position};
use engine::Prover;
use game::{Game, Notation, Outcome, Side};
use search::Limits;
use search::proof::{CheckpointError, Spent};
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
        assert_eq!(solver.load(&mut bytes.as_slice()).expect("read"), SPENT);
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

/// Positions of size 4 that take some thousand nodes each.
const POSITIONS: [&str; 5] = [
    "b1 d2 a2 e4",
    "a2 d7 b4 b1 g4 d1 f6 g7 f7 g6 f5",
    "a2 d2 g4 g7 d7 d1 c5 b4 c4 b3 c3 b2 c2",
    "d4 a1 g7 a2 b4 b1 d1 d7 c3 a4 a3",
    "a2 e7 b4 d7 f6 a1 b2 g4 e3 e6 e5",
];

fn size_4(moves: &str) -> Position {
    let mut position = Position::new(shape("4"));
    for mv in moves.split(' ') {
        position.play(position.parse_move(mv, Dialect::Grid).expect("a move"));
    }
    position
}

fn saved(solver: &Solver) -> Vec<u8> {
    let mut bytes = Vec::new();
    solver.save(SPENT, &mut bytes).expect("written");
    bytes
}

/// A solver that was stopped and begun again many times knows what it knew, and all searches together take no
/// more than a twentieth more nodes than one that was never stopped.
#[test]
fn stops_cost_next_to_nothing() {
    let [mut straight, mut in_parts, mut stops] = [0; 3];
    for moves in POSITIONS {
        let position = size_4(moves);
        let whole = solver("4").solve(&position, &Limits::default(), &mut |_| {});
        straight += whole.nodes;
        let mut bytes = saved(&solver("4"));
        loop {
            let mut solver = solver("4");
            solver.load(&mut bytes.as_slice()).expect("read");
            assert_eq!(saved(&solver).len(), bytes.len(), "something was forgotten");
            let report = solver.solve(&position, &limited(whole.nodes / 10), &mut |_| {});
            in_parts += report.nodes;
            if report.outcome.is_some() {
                assert_eq!(report.outcome, whole.outcome);
                break;
            }
            stops += 1;
            assert!(stops < 200, "it gets no further");
            let before = bytes.len();
            bytes = saved(&solver);
            assert!(bytes.len() >= before);
        }
    }
    assert!(stops > 40, "{stops} stops");
    let most = straight + straight / 20;
    assert!(in_parts <= most, "{in_parts} nodes for {straight}");
}

/// With another limit of memory the buckets are others, and hardly an entry finds no place. Where many
/// would find none, nothing is read: what is written next would know less.
#[test]
fn a_checkpoint_finds_room_or_is_refused() {
    let mut large = solver("4");
    for moves in POSITIONS {
        large.solve(&size_4(moves), &Limits::default(), &mut |_| {});
    }
    let bytes = saved(&large);
    let entries = bytes.len() / 16;
    assert!(entries > 8_000, "{entries}");
    for memory in [64, 65, 100, 200, 333, 1 << 12] {
        let memory = memory * entries;
        let params = Params {
            memory,
            ..Params::default()
        };
        let mut other = Solver::new(shape("4"), &params).expect("a board that fits");
        other.load(&mut bytes.as_slice()).expect("read");
        let kept = saved(&other).len();
        assert!(kept * 100 >= bytes.len() * 99, "{kept} of {}", bytes.len());
    }
    let params = Params {
        memory: 8 * entries,
        ..Params::default()
    };
    let mut small = Solver::new(shape("4"), &params).expect("a board that fits");
    let refused = small.load(&mut bytes.as_slice()).expect_err("no room");
    assert!(
        matches!(refused, CheckpointError::NoRoom { .. }),
        "{refused}"
    );
    assert_eq!(small.known(&size_4(POSITIONS[2])).outcome, None);
    // What the message says would do.
    let CheckpointError::NoRoom { bytes: needed, .. } = refused else {
        return;
    };
    let params = Params {
        memory: needed as usize,
        ..Params::default()
    };
    let mut enough = Solver::new(shape("4"), &params).expect("a board that fits");
    enough.load(&mut bytes.as_slice()).expect("read");
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
        other.load(&mut bytes.as_slice()).expect("read");
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
        let loaded = self::solver("4").load(&mut damaged.as_slice());
        // What was spent has no checksum, since nothing rests on it.
        assert!(
            loaded.is_err() || loaded.is_ok_and(|spent| spent != SPENT),
            "{at}"
        );
        assert!(self::solver("4").load(&mut &bytes[..at]).is_err());
    }
    let other = self::solver("3").load(&mut bytes.as_slice());
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
