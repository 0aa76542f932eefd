//! The threads of a search and their stacks.
//!
//! Searches recurse as deep as a game is long. How much stack a thread has is the affair of whoever starts it: a
//! program's first thread, the pool of a server, a shell with `ulimit -s`. A search must not depend on it: every entry
//! to a search that recurses goes through [`with_deep_stack`], and every thread of a search is started by [`run`].

#[cfg(any(test, all(target_family = "wasm", target_feature = "atomics")))]
mod pool;

#[cfg(not(all(target_family = "wasm", target_feature = "atomics")))]
use std::panic::resume_unwind;
use std::thread;

#[cfg(all(target_family = "wasm", target_feature = "atomics"))]
pub use pool::help;

/// A search that is called with less stack moves to one of its own. The longest game that a search recurses
/// through has 400 plies (Kōnane on 20×20). That leaves 40 KiB for each, of which optimised code takes 6 at most.
const NEEDED: usize = 16 << 20;

/// The size of such a stack: more than is needed, so that a search within a search stays on it. These are addresses;
/// only what is used takes memory.
const GIVEN: usize = 2 * NEEDED;

/// Runs a search that recurses, whatever the stack of the thread that calls. A panic passes on to the caller.
pub fn with_deep_stack<R>(search: impl FnOnce() -> R) -> R {
    stacker::maybe_grow(NEEDED, GIVEN, search)
}

/// Runs a search on several threads with deep stacks: `first` on this one, each of `others` on one of its own. Returns what
/// they return when all have ended.
///
/// If one of them panics, `halt` is called, which has to make the others end; then the panic passes on to the caller.
pub fn run<A, B: Send>(
    halt: &(dyn Fn() + Sync),
    first: impl FnOnce() -> A,
    others: impl IntoIterator<Item = impl FnOnce() -> B + Send>,
) -> (A, Vec<B>) {
    let others = others.into_iter();
    let others = others.map(|other| move || with_deep_stack(other));
    start(halt, || with_deep_stack(first), others)
}

#[cfg(all(target_family = "wasm", target_feature = "atomics"))]
use pool::run as start;

/// Starts a thread for each of `others`.
#[cfg(not(all(target_family = "wasm", target_feature = "atomics")))]
fn start<A, B: Send>(
    halt: &(dyn Fn() + Sync),
    first: impl FnOnce() -> A,
    others: impl Iterator<Item = impl FnOnce() -> B + Send>,
) -> (A, Vec<B>) {
    thread::scope(|scope| {
        let others: Vec<_> = others
            .map(|other| {
                scope.spawn(move || {
                    let _guard = HaltOnPanic(halt);
                    other()
                })
            })
            .collect();
        let first = {
            let _guard = HaltOnPanic(halt);
            first()
        };
        let join = |other: thread::ScopedJoinHandle<'_, B>| {
            other.join().unwrap_or_else(|panic| resume_unwind(panic))
        };
        (first, others.into_iter().map(join).collect())
    })
}

/// Ends the other threads of a search when one of them dies.
struct HaltOnPanic<'a>(&'a (dyn Fn() + Sync));

impl Drop for HaltOnPanic<'_> {
    fn drop(&mut self) {
        if thread::panicking() {
            (self.0)();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::StopFlag;
    use std::hint::black_box;
    use std::panic::{AssertUnwindSafe, catch_unwind};

    fn recurse(depth: usize) -> usize {
        let frame = black_box([depth; 512]);
        if depth == 0 {
            return frame[0];
        }
        frame[511].min(1) + recurse(depth - 1)
    }

    #[test]
    fn a_small_thread_has_room_for_a_deep_search() {
        let small = thread::Builder::new().stack_size(128 << 10);
        let deep = small.spawn(|| with_deep_stack(|| recurse(2_000)));
        let deep = deep.expect("a thread").join();
        assert_eq!(deep.expect("no panic"), 2_000);
    }

    #[test]
    fn every_thread_of_a_search_has_room() {
        let deep = || recurse(2_000);
        assert_eq!(run(&|| {}, deep, [deep, deep]), (2_000, vec![2_000; 2]));
    }

    #[test]
    fn searches_within_searches_stay_where_they_are() {
        let place = |mark: &u8| std::ptr::from_ref(mark).addr();
        with_deep_stack(|| {
            let outer = black_box(0);
            with_deep_stack(|| {
                let inner = black_box(0);
                assert!(place(&outer).abs_diff(place(&inner)) < 1 << 16);
            });
        });
    }

    #[test]
    fn a_panic_ends_all_threads_and_passes_on() {
        let stop = StopFlag::new();
        let wait = |stop: &StopFlag| {
            while !stop.is_raised() {
                thread::yield_now();
            }
        };
        let die = |_: &StopFlag| panic!("for the test");
        for (first_dies, pooled) in [(false, false), (true, false), (false, true), (true, true)] {
            let act = |dies| if dies { die(&stop) } else { wait(&stop) };
            stop.lower();
            let halt = || stop.raise();
            let (first, other) = (|| act(first_dies), || act(!first_dies));
            if pooled {
                thread::spawn(|| pool::help());
            }
            let all = || {
                if pooled {
                    pool::run(&halt, first, [other])
                } else {
                    run(&halt, first, [other])
                }
            };
            assert!(catch_unwind(AssertUnwindSafe(all)).is_err());
        }
    }

    #[test]
    fn a_pool_returns_what_all_have_found_whoever_helps() {
        let borrowed: Vec<usize> = (0..8).collect();
        for helpers in 0..3 {
            if helpers > 0 {
                thread::spawn(|| pool::help());
            }
            for _ in 0..if cfg!(miri) { 10 } else { 100 } {
                let others = borrowed.iter().map(|number| move || number * number);
                let (first, found) = pool::run(&|| {}, || borrowed.len(), others);
                assert_eq!((first, found), (8, vec![0, 1, 4, 9, 16, 25, 36, 49]));
            }
        }
    }

    #[test]
    fn threads_of_a_pool_search_at_the_same_time() {
        let meet = std::sync::Barrier::new(3);
        for _ in 0..2 {
            thread::spawn(|| pool::help());
        }
        let wait = || meet.wait().is_leader();
        let (first, others) = pool::run(&|| {}, wait, [wait, wait]);
        assert_eq!(
            others.into_iter().filter(|&leads| leads).count() + usize::from(first),
            1
        );
    }
}
