//! Subtree affinity: a thread makes several simulations in a row below one node.
//!
//! What a thread has read and written last is in its cache; what others have written since then it must fetch. Were
//! each simulation to begin at the root, two threads would take the nodes that both come through from each other all
//! the time. So each of several threads makes some simulations in a row from a node that it has come to and that has
//! been visited often, and what it counts above that node becomes known when it leaves. Until then all of these
//! simulations are assumed to be lost, so that other threads go elsewhere.

use super::access::TreeAccess;
use super::backup::Step;
use super::node_statistics::NodeStatistics;
use super::params::Params;
use super::tree::{ROOT, Tree};
use super::tree_policy::TreePolicy;
use super::worker::Worker;
use game::{Game, Packed};

/// Simulations in a row.
const SIMULATIONS: u32 = 32;

/// Simulations that have come through a node that threads stay at, at least. Of each, a node has as many visits as the
/// largest result counts.
const LEAST_SIMULATIONS: u32 = 128;

/// Where a thread stays.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Affinity {
    /// Simulations that are still to be made from there.
    left: u32,
    /// The length of the path to the node, which is its last; 0 if the thread does not stay anywhere.
    length: usize,
}

impl<G: Game, P: TreePolicy<G>> Worker<G, P> {
    /// Goes to the root, or to the node where the thread stays. Returns it, and what this simulation is assumed to get
    /// there.
    pub(super) fn set_out<T: TreeAccess<G::Move>>(
        &mut self,
        tree: &mut T,
    ) -> (u32, NodeStatistics) {
        if self.affinity.left > 0 && self.way().iter().all(|step| is_open(tree, step)) {
            self.affinity.left -= 1;
            self.path.truncate(self.affinity.length);
            for step in &self.path[1..] {
                self.current.play_unchecked(tree.mv(step.node));
            }
            if let Some(last) = self.path.pop() {
                return (last.node, last.assumed);
            }
        }
        self.leave(tree);
        self.path.clear();
        (ROOT, NodeStatistics::default())
    }

    /// After a way that began at the root: chooses the node on it where the next simulations set out.
    pub(super) fn settle<T: TreeAccess<G::Move>>(&mut self, tree: &mut T, params: &Params) {
        if self.affinity.length > 0 {
            return;
        }
        let least_visits = LEAST_SIMULATIONS.saturating_mul(params.largest_result());
        let is_known = |step: &Step| is_open(tree, step) && tree.visits(step.node) >= least_visits;
        let Some(depth @ 1..) = self.path.iter().rposition(is_known) else {
            return;
        };
        self.affinity = Affinity {
            left: SIMULATIONS - 1,
            length: depth + 1,
        };
        for step in self.way() {
            tree.add(
                step.node,
                step.assumed * self.affinity.left,
                NodeStatistics::default(),
            );
        }
        tree.keep(self.path[..depth].iter().map(|step| step.node));
    }

    /// Leaves the node where the thread stays, and takes back what simulations that will not be made were assumed to
    /// get.
    pub(super) fn leave<T: TreeAccess<G::Move>>(&mut self, tree: &mut T) {
        tree.let_go();
        for step in self.way() {
            tree.add(
                step.node,
                NodeStatistics::default(),
                step.assumed * self.affinity.left,
            );
        }
        self.affinity = Affinity::default();
    }

    /// The way to the node where the thread stays.
    fn way(&self) -> &[Step] {
        &self.path[..self.affinity.length]
    }
}

fn is_open<M: Packed>(tree: &Tree<M>, step: &Step) -> bool {
    !tree.link(step.node).is_proven()
}
