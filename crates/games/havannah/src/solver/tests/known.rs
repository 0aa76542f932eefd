//! Results that others have published.

use super::exhaustive::shape;
use crate::solver::{Params, Solver};
use crate::{Dialect, Position};
use engine::Prover;
use game::{Game, Notation, Outcome, Side};
use search::proof::SolveReport;
use search::{Every, Limits, StopReason};
use std::path::PathBuf;

fn position(text: &str, moves: &str) -> Position {
    let mut position = Position::new(shape(text));
    for mv in moves.split_whitespace() {
        let mv = position.parse_move(mv, Dialect::Grid).expect("a move");
        position.play(mv);
    }
    position
}

fn solve(position: &Position) -> SolveReport<crate::Move> {
    let board = position.geometry().shape();
    let mut solver = Solver::new(board, &Params::default()).expect("a board that fits");
    solver.solve(position, &Limits::default(), &mut |_| {})
}

/// Notes on solving, "Other": on size 3 the corner openings win for the first player, all others for
/// the second.
pub(super) fn check_small_boards(solve: impl Fn(&Position) -> Option<Outcome>) {
    let start = Position::new(shape("3"));
    let mut moves = Vec::new();
    start.legal_moves(&mut moves);
    for mv in moves {
        let mut after = start.clone();
        after.play(mv);
        let opening = start.write_move(mv, Dialect::Grid);
        let corner = ["a1", "a3", "c1", "c5", "e3", "e5"].contains(&opening.as_str());
        let winner = if corner { Side::White } else { Side::Black };
        assert_eq!(solve(&after), Some(Outcome::Win(winner)), "{opening}");
    }
    for text in ["2", "3"] {
        let value = solve(&Position::new(shape(text)));
        assert_eq!(value, Some(Outcome::Win(Side::White)), "{text}");
    }
}

#[test]
fn openings_of_sizes_2_and_3() {
    check_small_boards(|position| solve(position).outcome);
}

/// Under the swap rule the second player takes any opening that wins.
#[test]
fn swapping_takes_a_winning_opening() {
    let start = Position::new(shape("3")).under_swap_rule();
    assert_eq!(solve(&start).outcome, Some(Outcome::Win(Side::Black)));
    let mut corner = start.clone();
    corner.play(start.parse_move("a1", Dialect::Grid).expect("a move"));
    let report = solve(&corner);
    assert_eq!(report.outcome, Some(Outcome::Win(Side::Black)));
    assert_eq!(report.best, Some(crate::Move::Swap));
}

/// Castro thesis, figure "Early Position Solvable by MCTS in 1 Minute".
#[test]
fn early_position() {
    let report = solve(&position("4", "b1 d2 a2 e4"));
    assert_eq!(report.outcome, Some(Outcome::Win(Side::White)));
    assert_eq!(report.stop, StopReason::Proven);
}

/// Positions cut from the 2012 proof of size 4.
#[test]
fn positions_of_the_proof_of_size_4() {
    let given = std::env::var_os("PAPAMU_DATA").map(PathBuf::from);
    let beside = PathBuf::from(concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/../../../../shared/data"
    ));
    let file = given.unwrap_or(beside).join("havannah/size4-hard-1e6.tsv");
    let Ok(table) = std::fs::read_to_string(&file) else {
        eprintln!("skipped: {} is absent", file.display());
        return;
    };
    let threads = Params {
        memory: 1 << 20,
        threads: 2,
        ..Params::default()
    };
    for (number, line) in table
        .lines()
        .filter(|line| !line.starts_with('#'))
        .enumerate()
    {
        let fields: Vec<&str> = line.split('\t').collect();
        let winner = match fields[2] {
            "W" => Side::White,
            _ => Side::Black,
        };
        let position = position("4", fields[0]);
        let report = solve(&position);
        assert_eq!(report.outcome, Some(Outcome::Win(winner)), "{line}");
        if number % 4 == 0 {
            let mut solver = Solver::new(shape("4"), &threads).expect("a board that fits");
            let together = solver.solve(&position, &Limits::default(), &mut |_| {});
            assert_eq!(together.outcome, report.outcome, "{line}");
            let mut after = position.clone();
            after.play(together.best.expect("a move"));
            assert_eq!(solve(&after).outcome, report.outcome, "{line}");
        }
    }
}

#[test]
fn threads_join_a_search() {
    let position = position("4", "b1 d2 a2 e4");
    let mut solver = Solver::new(shape("4"), &Params::default()).expect("a board that fits");
    let crew = solver.crew().expect("a crew");
    let limits = Limits {
        progress: Every::Work(500),
        ..Limits::default()
    };
    let report = solver.solve(&position, &limits, &mut |_| {
        if crew.count() < 3 {
            crew.add();
        }
    });
    assert_eq!(crew.count(), 3);
    assert_eq!(report.outcome, Some(Outcome::Win(Side::White)));
    let mut after = position.clone();
    after.play(report.best.expect("a move"));
    assert_eq!(solve(&after).outcome, report.outcome);
}

/// The 2012 program claims a loss on some positions in which the side to move wins at once.
#[test]
fn a_side_that_wins_at_once_is_not_lost() {
    // Both sides can complete a bridge; whoever moves does.
    let threats = position("4", "a1 g4 a2 g5 d1 g6 d2");
    assert_eq!(threats.to_move(), Side::Black);
    let report = solve(&threats);
    assert_eq!(report.outcome, Some(Outcome::Win(Side::Black)));
    let best = report.best.expect("a move");
    let mut after = threats.clone();
    after.play(best);
    assert_eq!(after.outcome(), Some(Outcome::Win(Side::Black)));
}

#[test]
fn a_run_that_ends_early_claims_nothing() {
    let start = position("4", "d4");
    let mut solver = Solver::new(shape("4"), &Params::default()).expect("a board that fits");
    let limits = Limits {
        nodes: Some(100),
        ..Limits::default()
    };
    let report = solver.solve(&start, &limits, &mut |_| {});
    assert_eq!((report.outcome, report.best), (None, None));
    assert_eq!(report.stop, StopReason::Nodes);
    assert!(Solver::new(shape("11"), &Params::default()).is_err());
}
