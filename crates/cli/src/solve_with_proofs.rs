//! `papamu solve` with the default solver of a game that shows what it says.

use crate::args::PositionArgs;
use crate::proving::{ProofArgs, Proving, Resources};
use crate::solved::Solved;
use crate::{output, proof_tree};
use anyhow::{Result, bail};
use engine::{Playable, Prover};
use search::Limits;

/// Solves a position, knowing nothing of others. The solver is shown before it begins.
pub fn solve<G: Playable>(
    args: &PositionArgs,
    proof: &ProofArgs,
    resources: Resources,
    limits: &Limits,
    json: bool,
    show: impl FnOnce(&dyn Prover<G>),
) -> Result<Solved> {
    let position: G = args.position()?;
    if proof.certificate.is_some() || proof.export.is_some() {
        position.certified_board(&args.board.options())?;
    }
    let mut proving = Proving::begin(position, args, proof, resources, json)?;
    let wants_tree = proof.guide.is_some() || proof.export.is_some();
    if wants_tree && proving.prover.known(&proving.position).is_none() {
        bail!("the solver of {} has no proof trees", G::NAME);
    }
    if let Some(file) = &proof.guide {
        let say = proving.say();
        let Proving {
            position,
            prover,
            spent,
            ..
        } = &mut proving;
        let told = proof_tree::follow(file, position, &mut **prover, limits, spent, &say)?;
        proving.tell(&told)?;
    }
    show(&*proving.prover);
    let mut solved = proving.solve(limits)?;
    if let Some(file) = &proof.export {
        let moves = args.moves_written::<G>(G::Dialect::default())?;
        let Proving {
            position, prover, ..
        } = &mut proving;
        let options = args.board.options();
        let tree = proof_tree::export(position, &options, &moves, &mut **prover, proof.export_work);
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
