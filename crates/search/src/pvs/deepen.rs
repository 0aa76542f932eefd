//! The iterations of a search, and what one of them finds at the root.

use super::node::{Candidate, INFINITY, Place, TO_THE_END, Worker};
use super::{Guide, Params};
use crate::alphabeta::MAX_EVALUATION;
use crate::report::{mix_in, sign_move};
use crate::{Details, Limits, MoveStats, Progress, StopFlag, StopReason};
use game::{Game, Relative, Score};
use std::cmp::Reverse;
use std::time::Duration;

/// From this depth on windows are narrow: before it, values jump.
const ASPIRATION_DEPTH: u32 = 4;

/// A search to the end begins when an iteration has come to this part of the plies that are left.
const FINISH_FROM: f64 = 0.4;
/// A search to the end may take the nodes so far divided by this.
const FINISH_SHARE: u64 = 2;

/// How a thread goes from one iteration to the next.
#[derive(Clone, Copy)]
pub(super) struct Deepening<'a> {
    pub params: &'a Params,
    pub generation: u8,
    pub first_depth: u32,
    /// The limits of this thread.
    pub depth: Option<u32>,
    pub nodes: Option<u64>,
    pub time: Option<Duration>,
    pub stop: &'a StopFlag,
    /// Whether it is not the main thread.
    pub is_helper: bool,
}

/// A move of the root.
#[derive(Clone, Copy, Debug)]
struct Tried<M> {
    candidate: Candidate<M>,
    /// Its place in the list as it was generated.
    index: usize,
    /// In the iteration under way, or that before: exact for the best move, otherwise an upper bound.
    value: i32,
    nodes: u64,
}

/// The root of a search.
struct Root<G: Game> {
    position: G,
    /// The best first.
    moves: Vec<Tried<G::Move>>,
    /// Of the best move.
    value: i32,
    line: Vec<G::Move>,
    /// Whether a search of the game's own has found that every move loses. The search goes on then: the
    /// value is still what it makes of the position, so that the best move is one that makes the win hard.
    is_lost: bool,
}

impl Deepening<'_> {
    /// Searches until a limit is reached or it is proven who wins, and leaves what is known in
    /// `worker.latest`. Why it ended, and a hash of what it did.
    pub fn run<G: Game, U: Guide<G>>(
        &self,
        worker: &mut Worker<'_, G, U>,
        position: G,
    ) -> (StopReason, u64) {
        worker.memory.begin();
        let mut root = Root::new(worker, position);
        let max_nodes = self.nodes.unwrap_or(u64::MAX);
        let plies_left = worker.guide.plies_left(&root.position);
        let mut depth = self.first_depth;
        let mut signature = 0;
        let mut solving = 0;
        let stop = loop {
            worker.may_stop = depth > self.first_depth;
            worker.max_nodes = max_nodes;
            let finished = self.iterate(worker, &mut root, depth as i32);
            if finished {
                signature = mix_in(signature, worker.nodes);
                signature = mix_in(signature, root.value as u64);
            }
            root.publish(worker, depth - u32::from(!finished), self.params.scale);
            if proven(root.value).is_some() {
                break StopReason::Proven;
            }
            if let Some(reason) = worker.stopped {
                break reason;
            }
            if depth >= self.depth.unwrap_or(u32::MAX) || depth as i32 >= TO_THE_END {
                break StopReason::Depth;
            }
            if self.params.finish && !root.is_lost {
                let is_near = f64::from(depth) >= FINISH_FROM * f64::from(plies_left);
                if (self.is_helper || !self.solve(worker, &mut root, &mut solving)) && is_near {
                    root.finish(worker, max_nodes);
                }
                root.publish(worker, depth, self.params.scale);
                if proven(root.value).is_some() {
                    break StopReason::Proven;
                }
                if let Some(reason) = worker.stopped {
                    break reason;
                }
            }
            if self.is_enough(worker, root.moves.len()) {
                break StopReason::Time;
            }
            depth += 1;
        };
        let signature = worker.latest.moves.iter().fold(signature, sign_move);
        (stop, signature)
    }

    /// One iteration, in windows round the value of the one before. Whether it was finished.
    fn iterate<G: Game, U: Guide<G>>(
        &self,
        worker: &mut Worker<'_, G, U>,
        root: &mut Root<G>,
        depth: i32,
    ) -> bool {
        let mut reach = i64::from(self.params.aspiration.max(1));
        let middle = root.value;
        let is_narrow = depth as u32 >= ASPIRATION_DEPTH;
        let (mut alpha, mut beta) = (-INFINITY, INFINITY);
        let bounded = |value: i64| match value {
            value if value < -i64::from(MAX_EVALUATION) => -INFINITY,
            value if value > i64::from(MAX_EVALUATION) => INFINITY,
            value => value as i32,
        };
        if is_narrow {
            alpha = bounded(i64::from(middle) - reach);
            beta = bounded(i64::from(middle) + reach);
        }
        loop {
            let value = root.search(worker, depth, alpha, beta);
            if worker.stopped.is_some() {
                return false;
            }
            reach *= 4;
            if value <= alpha && alpha > -INFINITY && value >= -MAX_EVALUATION {
                alpha = bounded(i64::from(value) - reach);
            } else if value >= beta && beta < INFINITY && value <= MAX_EVALUATION {
                beta = bounded(i64::from(value) + reach);
            } else {
                root.value = value;
                return true;
            }
        }
    }

    /// Lets the game's own search for the winner go on, for as long as the iterations took so far. Whether
    /// the game has one.
    fn solve<G: Game, U: Guide<G>>(
        &self,
        worker: &mut Worker<'_, G, U>,
        root: &mut Root<G>,
        solving: &mut u64,
    ) -> bool {
        let left = worker.max_nodes.saturating_sub(worker.nodes);
        let share = (worker.nodes - *solving).saturating_sub(*solving);
        let elapsed = worker.watch.elapsed();
        let limits = Limits {
            nodes: Some(share.min(left)),
            time: self.time.map(|time| time.saturating_sub(elapsed)),
            stop: self.stop.clone(),
            ..Limits::default()
        };
        let Some(solved) = worker.guide.solve(&root.position, &limits) else {
            return false;
        };
        worker.nodes += solved.nodes;
        *solving += solved.nodes;
        if let Some(proven) = solved.proven {
            root.learn(proven, solved.best);
        }
        true
    }

    /// Whether another iteration would hardly come to anything in the time that is left.
    fn is_enough<G: Game, U: Guide<G>>(&self, worker: &Worker<'_, G, U>, moves: usize) -> bool {
        self.time.is_some_and(|time| {
            let part = if moves == 1 { 0.1 } else { 0.6 };
            worker.watch.elapsed() > time.mul_f64(part)
        })
    }
}

impl<G: Game> Root<G> {
    fn new<U: Guide<G>>(worker: &mut Worker<'_, G, U>, mut position: G) -> Self {
        let mut generated = Vec::new();
        position.legal_moves(&mut generated);
        let mut tried = |(index, &mv): (usize, &G::Move)| {
            let rank = worker.evaluate_after(&mut position, mv);
            let slot = worker.guide.slot(mv);
            Tried {
                candidate: Candidate { mv, slot, rank },
                index,
                value: rank,
                nodes: 0,
            }
        };
        let mut moves: Vec<_> = generated.iter().enumerate().map(&mut tried).collect();
        moves.sort_by_key(|tried| Reverse(tried.candidate.rank));
        Root {
            line: vec![moves[0].candidate.mv],
            value: moves[0].value,
            position,
            moves,
            is_lost: false,
        }
    }

    /// Searches all moves within a window, and brings a better one to the front as soon as it is found.
    fn search<U: Guide<G>>(
        &mut self,
        worker: &mut Worker<'_, G, U>,
        depth: i32,
        mut alpha: i32,
        beta: i32,
    ) -> i32 {
        worker.make_room(0);
        alpha = alpha.max(-MAX_EVALUATION - 1);
        let mut best = -INFINITY;
        for index in 0..self.moves.len() {
            let Candidate { mv, slot, .. } = self.moves[index].candidate;
            let below = Place {
                depth: depth - 1,
                ply: 1,
                alpha,
                beta,
                before: Some(slot),
            };
            let nodes = worker.nodes;
            let value = worker.try_candidate(&mut self.position, mv, below, index);
            if worker.stopped.is_some() {
                break;
            }
            let tried = &mut self.moves[index];
            tried.nodes = worker.nodes - nodes;
            tried.value = value;
            if value > best {
                best = value;
                if value > alpha {
                    alpha = value;
                    worker.extend_line(0, mv);
                    self.line.clone_from(&worker.lines[0]);
                    self.value = value;
                    self.moves[..=index].rotate_right(1);
                }
            }
            if best >= beta || best > MAX_EVALUATION {
                break;
            }
        }
        if best < -MAX_EVALUATION && worker.stopped.is_none() {
            // Every move loses: the one that lasts longest, as far as is known.
            let key = |&index: &usize| (self.moves[index].value, Reverse(index));
            let longest = (0..self.moves.len()).max_by_key(key);
            self.moves[..=longest.unwrap_or(0)].rotate_right(1);
            self.line = vec![self.moves[0].candidate.mv];
        }
        best
    }

    /// Searches to the end of the game for a move that wins, with a share of the nodes searched so far.
    fn finish<U: Guide<G>>(&mut self, worker: &mut Worker<'_, G, U>, max_nodes: u64) {
        worker.may_stop = true;
        let most = worker.nodes + worker.nodes / FINISH_SHARE;
        worker.max_nodes = most.min(max_nodes);
        let before: Vec<i32> = self.moves.iter().map(|tried| tried.value).collect();
        let value = self.search(worker, TO_THE_END, 0, 1);
        if worker.stopped.is_none() {
            self.value = value;
            return;
        }
        for (tried, before) in self.moves.iter_mut().zip(before) {
            tried.value = before;
        }
        if worker.stopped == Some(StopReason::Nodes) && worker.nodes < max_nodes {
            worker.stopped = None;
        }
    }

    /// Takes over what a search of the game's own has proven.
    fn learn(&mut self, proven: Relative, best: Option<G::Move>) {
        match proven {
            Relative::Loss => self.is_lost = true,
            Relative::Draw => {}
            Relative::Win => {
                let is_best = |tried: &Tried<G::Move>| Some(tried.candidate.mv) == best;
                if let Some(index) = self.moves.iter().position(is_best) {
                    self.moves[..=index].rotate_right(1);
                    self.moves[0].value = MAX_EVALUATION + 1;
                    self.value = MAX_EVALUATION + 1;
                    self.line = best.into_iter().collect();
                }
            }
        }
    }

    /// Tells the worker what is known.
    fn publish<U: Guide<G>>(&self, worker: &mut Worker<'_, G, U>, depth: u32, scale: f64) {
        let stats = |tried: &Tried<G::Move>| MoveStats {
            mv: tried.candidate.mv,
            visits: tried.nodes,
            value: score(tried.value, scale),
            proven: proven(tried.value),
        };
        let proven = if self.is_lost {
            Some(Relative::Loss)
        } else {
            proven(self.value)
        };
        worker.latest = Progress {
            best: self.line.first().copied(),
            value: proven.map_or_else(|| score(self.value, scale), Relative::score),
            evaluation: Some(self.value),
            proven,
            principal_variation: self.line.clone(),
            moves: self.moves.iter().map(stats).collect(),
            depth,
            details: Details {
                best_index: Some(self.moves[0].index),
                ..Details::default()
            },
            ..Progress::nothing()
        };
        worker.update_counters();
    }
}

/// What the rules say of a value.
fn proven(value: i32) -> Option<Relative> {
    if value > MAX_EVALUATION {
        Some(Relative::Win)
    } else if value < -MAX_EVALUATION {
        Some(Relative::Loss)
    } else {
        None
    }
}

/// The expected score of a value.
fn score(value: i32, scale: f64) -> Score {
    match proven(value) {
        Some(result) => result.score(),
        None => Score(1.0 / (1.0 + libm::exp(-f64::from(value) / scale))),
    }
}
