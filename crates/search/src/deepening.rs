//! What searches with iterative deepening share: limits, counters, and what they keep for each ply.

use crate::{Progress, StopReason, Tick, Watch};
use std::ops::{Index, IndexMut};

/// The limits and counters of a search under way, and what it has to tell.
pub(crate) struct Control<'a, M> {
    pub watch: Watch,
    progress: &'a mut dyn FnMut(&Progress<M>),
    /// What was known after the last iteration that was finished, or as far as one has come that found a
    /// better move.
    pub latest: Progress<M>,
    /// Positions visited below the root.
    pub nodes: u64,
    /// See [`Details::cutoffs`](crate::Details::cutoffs).
    pub cutoffs: u64,
    /// See [`Details::left_out`](crate::Details::left_out).
    pub left_out: u64,
    pub max_nodes: u64,
    /// Whether the limits apply.
    pub may_stop: bool,
    /// Once set, everything returns at once, and what it returns means nothing.
    pub stopped: Option<StopReason>,
}

impl<'a, M> Control<'a, M> {
    pub fn new(
        watch: Watch,
        max_nodes: Option<u64>,
        progress: &'a mut dyn FnMut(&Progress<M>),
    ) -> Self {
        Control {
            watch,
            progress,
            latest: Progress::nothing(),
            nodes: 0,
            cutoffs: 0,
            left_out: 0,
            max_nodes: max_nodes.unwrap_or(u64::MAX),
            may_stop: false,
            stopped: None,
        }
    }

    /// Whether the search is to end, which is asked at every node.
    #[inline]
    pub fn is_stopped(&mut self) -> bool {
        if !self.may_stop {
            return false;
        }
        if self.stopped.is_some() {
            return true;
        }
        if self.nodes >= self.max_nodes {
            self.stopped = Some(StopReason::Nodes);
            return true;
        }
        match self.watch.tick(self.nodes) {
            Tick::Continue => {}
            Tick::Progress => {
                self.update_counters();
                (self.progress)(&self.latest);
            }
            Tick::Stop(reason) => self.stopped = Some(reason),
        }
        self.stopped.is_some()
    }

    pub fn update_counters(&mut self) {
        self.latest.nodes = self.nodes;
        self.latest.details.cutoffs = self.cutoffs;
        self.latest.details.left_out = self.left_out;
        self.latest.elapsed = self.watch.elapsed();
    }
}

/// A list for each ply, which is used again and again.
pub(crate) struct PerPly<T>(Vec<Vec<T>>);

impl<T> PerPly<T> {
    pub fn new() -> Self {
        PerPly(Vec::new())
    }

    /// Makes room for a node at this ply and for its children.
    #[inline]
    pub fn make_room(&mut self, ply: usize) {
        if self.0.len() < ply + 2 {
            self.0.resize_with(ply + 2, Vec::new);
        }
    }
}

impl<M: Copy> PerPly<M> {
    /// Where these are the best lines from each ply on: the one from this ply on is a move, then the best line after it.
    pub fn extend_line(&mut self, ply: usize, mv: M) {
        let (before, after) = self.0.split_at_mut(ply + 1);
        let line = &mut before[ply];
        line.clear();
        line.push(mv);
        line.extend_from_slice(&after[0]);
    }
}

impl<T> Index<usize> for PerPly<T> {
    type Output = Vec<T>;

    #[inline]
    fn index(&self, ply: usize) -> &Vec<T> {
        &self.0[ply]
    }
}

impl<T> IndexMut<usize> for PerPly<T> {
    #[inline]
    fn index_mut(&mut self, ply: usize) -> &mut Vec<T> {
        &mut self.0[ply]
    }
}
