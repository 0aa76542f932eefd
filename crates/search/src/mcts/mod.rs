//! Monte Carlo tree search: UCT or RAVE, with knowledge and proofs.
//!
//! A simulation goes down the tree, at each node to the child with the highest
//! `winrate + c · √(ln(parent visits) / visits)` from the point of view of the side to move, to which
//! RAVE and knowledge can add their terms. The leaf it comes to is expanded if it has been visited
//! before; from there playouts go to the end of the game, and their results are backed up together. A
//! draw counts as half a win. What a game adds, its [`Guide`] says; which parts are used, the
//! [`Params`] say.
//!
//! Positions whose exact value is known from the rules are never searched again, and their values are
//! backed up as proofs: a claim that a move or the root is proven holds against any play.

mod backup;
mod decide;
mod expand;
mod guide;
mod params;
mod playout;
mod rave;
mod select;
mod statistics;
#[cfg(test)]
mod tests;
mod tree;

pub use guide::{Expansion, Guide, Leaf, Lookahead};
pub use params::{FinalMove, Params, WhenFull};
pub use playout::{Playout, UniformPlayout};
pub use statistics::{Phase, Statistics};

use crate::{Details, Limits, Progress, Report, StopReason, Tick, Watch};
use backup::Step;
use game::random::{self, Rng};
use game::{Game, Outcome, Score};
use rave::Filled;
use select::Selection;
use statistics::Counter;
use tree::{MAX_VISITS, Points, ROOT, Tree};

/// A Monte Carlo tree search with its position and its tree.
///
/// One thread. The generator goes on from one search to the next: the same seed and the same calls,
/// limited by simulations or nodes, give the same reports on every machine.
///
/// A node counts at most 2³⁰ visits; a search whose root has as many ends with
/// [`StopReason::Simulations`].
#[derive(Debug)]
pub struct Mcts<G: Game, P = UniformPlayout<G>> {
    position: G,
    tree: Tree<G::Move>,
    params: Params,
    selection: Selection,
    guide: P,
    rng: Rng,
    /// The position of the simulation under way.
    current: G,
    path: Vec<Step>,
    leaf: Leaf<G::Move>,
    filled: Filled,
    counter: Counter,
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
    /// Visits of the root when the search began.
    inherited: u64,
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
        Mcts::with_guide(position, params, seed, playout)
    }
}

impl<G: Game, P: Guide<G>> Mcts<G, P> {
    /// A search from a position, with what the game adds to it.
    pub fn with_guide(position: G, params: Params, seed: u64, guide: P) -> Self {
        Mcts {
            current: position.clone(),
            position,
            tree: Tree::new(params.memory, params.has_rave()),
            selection: Selection::new(&params),
            params,
            guide,
            rng: random::seeded(seed),
            path: Vec::new(),
            leaf: Leaf::default(),
            filled: Filled::default(),
            counter: Counter::default(),
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
        self.counter = Counter::default();
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

    /// Starts the random generator anew.
    pub fn set_seed(&mut self, seed: u64) {
        self.rng = random::seeded(seed);
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
        self.tree.limit(params.memory);
        self.selection = Selection::new(&params);
        self.params = params;
    }

    /// What the game adds to the search.
    pub fn guide(&self) -> &P {
        &self.guide
    }

    /// What was done since the last [`set_position`](Mcts::set_position).
    pub fn statistics(&self) -> Statistics {
        self.counter.statistics(self.guide.ends())
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
            inherited: self.tree.visits(ROOT).into(),
            ..Counters::default()
        };
        self.current.clone_from(&self.position);
        // A root that was proven below another one may have no children yet.
        if !self.tree.is_expanded(ROOT) {
            self.expand(ROOT);
        }
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
        let reached = |limit: Option<u64>, count| limit.is_some_and(|limit| count >= limit);
        if self.tree.proven(ROOT).is_some() {
            Some(StopReason::Proven)
        } else if reached(limits.simulations, counters.simulations)
            || self.tree.visits(ROOT) > MAX_VISITS - self.params.playouts
        {
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
        self.counter.begin();
        let leaf = self.descend();
        self.counter.end(Phase::Descent);
        let points = self.play_out(leaf, counters);
        self.counter.end(Phase::Playout);
        self.back_up(points);
        self.counter.end(Phase::BackPropagation);
        let depth = self.path.len() as u32 - 1;
        self.counter.finish(depth);
        counters.simulations += 1;
        counters.depth = counters.depth.max(depth);
    }

    /// Goes down the tree to a node without children or with a proof, and gives it children on the way
    /// if it is due for them.
    fn descend(&mut self) -> u32 {
        let empty_cells = self.guide.empty_cells(&self.position);
        self.current.clone_from(&self.position);
        self.path.clear();
        let mut node = ROOT;
        let mut expand_after = self.params.expand_after;
        loop {
            if !self.tree.is_expanded(node)
                && self.tree.proven(node).is_none()
                && self.tree.visits(node) >= expand_after
                && !self.tree_is_full
            {
                self.counter.end(Phase::Descent);
                self.expand(node);
                self.counter.end(Phase::Expansion);
            }
            let mover = self.current.to_move();
            let mut step = Step {
                node,
                mover,
                content_with: None,
            };
            if self.tree.proven(node).is_some() || !self.tree.is_expanded(node) {
                self.path.push(step);
                self.recognise_end(node);
                return node;
            }
            let filled = self.path.len();
            let equivalence = self.params.equivalence(empty_cells.saturating_sub(filled));
            let choice = self
                .selection
                .select(&self.tree, node, mover, equivalence as f32);
            step.content_with = choice.content_with;
            self.path.push(step);
            self.current.play_unchecked(self.tree.mv(choice.child));
            // Where there is one move to look at, the simulation goes on to the next position at once.
            expand_after = if self.tree.is_forced(node) {
                0
            } else {
                self.params.expand_after
            };
            node = choice.child;
        }
    }

    /// Without any lookahead the end of a game is seen only now. Without a solver only a move of the root
    /// that wins matters.
    fn recognise_end(&mut self, leaf: u32) {
        if self.params.lookahead != Lookahead::None {
            return;
        }
        let Some(outcome) = self.current.outcome() else {
            return;
        };
        let wins_at_once = self.path.len() == 2 && outcome == Outcome::Win(self.position.to_move());
        if self.params.has_solver() || wins_at_once {
            self.tree.prove(leaf, outcome, 0);
        }
    }

    /// The results of the playouts from the current position, or its exact value.
    fn play_out(&mut self, leaf: u32, counters: &mut Counters) -> Points {
        let has_rave = self.params.has_rave();
        if has_rave {
            self.filled.clear(self.guide.cells(&self.position));
        }
        if let Some(outcome) = self.tree.proven(leaf) {
            return Points::of(outcome, self.params.playouts);
        }
        let mut points = Points::default();
        self.guide.prepare(&self.current);
        for _ in 0..self.params.playouts {
            let outcome = self.guide.playout(&self.current, &mut self.rng);
            let result = Points::of(outcome, 1);
            points += result;
            if has_rave {
                let filled = &mut self.filled;
                self.guide
                    .played(|side, cell| filled.add(side, cell, result));
            }
        }
        counters.playouts += u64::from(self.params.playouts);
        points
    }

    /// Brings the results up the path of the simulation.
    fn back_up(&mut self, points: Points) {
        if !self.params.has_rave() {
            return backup::back_up(&mut self.tree, &self.path, points, |_, _, _, _| {});
        }
        let (guide, position, filled) = (&self.guide, &self.position, &mut self.filled);
        backup::back_up(
            &mut self.tree,
            &self.path,
            points,
            |tree, step, child, points| {
                if let Some(cell) = guide.cell_of(position, tree.mv(child)) {
                    filled.add(step.mover, cell, points);
                }
                let of_mover = filled.of(step.mover);
                tree.add_rave(step.node, |mv| {
                    let cell = guide.cell_of(position, mv);
                    let entry = cell.and_then(|cell| of_mover.get(cell));
                    entry.copied().unwrap_or_default()
                });
            },
        );
    }

    /// Gives the node of the current position its children, if there is room.
    fn expand(&mut self, node: u32) {
        if self.params.has_solver() {
            self.recognise_end(node);
            if self.tree.proven(node).is_some() && node != ROOT {
                return;
            }
        } else if self.current.outcome().is_some() {
            return;
        }
        let expansion = Expansion {
            lookahead: self.params.lookahead,
            is_root: node == ROOT,
        };
        let expanded = expand::expand(
            &mut self.tree,
            node,
            &mut self.current,
            &mut self.guide,
            expansion,
            &mut self.leaf,
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
            None if root.visits() == 0 => Score::DRAW,
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
            details: Details {
                inherited: counters.inherited,
                ..Details::default()
            },
            moves: decision.moves,
        };
        (progress, decision.signature)
    }
}
