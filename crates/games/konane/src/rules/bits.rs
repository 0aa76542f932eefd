use std::ops::{BitAnd, BitOr, Not};

/// A set of numbers below 64 × `WORDS`, which stand for cells in the order of
/// [`Shape::index`](super::Shape::index).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Bits<const WORDS: usize>([u64; WORDS]);

impl<const WORDS: usize> Bits<WORDS> {
    /// How many numbers there are.
    pub const CAPACITY: usize = 64 * WORDS;

    /// The set of none.
    pub const EMPTY: Self = Bits([0; WORDS]);

    /// The words, the lowest numbers first.
    #[inline]
    pub fn words(self) -> [u64; WORDS] {
        self.0
    }

    /// The set with these [words](Bits::words).
    #[inline]
    pub(crate) fn from_words(words: [u64; WORDS]) -> Self {
        Bits(words)
    }

    /// Puts a number into the set, or takes it out.
    #[inline]
    pub fn toggle(&mut self, number: usize) {
        self.0[Self::word(number)] ^= 1 << (number % 64);
    }

    /// Whether a number is in the set.
    #[inline]
    pub fn has(self, number: usize) -> bool {
        self.bit(number) == 1
    }

    /// 1 for a number in the set, otherwise 0.
    #[inline]
    pub fn bit(self, number: usize) -> u8 {
        (self.0[Self::word(number)] >> (number % 64) & 1) as u8
    }

    /// The word of a number. Where there is one there is nothing to check.
    #[inline]
    const fn word(number: usize) -> usize {
        if WORDS == 1 { 0 } else { number / 64 }
    }

    /// Whether the set is empty.
    #[inline]
    pub fn is_empty(self) -> bool {
        self.0.iter().all(|&word| word == 0)
    }

    /// How many numbers are in the set.
    #[inline(always)]
    pub fn count(self) -> u32 {
        self.0.iter().map(|word| word.count_ones()).sum()
    }

    /// Every number made greater by 1 to 63. What grows beyond the capacity is lost.
    #[inline(always)]
    #[must_use]
    pub fn raised(self, by: usize) -> Self {
        debug_assert!((1..64).contains(&by));
        let mut words = self.0;
        for (index, word) in words.iter_mut().enumerate() {
            let carry = match index.checked_sub(1) {
                Some(below) => self.0[below] >> (64 - by),
                None => 0,
            };
            *word = *word << by | carry;
        }
        Bits(words)
    }

    /// Every number made smaller by 1 to 63. What would fall below 0 is lost.
    #[inline(always)]
    #[must_use]
    pub fn lowered(self, by: usize) -> Self {
        debug_assert!((1..64).contains(&by));
        let mut words = self.0;
        for (index, word) in words.iter_mut().enumerate() {
            let carry = match self.0.get(index + 1) {
                Some(above) => above << (64 - by),
                None => 0,
            };
            *word = *word >> by | carry;
        }
        Bits(words)
    }

    /// The `length` numbers from `first` on as a word, the first as its lowest bit; `length` is below 32, and
    /// the numbers below the capacity.
    #[inline]
    pub fn slice(self, first: usize, length: usize) -> u32 {
        debug_assert!(length < 32 && first + length <= Self::CAPACITY);
        let (word, shift) = (Self::word(first), first % 64);
        let mut bits = self.0[word] >> shift;
        if WORDS > 1 && shift + length > 64 {
            bits |= self.0[word + 1] << (64 - shift);
        }
        bits as u32 & ((1 << length) - 1)
    }

    /// Calls `visit` with every number of the set, the smallest first.
    #[inline]
    pub fn for_each(self, mut visit: impl FnMut(usize)) {
        for (index, &word) in self.0.iter().enumerate() {
            let mut left = word;
            while left != 0 {
                visit(64 * index + left.trailing_zeros() as usize);
                left &= left - 1;
            }
        }
    }

    /// The number that has so many smaller ones in the set.
    #[inline]
    pub fn nth(self, mut smaller: u32) -> Option<usize> {
        for (index, &word) in self.0.iter().enumerate() {
            let here = word.count_ones();
            if smaller < here {
                let mut left = word;
                for _ in 0..smaller {
                    left &= left - 1;
                }
                return Some(64 * index + left.trailing_zeros() as usize);
            }
            smaller -= here;
        }
        None
    }
}

/// The set of those numbers.
impl<const WORDS: usize> FromIterator<usize> for Bits<WORDS> {
    fn from_iter<I: IntoIterator<Item = usize>>(numbers: I) -> Self {
        let mut bits = Self::EMPTY;
        for number in numbers {
            bits.0[number / 64] |= 1 << (number % 64);
        }
        bits
    }
}

impl<const WORDS: usize> BitAnd for Bits<WORDS> {
    type Output = Self;

    #[inline(always)]
    fn bitand(self, other: Self) -> Self {
        let mut words = self.0;
        for (word, other) in words.iter_mut().zip(other.0) {
            *word &= other;
        }
        Bits(words)
    }
}

impl<const WORDS: usize> BitOr for Bits<WORDS> {
    type Output = Self;

    #[inline(always)]
    fn bitor(self, other: Self) -> Self {
        let mut words = self.0;
        for (word, other) in words.iter_mut().zip(other.0) {
            *word |= other;
        }
        Bits(words)
    }
}

impl<const WORDS: usize> Not for Bits<WORDS> {
    type Output = Self;

    #[inline(always)]
    fn not(self) -> Self {
        let mut words = self.0;
        for word in &mut words {
            *word = !*word;
        }
        Bits(words)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn numbers<const WORDS: usize>(bits: Bits<WORDS>) -> Vec<usize> {
        let mut numbers = Vec::new();
        bits.for_each(|number| numbers.push(number));
        numbers
    }

    #[test]
    fn shifts_cross_the_words() {
        let some = [0, 1, 62, 63, 64, 100, 127, 128, 191];
        let bits: Bits<3> = some.into_iter().collect();
        for by in 1..64 {
            let raised: Vec<usize> = some.iter().map(|n| n + by).filter(|&n| n < 192).collect();
            let lowered: Vec<usize> = some.iter().filter_map(|n| n.checked_sub(by)).collect();
            assert_eq!(numbers(bits.raised(by)), raised);
            assert_eq!(numbers(bits.lowered(by)), lowered);
        }
    }

    #[test]
    fn members_are_counted_in_order() {
        let some = [3, 63, 64, 70, 127];
        let bits: Bits<2> = some.into_iter().collect();
        assert_eq!(numbers(bits), some);
        assert_eq!(bits.count(), 5);
        for (smaller, &number) in some.iter().enumerate() {
            assert_eq!(bits.nth(smaller as u32), Some(number));
            assert!(bits.has(number) && !(!bits).has(number));
        }
        assert_eq!(bits.nth(5), None);
        assert!((bits & !bits).is_empty());
        assert_eq!((bits | !bits).count(), 128);
    }
}
