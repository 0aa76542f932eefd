//! Monte Carlo tree search: UCT with proofs.
//!
//! A simulation goes down the tree, at each node to the child with the highest
//! `winrate + c · √(ln(parent visits) / visits)` from the point of view of the side to move. The leaf it
//! comes to is expanded if it has been visited before; from there a playout goes to the end of the game,
//! and its result is backed up. A draw counts as half a win.
//!
//! Positions whose exact value is known from the rules are never searched again, and their values are
//! backed up as proofs: a claim that a move or the root is proven holds against any play.

mod backup;
mod decide;
mod expand;
mod params;
mod playout;
mod select;
#[cfg(test)]
mod tests;
mod tree;

pub use params::{FinalMove, Params, WhenFull};
pub use playout::{Playout, UniformPlayout};

use crate::{Limits, Progress, Report, StopReason, Tick, Watch};
use backup::Step;
use game::random::{self, Rng};
use game::{Game, Score};
use tree::{MAX_VISITS, ROOT, Tree};

/// A Monte Carlo tree search with its position and its tree.
///
/// One thread. The generator goes on from one search to the next: the same seed and the same calls,
/// limited by simulations or nodes, give the same reports on every machine.
///
/// A node counts at most 2³¹ visits; a search whose root has as many ends with
/// [`StopReason::Simulations`].
#[derive(Debug)]
pub struct Mcts<G: Game, P = UniformPlayout<G>> {
    position: G,
    tree: Tree<G::Move>,
    params: Params,
    playout: P,
    rng: Rng,
    /// The position of the simulation under way.
    current: G,
    path: Vec<Step>,
    expansion: expand::Scratch<G::Move>,
    tree_is_full: bool,
}

/// What one search has done so far.
#[derive(Clone, Copy, Debug, Default)]
struct Counters {
    simulations: u64,
    playouts: u64,
    depth: u32,
    /// Nodes of the tree when the search began.
    nodes_before: usize,
}

impl<G: Game> Mcts<G> {
    /// A search from a position, with uniformly random playouts.
    pub fn new(position: G, params: Params, seed: u64) -> Self {
        Mcts::with_playout(position, params, seed, UniformPlayout::new())
    }
}

impl<G: Game, P: Playout<G>> Mcts<G, P> {
    /// A search from a position, with a playout policy.
    pub fn with_playout(position: G, params: Params, seed: u64, playout: P) -> Self {
        Mcts {
            current: position.clone(),
            position,
            tree: Tree::new(params.memory),
            params,
            playout,
            rng: random::seeded(seed),
            path: Vec::new(),
            expansion: expand::Scratch::default(),
            tree_is_full: false,
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
    }

    /// Plays a move. What the tree knows of the position after it is kept.
    ///
    /// # Errors
    /// If the move is not legal. Nothing has changed then.
    pub fn advance(&mut self, mv: G::Move) -> Result<(), G::Illegal> {
        self.position.try_play(mv)?;
        let child = self
            .tree
            .children(ROOT)
            .find(|&child| self.tree.mv(child) == mv);
        match child {
            Some(child) => self.tree.reroot(child),
            None => self.tree.clear(),
        }
        Ok(())
    }

    /// Starts the random generator anew.
    pub fn set_seed(&mut self, seed: u64) {
        self.rng = random::seeded(seed);
    }

    /// The parameters.
    pub fn params(&self) -> &Params {
        &self.params
    }

    /// Other parameters, from the next search on. The tree is kept, even if it is larger than the new
    /// limit.
    pub fn set_params(&mut self, params: Params) {
        self.tree.limit(params.memory);
        self.params = params;
    }

    /// The number of nodes in the tree, at least 1.
    pub fn tree_nodes(&self) -> usize {
        self.tree.len()
    }

    /// The memory that the tree holds, in bytes.
    pub fn tree_bytes(&self) -> usize {
        self.tree.bytes()
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
        self.tree_is_full = false;
        let mut counters = Counters {
            nodes_before: self.tree.len(),
            ..Counters::default()
        };
        self.current.clone_from(&self.position);
        self.expand_if_due(ROOT, 0);
        let stop = loop {
            if let Some(reason) = self.reason_to_stop(limits, &counters) {
                break reason;
            }
            match watch.tick(counters.simulations) {
                Tick::Continue => {}
                Tick::Progress => progress(&self.progress(&counters, &watch).0),
                Tick::Stop(reason) => break reason,
            }
            self.simulate(&mut counters);
        };
        let (last, signature) = self.progress(&counters, &watch);
        last.stopped(stop, signature)
    }

    /// The limits that are not the clock's.
    fn reason_to_stop(&self, limits: &Limits, counters: &Counters) -> Option<StopReason> {
        let root = self.tree.node(ROOT);
        let reached = |limit: Option<u64>, count| limit.is_some_and(|limit| count >= limit);
        if root.proven.is_some() {
            Some(StopReason::Proven)
        } else if reached(limits.simulations, counters.simulations) || root.visits >= MAX_VISITS {
            Some(StopReason::Simulations)
        } else if reached(limits.nodes, self.nodes_added(counters)) {
            Some(StopReason::Nodes)
        } else if self.tree_is_full && self.params.when_full == WhenFull::Stop {
            Some(StopReason::MemoryLimit)
        } else {
            None
        }
    }

    fn nodes_added(&self, counters: &Counters) -> u64 {
        (self.tree.len() - counters.nodes_before) as u64
    }

    /// One simulation from a root that is not proven.
    fn simulate(&mut self, counters: &mut Counters) {
        self.current.clone_from(&self.position);
        self.path.clear();
        let mut node = ROOT;
        loop {
            self.expand_if_due(node, self.params.expand_after);
            let leaf = self.tree.node(node);
            let mover = self.current.to_move();
            if leaf.proven.is_some() || !leaf.is_expanded() {
                self.path.push(Step {
                    node,
                    mover,
                    content_with: None,
                });
                break;
            }
            let choice = select::select(&self.tree, node, mover, self.params.exploration);
            self.path.push(Step {
                node,
                mover,
                content_with: choice.content_with,
            });
            self.current.play_unchecked(self.tree.mv(choice.child));
            node = choice.child;
        }
        let outcome = self.tree.node(node).proven.unwrap_or_else(|| {
            counters.playouts += 1;
            self.playout.run(&self.current, &mut self.rng)
        });
        backup::back_up(&mut self.tree, &self.path, outcome);
        counters.simulations += 1;
        counters.depth = counters.depth.max(self.path.len() as u32 - 1);
    }

    /// Gives the node of the current position its children if it has none, is not proven and has been
    /// visited often enough, and there is room.
    fn expand_if_due(&mut self, node: u32, visits: u32) {
        let leaf = self.tree.node(node);
        let due = !leaf.is_expanded() && leaf.proven.is_none() && leaf.visits >= visits;
        if !due || self.tree_is_full {
            return;
        }
        let expanded = expand::expand(
            &mut self.tree,
            node,
            &mut self.current,
            &mut self.expansion,
            &mut self.rng,
        );
        self.tree_is_full = expanded.is_err();
    }

    /// What is known now, and the signature of the moves.
    fn progress(&self, counters: &Counters, watch: &Watch) -> (Progress<G::Move>, u64) {
        let rule = self.params.final_move;
        let decision = decide::decide(&self.tree, &self.position, rule);
        let best = decision.moves.first();
        let mover = self.position.to_move();
        let root = self.tree.node(ROOT);
        let proven = root.proven.map(|outcome| outcome.seen_by(mover));
        let value = match proven {
            Some(exact) => exact.score(),
            None if root.visits == 0 => Score::DRAW,
            None => Score(root.mean(mover)),
        };
        let progress = Progress {
            best: best.map(|best| best.mv),
            value,
            evaluation: None,
            proven,
            principal_variation: best.map_or_else(Vec::new, |best| {
                decide::principal_variation(&self.tree, &self.position, best.mv, rule)
            }),
            simulations: counters.simulations,
            playouts: counters.playouts,
            nodes: self.nodes_added(counters),
            depth: counters.depth,
            elapsed: watch.elapsed(),
            moves: decision.moves,
        };
        (progress, decision.signature)
    }
}
