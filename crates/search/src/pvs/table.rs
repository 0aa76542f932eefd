use crate::{bucket, large_pages, prefetch};
use std::sync::Mutex;

/// The transposition table: what is known of positions that were searched before.
///
/// Entries hold whole keys, so that two positions are never taken for each other. Four entries that share
/// a place are behind one lock, which is held for some ten nanoseconds; who finds it taken goes on as if
/// there were no entry.
///
/// A table that is much larger than a search needs slows it down, for every entry that is looked for is then far
/// away in memory. So it grows with the searches, up to its limit.
pub(super) struct Table<K, M> {
    buckets: Vec<Mutex<Bucket<K, M>>>,
    most_buckets: usize,
}

type Bucket<K, M> = [Option<Entry<K, M>>; 4];

/// What is known of a position.
#[derive(Clone, Copy, Debug)]
pub(super) struct Entry<K, M> {
    pub key: K,
    /// From the point of view of the side to move; wins and losses are counted from this position on.
    pub value: i32,
    pub bound: Bound,
    /// Plies that were searched below the position.
    pub depth: i16,
    /// The search that made the entry.
    pub generation: u8,
    pub best: Option<M>,
}

/// What a value says of the true one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Bound {
    /// It is this or more.
    Lower,
    /// It is this or less.
    Upper,
    /// It is this.
    Exact,
}

/// The buckets that a table begins with, if it has memory for them.
const FEWEST_BUCKETS: usize = 1 << 12;

impl<K: Copy + Eq, M: Copy> Table<K, M> {
    /// A table that grows to at most so many bytes, but has one bucket at least.
    pub fn new(memory: usize) -> Self {
        let most_buckets = (memory / size_of::<Mutex<Bucket<K, M>>>()).max(1);
        let mut table = Table {
            buckets: Vec::new(),
            most_buckets,
        };
        table.add_empty(most_buckets.min(FEWEST_BUCKETS));
        table
    }

    /// Makes the vector that long, and its memory no longer.
    fn add_empty(&mut self, buckets: usize) {
        self.buckets.reserve_exact(buckets - self.buckets.len());
        large_pages::ask_for(self.buckets.spare_capacity_mut());
        self.buckets.resize_with(buckets, || Mutex::new([None; 4]));
    }

    /// Makes room for a search of so many nodes. What the table knows is kept.
    ///
    /// It grows in its place, so that it never takes more memory than it has afterwards. In a longer table an entry
    /// never lies before its place in the shorter one; so the last bucket goes first.
    pub fn make_room(&mut self, nodes: u64, hash: impl Fn(&K) -> u64) {
        let wanted = usize::try_from(nodes / 4).unwrap_or(usize::MAX);
        let wanted = wanted.min(self.most_buckets);
        if wanted <= self.buckets.len() {
            return;
        }
        // So that it does not grow often.
        let buckets = wanted.saturating_mul(2).min(self.most_buckets);
        let before = self.buckets.len();
        self.add_empty(buckets);
        for place in (0..before).rev() {
            let Ok(bucket) = self.buckets[place].get_mut() else {
                continue;
            };
            for entry in std::mem::take(bucket).into_iter().flatten() {
                self.put(hash(&entry.key), entry);
            }
        }
    }

    fn bucket(&self, hash: u64) -> &Mutex<Bucket<K, M>> {
        &self.buckets[bucket::of(hash, self.buckets.len())]
    }

    /// Asks the memory, which is slow, for the place of a position that is looked up soon.
    #[inline(always)]
    pub fn approach(&self, hash: u64) {
        prefetch::line(self.bucket(hash), || ());
    }

    /// The entry of a position.
    #[inline]
    pub fn get(&self, hash: u64, key: K) -> Option<Entry<K, M>> {
        let bucket = self.bucket(hash).try_lock().ok()?;
        bucket
            .iter()
            .flatten()
            .find(|entry| entry.key == key)
            .copied()
    }

    /// Keeps an entry in the place of the least valuable one: that of the same position, an empty one,
    /// or one that is shallow or of an earlier search.
    #[inline]
    pub fn put(&self, hash: u64, entry: Entry<K, M>) {
        let Ok(mut bucket) = self.bucket(hash).try_lock() else {
            return;
        };
        let worth = |old: &Option<Entry<K, M>>| match old {
            Some(old) if old.key == entry.key => i32::MIN,
            None => i32::MIN + 1,
            Some(old) => {
                let age = entry.generation.wrapping_sub(old.generation);
                i32::from(old.depth) - 8 * i32::from(age)
            }
        };
        if let Some(place) = bucket.iter_mut().min_by_key(|old| worth(old)) {
            let best = place
                .filter(|old| old.key == entry.key)
                .and_then(|old| old.best);
            *place = Some(Entry {
                best: entry.best.or(best),
                ..entry
            });
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn entry(key: u32, depth: i16, generation: u8) -> Entry<u32, char> {
        Entry {
            key,
            value: 7,
            bound: Bound::Exact,
            depth,
            generation,
            best: Some('m'),
        }
    }

    #[test]
    fn positions_with_one_hash_are_told_apart() {
        let table = Table::new(1000);
        table.put(5, entry(1, 3, 0));
        assert_eq!(table.get(5, 1).map(|entry| entry.value), Some(7));
        assert!(table.get(5, 2).is_none());
    }

    #[test]
    fn shallow_and_old_entries_go_first() {
        let table = Table::new(0);
        for (key, depth, generation) in [(1, 9, 1), (2, 2, 1), (3, 12, 0), (4, 5, 1)] {
            table.put(0, entry(key, depth, generation));
        }
        let known = |table: &Table<u32, char>| {
            (1..=6)
                .filter(|&key| table.get(0, key).is_some())
                .collect::<Vec<u32>>()
        };
        table.put(0, entry(5, 1, 1));
        assert_eq!(known(&table), [1, 3, 4, 5]);
        table.put(0, entry(6, 6, 1));
        assert_eq!(known(&table), [1, 3, 4, 6]);
        table.put(0, entry(2, 6, 3));
        assert_eq!(known(&table), [1, 2, 4, 6]);
    }

    #[test]
    fn a_table_that_grows_keeps_what_it_knows() {
        let spread = |&key: &u32| game::random::mix(u64::from(key));
        let mut table = Table::new(1 << 22);
        for key in 0..5_000 {
            table.put(spread(&key), entry(key, 3, 0));
        }
        let known = |table: &Table<u32, char>| {
            let is_known = |&key: &u32| table.get(spread(&key), key).is_some();
            (0..5_000).filter(is_known).count()
        };
        let before = known(&table);
        table.make_room(100_000, spread);
        assert_eq!(known(&table), before);
        assert!(table.buckets.len() > FEWEST_BUCKETS);
        table.make_room(u64::MAX, spread);
        assert_eq!(table.buckets.len(), table.most_buckets);
    }

    #[test]
    fn a_position_keeps_its_best_move_when_none_is_found_anew() {
        let table = Table::new(0);
        table.put(0, entry(1, 9, 1));
        table.put(
            0,
            Entry {
                best: None,
                depth: 2,
                ..entry(1, 2, 1)
            },
        );
        let now = table.get(0, 1).map(|entry| (entry.best, entry.depth));
        assert_eq!(now, Some((Some('m'), 2)));
    }
}
