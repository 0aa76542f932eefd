//! The transposition table, with full keys.

use ::search::proof::{Numbers, ProofNumbers};
use game::Side;

const BITS: u32 = 28;
/// Stands for infinity in an entry.
const MOST: u32 = (1 << BITS) - 1;

/// A position: the stones, the side to move, its numbers, and how much work they cost (binary logarithm).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Entry {
    stones: u64,
    /// From the top: 28 bits disproof number, 28 bits proof number, 6 bits work, 1 bit in use, 1 bit side.
    rest: u64,
}

impl Entry {
    fn new(stones: u64, side: Side, numbers: Numbers, work: u64) -> Entry {
        let work = u64::from(64 - work.leading_zeros()).min(63);
        let number = |number: u32| {
            u64::from(match number {
                ProofNumbers::INFINITE => MOST,
                number => number.min(MOST - 1),
            })
        };
        let numbers = number(numbers.delta) << BITS | number(numbers.phi);
        Entry {
            stones,
            rest: numbers << 8 | work << 2 | Self::tag(side),
        }
    }

    #[inline]
    fn tag(side: Side) -> u64 {
        2 | side as u64
    }

    #[inline]
    fn is_for(self, stones: u64, side: Side) -> bool {
        self.stones == stones && self.rest & 3 == Self::tag(side)
    }

    fn side(self) -> Side {
        Side::BOTH[(self.rest & 1) as usize]
    }

    fn is_free(self) -> bool {
        self.rest == 0
    }

    fn work(self) -> u64 {
        self.rest >> 2 & 63
    }

    fn numbers(self) -> Numbers {
        let part = |shift: u32| match (self.rest >> shift) as u32 & MOST {
            MOST => ProofNumbers::INFINITE,
            number => number,
        };
        Numbers {
            phi: part(8),
            delta: part(8 + BITS),
        }
    }
}

/// Four entries that share a cache line; a position is in the one that its hash names.
#[derive(Clone, Copy, Debug, Default)]
#[repr(align(64))]
struct Bucket([Entry; 4]);

/// A new table has at most so many buckets.
const FIRST_BUCKETS: usize = 1 << 12;

/// The share of entries in use, in per cent, up to which hardly a bucket overflows: with four entries in a
/// bucket and hashes at random, 0.8 % of the entries find no place at 30 % and 4 % at 50 %.
const ROOMY: u64 = 30;

/// The table. When a bucket is full, the entry that cost the least work makes room.
#[derive(Clone, Debug)]
pub(super) struct Table {
    buckets: Vec<Bucket>,
    most_buckets: usize,
    entries: usize,
}

impl Table {
    /// A table that grows to the largest power of two of bytes that is within `bytes`.
    pub fn new(bytes: usize) -> Table {
        Table::with_room(bytes, 0)
    }

    /// The same with room for so many entries from the beginning, if the bytes allow it.
    fn with_room(bytes: usize, entries: u64) -> Table {
        let most = (bytes / size_of::<Bucket>()).max(1);
        let most_buckets = 1 << most.ilog2();
        let mut first = most_buckets.min(FIRST_BUCKETS);
        while entries.saturating_mul(100) > (4 * first) as u64 * ROOMY && first < most_buckets {
            first = (4 * first).min(most_buckets);
        }
        Table {
            buckets: vec![Bucket::default(); first],
            most_buckets,
            entries: 0,
        }
    }

    /// A table that may grow as much, with nothing in it and room for so many entries.
    pub fn emptied(&self, entries: u64) -> Table {
        Table::with_room(self.most_buckets * size_of::<Bucket>(), entries)
    }

    /// The bytes of a table that has room for so many entries, whatever their hashes.
    pub fn bytes_for(entries: u64) -> u64 {
        (entries.saturating_mul(100) / ROOMY / 4 + 1).next_power_of_two()
            * size_of::<Bucket>() as u64
    }

    pub fn entries(&self) -> u64 {
        self.entries as u64
    }

    pub fn bytes(&self) -> usize {
        self.buckets.len() * size_of::<Bucket>()
    }

    #[inline]
    fn bucket(&self, stones: u64, side: Side) -> usize {
        let key = stones ^ (side as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        game::random::mix(key) as usize & (self.buckets.len() - 1)
    }

    #[inline]
    pub fn get(&self, stones: u64, side: Side) -> Option<Numbers> {
        let Bucket(entries) = &self.buckets[self.bucket(stones, side)];
        let found = entries.iter().find(|entry| entry.is_for(stones, side));
        found.map(|entry| entry.numbers())
    }

    /// Reads where positions would be that are looked up next: the memory is slow, and so it is asked for all
    /// of them at once.
    #[inline]
    pub fn approach(&self, positions: impl Iterator<Item = u64>, side: Side) {
        let read = |all, stones| {
            let Bucket(entries) = &self.buckets[self.bucket(stones, side)];
            all ^ entries[0].stones
        };
        std::hint::black_box(positions.fold(0, read));
    }

    pub fn put(&mut self, stones: u64, side: Side, numbers: Numbers, work: u64) {
        self.grow_if_crowded();
        self.place(Entry::new(stones, side, numbers, work), stones, side);
    }

    /// Every entry as two numbers.
    pub fn numbers(&self) -> impl Iterator<Item = u64> {
        let entries = self.buckets.iter().flat_map(|Bucket(entries)| entries);
        let used = entries.filter(|entry| !entry.is_free());
        used.flat_map(|entry| [entry.stones, entry.rest])
    }

    /// Takes an entry of two numbers.
    pub fn insert(&mut self, stones: u64, rest: u64) {
        self.grow_if_crowded();
        let entry = Entry { stones, rest };
        if !entry.is_free() {
            self.place(entry, stones, entry.side());
        }
    }

    fn place(&mut self, new: Entry, stones: u64, side: Side) {
        let bucket = self.bucket(stones, side);
        let Bucket(entries) = &mut self.buckets[bucket];
        let (mut victim, mut least) = (0, u64::MAX);
        for (index, entry) in entries.iter().enumerate() {
            if entry.is_for(stones, side) {
                victim = index;
                break;
            }
            let worth = if entry.is_free() { 0 } else { 1 + entry.work() };
            if worth < least {
                (victim, least) = (index, worth);
            }
        }
        self.entries += usize::from(entries[victim].is_free());
        entries[victim] = new;
    }

    fn grow_if_crowded(&mut self) {
        if self.entries >= 2 * self.buckets.len() && self.buckets.len() < self.most_buckets {
            self.grow();
        }
    }

    fn grow(&mut self) {
        let buckets = (4 * self.buckets.len()).min(self.most_buckets);
        // In its place, so that it never takes more memory than it has afterwards: the entries of a bucket stay in it or
        // go to one that was not there before.
        let before = self.buckets.len();
        self.buckets.reserve_exact(buckets - before);
        self.buckets.resize(buckets, Bucket::default());
        self.entries = 0;
        for bucket in 0..before {
            let Bucket(entries) = std::mem::take(&mut self.buckets[bucket]);
            for entry in entries.into_iter().filter(|entry| !entry.is_free()) {
                self.place(entry, entry.stones, entry.side());
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_come_back_while_the_table_grows() {
        let mut table = Table::new(1 << 22);
        let numbers = |number: u64| Numbers {
            phi: (number % 1000) as u32,
            delta: MOST - 1 - (number % 77) as u32,
        };
        for number in 1..20_000 {
            let side = Side::BOTH[(number % 2) as usize];
            table.put(number, side, numbers(number), number);
            assert_eq!(table.get(number, side), Some(numbers(number)));
            assert_eq!(table.get(number, !side), None);
        }
        let kept = (1..20_000).filter(|&number| {
            let found = table.get(number, Side::BOTH[(number % 2) as usize]);
            assert!(found.is_none_or(|found| found == numbers(number)));
            found.is_some()
        });
        assert!(kept.count() > 19_000);
        assert!(table.bytes() <= 1 << 22);
    }
}
