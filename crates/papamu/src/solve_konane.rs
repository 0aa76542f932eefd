//! `papamu solve konane` with the solver `papamu`.

use crate::args::PositionArgs;
use crate::solve_havannah::ProofArgs;
use crate::solved::{Solved, named};
use crate::{certify, long_run, output, progress};
use anyhow::{Result, bail};
use engine::{Resources, Solvable};
use game::Notation;
use konane::SmallBitBoard;
use search::Limits;
use search::proof::Spent;

type Position = konane::Position<SmallBitBoard>;

/// Solves a position, knowing nothing of others.
pub fn solve(
    args: &PositionArgs,
    proof: &ProofArgs,
    memory: u64,
    limits: &Limits,
    json: bool,
) -> Result<Solved> {
    if proof.all_openings || proof.export.is_some() || proof.guide.is_some() {
        bail!("proof trees and --all-openings are for havannah so far");
    }
    let position: Position = args.position()?;
    let mut solver = position.prover(Resources {
        memory: (memory << 20) as usize,
        threads: 1,
    })?;
    let bar = progress::spinner();
    let say = |text: String| bar.set_message(text);
    let mut spent = match &proof.resume {
        Some(file) => long_run::resume::<Position>(&mut solver, file)?,
        None => Spent::default(),
    };
    let checkpoints = proof.checkpoints();
    let report = long_run::solve(
        &mut solver,
        &position,
        limits,
        checkpoints,
        &mut spent,
        &say,
    )?;
    bar.finish_and_clear();
    if let (Some(file), Some(outcome)) = (&proof.certificate, report.outcome) {
        let written = certify::write(file, args, &mut solver, &position, outcome)?;
        if !json {
            output::text(&written)?;
        }
    }
    Ok(Solved {
        moves: args.moves.clone(),
        outcome: named(report.outcome),
        best: report.best.map(|best| position.write_move(best, ())),
        nodes: report.nodes,
        seconds: report.elapsed.as_secs_f64(),
        solver: "papamu",
        stop: report.stop.to_string(),
    })
}
