//! Batched updates: the tree as one of several threads has it.
//!
//! RAVE adds to all children of all nodes of a path, so that threads would take the cache lines of the nodes
//! that all of them come through from each other in every simulation. What a thread has to add there it keeps
//! for itself until it is a sixteenth of what is known, or a batch. And while it stays below a node
//! ([`super::affinity`]), it keeps for itself what it counts above.

use super::access::{Siblings, TreeAccess};
use super::column::Column;
use super::node_header::NodeHeader;
use super::node_statistics::NodeStatistics;
use super::tree::Tree;
use crate::sync::Ordering::Relaxed;
use game::Packed;
use std::ops::Deref;

/// Nodes for which additions can be kept. Few nodes are visited by all threads again and again.
const SLOTS: usize = 64;

/// The most simulations whose additions are kept.
const BATCH: u32 = 32;

/// Of so many visits of a node the additions of one are kept.
const VISITS_PER_KEPT: u32 = 16;

/// A tree that other threads have too.
#[derive(Debug)]
pub(super) struct BatchedUpdates<'a, M: Packed> {
    tree: &'a Tree<M>,
    slots: Vec<Slot>,
    /// Nodes whose results are kept, and the words that are to be added to them.
    kept: Vec<(u32, u64)>,
}

/// What is to be added to the children of one node.
#[derive(Clone, Debug, Default)]
struct Slot {
    link: NodeHeader,
    simulations: u32,
    words: Vec<u64>,
}

impl<'a, M: Packed> BatchedUpdates<'a, M> {
    pub(super) fn new(tree: &'a Tree<M>) -> Self {
        BatchedUpdates {
            tree,
            slots: vec![Slot::default(); SLOTS],
            kept: Vec::new(),
        }
    }
}

impl<M: Packed> Deref for BatchedUpdates<'_, M> {
    type Target = Tree<M>;

    #[inline(always)]
    fn deref(&self) -> &Tree<M> {
        self.tree
    }
}

impl<M: Packed> TreeAccess<M> for BatchedUpdates<'_, M> {
    #[inline]
    fn add(&mut self, index: u32, points: NodeStatistics, assumed: NodeStatistics) {
        let more = points.word().wrapping_sub(assumed.word());
        match self.kept.iter_mut().find(|kept| kept.0 == index) {
            Some((_, sum)) => *sum = sum.wrapping_add(more),
            None => self.tree.count(index, more),
        }
    }

    fn keep(&mut self, nodes: impl Iterator<Item = u32>) {
        self.let_go();
        self.kept.extend(nodes.map(|node| (node, 0)));
    }

    fn let_go(&mut self) {
        for (node, sum) in self.kept.drain(..) {
            self.tree.count(node, sum);
        }
    }

    #[inline]
    fn add_rave(&mut self, node: u32, link: NodeHeader, table: impl Fn(M) -> u64) {
        let tree = self.tree;
        let range = link.child_range();
        let batch = (tree.visits(node) / VISITS_PER_KEPT).min(BATCH);
        let moves = tree.arena.moves[range.clone()].iter();
        let more = moves.map(|mv| table(M::unpack(mv.load(Relaxed))));
        if batch <= 1 {
            for (known, more) in tree.arena.rave[range].iter().zip(more) {
                // Not an atomic addition, which would take longer than all the rest.
                known.store(known.load(Relaxed).wrapping_add(more), Relaxed);
            }
            return;
        }
        let slot = &mut self.slots[link.first_child() as usize % SLOTS];
        if slot.link.first_child() != link.first_child() {
            slot.empty_into(tree);
            slot.link = link;
            slot.words.resize(range.len(), 0);
        }
        for (kept, more) in slot.words.iter_mut().zip(more) {
            *kept += more;
        }
        slot.simulations += 1;
        if slot.simulations >= batch {
            slot.empty_into(tree);
        }
    }

    #[inline]
    fn siblings(
        &mut self,
        link: NodeHeader,
    ) -> Siblings<impl Column<Value = u64>, impl Column<Value = u32>> {
        let range = link.child_range();
        let arena = &self.tree.arena;
        Siblings {
            count: range.len(),
            priors_matter: self.tree.priors_matter(link),
            stats: &arena.stats[range.clone()],
            rave: arena.rave.get(range.clone()).unwrap_or_default(),
            priors: &arena.priors[range],
        }
    }
}

impl Slot {
    /// Adds what is kept to the tree.
    fn empty_into<M: Packed>(&mut self, tree: &Tree<M>) {
        if self.simulations == 0 {
            return;
        }
        self.simulations = 0;
        let known = &tree.arena.rave[self.link.child_range()];
        for (known, kept) in known.iter().zip(&mut self.words) {
            known.store(known.load(Relaxed).wrapping_add(*kept), Relaxed);
            *kept = 0;
        }
    }
}

/// What is kept is in the tree when the thread is done.
impl<M: Packed> Drop for BatchedUpdates<'_, M> {
    fn drop(&mut self) {
        self.let_go();
        for slot in &mut self.slots {
            slot.empty_into(self.tree);
        }
    }
}
