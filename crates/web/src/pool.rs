//! Searches in threads of their own, of which a fixed number runs at a time, in turn.
//!
//! A search has its turn while it holds one of the places of the pool. From time to time, where it tells
//! of its progress, it [passes](Turn::pass): when others wait and its slice is over it goes to the end of
//! the queue. So a quick question is answered quickly even when many long ones are asked, a search that
//! is paused takes no place, and no search has to be cut into parts.

use search::StopFlag;
use search::threads::with_deep_stack;
use service::Problem;
use std::collections::VecDeque;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// As much memory as all searches may take together, in the unit of [`Weight`].
const CAPACITY: u32 = 64;

/// How long a search runs while others wait.
const SLICE: Duration = Duration::from_millis(100);

/// The most memory that a search takes: together with the capacity this bounds that of the server.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Weight(u32);

impl Weight {
    /// A search tree, or the check of a file.
    pub const TREE: Weight = Weight(1);
    /// The table of a solver.
    #[cfg(test)]
    pub const SOLVER: Weight = Weight(8);

    /// What takes so many bytes; `None` if all searches together may not take as many.
    pub fn of_bytes(bytes: u64) -> Option<Weight> {
        let units = bytes.div_ceil(1 << 25);
        if units > u64::from(CAPACITY) {
            return None;
        }
        Some(Weight(if units == 0 { 1 } else { units as u32 }))
    }
}

/// There are as many searches as this machine can hold.
#[derive(Debug, thiserror::Error)]
#[error("the server has as many searches as it can hold: try again when one of them has ended")]
pub struct Full;

/// How a page holds a search that is under way: it can be stopped, paused, and gone on with.
#[derive(Clone, Default)]
pub struct JobControl {
    /// Ends the search when raised.
    pub stop: StopFlag,
    pause: StopFlag,
}

impl JobControl {
    /// Lets the search rest, from its next pass on.
    pub fn pause(&self) {
        self.pause.raise();
    }
}

/// The places.
#[derive(Clone)]
pub struct Pool(Arc<Shared>);

struct Shared {
    state: Mutex<State>,
    /// Told when a place is free, and when somebody has used a job control.
    changed: Condvar,
}

struct State {
    /// Places that nobody holds.
    free: usize,
    /// The tickets of those that wait for a place.
    waiting: VecDeque<u64>,
    next_ticket: u64,
    /// The weight of all searches.
    weight: u32,
}

impl Pool {
    /// A pool with so many places, at least one.
    pub fn new(places: usize) -> Pool {
        Pool(Arc::new(Shared {
            state: Mutex::new(State {
                free: places.max(1),
                waiting: VecDeque::new(),
                next_ticket: 0,
                weight: 0,
            }),
            changed: Condvar::new(),
        }))
    }

    /// Starts a search.
    ///
    /// # Errors
    /// If there is no room for it; it is dropped then.
    pub fn start(
        &self,
        weight: Weight,
        control: &JobControl,
        search: impl FnOnce(&mut Turn) + Send + 'static,
    ) -> Result<(), Full> {
        {
            let mut state = self.0.lock();
            if state.weight + weight.0 > CAPACITY {
                return Err(Full);
            }
            state.weight += weight.0;
        }
        let room = Room {
            shared: Arc::clone(&self.0),
            weight,
        };
        let control = control.clone();
        let run = move || {
            let mut turn = Turn {
                room,
                control,
                since: Instant::now(),
                held: false,
            };
            turn.wait();
            let run = std::panic::AssertUnwindSafe(|| search(&mut turn));
            if std::panic::catch_unwind(run).is_err() {
                tracing::error!("a search panicked");
            }
        };
        let thread = std::thread::Builder::new().name("search".to_owned());
        thread.spawn(|| with_deep_stack(run)).map_err(|_| Full)?;
        Ok(())
    }

    /// What a search finds when it is its turn. It ends when nobody waits for it any more.
    ///
    /// # Errors
    /// If there is no room for it, or it panicked.
    pub async fn answer<T: Send + 'static>(
        &self,
        weight: Weight,
        search: impl FnOnce(&mut Turn) -> T + Send + 'static,
    ) -> Result<T, Problem> {
        let waiting = Waiting {
            pool: self.clone(),
            control: JobControl::default(),
        };
        let (tell, told) = tokio::sync::oneshot::channel();
        let search = move |turn: &mut Turn| {
            let _ = tell.send(search(turn));
        };
        self.start(weight, &waiting.control, search)
            .map_err(Problem::bad_request)?;
        told.await.map_err(Problem::internal)
    }

    /// Ends a search.
    pub fn stop(&self, control: &JobControl) {
        control.stop.raise();
        self.wake();
    }

    /// Lets a search that rests go on.
    pub fn resume(&self, control: &JobControl) {
        control.pause.lower();
        self.wake();
    }

    fn wake(&self) {
        // Under the lock, so that nobody misses it between a look at the job control and the sleep.
        let _state = self.0.lock();
        self.0.changed.notify_all();
    }
}

/// Ends a search when nobody waits for it any more.
struct Waiting {
    pool: Pool,
    control: JobControl,
}

impl Drop for Waiting {
    fn drop(&mut self) {
        self.pool.stop(&self.control);
    }
}

impl Shared {
    /// The state is consistent between any two statements, so that a thread that panicked with it has
    /// done no harm.
    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The memory that a search may take, until it has ended.
struct Room {
    shared: Arc<Shared>,
    weight: Weight,
}

impl Drop for Room {
    fn drop(&mut self) {
        self.shared.lock().weight -= self.weight.0;
    }
}

/// A search's place in the queue, or in the pool.
pub struct Turn {
    room: Room,
    control: JobControl,
    since: Instant,
    held: bool,
}

impl Turn {
    /// Lets others have their turn if this one has had its own, and rests while the page wants that. A
    /// search that is to end comes back at once. Says whether it is to go on.
    pub fn pass(&mut self) -> bool {
        let mut state = self.room.shared.lock();
        let rests = self.control.pause.is_raised();
        let over = self.since.elapsed() >= SLICE && !state.waiting.is_empty();
        if self.held && (rests || over) {
            self.held = false;
            state.free += 1;
            self.room.shared.changed.notify_all();
            drop(state);
            self.wait();
        }
        !self.control.stop.is_raised()
    }

    /// Waits for a place, or for the end.
    fn wait(&mut self) {
        let shared = &self.room.shared;
        let mut state = shared.lock();
        let mut ticket = None;
        while !self.control.stop.is_raised() {
            if self.control.pause.is_raised() {
                if let Some(mine) = ticket.take() {
                    state.leave(mine);
                    shared.changed.notify_all();
                }
            } else {
                let mine = *ticket.get_or_insert_with(|| state.queue());
                if state.free > 0 && state.waiting.front() == Some(&mine) {
                    state.waiting.pop_front();
                    state.free -= 1;
                    self.held = true;
                    self.since = Instant::now();
                    // There may be a place for the next one too.
                    shared.changed.notify_all();
                    return;
                }
            }
            state = shared
                .changed
                .wait(state)
                .unwrap_or_else(PoisonError::into_inner);
        }
        if let Some(mine) = ticket {
            state.leave(mine);
            shared.changed.notify_all();
        }
    }
}

impl State {
    fn queue(&mut self) -> u64 {
        self.next_ticket += 1;
        self.waiting.push_back(self.next_ticket);
        self.next_ticket
    }

    fn leave(&mut self, ticket: u64) {
        self.waiting.retain(|&waiting| waiting != ticket);
    }
}

impl Drop for Turn {
    fn drop(&mut self) {
        if self.held {
            self.room.shared.lock().free += 1;
            self.room.shared.changed.notify_all();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
    use std::sync::mpsc;

    /// Searches that tell their names until they are told to end.
    #[derive(Clone)]
    struct Endless {
        pool: Pool,
        control: JobControl,
        is_stopped: Arc<AtomicBool>,
        /// How often any of them went on after it was told to end.
        late: Arc<AtomicUsize>,
    }

    impl Endless {
        fn new(pool: &Pool) -> Endless {
            Endless {
                pool: pool.clone(),
                control: JobControl::default(),
                is_stopped: Arc::default(),
                late: Arc::default(),
            }
        }

        fn start(
            &self,
            weight: Weight,
            name: usize,
            told: &mpsc::Sender<usize>,
        ) -> Result<(), Full> {
            let (own, told) = (self.clone(), told.clone());
            self.pool.start(weight, &self.control, move |turn| {
                while turn.pass() {
                    let is_late = own.is_stopped.load(Ordering::SeqCst);
                    own.late.fetch_add(usize::from(is_late), Ordering::SeqCst);
                    told.send(name).unwrap_or(());
                    std::thread::sleep(Duration::from_millis(5));
                }
            })
        }

        /// Ends the searches, so many, each of which may be between a pass and what it tells.
        fn stop(self, searches: usize, heard: &mpsc::Receiver<usize>) {
            self.pool.stop(&self.control);
            self.is_stopped.store(true, Ordering::SeqCst);
            // All of them end: otherwise this would hear for ever.
            for _ in heard {
                assert!(self.late.load(Ordering::SeqCst) <= searches);
            }
        }
    }

    #[test]
    fn searches_take_turns() {
        let pool = Pool::new(1);
        let (told, heard) = mpsc::channel();
        let searches = Endless::new(&pool);
        for name in 0..5 {
            searches.start(Weight::TREE, name, &told).unwrap();
        }
        let mut seen = [false; 5];
        while seen.contains(&false) {
            seen[heard.recv().unwrap()] = true;
        }
        drop(told);
        searches.stop(5, &heard);
    }

    #[test]
    fn a_search_that_rests_leaves_its_place_to_others() {
        let pool = Pool::new(1);
        let (told, heard) = mpsc::channel();
        let rests = Endless::new(&pool);
        rests.start(Weight::SOLVER, 0, &told).unwrap();
        drop(told);
        heard.recv().unwrap();
        rests.control.pause();
        let (told, other) = mpsc::channel();
        let search = move |_: &mut Turn| told.send(()).unwrap();
        pool.start(Weight::TREE, &JobControl::default(), search)
            .unwrap();
        other.recv().unwrap();
        while heard.try_recv().is_ok() {}
        pool.resume(&rests.control);
        heard.recv().unwrap();
        rests.control.pause();
        rests.stop(1, &heard);
    }

    #[test]
    fn a_full_pool_refuses_and_a_panic_ends_one_search_only() {
        let pool = Pool::new(1);
        let panics = |_: &mut Turn| panic!("on purpose");
        pool.start(Weight::TREE, &JobControl::default(), panics)
            .unwrap();
        let (told, heard) = mpsc::channel();
        let searches = Endless::new(&pool);
        let mut started = 0;
        while searches.start(Weight::SOLVER, 0, &told).is_ok() {
            started += 1;
        }
        assert!((7..=8).contains(&started), "{started}");
        drop(told);
        searches.stop(started, &heard);
    }
}
