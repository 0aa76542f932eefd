//! What the checker needs of a game beyond its rules.

use game::Game;
use std::hash::Hash;

/// A game whose positions can be told apart for certain.
pub trait Provable: Game {
    /// A key that holds all that decides how the game goes on.
    type Key: Eq + Hash;

    /// The key. Two positions of a game on one board with the same key must have the same value; a
    /// symmetric position may share the key.
    fn key(&self) -> Self::Key;

    /// A move, for people.
    fn name(&self, mv: Self::Move) -> String;
}
