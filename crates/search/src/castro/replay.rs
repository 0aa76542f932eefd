//! Proofs copied to siblings (Castro thesis, 2012, "Castro"): where a move was refuted, the same replies
//! are tried against its siblings.
//!
//! The refutation is only a source of moves: what is claimed of the sibling follows from the sibling's own
//! positions, all of whose moves are answered. The two positions differ by the two moves that led to them.
//! Where the replay comes to the one that is free on one board only, the other takes its place.

use super::pns_table::{Found, Search};
use super::state::{State, after};
use crate::Lookahead;
use crate::proof::{Bounds, Numbers, Problem};

/// The moves that led to the two positions; `None` once both have been made on both boards.
type Difference = Option<(u16, u16)>;

impl<S: State> Search<'_, '_, '_, S> {
    /// The move with this number of the node at a depth was refuted: tries the refutation on others.
    pub(super) fn copy_proofs(&mut self, depth: usize, refuted: usize) {
        let source_move = self.frames[depth].children[refuted].mv;
        let source = Box::new(self.frames[depth + 1].position.clone());
        let mut tried = 0;
        for place in 0..self.frames[depth].children.len() {
            let child = self.frames[depth].children[place];
            if child.value.numbers.is_solved() || self.has_to_return() {
                continue;
            }
            if tried == self.problem.params.copy_proofs {
                return;
            }
            tried += 1;
            let sibling = after(&self.frames[depth].position, child.mv);
            let difference = Some((source_move, child.mv));
            if let Some(found) = self.replay(&source, &sibling, difference, depth + 1) {
                let value = &mut self.frames[depth].children[place].value;
                value.numbers = found.numbers;
                value.bounds = value.bounds.and(found.bounds);
            }
        }
    }

    /// Shows that the side to move in `target` achieves what it wants, as it does in `source`; `None` if
    /// the same moves do not show it.
    fn replay(
        &mut self,
        source: &S,
        target: &S,
        difference: Difference,
        depth: usize,
    ) -> Option<Found> {
        if let Some(known) = self.decided(target, depth) {
            return (known.numbers.phi == 0).then_some(known);
        }
        let best = self.table_move(source, depth)?;
        let (reply, difference) = substitute(best, difference, false);
        let mut moves = Vec::new();
        let bounds = target.list_moves(self.problem.params.lookahead, &mut moves);
        if !moves.contains(&reply) {
            return None;
        }
        let (source, after) = (after(source, best), after(target, reply));
        let below = self.replay_all(&source, &after, difference, depth + 1)?;
        let mover = target.to_move();
        let found = Found {
            numbers: Numbers::ACHIEVED,
            bounds: below.or_more(mover).and(self.problem.goal.bounds(bounds)),
            best: reply,
        };
        self.problem.put(target, depth, found, 1);
        Some(found)
    }

    /// Shows that the side to move in `target` does not achieve what it wants, whatever it plays.
    fn replay_all(
        &mut self,
        source: &S,
        target: &S,
        difference: Difference,
        depth: usize,
    ) -> Option<Bounds> {
        if let Some(known) = self.decided(target, depth) {
            return (known.numbers.delta == 0).then_some(known.bounds);
        }
        if source.outcome().is_some() {
            return None;
        }
        self.count();
        if self.has_to_return() {
            return None;
        }
        let mover = target.to_move();
        let mut moves = Vec::new();
        let listed = target.list_moves(self.problem.params.lookahead, &mut moves);
        let mut in_source = Vec::new();
        source.list_moves(Lookahead::None, &mut in_source);
        let mut bounds: Option<Bounds> = None;
        for &mv in &moves {
            let after_move = after(target, mv);
            let found = if let Some(known) = self.decided(&after_move, depth + 1) {
                known
            } else {
                let (played, difference) = substitute(mv, difference, true);
                if !in_source.contains(&played) {
                    return None;
                }
                let from = after(source, played);
                self.replay(&from, &after_move, difference, depth + 1)?
            };
            if found.numbers.phi != 0 {
                return None;
            }
            let seen = found.bounds;
            bounds = Some(bounds.map_or(seen, |bounds| bounds.or(seen, mover)));
        }
        let found = Found {
            numbers: Numbers::REFUTED,
            bounds: bounds?.and(self.problem.goal.bounds(listed)),
            best: *moves.first()?,
        };
        self.problem.put(target, depth, found, 1);
        Some(found.bounds)
    }

    /// What is known of a position that needs no further proof.
    fn decided(&self, state: &S, depth: usize) -> Option<Found> {
        let known = self.problem.get(state.key(), depth);
        if let Some(known) = known.filter(|known| known.numbers.is_solved()) {
            return Some(known);
        }
        let bounds = self
            .problem
            .goal
            .bounds(state.look(self.problem.params.lookahead).bounds);
        let numbers = self.problem.goal.settled(bounds, state.to_move(), depth)?;
        Some(Found {
            numbers,
            bounds,
            best: 0,
        })
    }

    /// The move by which the side to move of a position achieves what it wants, if it is known.
    fn table_move(&self, state: &S, depth: usize) -> Option<u16> {
        if state.outcome().is_some() {
            return None;
        }
        if let Some(known) = self.problem.get(state.key(), depth) {
            return (known.numbers.phi == 0).then_some(known.best);
        }
        // It was seen at once.
        let mut moves = Vec::new();
        let bounds = state.list_moves(self.problem.params.lookahead, &mut moves);
        let bounds = self.problem.goal.bounds(bounds);
        let numbers = self.problem.goal.settled(bounds, state.to_move(), depth)?;
        if numbers.phi == 0 {
            moves.first().copied()
        } else {
            None
        }
    }
}

/// The move on one board that stands for a move on the other, and how the boards differ afterwards.
/// `from_target` says on which board `mv` is.
fn substitute(mv: u16, difference: Difference, from_target: bool) -> (u16, Difference) {
    let Some((source_move, target_move)) = difference else {
        return (mv, None);
    };
    // On the target the source's move can still be made, and the other way round.
    let (free, other) = if from_target {
        (source_move, target_move)
    } else {
        (target_move, source_move)
    };
    if mv == free {
        (other, None)
    } else {
        (mv, difference)
    }
}
