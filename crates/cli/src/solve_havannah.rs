//! `papamu solve havannah` with the solver `papamu`.

use crate::args::PositionArgs;
use crate::proving::{ProofArgs, Proving, Resources};
use crate::solved::Solved;
use crate::{output, proof_tree};
use anyhow::{Result, bail};
use game::Outcome;
use havannah::{Dialect, Position};
use search::Limits;

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
        bail!(
            "certificates and proof trees are about games without the swap rule: leave out --swap"
        );
    }
    let mut proving = Proving::begin(position, args, proof, resources, json)?;
    if let Some(file) = &proof.guide {
        let say = proving.say();
        let Proving {
            position,
            prover,
            spent,
            ..
        } = &mut proving;
        let told = proof_tree::follow(file, position, prover, limits, spent, &say)?;
        proving.tell(&told)?;
    }
    let mut solved = proving.solve(limits)?;
    if let Some(file) = &proof.export {
        let moves = args.moves_written::<Position>(Dialect::Grid)?;
        let Proving {
            position, prover, ..
        } = &mut proving;
        let tree = proof_tree::export(position, &moves, prover, proof.export_work);
        match output::file(file, tree.to_string().as_bytes()) {
            Ok(()) => {
                let (nodes, name) = (tree.len(), file.display());
                proving.tell(&format!("tree: {nodes} nodes in {name}\n"))?;
            }
            Err(why) => solved.problem = Some(format!("{why:#}")),
        }
    }
    Ok(solved)
}

/// An outcome for people.
pub fn in_words(outcome: Option<Outcome>) -> String {
    match outcome {
        None => "not solved".to_owned(),
        Some(Outcome::Draw) => "a draw".to_owned(),
        Some(Outcome::Win(side)) => format!("{side} wins"),
    }
}
