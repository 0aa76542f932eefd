//! What a solver tells, on its way and in the end.

use super::{Numbers, ProofNumbers};
use crate::{Limits, StopReason, Tick, Watch};
use game::{Outcome, Side};
use std::time::Duration;

/// What a solver knows while it works.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct SolveProgress {
    /// The question is whether this side wins. `None` for a solver that asks for the value itself.
    pub attacker: Option<Side>,
    /// The proof number of the root for this question; 0 for a solver without proof numbers.
    pub proof: u32,
    /// The disproof number likewise.
    pub disproof: u32,
    /// Plies to which the search is confined, or simulations have come; 0 where there is no bound.
    pub depth: u32,
    /// Positions expanded since the start.
    pub nodes: u64,
    /// Positions in the tree or table.
    pub entries: u64,
    /// The bytes that they take.
    pub bytes: usize,
    /// Time since the start.
    pub elapsed: Duration,
}

impl SolveProgress {
    /// The same with the numbers of the root, as its side to move sees them, if there is a question.
    #[must_use]
    pub fn with(self, numbers: Numbers, to_move: Side) -> SolveProgress {
        let Some(attacker) = self.attacker else {
            return self;
        };
        let ProofNumbers {
            proof, disproof, ..
        } = numbers.both(to_move == attacker);
        SolveProgress {
            proof,
            disproof,
            ..self
        }
    }
}

/// What a solver has found out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SolveReport<M> {
    /// The value under the rules; `None` if the limits were reached first.
    pub outcome: Option<Outcome>,
    /// A move of the side to move that keeps the value; one that resists, if the solver knows one, where
    /// it loses. `None` if the game is over or the value unknown.
    pub best: Option<M>,
    /// Positions expanded, counted again when the search came back to one that it had dropped.
    pub nodes: u64,
    /// Positions in the tree or table at the end.
    pub entries: u64,
    /// The bytes that they take.
    pub bytes: usize,
    /// The time that it took.
    pub elapsed: Duration,
    /// Why it ended.
    pub stop: StopReason,
}

impl<M> SolveReport<M> {
    /// The winner, if it is known and there is one.
    pub fn winner(&self) -> Option<Side> {
        self.outcome.and_then(Outcome::winner)
    }

    /// The same report with another best move, perhaps of another kind.
    pub fn with_best<N>(self, best: Option<N>) -> SolveReport<N> {
        SolveReport {
            outcome: self.outcome,
            best,
            nodes: self.nodes,
            entries: self.entries,
            bytes: self.bytes,
            elapsed: self.elapsed,
            stop: self.stop,
        }
    }
}

/// A run of a solver: its limits, and what it counts.
pub struct Run<'a> {
    /// See [`SolveReport::nodes`].
    pub nodes: u64,
    /// Why the search has to end before its time; `None` as long as it need not.
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

    /// Counts a node; see [`count_nodes`](Run::count_nodes).
    #[inline]
    pub fn count_node(&mut self, progress: impl FnOnce() -> SolveProgress) {
        self.count_nodes(self.nodes + 1, progress);
    }

    /// To be called with the number of nodes after each of them: sees whether the run has to end, or to
    /// tell of its progress, of which nodes and time are filled in here.
    #[inline]
    pub fn count_nodes(&mut self, nodes: u64, progress: impl FnOnce() -> SolveProgress) {
        self.nodes = nodes;
        if self.nodes > self.most_nodes {
            self.stopped = Some(StopReason::Nodes);
            return;
        }
        self.tick(progress);
    }

    #[inline]
    fn tick(&mut self, progress: impl FnOnce() -> SolveProgress) {
        match self.watch.tick(self.nodes) {
            Tick::Continue => {}
            Tick::Progress => (self.tell)(&SolveProgress {
                nodes: self.nodes,
                elapsed: self.watch.elapsed(),
                ..progress()
            }),
            Tick::Stop(reason) => self.stopped = Some(reason),
        }
    }

    /// To be called between nodes, where one takes long: whether the run may go on.
    pub fn goes_on(&mut self) -> bool {
        if self.stopped.is_none() {
            self.tick(SolveProgress::default);
        }
        self.stopped.is_none()
    }

    /// The report of a run that ends here, with the entries of its tree or table and their bytes.
    pub fn report<M>(
        &self,
        solution: Option<Solution<M>>,
        entries: u64,
        bytes: usize,
    ) -> SolveReport<M> {
        let (outcome, best) = match solution {
            Some(solution) => (Some(solution.outcome), solution.best),
            None => (None, None),
        };
        SolveReport {
            outcome,
            best,
            nodes: self.nodes,
            entries,
            bytes,
            elapsed: self.watch.elapsed(),
            stop: self.stopped.unwrap_or(StopReason::Proven),
        }
    }
}

/// A value with a move that keeps it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Solution<M> {
    /// The value under the rules.
    pub outcome: Outcome,
    /// See [`SolveReport::best`].
    pub best: Option<M>,
}
