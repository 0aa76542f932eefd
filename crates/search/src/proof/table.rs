//! The transposition table of the solvers: what is known of positions, found by their full keys.
//!
//! An entry is used only if the whole position is the one asked for: a claim never rests on the luck
//! of a hash. A few entries share a bucket; where it is full, that with the least work behind it goes.

use super::entry::{Entry, Key, Tag, Value, following, has_tag, without_turn, work_of};
use super::fingerprints::{Fingerprints, Ways};
use super::growth::{Growth, factor};
use super::{SolveProgress, slot};
use crate::sync::{AtomicU64, CachePadded};
use crate::{large_pages, prefetch};
use std::marker::PhantomData;
use std::sync::atomic::{AtomicBool, Ordering};

/// Words of one line of the cache.
const LINE: usize = 8;

#[derive(Debug, Default)]
#[repr(align(64))]
struct Line([AtomicU64; LINE]);

/// The table. Threads may share it: words of an entry are read and written together.
#[derive(Debug)]
pub struct Table<K, V> {
    /// One bucket after the other.
    lines: Vec<Line>,
    /// Of all buckets, where a bucket has several lines.
    fingerprints: Fingerprints,
    buckets: usize,
    most_buckets: usize,
    growth: Growth,
    used: CachePadded<AtomicU64>,
    is_crowded: AtomicBool,
    is_shared: bool,
    kind: PhantomData<(K, V)>,
}

/// Where in a table a position is, until the table grows.
#[derive(Clone, Copy, Debug, Default)]
pub struct Bucket {
    place: usize,
    fingerprint: u32,
}

/// The lines, and so many vacant ones behind them that there are as many as asked for. They grow in their place, since the
/// limit has no room for two tables.
fn with_vacant(mut lines: Vec<Line>, all: usize) -> Vec<Line> {
    lines.reserve_exact(all - lines.len());
    large_pages::ask_for(lines.spare_capacity_mut());
    lines.resize_with(all, Line::default);
    lines
}

/// The share of entries in use, in per cent, up to which hardly a bucket overflows: with four entries in a
/// bucket and hashes at random, 0.8 % of the entries find no place at 30 % and 6 % at 60 %.
const ROOMY: u64 = 30;

/// Threads that share a table count one new entry in so many, by its hash, for all of them: at each, they would take the
/// line of the cache with the number from each other.
const COUNTED: u64 = 16;

impl<K: Key, V: Value> Table<K, V> {
    /// The words of an entry: the parts of its key, and the value with the rest.
    pub(super) const WORDS: usize = Self::LAST + 1;
    /// The word of an entry that says whether there is one.
    const LAST: usize = K::PARTS + V::IS_LONG as usize;
    /// The lines of a bucket: enough for four entries.
    const LINES: usize = (4 * Self::WORDS).div_ceil(LINE);
    /// Whether there are fingerprints: they are a small part of the table only where a bucket has several lines.
    const HAS_FINGERPRINTS: bool = Self::LINES > 1;
    const BUCKET_BYTES: usize =
        Self::LINES * size_of::<Line>() + Self::HAS_FINGERPRINTS as usize * Fingerprints::BYTES;
    /// The entries of a bucket.
    const WAYS: usize = Self::LINES * LINE / Self::WORDS;

    /// A table that can grow as it fills and never takes more than so many bytes, but a kilobyte at
    /// least.
    pub fn new(bytes: usize, growth: Growth) -> Table<K, V> {
        Table::with_room(bytes, growth, 0)
    }

    /// The same with room for so many entries from the beginning, whatever their hashes, if the bytes allow
    /// it.
    pub(super) fn with_room(bytes: usize, growth: Growth, entries: u64) -> Table<K, V> {
        let most_buckets = growth.most((bytes / Self::BUCKET_BYTES).max(16));
        let mut first = growth.first(most_buckets);
        while Self::loses_some(first, entries) && factor(first, most_buckets) > 1 {
            first *= factor(first, most_buckets);
        }
        Table {
            lines: with_vacant(Vec::new(), first * Self::LINES),
            fingerprints: Self::vacant_fingerprints(first),
            buckets: first,
            most_buckets,
            growth,
            used: CachePadded::default(),
            is_crowded: AtomicBool::new(false),
            is_shared: false,
            kind: PhantomData,
        }
    }

    fn vacant_fingerprints(buckets: usize) -> Fingerprints {
        let buckets = if Self::HAS_FINGERPRINTS { buckets } else { 0 };
        Fingerprints::vacant(buckets)
    }

    /// Whether so many entries with random hashes would leave more than one in a hundred without a place in
    /// its bucket.
    fn loses_some(buckets: usize, entries: u64) -> bool {
        entries.saturating_mul(100) > (buckets * Self::WAYS) as u64 * ROOMY
    }

    /// The bytes of a table that has room for so many entries, whatever their hashes.
    pub(super) fn bytes_for(entries: u64, growth: Growth) -> u64 {
        let buckets = entries.saturating_mul(100) / ROOMY / Self::WAYS as u64 + 1;
        growth.limit_for(buckets) * Self::BUCKET_BYTES as u64
    }

    /// Whether threads are to share the table from now on.
    pub fn share(&mut self, is_shared: bool) {
        self.is_shared = is_shared;
    }

    /// The number of entries in use, or about so many if threads share the table.
    pub fn used(&self) -> u64 {
        self.used.0.load(Ordering::Relaxed)
    }

    /// The number of entries in use, of which each is looked at.
    pub(super) fn counted(&self) -> u64 {
        let ways = |bucket| (0..Self::WAYS).filter(move |&way| Self::last(bucket, way) != 0);
        let buckets = self.lines.chunks_exact(Self::LINES);
        buckets.map(|bucket| ways(bucket).count() as u64).sum()
    }

    /// The bytes that the table takes.
    pub fn bytes(&self) -> usize {
        self.buckets * Self::BUCKET_BYTES
    }

    /// What can be told of it while a solver works.
    pub fn progress(&self) -> SolveProgress {
        SolveProgress {
            entries: self.used(),
            bytes: self.bytes(),
            ..SolveProgress::default()
        }
    }

    #[inline(always)]
    fn place_of(&self, key: K, tag: Tag) -> Bucket {
        Bucket {
            place: key.bucket(tag, self.buckets),
            fingerprint: Ways(Self::WAYS).fingerprint(key.hash(tag)),
        }
    }

    #[inline(always)]
    fn bucket(&self, place: usize) -> &[Line] {
        Self::bucket_of(&self.lines, place)
    }

    #[inline(always)]
    fn bucket_of(lines: &[Line], place: usize) -> &[Line] {
        &lines[place * Self::LINES..(place + 1) * Self::LINES]
    }

    /// Whether a position may be in its bucket.
    #[inline(always)]
    fn may_have(fingerprints: &Fingerprints, bucket: Bucket) -> bool {
        !Self::HAS_FINGERPRINTS
            || fingerprints.may_have(Ways(Self::WAYS), bucket.place, bucket.fingerprint)
    }

    #[inline(always)]
    fn word(bucket: &[Line], way: usize, word: usize) -> &AtomicU64 {
        let word = way * Self::WORDS + word;
        &bucket[word / LINE].0[word % LINE]
    }

    #[inline(always)]
    fn last(bucket: &[Line], way: usize) -> u64 {
        Self::word(bucket, way, Self::LAST).load(Ordering::Relaxed)
    }

    /// The entry at one of the ways of a bucket, unless another thread is writing it.
    #[inline(always)]
    fn entry(bucket: &[Line], way: usize) -> Option<Entry<K>> {
        let part = |word| Self::word(bucket, way, word).load(Ordering::Relaxed);
        let words = || {
            let more = if V::IS_LONG { part(K::PARTS) } else { 0 };
            (K::from_parts(part), more)
        };
        let ((key, more), last) = slot::read(Self::word(bucket, way, Self::LAST), words)?;
        Some(Entry { key, more, last })
    }

    /// The way at which a bucket has a position, and the entry.
    #[inline(always)]
    fn find_in(bucket: &[Line], key: K, tag: Tag) -> Option<(usize, Entry<K>)> {
        for way in 0..Self::WAYS {
            let part = |place| Self::word(bucket, way, place).load(Ordering::Relaxed);
            let is_same = (0..K::PARTS).all(|place| part(place) == key.part(place));
            if is_same && has_tag(Self::last(bucket, way), tag) {
                let entry = Self::entry(bucket, way);
                // Another thread may have written meanwhile.
                let entry = entry.filter(|entry| entry.key == key && has_tag(entry.last, tag));
                return entry.map(|entry| (way, entry));
            }
        }
        None
    }

    /// What is known of a position. Where another thread is writing there, that can be nothing.
    #[inline(always)]
    pub fn get(&self, key: K, tag: Tag) -> Option<V> {
        self.find(key, tag).map(|entry| entry.value())
    }

    /// The same of a position that was [approached](Table::approach).
    #[inline(always)]
    pub fn get_in(&self, bucket: Bucket, key: K, tag: Tag) -> Option<V> {
        self.find_at(bucket, key, tag).map(|entry| entry.value())
    }

    /// The first of several [approached](Table::approach) positions of which something is known, and what. Of most nothing
    /// is: the loop has a function, and so the registers, for itself.
    #[inline(never)]
    pub fn first_of(&self, sought: &[(K, Bucket)], tag: Tag) -> Option<(usize, V)> {
        // Not in the loop, where it would be loaded again after each atomic load.
        let (lines, fingerprints) = (&*self.lines, &self.fingerprints);
        let mut each = sought.iter().enumerate();
        each.find_map(|(place, &(key, bucket))| {
            if !Self::may_have(fingerprints, bucket) {
                return None;
            }
            let lines = Self::bucket_of(lines, bucket.place);
            let (_, entry) = Self::find_in(lines, key, tag)?;
            Some((place, entry.value()))
        })
    }

    /// What is known of a position, and the bits of the number of nodes that it took.
    pub fn get_with_work(&self, key: K, tag: Tag) -> Option<(V, u32)> {
        let entry = self.find(key, tag)?;
        Some((entry.value(), work_of(entry.last)))
    }

    #[inline(always)]
    fn find(&self, key: K, tag: Tag) -> Option<Entry<K>> {
        self.find_at(self.place_of(key, tag), key, tag)
    }

    #[inline(always)]
    fn find_at(&self, bucket: Bucket, key: K, tag: Tag) -> Option<Entry<K>> {
        if !Self::may_have(&self.fingerprints, bucket) {
            return None;
        }
        let found = Self::find_in(self.bucket(bucket.place), key, tag);
        found.map(|(_, entry)| entry)
    }

    /// Asks the memory, which is slow, for what is needed first to look a position up, and says where that is.
    #[inline(always)]
    pub fn approach(&self, key: K, tag: Tag) -> Bucket {
        let bucket = self.place_of(key, tag);
        if Self::HAS_FINGERPRINTS {
            self.fingerprints.approach(bucket.place);
        } else {
            self.approach_bucket(bucket.place);
        }
        bucket
    }

    /// Asks the memory for the place of a position that is stored soon.
    #[inline(always)]
    pub fn approach_to_put(&self, key: K, tag: Tag) {
        self.approach_bucket(key.bucket(tag, self.buckets));
    }

    #[inline(always)]
    fn approach_bucket(&self, bucket: usize) {
        let first = bucket * Self::LINES;
        for index in first..first + Self::LINES {
            // The bounds are looked at when the place is.
            prefetch::line(self.lines.as_ptr().wrapping_add(index), || {
                let line = self.lines.get(index);
                line.map(|line| line.0[0].load(Ordering::Relaxed))
            });
        }
    }

    /// Stores what is known of a position, and the nodes that it took this time, joined with what was known before.
    /// Who has the table for itself [lets it grow](Table::grow_if_crowded) afterwards.
    #[inline]
    pub fn put(&self, key: K, tag: Tag, value: V, nodes: u64) {
        let work = 64 - nodes.max(1).leading_zeros();
        let bucket = self.place_of(key, tag);
        loop {
            let is_written = match Self::find_in(self.bucket(bucket.place), key, tag) {
                Some((way, before)) => {
                    let value = value.joined(before.value());
                    let most = work.max(work_of(before.last));
                    let work = if V::KEEPS_MOST_WORK { most } else { work };
                    self.write(bucket, way, before.last, &Entry::new(key, tag, value, work))
                }
                None => self.replace(bucket, &Entry::new(key, tag, value, work)),
            };
            if is_written {
                return;
            }
            slot::wait();
        }
    }

    /// Puts an entry in the place of the one of a bucket with the least work behind it, unless another thread is there.
    #[inline(always)]
    fn replace(&self, bucket: Bucket, entry: &Entry<K>) -> bool {
        let lines = self.bucket(bucket.place);
        // A vacant entry has no work behind it.
        let work = |&way: &usize| work_of(Self::last(lines, way));
        let way = (0..Self::WAYS).min_by_key(work).unwrap_or(0);
        let before = Self::last(lines, way);
        let is_written = self.write(bucket, way, before, entry);
        if is_written && before == 0 {
            self.count_new(entry);
        }
        is_written
    }

    /// Counts an entry that has taken a vacant place.
    #[inline(always)]
    fn count_new(&self, entry: &Entry<K>) {
        let mut counted = 1;
        if self.is_shared {
            if !entry.key.hash(entry.tag()).is_multiple_of(COUNTED) {
                return;
            }
            counted = COUNTED;
        }
        let used = self.used.0.fetch_add(counted, Ordering::Relaxed) + counted;
        if used * 100 >= (self.buckets * Self::WAYS) as u64 * self.growth.grow_at {
            let is_crowded = factor(self.buckets, self.most_buckets) > 1;
            self.is_crowded.store(is_crowded, Ordering::Relaxed);
        }
    }

    /// Puts an entry in the place of another, of which this last word was seen, unless another thread is there.
    #[inline(always)]
    fn write(&self, bucket: Bucket, way: usize, before: u64, entry: &Entry<K>) -> bool {
        let lines = self.bucket(bucket.place);
        let last = Self::word(lines, way, Self::LAST);
        if self.is_shared && !slot::begin(last, before) {
            return false;
        }
        if Self::HAS_FINGERPRINTS {
            let at = (bucket.place, way);
            let ways = Ways(Self::WAYS);
            self.fingerprints
                .set(ways, at, bucket.fingerprint, self.is_shared);
        }
        let set = |word, part| Self::word(lines, way, word).store(part, Ordering::Relaxed);
        for place in 0..K::PARTS {
            set(place, entry.key.part(place));
        }
        if V::IS_LONG {
            set(K::PARTS, entry.more);
        }
        slot::finish(last, following(entry.last, before));
        true
    }

    /// The entries in use, each as [`Table::WORDS`] numbers.
    pub(super) fn words(&self) -> impl Iterator<Item = u64> {
        let buckets = self.lines.chunks_exact(Self::LINES);
        let ways = buckets.flat_map(|bucket| (0..Self::WAYS).map(move |way| (bucket, way)));
        let used = ways.filter(|&(bucket, way)| Self::last(bucket, way) != 0);
        let word = |bucket, way, word| Self::word(bucket, way, word).load(Ordering::Relaxed);
        used.flat_map(move |(bucket, way)| {
            let others = (0..Self::LAST).map(move |at| word(bucket, way, at));
            others.chain([without_turn(Self::last(bucket, way))])
        })
    }

    /// Appends the same of the entry of a position, if there is one.
    pub(super) fn append_words(&self, key: K, tag: Tag, words: &mut Vec<u64>) {
        if let Some(entry) = self.find(key, tag) {
            words.extend((0..K::PARTS).map(|place| key.part(place)));
            words.extend(V::IS_LONG.then_some(entry.more));
            words.push(without_turn(entry.last));
        }
    }

    /// The entry of [`Table::WORDS`] numbers.
    fn entry_of(words: &[u64]) -> Entry<K> {
        let word = |place: usize| words.get(place).copied().unwrap_or_default();
        Entry {
            key: K::from_parts(word),
            more: if V::IS_LONG { word(K::PARTS) } else { 0 },
            last: word(Self::LAST),
        }
    }

    /// Stores the entry of [`Table::WORDS`] numbers, joined with what is known.
    pub(super) fn put_words(&self, words: &[u64]) {
        let entry = Self::entry_of(words);
        if let Some(bits) = work_of(entry.last).checked_sub(1) {
            self.put(entry.key, entry.tag(), entry.value(), 1 << bits);
        }
    }

    /// Takes an entry of [`Table::WORDS`] numbers, and grows if it has to; none may be there of the same position.
    pub(super) fn insert(&mut self, words: &[u64]) {
        let entry = Self::entry_of(words);
        if work_of(entry.last) != 0 {
            self.replace(self.place_of(entry.key, entry.tag()), &entry);
            self.grow_if_crowded();
        }
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
        let mut dropped = 0;
        self.buckets *= factor(before, self.most_buckets);
        self.lines = with_vacant(std::mem::take(&mut self.lines), self.buckets * Self::LINES);
        // The limit has no room for two.
        drop(std::mem::take(&mut self.fingerprints));
        self.fingerprints = Self::vacant_fingerprints(self.buckets);
        let mut moved = Vec::with_capacity(Self::WAYS);
        for from in (0..before).rev() {
            let bucket = self.bucket(from);
            moved.extend((0..Self::WAYS).filter_map(|way| {
                let entry = Self::entry(bucket, way);
                Self::word(bucket, way, Self::LAST).store(0, Ordering::Relaxed);
                entry.filter(|entry| entry.last != 0)
            }));
            for entry in moved.drain(..) {
                let bucket = self.place_of(entry.key, entry.tag());
                let lines = self.bucket(bucket.place);
                let vacant = (0..Self::WAYS).find(|&way| Self::last(lines, way) == 0);
                match vacant {
                    Some(way) => _ = self.write(bucket, way, 0, &entry),
                    None => dropped += 1,
                }
            }
        }
        self.used.0 = AtomicU64::new(self.used().saturating_sub(dropped));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::proof::ProofNumbers;
    use game::random;

    fn numbers(proof: u32) -> ProofNumbers {
        ProofNumbers {
            proof,
            disproof: 7,
            lost: false,
        }
    }

    const TAG: Tag = Tag::new(1);

    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    struct Two(u64, u64);

    impl Key for Two {
        const PARTS: usize = 2;

        fn hash(self, _: Tag) -> u64 {
            random::mix(self.0 ^ self.1)
        }

        fn part(self, place: usize) -> u64 {
            [self.0, self.1][place]
        }

        fn from_parts(part: impl Fn(usize) -> u64) -> Two {
            Two(part(0), part(1))
        }
    }

    #[test]
    fn a_table_that_grows_forgets_nothing() {
        let mut table: Table<u64, ProofNumbers> = Table::new(1 << 24, Growth::default());
        let first = table.bytes();
        for key in 0..100_000 {
            table.put(key, TAG, numbers(key as u32 + 1), 1);
            table.grow_if_crowded();
        }
        assert!(table.bytes() > first && table.bytes() <= 1 << 24);
        let kept = |&key: &u64| {
            let known = table.get(key, TAG);
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
        let table: Table<u64, ProofNumbers> = Table::new(1 << 12, Growth::default());
        for key in 0..10 {
            table.put(key, TAG, numbers(1), 1 << 40);
        }
        for key in 10..10_000 {
            table.put(key, TAG, numbers(2), 1);
        }
        assert!(table.bytes() <= 1 << 12);
        let kept = (0..10).filter(|&key| table.get(key, TAG).is_some());
        assert_eq!(kept.count(), 10);
    }

    #[test]
    fn what_is_solved_stays_solved() {
        let table: Table<u64, ProofNumbers> = Table::new(1 << 12, Growth::default());
        table.put(1, TAG, ProofNumbers::PROVEN, 1);
        table.put(1, TAG, numbers(5), 1);
        assert_eq!(table.get(1, TAG), Some(ProofNumbers::PROVEN));
    }

    /// Two threads write numbers that follow from the key, on so few buckets that they are always at the
    /// same ones: what is found is never of another key.
    #[test]
    fn threads_find_what_belongs_to_the_key() {
        let mut table: Table<Two, ProofNumbers> = Table::new(1 << 12, Growth::default());
        table.share(true);
        let key = |number: u32| Two(u64::from(number), u64::from(number) << 49);
        let steps = if cfg!(miri) { 2_000 } else { 100_000 };
        let found = |seed: u32| {
            let mut found = 0;
            for step in 0..steps {
                let number = (step / 2 * 7 + seed * 13) % 100 + 1;
                if step % 2 == seed % 2 {
                    let nodes = u64::from(step) % 64;
                    table.put(key(number), TAG, numbers(number), nodes);
                } else if let Some(known) = table.get(key(number), TAG) {
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
        let least = steps / 100;
        assert!(first > least && second > least, "{first} {second}");
    }

    #[test]
    fn tags_do_not_mix() {
        let table: Table<u64, ProofNumbers> = Table::new(1 << 12, Growth::default());
        table.put(1, TAG, ProofNumbers::PROVEN, 1);
        assert_eq!(table.get(1, Tag::NONE), None);
        assert_eq!(table.get(1, Tag::new(3)), None);
        assert_eq!(table.get(1, TAG), Some(ProofNumbers::PROVEN));
    }
}
