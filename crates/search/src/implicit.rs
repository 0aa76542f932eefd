//! Monte Carlo tree search with implicit minimax backups (Lanctot, Winands, Pepels and Sturtevant, "Monte
//! Carlo tree search with heuristic evaluations using implicit minimax backups", 2014), for games in which
//! the sides take turns.
//!
//! A node has the mean Q of its simulations and, kept apart from it, the minimax value v of the evaluations
//! below it. The search goes down by
//!
//! ```text
//! (1 − α) Q + α v + C √(ln n / nₐ)
//! ```
//!
//! with n visits of the node and nₐ of the move. Q and v are expected scores from 0 to 1 for the side that
//! makes the move. Evaluations lie strictly between 0 and 1, so that a v of 0 or 1 comes from ended games
//! alone: it is proven, as far as minimax goes.

use crate::alphabeta::Evaluate;
use crate::report::sign_move;
use crate::{Details, Limits, MoveStats, Progress, Report, StopReason, Tick, Watch};
use game::random::{self, Rng};
use game::{Game, Relative, Score};

/// The parameters of the search.
#[derive(Clone, Debug, PartialEq)]
pub struct Params {
    /// α, the weight of the minimax value, from 0 to 1. Default 0.5.
    pub weight: f64,
    /// C, the weight of the exploration term; more looks wider. Default 0.4.
    pub exploration: f64,
    /// How many random moves a simulation makes beyond the tree before it is evaluated. Default 0.
    pub playout: u32,
    /// How much better than 0 an evaluation is that is worth an expected score of about 0.73, in units of
    /// the evaluation. Default 100.
    pub scale: f64,
    /// The most nodes of the tree. Default 4 million.
    pub most_nodes: usize,
}

impl Default for Params {
    fn default() -> Self {
        Params {
            weight: 0.5,
            exploration: 0.4,
            playout: 0,
            scale: 100.0,
            most_nodes: 4_000_000,
        }
    }
}

/// The search with its position. Every search grows a tree of its own.
#[derive(Debug)]
pub struct ImplicitMcts<G: Game, E> {
    position: G,
    evaluate: E,
    params: Params,
    rng: Rng,
}

/// A position of the tree. Values are for the side that made the move to it.
#[derive(Clone, Copy, Debug)]
struct Node<M> {
    mv: Option<M>,
    visits: u32,
    total: f64,
    minimax: f64,
    /// The children, if there are any yet.
    first: u32,
    children: u32,
}

impl<G: Game, E: Evaluate<G>> ImplicitMcts<G, E> {
    /// A search from a position.
    pub fn new(position: G, evaluate: E, params: Params, seed: u64) -> Self {
        ImplicitMcts {
            position,
            evaluate,
            params,
            rng: random::seeded(seed),
        }
    }

    /// Plays a move.
    ///
    /// # Errors
    /// If the move is not legal. Nothing has changed then.
    pub fn advance(&mut self, mv: G::Move) -> Result<(), G::Illegal> {
        self.position.try_play(mv)
    }

    /// Searches until a limit is reached or it is proven who wins. Of the limits, that on depth has no
    /// meaning here.
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
        let mut tree = vec![Node::new(None, 0.5)];
        let position = self.position.clone();
        self.expand(&mut tree, 0, position);
        let (mut simulations, mut depth) = (0, 0);
        let mut path = Vec::new();
        let stop = loop {
            if is_proven(tree[0].minimax) {
                break StopReason::Proven;
            }
            if limits.simulations.is_some_and(|most| simulations >= most) {
                break StopReason::Simulations;
            }
            if limits.nodes.is_some_and(|most| tree.len() as u64 > most) {
                break StopReason::Nodes;
            }
            if tree.len() >= self.params.most_nodes {
                break StopReason::MemoryLimit;
            }
            match watch.tick(simulations) {
                Tick::Continue => {}
                Tick::Progress => progress(&told(&tree, simulations, depth, &watch)),
                Tick::Stop(reason) => break reason,
            }
            path.clear();
            self.simulate(&mut tree, &mut path);
            simulations += 1;
            depth = depth.max(path.len() as u32 - 1);
        };
        let report = told(&tree, simulations, depth, &watch);
        let signature = report.moves.iter().fold(0, sign_move);
        report.stopped(stop, signature)
    }

    /// One simulation: down the tree, a leaf expanded when it is visited for the second time, some random
    /// moves, and back.
    fn simulate(&mut self, tree: &mut Vec<Node<G::Move>>, path: &mut Vec<usize>) {
        let mut position = self.position.clone();
        let mut at = 0;
        path.push(at);
        loop {
            let Node {
                visits,
                children,
                minimax,
                ..
            } = tree[at];
            if children == 0 {
                if visits == 0 || is_proven(minimax) || position.outcome().is_some() {
                    break;
                }
                self.expand(tree, at, position.clone());
            }
            at = self.select(tree, at);
            path.push(at);
            if let Some(mv) = tree[at].mv {
                position.play_unchecked(mv);
            }
        }
        let mut result = self.result(&mut position, tree[at].minimax);
        for &index in path.iter().rev() {
            tree[index].visits += 1;
            tree[index].total += result;
            result = 1.0 - result;
        }
        for &index in path.iter().rev() {
            back_up(tree, index);
        }
    }

    /// The expected score of the side that made the last move.
    fn result(&mut self, position: &mut G, minimax: f64) -> f64 {
        if self.params.playout == 0 || is_proven(minimax) {
            return minimax;
        }
        let side = position.to_move();
        for _ in 0..self.params.playout {
            match position.random_move(&mut self.rng) {
                Some(mv) => position.play_unchecked(mv),
                None => break,
            }
        }
        let score = self.score(position);
        let score = if position.to_move() == side {
            score
        } else {
            1.0 - score
        };
        1.0 - score
    }

    /// The expected score of the side to move.
    fn score(&mut self, position: &G) -> f64 {
        if let Some(outcome) = position.outcome() {
            return outcome.seen_by(position.to_move()).score().0;
        }
        let value = f64::from(self.evaluate.evaluate(position));
        let score = 1.0 / (1.0 + libm::exp(-value / self.params.scale));
        score.clamp(1e-6, 1.0 - 1e-6)
    }

    fn expand(&mut self, tree: &mut Vec<Node<G::Move>>, index: usize, mut position: G) {
        let mut moves = Vec::new();
        position.legal_moves(&mut moves);
        let first = tree.len() as u32;
        for mv in moves {
            let minimax = position.explore(mv, |child| 1.0 - self.score(child));
            tree.push(Node::new(Some(mv), minimax));
        }
        tree[index].first = first;
        tree[index].children = tree.len() as u32 - first;
        back_up(tree, index);
    }

    fn select(&self, tree: &[Node<G::Move>], index: usize) -> usize {
        let Params {
            weight,
            exploration,
            ..
        } = self.params;
        let node = &tree[index];
        let logarithm = libm::log(f64::from(node.visits.max(1)));
        let worth = |child: &Node<G::Move>| {
            if child.minimax <= 0.0 {
                return f64::NEG_INFINITY;
            }
            let visits = f64::from(child.visits);
            let mean = if child.visits == 0 {
                child.minimax
            } else {
                child.total / visits
            };
            (1.0 - weight) * mean
                + weight * child.minimax
                + exploration * (logarithm / (visits + 1.0)).sqrt()
        };
        let children = node.range();
        let best = children.max_by(|&a, &b| worth(&tree[a]).total_cmp(&worth(&tree[b])));
        best.unwrap_or(index)
    }
}

impl<M> Node<M> {
    fn new(mv: Option<M>, minimax: f64) -> Self {
        Node {
            mv,
            visits: 0,
            total: 0.0,
            minimax,
            first: 0,
            children: 0,
        }
    }

    fn range(&self) -> std::ops::Range<usize> {
        self.first as usize..(self.first + self.children) as usize
    }
}

fn is_proven(minimax: f64) -> bool {
    minimax <= 0.0 || minimax >= 1.0
}

/// The minimax value of a node from those of its children.
fn back_up<M>(tree: &mut [Node<M>], index: usize) {
    let children = tree[index].range();
    if !children.is_empty() {
        let values = tree[children].iter().map(|child| child.minimax);
        tree[index].minimax = 1.0 - values.fold(0.0, f64::max);
    }
}

/// What the tree says.
fn told<M: Copy>(tree: &[Node<M>], simulations: u64, depth: u32, watch: &Watch) -> Progress<M> {
    let proven = |minimax: f64| match minimax {
        value if value >= 1.0 => Some(Relative::Win),
        value if value <= 0.0 => Some(Relative::Loss),
        _ => None,
    };
    let mut moves: Vec<MoveStats<M>> = tree[tree[0].range()]
        .iter()
        .filter_map(|child| {
            let mean = if child.visits == 0 {
                child.minimax
            } else {
                child.total / f64::from(child.visits)
            };
            let known = proven(child.minimax);
            Some(MoveStats {
                mv: child.mv?,
                visits: child.visits.into(),
                value: known.map_or(Score(mean), Relative::score),
                proven: known,
            })
        })
        .collect();
    // A win first, then what was visited most; losses last.
    moves.sort_by_key(|stats| {
        let rank = match stats.proven {
            Some(Relative::Win) => 0,
            Some(Relative::Loss) => 2,
            _ => 1,
        };
        (rank, std::cmp::Reverse(stats.visits))
    });
    let known = proven(1.0 - tree[0].minimax);
    let best = moves.first().map(|stats| stats.mv);
    Progress {
        best,
        value: known.map_or_else(
            || moves.first().map_or(Score::DRAW, |stats| stats.value),
            Relative::score,
        ),
        proven: known,
        principal_variation: best.into_iter().collect(),
        moves,
        simulations,
        playouts: simulations,
        nodes: tree.len() as u64 - 1,
        depth,
        elapsed: watch.elapsed(),
        details: Details::default(),
        ..Progress::nothing()
    }
}
