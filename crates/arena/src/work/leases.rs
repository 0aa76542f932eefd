//! What a thread may play: leases that are taken, and kept while the thread is alive.

use super::{Event, Shop, lock};
use crate::experiment::{Experiment, Scale};
use crate::store::{ExperimentRow, Lease, StoreError};
use crate::table::Loaded;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// How often it is asked which experiments there are.
const LIST_AGAIN: Duration = Duration::from_secs(5);

/// The time between two looks at whether all is done.
const LOOK: Duration = Duration::from_millis(20);

/// What a thread is doing.
pub(super) struct Pulse {
    pub leases: Vec<Lease>,
    pub since: Instant,
    /// How long the present step may take.
    pub allowed: Duration,
}

impl Shop<'_> {
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
    pub(super) async fn claim(
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

    /// Notes what a thread does now: which leases it has, where that changes, and how long it may take.
    pub(super) fn step(&self, thread: usize, leases: Option<&[Lease]>, at_most: Option<Duration>) {
        let mut pulse = lock(&self.pulses[thread]);
        pulse.since = Instant::now();
        pulse.allowed = at_most.map_or(self.options.stall, |time| time + self.options.lease);
        if let Some(leases) = leases {
            pulse.leases = leases.to_vec();
        }
    }

    /// Keeps the leases of threads that are not stuck.
    pub(super) async fn keep(&self, done: &AtomicBool) {
        let pause = self.options.lease / 3;
        let mut last = Instant::now();
        while !done.load(Ordering::Relaxed) {
            tokio::time::sleep(pause.min(LOOK)).await;
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
            let told = async {
                self.store.extend(&leases, self.options.lease).await?;
                self.store.seen(&self.worker, stuck, false).await
            };
            // A store that does not answer holds up nobody at the end.
            let told = tokio::select! {
                told = told => told,
                () = ended(done) => return,
            };
            if let Err(error) = told {
                (self.listener)(Event::Trouble(error.to_string()));
            }
        }
    }
}

/// Ends when there is nothing left to be done.
async fn ended(done: &AtomicBool) {
    while !done.load(Ordering::Relaxed) {
        tokio::time::sleep(LOOK).await;
    }
}
