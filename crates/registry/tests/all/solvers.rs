//! The solvers by name and through their parameters.

use engine::{BoardOptions, Playable, Resources, Setting, SolveError, Solving, Task};
use game::{Outcome, Side};
use havannah::Position;
use search::{Limits, StopReason};

fn settings(text: &str) -> Vec<Setting> {
    let settings = text.split_whitespace();
    settings
        .map(|text| text.parse().expect("a setting"))
        .collect()
}

fn begin<G: Playable>(
    name: &str,
    position: &G,
    set: &str,
    threads: usize,
) -> Result<Solving<G>, SolveError> {
    let solver = G::solver(Some(name)).expect("a solver");
    solver.begin(&Task {
        position,
        resources: Resources {
            memory: 1 << 26,
            threads,
        },
        settings: &settings(set),
        limits: &Limits::default(),
    })
}

fn solve<G: Playable>(
    name: &str,
    position: &G,
    set: &str,
    threads: usize,
) -> Result<Option<Outcome>, SolveError> {
    let mut solving = begin(name, position, set, threads)?;
    let report = solving.go_on(&Limits::default(), &mut |_| {})?;
    assert_eq!(report.stop, StopReason::Proven);
    Ok(report.outcome)
}

fn havannah(size: &str, moves: &str) -> Position {
    let options = BoardOptions::sized(size);
    let start = Position::start(&options).expect("a board");
    let dialect = havannah::Dialect::default();
    start.play_list(moves, dialect).expect("moves")
}

fn konane(size: &str) -> konane::Position {
    let options = BoardOptions::sized(size).with("setup", "corner");
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
    for solver in konane::Position::solvers() {
        let found = solve(solver.name, &konane("4"), "", 1).expect("a solver");
        assert_eq!(found, Some(Outcome::Win(Side::White)), "{}", solver.name);
    }
}

/// How often a solver has to be called with so few nodes or simulations until it knows the value.
fn calls<G: Playable>(name: &str, position: &G, set: &str, work: u64, value: Outcome) -> u32 {
    let limits = Limits {
        nodes: Some(work),
        simulations: Some(work),
        ..Limits::default()
    };
    let mut solving = begin(name, position, set, 1).expect("a solver");
    let mut nodes = 0;
    for call in 1..500 {
        let report = solving.go_on(&limits, &mut |_| {}).expect("a report");
        assert!(report.nodes >= nodes, "{name} {set}");
        nodes = report.nodes;
        if let Some(outcome) = report.outcome {
            assert_eq!(outcome, value, "{name} {set}");
            assert_eq!(solving.go_on(&limits, &mut |_| {}), Ok(report));
            return call;
        }
    }
    panic!("{name} {set} is not done after {nodes} nodes");
}

/// A solver that is stopped again and again goes on from where it was, and knows the value in the end.
#[test]
fn every_solver_can_be_stopped_and_goes_on() {
    let start = havannah("3", "");
    let white = Outcome::Win(Side::White);
    for (name, set, work) in [
        ("papamu", "", 5),
        ("ab", "", 1_000),
        ("pns", "", 50),
        ("pns", "draws=two-searches", 50),
        ("castro-pns", "depth-bound=3", 50),
        ("pns-tt", "", 50),
        ("pns-tt", "draws=two-searches", 50),
        ("mcts", "", 50),
    ] {
        let calls = calls(name, &start, set, work, white);
        assert!(calls > 1, "{name} {set}: {calls}");
    }
    let konane = konane("4");
    for solver in konane::Position::solvers() {
        calls(solver.name, &konane, "", 40, white);
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
