//! Work: threads that lease pairs of games, play them, and hand each game to one task that stores it.
//!
//! A lease belongs to one thread. It is made longer while the thread's move takes no longer than it may;
//! a thread that hangs loses its leases although its process lives, and what it finds later is refused
//! by the store.

use crate::experiment::{Experiment, ExperimentError, Scale};
use crate::machine;
use crate::schedule::{self, Colour};
use crate::store::{Effect, ExperimentRow, GameRow, Lease, Store, StoreError, WorkerRow};
use crate::table::{Loaded, Tables, Unplayed};
use std::collections::HashMap;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
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
    /// Whether to end when nothing is left to play; otherwise new experiments are waited for.
    pub exit_when_idle: bool,
    /// How long to try again when the store cannot be reached.
    pub patience: Duration,
}

impl Default for Options {
    fn default() -> Self {
        Options {
            threads: 1,
            lease: Duration::from_mins(1),
            stall: Duration::from_hours(1),
            only: None,
            exit_when_idle: true,
            patience: Duration::from_mins(1),
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

/// What happens while working.
#[derive(Clone)]
pub enum Event {
    /// A game is stored, and safe.
    Stored(Arc<Loaded>, Arc<GameRow>),
    /// A game was not stored: its lease was over, or it was there already.
    Refused(Arc<GameRow>, Effect),
    /// A point needs no more games: a test has decided.
    Decided(Arc<Loaded>, u64),
    /// The store cannot be reached; it is tried again.
    Trouble(String),
}

/// What a worker has done, for those who watch it. Clones are the same ledger.
#[derive(Clone, Debug, Default)]
pub struct Ledger(Arc<Tally>);

#[derive(Debug, Default)]
struct Tally {
    stored: AtomicUsize,
    refused: AtomicUsize,
    faults: AtomicUsize,
    playing: AtomicUsize,
    stuck: AtomicUsize,
}

impl Ledger {
    /// Games stored.
    pub fn stored(&self) -> usize {
        self.0.stored.load(Ordering::Relaxed)
    }

    /// Games that came too late or twice.
    pub fn refused(&self) -> usize {
        self.0.refused.load(Ordering::Relaxed)
    }

    /// Games that ended by a fault of a player.
    pub fn faults(&self) -> usize {
        self.0.faults.load(Ordering::Relaxed)
    }

    /// Games under way.
    pub fn playing(&self) -> usize {
        self.0.playing.load(Ordering::Relaxed)
    }

    /// Threads whose move takes longer than it may.
    pub fn stuck(&self) -> usize {
        self.0.stuck.load(Ordering::Relaxed)
    }
}

/// Why work ended early. What was stored stays.
#[derive(Debug, Error)]
pub enum WorkError {
    /// The store does not work.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// An experiment cannot be played as it is.
    #[error(transparent)]
    Experiment(#[from] ExperimentError),
    /// A game cannot be played here.
    #[error(transparent)]
    Unplayed(#[from] Unplayed),
}

/// Puts an experiment into the store, ready to be played. What is there of it stays: it continues.
///
/// # Errors
/// If it cannot be played as it is, or the store does not work.
pub async fn publish(store: &Store, loaded: &Loaded) -> Result<(), WorkError> {
    let experiment = &loaded.experiment;
    let row = ExperimentRow {
        id: experiment.id.clone(),
        name: experiment.name.clone(),
        scale: experiment.scale.to_string(),
        file: experiment.text.clone(),
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

/// What a thread hands over to be written.
enum Entry {
    /// A game that was played.
    Game(Arc<Loaded>, GameRow),
    /// Leases that are not needed any more, after all games before it are stored.
    Release(Vec<Lease>),
}

/// What a thread is doing.
struct Pulse {
    leases: Vec<Lease>,
    since: Instant,
    /// How long the present step may take.
    allowed: Duration,
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// What the threads and tasks of a worker share.
struct Shop<'a> {
    store: Store,
    options: Options,
    stop: Stop,
    machine: String,
    worker: String,
    loaded: Mutex<HashMap<String, Option<Arc<Loaded>>>>,
    listed: Mutex<Option<(Instant, Vec<Arc<Loaded>>)>>,
    pulses: Vec<Mutex<Pulse>>,
    ledger: Ledger,
    failure: Mutex<Option<WorkError>>,
    listener: &'a (dyn Fn(Event) + Sync),
}

/// Games on their way to the store.
const ON_THEIR_WAY: usize = 256;
/// The longest wait between two looks for something to play.
const LOOK_AGAIN: Duration = Duration::from_millis(200);
/// How often it is asked which experiments there are.
const LIST_AGAIN: Duration = Duration::from_secs(5);
/// The most pairs leased at once.
const MAX_BATCH: usize = 64;
/// How long a batch of pairs should last.
const BATCH: Duration = Duration::from_secs(1);

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
    let machine = machine::machine();
    let known = loaded
        .into_iter()
        .map(|loaded| (loaded.experiment.id.clone(), Some(loaded)));
    let pulse = || Pulse {
        leases: Vec::new(),
        since: Instant::now(),
        allowed: options.stall,
    };
    let shop = Shop {
        store: store.clone(),
        options: options.clone(),
        stop: stop.clone(),
        worker: machine::worker(&machine),
        machine,
        loaded: Mutex::new(known.collect()),
        listed: Mutex::new(None),
        pulses: (0..options.threads.max(1))
            .map(|_| Mutex::new(pulse()))
            .collect(),
        ledger: ledger.clone(),
        failure: Mutex::new(None),
        listener,
    };
    shop.greet().await?;
    store.bury(&shop.machine, machine::is_alive).await?;
    let (games, to_store) = mpsc::channel(ON_THEIR_WAY);
    let handle = Handle::current();
    let done = AtomicBool::new(false);
    tokio::task::block_in_place(|| {
        std::thread::scope(|scope| {
            let keeper = scope.spawn(|| handle.block_on(shop.keep(&done)));
            let recorder = scope.spawn(|| handle.block_on(shop.record(to_store)));
            let players: Vec<_> = (0..shop.pulses.len())
                .map(|thread| {
                    let (shop, games, handle) = (&shop, games.clone(), handle.clone());
                    scope.spawn(move || shop.play(thread, &games, &handle))
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
    let failure = lock(&shop.failure).take();
    let goodbye = store.seen(&shop.worker, 0, true).await;
    match failure {
        Some(failure) => Err(failure),
        None => Ok(goodbye?),
    }
}

impl Shop<'_> {
    /// Tells the store of this worker, and how fast its machine is where that was measured.
    async fn greet(&self) -> Result<(), StoreError> {
        let measured = |loaded: &Arc<Loaded>| {
            crate::needs_reference(&loaded.experiment).then_some(loaded.reference)
        };
        let reference = lock(&self.loaded).values().flatten().find_map(measured);
        let row = WorkerRow {
            id: self.worker.clone(),
            machine: self.machine.clone(),
            process: i64::from(std::process::id()),
            threads: self.pulses.len() as i64,
            version: env!("CARGO_PKG_VERSION").to_owned(),
            reference: reference.unwrap_or(0.0),
            started: 0.0,
            silent: 0.0,
            stuck: 0,
            ended: false,
            games: 0,
            last_minute: 0,
        };
        self.store.greet(&row).await
    }

    fn fail(&self, error: WorkError) {
        lock(&self.failure).get_or_insert(error);
        self.stop.raise();
    }

    /// Does something with the store, again while what is wrong with it may pass.
    async fn patiently<T, F>(&self, action: impl Fn() -> F) -> Result<T, StoreError>
    where
        F: Future<Output = Result<T, StoreError>>,
    {
        let started = Instant::now();
        loop {
            match action().await {
                Err(error) if error.passing && started.elapsed() < self.options.patience => {
                    (self.listener)(Event::Trouble(error.to_string()));
                    tokio::time::sleep(Duration::from_millis(500)).await;
                }
                result => return result,
            }
        }
    }

    /// Keeps the leases of threads that are not stuck.
    async fn keep(&self, done: &AtomicBool) {
        let pause = self.options.lease / 3;
        let mut last = Instant::now();
        while !done.load(Ordering::Relaxed) {
            tokio::time::sleep(pause.min(Duration::from_millis(20))).await;
            if last.elapsed() < pause {
                continue;
            }
            last = Instant::now();
            let mut leases = Vec::new();
            let mut stuck = 0;
            for pulse in &self.pulses {
                let pulse = lock(pulse);
                if pulse.since.elapsed() <= pulse.allowed {
                    leases.extend(pulse.leases.iter().cloned());
                } else {
                    stuck += 1;
                }
            }
            self.ledger.0.stuck.store(stuck, Ordering::Relaxed);
            let kept = self.store.extend(&leases, self.options.lease).await;
            let seen = self.store.seen(&self.worker, stuck, false).await;
            if let Err(error) = kept.and(seen) {
                (self.listener)(Event::Trouble(error.to_string()));
            }
        }
    }

    /// Stores games, those that have come together in one transaction.
    async fn record(&self, mut to_store: mpsc::Receiver<Entry>) {
        let mut batch = Vec::new();
        while to_store.recv_many(&mut batch, ON_THEIR_WAY).await > 0 {
            let (mut loaded, mut games, mut released) = (Vec::new(), Vec::new(), Vec::new());
            for entry in batch.drain(..) {
                match entry {
                    Entry::Game(of, game) => {
                        loaded.push(of);
                        games.push(game);
                    }
                    Entry::Release(leases) => released.extend(leases),
                }
            }
            let effects = if games.is_empty() {
                Ok(Vec::new())
            } else {
                self.patiently(|| self.store.record(&games)).await
            };
            match effects {
                Ok(effects) => {
                    let games: Vec<_> = loaded.into_iter().zip(games).collect();
                    if let Err(error) = self.told(&games, &effects).await {
                        self.fail(error.into());
                    }
                }
                Err(error) => self.fail(error.into()),
            }
            // If this fails they end by themselves.
            if let Err(error) = self.store.release(&released).await {
                tracing::warn!(%error, "leases were not given back");
            }
        }
    }

    async fn told(
        &self,
        games: &[(Arc<Loaded>, GameRow)],
        effects: &[Effect],
    ) -> Result<(), StoreError> {
        let mut touched: Vec<(Arc<Loaded>, u64)> = Vec::new();
        for ((loaded, game), &effect) in games.iter().zip(effects) {
            if effect == Effect::Stored {
                self.ledger.0.stored.fetch_add(1, Ordering::Relaxed);
                if !game.fault.is_empty() {
                    self.ledger.0.faults.fetch_add(1, Ordering::Relaxed);
                }
                let known = |(other, point): &(Arc<Loaded>, u64)| {
                    Arc::ptr_eq(other, loaded) && *point == game.point
                };
                if !touched.iter().any(known) {
                    touched.push((loaded.clone(), game.point));
                }
                (self.listener)(Event::Stored(loaded.clone(), Arc::new(game.clone())));
            } else {
                self.ledger.0.refused.fetch_add(1, Ordering::Relaxed);
                (self.listener)(Event::Refused(Arc::new(game.clone()), effect));
            }
        }
        for (loaded, point) in touched {
            let experiment = &loaded.experiment;
            if experiment.stop == crate::experiment::Stop::Fixed {
                continue;
            }
            let scores = self.store.scores(&experiment.id, Some(point)).await?;
            let score = scores.get(&point).copied().unwrap_or_default();
            if crate::verdict::verdict(&experiment.stop, &score) != statistics::Verdict::Open {
                self.store.close_point(&experiment.id, point).await?;
                (self.listener)(Event::Decided(loaded.clone(), point));
            }
        }
        Ok(())
    }

    /// The experiments that this worker can play and that are not finished, the oldest first. They are
    /// asked for once in a while only: what they are is not what changes.
    async fn experiments(&self) -> Result<Vec<Arc<Loaded>>, StoreError> {
        if let Some((when, listed)) = &*lock(&self.listed)
            && when.elapsed() < LIST_AGAIN
            && !listed.is_empty()
        {
            return Ok(listed.clone());
        }
        let mut experiments = Vec::new();
        for row in self.store.unfinished().await? {
            if self
                .options
                .only
                .as_ref()
                .is_some_and(|only| *only != row.id)
            {
                continue;
            }
            let known = lock(&self.loaded).get(&row.id).cloned();
            let loaded = if let Some(loaded) = known {
                loaded
            } else {
                let loaded = self.load(&row);
                let loaded = lock(&self.loaded).entry(row.id).or_insert(loaded).clone();
                self.greet().await?;
                loaded
            };
            experiments.extend(loaded);
        }
        *lock(&self.listed) = Some((Instant::now(), experiments.clone()));
        Ok(experiments)
    }

    /// An experiment of the store; `None` if this version of the program reads something else in it.
    fn load(&self, row: &ExperimentRow) -> Option<Arc<Loaded>> {
        let trouble = |why: String| {
            (self.listener)(Event::Trouble(format!(
                "{} ({}) is not played here: {why}",
                row.name, row.id
            )));
            None
        };
        let read = row
            .scale
            .parse()
            .and_then(|scale: Scale| Experiment::read(&row.file, scale));
        match read {
            Err(error) => trouble(error.to_string()),
            Ok(experiment) if experiment.id != row.id => {
                trouble("another version of the program has stored it".to_owned())
            }
            Ok(experiment) => match crate::table::check(&experiment) {
                Err(error) => trouble(error.to_string()),
                Ok(()) => Some(Arc::new(Loaded::new(experiment, self.pulses.len()))),
            },
        }
    }

    /// Leases pairs for a thread. Without any, tells whether there may be some later.
    async fn claim(
        &self,
        thread: usize,
        count: usize,
    ) -> Result<(Option<Arc<Loaded>>, Vec<Lease>, bool), StoreError> {
        let worker = format!("{}#{thread}", self.worker);
        let experiments = self.experiments().await?;
        for loaded in &experiments {
            let id = &loaded.experiment.id;
            let leases = self
                .store
                .claim(id, &worker, count, self.options.lease)
                .await?;
            if !leases.is_empty() {
                return Ok((Some(loaded.clone()), leases, true));
            }
        }
        // What others play may come back; whether it does is asked anew.
        *lock(&self.listed) = None;
        let later = !self.options.exit_when_idle || !self.experiments().await?.is_empty();
        Ok((None, Vec::new(), later))
    }

    /// The life of a thread that plays.
    fn play(&self, thread: usize, games: &mpsc::Sender<Entry>, handle: &Handle) {
        let mut tables = Tables::default();
        let mut count = 1;
        while !self.stop.is_raised() {
            let claimed = handle.block_on(self.patiently(|| self.claim(thread, count)));
            let (loaded, leases) = match claimed {
                Err(error) => return self.fail(error.into()),
                Ok((Some(loaded), leases, _)) => (loaded, leases),
                Ok((_, _, true)) => {
                    std::thread::sleep(LOOK_AGAIN);
                    continue;
                }
                Ok((_, _, false)) => return,
            };
            self.step(thread, Some(&leases), None);
            let started = Instant::now();
            let mut left = leases.as_slice();
            while let Some((lease, rest)) = left.split_first() {
                if self.stop.is_raised() {
                    break;
                }
                match self.play_pair(thread, &mut tables, &loaded, lease, games) {
                    Ok(true) => left = rest,
                    Ok(false) => break,
                    Err(error) => {
                        self.fail(error.into());
                        break;
                    }
                }
            }
            self.step(thread, Some(&[]), None);
            if !left.is_empty() {
                let _ = games.blocking_send(Entry::Release(left.to_vec()));
            }
            let each = started.elapsed() / leases.len() as u32;
            let fitting = BATCH.as_nanos() / each.as_nanos().max(1);
            count = fitting.clamp(1, (2 * leases.len()).min(MAX_BATCH) as u128) as usize;
        }
    }

    /// Notes what a thread does now: which leases it has, where that changes, and how long it may take.
    fn step(&self, thread: usize, leases: Option<&[Lease]>, at_most: Option<Duration>) {
        let mut pulse = lock(&self.pulses[thread]);
        pulse.since = Instant::now();
        pulse.allowed = at_most.map_or(self.options.stall, |time| time + self.options.lease);
        if let Some(leases) = leases {
            pulse.leases = leases.to_vec();
        }
    }

    /// Plays the games of a pair that are not stored; `false` if asked to stop in between.
    fn play_pair(
        &self,
        thread: usize,
        tables: &mut Tables,
        loaded: &Arc<Loaded>,
        lease: &Lease,
        games: &mpsc::Sender<Entry>,
    ) -> Result<bool, Unplayed> {
        let pair = schedule::pair(&loaded.experiment, lease.pair);
        for colour in Colour::BOTH {
            if lease.stored[colour.index() as usize] {
                continue;
            }
            if self.stop.is_raised() {
                return Ok(false);
            }
            self.ledger.0.playing.fetch_add(1, Ordering::Relaxed);
            let game = tables.play(loaded, pair, colour, &|at_most| {
                self.step(thread, None, at_most);
            });
            self.ledger.0.playing.fetch_sub(1, Ordering::Relaxed);
            let game = game?;
            self.step(thread, None, None);
            let row = GameRow {
                experiment: lease.experiment.clone(),
                pair: lease.pair,
                colour: colour.index(),
                point: pair.point as u64,
                score: game.score,
                reason: game.reason,
                fault: game.fault,
                plies: game.moves.len() as u64,
                seconds: game.time.as_secs_f64(),
                worker: lease.worker.clone(),
                generation: lease.generation,
                finished: 0.0,
                sgf: game.sgf,
                turns: game.turns,
            };
            if games
                .blocking_send(Entry::Game(loaded.clone(), row))
                .is_err()
            {
                return Ok(false);
            }
        }
        Ok(true)
    }
}
