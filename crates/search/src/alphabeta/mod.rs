//! Alpha-beta: depth-limited minimax with an evaluation function, deepened one ply at a time or searched
//! to its depth at once.
//!
//! Every iteration gives the value and a best move of plain minimax to its depth: pruning changes what
//! is visited, not what is found. Moves are searched in the order of the [`MoveOrdering`], which is that of the
//! generator where there is only an evaluation, except that the principal variation of the iteration
//! before comes first. An ordering that leaves out moves searches a smaller game; what is said to be proven
//! still is.

mod evaluate;
mod move_ordering;
mod negamax;
mod params;

pub(crate) use evaluate::terminal;
pub use evaluate::{Evaluate, MAX_EVALUATION, WIN};
pub use move_ordering::MoveOrdering;
pub use params::{Deepening, Params};

use crate::report::{mix_in, sign_move};
use crate::threads::with_deep_stack;
use crate::{Details, Limits, MoveStats, Progress, Report, StopReason, Watch};
use game::{Game, Relative};
use negamax::{Found, INFINITY, Place, Search, put_first};

/// An alpha-beta search with its position and its ordering, which may be no more than an evaluation
/// function.
///
/// The search itself keeps nothing from one time to the next, and nothing is random.
#[derive(Clone, Debug)]
pub struct AlphaBeta<G, U> {
    position: G,
    ordering: U,
    params: Params,
}

impl<G: Game, U: MoveOrdering<G>> AlphaBeta<G, U> {
    /// A search from a position.
    pub fn new(position: G, ordering: U, params: Params) -> Self {
        AlphaBeta {
            position,
            ordering,
            params,
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

    /// The parameters.
    pub fn params(&self) -> &Params {
        &self.params
    }

    /// Other parameters, from the next search on.
    pub fn set_params(&mut self, params: Params) {
        self.params = params;
    }

    /// The move ordering and evaluation that the game adds.
    pub fn ordering_mut(&mut self) -> &mut U {
        &mut self.ordering
    }

    /// Searches until a limit is reached or the value of the position is proven, one ply deeper again and
    /// again or [at once](Deepening::AtOnce), calling `progress` as often as the limits say. The report is
    /// that of the last iteration that was finished.
    ///
    /// An iteration of one ply is finished whatever the limits are, so that there is an answer: it
    /// evaluates the position after each legal move once.
    pub fn search(
        &mut self,
        limits: &Limits,
        progress: &mut dyn FnMut(&Progress<G::Move>),
    ) -> Report<G::Move> {
        if let Some(outcome) = self.position.outcome() {
            let result = outcome.seen_by(self.position.to_move());
            let elapsed = Watch::start(limits).elapsed();
            return Progress::game_over(result, elapsed).stopped(StopReason::Proven, 0);
        }
        let max_depth = limits.depth.unwrap_or(u32::MAX).max(1);
        let mut depth = self.first_depth(limits);
        let mut search = Search::new(&mut self.ordering, limits, progress);
        let mut signature = 0;
        let stop = loop {
            search.control.may_stop = depth > 1;
            let iteration =
                with_deep_stack(|| iterate(&mut search, &mut self.position, depth, &self.params));
            if let Some(iteration) = iteration {
                signature = mix_in(signature, search.control.nodes);
                signature = mix_in(signature, iteration.value as u64);
                signature = iteration.moves.iter().fold(signature, sign_move);
                search.control.latest = iteration.into_progress(depth, &self.params);
            }
            if let Some(reason) = search.control.stopped {
                if search.control.latest.best.is_some() {
                    break reason;
                }
                (depth, search.control.stopped) = (1, None);
                continue;
            }
            if search.control.latest.proven.is_some() {
                break StopReason::Proven;
            }
            if depth >= max_depth {
                break StopReason::Depth;
            }
            depth += 1;
        };
        search.control.update_counters();
        search.control.latest.stopped(stop, signature)
    }

    /// The depth of the first iteration.
    fn first_depth(&self, limits: &Limits) -> u32 {
        match (self.params.deepening, limits.depth) {
            (Deepening::AtOnce, Some(depth)) if limits.time.is_none() && limits.nodes.is_none() => {
                depth.max(1)
            }
            _ => 1,
        }
    }
}

/// What one iteration found. All points of view are that of the side to move at the root.
struct Iteration<M> {
    /// The value of the root.
    value: i32,
    /// What the rules say of it.
    proven: Option<Relative>,
    /// The best line.
    line: Vec<M>,
    /// The best first, then by value; equal ones as they were searched.
    moves: Vec<MoveStats<M>>,
    /// See [`Details::best_index`](crate::Details::best_index).
    best_index: Option<usize>,
}

/// Searches to a depth of at least 1. `None` if the search was stopped on the way.
fn iterate<G: Game, U: MoveOrdering<G>>(
    search: &mut Search<'_, G, U>,
    position: &mut G,
    depth: u32,
    params: &Params,
) -> Option<Iteration<G::Move>> {
    search.make_room(0);
    search.ordering.begin(position);
    let mut generated = Vec::new();
    search.ordering.list_moves(position, 0, &mut generated);
    let mut order = generated.clone();
    let follows = put_first(
        &mut order,
        search.control.latest.principal_variation.first(),
    );

    let mover = position.to_move();
    let mut root = Found::nothing(mover);
    let mut best = root;
    let mut tried = Vec::with_capacity(order.len());
    for (index, &mv) in order.iter().enumerate() {
        let nodes_before = search.control.nodes;
        let below = Place {
            depth: depth - 1,
            ply: 1,
            follows: follows && index == 0,
        };
        search.ordering.enter(mv);
        let found = search.try_move(position, mv, below, root.value, INFINITY);
        if search.control.stopped.is_some() {
            return None;
        }
        // Of moves that are equally good as far as the evaluation goes, one that is certain to be:
        // where the root is proven, the move played is proven too.
        let certain = |of: Found| of.bounds.seen_by(mover).0;
        if (found.value, certain(found)) > (best.value, certain(best)) {
            best = found;
            search.lines.extend_line(0, mv);
        }
        root = root.or(found, mover);
        let stats = MoveStats {
            mv,
            visits: search.control.nodes - nodes_before,
            value: found
                .proven(mover)
                .map_or_else(|| evaluate::score(found.value, params), Relative::score),
            proven: found.proven(mover),
        };
        tried.push((found.value, stats));
    }
    tried.sort_by_key(|&(value, _)| std::cmp::Reverse(value));
    let mut moves: Vec<_> = tried.into_iter().map(|(_, stats)| stats).collect();
    let line = search.lines[0].clone();
    if let Some(best) = moves
        .iter()
        .position(|stats| Some(&stats.mv) == line.first())
    {
        moves[..=best].rotate_right(1);
    }
    Some(Iteration {
        value: root.value,
        proven: root.proven(mover),
        best_index: generated.iter().position(|mv| Some(mv) == line.first()),
        line,
        moves,
    })
}

impl<M: Copy> Iteration<M> {
    fn into_progress(self, depth: u32, params: &Params) -> Progress<M> {
        Progress {
            best: self.line.first().copied(),
            value: self
                .proven
                .map_or_else(|| evaluate::score(self.value, params), Relative::score),
            evaluation: Some(self.value),
            proven: self.proven,
            principal_variation: self.line,
            moves: self.moves,
            depth,
            details: Details {
                best_index: self.best_index,
                ..Details::default()
            },
            ..Progress::nothing()
        }
    }
}
