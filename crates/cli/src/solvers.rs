//! What there is to say of solvers.

use crate::output;
use anyhow::Result;
use engine::Playable;
use indicatif::HumanDuration;
use search::proof::SolveProgress;
use std::process::ExitCode;
use std::time::Duration;

/// Lists the solvers of a game with their parameters, or one of them.
pub fn list<G: Playable>(name: Option<&str>) -> Result<ExitCode> {
    let solvers = match name {
        Some(name) => vec![G::solver(Some(name))?],
        None => G::solvers(),
    };
    for solver in solvers {
        output::text(&format!("{}: {}\n", solver.name, solver.summary))?;
        for parameter in &solver.parameters {
            output::text(&format!("  {parameter}\n"))?;
        }
    }
    Ok(ExitCode::SUCCESS)
}

/// Progress in a line, with [what is left](left_in_words) near its beginning, since a terminal may cut its end; nodes, rate
/// and time are since the start, over all interruptions.
pub fn in_words(progress: &SolveProgress, left: &str) -> String {
    let seconds = progress.elapsed.as_secs_f64().max(1e-3);
    let rate = progress.nodes as f64 / seconds / 1e3;
    let mut line = String::new();
    if let Some(attacker) = progress.attacker {
        line += &format!(
            "does {attacker} win? proof number {}, disproof number {}; ",
            progress.proof, progress.disproof
        );
    }
    line += left;
    if progress.depth > 0 {
        line += &format!("depth {}; ", progress.depth);
    }
    line += &format!(
        "{:.3} million nodes, {rate:.0} thousand/s, {:.3} million positions",
        progress.nodes as f64 / 1e6,
        progress.entries as f64 / 1e6,
    );
    if progress.bytes > 0 {
        line += &format!(" in {} MiB", progress.bytes >> 20);
    }
    line
}

/// How long the default solver will still need, as far as that can be told; nothing otherwise.
pub fn left_in_words<G: Playable>(progress: &SolveProgress) -> String {
    let Some(left) = G::nodes_left(progress) else {
        return String::new();
    };
    let [low, likely, high] = left.seconds(progress).map(|seconds| {
        // Longer than anybody waits.
        HumanDuration(Duration::from_secs_f64(seconds.min(1e9)))
    });
    format!("perhaps {likely:#} left (80 %: {low:#} to {high:#}); ")
}
