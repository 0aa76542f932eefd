//! One iteration: negamax alpha-beta to a fixed depth (Knuth and Moore, "An analysis of alpha-beta
//! pruning", 1975), fail-soft.
//!
//! Beside the value, which mixes evaluations and results, a second pair of bounds says what the rules
//! alone guarantee: it is drawn from ended games only, and a position that was evaluated or not looked
//! at could be anything. Where the bounds meet, the position is proven, and this is so for a draw as for
//! a win, however the evaluations turned out.

use super::evaluate::{self, MAX_EVALUATION};
use super::move_ordering::MoveOrdering;
use crate::deepening::{Control, PerPly};
use crate::proof::Bounds;
use crate::{Limits, Progress, Watch};
use game::{Game, Outcome, Relative, Side};

/// Beyond every value.
pub(super) const INFINITY: i32 = i32::MAX;

/// What is known of a position or of a move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Found {
    /// The value to the depth of the iteration, from the point of view of the side to move there, or of that which makes
    /// the move: exact between alpha and beta, outside a bound.
    pub value: i32,
    /// What the rules guarantee.
    pub bounds: Bounds,
}

impl Found {
    /// Before any move of a side was looked at.
    pub(super) fn nothing(chooser: Side) -> Found {
        Found {
            value: -INFINITY,
            bounds: Bounds::exact(Outcome::Win(!chooser)),
        }
    }

    fn ended(outcome: Outcome, seen_by: Side, ply: usize) -> Self {
        Found {
            value: evaluate::terminal(outcome.seen_by(seen_by), ply),
            bounds: Bounds::exact(outcome),
        }
    }

    fn evaluated(evaluation: i32) -> Self {
        Found {
            value: evaluation.clamp(-MAX_EVALUATION, MAX_EVALUATION),
            bounds: Bounds::UNKNOWN,
        }
    }

    fn flipped(self) -> Self {
        Found {
            value: -self.value,
            ..self
        }
    }

    /// What a side has that can choose between two moves.
    pub(super) fn or(self, other: Found, chooser: Side) -> Self {
        Found {
            value: self.value.max(other.value),
            bounds: self.bounds.or(other.bounds, chooser),
        }
    }

    /// The exact value under the rules as a side sees it, if it is known.
    pub(super) fn proven(self, side: Side) -> Option<Relative> {
        let outcome = self.bounds.outcome()?;
        Some(outcome.seen_by(side))
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
    pub control: Control<'a, G::Move>,
    /// The best line from each ply on, in this iteration.
    pub lines: PerPly<G::Move>,
    lists: PerPly<G::Move>,
}

impl<'a, G: Game, U: MoveOrdering<G>> Search<'a, G, U> {
    pub(super) fn new(
        ordering: &'a mut U,
        limits: &Limits,
        progress: &'a mut dyn FnMut(&Progress<G::Move>),
    ) -> Self {
        Search {
            ordering,
            control: Control::new(Watch::start(limits), limits.nodes, progress),
            lines: PerPly::new(),
            lists: PerPly::new(),
        }
    }

    /// Makes room for the lines and lists of a node at this ply and for those of its children.
    #[inline]
    pub(super) fn make_room(&mut self, ply: usize) {
        self.lines.make_room(ply);
        self.lists.make_room(ply);
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
        let mover = position.to_move();
        self.control.nodes += 1;
        self.lines[ply].clear();
        if self.control.is_stopped() {
            return Found::nothing(mover);
        }
        if let Some(outcome) = position.outcome() {
            return Found::ended(outcome, mover, ply);
        }
        if depth == 0 {
            return Found::evaluated(self.ordering.evaluate(position, ply));
        }
        self.make_room(ply);
        let mut moves = std::mem::take(&mut self.lists[ply]);
        moves.clear();
        let left_out = self.ordering.list_moves(position, ply, &mut moves);
        self.control.left_out += left_out;
        if moves.is_empty() {
            self.lists[ply] = moves;
            return Found::evaluated(self.ordering.evaluate(position, ply));
        }
        let follows =
            follows && put_first(&mut moves, self.control.latest.principal_variation.get(ply));
        let mut best = Found::nothing(mover);
        for (index, &mv) in moves.iter().enumerate() {
            let below = Place {
                depth: depth - 1,
                ply: ply + 1,
                follows: follows && index == 0,
            };
            let found = self.try_move(position, mv, below, alpha.max(best.value), beta);
            if self.control.stopped.is_some() {
                break;
            }
            if found.value > best.value {
                self.lines.extend_line(ply, mv);
            }
            best = best.or(found, mover);
            if best.value >= beta {
                self.control.cutoffs += 1;
                // The moves not tried could be anything.
                best.bounds = best.bounds.or_more(mover);
                break;
            }
        }
        if left_out > 0 {
            // So could those.
            best.bounds = best.bounds.or_more(mover);
        }
        self.lists[ply] = moves;
        best
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
