//! The way through a proof that the writer and the checker share, as the format describes it.

use crate::{Judgement, Promise, Provable};
use game::random::mix;
use std::collections::HashSet;
use std::hash::{BuildHasherDefault, Hash, Hasher};
use std::vec;

/// Gives the strategy's moves.
pub(crate) trait Moves<G: Provable> {
    type Error;

    /// The move in a position, whose legal moves are given in order. `view` shows the position as the moves of the walk
    /// led to it.
    fn next(
        &mut self,
        position: &G,
        legal: &[G::Move],
        view: usize,
    ) -> Result<Step<G>, Self::Error>;

    /// Whether the walk may go on through positions for which no move is named. Asked once for each
    /// [`free`](Moves::free) positions that it came to since a move was named.
    fn pay(&mut self) -> Result<Payment, Self::Error>;

    /// The positions that a walk may come to without a move named or a payment.
    fn free(&self) -> u64;

    /// Called for each position that the walk comes to; false ends the walk.
    fn goes_on(&mut self) -> bool {
        true
    }

    /// Whether the walk goes on with the position that stands for all with its key. Then the line of a hole need not be
    /// one of the game.
    fn turns(&self) -> bool {
        false
    }

    /// The most positions that a walk remembers as done. It does the others again.
    fn remembered(&self) -> usize {
        usize::MAX
    }
}

/// What a strategy says of a position.
pub(crate) enum Step<G: Provable> {
    /// Play this.
    Play(G::Move),
    /// Nothing remains to be done there.
    Done,
    /// Nothing, for this reason.
    Missing(&'static str),
}

/// What a strategy says of many positions without a move.
pub(crate) enum Payment {
    Paid,
    /// It is not paid, for this reason.
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
    /// [`Moves::goes_on`] ended it.
    Stopped,
}

/// A walk through the proof of one promise.
pub(crate) struct Walk<'a, G: Provable, M> {
    promise: Promise,
    moves: &'a mut M,
    done: Remembered<G::Key>,
    /// The positions on the way, by depth, and the moves between them. There may be more positions, for
    /// later.
    positions: Vec<G>,
    /// Their views, if the walk turns them.
    views: Vec<usize>,
    line: Vec<G::Move>,
    /// What is left to do in each of the positions.
    frames: Vec<Frame<G>>,
    legal: Vec<G::Move>,
    named: u64,
    /// The positions that the walk came to since a move was named or a payment made.
    free: u64,
}

/// What is left to do in a position.
struct Frame<G: Provable> {
    /// Where the side of the promise moves.
    key: Option<G::Key>,
    moves: vec::IntoIter<G::Move>,
}

impl<'a, G: Provable, M: Moves<G>> Walk<'a, G, M> {
    /// Goes through the proof from a position. Returns the number of the strategy's moves.
    pub fn through(start: &G, promise: Promise, moves: &'a mut M) -> Result<u64, Stop<M::Error>> {
        let mut walk = Walk {
            promise,
            done: Remembered::new(moves.remembered()),
            moves,
            positions: vec![start.clone()],
            views: vec![0],
            line: Vec::new(),
            frames: Vec::new(),
            legal: Vec::new(),
            named: 0,
            free: 0,
        };
        walk.run().map_err(|stop| match stop {
            // Only here are the positions at hand that the names of the moves need.
            Found::Hole(reason) => Stop::Hole {
                line: names(start, &walk.line),
                reason,
            },
            Found::Error(error) => Stop::Error(error),
            Found::Stopped => Stop::Stopped,
        })?;
        Ok(walk.named)
    }

    /// Where something is missing, the line is left as it was there.
    fn run(&mut self) -> Result<(), Found<M::Error>> {
        self.come()?;
        while let Some(frame) = self.frames.last_mut() {
            if let Some(mv) = frame.moves.next() {
                self.descend(mv)?;
                self.come()?;
                if self.frames.len() == self.line.len() {
                    // Nothing remained to be done there.
                    self.line.pop();
                }
            } else {
                if let Some(key) = frame.key.take() {
                    self.done.add(key);
                }
                self.frames.pop();
                self.line.pop();
            }
        }
        Ok(())
    }

    /// Comes to the position at the end of the line, which gets a frame if something remains to be done.
    fn come(&mut self) -> Result<(), Found<M::Error>> {
        if !self.moves.goes_on() {
            return Err(Found::Stopped);
        }
        self.free += 1;
        if self.free == self.moves.free() {
            self.free = 0;
            match self.moves.pay() {
                Ok(Payment::Paid) => {}
                Ok(Payment::Missing(reason)) => return Err(Found::Hole(reason)),
                Err(error) => return Err(Found::Error(error)),
            }
        }
        let position = &self.positions[self.line.len()];
        if let Some(outcome) = position.outcome() {
            if !self.promise.is_kept_by(outcome) {
                return Err(Found::Hole("the game ends otherwise"));
            }
            return Ok(());
        }
        let key = (position.to_move() == self.promise.side()).then(|| position.key());
        if key.as_ref().is_some_and(|key| self.done.has(key)) {
            return Ok(());
        }
        if let Some(key) = key
            .as_ref()
            .filter(|_| self.moves.turns() && position.shares_key())
        {
            let depth = self.line.len();
            let (as_led, first) = (position.in_view(self.views[depth]), position.of_key(key));
            let view = (0..first.views()).find(|&view| first.in_view(view).is_same(&as_led));
            self.views[depth] = view.ok_or(Found::Hole("the position has another key"))?;
            self.positions[depth] = first;
        }
        let position = &self.positions[self.line.len()];
        let moves = match position.judge(self.promise) {
            Judgement::Kept => return Ok(()),
            Judgement::Broken(reason) => return Err(Found::Hole(reason)),
            Judgement::Answer(moves) => moves,
            Judgement::Forced(mv) => vec![mv],
            Judgement::Open => self.named_move()?.into_iter().collect(),
        };
        self.frames.push(Frame {
            key,
            moves: moves.into_iter(),
        });
        Ok(())
    }

    /// The move that the strategy names, if anything remains to be done.
    fn named_move(&mut self) -> Result<Option<G::Move>, Found<M::Error>> {
        let position = &self.positions[self.line.len()];
        self.legal.clear();
        position.legal_moves(&mut self.legal);
        self.legal.sort_unstable();
        self.named += 1;
        self.free = 0;
        let view = self.views[self.line.len()];
        match self.moves.next(position, &self.legal, view) {
            Ok(Step::Play(mv)) => Ok(Some(mv)),
            Ok(Step::Done) => Ok(None),
            Ok(Step::Missing(reason)) => Err(Found::Hole(reason)),
            Err(error) => Err(Found::Error(error)),
        }
    }

    fn descend(&mut self, mv: G::Move) -> Result<(), Found<M::Error>> {
        let depth = self.line.len();
        if self.positions.len() == depth + 1 {
            self.positions.push(self.positions[depth].clone());
            self.views.push(0);
        } else {
            let (above, below) = self.positions.split_at_mut(depth + 1);
            below[0].clone_from(&above[depth]);
        }
        if self.positions[depth + 1].try_play(mv).is_err() {
            return Err(Found::Hole("the move is not legal"));
        }
        self.views[depth + 1] = self.views[depth];
        self.line.push(mv);
        Ok(())
    }
}

/// The keys that were added last: a bounded number of them.
struct Remembered<K> {
    most: usize,
    young: Keys<K>,
    /// Those before, which are forgotten when there are as many young ones.
    old: Keys<K>,
}

type Keys<K> = HashSet<K, BuildHasherDefault<Mixing>>;

impl<K: Eq + Hash> Remembered<K> {
    fn new(most: usize) -> Self {
        Remembered {
            most,
            young: HashSet::default(),
            old: HashSet::default(),
        }
    }

    fn has(&self, key: &K) -> bool {
        self.young.contains(key) || self.old.contains(key)
    }

    fn add(&mut self, key: K) {
        self.young.insert(key);
        if self.young.len() > self.most / 2 {
            self.old = std::mem::take(&mut self.young);
        }
    }
}

/// Why a walk ended, with the line where it did.
enum Found<E> {
    Hole(&'static str),
    Error(E),
    Stopped,
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
