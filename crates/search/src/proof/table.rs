//! The transposition table of the solvers: what is known of positions, found by their full keys.
//!
//! An entry is used only if the whole position is the one asked for. Four entries share a bucket; where
//! it is full, that with the least work behind it goes.

use super::State;

const WAYS: usize = 4;

/// An entry.
#[derive(Clone, Copy, Debug)]
struct Entry<K, V> {
    key: K,
    value: V,
    /// The logarithm of the work that it took, from 1; 0 where there is no entry.
    work: u8,
}

/// What is known of positions, a value for each.
#[derive(Debug)]
pub(super) struct Table<S: State, V> {
    entries: Vec<Option<Entry<S::Key, V>>>,
    buckets: usize,
    most_buckets: usize,
    used: u64,
}

/// A new table has at most so many buckets.
const FIRST_BUCKETS: usize = 1 << 10;

impl<S: State, V: Copy> Table<S, V> {
    /// A table that doubles as it fills and never takes more than so many bytes, but four entries at
    /// least.
    pub fn new(bytes: usize) -> Table<S, V> {
        let bucket = WAYS * size_of::<Option<Entry<S::Key, V>>>();
        let most_buckets = (bytes / bucket).max(1);
        let mut buckets = most_buckets;
        while buckets > FIRST_BUCKETS {
            buckets /= 2;
        }
        Table {
            entries: vec![None; buckets * WAYS],
            buckets,
            most_buckets,
            used: 0,
        }
    }

    /// Entries in use.
    pub fn used(&self) -> u64 {
        self.used
    }

    /// Bytes taken.
    pub fn bytes(&self) -> usize {
        self.entries.capacity() * size_of::<Option<Entry<S::Key, V>>>()
    }

    /// Forgets everything.
    pub fn clear(&mut self) {
        self.entries.fill(None);
        self.used = 0;
    }

    #[inline]
    fn bucket(&self, key: S::Key) -> std::ops::Range<usize> {
        let place = ((u128::from(S::hash(key)) * self.buckets as u128) >> 64) as usize;
        place * WAYS..(place + 1) * WAYS
    }

    /// What is known of a position.
    #[inline]
    pub fn get(&self, key: S::Key) -> Option<V> {
        let mut bucket = self.entries[self.bucket(key)].iter().flatten();
        bucket
            .find(|entry| entry.key == key)
            .map(|entry| entry.value)
    }

    /// Stores what is known of a position, and the nodes that it took this time.
    #[inline]
    pub fn put(&mut self, key: S::Key, value: V, nodes: u64) {
        let work = 1 + nodes.checked_ilog2().unwrap_or(0) as u8;
        let range = self.bucket(key);
        let bucket = &mut self.entries[range];
        let same = |entry: &&mut Entry<S::Key, V>| entry.key == key;
        if let Some(entry) = bucket.iter_mut().flatten().find(same) {
            entry.value = value;
            entry.work = entry.work.max(work);
            return;
        }
        let work_of = |entry: &&mut Option<Entry<S::Key, V>>| entry.map_or(0, |entry| entry.work);
        if let Some(entry) = bucket.iter_mut().min_by_key(work_of) {
            self.used += u64::from(entry.is_none());
            *entry = Some(Entry { key, value, work });
        }
        if self.used * 100 > (self.entries.len() * 60) as u64 {
            self.grow();
        }
    }

    /// Doubles the table in its place. A bucket's entries go to the two buckets that its share of the
    /// hashes is divided into, which do not lie before it; so the last bucket goes first.
    #[cold]
    fn grow(&mut self) {
        let before = self.buckets;
        if before * 2 > self.most_buckets {
            return;
        }
        self.buckets = before * 2;
        self.entries.reserve_exact(before * WAYS);
        self.entries.resize(self.buckets * WAYS, None);
        for from in (0..before).rev() {
            for way in 0..WAYS {
                let Some(entry) = self.entries[from * WAYS + way].take() else {
                    continue;
                };
                let range = self.bucket(entry.key);
                if let Some(vacant) = self.entries[range].iter_mut().find(|to| to.is_none()) {
                    *vacant = Some(entry);
                } else {
                    self.used -= 1;
                }
            }
        }
    }
}
