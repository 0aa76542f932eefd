//! Who works, and how much each has done.

use super::{Store, StoreError, WorkerRow};

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
        let games = self.jobs.done_by(text).await?;
        let row = |worker: jobs::Worker| {
            let done = games.get(&worker.id).copied().unwrap_or_default();
            WorkerRow {
                worker,
                games: done.all,
                last_minute: done.last_minute,
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
