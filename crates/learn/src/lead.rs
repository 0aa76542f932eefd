//! Games that are shared: the process that leads a run publishes them, plays some, and takes what others have made.

use crate::error::LearnError;
use crate::journal::Line;
use crate::store::{Run, Store};
use crate::task::Task;
use crate::work::{WorkEvent, Working, work};
use jobs::StoreError;
use search::StopFlag;
use std::cell::RefCell;
use std::collections::HashSet;
use std::sync::mpsc;
use std::thread;
use std::time::Duration;
use tokio::runtime::Runtime;

/// Where games are shared.
#[derive(Clone, Debug)]
pub struct Shared {
    /// The store: a path or `sqlite://path` for a file, or `postgres://…`.
    pub place: String,
    /// How long a lease lasts.
    pub lease: Duration,
    /// How long to try again when the store cannot be reached.
    pub patience: Duration,
}

/// What is heard while games are made.
pub(crate) enum News {
    /// Records with their numbers, which are not in the store any more when they were taken.
    Made(Vec<(u32, Vec<u8>)>),
    /// The store could not be reached; it is tried again.
    Trouble(String),
}

/// Whoever hears of it.
type Ear<'a> = RefCell<&'a mut dyn FnMut(News) -> Result<bool, LearnError>>;

/// Tells of a store that cannot be reached, which is no reason to end.
fn tell(hear: &Ear<'_>, why: String) {
    let _ = (*hear.borrow_mut())(News::Trouble(why));
}

/// How often the store is asked for what was made.
const LOOK: Duration = Duration::from_millis(200);

/// Leads a run.
pub(crate) struct Lead {
    runtime: Runtime,
    store: Store,
    run: Run,
    working: Working,
}

impl Lead {
    /// Opens the store and tells of the run.
    pub(crate) fn new(
        shared: &Shared,
        run: Run,
        threads: usize,
        stop: &StopFlag,
    ) -> Result<Lead, LearnError> {
        let runtime = tokio::runtime::Builder::new_multi_thread()
            .worker_threads(1)
            .enable_all()
            .build();
        let runtime = runtime.map_err(|why| StoreError::lasting(&shared.place, why.to_string()))?;
        let store = runtime.block_on(async {
            let store = Store::open(&shared.place).await?;
            store.begin(&run).await?;
            Ok::<_, StoreError>(store)
        })?;
        Ok(Lead {
            runtime,
            store,
            run,
            working: Working {
                threads,
                lease: shared.lease,
                patience: shared.patience,
                waits: true,
                stop: stop.clone(),
            },
        })
    }

    /// Has the games with these numbers made, here and elsewhere, until `hear` says that it is enough. Gives whether all
    /// are made.
    pub(crate) fn make(
        &self,
        task: &Task,
        numbers: &[u32],
        files: &[(String, Vec<u8>)],
        hear: &mut dyn FnMut(News) -> Result<bool, LearnError>,
    ) -> Result<bool, LearnError> {
        let mut left: HashSet<u32> = numbers.iter().copied().collect();
        let hear = RefCell::new(hear);
        if !self.take(task, &mut left, &hear)? {
            return Ok(left.is_empty());
        }
        let open: Vec<u32> = numbers
            .iter()
            .copied()
            .filter(|number| left.contains(number))
            .collect();
        let (store, run) = (&self.store, &self.run);
        let told = |why: &StoreError| tell(&hear, why.to_string());
        self.patiently(&told, async || store.publish(run, task, &open, files).await)?;
        // Work ends with the step, not only with the run.
        let over = StopFlag::new();
        let working = Working {
            stop: over.clone(),
            ..self.working.clone()
        };
        thread::scope(|scope| {
            let handle = self.runtime.handle();
            // What the other thread has to tell waits for this one.
            let (trouble, troubles) = mpsc::channel();
            let heard = move |event: WorkEvent<'_>| {
                if let WorkEvent::Trouble(why) = event {
                    let _ = trouble.send(why.to_string());
                }
            };
            let local = scope.spawn(move || work(store, run, &working, handle, &heard));
            let mut lead = || {
                while !left.is_empty() && !self.working.stop.is_raised() && !local.is_finished() {
                    thread::sleep(LOOK);
                    for why in troubles.try_iter() {
                        tell(&hear, why);
                    }
                    if !self.take(task, &mut left, &hear)? {
                        self.patiently(&told, async || store.close_step(run, task).await)?;
                        break;
                    }
                }
                Ok(left.is_empty())
            };
            let made = lead();
            over.raise();
            match local.join() {
                Ok(Ok(_)) => made,
                Ok(Err(why)) => Err(why),
                Err(_) => Err(LearnError::Player("a game has broken down".to_owned())),
            }
        })
    }

    /// Takes what is in the store; gives whether more is needed.
    fn take(
        &self,
        task: &Task,
        left: &mut HashSet<u32>,
        hear: &Ear<'_>,
    ) -> Result<bool, LearnError> {
        let (store, run) = (&self.store, &self.run);
        let told = |why: &StoreError| tell(hear, why.to_string());
        let records = self.patiently(&told, async || store.records(run, task).await)?;
        if records.is_empty() {
            return Ok(true);
        }
        let numbers: Vec<u32> = records.iter().map(|&(number, _)| number).collect();
        // One that the folder had before, if it was killed before it could remove it here.
        let new = records
            .into_iter()
            .filter(|(number, _)| left.remove(number));
        let goes_on = (*hear.borrow_mut())(News::Made(new.collect()))?;
        self.patiently(&told, async || {
            store.forget_records(run, task, &numbers).await
        })?;
        Ok(goes_on)
    }

    fn patiently<T>(
        &self,
        told: &dyn Fn(&StoreError),
        action: impl AsyncFn() -> Result<T, StoreError>,
    ) -> Result<T, StoreError> {
        let goes_on = || !self.working.stop.is_raised();
        self.runtime.block_on(jobs::patiently(
            self.working.patience,
            goes_on,
            told,
            action,
        ))
    }

    /// Tells those who watch of steps that are done, the first of which has this place in the journal.
    pub(crate) fn tell(&self, first: usize, lines: &[Line]) -> Result<(), LearnError> {
        let (store, run) = (&self.store, &self.run);
        let told = |_: &StoreError| {};
        Ok(self.patiently(&told, async || store.keep_steps(run, first, lines).await)?)
    }

    /// Tells that the run is finished: its folder has all of it.
    pub(crate) fn finish(&self) -> Result<(), LearnError> {
        let (store, run) = (&self.store, &self.run);
        self.patiently(&|_| {}, async || store.finish(run).await)?;
        self.runtime.block_on(store.close());
        Ok(())
    }
}
