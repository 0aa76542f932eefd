//! A thread of a search: it makes simulations in a tree that it may share with other threads.

use super::access::TreeAccess;
use super::affinity::Affinity;
use super::backup::{self, Step};
use super::expand;
use super::history::History;
use super::node_header::NodeHeader;
use super::node_statistics::NodeStatistics;
use super::params::Params;
use super::rave::Filled;
use super::select::Selection;
use super::shared::{Shared, Tally};
use super::statistics::{Counter, Phase};
use super::tree::{ROOT, Tree};
use super::tree_policy::{Expansion, Leaf, TreePolicy};
use crate::Lookahead;
use crate::StopReason;
use game::random::Rng;
use game::{Game, Outcome};
use std::sync::atomic::Ordering::Relaxed;

/// What a thread has for itself, in cache lines of its own.
#[derive(Clone, Debug)]
#[repr(align(128))]
pub(super) struct Worker<G: Game, P> {
    pub policy: P,
    pub rng: Rng,
    pub selection: Selection,
    pub counter: Counter,
    /// The position of the simulation under way.
    pub current: G,
    pub path: Vec<Step>,
    pub affinity: Affinity,
    leaf: Leaf<G::Move>,
    filled: Filled,
    pub history: History,
}

impl<G: Game, P: TreePolicy<G>> Worker<G, P> {
    pub(super) fn new(position: &G, params: &Params, policy: P, rng: Rng) -> Self {
        Worker {
            policy,
            rng,
            selection: Selection::new(params),
            counter: Counter::default(),
            current: position.clone(),
            path: Vec::new(),
            affinity: Affinity::default(),
            leaf: Leaf::default(),
            filled: Filled::default(),
            history: History::default(),
        }
    }

    /// Makes simulations until there is a reason to stop, which ends the search for all threads, or no
    /// simulation is left. `watch` is called before each.
    pub(super) fn run<T: TreeAccess<G::Move>>(
        &mut self,
        tree: &mut T,
        shared: &Shared<'_, G>,
        tally: &Tally,
        mut watch: impl FnMut(&Tree<G::Move>) -> Option<StopReason>,
    ) {
        let mut claimed = 0;
        loop {
            if let Some(reason) = shared.reason_to_stop(tree) {
                // Another thread may have had another reason.
                let _ = shared.stop.set(reason);
                break;
            }
            if claimed == 0 {
                claimed = shared.claim();
                if claimed == 0 {
                    break;
                }
            }
            if let Some(reason) = watch(tree) {
                let _ = shared.stop.set(reason);
                break;
            }
            self.simulate(tree, shared, tally);
            claimed -= 1;
        }
        self.leave(tree);
        // Garbage collection may be the reason, after which the search goes on.
        shared.claimed.0.fetch_sub(claimed, Relaxed);
    }

    /// One simulation.
    fn simulate<T: TreeAccess<G::Move>>(
        &mut self,
        tree: &mut T,
        shared: &Shared<'_, G>,
        tally: &Tally,
    ) {
        self.counter.begin();
        let (leaf, expected) = self.descend(tree, shared);
        self.counter.end(Phase::Descent);
        let (points, playouts) = self.play_out(tree, shared, leaf, expected);
        self.counter.end(Phase::Playout);
        self.back_up(tree, shared, points);
        self.counter.end(Phase::BackPropagation);
        let depth = self.path.len() - 1;
        self.counter.finish(depth as u32);
        tally.count(playouts, depth);
    }

    /// Goes down the tree to a node without children or with a proof, and gives it children on the way
    /// if it is due for them. Where the policy evaluates a node, that is where it ends.
    fn descend<T: TreeAccess<G::Move>>(
        &mut self,
        tree: &mut T,
        shared: &Shared<'_, G>,
    ) -> (u32, Option<NodeStatistics>) {
        let params = shared.params;
        let empty_cells = self.policy.empty_cells(shared.position);
        let has_evaluation = self.policy.has_evaluation();
        let assumed_visits = if shared.tallies.len() > 1 {
            params.virtual_loss.saturating_mul(params.largest_result())
        } else {
            0
        };
        self.current.clone_from(shared.position);
        let (mut node, mut assumed) = self.set_out(tree);
        let mut expand_after = params.expand_after;
        loop {
            let mut link = tree.link(node);
            let mover = self.current.to_move();
            let mut expected = None;
            // What this simulation itself is assumed to get does not count for it.
            let points = tree.points(node) - assumed;
            let visits = points.visits;
            if !link.is_expanded()
                && !link.is_proven()
                && visits >= expand_after
                && !shared.tree_is_full.load(Relaxed)
            {
                self.counter.end(Phase::Descent);
                self.expand(tree, shared, node);
                link = tree.link(node);
                self.counter.end(Phase::Expansion);
            }
            if link.is_expanded()
                && !link.is_proven()
                && self.probe_if_due(shared, tree, node, link, visits + params.largest_result())
            {
                link = tree.link(node);
            }
            let open = link.is_expanded() && !link.is_proven() && !link.is_forced();
            if has_evaluation
                && open
                && !link.is_evaluated()
                && visits >= params.evaluate_after
                && tree.claim_evaluation(node)
            {
                self.counter.end(Phase::Descent);
                let score = self.evaluate(tree, link);
                self.counter.end(Phase::Expansion);
                // What is expected of the root chooses none of its moves.
                if params.expectation > 0 && node != ROOT {
                    expected = score
                        .map(|score| NodeStatistics::of_score(score, mover, params.expectation));
                }
            }
            let mut step = Step {
                node,
                mover,
                content_with: None,
                assumed,
            };
            if link.is_proven() || !link.is_expanded() || expected.is_some() {
                self.path.push(step);
                self.recognise_end(tree, shared, node);
                if shared.tallies.len() > 1 {
                    self.settle(tree, params);
                }
                return (node, expected);
            }
            let filled = self.path.len();
            let equivalence = params.equivalence(empty_cells.saturating_sub(filled));
            let choice = self
                .selection
                .select(tree, link, points, mover, equivalence as f32);
            step.content_with = choice.content_with;
            self.path.push(step);
            self.current.play_unchecked(tree.mv(choice.child));
            // Where there is one move to look at, the simulation goes on to the next position at once.
            expand_after = if link.is_forced() {
                0
            } else {
                params.expand_after
            };
            node = choice.child;
            if assumed_visits > 0 {
                assumed = NodeStatistics::of(Outcome::Win(!mover), assumed_visits);
                tree.add(node, assumed, NodeStatistics::default());
            }
        }
    }

    /// Evaluates the current position, whose node has this link with children, and tells what the side to
    /// move is expected to score.
    fn evaluate(&mut self, tree: &Tree<G::Move>, link: NodeHeader) -> Option<f32> {
        let leaf = &mut self.leaf;
        leaf.clear();
        for child in link.children() {
            leaf.push(tree.mv(child));
        }
        self.policy.evaluate(&self.current, leaf);
        tree.add_to_priors(link, &leaf.priors);
        leaf.expected
    }

    /// Without any lookahead the end of a game is seen only now. Without a solver only a move of the root
    /// that wins matters.
    fn recognise_end(&self, tree: &Tree<G::Move>, shared: &Shared<'_, G>, leaf: u32) {
        if shared.params.lookahead != Lookahead::None {
            return;
        }
        let Some(outcome) = self.current.outcome() else {
            return;
        };
        let wins_at_once =
            self.path.len() == 2 && outcome == Outcome::Win(shared.position.to_move());
        if shared.params.has_solver() || wins_at_once {
            tree.prove(leaf, outcome, 0);
        }
    }

    /// The results of the playouts from the current position, or its exact value, or what is expected of it, and how
    /// many playouts there were.
    fn play_out(
        &mut self,
        tree: &Tree<G::Move>,
        shared: &Shared<'_, G>,
        leaf: u32,
        expected: Option<NodeStatistics>,
    ) -> (NodeStatistics, u32) {
        let params = shared.params;
        let has_rave = params.has_rave();
        if has_rave {
            self.filled.clear(self.policy.cells(shared.position));
        }
        if let Some(outcome) = tree.proven(leaf) {
            return (NodeStatistics::of(outcome, params.largest_result()), 0);
        }
        if let Some(points) = expected {
            return (points, 0);
        }
        let mut points = NodeStatistics::default();
        self.policy.prepare(&self.current);
        for _ in 0..params.playouts {
            let outcome = self.policy.playout(&self.current, &mut self.rng);
            let result = NodeStatistics::of(outcome, 1);
            points += result;
            if has_rave {
                let filled = &mut self.filled;
                self.policy
                    .played(|side, cell| filled.add(side, cell, result));
            }
        }
        (points, params.playouts)
    }

    /// Brings the results up the path of the simulation.
    fn back_up<T: TreeAccess<G::Move>>(
        &mut self,
        tree: &mut T,
        shared: &Shared<'_, G>,
        points: NodeStatistics,
    ) {
        if !shared.params.has_rave() {
            return backup::back_up(tree, &self.path, points, |_, _, _, _, _| {});
        }
        let (policy, position, filled) = (&self.policy, shared.position, &mut self.filled);
        let has_history = shared.params.history > 0.0;
        let history = &mut self.history;
        backup::back_up(
            tree,
            &self.path,
            points,
            |tree, step, link, child, points| {
                if let Some(cell) = policy.cell_of(position, tree.mv(child)) {
                    filled.add(step.mover, cell, points);
                    if has_history {
                        history.add(step.mover, cell, points);
                    }
                }
                let of_mover = filled.of(step.mover);
                tree.add_rave(step.node, link, |mv| {
                    policy.cell_of(position, mv).map_or(0, of_mover)
                });
            },
        );
    }

    /// Gives the root its children, if it has none, and takes back a value of it that does not follow
    /// from them.
    pub(super) fn prepare_root(&mut self, tree: &Tree<G::Move>, shared: &Shared<'_, G>) {
        self.current.clone_from(shared.position);
        self.path.clear();
        if !tree.link(ROOT).is_expanded() {
            self.expand(tree, shared, ROOT);
        }
        self.reopen_root(tree, shared);
    }

    /// Gives the node of the current position its children, if there is room, and no other thread does.
    fn expand(&mut self, tree: &Tree<G::Move>, shared: &Shared<'_, G>, node: u32) {
        self.leaf.clear();
        if shared.params.has_solver() {
            self.recognise_end(tree, shared, node);
            if tree.link(node).is_proven() && node != ROOT {
                return;
            }
        } else if self.current.outcome().is_some() {
            return;
        }
        if !tree.claim(node) {
            return;
        }
        let expansion = Expansion {
            lookahead: shared.params.lookahead,
            is_root: node == ROOT,
        };
        let leaf = &mut self.leaf;
        self.policy
            .expand(&mut self.current, expansion, leaf, &mut self.rng);
        let mover = self.current.to_move();
        let weight = shared.params.history as f32;
        if weight > 0.0 {
            let (policy, position, history) = (&self.policy, shared.position, &self.history);
            leaf.add(|mv| {
                let cell = policy.cell_of(position, mv);
                cell.map_or(0.0, |cell| weight * history.advantage(mover, cell))
            });
        }
        let expanded = expand::expand(tree, node, mover, leaf);
        if expanded.is_err() {
            tree.release(node);
            shared.tree_is_full.store(true, Relaxed);
        }
    }
}
