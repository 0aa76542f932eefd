//! Work: threads that lease pairs of games, play them, and hand each game to one task that stores it.
//!
//! A lease belongs to one thread. It is made longer while the thread's move takes no longer than it may;
//! a thread that hangs loses its leases although its process lives, and what it finds later is refused
//! by the store.

mod leases;
mod ledger;
mod player;
mod recorder;

pub use ledger::{Event, Ledger};

use crate::engine_log::EngineLog;
use crate::experiment::{Experiment, ExperimentError};
use crate::play::Unplayed;
use crate::store::{ExperimentRow, PublishError, Store, StoreError};
use crate::table::Loaded;
use jobs::Heartbeats;
use std::collections::{HashMap, HashSet};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};
use thiserror::Error;
use tokio::runtime::Handle;
use tokio::sync::mpsc;

/// How to work.
#[derive(Clone, Debug)]
pub struct Options {
    /// Games at a time.
    pub threads: usize,
    /// How long a lease lasts; it is made longer three times as often.
    pub lease: Duration,
    /// How long a move may take that has no limit, before its thread counts as stuck.
    pub stall: Duration,
    /// Only this experiment.
    pub only: Option<String>,
    /// None of these experiments.
    pub left_out: HashSet<String>,
    /// Whether to end when nothing is left to play; otherwise new experiments are waited for.
    pub exit_when_idle: bool,
    /// How long to try again when the store cannot be reached.
    pub patience: Duration,
    /// End after this many games lost by a fault.
    pub max_faults: Option<usize>,
    /// Where the messages of other programs go.
    pub engine_log: EngineLog,
}

impl Default for Options {
    fn default() -> Self {
        Options {
            threads: 1,
            lease: Duration::from_mins(1),
            stall: Duration::from_hours(1),
            only: None,
            left_out: HashSet::new(),
            exit_when_idle: true,
            patience: Duration::from_mins(1),
            max_faults: None,
            engine_log: EngineLog::default(),
        }
    }
}

/// A request to stop, which many may hold: running games are finished, no new ones begun.
#[derive(Clone, Debug, Default)]
pub struct Stop(Arc<AtomicBool>);

impl Stop {
    /// Asks to stop.
    pub fn raise(&self) {
        self.0.store(true, Ordering::Relaxed);
    }

    /// Whether somebody has asked to stop.
    pub fn is_raised(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}

/// Why work ended early. What was stored stays.
#[derive(Debug, Error)]
pub enum WorkError {
    /// The store does not work.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// An experiment cannot be put into the store.
    #[error(transparent)]
    Unpublished(#[from] PublishError),
    /// An experiment cannot be played as it is.
    #[error(transparent)]
    Experiment(#[from] ExperimentError),
    /// A game cannot be played here.
    #[error(transparent)]
    Unplayed(#[from] Unplayed),
    /// As many games were lost by a fault as may be.
    #[error("{count} games were lost by a fault, the last one: {last}")]
    Faults {
        /// How many.
        count: usize,
        /// Who did what in the last one.
        last: String,
    },
}

/// Puts an experiment into the store, ready to be played. What is there of it stays: it continues.
///
/// # Errors
/// If it cannot be played as it is, its games in the store are played with other weights, or the store does not work.
pub async fn publish(store: &Store, loaded: &Loaded) -> Result<(), WorkError> {
    let experiment = &loaded.experiment;
    let row = ExperimentRow {
        id: experiment.id.clone(),
        name: experiment.name.clone(),
        scale: experiment.scale.to_string(),
        file: experiment.text.clone(),
        weights: Some(loaded.weights()),
    };
    let closed = store.closed_points(&row.id).await?;
    let known = store.experiments().await?;
    let before = known.iter().find(|known| known.id == row.id);
    store.publish(&row, &loaded.pairs()?).await?;
    // What a test has decided stays so when there are more pairs, but not under another rule.
    let rule =
        |row: &ExperimentRow| Experiment::read(&row.file, experiment.scale).map(|read| read.stop);
    if before.is_some_and(|before| rule(before).as_ref() == Ok(&experiment.stop)) {
        for point in closed {
            store.close_point(&row.id, point).await?;
        }
    } else {
        store.reopen_points(&row.id).await?;
    }
    Ok(())
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// What the threads and tasks of a worker share.
struct WorkerPool<'a> {
    store: Store,
    options: Options,
    stop: Stop,
    machine: String,
    worker: String,
    loaded: Mutex<HashMap<String, Option<Arc<Loaded>>>>,
    listed: Mutex<Option<(Instant, Vec<Arc<Loaded>>)>>,
    heartbeats: Heartbeats,
    ledger: Ledger,
    failure: Mutex<Option<WorkError>>,
    /// Set by a failure: games under way could not be stored, or are not wanted.
    is_abandoned: Arc<AtomicBool>,
    listener: &'a (dyn Fn(Event) + Sync),
}

/// The shortest time that the store is given for an answer, and how long it is waited for one that does not matter
/// any more.
const ANSWER: Duration = Duration::from_secs(2);
/// How long to wait before the store is tried again.
const TRY_AGAIN: Duration = Duration::from_millis(500);

/// Games on their way to the store.
const ON_THEIR_WAY: usize = 256;

/// Plays what there is to play, and returns when it is done, or when asked to stop.
///
/// `loaded` are experiments known already; others are read from the store. `listener` is told what
/// happens, from several threads.
///
/// # Errors
/// If the store does not work for longer than the patience, or something cannot be played here.
pub async fn work(
    store: &Store,
    options: &Options,
    loaded: Vec<Arc<Loaded>>,
    stop: &Stop,
    ledger: &Ledger,
    listener: &(dyn Fn(Event) + Sync),
) -> Result<(), WorkError> {
    let machine = jobs::machine();
    let known = loaded
        .into_iter()
        .map(|loaded| (loaded.experiment.id.clone(), Some(loaded)));
    let pool = WorkerPool {
        store: store.clone(),
        options: options.clone(),
        stop: stop.clone(),
        worker: jobs::worker(&machine),
        machine,
        loaded: Mutex::new(known.collect()),
        listed: Mutex::new(None),
        heartbeats: Heartbeats::new(options.threads.max(1), options.lease, options.stall),
        ledger: ledger.clone(),
        failure: Mutex::new(None),
        is_abandoned: Arc::new(AtomicBool::new(false)),
        listener,
    };
    pool.greet().await?;
    store.reap(&pool.machine, jobs::is_alive).await?;
    let (games, to_store) = mpsc::channel(ON_THEIR_WAY);
    let handle = Handle::current();
    let done = AtomicBool::new(false);
    tokio::task::block_in_place(|| {
        std::thread::scope(|scope| {
            let keeper = scope.spawn(|| handle.block_on(pool.keep_leases(&done)));
            let recorder = scope.spawn(|| handle.block_on(pool.record(to_store)));
            let players: Vec<_> = (0..pool.heartbeats.threads())
                .map(|thread| {
                    let (pool, games, handle) = (&pool, games.clone(), handle.clone());
                    scope.spawn(move || pool.play(thread, &games, &handle))
                })
                .collect();
            drop(games);
            for player in players {
                if player.join().is_err() {
                    tracing::error!("a thread broke down");
                }
            }
            let _ = recorder.join();
            done.store(true, Ordering::Relaxed);
            let _ = keeper.join();
        });
    });
    let failure = lock(&pool.failure).take();
    let goodbye = store.seen(&pool.worker, 0, true);
    match failure {
        // Of a worker that has not said goodbye the leases end by themselves.
        Some(failure) => {
            let _ = tokio::time::timeout(ANSWER, goodbye).await;
            Err(failure)
        }
        None => Ok(goodbye.await?),
    }
}

impl WorkerPool<'_> {
    /// Tells the store of this worker, and how fast its machine is where that was measured.
    async fn greet(&self) -> Result<(), StoreError> {
        let measured = |loaded: &Arc<Loaded>| {
            crate::needs_reference(&loaded.experiment).then_some(loaded.reference)
        };
        let reference = lock(&self.loaded).values().flatten().find_map(measured);
        let row = jobs::Worker {
            id: self.worker.clone(),
            machine: self.machine.clone(),
            process: i64::from(std::process::id()),
            threads: self.heartbeats.threads() as i64,
            version: env!("CARGO_PKG_VERSION").to_owned(),
            reference: reference.unwrap_or(0.0),
            started: 0.0,
            silent: 0.0,
            stuck: 0,
            ended: false,
        };
        self.store.greet(&row).await
    }

    /// Keeps the leases of threads that are well, until all is done.
    async fn keep_leases(&self, done: &AtomicBool) {
        let told = |stuck: usize, kept: Result<(), StoreError>| {
            self.ledger.0.stuck.store(stuck, Ordering::Relaxed);
            if let Err(error) = kept {
                (self.listener)(Event::Trouble(error.to_string()));
            }
        };
        self.heartbeats
            .keep(self.store.jobs(), &self.worker, done, told)
            .await;
    }

    /// Ends the work: games under way are given up.
    fn fail(&self, error: WorkError) {
        self.stop.raise();
        self.is_abandoned.store(true, Ordering::Relaxed);
        lock(&self.failure).get_or_insert(error);
    }

    /// Does something with the store, again while what is wrong with it may pass. Neither waiting for an answer nor
    /// trying again takes longer than the patience, and none of it goes on after a failure elsewhere.
    async fn patiently<T, F>(&self, action: impl Fn() -> F) -> Result<T, StoreError>
    where
        F: Future<Output = Result<T, StoreError>>,
    {
        let patience = self.options.patience.max(ANSWER);
        let deadline = Instant::now() + patience;
        loop {
            let answer = tokio::time::timeout_at(deadline.into(), action()).await;
            let error = match answer {
                Ok(Err(error)) if error.passing => error,
                Ok(result) => return result,
                Err(_) => return Err(self.store.silent_for(patience)),
            };
            if Instant::now() + TRY_AGAIN >= deadline || self.is_abandoned.load(Ordering::Relaxed) {
                return Err(error);
            }
            (self.listener)(Event::Trouble(error.to_string()));
            tokio::time::sleep(TRY_AGAIN).await;
        }
    }
}
