//! Words that belong together, read and written by several threads.
//!
//! A sequence lock (Boehm, "Can seqlocks get along with programming language memory models?", 2012): who
//! writes makes a version odd, and even again behind it; who reads sees the same even version before and
//! after, or has read nothing. Readers write nothing, so that they do not wait for each other, nor does a
//! processor wait before it begins the next reading.

use crate::sync::{AtomicU64, Ordering, fence};

/// Versions of many places, each shared by some of them.
#[derive(Debug)]
pub struct SeqLocks(Box<[AtomicU64]>);

impl SeqLocks {
    /// So many versions, or up to twice as many.
    pub fn new(versions: usize) -> SeqLocks {
        let versions = 0..versions.next_power_of_two();
        SeqLocks(versions.map(|_| AtomicU64::new(0)).collect())
    }

    #[inline(always)]
    fn version(&self, place: usize) -> &AtomicU64 {
        &self.0[place & (self.0.len() - 1)]
    }

    /// What is read at a place, with relaxed atomic loads; `None` if somebody is writing at this place or one
    /// that shares its version.
    #[inline(always)]
    pub fn read<T>(&self, place: usize, read: impl FnOnce() -> T) -> Option<T> {
        let version = self.version(place);
        let before = version.load(Ordering::Acquire);
        if before & 1 == 1 {
            return None;
        }
        let value = read();
        fence(Ordering::Acquire);
        (version.load(Ordering::Relaxed) == before).then_some(value)
    }

    /// Writes at a place, with relaxed atomic stores, as soon as nobody else does. What is read there
    /// meanwhile is what was written before.
    #[inline]
    pub fn write<T>(&self, place: usize, write: impl FnOnce() -> T) -> T {
        let version = self.version(place);
        let before = loop {
            let before = version.load(Ordering::Relaxed);
            let odd = before | 1;
            let (success, failure) = (Ordering::Acquire, Ordering::Relaxed);
            let is_free = before != odd;
            if is_free
                && version
                    .compare_exchange(before, odd, success, failure)
                    .is_ok()
            {
                break before;
            }
            wait();
        };
        fence(Ordering::Release);
        let value = write();
        version.store(before + 2, Ordering::Release);
        value
    }
}

#[cfg(not(all(test, feature = "loom")))]
fn wait() {
    std::hint::spin_loop();
}

#[cfg(all(test, feature = "loom"))]
fn wait() {
    loom::thread::yield_now();
}

/// Every order of events that the memory model allows: `make loom`.
#[cfg(all(test, feature = "loom"))]
mod publication {
    use super::{AtomicU64, Ordering, SeqLocks};
    use loom::sync::Arc;
    use loom::thread;

    struct Pair {
        locks: SeqLocks,
        words: [AtomicU64; 2],
    }

    impl Pair {
        fn write(&self, value: u64) {
            self.locks.write(0, || {
                // Each is read first: a writer sees what the one before it wrote, and the whole of it.
                let [first, second] = [0, 1].map(|word: usize| {
                    let word = &self.words[word];
                    let before = word.load(Ordering::Relaxed);
                    word.store(value, Ordering::Relaxed);
                    before
                });
                assert_eq!(first, second);
            });
        }

        fn read(&self) -> Option<[u64; 2]> {
            let [first, second] = &self.words;
            self.locks.read(0, || {
                [
                    first.load(Ordering::Relaxed),
                    second.load(Ordering::Relaxed),
                ]
            })
        }
    }

    fn pair() -> Arc<Pair> {
        Arc::new(Pair {
            locks: SeqLocks::new(1),
            words: [AtomicU64::new(0), AtomicU64::new(0)],
        })
    }

    #[test]
    fn words_that_are_read_belong_together() {
        loom::model(|| {
            let pair = pair();
            // A thread of its own: where the one that starts the others reads, `loom` tries no order in which
            // they write meanwhile.
            let reader = {
                let pair = pair.clone();
                thread::spawn(move || {
                    if let Some([first, second]) = pair.read() {
                        assert_eq!(first, second);
                    }
                })
            };
            pair.write(1);
            reader.join().expect("no panic");
            assert_eq!(pair.read(), Some([1, 1]));
        });
    }

    #[test]
    fn words_that_are_written_belong_together() {
        loom::model(|| {
            let pair = pair();
            let other = {
                let pair = pair.clone();
                thread::spawn(move || pair.write(1))
            };
            pair.write(2);
            other.join().expect("no panic");
            let last = pair.read().expect("nobody writes");
            assert!(last == [1, 1] || last == [2, 2]);
        });
    }
}

#[cfg(all(test, not(feature = "loom")))]
mod tests {
    use super::*;
    use std::sync::atomic::AtomicBool;

    #[test]
    fn words_that_are_read_belong_together() {
        let locks = SeqLocks::new(2);
        let words = [const { AtomicU64::new(0) }; 3];
        let done = AtomicBool::new(false);
        std::thread::scope(|scope| {
            scope.spawn(|| {
                let mut value = 0;
                while !done.load(Ordering::Relaxed) {
                    locks.write(5, || {
                        for word in &words {
                            word.store(value, Ordering::Relaxed);
                        }
                    });
                    value += 1;
                }
            });
            // The writer goes on until so much was read, whatever else the machine has to do.
            let mut seen = 0;
            while seen < 20_000 {
                let read = locks.read(5, || {
                    words.each_ref().map(|word| word.load(Ordering::Relaxed))
                });
                if let Some([first, second, third]) = read {
                    assert!(first == second && second == third);
                    seen += 1;
                }
            }
            done.store(true, Ordering::Relaxed);
        });
    }
}
