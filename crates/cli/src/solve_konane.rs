//! `papamu solve konane` with the solver `papamu`.

use crate::args::PositionArgs;
use crate::proving::{ProofArgs, Proving, Resources};
use crate::solved::Solved;
use anyhow::{Result, bail};
use konane::SmallBitBoard;
use search::Limits;

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
    let position: konane::Position<SmallBitBoard> = args.position()?;
    let resources = Resources { memory, threads: 1 };
    Proving::begin(position, args, proof, resources, json)?.solve(limits)
}
