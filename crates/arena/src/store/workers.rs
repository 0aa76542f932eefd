//! Who works.

use super::{Store, StoreError, WorkerRow};
use sqlx::Row;
use sqlx::any::AnyRow;

impl Store {
    /// Tells that a worker is there.
    ///
    /// # Errors
    /// If the store cannot be written.
    pub async fn greet(&self, worker: &WorkerRow) -> Result<(), StoreError> {
        let text =
            "INSERT INTO workers (id, machine, process, threads, version, reference, started, seen)
            VALUES ($1, $2, $3, $4, $5, $6, {now}, {now})
            ON CONFLICT (id) DO UPDATE SET reference = excluded.reference, seen = excluded.seen";
        let query = sqlx::query(self.sql(text))
            .bind(worker.id.clone())
            .bind(worker.machine.clone());
        let query = query
            .bind(worker.process)
            .bind(worker.threads)
            .bind(worker.version.clone());
        let query = query.bind(worker.reference);
        query
            .execute(&self.pool)
            .await
            .map_err(|error| self.error(&error))?;
        Ok(())
    }

    /// Tells that a worker is still there, with so many threads whose move takes longer than it may.
    ///
    /// # Errors
    /// If the store cannot be written.
    pub async fn seen(&self, worker: &str, stuck: usize, ended: bool) -> Result<(), StoreError> {
        let text = "UPDATE workers SET seen = {now}, stuck = $1, ended = $2 WHERE id = $3";
        let query = sqlx::query(self.sql(text))
            .bind(stuck as i64)
            .bind(i64::from(ended));
        query
            .bind(worker.to_owned())
            .execute(&self.pool)
            .await
            .map_err(|error| self.error(&error))?;
        Ok(())
    }

    /// All workers, the oldest first.
    ///
    /// # Errors
    /// If the store cannot be read.
    pub async fn workers(&self) -> Result<Vec<WorkerRow>, StoreError> {
        let text = "SELECT w.id, w.machine, w.process, w.threads, w.version, w.reference, w.started,
                {now} - w.seen, w.stuck, w.ended, COUNT(g.pair),
                COUNT(CASE WHEN g.finished > {now} - 60 THEN 1 END)
            FROM workers w LEFT JOIN games g ON g.worker LIKE w.id || '#%'
            GROUP BY w.id, w.machine, w.process, w.threads, w.version, w.reference, w.started, w.seen,
                w.stuck, w.ended ORDER BY w.started, w.id";
        let rows = sqlx::query(self.sql(text))
            .fetch_all(&self.pool)
            .await
            .map_err(|error| self.error(&error))?;
        let row = |row: &AnyRow| {
            Ok(WorkerRow {
                id: row.try_get(0)?,
                machine: row.try_get(1)?,
                process: row.try_get(2)?,
                threads: row.try_get(3)?,
                version: row.try_get(4)?,
                reference: row.try_get(5)?,
                started: row.try_get(6)?,
                silent: row.try_get(7)?,
                stuck: row.try_get(8)?,
                ended: row.try_get::<i64, _>(9)? != 0,
                games: row.try_get(10)?,
                last_minute: row.try_get(11)?,
            })
        };
        rows.iter()
            .map(row)
            .collect::<Result<_, _>>()
            .map_err(|error| self.error(&error))
    }

    /// Ends the leases of workers of a machine whose processes are gone, so that nobody has to wait for
    /// their deadlines.
    ///
    /// # Errors
    /// If the store cannot be written.
    pub async fn bury(
        &self,
        machine: &str,
        is_alive: impl Fn(&str) -> bool,
    ) -> Result<(), StoreError> {
        let text = "SELECT id FROM workers WHERE machine = $1 AND ended = 0";
        let query = sqlx::query_scalar(text).bind(machine.to_owned());
        let ids: Vec<String> = query
            .fetch_all(&self.pool)
            .await
            .map_err(|error| self.error(&error))?;
        for id in ids.into_iter().filter(|id| !is_alive(id)) {
            for text in [
                "UPDATE pairs SET deadline = 0 WHERE state = 0 AND worker LIKE $1 || '#%'",
                "UPDATE workers SET ended = 1 WHERE id = $1",
            ] {
                let query = sqlx::query(text).bind(id.clone());
                query
                    .execute(&self.pool)
                    .await
                    .map_err(|error| self.error(&error))?;
            }
        }
        Ok(())
    }
}
