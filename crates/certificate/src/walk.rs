//! The way through a proof that the writer and the checker share, as the format describes it.

use crate::{Judgement, Promise, Provable};
use game::random::mix;
use std::collections::HashSet;
use std::hash::{BuildHasherDefault, Hasher};

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
    done: HashSet<G::Key, BuildHasherDefault<Mixing>>,
    /// The positions on the way, by depth, and the moves between them.
    positions: Vec<G>,
    line: Vec<G::Move>,
    legal: Vec<G::Move>,
    named: u64,
}

impl<'a, G: Provable, M: Moves<G>> Walk<'a, G, M> {
    /// Goes through the proof from a position. Returns the number of the strategy's moves.
    pub fn through(start: &G, promise: Promise, moves: &'a mut M) -> Result<u64, Stop<M::Error>> {
        let mut walk = Walk {
            promise,
            moves,
            done: HashSet::default(),
            positions: vec![start.clone()],
            line: Vec::new(),
            legal: Vec::new(),
            named: 0,
        };
        walk.visit().map_err(|stop| match stop {
            // Only here are the positions at hand that the names of the moves need.
            Found::Hole(reason) => Stop::Hole {
                line: names(start, &walk.line),
                reason,
            },
            Found::Error(error) => Stop::Error(error),
        })?;
        Ok(walk.named)
    }

    /// Goes through the position at the end of the line. Where something is missing, the line is left
    /// as it was there.
    fn visit(&mut self) -> Result<(), Found<M::Error>> {
        let position = &self.positions[self.line.len()];
        if let Some(outcome) = position.outcome() {
            let kept = self.promise.is_kept_by(outcome);
            return kept
                .then_some(())
                .ok_or(Found::Hole("the game ends otherwise"));
        }
        let key = (position.to_move() == self.promise.side()).then(|| position.key());
        if key.as_ref().is_some_and(|key| self.done.contains(key)) {
            return Ok(());
        }
        let mv = match position.judge(self.promise) {
            Judgement::Kept => return Ok(()),
            Judgement::Broken(reason) => return Err(Found::Hole(reason)),
            Judgement::Answer(moves) => {
                return moves.into_iter().try_for_each(|mv| self.descend(mv));
            }
            Judgement::Forced(mv) => mv,
            Judgement::Open => self.named_move()?,
        };
        self.descend(mv)?;
        self.done.extend(key);
        Ok(())
    }

    /// The move that the strategy names.
    fn named_move(&mut self) -> Result<G::Move, Found<M::Error>> {
        let position = &self.positions[self.line.len()];
        self.legal.clear();
        position.legal_moves(&mut self.legal);
        self.legal.sort_unstable();
        self.named += 1;
        match self.moves.next(position, &self.legal) {
            Ok(Step::Play(mv)) => Ok(mv),
            Ok(Step::Missing(reason)) => Err(Found::Hole(reason)),
            Err(error) => Err(Found::Error(error)),
        }
    }

    fn descend(&mut self, mv: G::Move) -> Result<(), Found<M::Error>> {
        let depth = self.line.len();
        if self.positions.len() == depth + 1 {
            self.positions.push(self.positions[depth].clone());
        } else {
            let (above, below) = self.positions.split_at_mut(depth + 1);
            below[0].clone_from(&above[depth]);
        }
        if self.positions[depth + 1].try_play(mv).is_err() {
            return Err(Found::Hole("the move is not legal"));
        }
        self.line.push(mv);
        self.visit()?;
        self.line.pop();
        Ok(())
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

/// A hash that is quick to compute. Keys that were chosen so that they collide make a walk slow, and
/// nothing worse.
#[derive(Default)]
struct Mixing(u64);

impl Hasher for Mixing {
    fn write(&mut self, bytes: &[u8]) {
        for part in bytes.chunks(8) {
            let mut word = [0; 8];
            word[..part.len()].copy_from_slice(part);
            self.write_u64(u64::from_le_bytes(word));
        }
    }

    fn write_u64(&mut self, part: u64) {
        self.0 = mix(self.0 ^ part);
    }

    fn write_u128(&mut self, part: u128) {
        self.write_u64(part as u64);
        self.write_u64((part >> 64) as u64);
    }

    fn write_usize(&mut self, part: usize) {
        self.write_u64(part as u64);
    }

    fn write_isize(&mut self, part: isize) {
        self.write_u64(part as u64);
    }

    fn finish(&self) -> u64 {
        self.0
    }
}
