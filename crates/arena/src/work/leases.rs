//! What a thread may play: pairs that are leased to it.

use super::{Event, WorkerPool, lock};
use crate::experiment::{Experiment, Scale};
use crate::store::{ExperimentRow, Lease, StoreError};
use crate::table::Loaded;
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
                Ok(()) => Some(Arc::new(Loaded::new(experiment, self.heartbeats.threads()))),
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
}
