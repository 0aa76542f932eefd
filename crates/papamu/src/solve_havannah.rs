//! `papamu solve havannah` with the solver `papamu`.

use crate::args::{PositionArgs, seconds};
use crate::long_run;
use crate::solved::{Solved, named};
use crate::{certify, output, progress, proof_tree};
use anyhow::{Context, Result, bail};
use engine::{Checkpoints, Solvable};
use game::{Notation, Outcome};
use havannah::{Dialect, Position};
use search::Limits;
use std::path::PathBuf;
use std::time::Duration;

/// What a position may use.
#[derive(Clone, Copy, Debug)]
pub struct Resources {
    /// MiB.
    pub memory: u64,
    /// Threads.
    pub threads: u32,
}

/// What to keep of the work.
#[derive(clap::Args, Clone, Debug)]
#[command(next_help_heading = "Proofs and long runs (papamu)")]
pub struct ProofArgs {
    /// Write a certificate that `papamu verify` can check; with --all-openings, a folder of them. One
    /// that was cut is gone on with, from FILE.partial
    #[arg(long, value_name = "FILE")]
    pub certificate: Option<PathBuf>,
    /// Solve each distinct opening, and check the certificates that are written
    #[arg(long, conflicts_with_all = ["moves", "export", "guide"])]
    pub all_openings: bool,
    /// Keep a checkpoint in this file, written now and then and at Ctrl-C, and start from it if it is
    /// there; with --all-openings, a folder of them
    #[arg(long, value_name = "FILE")]
    pub resume: Option<PathBuf>,
    /// Seconds between two checkpoints: with writing them, no more than that is lost
    #[arg(long, value_name = "S", default_value = "30", value_parser = seconds, requires = "resume")]
    pub checkpoint_every: Duration,
    /// Write what is known at the end as a tree in SGF, with nodes and outcome in comments
    #[arg(long, value_name = "FILE")]
    pub export: Option<PathBuf>,
    /// Export positions on which so many nodes were spent, and proven ones above these
    #[arg(
        long,
        value_name = "NODES",
        default_value_t = 10_000,
        requires = "export"
    )]
    pub export_work: u64,
    /// Solve the positions of a tree in SGF or HGF first, the deepest first, and compare the outcomes
    /// that its comments claim
    #[arg(long, value_name = "FILE")]
    pub guide: Option<PathBuf>,
}

impl ProofArgs {
    /// Whether any of it is.
    pub fn is_asked_for(&self) -> bool {
        let files = [&self.certificate, &self.resume, &self.export, &self.guide];
        self.all_openings || files.into_iter().any(Option::is_some)
    }

    /// The checkpoints that are asked for.
    pub fn checkpoints(&self) -> Option<Checkpoints<'_>> {
        self.resume.as_deref().map(|file| Checkpoints {
            file,
            every: self.checkpoint_every,
        })
    }
}

/// Solves a position, knowing nothing of others.
pub fn solve(
    args: &PositionArgs,
    proof: &ProofArgs,
    resources: Resources,
    limits: &Limits,
    json: bool,
) -> Result<Solved> {
    let position: Position = args.position()?;
    if position.swap_rule() && (proof.certificate.is_some() || proof.export.is_some()) {
        bail!("certificates and proof trees are about games without the swap rule");
    }
    let dialect = args.dialect.of_game::<Position>()?;
    let mut solver = position.prover(within(resources))?;
    let bar = progress::spinner();
    let say = |text: String| bar.set_message(text);
    let mut spent = match &proof.resume {
        Some(file) => long_run::resume::<Position>(&mut solver, file)?,
        None => havannah::solver::Spent::default(),
    };
    if let Some(file) = &proof.guide {
        let told = proof_tree::follow(file, &position, &mut solver, limits, &mut spent, &say)?;
        if !json {
            output::text(&told)?;
        }
    }
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
    if let Some(file) = &proof.export {
        let moves = args.moves_written::<Position>(Dialect::Grid)?;
        let tree = proof_tree::export(&position, &moves, &mut solver, proof.export_work);
        std::fs::write(file, tree.to_string())
            .with_context(|| format!("cannot write {}", file.display()))?;
        if !json {
            let (nodes, name) = (tree.len(), file.display());
            output::text(&format!("tree: {nodes} nodes in {name}\n"))?;
        }
    }
    Ok(Solved {
        moves: args.moves.clone(),
        outcome: named(report.outcome),
        best: report.best.map(|best| position.write_move(best, dialect)),
        nodes: spent.nodes,
        seconds: spent.elapsed.as_secs_f64(),
        solver: "papamu",
        stop: report.stop.to_string(),
    })
}

/// What the process needs beside the table, in MiB.
const BESIDE_TABLE: u64 = 8;

/// What a solver may use in a process that takes so many MiB.
fn within(resources: Resources) -> engine::Resources {
    let memory = resources.memory;
    let table = memory.saturating_sub(BESIDE_TABLE).max(memory.div_ceil(2));
    engine::Resources {
        memory: (table << 20) as usize,
        threads: resources.threads as usize,
    }
}

/// An outcome for people.
pub fn in_words(outcome: Option<Outcome>) -> String {
    match outcome {
        None => "not solved".to_owned(),
        Some(Outcome::Draw) => "a draw".to_owned(),
        Some(Outcome::Win(side)) => format!("{side} wins"),
    }
}
