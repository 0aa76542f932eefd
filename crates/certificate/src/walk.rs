//! The way through a proof that the writer and the checker share, as the format describes it.

use crate::{Promise, Provable};
use std::collections::HashSet;

/// Gives the strategy's moves.
pub(crate) trait Moves<G: Provable> {
    type Error;

    /// The move in a position, whose legal moves are given in order.
    fn next(&mut self, position: &G, legal: &[G::Move]) -> Result<Step<G>, Self::Error>;
}

/// What a strategy says of a position.
pub(crate) enum Step<G: Provable> {
    /// Play this.
    Play(G::Move),
    /// Nothing, for this reason.
    Missing(&'static str),
}

/// Why a walk ended.
pub(crate) enum Stop<E> {
    /// Something is not shown.
    Hole {
        /// The moves from the position of the claim to where that is.
        line: Vec<String>,
        /// What is wrong there.
        reason: &'static str,
    },
    /// The moves could not be had.
    Error(E),
}

/// A walk through the proof of one promise.
pub(crate) struct Walk<'a, G: Provable, M> {
    promise: Promise,
    moves: &'a mut M,
    done: HashSet<G::Key>,
    line: Vec<G::Move>,
    /// The move that won at once in the last position that had one: often it does in the next.
    winner: Option<G::Move>,
}

impl<'a, G: Provable, M: Moves<G>> Walk<'a, G, M> {
    /// Goes through the proof from a position. Returns the number of the strategy's moves.
    pub fn through(start: &G, promise: Promise, moves: &'a mut M) -> Result<u64, Stop<M::Error>> {
        let mut walk = Walk {
            promise,
            moves,
            done: HashSet::new(),
            line: Vec::new(),
            winner: None,
        };
        walk.visit(start).map_err(|stop| match stop {
            // Only here are the positions at hand that the names of the moves need.
            Found::Hole(reason) => Stop::Hole {
                line: names(start, &walk.line),
                reason,
            },
            Found::Error(error) => Stop::Error(error),
        })?;
        Ok(walk.done.len() as u64)
    }

    /// Where something is missing, `line` is left as it was there.
    fn visit(&mut self, position: &G) -> Result<(), Found<M::Error>> {
        if let Some(outcome) = position.outcome() {
            let kept = self.promise.is_kept_by(outcome);
            return kept
                .then_some(())
                .ok_or(Found::Hole("the game ends otherwise"));
        }
        let mut legal = Vec::new();
        position.legal_moves(&mut legal);
        legal.sort_unstable();
        let mut after = position.clone();
        if position.to_move() != self.promise.side() {
            for mv in legal {
                after.clone_from(position);
                after.play(mv);
                self.descend(mv, &after)?;
            }
            return Ok(());
        }
        let key = position.key();
        if self.done.contains(&key) || self.wins_at_once(position, &legal, &mut after) {
            return Ok(());
        }
        let mv = match self.moves.next(position, &legal).map_err(Found::Error)? {
            Step::Play(mv) => mv,
            Step::Missing(reason) => return Err(Found::Hole(reason)),
        };
        after.clone_from(position);
        if after.try_play(mv).is_err() {
            return Err(Found::Hole("the move is not legal"));
        }
        self.descend(mv, &after)?;
        self.done.insert(key);
        Ok(())
    }

    fn descend(&mut self, mv: G::Move, after: &G) -> Result<(), Found<M::Error>> {
        self.line.push(mv);
        self.visit(after)?;
        self.line.pop();
        Ok(())
    }

    /// Whether one of the legal moves wins.
    fn wins_at_once(&mut self, position: &G, legal: &[G::Move], after: &mut G) -> bool {
        let side = self.promise.side();
        let mut wins = |mv: G::Move| {
            after.clone_from(position);
            after.play(mv);
            after
                .outcome()
                .is_some_and(|outcome| outcome.winner() == Some(side))
        };
        let likely = self.winner.filter(|&mv| position.is_legal(mv));
        if likely.is_some_and(&mut wins) {
            return true;
        }
        let found = legal.iter().copied().find(|&mv| wins(mv));
        if found.is_some() {
            self.winner = found;
        }
        found.is_some()
    }
}

/// Why a visit ended.
enum Found<E> {
    Hole(&'static str),
    Error(E),
}

/// The names of the moves of a line.
pub(crate) fn names<G: Provable>(start: &G, line: &[G::Move]) -> Vec<String> {
    let mut position = start.clone();
    let mut names = Vec::with_capacity(line.len());
    for &mv in line {
        names.push(position.name(mv));
        if position.try_play(mv).is_err() {
            break;
        }
    }
    names
}
