//! The transposition table: what the search knows of positions, found by their full keys.
//!
//! An entry is used only if the whole position is the one asked for: a claim never rests on the luck
//! of a hash. Four entries share a bucket; where it is full, that with the least work behind it goes.

use super::key::Key;
use game::Side;

/// The largest proof or disproof number; it stands for infinity.
pub const INFINITE: u32 = (1 << NUMBER_BITS) - 1;
const NUMBER_BITS: u32 = 27;

/// What is known of a position. "The question" is whether the attacker wins.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Numbers {
    /// How hard it seems to show that the attacker wins; 0 if that is proven, infinite if disproven.
    pub proof: u32,
    /// How hard it seems to show that the attacker does not win; 0 if that is proven.
    pub disproof: u32,
    /// Where `disproof` is 0: whether the defender is known to win, rather than perhaps to draw.
    pub lost: bool,
}

impl Numbers {
    /// The attacker wins.
    pub const PROVEN: Numbers = Numbers {
        proof: 0,
        disproof: INFINITE,
        lost: false,
    };

    /// Nothing is known.
    pub const UNKNOWN: Numbers = Numbers {
        proof: 1,
        disproof: 1,
        lost: false,
    };

    /// The attacker does not win; `lost` if the defender does.
    pub const fn disproven(lost: bool) -> Numbers {
        Numbers {
            proof: INFINITE,
            disproof: 0,
            lost,
        }
    }

    /// Whether the question is answered.
    #[inline]
    pub fn is_solved(self) -> bool {
        self.proof == 0 || self.disproof == 0
    }

    #[inline]
    fn pack(self, question: Question, work: u32) -> u64 {
        u64::from(self.proof)
            | u64::from(self.disproof) << NUMBER_BITS
            | u64::from(self.lost) << LOST_BIT
            | u64::from(question.0) << QUESTION_SHIFT
            | u64::from(work.min(63)) << WORK_SHIFT
    }

    #[inline]
    fn unpack(packed: u64) -> Numbers {
        Numbers {
            proof: packed as u32 & INFINITE,
            disproof: (packed >> NUMBER_BITS) as u32 & INFINITE,
            lost: packed >> LOST_BIT & 1 == 1,
        }
    }
}

const LOST_BIT: u32 = 2 * NUMBER_BITS;
const QUESTION_SHIFT: u32 = LOST_BIT + 1;
/// The upper bits hold the logarithm of the work.
const WORK_SHIFT: u32 = QUESTION_SHIFT + 2;

/// The bits of the number of nodes behind an entry.
fn work_of(packed: u64) -> u32 {
    (packed >> WORK_SHIFT) as u32
}

/// What is asked of a position, beyond its stones: who attacks, and whose turn it is with an even
/// number of stones (after a swap it is Black's).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Question(u8);

impl Question {
    /// Whether the attacker wins from a position with so many stones.
    pub fn new(attacker: Side, to_move: Side, stones: u32) -> Question {
        let turn = (to_move as u32 + stones) & 1;
        Question(attacker as u8 | (turn as u8) << 1)
    }
}

/// An entry; `packed` is 0 where there is none.
#[derive(Clone, Copy, Debug)]
pub struct Entry<K> {
    /// The position.
    pub key: K,
    /// The question, the numbers, and the bits of the number of nodes behind them.
    pub packed: u64,
}

impl<K: Key> Entry<K> {
    #[inline(always)]
    fn is_of(&self, key: K, question: Question) -> bool {
        let asked = (self.packed >> QUESTION_SHIFT) as u8 & 3;
        self.key == key && self.packed != 0 && asked == question.0
    }
}

const WAYS: usize = 4;

#[derive(Clone, Copy, Debug)]
#[repr(align(64))]
struct Bucket<K>([Entry<K>; WAYS]);

/// The table.
#[derive(Debug)]
pub struct Table<K> {
    buckets: Vec<Bucket<K>>,
    most_buckets: usize,
    used: u64,
}

/// A new table has at least so many buckets, unless the limit is less: it fits the second-level cache.
const FIRST_BUCKETS: usize = 1 << 10;

/// By how much a table grows.
const GROWTH: usize = 4;

/// The share of entries in use, in per cent, from which a table grows that may.
const GROW_AT: u64 = 60;

impl<K: Key> Table<K> {
    /// A table that grows as it fills and never takes more than so many bytes, but a kilobyte at
    /// least.
    pub fn new(bytes: usize) -> Table<K> {
        let most_buckets = (bytes / size_of::<Bucket<K>>()).max(16);
        let mut first = most_buckets;
        while first >= FIRST_BUCKETS * GROWTH {
            first /= GROWTH;
        }
        Table {
            buckets: vec![Self::VACANT; first],
            most_buckets,
            used: 0,
        }
    }

    const VACANT: Bucket<K> = Bucket(
        [Entry {
            key: K::ZERO,
            packed: 0,
        }; WAYS],
    );

    /// The number of entries in use.
    pub fn used(&self) -> u64 {
        self.used
    }

    /// The bytes that the table takes.
    pub fn bytes(&self) -> usize {
        self.buckets.len() * size_of::<Bucket<K>>()
    }

    #[inline]
    fn place_of(&self, key: K) -> usize {
        ((u128::from(key.hash()) * self.buckets.len() as u128) >> 64) as usize
    }

    /// What is known of a position.
    #[inline]
    pub fn get(&self, key: K, question: Question) -> Option<Numbers> {
        let entry = self.find(key, question)?;
        Some(Numbers::unpack(entry.packed))
    }

    /// What is known of a position, and the bits of the number of nodes that it took.
    pub fn get_with_work(&self, key: K, question: Question) -> Option<(Numbers, u32)> {
        let entry = self.find(key, question)?;
        Some((Numbers::unpack(entry.packed), work_of(entry.packed)))
    }

    #[inline]
    fn find(&self, key: K, question: Question) -> Option<&Entry<K>> {
        let bucket = &self.buckets[self.place_of(key)].0;
        bucket.iter().find(|entry| entry.is_of(key, question))
    }

    /// Stores what is known of a position, and the nodes that it took this time.
    #[inline]
    pub fn put(&mut self, key: K, question: Question, numbers: Numbers, nodes: u64) {
        let work = 64 - nodes.leading_zeros();
        let place = self.place_of(key);
        let bucket = &mut self.buckets[place].0;
        if let Some(entry) = bucket.iter_mut().find(|entry| entry.is_of(key, question)) {
            entry.packed = numbers.pack(question, work.max(work_of(entry.packed)));
            return;
        }
        let packed = numbers.pack(question, work);
        self.insert(Entry { key, packed });
    }

    /// The entries in use.
    pub fn entries(&self) -> impl Iterator<Item = &Entry<K>> {
        let entries = self.buckets.iter().flat_map(|bucket| &bucket.0);
        entries.filter(|entry| entry.packed != 0)
    }

    /// Puts an entry in the place of the one with the least work behind it; none may be there of the
    /// same position and question.
    #[inline]
    pub fn insert(&mut self, entry: Entry<K>) {
        let place = self.place_of(entry.key);
        let bucket = &mut self.buckets[place].0;
        // A vacant entry has no work behind it.
        if let Some(least) = bucket.iter_mut().min_by_key(|entry| work_of(entry.packed)) {
            self.used += u64::from(least.packed == 0);
            *least = entry;
        }
        if self.used * 100 > (self.buckets.len() * WAYS) as u64 * GROW_AT {
            self.grow();
        }
    }

    /// Makes the table larger in its place. A bucket's entries go to the few buckets that its share
    /// of the hashes is divided into, which lie behind it; so the last bucket goes first.
    #[cold]
    fn grow(&mut self) {
        let before = self.buckets.len();
        let after = before * GROWTH;
        if after > self.most_buckets {
            return;
        }
        self.buckets.reserve_exact(after - before);
        self.buckets.resize(after, Self::VACANT);
        for from in (0..before).rev() {
            let old = std::mem::replace(&mut self.buckets[from], Self::VACANT);
            for entry in old.0.into_iter().filter(|entry| entry.packed != 0) {
                let place = self.place_of(entry.key);
                let vacant = self.buckets[place].0.iter_mut().find(|to| to.packed == 0);
                if let Some(to) = vacant {
                    *to = entry;
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn numbers(proof: u32) -> Numbers {
        Numbers {
            proof,
            disproof: 7,
            lost: false,
        }
    }

    fn question(attacker: Side) -> Question {
        Question::new(attacker, Side::White, 0)
    }

    #[test]
    fn numbers_are_packed_and_unpacked() {
        let asked = Question::new(Side::Black, Side::White, 1);
        for numbers in [Numbers::PROVEN, Numbers::disproven(true), numbers(12)] {
            for work in [0, 5, 64] {
                assert_eq!(Numbers::unpack(numbers.pack(asked, work)), numbers);
            }
        }
    }

    #[test]
    fn a_table_that_grows_forgets_nothing() {
        let mut table: Table<u64> = Table::new(1 << 24);
        let first = table.bytes();
        for key in 0..100_000 {
            table.put(key, question(Side::White), numbers(key as u32 + 1), 1);
        }
        assert!(table.bytes() > first && table.bytes() <= 1 << 24);
        let kept = |&key: &u64| {
            let known = table.get(key, question(Side::White));
            // What is found is right.
            assert!(known.is_none_or(|known| known == numbers(key as u32 + 1)));
            known.is_some()
        };
        let kept = (0..100_000).filter(kept).count();
        assert_eq!(kept as u64, table.used());
        assert!(kept > 90_000, "{kept}");
    }

    #[test]
    fn a_full_table_keeps_what_took_most_work() {
        let mut table: Table<u64> = Table::new(1 << 12);
        for key in 0..10 {
            table.put(key, question(Side::White), numbers(1), 1 << 40);
        }
        for key in 10..10_000 {
            table.put(key, question(Side::White), numbers(2), 1);
        }
        assert!(table.bytes() <= 1 << 12);
        let kept = (0..10).filter(|&key| table.get(key, question(Side::White)).is_some());
        assert_eq!(kept.count(), 10);
    }

    #[test]
    fn questions_do_not_mix() {
        let mut table: Table<u64> = Table::new(1 << 12);
        table.put(1, question(Side::White), Numbers::PROVEN, 1);
        assert_eq!(table.get(1, question(Side::Black)), None);
        let swapped = Question::new(Side::White, Side::Black, 0);
        assert_eq!(table.get(1, swapped), None);
        assert_eq!(table.get(1, question(Side::White)), Some(Numbers::PROVEN));
    }
}
