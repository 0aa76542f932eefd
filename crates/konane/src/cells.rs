use std::ops::{BitAnd, BitOr, Not};

/// A set of cells by their [`Shape::index`](crate::Shape::index), in 64-bit words: what knowledge works
/// with, which asks the same of all cells at once.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Cells<const WORDS: usize>([u64; WORDS]);

impl<const WORDS: usize> Cells<WORDS> {
    pub const EMPTY: Self = Cells([0; WORDS]);

    /// Puts a cell into the set, or takes it out.
    #[inline]
    pub fn toggle(&mut self, index: usize) {
        self.0[Self::word(index)] ^= 1 << (index % 64);
    }

    #[inline]
    pub fn has(&self, index: usize) -> bool {
        self.bit(index) == 1
    }

    /// 1 for a cell in the set, otherwise 0.
    #[inline]
    pub fn bit(&self, index: usize) -> u8 {
        (self.0[Self::word(index)] >> (index % 64) & 1) as u8
    }

    /// The word of a cell. Where there is one there is nothing to check.
    #[inline]
    fn word(index: usize) -> usize {
        if WORDS == 1 { 0 } else { index / 64 }
    }

    #[inline]
    pub fn is_empty(self) -> bool {
        self.0.iter().all(|&word| word == 0)
    }

    #[inline]
    pub fn count(self) -> u32 {
        self.0.iter().map(|word| word.count_ones()).sum()
    }

    /// Every index made greater by 1 to 63.
    #[inline]
    pub fn raised(self, by: usize) -> Self {
        Cells(std::array::from_fn(|word| {
            let carry = match word.checked_sub(1) {
                Some(below) => self.0[below] >> (64 - by),
                None => 0,
            };
            self.0[word] << by | carry
        }))
    }

    /// Every index made smaller by 1 to 63; what would fall below 0 is lost.
    #[inline]
    pub fn lowered(self, by: usize) -> Self {
        Cells(std::array::from_fn(|word| {
            let carry = match self.0.get(word + 1) {
                Some(above) => above << (64 - by),
                None => 0,
            };
            self.0[word] >> by | carry
        }))
    }

    /// Calls `visit` with every index, the smallest first.
    #[inline]
    pub fn for_each(self, mut visit: impl FnMut(usize)) {
        for (word, &bits) in self.0.iter().enumerate() {
            let mut left = bits;
            while left != 0 {
                visit(64 * word + left.trailing_zeros() as usize);
                left &= left - 1;
            }
        }
    }
}

impl<const WORDS: usize> FromIterator<usize> for Cells<WORDS> {
    fn from_iter<I: IntoIterator<Item = usize>>(indices: I) -> Self {
        let mut cells = Self::EMPTY;
        for index in indices {
            cells.0[index / 64] |= 1 << (index % 64);
        }
        cells
    }
}

impl<const WORDS: usize> BitAnd for Cells<WORDS> {
    type Output = Self;

    #[inline]
    fn bitand(self, other: Self) -> Self {
        Cells(std::array::from_fn(|word| self.0[word] & other.0[word]))
    }
}

impl<const WORDS: usize> BitOr for Cells<WORDS> {
    type Output = Self;

    #[inline]
    fn bitor(self, other: Self) -> Self {
        Cells(std::array::from_fn(|word| self.0[word] | other.0[word]))
    }
}

impl<const WORDS: usize> Not for Cells<WORDS> {
    type Output = Self;

    #[inline]
    fn not(self) -> Self {
        Cells(std::array::from_fn(|word| !self.0[word]))
    }
}
