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
use super::guide::Leaf;
use super::link::{CLAIMED, FORCED, HAS_DRAW, HAS_PROOF, Link, MAX_CHILDREN};
use super::points::Points;
use crate::sync::{AtomicU32, AtomicU64, Ordering};
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
    pub points: Points,
    /// The exact value under the rules.
    pub proven: Option<Outcome>,
    /// See [`Link::distance`].
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

/// What selection looks at, for the children of one node: a copy, because a compiler does not read several
/// atomic words at once.
#[derive(Clone, Debug, Default)]
pub(super) struct Candidates {
    /// Visits, and White's points counted in halves.
    pub stats: Pairs,
    /// What knowledge adds; −∞ for a child that is proven and need not be searched. Empty if nothing is
    /// added and no child is proven.
    pub priors: Vec<f32>,
    /// The same for RAVE, in half points of the side that makes the move. Empty without RAVE.
    pub rave: Pairs,
}

/// The counters of several words, each kind by itself.
#[derive(Clone, Debug, Default)]
pub(super) struct Pairs {
    pub visits: Vec<u32>,
    pub halves: Vec<u32>,
}

/// A tree of positions, the root included. Never empty.
#[derive(Debug)]
pub(super) struct Tree<M> {
    pub(super) arena: Arena,
    pub(super) with_rave: bool,
    /// Whether a node ever had a prior from knowledge.
    has_priors: AtomicBool,
    /// Nodes, which can be fewer than indices in use.
    pub(super) nodes: AtomicU32,
    moves: PhantomData<fn() -> M>,
}

impl<M: Packed> Tree<M> {
    /// A tree of a root alone that will take at most `memory` bytes, with what RAVE needs or without.
    pub(super) fn new(memory: usize, with_rave: bool) -> Self {
        let mut tree = Tree {
            arena: Arena::new(with_rave),
            with_rave,
            has_priors: AtomicBool::new(false),
            nodes: AtomicU32::new(0),
            moves: PhantomData,
        };
        tree.arena.set_limit(memory);
        tree.clear();
        tree
    }

    /// Forgets everything but the memory.
    pub(super) fn clear(&mut self) {
        self.arena.truncate(0);
        self.arena
            .take(1)
            .expect("a chunk of memory for a new search");
        self.write_blank(ROOT, 1);
        self.nodes = AtomicU32::new(1);
    }

    /// The number of nodes.
    #[inline]
    pub(super) fn len(&self) -> usize {
        self.nodes.load(Ordering::Relaxed) as usize
    }

    /// How the node hangs in the tree, and what is certain of it. If it has children, they can be read.
    #[inline]
    pub(super) fn link(&self, index: u32) -> Link {
        Link(self.arena.link(index).load(Ordering::Acquire))
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
    pub(super) fn points(&self, index: u32) -> Points {
        Points::of_word(self.arena.stats(index).load(Ordering::Relaxed))
    }

    #[inline]
    pub(super) fn visits(&self, index: u32) -> u32 {
        self.points(index).visits
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
    pub(super) fn drawn_child(&self, link: Link) -> Option<u32> {
        if !link.has_draw() {
            return None;
        }
        link.children()
            .find(|&child| self.proven(child) == Some(Outcome::Draw))
    }

    /// Whether a node may have a prior from knowledge.
    #[inline]
    pub(super) fn has_priors(&self) -> bool {
        self.has_priors.load(Ordering::Relaxed)
    }

    /// Counts results, and takes back those that were only assumed.
    #[inline]
    pub(super) fn add(&self, index: u32, points: Points, assumed: Points) {
        let more = points.word().wrapping_sub(assumed.word());
        self.arena.stats(index).fetch_add(more, Ordering::Relaxed);
    }

    /// Writes down the exact value of a node, which is not searched any more.
    pub(super) fn prove(&self, index: u32, outcome: Outcome, distance: u8) {
        let proof = |link| Some(Link(link).with_proof(outcome, distance).0);
        let link = self.arena.link(index);
        // It cannot fail: the function always gives a value.
        let _ = link.fetch_update(Ordering::AcqRel, Ordering::Relaxed, proof);
        let prior = self.arena.prior(index);
        prior.store(f32::NEG_INFINITY.to_bits(), Ordering::Relaxed);
    }

    /// Forgets the value of the root.
    pub(super) fn forget_proof_of_root(&self) {
        let link = self.link(ROOT).without_proof();
        self.arena.link(ROOT).store(link.0, Ordering::Relaxed);
        self.arena.prior(ROOT).store(0, Ordering::Relaxed);
    }

    /// Notes that one of the node's children is proven, and whether one is a draw.
    pub(super) fn note_proven_child(&self, index: u32, is_draw: bool) {
        let flags = if is_draw {
            HAS_PROOF | HAS_DRAW
        } else {
            HAS_PROOF
        };
        let link = self.arena.link(index);
        link.fetch_or(flags, Ordering::Relaxed);
    }

    /// Adds to what RAVE knows of the children of a node: `table` says what, by move, visits and half
    /// points in one word.
    #[inline]
    pub(super) fn add_rave(&self, link: Link, table: impl Fn(M) -> u64) {
        let (chunk, begin) = self.arena.at(link.first_child());
        let range = begin..begin + link.count() as usize;
        for (known, mv) in chunk.rave[range.clone()].iter().zip(&chunk.moves[range]) {
            let more = table(M::unpack(mv.load(Ordering::Relaxed)));
            // Not an atomic addition, which would take longer than all the rest.
            known.store(
                known.load(Ordering::Relaxed).wrapping_add(more),
                Ordering::Relaxed,
            );
        }
    }

    /// What RAVE knows of a move: visits, and half points of the side that makes it.
    #[cfg(all(test, not(loom)))]
    pub(super) fn rave(&self, index: u32) -> Points {
        let (chunk, at) = self.arena.at(index);
        Points::of_word(chunk.rave[at].load(Ordering::Relaxed))
    }

    /// The move that leads to a node other than the root.
    #[inline]
    pub(super) fn mv(&self, index: u32) -> M {
        M::unpack(self.arena.mv(index).load(Ordering::Relaxed))
    }

    /// Looks at the children of a node that has some.
    #[inline]
    pub(super) fn candidates(&self, link: Link, into: &mut Candidates) {
        let (chunk, begin) = self.arena.at(link.first_child());
        let range = begin..begin + link.count() as usize;
        read(&chunk.stats[range.clone()], &mut into.stats);
        into.priors.clear();
        if link.has_proof() || self.has_priors() {
            let prior = |known: &AtomicU32| f32::from_bits(known.load(Ordering::Relaxed));
            into.priors
                .extend(chunk.priors[range.clone()].iter().map(prior));
        }
        if self.with_rave {
            read(&chunk.rave[range], &mut into.rave);
        }
    }

    /// Claims the right to give a node children, which one thread alone has, and which is lost if the
    /// node is [released](Tree::release) without.
    #[inline]
    pub(super) fn claim(&self, index: u32) -> bool {
        let link = self.arena.link(index);
        let before = Link(link.fetch_or(CLAIMED, Ordering::Relaxed));
        !before.is_expanded() && before.0 & CLAIMED == 0
    }

    /// Gives up the right to give a node children.
    pub(super) fn release(&self, index: u32) {
        self.arena
            .link(index)
            .fetch_and(!CLAIMED, Ordering::Relaxed);
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
        let first_child = self.arena.take(count.max(1))?;
        self.nodes.fetch_add(count, Ordering::Relaxed);
        self.write_blank(first_child, count);
        let (chunk, begin) = self.arena.at(first_child);
        for (known, &mv) in chunk.moves[begin..].iter().zip(&leaf.moves) {
            known.store(mv.pack(), Ordering::Relaxed);
        }
        if !leaf.priors.is_empty() {
            for (known, prior) in chunk.priors[begin..].iter().zip(&leaf.priors) {
                known.store(prior.to_bits(), Ordering::Relaxed);
            }
            self.has_priors.store(true, Ordering::Relaxed);
        }
        let mut flags = if leaf.forced { FORCED } else { 0 };
        for &(child, outcome, distance) in &leaf.proven {
            self.prove(first_child + child as u32, outcome, distance);
            flags |= HAS_PROOF;
            if outcome == Outcome::Draw {
                flags |= HAS_DRAW;
            }
        }
        let children = Link::to_children(first_child, count, flags);
        // Everything written above is seen by whoever sees these bits.
        let link = self.arena.link(parent);
        link.fetch_or(children.0, Ordering::Release);
        Ok(())
    }

    /// Makes nodes of one chunk such of which nothing is known.
    #[inline]
    fn write_blank(&self, first: u32, count: u32) {
        let (chunk, begin) = self.arena.at(first);
        let range = begin..begin + count as usize;
        let links = &chunk.links[range.clone()];
        let priors = &chunk.priors[range.clone()];
        let nodes = chunk.stats[range.clone()].iter().zip(links).zip(priors);
        for ((stats, link), prior) in nodes {
            stats.store(0, Ordering::Relaxed);
            link.store(0, Ordering::Relaxed);
            prior.store(0, Ordering::Relaxed);
        }
        if self.with_rave {
            for rave in &chunk.rave[range] {
                rave.store(0, Ordering::Relaxed);
            }
        }
    }
}

#[inline]
fn read(known: &[AtomicU64], into: &mut Pairs) {
    into.visits.resize(known.len(), 0);
    into.halves.resize(known.len(), 0);
    let pairs = into.visits.iter_mut().zip(&mut into.halves);
    for (known, (visits, halves)) in known.iter().zip(pairs) {
        let word = known.load(Ordering::Relaxed);
        *visits = word as u32;
        *halves = (word >> 32) as u32;
    }
}
