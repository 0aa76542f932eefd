//! One number of each of some nodes, in blocks that a compiler makes one vector of.

use crate::sync::Word;

/// Numbers of a block: as many as fit the vectors that every processor has.
pub(super) const LANES: usize = 4;

/// One number of each of some nodes that lie next to each other.
pub(super) trait Column {
    /// What the numbers are.
    type Value: Copy + Default;

    /// All blocks that are whole, and what is left with zeros behind it.
    fn split(
        self,
    ) -> (
        impl Iterator<Item = [Self::Value; LANES]>,
        [Self::Value; LANES],
    );
}

/// Words that other threads may change meanwhile.
impl<W: Word> Column for &[W] {
    type Value = W::Value;

    #[inline(always)]
    fn split(
        self,
    ) -> (
        impl Iterator<Item = [Self::Value; LANES]>,
        [Self::Value; LANES],
    ) {
        let (blocks, rest) = self.as_chunks::<LANES>();
        let read = |words: &[W]| {
            let mut block = [W::Value::default(); LANES];
            for (value, word) in block.iter_mut().zip(words) {
                *value = word.load_relaxed();
            }
            block
        };
        (blocks.iter().map(move |block| read(block)), read(rest))
    }
}

/// Words that nobody else has.
impl<W: Word> Column for &mut [W] {
    type Value = W::Value;

    #[inline(always)]
    fn split(
        self,
    ) -> (
        impl Iterator<Item = [Self::Value; LANES]>,
        [Self::Value; LANES],
    ) {
        let (blocks, rest) = self.as_chunks_mut::<LANES>();
        let read = |words: &mut [W]| {
            let mut block = [W::Value::default(); LANES];
            for (value, word) in block.iter_mut().zip(words) {
                *value = word.read();
            }
            block
        };
        let rest = read(rest);
        (blocks.iter_mut().map(move |block| read(block)), rest)
    }
}
