use crate::random::{self, Rng};
use crate::{Outcome, Packed, Side};
use std::error::Error;
use std::fmt::Debug;
use std::hash::Hash;

/// A position of a two-player game with perfect information.
///
/// A value of the implementing type is a whole position: cloning it and playing on the clone leaves the
/// original as it was. Two equal positions have the same moves and the same outcome.
///
/// There are three doors to one room: [`try_play`](Game::try_play) for moves from outside,
/// [`play`](Game::play) for moves that the caller knows to be legal and wants checked,
/// [`play_unchecked`](Game::play_unchecked) for inner loops.
pub trait Game: Clone + Debug + PartialEq + Send + Sync + 'static {
    /// A move. It need not be legal, or even on the board.
    type Move: Packed + Copy + Eq + Ord + Hash + Debug + Send + Sync + 'static;

    /// Why a move is not legal, in words for a person.
    type Illegal: Error + Send + Sync + 'static;

    /// The game's name on the command line and in JSON.
    const NAME: &'static str;

    /// Whose turn it is. After the end of the game: the side that would have been next.
    fn to_move(&self) -> Side;

    /// The result, or `None` while the game goes on.
    fn outcome(&self) -> Option<Outcome>;

    /// The number of moves played since the start of the game, swaps and removals included.
    fn ply(&self) -> usize;

    /// Appends every legal move, in an order that is the same whenever the same moves have led here. A
    /// position with an outcome has none.
    fn legal_moves(&self, moves: &mut Vec<Self::Move>);

    /// Whether a move is legal, independent of [`legal_moves`](Game::legal_moves).
    ///
    /// # Errors
    /// The reason why it is not.
    fn check(&self, mv: Self::Move) -> Result<(), Self::Illegal>;

    /// Plays a move that is known to be legal. If it is not, the position is no longer meaningful, or
    /// the call panics; memory stays safe.
    fn play_unchecked(&mut self, mv: Self::Move);

    /// A hash of all that decides how the game goes on, kept up to date move by move.
    fn hash(&self) -> u64;

    /// The same hash, computed anew from the position. For tests.
    fn recomputed_hash(&self) -> u64;

    /// Whether a move is legal.
    #[inline]
    fn is_legal(&self, mv: Self::Move) -> bool {
        self.check(mv).is_ok()
    }

    /// Plays a move if it is legal.
    ///
    /// # Errors
    /// The reason why it is not; the position is unchanged.
    fn try_play(&mut self, mv: Self::Move) -> Result<(), Self::Illegal> {
        self.check(mv)?;
        self.play_unchecked(mv);
        Ok(())
    }

    /// Plays a legal move.
    ///
    /// # Panics
    /// If the move is not legal.
    fn play(&mut self, mv: Self::Move) {
        if let Err(why) = self.try_play(mv) {
            panic!("{mv:?} is not legal: {why}");
        }
    }

    /// Calls `visit` on the position after a legal move, and returns what it returns. Afterwards the
    /// position is as it was before. A game that can take moves back does so; the others copy.
    #[inline]
    fn explore<R>(&mut self, mv: Self::Move, visit: impl FnOnce(&mut Self) -> R) -> R {
        let mut child = self.clone();
        child.play_unchecked(mv);
        visit(&mut child)
    }

    /// A legal move, each with the same probability, or `None` when there is none.
    fn random_move(&self, rng: &mut Rng) -> Option<Self::Move> {
        let mut moves = Vec::new();
        self.legal_moves(&mut moves);
        random::choose(&moves, rng)
    }
}
