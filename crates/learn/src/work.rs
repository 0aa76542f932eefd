//! A worker: it plays games of a run that is led elsewhere.

use crate::error::LearnError;
use crate::games::{Subject, with_subject};
use crate::plan::Written;
use crate::self_play::Players;
use crate::store::{Run, Store, number};
use crate::task::Task;
use crate::version::version;
use engine::replace_file;
use jobs::{Claimed, Heartbeats, StoreError, Worker};
use search::StopFlag;
use std::io::Write;
use std::path::Path;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};
use tokio::runtime::Handle;

/// How to work.
#[derive(Clone, Debug)]
pub struct Working {
    /// Games at a time.
    pub threads: usize,
    /// How long a lease lasts; it is made longer three times as often.
    pub lease: Duration,
    /// How long to try again when the store cannot be reached.
    pub patience: Duration,
    /// Whether to wait for more when there is nothing to play; otherwise work ends then.
    pub waits: bool,
    /// Ends work when it is raised. Games under way are played again by others.
    pub stop: StopFlag,
}

/// How long the games of one claim may take: so much is lost when a worker dies.
const AT_A_TIME: Duration = Duration::from_secs(5);
/// The most games of one claim.
const MOST: f64 = 64.0;
/// A game that takes longer than this has gone wrong, and is given to others.
const STALL: Duration = Duration::from_hours(1);
/// How long to wait when there is nothing to play.
const LOOK_AGAIN: Duration = Duration::from_millis(200);

/// What is told of the work.
#[derive(Clone, Copy, Debug)]
pub enum WorkEvent<'a> {
    /// So many games more were stored.
    Stored(u64),
    /// The store could not be reached; it is tried again.
    Trouble(&'a StoreError),
}

/// Plays games of a run until there are no more, and gives how many were stored. Must not be called where asynchronous code runs.
///
/// # Errors
/// If the store does not work for longer than the patience, or the games cannot be played here.
pub fn work(
    store: &Store,
    run: &Run,
    working: &Working,
    runtime: &Handle,
    told: &(dyn Fn(WorkEvent<'_>) + Sync),
) -> Result<u64, LearnError> {
    let other = |own| LearnError::OtherVersion {
        leads: run.version.clone(),
        own,
    };
    // A plan of another version may have other keys.
    let written =
        Written::read(&run.plan).map_err(|_| other(env!("CARGO_PKG_VERSION").to_owned()))?;
    let own = version(&written.plan)?;
    if run.version != own {
        return Err(other(own));
    }
    let weights = tempfile::tempdir().map_err(|why| LearnError::File {
        path: std::env::temp_dir(),
        why,
    })?;
    let machine = jobs::machine();
    let id = jobs::worker(&machine);
    let row = Worker {
        id: id.clone(),
        process: i64::from(std::process::id()),
        threads: working.threads as i64,
        version: env!("CARGO_PKG_VERSION").to_owned(),
        reference: 0.0,
        started: 0.0,
        silent: 0.0,
        stuck: 0,
        ended: false,
        machine,
    };
    let player = Player {
        store,
        run,
        written: &written,
        working,
        runtime,
        told,
        weights: weights.path(),
        fetching: Mutex::default(),
        heartbeats: Heartbeats::new(working.threads, working.lease, STALL),
        failed: AtomicBool::new(false),
        stored: AtomicU64::new(0),
    };
    player.patiently(async || store.jobs().greet(&row).await)?;
    player.patiently(async || store.jobs().reap(&row.machine, jobs::is_alive).await)?;
    let done = AtomicBool::new(false);
    let played = thread::scope(|scope| {
        let threads: Vec<_> = (0..working.threads)
            .map(|thread| {
                let (player, name) = (&player, format!("{id}#{thread}"));
                scope.spawn(move || {
                    let game = player.written.plan.game;
                    let played = with_subject!(game, S => player.play::<S>(thread, &name));
                    if played.is_err() {
                        player.failed.store(true, Ordering::Relaxed);
                    }
                    played
                })
            })
            .collect();
        scope.spawn(|| {
            let told = |_, kept: Result<(), StoreError>| {
                if let Err(why) = kept {
                    player.tell(&why);
                }
            };
            runtime.block_on(player.heartbeats.keep(store.jobs(), &id, &done, told));
        });
        let mut played = Ok(());
        for thread in threads {
            let ended = thread.join();
            played =
                played.and(ended.unwrap_or_else(|_| {
                    Err(LearnError::Player("a game has broken down".to_owned()))
                }));
        }
        done.store(true, Ordering::Relaxed);
        played
    });
    // Whoever looks sees it by its silence too.
    let _ = runtime.block_on(store.jobs().seen(&id, 0, true));
    played?;
    Ok(player.stored.into_inner())
}

/// What the threads of a worker share.
struct Player<'a> {
    store: &'a Store,
    run: &'a Run,
    written: &'a Written,
    working: &'a Working,
    runtime: &'a Handle,
    told: &'a (dyn Fn(WorkEvent<'_>) + Sync),
    /// The folder of weights that were fetched.
    weights: &'a Path,
    /// Held by the thread that fetches some.
    fetching: Mutex<()>,
    heartbeats: Heartbeats,
    failed: AtomicBool,
    stored: AtomicU64,
}

impl Player<'_> {
    fn tell(&self, why: &StoreError) {
        (self.told)(WorkEvent::Trouble(why));
    }

    fn is_over(&self) -> bool {
        self.working.stop.is_raised() || self.failed.load(Ordering::Relaxed)
    }

    /// Does something with the store, again while what is wrong with it may pass.
    fn patiently<T>(
        &self,
        action: impl AsyncFn() -> Result<T, StoreError>,
    ) -> Result<T, StoreError> {
        self.runtime.block_on(jobs::patiently(
            self.working.patience,
            || !self.is_over(),
            |why| self.tell(why),
            action,
        ))
    }

    fn play<S: Subject>(&self, thread: usize, name: &str) -> Result<(), LearnError> {
        let players = Players::<S>::new(&self.written.plan, self.weights)?;
        let (queue, lease) = (self.run.queue(), self.working.lease);
        let jobs = self.store.jobs();
        let mut count = 1.0;
        while !self.is_over() {
            let claimed: Vec<Claimed<Task>> =
                self.patiently(async || jobs.claim(&queue, name, count as usize, lease).await)?;
            if claimed.is_empty() {
                if !self.working.waits {
                    break;
                }
                thread::sleep(LOOK_AGAIN);
                continue;
            }
            let leases: Vec<_> = claimed
                .iter()
                .map(|claimed| claimed.lease.clone())
                .collect();
            self.heartbeats.step(thread, Some(leases.clone()), None);
            let began = Instant::now();
            let mut made = Vec::with_capacity(claimed.len());
            for Claimed { lease, payload } in claimed {
                match self.fetch(&payload) {
                    // The run was finished since, and nobody waits for it.
                    Err(LearnError::NoWeights(_)) if self.is_gone()? => return Ok(()),
                    fetched => fetched?,
                }
                let stop = &self.working.stop;
                let plan = &self.written.plan;
                let Some(record) = payload.perform(plan, &players, number(lease.job), stop)? else {
                    break;
                };
                made.push((lease, record));
                self.heartbeats.step(thread, None, None);
            }
            let pace = began.elapsed().as_secs_f64() / made.len().max(1) as f64;
            count = (AT_A_TIME.as_secs_f64() / pace.max(1e-6)).clamp(1.0, MOST);
            let stored = self.patiently(async || self.store.store(self.run, &made).await)?;
            self.stored.fetch_add(stored, Ordering::Relaxed);
            (self.told)(WorkEvent::Stored(stored));
            self.heartbeats.step(thread, Some(Vec::new()), None);
            if made.len() < leases.len() {
                self.patiently(async || jobs.release(&leases[made.len()..]).await)?;
            }
        }
        Ok(())
    }

    /// Whether the store does not have the run any more.
    fn is_gone(&self) -> Result<bool, StoreError> {
        let runs = self.patiently(async || self.store.runs().await)?;
        let is_open = |run: &Run| run.id == self.run.id && !run.is_finished;
        Ok(!runs.iter().any(is_open))
    }

    /// Sees to it that the weights of a task are in the folder.
    fn fetch(&self, task: &Task) -> Result<(), LearnError> {
        let _turn = self.fetching.lock().unwrap_or_else(PoisonError::into_inner);
        for hash in task.weights() {
            let path = self.weights.join(format!("{hash}.weights"));
            if path.exists() {
                continue;
            }
            let bytes = self.patiently(async || self.store.weights(self.run, hash).await)?;
            let bytes = bytes.ok_or_else(|| LearnError::NoWeights(hash.clone()))?;
            let written = replace_file(&path, |file| file.write_all(&bytes));
            crate::error::of_file(&path, written)?;
        }
        Ok(())
    }
}
