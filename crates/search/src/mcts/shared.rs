//! What the threads of one search share besides the tree.

use super::decide;
use super::node_statistics::MAX_VISITS;
use super::params::Params;
use super::tree::{ROOT, Tree};
use crate::clock::Instant;
use crate::sync::CachePadded;
use crate::{Details, Every, Limits, MoveStats, Progress, StopReason, Watch};
use game::{Game, Score};
use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use std::time::Duration;

/// One search: its position, its tree, its limits, and how far it is.
pub(super) struct Shared<'a, G: Game> {
    pub position: &'a G,
    pub params: &'a Params,
    pub limits: &'a Limits,
    pub started: Instant,
    /// Nodes of the tree when the search began, less those that were dropped since then.
    pub nodes_before: i64,
    /// Visits of the root when the search began.
    pub inherited: u64,
    /// Simulations that threads have begun, or are about to.
    pub claimed: CachePadded<AtomicU64>,
    /// What each thread has done.
    pub tallies: &'a [CachePadded<Tally>],
    /// Whether the tree has no room left.
    pub tree_is_full: AtomicBool,
    /// Whether that is a reason to stop.
    pub stops_when_full: bool,
    /// Why all threads shall stop.
    pub stop: OnceLock<StopReason>,
}

/// What one thread has done in a search. Only this thread writes it.
#[derive(Debug, Default)]
pub(super) struct Tally {
    pub simulations: AtomicU64,
    pub playouts: AtomicU64,
    /// The longest way down the tree.
    pub depth: AtomicU64,
}

/// Simulations that a thread claims at once.
const BATCH: u64 = 16;

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
    /// Claims a batch of simulations, or fewer at the limit.
    #[inline]
    pub(super) fn claim(&self) -> u64 {
        let before = self.claimed.0.fetch_add(BATCH, Relaxed);
        match self.limits.simulations {
            Some(limit) => limit.saturating_sub(before).min(BATCH),
            None => BATCH,
        }
    }

    /// Simulations that are over.
    #[inline]
    pub(super) fn simulations(&self) -> u64 {
        self.sum(|tally| &tally.simulations)
    }

    /// The limits of a search within this one that may take so many nodes.
    pub(super) fn limits_within(&self, nodes: u64) -> Limits {
        let left = |time: Duration| time.saturating_sub(self.started.elapsed());
        Limits {
            nodes: Some(nodes),
            time: self.limits.time.map(left),
            stop: self.limits.stop.clone(),
            ..Limits::default()
        }
    }

    /// Nodes that this search has added.
    pub(super) fn nodes_added(&self, tree: &Tree<G::Move>) -> u64 {
        (tree.len() as i64 - self.nodes_before) as u64
    }

    /// The limits that are not the clock's, and not the number of simulations.
    #[inline]
    pub(super) fn reason_to_stop(&self, tree: &Tree<G::Move>) -> Option<StopReason> {
        if let Some(&reason) = self.stop.get() {
            Some(reason)
        } else if tree.link(ROOT).is_proven() {
            Some(StopReason::Proven)
        } else if tree.visits(ROOT) > MAX_VISITS - self.params.largest_result() {
            Some(StopReason::Simulations)
        } else if self
            .limits
            .nodes
            .is_some_and(|limit| self.nodes_added(tree) >= limit)
        {
            Some(StopReason::Nodes)
        } else if self.tree_is_full.load(Relaxed) && self.stops_when_full {
            Some(StopReason::MemoryLimit)
        } else {
            None
        }
    }

    /// What is known now, and the signature of the moves.
    pub(super) fn progress(&self, tree: &Tree<G::Move>, watch: &Watch) -> (Progress<G::Move>, u64) {
        let decision = decide::decide(tree, self.position, self.params);
        let best = decision.moves.first();
        let mover = self.position.to_move();
        let root = tree.node(ROOT);
        let proven = root.proven.map(|outcome| outcome.seen_by(mover));
        let value = match proven {
            Some(exact) => exact.score(),
            None if root.visits() == 0 => Score::DRAW,
            None => Score(root.mean(mover)),
        };
        let line = |stats: &MoveStats<G::Move>| {
            decide::principal_variation(tree, self.position, stats.mv, self.params)
        };
        let is_open = |stats: &MoveStats<G::Move>| stats.visits == 0 && stats.proven.is_none();
        let looked_at = if self.limits.progress == Every::Never {
            0
        } else {
            let unknown = decision.moves.iter().position(is_open);
            unknown.unwrap_or(decision.moves.len())
        };
        let depth = self.tallies.iter().map(|tally| tally.0.depth.load(Relaxed));
        let progress = Progress {
            best: best.map(|best| best.mv),
            value,
            evaluation: None,
            proven,
            principal_variation: best.map_or_else(Vec::new, line),
            variations: decision.moves[..looked_at].iter().map(line).collect(),
            simulations: self.simulations(),
            playouts: self.sum(|tally| &tally.playouts),
            nodes: self.nodes_added(tree),
            depth: depth.max().unwrap_or(0) as u32,
            elapsed: watch.elapsed(),
            details: Details {
                inherited: self.inherited,
                ..Details::default()
            },
            moves: decision.moves,
        };
        (progress, decision.signature)
    }

    /// What all threads have counted.
    #[inline]
    fn sum(&self, counter: impl Fn(&Tally) -> &AtomicU64) -> u64 {
        let counts = self
            .tallies
            .iter()
            .map(|tally| counter(&tally.0).load(Relaxed));
        counts.sum()
    }
}
