//! What a solver needs of a game.

use super::lookahead::look_ahead;
use crate::Lookahead;
use crate::proof::{Bounds, Key};
use game::{Outcome, Side};

/// A position made for solving: quick to copy, to play on and to judge. The sides take turns.
///
/// A move is a number that only states of the same game on the same board understand.
pub trait State: Clone + Send + Sync + 'static {
    /// All that decides how the game goes on: two states with equal keys have the same value. A claim
    /// never rests on a hash.
    type Key: Key;

    /// Whose turn it is.
    fn to_move(&self) -> Side;

    /// The result, or `None` while the game goes on.
    fn outcome(&self) -> Option<Outcome>;

    /// The most moves that can follow.
    fn most_plies(&self) -> usize;

    /// See [`Key`](State::Key).
    fn key(&self) -> Self::Key;

    /// Appends moves of a position that is not over, good ones first, and tells what is certain of its
    /// value. Moves that are left out must be no better than one that is there, or lose. There is at
    /// least one move; where the value is certain, the first keeps it.
    fn list_moves(&self, plies: Lookahead, moves: &mut Vec<u16>) -> Bounds;

    /// Plays a move of the list.
    fn play(&mut self, mv: u16);

    /// What is seen at once of a position, over or not.
    fn look(&self, plies: Lookahead) -> Seen {
        Seen {
            bounds: look_ahead(self, plies),
            replies: 1,
        }
    }

    /// The same of the position after a move. `scratch` is any state, and may be any other afterwards.
    #[inline]
    fn look_after(&self, mv: u16, plies: Lookahead, scratch: &mut Self) -> Seen {
        scratch.clone_from(self);
        scratch.play(mv);
        scratch.look(plies)
    }

    /// The key of the position after a move.
    #[inline]
    fn key_after(&self, mv: u16, scratch: &mut Self) -> Self::Key {
        scratch.clone_from(self);
        scratch.play(mv);
        scratch.key()
    }

    /// A rough number of further moves of its own that a side needs to win; `None` where nothing is known.
    fn distance(&self, side: Side) -> Option<u32> {
        let _ = side;
        None
    }
}

/// What is seen of a position at once.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Seen {
    /// What is certain.
    pub bounds: Bounds,
    /// The number of moves that [`State::list_moves`] would list, or a guess at it; at least 1.
    pub replies: u32,
}

/// Makes room for the state after the last. Not part of the recursive functions that need it: their frames
/// would hold a state each, which can be large.
#[cold]
#[inline(never)]
pub(super) fn grow<S: State>(states: &mut Vec<S>) {
    states.extend(states.last().cloned());
}

/// The state after a move, on the heap for the same reason.
#[expect(clippy::unnecessary_box_returns, reason = "a state is large")]
#[inline(never)]
pub(super) fn after<S: State>(state: &S, mv: u16) -> Box<S> {
    let mut after = Box::new(state.clone());
    after.play(mv);
    after
}
