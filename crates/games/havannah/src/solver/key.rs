//! Full keys of positions for the transposition table.

use super::layout::Layout;
use super::word::Word;
use game::{Side, random};
use search::proof::{Key, Tag};
use std::fmt::Debug;

/// Makes keys for boards of one layout.
pub trait Keys<W: Word>: Debug + Send + Sync {
    /// The keys.
    type Key: Key;

    /// The key of the empty board.
    const EMPTY: Self::Key;

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

impl Keys<u64> for Ternary {
    type Key = u64;

    const EMPTY: u64 = 0;

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

/// The stones of both sides.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Both<W>(pub [W; 2]);

impl<W: Word> Key for Both<W> {
    const PARTS: usize = 2 * W::BITS / 64;

    #[inline]
    fn hash(self, _: Tag) -> u64 {
        self.0[1].digest(random::mix(self.0[0].digest(0)))
    }

    #[inline(always)]
    fn part(self, place: usize) -> u64 {
        let words = W::BITS / 64;
        self.0[place / words].part(place % words)
    }

    #[inline(always)]
    fn from_parts(part: impl Fn(usize) -> u64) -> Both<W> {
        let words = W::BITS / 64;
        Both([0, words].map(|first| W::from_parts(|place| part(first + place))))
    }
}

impl<W: Word> Keys<W> for Masks {
    type Key = Both<W>;

    const EMPTY: Both<W> = Both([W::NONE; 2]);

    fn new(_: &Layout<W>) -> Masks {
        Masks
    }

    #[inline]
    fn with(&self, mut key: Both<W>, side: Side, index: usize) -> Both<W> {
        let Both(stones) = &mut key;
        stones[side.index()] = stones[side.index()] | W::bit(index);
        key
    }
}

/// What is asked of a position, beyond its stones: who attacks, and whose turn it is with an even
/// number of stones (after a swap it is Black's).
pub fn goal(attacker: Side, to_move: Side, stones: u32) -> Tag {
    let turn = (to_move as u32 + stones) & 1;
    Tag::new(attacker as u8 | (turn as u8) << 1)
}
