//! Who works, and how much each has done.

use super::{Store, StoreError, WorkerRow};
use sqlx::Row;
use std::collections::HashMap;

impl Store {
    /// Tells that a worker is there.
    ///
    /// # Errors
    /// If the store cannot be written.
    pub async fn greet(&self, worker: &jobs::Worker) -> Result<(), StoreError> {
        self.jobs.greet(worker).await
    }

    /// Tells that a worker is still there, with so many threads whose move takes longer than it may.
    ///
    /// # Errors
    /// If the store cannot be written.
    pub async fn seen(&self, worker: &str, stuck: usize, ended: bool) -> Result<(), StoreError> {
        self.jobs.seen(worker, stuck, ended).await
    }

    /// All workers, the oldest first.
    ///
    /// # Errors
    /// If the store cannot be read.
    pub async fn workers(&self) -> Result<Vec<WorkerRow>, StoreError> {
        let text = "SELECT worker, COUNT(*), COUNT(CASE WHEN finished > {now} - 60 THEN 1 END)
            FROM games GROUP BY worker";
        let rows = sqlx::query(self.jobs.sql(text))
            .fetch_all(self.jobs.pool())
            .await
            .map_err(|error| self.error(&error))?;
        // Games of all threads of a worker, and those of the last minute.
        let mut games: HashMap<String, (i64, i64)> = HashMap::new();
        for row in &rows {
            let read = || -> Result<(String, i64, i64), sqlx::Error> {
                Ok((row.try_get(0)?, row.try_get(1)?, row.try_get(2)?))
            };
            let (thread, all, last_minute) = read().map_err(|error| self.error(&error))?;
            let worker = thread
                .rsplit_once('#')
                .map_or(&*thread, |(worker, _)| worker);
            let counts = games.entry(worker.to_owned()).or_default();
            counts.0 += all;
            counts.1 += last_minute;
        }
        let row = |worker: jobs::Worker| {
            let (games, last_minute) = games.get(&worker.id).copied().unwrap_or_default();
            WorkerRow {
                worker,
                games,
                last_minute,
            }
        };
        Ok(self.jobs.workers().await?.into_iter().map(row).collect())
    }

    /// Ends the leases of workers of a machine whose processes are gone, so that nobody has to wait for
    /// their deadlines.
    ///
    /// # Errors
    /// If the store cannot be written.
    pub async fn reap(
        &self,
        machine: &str,
        is_alive: impl Fn(&str) -> bool,
    ) -> Result<(), StoreError> {
        self.jobs.reap(machine, is_alive).await
    }
}
