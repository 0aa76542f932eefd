//! The one task that stores games, in the order in which they come.

use super::{ANSWER, Event, ON_THEIR_WAY, WorkError, WorkerPool};
use crate::store::{Effect, GameRow, Lease, StoreError};
use crate::table::Loaded;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use tokio::sync::mpsc;

/// What a thread hands over to be written.
pub(super) enum Entry {
    /// A game that was played.
    Game(Arc<Loaded>, GameRow),
    /// Leases that are not needed any more, after all games before it are stored.
    Release(Vec<Lease>),
}

impl WorkerPool<'_> {
    /// Stores games, those that have come together in one transaction.
    pub(super) async fn record(&self, mut to_store: mpsc::Receiver<Entry>) {
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
            // Games that were over before a failure are stored if the store is there.
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
                Err(error) => {
                    // What else comes cannot be stored either; nobody is kept waiting for it.
                    self.fail(error.into());
                    to_store.close();
                    return;
                }
            }
            // If this fails they end by themselves.
            let release = tokio::time::timeout(ANSWER, self.store.release(&released)).await;
            if !matches!(release, Ok(Ok(()))) {
                tracing::warn!("leases were not given back");
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
                    let count = self.ledger.0.faults.fetch_add(1, Ordering::Relaxed) + 1;
                    if self.options.max_faults.is_some_and(|most| count >= most) {
                        let last = game.fault.clone();
                        self.fail(WorkError::Faults { count, last });
                    }
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
}
