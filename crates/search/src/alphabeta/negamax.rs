//! One iteration: negamax alpha-beta to a fixed depth (Knuth and Moore, "An analysis of alpha-beta
//! pruning", 1975), fail-soft.
//!
//! Beside the value, which mixes evaluations and results, a second pair of bounds says what the rules
//! alone guarantee: it is drawn from ended games only, and a position that was evaluated or not looked
//! at could be anything. Where the bounds meet, the position is proven, and this is so for a draw as for
//! a win, however the evaluations turned out.

use super::evaluate::{self, MAX_EVALUATION};
use super::move_ordering::MoveOrdering;
use crate::{Limits, Progress, StopReason, Tick, Watch};
use game::{Game, Relative};

/// Beyond every value.
pub(super) const INFINITY: i32 = i32::MAX;

/// What is known of a position, from the point of view of the side to move there, or of a move, from
/// that of the side that makes it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Found {
    /// The value to the depth of the iteration: exact between alpha and beta, outside a bound.
    pub value: i32,
    /// What the side can force under the rules.
    pub at_least: Relative,
    /// What the opponent can hold it to under the rules.
    pub at_most: Relative,
}

impl Found {
    /// Before any move was looked at.
    pub(super) const NOTHING: Found = Found {
        value: -INFINITY,
        at_least: Relative::Loss,
        at_most: Relative::Loss,
    };

    fn ended(result: Relative, ply: usize) -> Self {
        Found {
            value: evaluate::terminal(result, ply),
            at_least: result,
            at_most: result,
        }
    }

    fn evaluated(evaluation: i32) -> Self {
        Found {
            value: evaluation.clamp(-MAX_EVALUATION, MAX_EVALUATION),
            at_least: Relative::Loss,
            at_most: Relative::Win,
        }
    }

    fn flipped(self) -> Self {
        Found {
            value: -self.value,
            at_least: self.at_most.flipped(),
            at_most: self.at_least.flipped(),
        }
    }

    /// What a side has that can choose between two moves.
    pub(super) fn or(self, other: Found) -> Self {
        Found {
            value: self.value.max(other.value),
            at_least: self.at_least.max(other.at_least),
            at_most: self.at_most.max(other.at_most),
        }
    }

    /// The exact value under the rules, if it is known.
    pub(super) fn proven(self) -> Option<Relative> {
        (self.at_least == self.at_most).then_some(self.at_least)
    }
}

/// A node of an iteration.
#[derive(Clone, Copy, Debug)]
pub(super) struct Place {
    /// Plies to the horizon.
    pub depth: u32,
    /// Plies from the root.
    pub ply: usize,
    /// Whether the moves so far are the principal variation of the iteration before.
    pub follows: bool,
}

/// A search under way.
pub(super) struct Search<'a, G: Game, U> {
    pub ordering: &'a mut U,
    pub watch: Watch,
    pub progress: &'a mut dyn FnMut(&Progress<G::Move>),
    /// What was known after the last finished iteration.
    pub latest: Progress<G::Move>,
    /// Positions visited below the root.
    pub nodes: u64,
    /// See [`Details::cutoffs`](crate::Details::cutoffs).
    pub cutoffs: u64,
    /// See [`Details::left_out`](crate::Details::left_out).
    pub left_out: u64,
    pub max_nodes: Option<u64>,
    /// Whether the limits apply.
    pub may_stop: bool,
    /// Once set, everything returns at once, and what it returns means nothing.
    pub stopped: Option<StopReason>,
    /// For each ply the best line from there on, in this iteration.
    pub lines: Vec<Vec<G::Move>>,
    /// For each ply a list of moves to use again and again.
    lists: Vec<Vec<G::Move>>,
}

impl<'a, G: Game, U: MoveOrdering<G>> Search<'a, G, U> {
    pub(super) fn new(
        ordering: &'a mut U,
        limits: &Limits,
        progress: &'a mut dyn FnMut(&Progress<G::Move>),
    ) -> Self {
        Search {
            ordering,
            watch: Watch::start(limits),
            progress,
            latest: Progress::nothing(),
            nodes: 0,
            cutoffs: 0,
            left_out: 0,
            max_nodes: limits.nodes,
            may_stop: false,
            stopped: None,
            lines: Vec::new(),
            lists: Vec::new(),
        }
    }

    /// Makes room for the lines and lists of a node at this ply and for those of its children.
    #[inline]
    pub(super) fn make_room(&mut self, ply: usize) {
        if self.lines.len() < ply + 2 {
            self.lines.resize_with(ply + 2, Vec::new);
            self.lists.resize_with(ply + 2, Vec::new);
        }
    }

    /// What a move leads to, from the point of view of the side that makes it. `place` is where it leads.
    pub(super) fn try_move(
        &mut self,
        position: &mut G,
        mv: G::Move,
        place: Place,
        alpha: i32,
        beta: i32,
    ) -> Found {
        let mover = position.to_move();
        position.explore(mv, |child| {
            if child.to_move() == mover {
                self.negamax(child, place, alpha, beta)
            } else {
                self.negamax(child, place, -beta, -alpha).flipped()
            }
        })
    }

    fn negamax(&mut self, position: &mut G, place: Place, alpha: i32, beta: i32) -> Found {
        let Place {
            depth,
            ply,
            follows,
        } = place;
        self.nodes += 1;
        self.lines[ply].clear();
        if self.is_stopped() {
            return Found::NOTHING;
        }
        if let Some(outcome) = position.outcome() {
            return Found::ended(outcome.seen_by(position.to_move()), ply);
        }
        if depth == 0 {
            return Found::evaluated(self.ordering.evaluate(position, ply));
        }
        self.make_room(ply);
        let mut moves = std::mem::take(&mut self.lists[ply]);
        moves.clear();
        let left_out = self.ordering.list_moves(position, ply, &mut moves);
        self.left_out += left_out;
        if moves.is_empty() {
            self.lists[ply] = moves;
            return Found::evaluated(self.ordering.evaluate(position, ply));
        }
        let follows = follows && put_first(&mut moves, self.latest.principal_variation.get(ply));
        let mut best = Found::NOTHING;
        for (index, &mv) in moves.iter().enumerate() {
            let below = Place {
                depth: depth - 1,
                ply: ply + 1,
                follows: follows && index == 0,
            };
            let found = self.try_move(position, mv, below, alpha.max(best.value), beta);
            if self.stopped.is_some() {
                break;
            }
            if found.value > best.value {
                self.extend_line(ply, mv);
            }
            best = best.or(found);
            if best.value >= beta {
                self.cutoffs += 1;
                // The moves not tried could be anything.
                best.at_most = Relative::Win;
                break;
            }
        }
        if left_out > 0 {
            // So could those.
            best.at_most = Relative::Win;
        }
        self.lists[ply] = moves;
        best
    }

    /// The best line from a ply on: a move, then the best line after it.
    pub(super) fn extend_line(&mut self, ply: usize, mv: G::Move) {
        let (before, after) = self.lines.split_at_mut(ply + 1);
        let line = &mut before[ply];
        line.clear();
        line.push(mv);
        line.extend_from_slice(&after[0]);
    }

    #[inline]
    fn is_stopped(&mut self) -> bool {
        if !self.may_stop {
            return false;
        }
        if self.stopped.is_some() {
            return true;
        }
        if self.max_nodes.is_some_and(|most| self.nodes >= most) {
            self.stopped = Some(StopReason::Nodes);
            return true;
        }
        match self.watch.tick(self.nodes) {
            Tick::Continue => {}
            Tick::Progress => {
                self.update_counters();
                (self.progress)(&self.latest);
            }
            Tick::Stop(reason) => self.stopped = Some(reason),
        }
        self.stopped.is_some()
    }

    pub(super) fn update_counters(&mut self) {
        self.latest.nodes = self.nodes;
        self.latest.details.cutoffs = self.cutoffs;
        self.latest.details.left_out = self.left_out;
        self.latest.elapsed = self.watch.elapsed();
    }
}

/// Moves an item to the front, if it is there; the others keep their order.
pub(super) fn put_first<M: PartialEq>(items: &mut [M], first: Option<&M>) -> bool {
    let found = first.and_then(|first| items.iter().position(|item| item == first));
    if let Some(index) = found {
        items[..=index].rotate_right(1);
    }
    found.is_some()
}
