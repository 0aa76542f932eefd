//! The tree: nodes in an [`Arena`], the children of a node next to each other.
//!
//! Any number of threads may search one tree, and none ever waits for another. What is counted is added
//! atomically. A node gets its children from the one thread that [claims](Tree::claim) it: it writes them
//! where nobody looks yet, and publishes them with one atomic store to the node's link, with release
//! order; whoever finds children in a link, which is read with acquire order, sees all of them
//! (`loom` tries every order of events, in the tests). RAVE's results are not worth an atomic addition:
//! of two threads that add to the same child at the same moment, one may be lost.
//!
//! Children come after their parent in the arena, always: they are appended when the parent is expanded,
//! and [`compact`](super::compact) keeps the order.
//!
//! Values are absolute (White's points, outcomes that name the winner), so that nothing here depends on
//! whose turn it is, nor on the turns alternating. RAVE's alone belong to the side that makes the move.

use super::arena::{Arena, Full};
use super::node_header::{
    CLAIMED, EVALUATED, FORCED, HAS_DRAW, HAS_PROOF, MAX_CHILDREN, NodeHeader,
};
use super::node_statistics::NodeStatistics;
use super::tree_policy::Leaf;
use crate::sync::Ordering;
use game::{Outcome, Packed, Side};
use std::marker::PhantomData;
use std::ops::Range;
use std::sync::atomic::AtomicBool;

/// The index of the root.
pub(super) const ROOT: u32 = 0;

/// What is known of one node.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Node {
    /// The results of the playouts that came through.
    pub points: NodeStatistics,
    /// The exact value under the rules.
    pub proven: Option<Outcome>,
    /// See [`NodeHeader::distance`].
    pub distance: u8,
}

impl Node {
    /// Playouts that came through.
    #[inline]
    pub(super) fn visits(&self) -> u32 {
        self.points.visits
    }

    /// The mean result for a side, between 0 and 1. Needs at least one visit.
    #[inline]
    pub(super) fn mean(&self, side: Side) -> f64 {
        f64::from(self.points.halves(side)) / (2.0 * f64::from(self.points.visits))
    }
}

/// A tree of positions, the root included. Never empty.
#[derive(Debug)]
pub(super) struct Tree<M> {
    pub(super) arena: Arena,
    /// Whether a node ever had a prior from knowledge.
    has_priors: AtomicBool,
    moves: PhantomData<fn() -> M>,
}

impl<M: Packed> Tree<M> {
    /// A tree of a root alone that will take at most `memory` bytes, with what RAVE needs or without.
    pub(super) fn new(memory: usize, with_rave: bool) -> Self {
        let mut tree = Tree {
            arena: Arena::new(with_rave, memory),
            has_priors: AtomicBool::new(false),
            moves: PhantomData,
        };
        tree.clear();
        tree
    }

    /// Forgets everything but the memory.
    pub(super) fn clear(&mut self) {
        self.arena.truncate(1);
        self.write_blank(0..1);
    }

    /// The number of nodes.
    #[inline]
    pub(super) fn len(&self) -> usize {
        self.arena.end() as usize
    }

    /// How the node hangs in the tree, and what is certain of it. If it has children, they can be read.
    #[inline]
    pub(super) fn link(&self, index: u32) -> NodeHeader {
        NodeHeader(self.arena.links[index as usize].load(Ordering::Acquire))
    }

    /// What is known of a node.
    #[inline]
    pub(super) fn node(&self, index: u32) -> Node {
        let link = self.link(index);
        Node {
            points: self.points(index),
            proven: link.proven(),
            distance: link.distance(),
        }
    }

    /// The results of a node.
    #[inline]
    pub(super) fn points(&self, index: u32) -> NodeStatistics {
        NodeStatistics::of_word(self.arena.stats[index as usize].load(Ordering::Relaxed))
    }

    #[inline]
    pub(super) fn visits(&self, index: u32) -> u32 {
        self.points(index).visits
    }

    /// Adds a word of results to those of a node.
    #[inline]
    pub(super) fn count(&self, index: u32, more: u64) {
        self.arena.stats[index as usize].fetch_add(more, Ordering::Relaxed);
    }

    #[inline]
    pub(super) fn proven(&self, index: u32) -> Option<Outcome> {
        self.link(index).proven()
    }

    /// The indices of a node's children.
    #[inline]
    pub(super) fn children(&self, index: u32) -> Range<u32> {
        self.link(index).children()
    }

    /// A child that is a proven draw, if the node with this link has one.
    #[inline]
    pub(super) fn drawn_child(&self, link: NodeHeader) -> Option<u32> {
        if !link.has_draw() {
            return None;
        }
        link.children()
            .find(|&child| self.proven(child) == Some(Outcome::Draw))
    }

    /// Whether priors make a difference among the children of the node with this link.
    #[inline]
    pub(super) fn priors_matter(&self, link: NodeHeader) -> bool {
        link.has_proof() || self.has_priors.load(Ordering::Relaxed)
    }

    /// Writes down the exact value of a node, which is not searched any more.
    pub(super) fn prove(&self, index: u32, outcome: Outcome, distance: u8) {
        let proof = |link| Some(NodeHeader(link).with_proof(outcome, distance).0);
        let link = &self.arena.links[index as usize];
        // It cannot fail: the function always gives a value.
        let _ = link.fetch_update(Ordering::AcqRel, Ordering::Relaxed, proof);
        let prior = &self.arena.priors[index as usize];
        // Not a plain store: it comes before or after an addition of another thread, never in between.
        prior.swap(f32::NEG_INFINITY.to_bits(), Ordering::Relaxed);
    }

    /// Forgets the value of the root.
    pub(super) fn forget_proof_of_root(&self) {
        let link = self.link(ROOT).without_proof();
        self.arena.links[0].store(link.0, Ordering::Relaxed);
        self.arena.priors[0].store(0, Ordering::Relaxed);
    }

    /// Notes that one of the node's children is proven, and whether one is a draw.
    pub(super) fn note_proven_child(&self, index: u32, is_draw: bool) {
        let flags = if is_draw {
            HAS_PROOF | HAS_DRAW
        } else {
            HAS_PROOF
        };
        let link = &self.arena.links[index as usize];
        link.fetch_or(flags, Ordering::Relaxed);
    }

    /// What RAVE knows of a move: visits, and half points of the side that makes it.
    #[cfg(all(test, not(feature = "loom")))]
    pub(super) fn rave(&self, index: u32) -> NodeStatistics {
        NodeStatistics::of_word(self.arena.rave[index as usize].load(Ordering::Relaxed))
    }

    /// The move that leads to a node other than the root.
    #[inline]
    pub(super) fn mv(&self, index: u32) -> M {
        M::unpack(self.arena.moves[index as usize].load(Ordering::Relaxed))
    }

    /// Claims the right to give a node children, which one thread alone has, and which is lost if the
    /// node is [released](Tree::release) without.
    #[inline]
    pub(super) fn claim(&self, index: u32) -> bool {
        let link = &self.arena.links[index as usize];
        let before = NodeHeader(link.fetch_or(CLAIMED, Ordering::Relaxed));
        !before.is_expanded() && before.0 & CLAIMED == 0
    }

    /// Claims the probe of a node at so many sizes, which one thread alone has.
    pub(super) fn claim_probe(&self, index: u32, sizes: u32) -> bool {
        let link = &self.arena.links[index as usize];
        let probed = |link| NodeHeader(link).with_probed(sizes).map(|link| link.0);
        link.fetch_update(Ordering::Relaxed, Ordering::Relaxed, probed)
            .is_ok()
    }

    /// Claims the right to evaluate a node, which one thread alone has, once.
    pub(super) fn claim_evaluation(&self, index: u32) -> bool {
        let link = &self.arena.links[index as usize];
        let before = NodeHeader(link.fetch_or(EVALUATED, Ordering::Relaxed));
        !before.is_evaluated()
    }

    /// Adds to the priors of the children of the node with this link, in their order; nothing to those that are proven.
    pub(super) fn add_to_priors(&self, link: NodeHeader, more: &[f32]) {
        let priors = &self.arena.priors[link.child_range()];
        for (known, more) in priors.iter().zip(more) {
            // A child that another thread proves meanwhile keeps minus infinity, whatever finite is added.
            let sum = |prior| Some((f32::from_bits(prior) + more).to_bits());
            let _ = known.fetch_update(Ordering::Relaxed, Ordering::Relaxed, sum);
        }
        if !more.is_empty() {
            self.note_priors();
        }
    }

    /// Notes that there are priors.
    fn note_priors(&self) {
        // Stored each time, it would take its cache line from all threads that read it.
        if !self.has_priors.load(Ordering::Relaxed) {
            self.has_priors.store(true, Ordering::Relaxed);
        }
    }

    /// Gives up the right to give a node children.
    pub(super) fn release(&self, index: u32) {
        let link = &self.arena.links[index as usize];
        link.fetch_and(!CLAIMED, Ordering::Relaxed);
    }

    /// Publishes the children of a node that this thread has [claimed](Tree::claim): all of them, or none
    /// if there is no room.
    pub(super) fn add_children(&self, parent: u32, leaf: &Leaf<M>) -> Result<(), Full>
    where
        M: Copy,
    {
        let count = u32::try_from(leaf.moves.len()).map_err(|_| Full)?;
        if count > MAX_CHILDREN {
            return Err(Full);
        }
        let first_child = self.arena.take(count)?;
        let children = NodeHeader::to_children(first_child, count, 0).child_range();
        self.write_blank(children.clone());
        for (known, &mv) in self.arena.moves[children.clone()].iter().zip(&leaf.moves) {
            known.store(mv.pack(), Ordering::Relaxed);
        }
        if !leaf.priors.is_empty() {
            for (known, prior) in self.arena.priors[children].iter().zip(&leaf.priors) {
                known.store(prior.to_bits(), Ordering::Relaxed);
            }
            self.note_priors();
        }
        let mut flags = if leaf.forced { FORCED } else { 0 };
        for &(child, outcome, distance) in &leaf.proven {
            self.prove(first_child + child as u32, outcome, distance);
            flags |= HAS_PROOF;
            if outcome == Outcome::Draw {
                flags |= HAS_DRAW;
            }
        }
        let children = NodeHeader::to_children(first_child, count, flags);
        // Everything written above is seen by whoever sees these bits.
        let link = &self.arena.links[parent as usize];
        link.fetch_or(children.0, Ordering::Release);
        Ok(())
    }

    /// Makes nodes such of which nothing is known.
    #[inline]
    fn write_blank(&self, range: Range<usize>) {
        let arena = &self.arena;
        for words in [&arena.stats, &arena.links] {
            for word in &words[range.clone()] {
                word.store(0, Ordering::Relaxed);
            }
        }
        for prior in &arena.priors[range.clone()] {
            prior.store(0, Ordering::Relaxed);
        }
        if arena.has_rave() {
            for word in &arena.rave[range] {
                word.store(0, Ordering::Relaxed);
            }
        }
    }
}
