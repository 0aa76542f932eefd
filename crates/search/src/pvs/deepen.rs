//! The iterations of a search, and what one of them finds at the root.

use super::node::{Candidate, CandidateOf, INFINITY, Place, TO_THE_END, Worker};
use super::{Domain, Params};
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
/// The game's own search for the winner may take those of the iterations divided by this.
const SOLVE_SHARE: u64 = 2;

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
#[derive(Clone, Debug)]
struct Tried<C, M> {
    candidate: C,
    /// What is expected after it, if every move gets a value of its own.
    line: Vec<M>,
    /// Its place in the list as it was generated.
    index: usize,
    /// In the iteration under way, or that before: exact for the best move, otherwise an upper bound unless every move
    /// gets a value of its own.
    value: i32,
    nodes: u64,
}

/// The moves of a domain at the root.
type TriedOf<G, U> = Tried<CandidateOf<G, U>, <U as Domain<G>>::Move>;

/// The root of a search.
struct Root<G: Game, U: Domain<G>> {
    position: G,
    state: U::State,
    /// The best first.
    moves: Vec<TriedOf<G, U>>,
    /// Of the best move.
    value: i32,
    line: Vec<U::Move>,
    /// Whether a search of the game's own has found that every move loses. The search goes on then: the
    /// value is still what it makes of the position, so that the best move is one that makes the win hard.
    is_lost: bool,
}

impl Deepening<'_> {
    /// Searches until a limit is reached or it is proven who wins, and leaves what is known in
    /// `worker.control.latest`. Why it ended, and a hash of what it did.
    pub fn run<G: Game, U: Domain<G>>(
        &self,
        worker: &mut Worker<'_, G, U>,
        position: G,
    ) -> (StopReason, u64) {
        worker.memory.begin();
        let mut root = Root::new(worker, position);
        let max_nodes = self.nodes.unwrap_or(u64::MAX);
        let plies_left = worker.domain.plies_left(&root.position);
        let mut depth = self.first_depth;
        let mut signature = 0;
        let mut solving = 0;
        let stop = loop {
            worker.control.may_stop = depth > self.first_depth;
            worker.control.max_nodes = max_nodes;
            let finished = self.iterate(worker, &mut root, depth as i32);
            if finished {
                signature = mix_in(signature, worker.control.nodes);
                signature = mix_in(signature, root.value as u64);
            }
            root.publish(worker, depth - u32::from(!finished), self.params);
            if proven(root.value).is_some() {
                break StopReason::Proven;
            }
            if let Some(reason) = worker.control.stopped {
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
                root.publish(worker, depth, self.params);
                if proven(root.value).is_some() {
                    break StopReason::Proven;
                }
                if let Some(reason) = worker.control.stopped {
                    break reason;
                }
            }
            if let Some(reason) = self.is_enough(worker, root.moves.len()) {
                break reason;
            }
            depth += 1;
        };
        let signature = worker
            .control
            .latest
            .moves
            .iter()
            .fold(signature, sign_move);
        (stop, signature)
    }

    /// One iteration, in windows round the value of the one before. Whether it was finished.
    fn iterate<G: Game, U: Domain<G>>(
        &self,
        worker: &mut Worker<'_, G, U>,
        root: &mut Root<G, U>,
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
            if !self.params.every_move {
                alpha = bounded(i64::from(middle) - reach);
            }
            beta = bounded(i64::from(middle) + reach);
        }
        loop {
            let value = root.search(worker, depth, alpha, beta, self.params.every_move);
            if worker.control.stopped.is_some() {
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

    /// Lets the game's own search for the winner go on, until it has its share of the nodes. Whether the game has one.
    fn solve<G: Game, U: Domain<G>>(
        &self,
        worker: &mut Worker<'_, G, U>,
        root: &mut Root<G, U>,
        solving: &mut u64,
    ) -> bool {
        let left = worker
            .control
            .max_nodes
            .saturating_sub(worker.control.nodes);
        let iterations = worker.control.nodes - *solving;
        let share = (iterations / SOLVE_SHARE).saturating_sub(*solving);
        let elapsed = worker.control.watch.elapsed();
        let limits = Limits {
            nodes: Some(share.min(left)),
            time: self.time.map(|time| time.saturating_sub(elapsed)),
            stop: self.stop.clone(),
            ..Limits::default()
        };
        let Some(solved) = worker.domain.solve(&root.position, &limits) else {
            return false;
        };
        worker.control.nodes += solved.nodes;
        *solving += solved.nodes;
        if let Some(proven) = solved.proven {
            root.learn(worker.domain, proven, solved.best);
        }
        true
    }

    /// The limit of which enough is used, if there is one: a move without alternative is worth a tenth of what others
    /// are. An iteration is begun even if it will hardly be finished, since a better move is known as soon as it is found.
    fn is_enough<G: Game, U: Domain<G>>(
        &self,
        worker: &Worker<'_, G, U>,
        moves: usize,
    ) -> Option<StopReason> {
        if moves > 1 {
            return None;
        }
        let is_late = |time: Duration| worker.control.watch.elapsed() > time / 10;
        if self.time.is_some_and(is_late) {
            return Some(StopReason::Time);
        }
        let is_long = |nodes: u64| worker.control.nodes > nodes / 10;
        self.nodes.is_some_and(is_long).then_some(StopReason::Nodes)
    }
}

impl<G: Game, U: Domain<G>> Root<G, U> {
    fn new(worker: &mut Worker<'_, G, U>, position: G) -> Self {
        let state = worker.domain.state(&position);
        let mut candidates = Vec::new();
        let domain = &*worker.domain;
        domain.for_each_move(&state, |mv, after| {
            candidates.push(Candidate {
                mv,
                slot: domain.slot(mv),
                rank: 0,
                after,
                guess: None,
            });
        });
        worker.rank_by_evaluation(&state, 1, &mut candidates);
        let tried = |(index, candidate): (usize, CandidateOf<G, U>)| Tried {
            value: candidate.rank,
            candidate,
            line: Vec::new(),
            index,
            nodes: 0,
        };
        let mut moves: Vec<_> = candidates.into_iter().enumerate().map(tried).collect();
        moves.sort_by_key(|tried| Reverse(tried.candidate.rank));
        Root {
            line: vec![moves[0].candidate.mv],
            value: moves[0].value,
            position,
            state,
            moves,
            is_lost: false,
        }
    }

    /// Searches all moves within a window, and brings a better one to the front as soon as it is found. If every move
    /// is to get a value of its own, the window is open below for each.
    fn search(
        &mut self,
        worker: &mut Worker<'_, G, U>,
        depth: i32,
        mut alpha: i32,
        beta: i32,
        every_move: bool,
    ) -> i32 {
        worker.make_room(0);
        worker.begin_estimates(&self.state);
        alpha = alpha.max(-MAX_EVALUATION - 1);
        let mut best = -INFINITY;
        for index in 0..self.moves.len() {
            let candidate = &self.moves[index].candidate;
            let mv = candidate.mv;
            let (from, place) = if every_move {
                (-MAX_EVALUATION - 1, 0)
            } else {
                (alpha, index)
            };
            let below = Place {
                depth: depth - 1,
                ply: 1,
                alpha: from,
                beta,
                before: Some(candidate.slot),
            };
            let nodes = worker.control.nodes;
            let value = worker.try_candidate(&self.state, candidate, below, place);
            if worker.control.stopped.is_some() {
                break;
            }
            let tried = &mut self.moves[index];
            tried.nodes = worker.control.nodes - nodes;
            tried.value = value;
            if every_move {
                tried.line.clone_from(&worker.lines[1]);
            }
            if value > best {
                best = value;
                if value > alpha {
                    alpha = value;
                    worker.lines.extend_line(0, mv);
                    self.line.clone_from(&worker.lines[0]);
                    self.value = value;
                    self.moves[..=index].rotate_right(1);
                }
            }
            if best >= beta || best > MAX_EVALUATION {
                break;
            }
        }
        if every_move && worker.control.stopped.is_none() {
            self.moves.sort_by_key(|tried| Reverse(tried.value));
        }
        if best < -MAX_EVALUATION && worker.control.stopped.is_none() {
            // Every move loses: the one that lasts longest, as far as is known.
            let key = |&index: &usize| (self.moves[index].value, Reverse(index));
            let longest = (0..self.moves.len()).max_by_key(key);
            self.moves[..=longest.unwrap_or(0)].rotate_right(1);
            self.line = vec![self.moves[0].candidate.mv];
        }
        best
    }

    /// Searches to the end of the game for a move that wins, with a share of the nodes searched so far.
    fn finish(&mut self, worker: &mut Worker<'_, G, U>, max_nodes: u64) {
        worker.control.may_stop = true;
        let most = worker.control.nodes + worker.control.nodes / FINISH_SHARE;
        worker.control.max_nodes = most.min(max_nodes);
        let before: Vec<i32> = self.moves.iter().map(|tried| tried.value).collect();
        let value = self.search(worker, TO_THE_END, 0, 1, false);
        if worker.control.stopped.is_none() {
            self.value = value;
            return;
        }
        for (tried, before) in self.moves.iter_mut().zip(before) {
            tried.value = before;
        }
        if worker.control.stopped == Some(StopReason::Nodes) && worker.control.nodes < max_nodes {
            worker.control.stopped = None;
        }
    }

    /// Takes over what a search of the game's own has proven.
    fn learn(&mut self, domain: &U, proven: Relative, best: Option<G::Move>) {
        match proven {
            Relative::Loss => self.is_lost = true,
            Relative::Draw => {}
            Relative::Win => {
                let is_best =
                    |tried: &TriedOf<G, U>| Some(domain.game_move(tried.candidate.mv)) == best;
                if let Some(index) = self.moves.iter().position(is_best) {
                    self.moves[..=index].rotate_right(1);
                    self.moves[0].value = MAX_EVALUATION + 1;
                    self.value = MAX_EVALUATION + 1;
                    self.line = vec![self.moves[0].candidate.mv];
                }
            }
        }
    }

    /// Tells the worker what is known.
    fn publish(&self, worker: &mut Worker<'_, G, U>, depth: u32, params: &Params) {
        let domain = &*worker.domain;
        let scale = params.scale;
        let of_game = |line: &[U::Move]| line.iter().map(|&mv| domain.game_move(mv)).collect();
        let line: Vec<G::Move> = of_game(&self.line);
        let stats = |tried: &TriedOf<G, U>| MoveStats {
            mv: domain.game_move(tried.candidate.mv),
            visits: tried.nodes,
            value: score(tried.value, scale),
            proven: proven(tried.value),
        };
        let variation =
            |tried: &TriedOf<G, U>| of_game(&[&[tried.candidate.mv], &*tried.line].concat());
        let variations = if params.every_move {
            self.moves.iter().map(variation).collect()
        } else {
            Vec::new()
        };
        let proven = if self.is_lost {
            Some(Relative::Loss)
        } else {
            proven(self.value)
        };
        worker.control.latest = Progress {
            best: line.first().copied(),
            value: proven.map_or_else(|| score(self.value, scale), Relative::score),
            evaluation: Some(self.value),
            proven,
            principal_variation: line,
            moves: self.moves.iter().map(stats).collect(),
            variations,
            depth,
            details: Details {
                best_index: Some(self.moves[0].index),
                ..Details::default()
            },
            ..Progress::nothing()
        };
        worker.control.update_counters();
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
