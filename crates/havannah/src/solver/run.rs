//! One run of the search: its question, its limits, and what it counts.

use super::table::{Numbers, Question};
use game::Side;
use search::{Limits, StopReason, Tick, Watch};
use std::time::Duration;

/// What a solver tells while it works.
#[derive(Clone, Debug)]
pub struct SolveProgress {
    /// The question in work is whether this side wins.
    pub attacker: Side,
    /// The proof number of the root for this question.
    pub proof: u32,
    /// The disproof number.
    pub disproof: u32,
    /// Nodes expanded since the start.
    pub nodes: u64,
    /// Positions in the table.
    pub entries: u64,
    /// Time since the start.
    pub elapsed: Duration,
}

/// A run.
pub struct Run<'a> {
    /// The question is whether this side wins.
    pub attacker: Side,
    /// The same for the table.
    pub question: Question,
    /// Nodes expanded since the start.
    pub nodes: u64,
    /// The numbers of the root.
    pub root: Numbers,
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
            attacker: Side::White,
            question: Question::new(Side::White, Side::White, 0),
            nodes: 0,
            root: Numbers::UNKNOWN,
            stopped: None,
            watch: Watch::start(limits),
            most_nodes: limits.nodes.unwrap_or(u64::MAX),
            tell,
        }
    }

    /// Asks whether a side wins from a position with so many stones.
    pub fn ask(&mut self, attacker: Side, to_move: Side, stones: u32) {
        self.attacker = attacker;
        self.question = Question::new(attacker, to_move, stones);
        self.root = Numbers::UNKNOWN;
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
                attacker: self.attacker,
                proof: self.root.proof,
                disproof: self.root.disproof,
                nodes: self.nodes,
                entries,
                elapsed: self.watch.elapsed(),
            }),
            Tick::Stop(reason) => self.stopped = Some(reason),
        }
    }
}
