//! What a thread may play: pairs that are leased to it.

use super::{Event, WorkerPool, lock};
use crate::experiment::{Experiment, ExperimentError, Scale};
use crate::store::{ExperimentRow, Lease, PublishError, StoreError};
use crate::table::Loaded;
use std::collections::hash_map::Entry;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// How often it is asked which experiments there are.
const LIST_AGAIN: Duration = Duration::from_secs(5);

impl WorkerPool<'_> {
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
            let options = &self.options;
            if options.only.as_ref().is_some_and(|only| *only != row.id)
                || options.left_out.contains(&row.id)
            {
                continue;
            }
            let known = lock(&self.loaded).get(&row.id).cloned();
            let loaded = if let Some(loaded) = known {
                loaded
            } else {
                let loaded = self.load(&row).await?;
                let loaded = self.keep(&row, loaded);
                self.greet().await?;
                loaded
            };
            experiments.extend(loaded);
        }
        *lock(&self.listed) = Some((Instant::now(), experiments.clone()));
        Ok(experiments)
    }

    /// An experiment of the store, or why it is left to others: this version of the program reads something else in it,
    /// or plays it with other weights than those with which it was begun.
    async fn load(&self, row: &ExperimentRow) -> Result<Result<Loaded, String>, StoreError> {
        let loaded = match self.read(row) {
            Ok(loaded) => loaded,
            Err(why) => return Ok(Err(why.to_string())),
        };
        match self.store.note_weights(row, &loaded.weights()).await {
            Ok(()) => Ok(Ok(loaded)),
            Err(PublishError::Store(error)) => Err(error),
            Err(PublishError::Weights { why, .. }) => Ok(Err(why.to_string())),
        }
    }

    /// Keeps what came of [`load`](WorkerPool::load), unless another thread was faster; tells once of what is left out.
    fn keep(&self, row: &ExperimentRow, loaded: Result<Loaded, String>) -> Option<Arc<Loaded>> {
        let (loaded, why) = match loaded {
            Ok(loaded) => (Some(Arc::new(loaded)), None),
            Err(why) => (None, Some(why)),
        };
        match lock(&self.loaded).entry(row.id.clone()) {
            Entry::Occupied(known) => return known.get().clone(),
            Entry::Vacant(new) => new.insert(loaded.clone()),
        };
        if let Some(why) = why {
            let told = format!("{} ({}) is not played here: {why}", row.name, row.id);
            (self.listener)(Event::LeftOut(row.id.clone(), told));
        }
        loaded
    }

    fn read(&self, row: &ExperimentRow) -> Result<Loaded, ExperimentError> {
        let scale: Scale = row.scale.parse()?;
        let experiment = Experiment::read(&row.file, scale)?;
        if experiment.id != row.id {
            let why = "another version of the program has stored it";
            return Err(ExperimentError::new(why));
        }
        crate::table::check(&experiment)?;
        Loaded::new(experiment, self.heartbeats.threads())
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
}
