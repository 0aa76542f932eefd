//! The words of a table's entry, which several threads read and write.
//!
//! The last word is a sequence lock (Boehm, "Can seqlocks get along with programming language memory models?", 2012):
//! each writing counts up a number in it, and it is [`BUSY`] meanwhile. Who reads sees the same last word before and
//! after the others, or has read nothing. Readers write nothing, so that they do not wait for each other, nor does a
//! processor wait before it begins the next reading. The lock is a part of the entry: one beside the table would be
//! memory that threads take from each other at each node, while the entry itself is seldom another's.
//!
//! The number has [five bits](super::entry). Words that do not belong together would be read if 32 writings, or 64 and so
//! on, fell between the two readings of the last word, at least one of them before the word between and at least one
//! behind it, each of which is the time of one instruction, and the last had the same value, tag and work.

use crate::sync::{AtomicU64, Ordering, fence};

/// The last word of an entry that is being written. No entry has it, since each has some work behind it.
pub const BUSY: u64 = 1;

/// What is read of the other words, with relaxed atomic loads, and the last word; `None` if somebody is writing.
#[inline(always)]
pub fn read<T>(last: &AtomicU64, read: impl FnOnce() -> T) -> Option<(T, u64)> {
    let before = last.load(Ordering::Acquire);
    let value = read();
    fence(Ordering::Acquire);
    let is_whole = before != BUSY && last.load(Ordering::Relaxed) == before;
    is_whole.then_some((value, before))
}

/// Makes an entry busy, of which this last word was seen, unless it has another one by now. Who could has to write the
/// other words, with relaxed atomic stores, and then [the last](finish).
#[inline(always)]
pub fn begin(last: &AtomicU64, seen: u64) -> bool {
    let (success, failure) = (Ordering::Acquire, Ordering::Relaxed);
    let is_mine = seen != BUSY && last.compare_exchange(seen, BUSY, success, failure).is_ok();
    fence(Ordering::Release);
    is_mine
}

/// Writes the last word, behind the others.
#[inline(always)]
pub fn finish(last: &AtomicU64, word: u64) {
    last.store(word, Ordering::Release);
}

#[cfg(not(all(test, feature = "loom")))]
pub fn wait() {
    std::hint::spin_loop();
}

#[cfg(all(test, feature = "loom"))]
pub fn wait() {
    loom::thread::yield_now();
}

/// Every order of events that the memory model allows: `make loom`.
#[cfg(all(test, feature = "loom"))]
mod publication {
    use super::{AtomicU64, BUSY, Ordering, begin, finish, read, wait};
    use loom::sync::Arc;
    use loom::thread;

    struct Triple {
        words: [AtomicU64; 2],
        last: AtomicU64,
    }

    impl Triple {
        /// The last word is ten times the others, plus a number that is different for each writing.
        fn write(&self, value: u64) {
            let before = loop {
                let before = self.last.load(Ordering::Relaxed);
                if begin(&self.last, before) {
                    break before;
                }
                wait();
            };
            // Each is read first: a writer sees what the one before it wrote, and the whole of it.
            for word in &self.words {
                assert_eq!(word.load(Ordering::Relaxed), before / 10);
                word.store(value, Ordering::Relaxed);
            }
            finish(&self.last, value * 10 + before % 10 + 2);
        }

        fn read(&self) -> Option<([u64; 2], u64)> {
            let [first, second] = &self.words;
            read(&self.last, || {
                [
                    first.load(Ordering::Relaxed),
                    second.load(Ordering::Relaxed),
                ]
            })
        }
    }

    fn triple() -> Arc<Triple> {
        Arc::new(Triple {
            words: [AtomicU64::new(0), AtomicU64::new(0)],
            last: AtomicU64::new(0),
        })
    }

    #[test]
    fn words_that_are_read_belong_together() {
        loom::model(|| {
            let triple = triple();
            // A thread of its own: where the one that starts the others reads, `loom` tries no order in which
            // they write meanwhile.
            let reader = {
                let triple = triple.clone();
                thread::spawn(move || {
                    if let Some(([first, second], last)) = triple.read() {
                        assert_eq!([first, second], [last / 10; 2]);
                        assert_ne!(last, BUSY);
                    }
                })
            };
            triple.write(1);
            reader.join().expect("no panic");
            assert_eq!(triple.read(), Some(([1, 1], 12)));
        });
    }

    #[test]
    fn words_that_are_written_belong_together() {
        loom::model(|| {
            let triple = triple();
            let other = {
                let triple = triple.clone();
                thread::spawn(move || triple.write(1))
            };
            triple.write(2);
            other.join().expect("no panic");
            let last = triple.read().expect("nobody writes");
            assert!(last == ([1, 1], 14) || last == ([2, 2], 24));
        });
    }
}

#[cfg(all(test, not(feature = "loom")))]
mod tests {
    use super::*;
    use std::sync::atomic::AtomicBool;

    #[test]
    fn words_that_are_read_belong_together() {
        let words = [const { AtomicU64::new(0) }; 3];
        let last = AtomicU64::new(0);
        let done = AtomicBool::new(false);
        std::thread::scope(|scope| {
            scope.spawn(|| {
                for value in 1.. {
                    assert!(begin(&last, last.load(Ordering::Relaxed)));
                    for word in &words {
                        word.store(value, Ordering::Relaxed);
                    }
                    finish(&last, value << 1);
                    if done.load(Ordering::Relaxed) {
                        break;
                    }
                }
            });
            // The writer goes on until so much was read, whatever else the machine has to do.
            let mut seen = 0;
            while seen < 20_000 {
                let words = || words.each_ref().map(|word| word.load(Ordering::Relaxed));
                if let Some((words, last)) = read(&last, words) {
                    assert_eq!(words, [last >> 1; 3]);
                    seen += 1;
                }
            }
            done.store(true, Ordering::Relaxed);
        });
    }
}
