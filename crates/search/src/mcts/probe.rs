//! Solver probes: a closer look at nodes that many simulations have come through.
//!
//! A simulation sees threats one or two plies ahead. What a search of another kind can prove of a node,
//! such as proof-number search with a limit, it proves once for all simulations to come, and the more
//! visits a node has, the more effort that is worth: [`Params::probe_effort`](super::Params) for each.

use super::backup::conclude;
use super::node_header::NodeHeader;
use super::shared::Shared;
use super::statistics::Phase;
use super::tree::{ROOT, Tree};
use super::tree_policy::{Probe, ProbeResult, TreePolicy};
use super::worker::Worker;
use game::{Game, Outcome, Relative};

/// The distance to the end that is noted where it is not known, so that a known win is preferred to it,
/// and it to a known loss.
const UNKNOWN_DISTANCE: u8 = u8::MAX - 1;

/// A move that misses the only ones: the opponent makes two threats, of which one is left.
const MISSED_DISTANCE: u8 = 3;

/// The effort to find a win again that has been found before, when the policy may have forgotten parts of
/// it.
const REOPENED_EFFORT: u64 = 1 << 16;

impl<G: Game, P: TreePolicy<G>> Worker<G, P> {
    /// Probes the node of the current position, which has this link with children and without a proof,
    /// and so many visits with those of this simulation, if it is time to and no other thread does. Tells whether it did: the
    /// node may be proven then.
    #[inline]
    pub(super) fn probe_if_due(
        &mut self,
        shared: &Shared<'_, G>,
        tree: &Tree<G::Move>,
        node: u32,
        link: NodeHeader,
        visits: u32,
    ) -> bool {
        let sizes = shared.params.probes(visits);
        if sizes <= link.probed() || !tree.claim_probe(node, sizes) {
            return false;
        }
        self.counter.end(Phase::Descent);
        self.probe(shared, tree, node, shared.params.effort(visits));
        self.counter.end(Phase::Expansion);
        true
    }

    fn probe(&mut self, shared: &Shared<'_, G>, tree: &Tree<G::Move>, node: u32, effort: u64) {
        let mover = self.current.to_move();
        let is_root = node == ROOT;
        let known = tree.node(node);
        let probe = Probe {
            limits: shared.limits_within(effort),
            // A look at a node of which nothing is known can hardly show more than a win.
            expects_win: known.visits() == 0 || known.mean(mover) >= 0.5,
            wants_move: is_root,
        };
        let mut children = tree.children(node);
        match self.policy.probe(&self.current, &probe) {
            // The root needs a move, of a lost one that which is hardest to refute.
            ProbeResult::Value(_) if is_root => {}
            ProbeResult::Value(outcome) => tree.prove(node, outcome, UNKNOWN_DISTANCE),
            ProbeResult::WinningMove(mv) => {
                if let Some(child) = children.find(|&child| tree.mv(child) == mv) {
                    tree.prove(child, Outcome::Win(mover), UNKNOWN_DISTANCE - 1);
                }
                conclude(tree, node, mover);
            }
            ProbeResult::Only(moves) => {
                for child in children {
                    let missed = !moves.contains(&tree.mv(child));
                    if missed && tree.proven(child).is_none() {
                        tree.prove(child, Outcome::Win(!mover), MISSED_DISTANCE);
                    }
                }
                conclude(tree, node, mover);
            }
            ProbeResult::Nothing => {}
        }
    }

    /// Takes back the value of a root that does not follow from its children, which a probe found
    /// when the node was not the root: now a move is needed. What made it certain is found again. The
    /// current position is that of the root.
    pub(super) fn reopen_root(&mut self, tree: &Tree<G::Move>, shared: &Shared<'_, G>) {
        let link = tree.link(ROOT);
        let Some(outcome) = link.proven() else {
            return;
        };
        if !link.is_expanded() {
            return;
        }
        let mover = self.current.to_move();
        tree.forget_proof_of_root();
        conclude(tree, ROOT, mover);
        if tree.proven(ROOT).is_none() && outcome.seen_by(mover) == Relative::Win {
            self.probe(shared, tree, ROOT, REOPENED_EFFORT);
        }
    }
}
