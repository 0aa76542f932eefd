//! Sets of cells as machine words.
//!
//! A cell is bit `STRIDE · y + x`, so that a step in any direction is a shift by a constant. Where
//! the board is as wide as the stride there is no margin column: [`Word::holds`] says when none is
//! needed.

use crate::Shape;
use std::fmt::Debug;
use std::hash::Hash;
use std::ops::{BitAnd, BitOr, Not};

/// A set of cells of a board that fits.
pub trait Word:
    Copy
    + Eq
    + Hash
    + Debug
    + Send
    + Sync
    + 'static
    + BitAnd<Output = Self>
    + BitOr<Output = Self>
    + Not<Output = Self>
{
    /// The number of bits.
    const BITS: usize;
    /// The distance between the bits of a cell and of the one below it with the same `x`.
    const STRIDE: usize;
    /// The empty set.
    const NONE: Self;

    /// A table with an entry for each bit.
    type Table<T: Copy + Send + Sync + Debug + 'static>: Copy
        + Send
        + Sync
        + Debug
        + AsRef<[T]>
        + AsMut<[T]>;

    /// A table that holds the same everywhere.
    fn table<T: Copy + Send + Sync + Debug + 'static>(entry: T) -> Self::Table<T>;

    /// Keeps an index within the table of a word without telling what happens to one that is not:
    /// with a power of two this saves the check of the bounds.
    fn within(index: usize) -> usize;

    /// The set with one cell.
    fn bit(index: usize) -> Self;

    /// The set with one cell, or the empty set.
    #[inline(always)]
    fn bit_if(index: usize, is_there: bool) -> Self {
        if is_there {
            Self::bit(index)
        } else {
            Self::NONE
        }
    }

    /// All bits, or none.
    #[inline(always)]
    fn all_if(is_all: bool) -> Self {
        Self::from_parts(|_| u64::from(is_all).wrapping_neg())
    }

    /// How many of the set come before an index.
    fn rank(self, index: usize) -> usize;

    /// All cells moved up by so many bits.
    fn up(self, bits: usize) -> Self;

    /// All cells moved down by so many bits.
    fn down(self, bits: usize) -> Self;

    /// The smallest index in the set; anything if it is empty.
    fn first(self) -> usize;

    /// The set without its smallest index.
    fn without_first(self) -> Self;

    /// How many there are.
    fn count(self) -> u32;

    /// Whether there are more than so many, which must be few: without an instruction that counts bits,
    /// which not every processor has, this is faster than counting.
    #[inline(always)]
    fn has_more_than(self, few: u32) -> bool {
        !(0..few)
            .fold(self, |rest, _| rest.without_first())
            .is_none()
    }

    /// 64 of the bits; place 0 has the lowest.
    fn part(self, place: usize) -> u64;

    /// The word with these parts.
    fn from_parts(part: impl Fn(usize) -> u64) -> Self;

    /// The set without the cells of another.
    #[inline(always)]
    fn minus(self, other: Self) -> Self {
        self & !other
    }

    /// Whether the set is empty.
    #[inline(always)]
    fn is_none(self) -> bool {
        self == Self::NONE
    }

    /// Whether the sets share a cell.
    #[inline(always)]
    fn meets(self, other: Self) -> bool {
        !(self & other).is_none()
    }

    /// Whether the set has the cell.
    #[inline(always)]
    fn has(self, index: usize) -> bool {
        self.meets(Self::bit(index))
    }

    /// Whether there are two or more.
    #[inline(always)]
    fn is_many(self) -> bool {
        !self.is_none() && !self.without_first().is_none()
    }

    /// The indices, smallest first.
    #[inline(always)]
    fn indices(self) -> Indices<Self> {
        Indices(self)
    }

    /// Whether a board of the shape fits: every cell has a bit, and a step off the board never leads
    /// to the bit of another cell. With a margin column that is so; without one, a step to the right
    /// of row y leads to column 0 of row y + 1 (or y + 2, downwards). Row y reaches the last column
    /// if y ≥ b − 1, and row y + 1 has column 0 if y + 1 ≤ c − 1, so that both happen only if b < c.
    fn holds(shape: Shape) -> bool {
        let [a, b, c] = shape.sides();
        let columns = a + b - 1;
        let needed = columns + usize::from(b < c);
        needed <= Self::STRIDE && (shape.rows() - 1) * Self::STRIDE + columns <= Self::BITS
    }
}

/// Runs through a set.
#[derive(Clone, Debug)]
pub struct Indices<W>(W);

impl<W: Word> Iterator for Indices<W> {
    type Item = usize;

    #[inline(always)]
    fn next(&mut self) -> Option<usize> {
        if self.0.is_none() {
            return None;
        }
        let first = self.0.first();
        self.0 = self.0.without_first();
        Some(first)
    }
}

macro_rules! primitive {
    ($word:ty, $bits:literal, $stride:literal) => {
        impl Word for $word {
            const BITS: usize = $bits;
            const STRIDE: usize = $stride;
            const NONE: Self = 0;
            type Table<T: Copy + Send + Sync + Debug + 'static> = [T; $bits];

            #[inline(always)]
            fn table<T: Copy + Send + Sync + Debug + 'static>(entry: T) -> [T; $bits] {
                [entry; $bits]
            }

            #[inline(always)]
            fn within(index: usize) -> usize {
                index & ($bits - 1)
            }

            #[inline(always)]
            fn bit(index: usize) -> Self {
                Self::bit_if(index, true)
            }

            // Without a branch. WebAssembly has no words of 128 bits, and calls a function to shift them.
            #[inline(always)]
            fn bit_if(index: usize, is_there: bool) -> Self {
                let index = Self::within(index);
                Self::from_parts(|part| u64::from(is_there && index / 64 == part) << (index % 64))
            }

            #[inline(always)]
            fn rank(self, index: usize) -> usize {
                (self & Self::bit(index).wrapping_sub(1)).count() as usize
            }

            #[inline(always)]
            fn up(self, bits: usize) -> Self {
                self << (bits & ($bits - 1))
            }

            #[inline(always)]
            fn down(self, bits: usize) -> Self {
                self >> (bits & ($bits - 1))
            }

            #[inline(always)]
            fn first(self) -> usize {
                self.trailing_zeros() as usize
            }

            #[inline(always)]
            fn without_first(self) -> Self {
                self & self.wrapping_sub(1)
            }

            #[inline(always)]
            fn count(self) -> u32 {
                self.count_ones()
            }

            #[inline(always)]
            fn part(self, place: usize) -> u64 {
                (self >> (64 * place)) as u64
            }

            #[inline(always)]
            fn from_parts(part: impl Fn(usize) -> u64) -> Self {
                (0..$bits / 64).fold(0, |word, place| {
                    word | Self::from(part(place)) << (64 * place)
                })
            }

            #[inline(always)]
            fn has(self, index: usize) -> bool {
                self >> (index & ($bits - 1)) & 1 == 1
            }
        }
    };
}

// Boards up to seven columns and rows, and 4x4x5: eight rows of eight.
primitive!(u64, 64, 8);
// Sizes 5 and 6.
primitive!(u128, 128, 11);

/// A word of several parts, the lowest first.
macro_rules! wide {
    ($(#[$about:meta])* $wide:ident, $parts:literal, $stride:literal) => {
        $(#[$about])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub struct $wide([u64; $parts]);

        impl BitAnd for $wide {
            type Output = $wide;

            #[inline(always)]
            fn bitand(self, other: $wide) -> $wide {
                $wide(std::array::from_fn(|part| self.0[part] & other.0[part]))
            }
        }

        impl BitOr for $wide {
            type Output = $wide;

            #[inline(always)]
            fn bitor(self, other: $wide) -> $wide {
                $wide(std::array::from_fn(|part| self.0[part] | other.0[part]))
            }
        }

        impl Not for $wide {
            type Output = $wide;

            #[inline(always)]
            fn not(self) -> $wide {
                $wide(self.0.map(|part| !part))
            }
        }

        impl Word for $wide {
            const BITS: usize = 64 * $parts;
            const STRIDE: usize = $stride;
            const NONE: $wide = $wide([0; $parts]);
            type Table<T: Copy + Send + Sync + Debug + 'static> = [T; 64 * $parts];

            fn table<T: Copy + Send + Sync + Debug + 'static>(entry: T) -> [T; 64 * $parts] {
                [entry; 64 * $parts]
            }

            #[inline(always)]
            fn within(index: usize) -> usize {
                index
            }

            #[inline]
            fn bit(index: usize) -> $wide {
                let mut word = $wide::NONE;
                word.0[index / 64] = 1 << (index % 64);
                word
            }

            #[inline]
            fn rank(self, index: usize) -> usize {
                let before = self.0[index / 64] & ((1 << (index % 64)) - 1);
                let parts = self.0[..index / 64].iter().chain([&before]);
                parts.map(|part| part.count_ones() as usize).sum()
            }

            // To compare arrays of more than 32 bytes is a call.
            #[inline(always)]
            fn is_none(self) -> bool {
                self.0.iter().fold(0, |all, part| all | part) == 0
            }

            #[inline(always)]
            fn has(self, index: usize) -> bool {
                self.0[index / 64] >> (index % 64) & 1 == 1
            }

            // By a number that the compiler knows these are a shift or two of each part.
            #[inline(always)]
            fn up(self, bits: usize) -> $wide {
                let (parts, rest) = (bits / 64, (bits % 64) as u32);
                let part = |index: usize| index.checked_sub(parts).map_or(0, |from| self.0[from]);
                $wide(std::array::from_fn(|index| {
                    let below = index.checked_sub(1).map_or(0, part);
                    part(index) << rest | below.checked_shr(64 - rest).unwrap_or(0)
                }))
            }

            #[inline(always)]
            fn down(self, bits: usize) -> $wide {
                let (parts, rest) = (bits / 64, (bits % 64) as u32);
                let part = |index: usize| self.0.get(index + parts).copied().unwrap_or(0);
                $wide(std::array::from_fn(|index| {
                    part(index) >> rest | part(index + 1).checked_shl(64 - rest).unwrap_or(0)
                }))
            }

            #[inline]
            fn first(self) -> usize {
                let part = self.0.iter().position(|&part| part != 0).unwrap_or(0);
                64 * part + self.0[part].trailing_zeros() as usize
            }

            #[inline]
            fn without_first(mut self) -> $wide {
                if let Some(part) = self.0.iter_mut().find(|part| **part != 0) {
                    *part &= *part - 1;
                }
                self
            }

            #[inline]
            fn count(self) -> u32 {
                self.0.iter().map(|part| part.count_ones()).sum()
            }

            #[inline(always)]
            fn part(self, place: usize) -> u64 {
                self.0[place]
            }

            fn from_parts(part: impl Fn(usize) -> u64) -> $wide {
                $wide(std::array::from_fn(part))
            }
        }
    };
}

wide!(
    /// 256 bits: sizes 7 and 8.
    Wide256,
    4,
    15
);
wide!(
    /// 384 bits: sizes 9 and 10.
    Wide384,
    6,
    19
);

#[cfg(test)]
mod tests {
    use super::*;

    fn shape(text: &str) -> Shape {
        text.parse().expect("a shape")
    }

    #[test]
    fn which_boards_fit() {
        for fits in ["2", "3", "4", "3x4x4", "4x4x3", "4x4x5", "2x7x2"] {
            assert!(u64::holds(shape(fits)), "{fits}");
        }
        for not in ["5", "4x5x5", "5x4x5"] {
            assert!(!u64::holds(shape(not)), "{not}");
            assert!(u128::holds(shape(not)), "{not}");
        }
        assert!(u128::holds(shape("6")) && !u128::holds(shape("7")));
        assert!(Wide256::holds(shape("8")) && !Wide256::holds(shape("9")));
        assert!(Wide384::holds(shape("10")) && !Wide384::holds(shape("11")));
    }

    /// Shifts and scans of 128 bits in a wide word agree with those of the processor.
    #[test]
    fn wide_words_shift_like_narrow_ones() {
        let value = 0x8123_4567_89ab_cdef_0fed_cba9_8765_4321_u128;
        let wide = |value: u128, offset: usize| {
            let low = Wide384([value as u64, (value >> 64) as u64, 0, 0, 0, 0]);
            low.up(offset)
        };
        for offset in 0..256 {
            let moved = wide(value, offset);
            assert_eq!(moved.count(), value.count_ones());
            assert_eq!(moved.first(), offset + value.trailing_zeros() as usize);
            assert_eq!(moved.down(offset), wide(value, 0));
            let ranks = moved.indices().map(|index| moved.rank(index));
            assert!(ranks.eq(0..moved.count() as usize));
            assert!(
                moved
                    .indices()
                    .all(|index| value >> (index - offset) & 1 == 1)
            );
            let by_bits = moved
                .indices()
                .fold(Wide384::NONE, |sum, index| sum | Wide384::bit(index));
            assert_eq!(by_bits, moved);
        }
    }
}
