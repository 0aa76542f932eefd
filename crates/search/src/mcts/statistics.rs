//! What a search did, for people who want to know where its time went.

use crate::clock::Instant;
use std::time::Duration;

/// The phases of a simulation, in the order of [`Statistics::phases`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Phase {
    /// Down the tree, the moves on the board included.
    Descent,
    /// Children for a leaf; probes and evaluations.
    Expansion,
    /// The playouts.
    Playout,
    /// The results up the tree.
    BackPropagation,
}

/// What the searches of one engine did since the last [`set_position`](super::Mcts::set_position).
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Statistics {
    /// The share of each [`Phase`] in the time of the simulations, together 1; 0 each before anything was
    /// measured. One simulation in 64 is timed.
    pub phases: [f64; 4],
    /// Simulations.
    pub simulations: u64,
    /// The mean number of plies that a simulation went down the tree.
    pub mean_depth: f64,
    /// The longest way down the tree, in plies.
    pub max_depth: u32,
    /// How often parts of the tree were dropped because it was full.
    pub collections: u64,
    /// How playouts ended, by kind, with their numbers, if the policy tells.
    pub ends: Vec<(&'static str, u64)>,
}

/// Simulations from one that is timed to the next. A clock that is read five times takes as long as a
/// fraction of a simulation.
const TIMED_EVERY: u64 = 64;

/// Counts and times simulations.
#[derive(Clone, Debug, Default)]
pub(super) struct Counter {
    simulations: u64,
    plies: u64,
    max_depth: u32,
    times: [Duration; 4],
    /// The beginning of the phase that runs, in a simulation that is timed.
    since: Option<Instant>,
}

impl Counter {
    /// A simulation begins, with the descent.
    #[inline]
    pub(super) fn begin(&mut self) {
        if self.simulations.is_multiple_of(TIMED_EVERY) {
            self.since = Some(Instant::now());
        }
    }

    /// A phase ends, and another begins.
    #[inline]
    pub(super) fn end(&mut self, phase: Phase) {
        if let Some(since) = &mut self.since {
            let now = Instant::now();
            self.times[phase as usize] += now - *since;
            *since = now;
        }
    }

    /// The simulation is over, after so many plies in the tree.
    #[inline]
    pub(super) fn finish(&mut self, depth: u32) {
        self.since = None;
        self.simulations += 1;
        self.plies += u64::from(depth);
        self.max_depth = self.max_depth.max(depth);
    }

    /// Adds what another thread has counted.
    pub(super) fn add(&mut self, other: &Counter) {
        self.simulations += other.simulations;
        self.plies += other.plies;
        self.max_depth = self.max_depth.max(other.max_depth);
        for (time, more) in self.times.iter_mut().zip(other.times) {
            *time += more;
        }
    }

    pub(super) fn statistics(
        &self,
        collections: u64,
        ends: Vec<(&'static str, u64)>,
    ) -> Statistics {
        let times = self.times.map(|time| time.as_secs_f64());
        let total: f64 = times.iter().sum();
        Statistics {
            phases: times.map(|time| if total > 0.0 { time / total } else { 0.0 }),
            simulations: self.simulations,
            mean_depth: self.plies as f64 / self.simulations.max(1) as f64,
            max_depth: self.max_depth,
            collections,
            ends,
        }
    }
}
