//! Solving the position of the game.

use super::{Failure, Reply, arguments};
use crate::Session;
use engine::{Playable, Resources, Setting, Task};
use search::Limits;
use std::time::Duration;

/// The time that a solver has if none is given, as in Castro.
const DEFAULT_TIME: Duration = Duration::from_mins(1);

/// The memory of a solver.
const MEMORY: usize = 1 << 30;

pub(super) fn solve<G: Playable>(session: &mut Session<G>, arguments: &[&str]) -> Reply {
    let (time, rest) = match arguments {
        [time, rest @ ..] => (arguments::seconds(time)?, rest),
        [] => (DEFAULT_TIME, &[][..]),
    };
    let (name, settings) = match rest {
        [name, settings @ ..] => (Some(*name), settings),
        [] => (None, &[][..]),
    };
    let settings: Result<Vec<Setting>, _> = settings.iter().map(|text| text.parse()).collect();
    run(session, name, time, &settings?)
}

pub(super) fn ab_solve<G: Playable>(session: &mut Session<G>, arguments: &[&str]) -> Reply {
    named(session, "castro-ab", arguments)
}

pub(super) fn pns_solve<G: Playable>(session: &mut Session<G>, arguments: &[&str]) -> Reply {
    named(session, "castro-pns", arguments)
}

pub(super) fn pnstt_solve<G: Playable>(session: &mut Session<G>, arguments: &[&str]) -> Reply {
    named(session, "castro-pns-tt", arguments)
}

pub(super) fn player_solve<G: Playable>(session: &mut Session<G>, arguments: &[&str]) -> Reply {
    named(session, "castro-mcts", arguments)
}

pub(super) fn solvers<G: Playable>(_: &mut Session<G>, _: &[&str]) -> Reply {
    let mut lines = String::new();
    for solver in G::solvers() {
        lines += &format!("\n{}: {}", solver.name, solver.summary);
    }
    Ok(lines)
}

/// A solver of this name, with a time if one is given.
fn named<G: Playable>(session: &Session<G>, name: &str, arguments: &[&str]) -> Reply {
    let time = arguments.first().map(|text| arguments::seconds(text));
    run(
        session,
        Some(name),
        time.transpose()?.unwrap_or(DEFAULT_TIME),
        &[],
    )
}

/// The value, a move that keeps it, and the nodes that it took.
fn run<G: Playable>(
    session: &Session<G>,
    name: Option<&str>,
    time: Duration,
    settings: &[Setting],
) -> Reply {
    let solver = G::solver(name)?;
    let task = Task {
        position: session.position(),
        resources: Resources {
            memory: MEMORY,
            threads: 1,
        },
        settings,
        limits: &Limits {
            time: Some(time),
            ..Limits::default()
        },
    };
    let report = solver.solve(&task, &mut |_| {}).map_err(Failure::from)?;
    let outcome = report
        .outcome
        .map_or_else(|| "unknown".to_owned(), |outcome| outcome.to_string());
    let best = report.best.map(|best| session.write_moves(&[best]));
    let best = best.as_deref().unwrap_or("none");
    Ok(format!("{outcome} {best} {}", report.nodes))
}
