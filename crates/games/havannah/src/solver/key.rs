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

/// One digit in base three for each cell: 3⁴⁰ is less than 2⁶⁴, so that 40 cells fit. By [`Side::index`] and cell: what a
/// stone adds.
#[derive(Debug)]
pub struct Ternary([[u64; 64]; 2]);

impl Ternary {
    /// The most cells.
    pub const CELLS: usize = 40;
}

impl Keys<u64> for Ternary {
    type Key = u64;

    const EMPTY: u64 = 0;

    fn new(layout: &Layout<u64>) -> Ternary {
        let mut digits = [[0; 64]; 2];
        let mut power = 1_u64;
        for index in layout.board.indices() {
            for side in Side::BOTH {
                digits[side.index()][index] = power << side.index();
            }
            power = power.wrapping_mul(3);
        }
        Ternary(digits)
    }

    #[inline(always)]
    fn with(&self, key: u64, side: Side, index: usize) -> u64 {
        key + self.0[side.index()][index & 63]
    }
}

/// The stones of each side as they are.
#[derive(Debug)]
pub struct Masks;

/// Numbers at random, one for each word of the largest key: the digits of π.
const SALTS: [u64; 12] = [
    0x243f_6a88_85a3_08d3,
    0x1319_8a2e_0370_7344,
    0xa409_3822_299f_31d0,
    0x082e_fa98_ec4e_6c89,
    0x4528_21e6_38d0_1377,
    0xbe54_66cf_34e9_0c6c,
    0xc0ac_29b7_c97c_50dd,
    0x3f84_d5b5_b547_0917,
    0x9216_d5d9_8979_fb1b,
    0xd131_0ba6_98df_b5ac,
    0x2ffd_72db_d01a_dfb7,
    0xb8e1_afed_6a26_7e96,
];

/// The stones of both sides.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Both<W>(pub [W; 2]);

impl<W: Word> Key for Both<W> {
    const PARTS: usize = 2 * W::BITS / 64;

    /// The sum of a product for each word, which do not wait for each other (NH: Black, Halevi, Krawczyk, Krovetz and
    /// Rogaway, "UMAC: fast and secure message authentication", 1999).
    #[inline]
    fn hash(self, _: Tag) -> u64 {
        let product = |place: usize| {
            let (word, salt) = (self.part(place), SALTS[place]);
            let low = (word as u32).wrapping_add(salt as u32);
            let high = ((word >> 32) as u32).wrapping_add((salt >> 32) as u32);
            u64::from(low) * u64::from(high)
        };
        let sum = |sum: u64, place| sum.wrapping_add(product(place));
        random::mix((0..Self::PARTS).fold(0, sum))
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
