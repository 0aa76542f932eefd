//! One run of the search: its limits, and what it counts.

use search::{Limits, StopReason, Tick, Watch};
use std::time::Duration;

/// What the solver tells while it works.
#[derive(Clone, Debug)]
pub struct SolveProgress {
    /// Nodes expanded since the start.
    pub nodes: u64,
    /// Positions in the table.
    pub entries: u64,
    /// Time since the start.
    pub elapsed: Duration,
}

/// A run.
pub(super) struct Run<'a> {
    /// Nodes expanded since the start.
    pub nodes: u64,
    /// Why the run has to end before its time.
    pub stopped: Option<StopReason>,
    watch: Watch,
    most_nodes: u64,
    tell: &'a mut dyn FnMut(&SolveProgress),
}

impl<'a> Run<'a> {
    /// Starts the clock.
    pub fn start(limits: &Limits, tell: &'a mut dyn FnMut(&SolveProgress)) -> Run<'a> {
        Run {
            nodes: 0,
            stopped: None,
            watch: Watch::start(limits),
            most_nodes: limits.nodes.unwrap_or(u64::MAX),
            tell,
        }
    }

    /// The time since the start.
    pub fn elapsed(&self) -> Duration {
        self.watch.elapsed()
    }

    /// Counts a node, and sees whether the run has to end.
    #[inline]
    pub fn count_node(&mut self, entries: u64) {
        self.nodes += 1;
        if self.nodes > self.most_nodes {
            self.stopped = Some(StopReason::Nodes);
            return;
        }
        match self.watch.tick(self.nodes) {
            Tick::Continue => {}
            Tick::Progress => (self.tell)(&SolveProgress {
                nodes: self.nodes,
                entries,
                elapsed: self.watch.elapsed(),
            }),
            Tick::Stop(reason) => self.stopped = Some(reason),
        }
    }
}
