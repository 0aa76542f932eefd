//! A few bits of the hash of each entry of a table, which say of most positions that they are not there.
//!
//! Most children of a node that is expanded are not in the table, whose buckets are not in the cache either. The
//! fingerprints of a bucket share one word of 32 bits: those of a table of 64 MiB take a megabyte, which is.

use crate::sync::AtomicU32;
use crate::{large_pages, prefetch};
use std::sync::atomic::Ordering;

/// The fingerprints of buckets with two or more entries each, a [number](Ways) that is the same in all calls. Threads may
/// share them: a position that another thread is writing may seem not to be there.
#[derive(Debug, Default)]
pub struct Fingerprints(Vec<AtomicU32>);

/// How many entries a bucket has.
#[derive(Clone, Copy, Debug)]
pub struct Ways(pub usize);

impl Ways {
    /// The bits of a fingerprint.
    #[inline(always)]
    fn bits(self) -> u32 {
        u32::BITS / self.0 as u32
    }

    #[inline(always)]
    fn mask(self) -> u32 {
        (1 << self.bits()) - 1
    }

    /// The fingerprint of a hash: its lowest bits, which do not decide on the bucket. Only a vacant place has 0.
    #[inline(always)]
    pub fn fingerprint(self, hash: u64) -> u32 {
        (hash as u32 & self.mask()).max(1)
    }
}

impl Fingerprints {
    /// The bytes for a bucket.
    pub const BYTES: usize = size_of::<u32>();

    /// Of so many buckets, all vacant.
    pub fn vacant(buckets: usize) -> Fingerprints {
        let mut words = Vec::new();
        words.reserve_exact(buckets);
        large_pages::ask_for(words.spare_capacity_mut());
        words.resize_with(buckets, AtomicU32::default);
        Fingerprints(words)
    }

    /// Whether a position with this fingerprint may be in a bucket.
    #[inline(always)]
    pub fn may_have(&self, ways: Ways, bucket: usize, fingerprint: u32) -> bool {
        let word = self.0[bucket].load(Ordering::Relaxed);
        let at = |way: usize| word >> (way as u32 * ways.bits()) & ways.mask();
        (0..ways.0).any(|way| at(way) == fingerprint)
    }

    /// Notes the fingerprint of the entry at one of the ways of a bucket, which nobody else writes meanwhile. Others may
    /// write those beside it if threads share the table.
    #[inline(always)]
    pub fn set(
        &self,
        ways: Ways,
        (bucket, way): (usize, usize),
        fingerprint: u32,
        is_shared: bool,
    ) {
        let word = &self.0[bucket];
        let shift = way as u32 * ways.bits();
        let before = word.load(Ordering::Relaxed);
        let change = (before ^ fingerprint << shift) & ways.mask() << shift;
        if is_shared {
            word.fetch_xor(change, Ordering::Relaxed);
        } else {
            word.store(before ^ change, Ordering::Relaxed);
        }
    }

    /// Asks the memory for the fingerprints of a bucket.
    #[inline(always)]
    pub fn approach(&self, bucket: usize) {
        // The bounds are looked at when the fingerprints are.
        prefetch::line(self.0.as_ptr().wrapping_add(bucket), || {
            self.0.get(bucket).map(|word| word.load(Ordering::Relaxed))
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_bucket_may_have_what_was_noted_and_hardly_anything_else() {
        let ways = Ways(5);
        let fingerprints = Fingerprints::vacant(3);
        let has = |bucket, hash| fingerprints.may_have(ways, bucket, ways.fingerprint(hash));
        assert!((0..200).all(|hash| !has(1, hash)));
        for is_shared in [false, true] {
            for way in 0..5 {
                fingerprints.set(ways, (1, way), 63, is_shared);
                let noted = ways.fingerprint(7 + way as u64);
                fingerprints.set(ways, (1, way), noted, is_shared);
            }
            assert!((0..64).filter(|&hash| has(1, hash)).eq(7..12));
        }
        assert!((0..64).all(|hash| !has(0, hash) && !has(2, hash)));
    }
}
