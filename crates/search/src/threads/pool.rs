//! Threads that somebody else has started. The standard library starts none in WebAssembly: a page starts workers, which
//! share one memory, and each calls [`help`]. A search that wants threads leaves its work here for them.

use super::HaltOnPanic;
use std::collections::VecDeque;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::{mem, thread};

/// Work of a search, which ends no later than `of` says.
struct Job {
    of: Arc<Open>,
    work: Box<dyn FnOnce() + Send>,
}

/// Jobs that nobody has begun, the oldest first.
static WAITING: Mutex<VecDeque<Job>> = Mutex::new(VecDeque::new());

/// There is one more.
static MORE: Condvar = Condvar::new();

/// How many jobs of a search have not ended.
struct Open {
    count: Mutex<usize>,
    changed: Condvar,
}

// No panic of a job reaches a lock.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Works for the searches of other threads, for ever.
pub fn help() -> ! {
    loop {
        let mut waiting = lock(&WAITING);
        let job = loop {
            match waiting.pop_front() {
                Some(job) => break job,
                None => waiting = MORE.wait(waiting).unwrap_or_else(PoisonError::into_inner),
            }
        };
        drop(waiting);
        (job.work)();
    }
}

/// As [`run`](super::run). What no thread has begun when `first` has ended is done by this one: the search does not wait for
/// workers that are not there, or not there yet.
pub(super) fn run<A, B: Send>(
    halt: &(dyn Fn() + Sync),
    first: impl FnOnce() -> A,
    others: impl IntoIterator<Item = impl FnOnce() -> B + Send>,
) -> (A, Vec<B>) {
    let others: Vec<_> = others.into_iter().collect();
    let mut found: Vec<Option<thread::Result<B>>> = others.iter().map(|_| None).collect();
    let open = Arc::new(Open {
        count: Mutex::new(0),
        changed: Condvar::new(),
    });
    let first = {
        // From here on nothing that jobs borrow may end before they have: `AllEnded` waits for them, after a panic too.
        let _all_ended = AllEnded(&open);
        let _guard = HaltOnPanic(halt);
        for (other, found) in others.into_iter().zip(&mut found) {
            let of = Arc::clone(&open);
            let work: Box<dyn FnOnce() + Send + '_> = Box::new(move || {
                let ended = catch_unwind(AssertUnwindSafe(|| {
                    let _guard = HaltOnPanic(halt);
                    other()
                }));
                *found = Some(ended);
                // Nothing borrowed is used after this: the count belongs to the job too.
                let mut count = lock(&of.count);
                *count -= 1;
                of.changed.notify_all();
            });
            // SAFETY: the types differ in a lifetime only. `work` borrows what outlives `_all_ended`, whose destructor
            // returns when the count of jobs is 0. A job that was counted is either run to its end, by this thread or
            // another one, and uses nothing borrowed after it has lowered the count, or it stops its thread for good
            // (a panic that aborts), and then the count stays, and this function does not return.
            let work: Box<dyn FnOnce() + Send + 'static> = unsafe { mem::transmute(work) };
            *lock(&open.count) += 1;
            let of = Arc::clone(&open);
            lock(&WAITING).push_back(Job { of, work });
            MORE.notify_one();
        }
        first()
    };
    let found = found.into_iter().flatten();
    let found = found.map(|found| found.unwrap_or_else(|panic| resume_unwind(panic)));
    (first, found.collect())
}

/// Returns, when it is dropped, once all jobs of a search have ended.
struct AllEnded<'a>(&'a Arc<Open>);

impl Drop for AllEnded<'_> {
    fn drop(&mut self) {
        let begin_one = || {
            let mut waiting = lock(&WAITING);
            let own = |job: &Job| Arc::ptr_eq(&job.of, self.0);
            waiting
                .iter()
                .position(own)
                .and_then(|at| waiting.remove(at))
        };
        while let Some(job) = begin_one() {
            (job.work)();
        }
        let mut count = lock(&self.0.count);
        while *count > 0 {
            let changed = self.0.changed.wait(count);
            count = changed.unwrap_or_else(PoisonError::into_inner);
        }
    }
}
