//! Runs that may be interrupted: checkpoints, and what is told meanwhile.

use crate::progress::Lines;
use crate::solvers::{in_words, left_in_words};
use anyhow::Result;
use engine::{
    Checkpoints, LongRunError, Playable, Prover, load_checkpoint, save_checkpoint, solve_on,
};
use game::Game;
use search::Limits;
use search::proof::{SolveProgress, SolveReport, Spent};
use std::path::Path;

/// Lets a solver start from a checkpoint, if there is one.
pub fn resume<G: Game>(prover: &mut dyn Prover<G>, position: &G, file: &Path) -> Result<Spent> {
    if let Some(spent) = load_checkpoint(prover, file)? {
        let none = Limits {
            nodes: Some(0),
            ..Limits::default()
        };
        let positions = prover.value(position, &none, &mut |_| {}).entries;
        let nodes = spent.nodes;
        anstream::eprintln!("resumed: {positions} positions, {nodes} nodes");
        return Ok(spent);
    }
    // If it cannot be written, that is better known now.
    save_checkpoint(prover, Spent::default(), file)?;
    Ok(Spent::default())
}

/// Solves a position, with checkpoints in a file if one is given. `spent` says what was spent before,
/// and afterwards in all. The error is that of the last checkpoint, if it could not be written; those before it
/// are told as they occur, and do not end the search.
pub fn solve<G: Playable>(
    prover: &mut dyn Prover<G>,
    position: &G,
    limits: &Limits,
    checkpoints: Option<Checkpoints<'_>>,
    spent: &mut Spent,
    mut lines: Lines,
    say: &dyn Fn(String),
) -> (SolveReport<G::Move>, Option<anyhow::Error>) {
    let mut tell = |progress: &SolveProgress| {
        let text = in_words(progress, &left_in_words::<G>(progress));
        lines.tell(&text);
        say(text);
    };
    let mut unsaved = None;
    let mut saved = |saved: Result<(), LongRunError>| {
        let saved = saved.map_err(anyhow::Error::new);
        if let (None, Err(why)) = (&unsaved, &saved) {
            anstream::eprintln!("papamu: {why:#}; the search continues");
        }
        unsaved = saved.err();
    };
    let report = solve_on(
        position,
        prover,
        limits,
        checkpoints,
        spent,
        &mut tell,
        &mut saved,
    );
    (report, unsaved)
}
