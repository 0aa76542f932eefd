//! The transposition table: what the search knows of positions, found by their full keys.
//!
//! An entry is used only if the whole position is the one asked for: a claim never rests on the luck
//! of a hash. Four entries share a bucket; where it is full, that with the least work behind it goes.

use super::key::Key;
use game::Side;
use search::proof::{ProofNumbers, Stripes};
use std::marker::PhantomData;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

const NUMBER_BITS: u32 = 27;
/// Stands for infinity in an entry.
const MOST: u32 = (1 << NUMBER_BITS) - 1;

#[inline]
fn pack(numbers: ProofNumbers, question: Question, work: u32) -> u64 {
    let number = |number: u32| {
        u64::from(match number {
            ProofNumbers::INFINITE => MOST,
            number => number.min(MOST - 1),
        })
    };
    number(numbers.proof)
        | number(numbers.disproof) << NUMBER_BITS
        | u64::from(numbers.lost) << LOST_BIT
        | u64::from(question.0) << QUESTION_SHIFT
        | u64::from(work.min(63)) << WORK_SHIFT
}

#[inline]
fn unpack(packed: u64) -> ProofNumbers {
    let number = |packed: u64| match packed as u32 & MOST {
        MOST => ProofNumbers::INFINITE,
        number => number,
    };
    ProofNumbers {
        proof: number(packed),
        disproof: number(packed >> NUMBER_BITS),
        lost: packed >> LOST_BIT & 1 == 1,
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

#[inline(always)]
fn is_of(packed: u64, question: Question) -> bool {
    packed != 0 && (packed >> QUESTION_SHIFT) as u8 & 3 == question.0
}

/// Words of one line of the cache.
const LINE: usize = 8;

#[derive(Debug, Default)]
#[repr(align(64))]
struct Line([AtomicU64; LINE]);

/// The table. Threads may share it: words of an entry are read and written together ([`Stripes`]).
#[derive(Debug)]
pub struct Table<K> {
    /// One bucket after the other.
    lines: Vec<Line>,
    buckets: usize,
    most_buckets: usize,
    used: AtomicU64,
    is_crowded: AtomicBool,
    /// `None` while one thread has the table for itself.
    stripes: Option<Stripes>,
    key: PhantomData<K>,
}

/// A new table has at least so many buckets, unless the limit is less: it fits the second-level cache.
const FIRST_BUCKETS: usize = 1 << 10;

/// By how much a table grows.
const GROWTH: usize = 4;

/// The share of entries in use, in per cent, from which a table is to grow if it may.
const GROW_AT: u64 = 60;

/// The share of entries in use, in per cent, up to which hardly a bucket overflows: with four entries in a
/// bucket and hashes at random, 0.8 % of the entries find no place at 30 % and 6 % at 60 %.
const ROOMY: u64 = 30;

/// So many versions that two threads are seldom at buckets of the same one, and few enough for the cache.
const VERSIONS: usize = 1 << 10;

impl<K: Key> Table<K> {
    /// The words of an entry: the parts of its key, and the rest.
    const WORDS: usize = K::PARTS + 1;
    /// The lines of a bucket: enough for four entries.
    const LINES: usize = (4 * Self::WORDS).div_ceil(LINE);
    /// The entries of a bucket.
    const WAYS: usize = Self::LINES * LINE / Self::WORDS;

    /// A table that can grow as it fills and never takes more than so many bytes, but a kilobyte at
    /// least.
    pub fn new(bytes: usize) -> Table<K> {
        Table::with_room(bytes, 0)
    }

    /// The same with room for so many entries from the beginning, whatever their hashes, if the bytes allow
    /// it.
    pub fn with_room(bytes: usize, entries: u64) -> Table<K> {
        let most_buckets = (bytes / Self::LINES / size_of::<Line>()).max(16);
        let mut first = most_buckets;
        while first >= FIRST_BUCKETS * GROWTH {
            first /= GROWTH;
        }
        while Self::loses_some(first, entries) && first * GROWTH <= most_buckets {
            first *= GROWTH;
        }
        let mut lines = Vec::new();
        lines.resize_with(first * Self::LINES, Line::default);
        Table {
            lines,
            buckets: first,
            most_buckets,
            used: AtomicU64::new(0),
            is_crowded: AtomicBool::new(false),
            stripes: None,
            key: PhantomData,
        }
    }

    /// Whether so many entries with random hashes would leave more than one in a hundred without a place in
    /// its bucket.
    fn loses_some(buckets: usize, entries: u64) -> bool {
        entries.saturating_mul(100) > (buckets * Self::WAYS) as u64 * ROOMY
    }

    /// The bytes of a table that has room for so many entries, whatever their hashes.
    pub fn bytes_for(entries: u64) -> u64 {
        let buckets = entries.saturating_mul(100) / ROOMY / Self::WAYS as u64 + 1;
        // The sizes to which a table grows are less than its limit by one bucket in so many at most.
        (buckets + buckets / FIRST_BUCKETS as u64) * (Self::LINES * size_of::<Line>()) as u64
    }

    /// Whether threads are to share the table from now on.
    pub fn share(&mut self, is_shared: bool) {
        self.stripes = is_shared.then(|| Stripes::new(VERSIONS));
    }

    /// The number of entries in use.
    pub fn used(&self) -> u64 {
        self.used.load(Ordering::Relaxed)
    }

    /// The bytes that the table takes.
    pub fn bytes(&self) -> usize {
        self.lines.len() * size_of::<Line>()
    }

    #[inline(always)]
    fn place_of(&self, key: K) -> usize {
        ((u128::from(key.hash()) * self.buckets as u128) >> 64) as usize
    }

    #[inline(always)]
    fn bucket(&self, place: usize) -> &[Line] {
        &self.lines[place * Self::LINES..(place + 1) * Self::LINES]
    }

    #[inline(always)]
    fn word(bucket: &[Line], way: usize, word: usize) -> &AtomicU64 {
        let word = way * Self::WORDS + word;
        &bucket[word / LINE].0[word % LINE]
    }

    #[inline(always)]
    fn packed(bucket: &[Line], way: usize) -> u64 {
        Self::word(bucket, way, K::PARTS).load(Ordering::Relaxed)
    }

    /// The entry at one of the ways of a bucket.
    #[inline(always)]
    fn entry(bucket: &[Line], way: usize) -> Entry<K> {
        let part = |word| Self::word(bucket, way, word).load(Ordering::Relaxed);
        Entry {
            key: K::from_parts((0..K::PARTS).map(part)),
            packed: Self::packed(bucket, way),
        }
    }

    #[inline(always)]
    fn set_packed(bucket: &[Line], way: usize, packed: u64) {
        Self::word(bucket, way, K::PARTS).store(packed, Ordering::Relaxed);
    }

    /// The way at which a bucket has a position and question, and the rest of the entry.
    #[inline(always)]
    fn find_in(bucket: &[Line], key: K, question: Question) -> Option<(usize, u64)> {
        (0..Self::WAYS).find_map(|way| {
            let entry = Self::entry(bucket, way);
            (entry.key == key && is_of(entry.packed, question)).then_some((way, entry.packed))
        })
    }

    /// What is known of a position. Where another thread is writing there, that can be nothing.
    #[inline(always)]
    pub fn get(&self, key: K, question: Question) -> Option<ProofNumbers> {
        self.find(key, question).map(unpack)
    }

    /// What is known of a position, and the bits of the number of nodes that it took.
    pub fn get_with_work(&self, key: K, question: Question) -> Option<(ProofNumbers, u32)> {
        let packed = self.find(key, question)?;
        Some((unpack(packed), work_of(packed)))
    }

    #[inline(always)]
    fn find(&self, key: K, question: Question) -> Option<u64> {
        let place = self.place_of(key);
        let find = || Self::find_in(self.bucket(place), key, question).map(|(_, packed)| packed);
        match &self.stripes {
            None => find(),
            Some(stripes) => stripes.read(place, find).flatten(),
        }
    }

    /// Stores what is known of a position, and the nodes that it took this time. What is solved stays
    /// solved.
    #[inline]
    pub fn put(&self, key: K, question: Question, numbers: ProofNumbers, nodes: u64) {
        let work = 64 - nodes.leading_zeros();
        let place = self.place_of(key);
        let write = || {
            let bucket = self.bucket(place);
            match Self::find_in(bucket, key, question) {
                Some((_, before)) if unpack(before).is_solved() && !numbers.is_solved() => {}
                Some((way, before)) => {
                    let packed = pack(numbers, question, work.max(work_of(before)));
                    Self::set_packed(bucket, way, packed);
                }
                None => {
                    let packed = pack(numbers, question, work);
                    self.replace(bucket, Entry { key, packed });
                }
            }
        };
        match &self.stripes {
            None => write(),
            Some(stripes) => stripes.write(place, write),
        }
    }

    /// Puts an entry in the place of the one of a bucket with the least work behind it.
    #[inline(always)]
    fn replace(&self, bucket: &[Line], entry: Entry<K>) {
        // A vacant entry has no work behind it.
        let work = |&way: &usize| work_of(Self::packed(bucket, way));
        let way = (0..Self::WAYS).min_by_key(work).unwrap_or(0);
        if Self::packed(bucket, way) == 0 {
            let used = self.used.fetch_add(1, Ordering::Relaxed) + 1;
            if used * 100 > (self.buckets * Self::WAYS) as u64 * GROW_AT {
                let is_crowded = self.buckets * GROWTH <= self.most_buckets;
                self.is_crowded.store(is_crowded, Ordering::Relaxed);
            }
        }
        Self::set_entry(bucket, way, entry);
    }

    #[inline(always)]
    fn set_entry(bucket: &[Line], way: usize, entry: Entry<K>) {
        for (word, part) in entry.key.parts().enumerate() {
            Self::word(bucket, way, word).store(part, Ordering::Relaxed);
        }
        Self::set_packed(bucket, way, entry.packed);
    }

    /// The entries in use.
    pub fn entries(&self) -> impl Iterator<Item = Entry<K>> {
        let buckets = self.lines.chunks_exact(Self::LINES);
        let entries =
            buckets.flat_map(|bucket| (0..Self::WAYS).map(move |way| Self::entry(bucket, way)));
        entries.filter(|entry| entry.packed != 0)
    }

    /// Puts an entry in the place of the one with the least work behind it; none may be there of the
    /// same position and question. The table grows if it has to.
    pub fn insert(&mut self, entry: Entry<K>) {
        let place = self.place_of(entry.key);
        self.replace(self.bucket(place), entry);
        self.grow_if_crowded();
    }

    /// Whether the table is so full that it should grow, and it may.
    #[inline(always)]
    pub fn is_crowded(&self) -> bool {
        self.is_crowded.load(Ordering::Relaxed)
    }

    /// Makes the table larger in its place if it is crowded. A bucket's entries go to the few buckets that
    /// its share of the hashes is divided into, which lie behind it; so the last bucket goes first.
    pub fn grow_if_crowded(&mut self) {
        if !std::mem::take(self.is_crowded.get_mut()) {
            return;
        }
        let before = self.buckets;
        self.buckets *= GROWTH;
        let more = self.buckets * Self::LINES - self.lines.len();
        self.lines.reserve_exact(more);
        self.lines
            .resize_with(self.buckets * Self::LINES, Line::default);
        for from in (0..before).rev() {
            let moved: Vec<Entry<K>> = (0..Self::WAYS)
                .map(|way| {
                    let bucket = self.bucket(from);
                    let entry = Self::entry(bucket, way);
                    Self::set_packed(bucket, way, 0);
                    entry
                })
                .filter(|entry| entry.packed != 0)
                .collect();
            for entry in moved {
                let bucket = self.bucket(self.place_of(entry.key));
                let vacant = (0..Self::WAYS).find(|&way| Self::packed(bucket, way) == 0);
                if let Some(way) = vacant {
                    Self::set_entry(bucket, way, entry);
                }
            }
        }
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

    fn question(attacker: Side) -> Question {
        Question::new(attacker, Side::White, 0)
    }

    #[test]
    fn numbers_are_packed_and_unpacked() {
        let asked = Question::new(Side::Black, Side::White, 1);
        for numbers in [
            ProofNumbers::PROVEN,
            ProofNumbers::disproven(true),
            numbers(12),
        ] {
            for work in [0, 5, 64] {
                assert_eq!(unpack(pack(numbers, asked, work)), numbers);
            }
        }
    }

    #[test]
    fn a_table_that_grows_forgets_nothing() {
        let mut table: Table<u64> = Table::new(1 << 24);
        let first = table.bytes();
        for key in 0..100_000 {
            table.put(key, question(Side::White), numbers(key as u32 + 1), 1);
            table.grow_if_crowded();
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
        let table: Table<u64> = Table::new(1 << 12);
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
    fn what_is_solved_stays_solved() {
        let table: Table<u64> = Table::new(1 << 12);
        table.put(1, question(Side::White), ProofNumbers::PROVEN, 1);
        table.put(1, question(Side::White), numbers(5), 1);
        assert_eq!(
            table.get(1, question(Side::White)),
            Some(ProofNumbers::PROVEN)
        );
    }

    /// Two threads write numbers that follow from the key, on so few buckets that they are always at the
    /// same ones: what is found is never of another key.
    #[test]
    fn threads_find_what_belongs_to_the_key() {
        let mut table: Table<[u128; 2]> = Table::new(1 << 12);
        table.share(true);
        let key = |number: u32| [u128::from(number), u128::from(number) << 99];
        let found = |seed: u32| {
            let mut found = 0;
            for step in 0..100_000 {
                let number = (step / 2 * 7 + seed * 13) % 100 + 1;
                if step % 2 == seed % 2 {
                    let nodes = u64::from(step) % 64;
                    table.put(key(number), question(Side::White), numbers(number), nodes);
                } else if let Some(known) = table.get(key(number), question(Side::White)) {
                    assert_eq!(known, numbers(number));
                    found += 1;
                }
            }
            found
        };
        let [first, second] = std::thread::scope(|scope| {
            let other = scope.spawn(|| found(1));
            [found(0), other.join().expect("no panic")]
        });
        assert!(first > 1_000 && second > 1_000, "{first} {second}");
    }

    #[test]
    fn questions_do_not_mix() {
        let table: Table<u64> = Table::new(1 << 12);
        table.put(1, question(Side::White), ProofNumbers::PROVEN, 1);
        assert_eq!(table.get(1, question(Side::Black)), None);
        let swapped = Question::new(Side::White, Side::Black, 0);
        assert_eq!(table.get(1, swapped), None);
        assert_eq!(
            table.get(1, question(Side::White)),
            Some(ProofNumbers::PROVEN)
        );
    }
}
