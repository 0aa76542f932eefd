//! What the checker needs of a game beyond its rules.

use crate::{Promise, Record};
use game::Game;
use std::fmt::Debug;
use std::hash::Hash;

/// A move with its class: those of a lower class are likelier.
pub type Candidate<G> = (u8, <G as Game>::Move);

/// A game whose positions can be told apart for certain.
pub trait Provable: Game {
    /// A key that holds all that decides how the game goes on, in its form as text (`Debug`) too. The order of the
    /// keys is that of the positions in a certificate.
    type Key: Record + Debug + Eq + Hash + Send + Sync;

    /// The key. Two positions of a game on one board with the same key must have the same value; a
    /// symmetric position may share the key.
    fn key(&self) -> Self::Key;

    /// The position of a key on the same board. Of symmetric positions that share a key it is always the same one.
    #[must_use]
    fn of_key(&self, key: &Self::Key) -> Self;

    /// What every move raises, and what is the same for positions with the same key.
    fn progress(&self) -> u32;

    /// The position in words, for people.
    fn described(&self) -> String;

    /// A move, for people.
    fn name(&self, mv: Self::Move) -> String;

    /// Whether positions that are symmetric to this one share its key.
    fn shares_key(&self) -> bool {
        false
    }

    /// Whether this is the very same position, rather than one that shares its key.
    fn is_same(&self, other: &Self) -> bool {
        self.key() == other.key()
    }

    /// In how many ways the board can be looked at without a change of the rules.
    fn views(&self) -> usize {
        1
    }

    /// The position in one of the views; the first is as it is.
    #[must_use]
    fn in_view(&self, _view: usize) -> Self {
        self.clone()
    }

    /// The move that a view shows as this one.
    fn move_from_view(&self, _view: usize, mv: Self::Move) -> Self::Move {
        mv
    }

    /// The move here that is this one in the position that stands for all with the [key](Provable::of_key).
    fn move_of_first(&self, mv: Self::Move) -> Option<Self::Move> {
        let first = self.of_key(&self.key());
        let view = (0..self.views()).find(|&view| self.in_view(view).is_same(&first))?;
        Some(self.move_from_view(view, mv))
    }

    /// The reverse of [`move_of_first`](Provable::move_of_first).
    fn move_in_first(&self, mv: Self::Move) -> Option<Self::Move> {
        let first = self.of_key(&self.key());
        let view = (0..first.views()).find(|&view| first.in_view(view).is_same(self))?;
        Some(first.move_from_view(view, mv))
    }

    /// All legal moves in a position that is [open](Judgement::Open) for the side to move, with a class for each, in the
    /// order of moves: how well a class predicts the move of a strategy decides how short certificates are.
    fn candidates(&self) -> Vec<Candidate<Self>> {
        let mut legal = Vec::new();
        self.legal_moves(&mut legal);
        legal.sort_unstable();
        legal.into_iter().map(|mv| (0, mv)).collect()
    }

    /// What [`judge`](Provable::judge) says, with the [candidates](Provable::candidates) of a position that is open.
    fn judge_and_list(&self, promise: Promise) -> (Judgement<Self::Move>, Vec<Candidate<Self>>) {
        let judgement = self.judge(promise);
        let is_open = judgement == Judgement::Open;
        (
            judgement,
            if is_open {
                self.candidates()
            } else {
                Vec::new()
            },
        )
    }

    /// What the rules alone say about a promise in a position that is not over. It is the same on
    /// every machine, since the writer and the checker both leave out what it settles.
    ///
    /// As it stands here, a side that can end the game at once with a win keeps its promise, and
    /// nothing else is seen.
    fn judge(&self, promise: Promise) -> Judgement<Self::Move> {
        let mut legal = Vec::new();
        self.legal_moves(&mut legal);
        legal.sort_unstable();
        if self.to_move() != promise.side() {
            return Judgement::Answer(legal);
        }
        let mut after = self.clone();
        let wins = legal.iter().any(|&mv| {
            after.clone_from(self);
            after.play(mv);
            after
                .outcome()
                .is_some_and(|outcome| outcome.winner() == Some(promise.side()))
        });
        if wins {
            Judgement::Kept
        } else {
            Judgement::Open
        }
    }
}

/// What the rules alone say about a promise.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Judgement<M> {
    /// The side that gave it can keep it.
    Kept,
    /// It cannot, for this reason.
    Broken(&'static str),
    /// It is its turn, and it must play this.
    Forced(M),
    /// It is its turn, and its strategy has to name a move.
    Open,
    /// It is the other side's turn. After any move that is not among these, the promise can be kept;
    /// these are legal, the smallest first.
    Answer(Vec<M>),
}
