use crate::Limits;
use game::{Game, Relative, Side};
use std::fmt::Debug;

/// A game as the search sees it: its states, moves and keys, the static evaluation, and a number for each move by which
/// the history heuristic counts. Each thread has a clone.
///
/// States and moves are compact types of the domain: below the root no [`Game`] is played.
pub trait Domain<G: Game>: Clone + Send {
    /// A position as the search sees it.
    type State: Clone;

    /// A move as the search sees it.
    type Move: Copy + Eq + Debug + Send;

    /// The whole state of the game: positions with equal keys have the same moves and the same outcome. It is
    /// not a hash: the table compares whole keys, so that its proven values are proven.
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

    /// The static evaluation of a position: the same for positions with the same key.
    fn evaluate(&mut self, state: &Self::State) -> Evaluation;

    /// More than the [`slot`](Domain::slot) of any move.
    fn slots(&self) -> usize;

    /// A number for a move, under which the history heuristic counts its cutoffs: similar moves in different
    /// positions have the same number.
    fn slot(&self, mv: Self::Move) -> usize;

    /// An estimate of the plies left to the end of the game. When an iteration comes near to that depth,
    /// the search tries to search to the end.
    fn plies_left(&self, position: &G) -> u32;

    /// Asks the game's own solver who wins; it may continue its last search of the same position. `None`
    /// if the game has no solver for the position: then principal-variation search searches to the end.
    fn solve(&mut self, _position: &G, _limits: &Limits) -> Option<Solved<G::Move>> {
        None
    }
}

/// The static evaluation of a position, from the point of view of the side to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Evaluation {
    /// The game is over.
    Over(Relative),
    /// The game is not over: 0 is even, larger is better, between
    /// −[`MAX_EVALUATION`](crate::alphabeta::MAX_EVALUATION) and
    /// [`MAX_EVALUATION`](crate::alphabeta::MAX_EVALUATION), in units of its own.
    Open(i32),
}

/// The result of the game's own solver.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Solved<M> {
    /// The value for the side to move under the rules, if it is known.
    pub proven: Option<Relative>,
    /// If that is a win, a move that wins.
    pub best: Option<M>,
    /// Its work, in nodes that take as long as those of principal-variation search.
    pub nodes: u64,
}
