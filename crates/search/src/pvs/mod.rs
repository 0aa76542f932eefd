//! Principal-variation search with iterative deepening, for games in which the sides take turns.
//!
//! Alpha-beta with what makes it fast: a transposition table, moves ordered by the evaluation after them
//! and by what was good elsewhere, empty windows after the first move, windows round the value of the
//! iteration before, late moves searched less deeply, and threads that share the table ("lazy SMP"). It
//! finds good moves sooner than [`alphabeta`](crate::alphabeta), whose every iteration is exact to its
//! depth, and the values of its iterations are those of no fixed depth.
//!
//! A win or a loss that it reports is proven all the same: it follows from ended games, and positions are
//! told apart by their whole keys. Draws are values like others, and never proven.

mod deepen;
mod domain;
mod evaluation_cache;
mod node;
mod order;
mod params;
mod table;

pub use domain::{Domain, Evaluation, Solved};
pub use params::Params;

use crate::threads;
use crate::{Limits, Progress, Report, StopFlag, StopReason, Watch};
use deepen::Deepening;
use evaluation_cache::EvaluationCache;
use game::Game;
use node::Worker;
use order::Memory;
use table::Table;

/// A principal-variation search with its position, its domain and its table.
///
/// The table and what was learnt of moves and positions are kept from one search to the next, whatever the position.
/// With one thread the same calls, limited by depth or nodes, give the same reports on every machine.
pub struct Pvs<G: Game, U: Domain<G>> {
    position: G,
    domain: U,
    params: Params,
    table: Table<U::Key, U::Move>,
    /// What the main thread has learnt.
    learnt: Learnt<U::Key, U::Move>,
    /// What the other threads have.
    helpers: Vec<Learnt<U::Key, U::Move>>,
    generation: u8,
}

/// What one thread has learnt.
struct Learnt<K, M> {
    moves: Memory<M>,
    evaluations: EvaluationCache<K>,
}

impl<K: Copy + Eq, M: Copy + Eq> Learnt<K, M> {
    fn new(slots: usize) -> Self {
        Learnt {
            moves: Memory::new(slots),
            evaluations: EvaluationCache::new(),
        }
    }
}

impl<G: Game, U: Domain<G>> Pvs<G, U> {
    /// A search from a position.
    pub fn new(position: G, domain: U, params: Params) -> Self {
        let helpers = (1..params.threads).map(|_| Learnt::new(domain.slots()));
        Pvs {
            position,
            learnt: Learnt::new(domain.slots()),
            helpers: helpers.collect(),
            table: Table::new(table_memory::<U::Key>(&params)),
            domain,
            params,
            generation: 0,
        }
    }

    /// The position at the root.
    pub fn position(&self) -> &G {
        &self.position
    }

    /// Another position.
    pub fn set_position(&mut self, position: G) {
        self.position = position;
    }

    /// Plays a move.
    ///
    /// # Errors
    /// If the move is not legal. Nothing has changed then.
    pub fn advance(&mut self, mv: G::Move) -> Result<(), G::Illegal> {
        self.position.try_play(mv)
    }

    /// Searches until a limit is reached or it is proven who wins, calling `progress` as often as the
    /// limits say.
    ///
    /// A move without alternative gets a tenth of the limits. With several threads a limit of nodes is
    /// divided among them. An iteration of one ply is finished whatever the limits are, so that there is
    /// an answer.
    pub fn search(
        &mut self,
        limits: &Limits,
        progress: &mut dyn FnMut(&Progress<G::Move>),
    ) -> Report<G::Move> {
        let watch = Watch::start(limits);
        if let Some(outcome) = self.position.outcome() {
            let result = outcome.seen_by(self.position.to_move());
            return Progress::game_over(result, watch.elapsed()).stopped(StopReason::Proven, 0);
        }
        self.generation = self.generation.wrapping_add(1);
        self.table.make_room(most_nodes(limits), U::hash);
        let threads = 1 + self.helpers.len() as u64;
        let deepening = Deepening {
            params: &self.params,
            generation: self.generation,
            first_depth: 1,
            depth: limits.depth,
            nodes: limits.nodes.map(|nodes| nodes.div_ceil(threads)),
            time: limits.time,
            stop: &limits.stop,
            is_helper: false,
        };
        let done = StopFlag::new();
        let until_done = Limits {
            stop: done.clone(),
            ..Limits::default()
        };
        let (table, position) = (&self.table, &self.position);
        let domains: Vec<U> = self.helpers.iter().map(|_| self.domain.clone()).collect();
        let helpers = self.helpers.iter_mut().zip(domains).enumerate();
        let helpers = helpers.map(|(index, (learnt, mut domain))| {
            let watch = Watch::start(&until_done);
            // Every second thread is a ply ahead, so that they do not all do the same.
            let deepening = Deepening {
                first_depth: 1 + (index as u32 + 1) % 2,
                time: None,
                is_helper: true,
                ..deepening
            };
            move || {
                let mut silent = |_: &Progress<G::Move>| {};
                let mut worker =
                    Worker::new(&mut domain, table, learnt, &deepening, watch, &mut silent);
                deepening.run(&mut worker, position.clone());
                (worker.control.nodes, worker.control.cutoffs)
            }
        });
        let mut worker = Worker::new(
            &mut self.domain,
            table,
            &mut self.learnt,
            &deepening,
            watch,
            progress,
        );
        let search = || {
            let ended = deepening.run(&mut worker, position.clone());
            done.raise();
            ended
        };
        let ((stop, signature), helped) = threads::run(&|| done.raise(), search, helpers);
        for (nodes, cutoffs) in helped {
            worker.control.nodes += nodes;
            worker.control.cutoffs += cutoffs;
        }
        worker.control.update_counters();
        worker.control.latest.stopped(stop, signature)
    }
}

/// What the evaluations of the threads leave for the table.
fn table_memory<K>(params: &Params) -> usize {
    let evaluations = params.threads.max(1) * EvaluationCache::<K>::BYTES;
    params.memory.saturating_sub(evaluations)
}

/// The nodes that a search within the limits will hardly exceed, which the table has to have room for.
fn most_nodes(limits: &Limits) -> u64 {
    /// A thread searches fewer.
    const NODES_PER_SECOND: f64 = 8e6;
    let by_time = limits
        .time
        .map_or(f64::INFINITY, |time| NODES_PER_SECOND * time.as_secs_f64());
    limits.nodes.unwrap_or(u64::MAX).min(by_time as u64)
}
