//! Monte Carlo tree search: UCT, RAVE or PUCT, with knowledge and proofs.
//!
//! A simulation goes down the tree, at each node to the child with the highest
//! `winrate + c · √(ln(parent visits) / visits)` from the point of view of the side to move, to which
//! RAVE and knowledge can add their terms; for PUCT, knowledge is the probability `p` of a move and adds
//! `c · p · √(parent visits) / (1 + visits)`, with visits in a unit of their own. The leaf it comes to is expanded if it has been visited
//! before; from there playouts go to the end of the game, and their results are backed up together. A
//! draw counts as half a win. What a game adds, its [`TreePolicy`] says; which parts are used, the
//! [`Params`] say.
//!
//! Positions whose exact value is known from the rules are never searched again, and their values are
//! backed up as proofs: a claim that a move or the root is proven holds against any play.

mod access;
mod affinity;
mod arena;
mod backup;
mod batched;
mod column;
mod compact;
mod decide;
mod expand;
mod history;
mod node_header;
mod node_statistics;
mod params;
mod playout;
mod probe;
#[cfg(all(test, feature = "loom"))]
mod publication;
mod rave;
mod select;
mod shared;
mod statistics;
#[cfg(all(test, not(feature = "loom")))]
mod tests;
mod tree;
mod tree_policy;
mod worker;

pub use crate::Lookahead;
pub use params::{FinalMove, Params, WhenFull};
pub use playout::{Playout, UniformPlayout};
pub use statistics::{Phase, Statistics};
pub use tree_policy::{Expansion, Leaf, Probe, ProbeResult, TreePolicy};

use crate::sync::CachePadded;
use crate::threads::{self, with_deep_stack};
use crate::{Every, Limits, Progress, Report, StopReason, Tick, Watch};
use batched::BatchedUpdates;
use game::Game;
use game::random::{self, mix};
use select::Selection;
use shared::{Shared, Tally};
use statistics::Counter;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, AtomicU64};
use std::time::Duration;
use tree::{ROOT, Tree};
use worker::Worker;

/// A Monte Carlo tree search with its position and its tree.
///
/// With one thread the generator goes on from one search to the next: the same seed and the same calls,
/// limited by simulations or nodes, give the same reports on every machine.
///
/// A node counts at most 2³⁰ visits; a search whose root has as many ends with
/// [`StopReason::Simulations`].
#[derive(Debug)]
pub struct Mcts<G: Game, P = UniformPlayout<G>> {
    position: G,
    tree: Tree<G::Move>,
    params: Params,
    /// One for each thread.
    workers: Vec<Worker<G, P>>,
    seed: u64,
    /// How often parts of the tree were dropped because it was full.
    collections: u64,
}

/// The longest that dropping parts of a tree can take, for each node that is in use.
const COLLECTION: Duration = Duration::from_nanos(20);

impl<G: Game> Mcts<G> {
    /// A search from a position, with uniformly random playouts.
    pub fn new(position: G, params: Params, seed: u64) -> Self {
        Mcts::with_playout(position, params, seed, UniformPlayout::new())
    }
}

impl<G: Game, P: Playout<G> + Clone + Send> Mcts<G, P> {
    /// A search from a position, with a playout policy.
    pub fn with_playout(position: G, params: Params, seed: u64, playout: P) -> Self {
        Mcts::with_policy(position, params, seed, playout)
    }
}

impl<G: Game, P: TreePolicy<G>> Mcts<G, P> {
    /// A search from a position, with what the game adds to it.
    pub fn with_policy(position: G, params: Params, seed: u64, policy: P) -> Self {
        let worker = Worker::new(&position, &params, policy, random::seeded(seed));
        let mut search = Mcts {
            tree: Tree::new(params.memory, params.has_rave()),
            position,
            params,
            workers: vec![worker],
            seed,
            collections: 0,
        };
        search.spawn_workers();
        search
    }

    /// As many workers as there are to be threads. The first has the generator of the seed, the others
    /// have one of their own each.
    fn spawn_workers(&mut self) {
        let threads = self.params.threads.max(1) as usize;
        self.workers.truncate(threads);
        for number in self.workers.len()..threads {
            let mut worker = self.workers[0].clone();
            worker.rng = random::seeded(mix(self.seed.wrapping_add(number as u64)));
            worker.counter = Counter::default();
            self.workers.push(worker);
        }
    }

    /// The position at the root.
    pub fn position(&self) -> &G {
        &self.position
    }

    /// Another position; the tree is dropped.
    pub fn set_position(&mut self, position: G) {
        self.position = position;
        self.tree.clear();
        self.collections = 0;
        for worker in &mut self.workers {
            worker.counter = Counter::default();
        }
    }

    /// Plays a move. What the tree knows of the position after it is kept.
    ///
    /// # Errors
    /// If the move is not legal. Nothing has changed then.
    pub fn advance(&mut self, mv: G::Move) -> Result<(), G::Illegal> {
        self.position.try_play(mv)?;
        let mut children = self.tree.children(ROOT);
        match children.find(|&child| self.tree.mv(child) == mv) {
            Some(child) if self.params.keep_tree => self.tree.reroot(child),
            _ => self.tree.clear(),
        }
        Ok(())
    }

    /// The parameters.
    pub fn params(&self) -> &Params {
        &self.params
    }

    /// Other parameters, from the next search on. The tree is kept, even if it is larger than the new
    /// limit, unless it was grown with another lookahead, or without RAVE's results if they are wanted
    /// now.
    pub fn set_params(&mut self, params: Params) {
        let has_rave = params.has_rave();
        if params.lookahead != self.params.lookahead
            || params.has_solver() != self.params.has_solver()
            || has_rave != self.params.has_rave()
        {
            self.tree = Tree::new(params.memory, has_rave);
        }
        self.tree.arena.set_limit(params.memory);
        for worker in &mut self.workers {
            worker.selection = Selection::new(&params);
        }
        self.params = params;
        self.spawn_workers();
    }

    /// What the game adds to the search, as the first thread has it.
    pub fn policy(&self) -> &P {
        &self.workers[0].policy
    }

    /// What was done since the last [`set_position`](Mcts::set_position).
    pub fn statistics(&self) -> Statistics {
        let mut counter = Counter::default();
        let mut ends: Vec<(&'static str, u64)> = Vec::new();
        for worker in &self.workers {
            counter.add(&worker.counter);
            for (end, count) in worker.policy.ends() {
                match ends.iter_mut().find(|known| known.0 == end) {
                    Some((_, known)) => *known += count,
                    None => ends.push((end, count)),
                }
            }
        }
        counter.statistics(self.collections, ends)
    }

    /// The number of nodes in the tree, at least 1.
    pub fn tree_nodes(&self) -> usize {
        self.tree.len()
    }

    /// The memory that the tree holds, in bytes.
    pub fn tree_bytes(&self) -> usize {
        self.tree.arena.bytes()
    }

    /// Searches until a limit is reached or the value of the position is proven, calling `progress` as
    /// often as the limits say.
    ///
    /// The root's children are always added, and with them wins in one move found, even if the limits
    /// allow no simulation.
    pub fn search(
        &mut self,
        limits: &Limits,
        progress: &mut dyn FnMut(&Progress<G::Move>),
    ) -> Report<G::Move> {
        let mut watch = Watch::start(limits);
        if let Some(outcome) = self.position.outcome() {
            let result = outcome.seen_by(self.position.to_move());
            return Progress::game_over(result, watch.elapsed()).stopped(StopReason::Proven, 0);
        }
        let cells = self.policy().cells(&self.position);
        for worker in &mut self.workers {
            worker.history.clear(cells);
            worker.policy.begin(limits);
        }
        let tallies: Vec<CachePadded<Tally>> = self
            .workers
            .iter()
            .map(|_| CachePadded::default())
            .collect();
        let mut shared = Shared {
            position: &self.position,
            params: &self.params,
            limits,
            started: watch.started(),
            nodes_before: self.tree.len() as i64,
            inherited: self.tree.visits(ROOT).into(),
            claimed: CachePadded(AtomicU64::new(0)),
            tallies: &tallies,
            tree_is_full: AtomicBool::new(false),
            stops_when_full: self.params.when_full != WhenFull::KeepSearching,
            stop: OnceLock::new(),
        };
        let stop = loop {
            let mut watch_search = |tree: &Tree<G::Move>, shared: &Shared<'_, G>| {
                // What other threads have done is read only where it matters.
                let work = match limits.progress {
                    Every::Work(_) => shared.simulations(),
                    Every::Never | Every::Time(_) => 0,
                };
                match watch.tick(work) {
                    Tick::Continue => None,
                    Tick::Progress => {
                        progress(&shared.progress(tree, &watch).0);
                        None
                    }
                    Tick::Stop(reason) => Some(reason),
                }
            };
            run(
                &mut self.workers,
                &mut self.tree,
                &shared,
                &mut watch_search,
            );
            let reason = shared.stop.take().unwrap_or(StopReason::Simulations);
            if reason != StopReason::MemoryLimit || self.params.when_full != WhenFull::Collect {
                break reason;
            }
            let takes = COLLECTION * self.tree.arena.end();
            if watch.left().is_some_and(|left| left < takes) {
                // There is no time for it: the search goes on in the tree as it is.
                shared.stops_when_full = false;
                continue;
            }
            let before = self.tree.len() as i64;
            let made_room = self.tree.collect(self.params.keep_proofs);
            shared.nodes_before += self.tree.len() as i64 - before;
            self.collections += 1;
            if !made_room {
                break reason;
            }
            shared.tree_is_full = AtomicBool::new(false);
        };
        let (last, signature) = shared.progress(&self.tree, &watch);
        last.stopped(stop, signature)
    }
}

/// Lets the workers make simulations, each in a thread of its own, the first in this one, until there is
/// a reason to stop. One worker alone has the tree for itself.
fn run<G: Game, P: TreePolicy<G>>(
    workers: &mut [Worker<G, P>],
    mut tree: &mut Tree<G::Move>,
    shared: &Shared<'_, G>,
    mut watch: impl FnMut(&Tree<G::Move>, &Shared<'_, G>) -> Option<StopReason>,
) {
    with_deep_stack(|| workers[0].prepare_root(tree, shared));
    let mut pairs = workers.iter_mut().zip(shared.tallies);
    let (first, tally) = pairs.next().expect("a worker at least");
    let watch = |tree: &Tree<G::Move>| watch(tree, shared);
    if shared.tallies.len() == 1 {
        return with_deep_stack(|| first.run(&mut tree, shared, &tally.0, watch));
    }
    let tree: &Tree<G::Move> = tree;
    let halt = || {
        let _ = shared.stop.set(StopReason::Stopped);
    };
    threads::run(
        &halt,
        || first.run(&mut BatchedUpdates::new(tree), shared, &tally.0, watch),
        pairs.map(|(worker, tally)| {
            || worker.run(&mut BatchedUpdates::new(tree), shared, &tally.0, |_| None)
        }),
    );
}
