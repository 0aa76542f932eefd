//! When a transposition table grows, and to how many buckets.

/// By how much a table grows at most.
const GROWTH: usize = 4;

/// When a table grows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Growth {
    /// A new table has at least so many buckets, unless the limit is less.
    pub first_buckets: usize,
    /// Whether it has no more than these, and their number is always a power of two, so that the last growth may be a
    /// smaller one. Otherwise it has up to four times as many, and each growth is by four.
    pub by_powers_of_two: bool,
    /// The share of entries in use, in per cent, from which a table is to grow if it may.
    pub grow_at: u64,
}

impl Default for Growth {
    /// A new table fits the second-level cache.
    fn default() -> Growth {
        Growth {
            first_buckets: 1 << 10,
            by_powers_of_two: false,
            grow_at: 60,
        }
    }
}

impl Growth {
    /// The most buckets within a limit.
    pub(super) fn most(self, limit: usize) -> usize {
        if self.by_powers_of_two {
            1 << limit.ilog2()
        } else {
            limit
        }
    }

    /// The limit that a table needs to come to so many buckets.
    pub(super) fn limit_for(self, buckets: u64) -> u64 {
        if self.by_powers_of_two {
            buckets.next_power_of_two()
        } else {
            // The sizes to which a table grows are less than its limit by one bucket in so many at most.
            buckets + buckets / self.first_buckets as u64
        }
    }

    /// The buckets of a new table.
    pub(super) fn first(self, most_buckets: usize) -> usize {
        if self.by_powers_of_two {
            return most_buckets.min(self.first_buckets);
        }
        let mut first = most_buckets;
        while first >= self.first_buckets * GROWTH {
            first /= GROWTH;
        }
        first
    }
}

/// By how much a table may grow that has so many buckets: by 1 if not at all.
pub(super) fn factor(buckets: usize, most_buckets: usize) -> usize {
    (most_buckets / buckets).clamp(1, GROWTH)
}
