//! Full keys of positions for the transposition table.

use super::layout::Layout;
use super::word::Word;
use game::{Side, random};
use std::fmt::Debug;

/// A value that says which cells hold which stones.
pub trait Key: Copy + Eq + Debug + Send + Sync + 'static {
    /// Any key.
    const ZERO: Self;

    /// The number of [`Key::parts`].
    const PARTS: usize;

    /// A number that differs for nearly all different keys.
    fn hash(self) -> u64;

    /// The key as numbers.
    fn parts(self) -> impl Iterator<Item = u64>;

    /// The key of so many numbers.
    fn from_parts(parts: impl Iterator<Item = u64>) -> Self;
}

/// Makes keys for boards of one layout.
pub trait Keys<W: Word>: Debug + Send + Sync {
    /// The keys.
    type Key: Key;

    /// For a layout.
    fn new(layout: &Layout<W>) -> Self;

    /// The key with one more stone.
    fn with(&self, key: Self::Key, side: Side, index: usize) -> Self::Key;
}

/// One digit in base three for each cell: 3⁴⁰ is less than 2⁶⁴, so that 40 cells fit.
#[derive(Debug)]
pub struct Ternary([u64; 64]);

impl Ternary {
    /// The most cells.
    pub const CELLS: usize = 40;
}

impl Key for u64 {
    const ZERO: u64 = 0;
    const PARTS: usize = 1;

    #[inline(always)]
    fn hash(self) -> u64 {
        random::mix(self)
    }

    #[inline(always)]
    fn parts(self) -> impl Iterator<Item = u64> {
        std::iter::once(self)
    }

    #[inline(always)]
    fn from_parts(mut parts: impl Iterator<Item = u64>) -> u64 {
        parts.next().unwrap_or_default()
    }
}

impl Keys<u64> for Ternary {
    type Key = u64;

    fn new(layout: &Layout<u64>) -> Ternary {
        let mut powers = [0; 64];
        let mut power = 1_u64;
        for index in layout.board.indices() {
            powers[index] = power;
            power = power.wrapping_mul(3);
        }
        Ternary(powers)
    }

    #[inline(always)]
    fn with(&self, key: u64, side: Side, index: usize) -> u64 {
        let power = self.0[index & 63];
        key + (power << side.index())
    }
}

/// The stones of each side as they are.
#[derive(Debug)]
pub struct Masks;

impl<W: Word> Key for [W; 2] {
    const ZERO: [W; 2] = [W::NONE; 2];
    const PARTS: usize = 2 * W::BITS / 64;

    #[inline]
    fn hash(self) -> u64 {
        self[1].digest(random::mix(self[0].digest(0)))
    }

    #[inline(always)]
    fn parts(self) -> impl Iterator<Item = u64> {
        self.into_iter().flat_map(W::parts)
    }

    #[inline(always)]
    fn from_parts(mut parts: impl Iterator<Item = u64>) -> [W; 2] {
        // A word takes no more than its own.
        [(); 2].map(|()| W::from_parts(parts.by_ref().take(W::BITS / 64)))
    }
}

impl<W: Word> Keys<W> for Masks {
    type Key = [W; 2];

    fn new(_: &Layout<W>) -> Masks {
        Masks
    }

    #[inline]
    fn with(&self, mut key: [W; 2], side: Side, index: usize) -> [W; 2] {
        key[side.index()] = key[side.index()] | W::bit(index);
        key
    }
}
