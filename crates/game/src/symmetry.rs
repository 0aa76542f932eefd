use crate::Game;

/// A game whose board has symmetries that keep the rules.
///
/// Symmetries are numbered from 0, the identity, to [`symmetries`](Symmetric::symmetries) − 1. The
/// number depends on the board: a rectangle has fewer than a square.
pub trait Symmetric: Game {
    /// How many symmetries the board has, the identity included.
    fn symmetries(&self) -> usize;

    /// The symmetry that undoes another.
    fn inverse(&self, symmetry: usize) -> usize;

    /// The position as the symmetry shows it.
    #[must_use]
    fn transformed(&self, symmetry: usize) -> Self;

    /// A move as the symmetry shows it: playing the transformed move on the transformed position gives
    /// the transformed result.
    fn transformed_move(&self, symmetry: usize, mv: Self::Move) -> Self::Move;

    /// The smallest hash of the position under all its symmetries: equal for positions that are
    /// symmetric to each other.
    fn representative_hash(&self) -> u64 {
        (0..self.symmetries())
            .map(|symmetry| self.transformed(symmetry).hash())
            .min()
            .unwrap_or_else(|| self.hash())
    }
}
