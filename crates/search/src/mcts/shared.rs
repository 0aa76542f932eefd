//! What the threads of one search share besides the tree.

use super::params::Params;
use super::points::MAX_VISITS;
use super::tree::{ROOT, Tree};
use crate::{Limits, StopReason};
use game::Game;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};

/// One search: its position, its tree, its limits, and how far it is.
pub(super) struct Shared<'a, G: Game> {
    pub position: &'a G,
    pub tree: &'a Tree<G::Move>,
    pub params: &'a Params,
    pub limits: &'a Limits,
    /// Nodes of the tree when the search began, less those that were dropped since then.
    pub nodes_before: i64,
    /// Simulations that threads have begun, or are about to.
    pub claimed: &'a AtomicU64,
    /// What each thread has done.
    pub tallies: &'a [Tally],
    /// Whether the tree has no room left.
    pub tree_is_full: &'a AtomicBool,
    /// Whether that is a reason to stop.
    pub stops_when_full: bool,
    /// Why all threads shall stop.
    pub stop: OnceLock<StopReason>,
}

/// What one thread has done in a search. Only this thread writes it; a cache line of its own keeps the
/// others from waiting for it.
#[derive(Debug, Default)]
#[repr(align(128))]
pub(super) struct Tally {
    pub simulations: AtomicU64,
    pub playouts: AtomicU64,
    /// The longest way down the tree.
    pub depth: AtomicU64,
}

impl Tally {
    /// A simulation is over.
    #[inline]
    pub(super) fn count(&self, playouts: u32, depth: usize) {
        let add = |counter: &AtomicU64, more| counter.store(counter.load(Relaxed) + more, Relaxed);
        add(&self.simulations, 1);
        add(&self.playouts, playouts.into());
        let deepest = self.depth.load(Relaxed).max(depth as u64);
        self.depth.store(deepest, Relaxed);
    }
}

impl<G: Game> Shared<'_, G> {
    /// Simulations that a thread claims at once.
    pub(super) fn batch(&self) -> u64 {
        if self.tallies.len() == 1 { 1 } else { 4 }
    }

    /// Claims simulations: as many as a batch, or fewer at the limit.
    #[inline]
    pub(super) fn claim(&self) -> u64 {
        let batch = self.batch();
        let before = self.claimed.fetch_add(batch, Relaxed);
        match self.limits.simulations {
            Some(limit) => limit.saturating_sub(before).min(batch),
            None => batch,
        }
    }

    /// Simulations that are over.
    #[inline]
    pub(super) fn simulations(&self) -> u64 {
        sum(self.tallies, |tally| &tally.simulations)
    }

    /// Nodes that this search has added.
    fn nodes_added(&self) -> u64 {
        (self.tree.len() as i64 - self.nodes_before) as u64
    }

    /// The limits that are not the clock's, and not the number of simulations.
    #[inline]
    pub(super) fn reason_to_stop(&self) -> Option<StopReason> {
        if let Some(&reason) = self.stop.get() {
            Some(reason)
        } else if self.tree.link(ROOT).is_proven() {
            Some(StopReason::Proven)
        } else if self.tree.visits(ROOT) > MAX_VISITS - self.params.playouts {
            Some(StopReason::Simulations)
        } else if self
            .limits
            .nodes
            .is_some_and(|limit| self.nodes_added() >= limit)
        {
            Some(StopReason::Nodes)
        } else if self.tree_is_full.load(Relaxed) && self.stops_when_full {
            Some(StopReason::MemoryLimit)
        } else {
            None
        }
    }
}

/// What all threads have counted.
#[inline]
pub(super) fn sum(tallies: &[Tally], counter: impl Fn(&Tally) -> &AtomicU64) -> u64 {
    let counts = tallies.iter().map(|tally| counter(tally).load(Relaxed));
    counts.sum()
}
