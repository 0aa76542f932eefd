//! Leases are made longer while the thread that has them is alive.

use crate::{Lease, Store, StoreError};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// The time between two looks at whether all is done.
const LOOK: Duration = Duration::from_millis(20);

/// What each thread of a worker holds and does.
#[derive(Debug)]
pub struct Heartbeats {
    threads: Vec<Mutex<Heartbeat>>,
    lease: Duration,
    stall: Duration,
}

#[derive(Debug)]
struct Heartbeat {
    leases: Vec<Lease>,
    since: Instant,
    /// How long the present step may take.
    allowed: Duration,
}

impl Heartbeats {
    /// For so many threads. Leases are made to last for `lease`, three times as often; a step without a limit of its own
    /// may take as long as `stall`.
    pub fn new(threads: usize, lease: Duration, stall: Duration) -> Heartbeats {
        let thread = || Heartbeat {
            leases: Vec::new(),
            since: Instant::now(),
            allowed: stall,
        };
        Heartbeats {
            threads: (0..threads).map(|_| Mutex::new(thread())).collect(),
            lease,
            stall,
        }
    }

    /// How many threads there are.
    pub fn threads(&self) -> usize {
        self.threads.len()
    }

    /// Notes that a thread begins a step: which leases it has, where that changes, and how long the step may take.
    pub fn step(&self, thread: usize, leases: Option<Vec<Lease>>, at_most: Option<Duration>) {
        let mut own = lock(&self.threads[thread]);
        own.since = Instant::now();
        own.allowed = at_most.map_or(self.stall, |time| time + self.lease);
        if let Some(leases) = leases {
            own.leases = leases;
        }
    }

    /// The leases of threads that are well, and how many are not.
    fn look(&self) -> (Vec<Lease>, usize) {
        let mut leases = Vec::new();
        let mut stuck = 0;
        for thread in &self.threads {
            let thread = lock(thread);
            if thread.since.elapsed() <= thread.allowed {
                leases.extend(thread.leases.iter().cloned());
            } else {
                stuck += 1;
            }
        }
        (leases, stuck)
    }

    /// Keeps the leases of threads that are not stuck, and tells the store that the worker is there, until all is done.
    /// `told` hears how many threads are stuck, and what the store says.
    pub async fn keep(
        &self,
        store: &Store,
        worker: &str,
        done: &AtomicBool,
        told: impl Fn(usize, Result<(), StoreError>),
    ) {
        let pause = self.lease / 3;
        let mut last = Instant::now();
        while !done.load(Ordering::Relaxed) {
            tokio::time::sleep(pause.min(LOOK)).await;
            if last.elapsed() < pause {
                continue;
            }
            last = Instant::now();
            let (leases, stuck) = self.look();
            let kept = async {
                store.extend(&leases, self.lease).await?;
                store.seen(worker, stuck, false).await
            };
            // A store that does not answer holds up nobody at the end.
            tokio::select! {
                kept = kept => told(stuck, kept),
                () = ended(done) => return,
            }
        }
    }
}

async fn ended(done: &AtomicBool) {
    while !done.load(Ordering::Relaxed) {
        tokio::time::sleep(LOOK).await;
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_thread_whose_step_takes_too_long_does_not_keep_its_leases() {
        let lease = |job| Lease {
            queue: "q".to_owned(),
            job,
            worker: format!("w#{job}"),
            generation: 1,
        };
        let beats = Heartbeats::new(2, Duration::ZERO, Duration::from_hours(1));
        beats.step(0, Some(vec![lease(0)]), None);
        beats.step(1, Some(vec![lease(1)]), Some(Duration::ZERO));
        std::thread::sleep(Duration::from_millis(1));
        assert_eq!(beats.look(), (vec![lease(0)], 1));
        // It goes on: what it held is its own again.
        beats.step(1, None, None);
        assert_eq!(beats.look(), (vec![lease(0), lease(1)], 0));
    }
}
