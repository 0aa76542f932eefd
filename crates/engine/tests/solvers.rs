//! The solvers by name and through their parameters.

use engine::{BoardOptions, Playable, Resources, Setting, SolveError, Task};
use game::{Outcome, Side};
use havannah::Position;
use konane::SmallBitBoard;
use search::{Limits, StopReason};

fn settings(text: &str) -> Vec<Setting> {
    let settings = text.split_whitespace();
    settings
        .map(|text| text.parse().expect("a setting"))
        .collect()
}

fn solve<G: Playable>(
    name: &str,
    position: &G,
    set: &str,
    threads: usize,
) -> Result<Option<Outcome>, SolveError> {
    let solver = G::solver(Some(name)).expect("a solver");
    let task = Task {
        position,
        resources: Resources {
            memory: 1 << 26,
            threads,
        },
        settings: &settings(set),
        limits: &Limits::default(),
    };
    let report = solver.solve(&task, &mut |_| {})?;
    assert_eq!(report.stop, StopReason::Proven);
    Ok(report.outcome)
}

fn havannah(size: &str, moves: &str) -> Position {
    let options = BoardOptions {
        size: Some(size.to_owned()),
        ..BoardOptions::default()
    };
    let start = Position::start(&options).expect("a board");
    let dialect = havannah::Dialect::default();
    start.play_list(moves, dialect).expect("moves")
}

fn konane(size: &str) -> konane::Position<SmallBitBoard> {
    let options = BoardOptions {
        size: Some(size.to_owned()),
        setup: Some("corner".to_owned()),
        ..BoardOptions::default()
    };
    Playable::start(&options).expect("a board")
}

/// Every solver with its defaults, on size 3: the corner openings win for the first player, others for
/// the second.
#[test]
fn every_solver_solves_size_3() {
    for solver in Position::solvers() {
        for (moves, winner) in [
            ("", Side::White),
            ("a1", Side::White),
            ("a2", Side::Black),
            ("c3", Side::Black),
        ] {
            let found = solve(solver.name, &havannah("3", moves), "", 1).expect("a solver");
            assert_eq!(found, Some(Outcome::Win(winner)), "{} {moves}", solver.name);
        }
    }
    for solver in konane::Position::<SmallBitBoard>::solvers() {
        let found = solve(solver.name, &konane("4"), "", 1).expect("a solver");
        assert_eq!(found, Some(Outcome::Win(Side::White)), "{}", solver.name);
    }
}

/// Every parameter that is listed reads the default that it writes, and other values do not change what
/// is found.
#[test]
fn every_parameter_can_be_set() {
    let position = havannah("3", "c3 a1");
    for solver in Position::solvers() {
        for parameter in &solver.parameters {
            let mut values = vec![parameter.default.as_str()];
            match parameter.default.as_str() {
                "yes" => values.push("no"),
                "no" => values.push("yes"),
                number if number.parse::<u32>().is_ok() => values.push("1"),
                _ => {}
            }
            for value in values {
                let set = format!("{}={value}", parameter.name);
                let found = solve(solver.name, &position, &set, 1);
                assert_eq!(
                    found,
                    Ok(Some(Outcome::Win(Side::Black))),
                    "{} {set}",
                    solver.name
                );
            }
        }
        let unknown = solve(solver.name, &position, "taste=sweet", 1);
        assert!(matches!(unknown, Err(SolveError::Parameter(_))));
        let threads = solve(solver.name, &position, "", 2);
        assert_eq!(threads.is_ok(), solver.has_threads, "{}", solver.name);
    }
    assert!(Position::solver(Some("oracle")).is_err());
}
