//! Entries of the transposition table: keys, and what is kept of positions, in words.

use super::{Numbers, ProofNumbers};
use crate::bucket;
use game::random;
use std::fmt::Debug;

/// All that tells positions apart, as words of 64 bits.
pub trait Key: Copy + Eq + Debug + Send + Sync + 'static {
    /// The number of words.
    const PARTS: usize;

    /// A number that differs for nearly all different keys, and perhaps tags.
    fn hash(self, tag: Tag) -> u64;

    /// Which of so many buckets it belongs to. Of more buckets, a whole number of times as many, it must be in one that
    /// no other of these shares, and that is not before it.
    #[inline(always)]
    fn bucket(self, tag: Tag, buckets: usize) -> usize {
        bucket::of(self.hash(tag), buckets)
    }

    /// One of the words.
    fn part(self, place: usize) -> u64;

    /// The key of these words.
    fn from_parts(part: impl Fn(usize) -> u64) -> Self;
}

impl Key for u64 {
    const PARTS: usize = 1;

    #[inline(always)]
    fn hash(self, _: Tag) -> u64 {
        random::mix(self)
    }

    #[inline(always)]
    fn part(self, _: usize) -> u64 {
        self
    }

    #[inline(always)]
    fn from_parts(part: impl Fn(usize) -> u64) -> u64 {
        part(0)
    }
}

/// What a key leaves open, a number below 4: who attacks, or whose turn it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Tag(u8);

impl Tag {
    /// Where the key tells all.
    pub const NONE: Tag = Tag(0);

    /// The tag of a number, of which all but the lowest two bits are left out.
    #[inline(always)]
    pub const fn new(number: u8) -> Tag {
        Tag(number & 3)
    }

    /// Its number.
    #[inline(always)]
    pub const fn number(self) -> u8 {
        self.0
    }
}

/// What a table keeps of a position: a word of [`VALUE_BITS`] bits, and perhaps another one.
pub trait Value: Copy + Debug + 'static {
    /// Whether there is a second word.
    const IS_LONG: bool;
    /// Whether an entry stays as long as its longest visit is worth, rather than its last one.
    const KEEPS_MOST_WORK: bool = true;

    /// The two words.
    fn pack(self) -> [u64; 2];

    /// The value of two words; the second is 0 where there is none.
    fn unpack(words: [u64; 2]) -> Self;

    /// What is known by both: this, and what was found before.
    #[must_use]
    fn joined(self, before: Self) -> Self;
}

/// The bits of a value's first word.
pub const VALUE_BITS: u32 = 2 * NUMBER_BITS + 1;
/// The bits of a proof number in an entry.
const NUMBER_BITS: u32 = 25;
/// Stands for infinity in an entry.
const MOST: u32 = (1 << NUMBER_BITS) - 1;

impl Value for Numbers {
    const IS_LONG: bool = false;
    const KEEPS_MOST_WORK: bool = false;

    #[inline]
    fn pack(self) -> [u64; 2] {
        let number = |number: u32| {
            u64::from(match number {
                ProofNumbers::INFINITE => MOST,
                number => number.min(MOST - 1),
            })
        };
        [number(self.phi) | number(self.delta) << NUMBER_BITS, 0]
    }

    #[inline]
    fn unpack([packed, _]: [u64; 2]) -> Numbers {
        let number = |packed: u64| match packed as u32 & MOST {
            MOST => ProofNumbers::INFINITE,
            number => number,
        };
        Numbers {
            phi: number(packed),
            delta: number(packed >> NUMBER_BITS),
        }
    }

    /// What is solved stays solved.
    #[inline]
    fn joined(self, before: Numbers) -> Numbers {
        if before.is_solved() && !self.is_solved() {
            before
        } else {
            self
        }
    }
}

impl Value for ProofNumbers {
    const IS_LONG: bool = false;

    #[inline]
    fn pack(self) -> [u64; 2] {
        let [numbers, _] = self.seen_by(true).pack();
        [numbers | u64::from(self.lost) << (VALUE_BITS - 1), 0]
    }

    #[inline]
    fn unpack(words: [u64; 2]) -> ProofNumbers {
        ProofNumbers {
            lost: words[0] >> (VALUE_BITS - 1) & 1 == 1,
            ..Numbers::unpack(words).both(true)
        }
    }

    /// What is solved stays solved.
    #[inline]
    fn joined(self, before: ProofNumbers) -> ProofNumbers {
        if before.is_solved() && !self.is_solved() {
            before
        } else {
            self
        }
    }
}

const TAG_SHIFT: u32 = VALUE_BITS;
const WORK_SHIFT: u32 = TAG_SHIFT + 2;
const WORK_BITS: u32 = 6;
/// The upper bits count how often the place was written ([`slot`](super::slot)).
const TURN_SHIFT: u32 = WORK_SHIFT + WORK_BITS;

/// Whether there is an entry with this tag, of which the last word is given.
#[inline(always)]
pub(super) fn has_tag(last: u64, tag: Tag) -> bool {
    last != 0 && (last >> TAG_SHIFT) as u8 & 3 == tag.0
}

/// The bits of the number of nodes behind an entry, of which the last word is given.
#[inline(always)]
pub(super) fn work_of(last: u64) -> u32 {
    (last >> WORK_SHIFT) as u32 & ((1 << WORK_BITS) - 1)
}

/// The last word of an entry in the place of one with another last word.
#[inline(always)]
pub(super) fn following(last: u64, before: u64) -> u64 {
    let turn = (before >> TURN_SHIFT) + 1;
    without_turn(last) | turn << TURN_SHIFT
}

/// The last word without the count of writings.
#[inline(always)]
pub(super) fn without_turn(last: u64) -> u64 {
    last & ((1 << TURN_SHIFT) - 1)
}

/// An entry; `last` is 0 where there is none, and never otherwise, since work is at least 1.
#[derive(Clone, Copy, Debug)]
pub(super) struct Entry<K> {
    /// The position.
    pub key: K,
    /// The second word of a long value.
    pub more: u64,
    /// The first word of the value, the tag, the bits of the number of nodes behind it, and the count of writings.
    pub last: u64,
}

impl<K> Entry<K> {
    #[inline(always)]
    pub fn new<V: Value>(key: K, tag: Tag, value: V, work: u32) -> Entry<K> {
        let [packed, more] = value.pack();
        let tag = u64::from(tag.0) << TAG_SHIFT;
        let last = packed | tag | u64::from(work.min(63)) << WORK_SHIFT;
        Entry { key, more, last }
    }

    pub fn tag(&self) -> Tag {
        Tag::new((self.last >> TAG_SHIFT) as u8)
    }

    #[inline(always)]
    pub fn value<V: Value>(&self) -> V {
        V::unpack([self.last & ((1 << VALUE_BITS) - 1), self.more])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn numbers(proof: u32) -> ProofNumbers {
        ProofNumbers {
            proof,
            disproof: 7,
            lost: false,
        }
    }

    #[test]
    fn numbers_are_packed_and_unpacked() {
        let most = numbers(u32::MAX - 1);
        for numbers in [
            ProofNumbers::PROVEN,
            ProofNumbers::disproven(true),
            numbers(12),
        ] {
            assert_eq!(ProofNumbers::unpack(numbers.pack()), numbers);
        }
        let unpacked = ProofNumbers::unpack(most.pack());
        assert!(!unpacked.is_solved() && unpacked.proof > 1 << 24);
        assert_ne!(unpacked.proof, ProofNumbers::INFINITE);
    }
}
