use crate::Limits;
use game::{Game, Relative};
use std::fmt::Debug;

/// What a game adds to the search. Each thread has a clone of its own.
pub trait Guide<G: Game>: Clone + Send {
    /// All that decides how a game goes on: positions with equal keys have the same moves and the same
    /// outcome. It is not a hash; the table compares whole keys, so that what it says to be proven is.
    type Key: Copy + Eq + Debug + Send;

    /// The key of a position.
    fn key(&self, position: &G) -> Self::Key;

    /// How good a position in which the game goes on is from the point of view of the side to move: 0
    /// for an even game, more the better, between −[`MAX_EVALUATION`](crate::alphabeta::MAX_EVALUATION)
    /// and [`MAX_EVALUATION`](crate::alphabeta::MAX_EVALUATION), in units of its own.
    fn evaluate(&mut self, position: &G) -> i32;

    /// More than the [`slot`](Guide::slot) of any move.
    fn slots(&self) -> usize;

    /// A number for a move, under which the search remembers how often it was good: moves that are much
    /// the same in different positions have the same number.
    fn slot(&self, mv: G::Move) -> usize;

    /// About how many plies are left to the end of the game. Where an iteration comes near to that, the
    /// search tries to search to the end.
    fn plies_left(&self, position: &G) -> u32;

    /// Looks for who wins with a search of the game's own, which may go on where its last one for the same
    /// position ended. `None` if the game has none for the position; then principal-variation search does
    /// it.
    fn solve(&mut self, _position: &G, _limits: &Limits) -> Option<Solved<G::Move>> {
        None
    }
}

/// What a search of the game's own found out.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Solved<M> {
    /// The value for the side to move under the rules, if it is known.
    pub proven: Option<Relative>,
    /// If that is a win, a move that wins.
    pub best: Option<M>,
    /// What it searched, in nodes that take as long as those of the search that asks.
    pub nodes: u64,
}
