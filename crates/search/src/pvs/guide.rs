use crate::Limits;
use game::{Game, Relative, Side};
use std::fmt::Debug;

/// What a game adds to the search. Each thread has a clone of its own.
///
/// The search moves on positions and with moves of the guide's own, which hold no more than it takes to go
/// on: below the root no [`Game`] is played.
pub trait Guide<G: Game>: Clone + Send {
    /// A position as the search sees it.
    type State: Clone;

    /// A move as the search sees it.
    type Move: Copy + Eq + Debug + Send;

    /// All that decides how a game goes on: positions with equal keys have the same moves and the same
    /// outcome. It is not a hash; the table compares whole keys, so that what it says to be proven is.
    type Key: Copy + Eq + Debug + Send;

    /// A position of the game as the search sees it.
    fn state(&self, position: &G) -> Self::State;

    /// A move of the search as the game sees it.
    fn game_move(&self, mv: Self::Move) -> G::Move;

    /// Whose turn it is.
    fn to_move(&self, state: &Self::State) -> Side;

    /// The key of a position.
    fn key(&self, state: &Self::State) -> Self::Key;

    /// A hash, whose high bits are as good as random.
    fn hash(key: &Self::Key) -> u64;

    /// Calls `visit` with every legal move and the position after it, in an order that is always the same.
    fn for_each_move(&self, state: &Self::State, visit: impl FnMut(Self::Move, Self::State));

    /// What can be said of a position without a search: the same of positions with the same key.
    fn judge(&mut self, state: &Self::State) -> Evaluation;

    /// More than the [`slot`](Guide::slot) of any move.
    fn slots(&self) -> usize;

    /// A number for a move, under which the search remembers how often it was good: moves that are much
    /// the same in different positions have the same number.
    fn slot(&self, mv: Self::Move) -> usize;

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

/// What can be said of a position without a search, from the point of view of the side to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Evaluation {
    /// The game is over.
    Over(Relative),
    /// It goes on: 0 for an even game, more the better, between
    /// −[`MAX_EVALUATION`](crate::alphabeta::MAX_EVALUATION) and
    /// [`MAX_EVALUATION`](crate::alphabeta::MAX_EVALUATION), in units of its own.
    Open(i32),
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
