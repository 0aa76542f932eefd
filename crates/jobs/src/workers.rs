//! Who works.

use crate::{Store, StoreError};
use serde::{Deserialize, Serialize};
use sqlx::any::AnyRow;
use sqlx::{AnyConnection, Row};
use std::collections::HashMap;

/// A worker as the store knows it. What it holds is under its name and the number of one of its threads: `name#0`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Worker {
    /// Its name: machine, process, moment of its start; see [`worker`](crate::worker()).
    pub id: String,
    /// The machine.
    pub machine: String,
    /// The process.
    pub process: i64,
    /// Jobs at a time.
    pub threads: i64,
    /// The version of the program.
    pub version: String,
    /// Seconds of the machine for one of a reference machine; 0 where it was not measured.
    pub reference: f64,
    /// When it began, in seconds since 1970.
    pub started: f64,
    /// Seconds since it was last heard of.
    pub silent: f64,
    /// Threads whose step takes longer than it may.
    pub stuck: i64,
    /// Whether it has ended in order.
    pub ended: bool,
}

/// What a worker did, in a unit of the work: games, nodes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Done {
    /// In all.
    pub all: i64,
    /// Within the last minute.
    pub last_minute: i64,
}

/// The worker of a thread as it is named in leases.
pub fn worker_of(thread: &str) -> &str {
    thread.rsplit_once('#').map_or(thread, |(worker, _)| worker)
}

impl Store {
    /// Tells that a worker is there.
    ///
    /// # Errors
    /// If the store cannot be written.
    pub async fn greet(&self, worker: &Worker) -> Result<(), StoreError> {
        let text =
            "INSERT INTO job_workers (id, machine, process, threads, version, reference, started, seen)
            VALUES ($1, $2, $3, $4, $5, $6, {now}, {now})
            ON CONFLICT (id) DO UPDATE SET reference = excluded.reference, seen = excluded.seen, ended = 0";
        let query = sqlx::query(self.sql(text))
            .bind(worker.id.clone())
            .bind(worker.machine.clone());
        let query = query
            .bind(worker.process)
            .bind(worker.threads)
            .bind(worker.version.clone());
        let greeted = query.bind(worker.reference).execute(self.pool()).await;
        greeted.map_err(|error| self.error(&error))?;
        Ok(())
    }

    /// Tells that a worker is still there, with so many threads whose step takes longer than it may.
    ///
    /// # Errors
    /// If the store cannot be written.
    pub async fn seen(&self, worker: &str, stuck: usize, ended: bool) -> Result<(), StoreError> {
        let text = "UPDATE job_workers SET seen = {now}, stuck = $1, ended = $2 WHERE id = $3";
        let query = sqlx::query(self.sql(text)).bind(stuck as i64);
        let query = query.bind(i64::from(ended)).bind(worker.to_owned());
        let told = query.execute(self.pool()).await;
        told.map_err(|error| self.error(&error))?;
        Ok(())
    }

    /// All workers, the oldest first.
    ///
    /// # Errors
    /// If the store cannot be read.
    pub async fn workers(&self) -> Result<Vec<Worker>, StoreError> {
        let text =
            "SELECT id, machine, process, threads, version, reference, started, {now} - seen, stuck, ended
            FROM job_workers ORDER BY started, id";
        let rows = sqlx::query(self.sql(text)).fetch_all(self.pool()).await;
        let rows = rows.map_err(|error| self.error(&error))?;
        let read = |row: &AnyRow| {
            Ok(Worker {
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
            })
        };
        let workers: Result<_, sqlx::Error> = rows.iter().map(read).collect();
        workers.map_err(|error| self.error(&error))
    }

    /// Whether there is another worker than that of a thread as it is named in leases, of which something was heard within so
    /// many seconds.
    ///
    /// # Errors
    /// If the store cannot be read.
    pub async fn has_other(
        &self,
        connection: &mut AnyConnection,
        thread: &str,
        seconds: f64,
    ) -> Result<bool, StoreError> {
        let text =
            "SELECT COUNT(*) FROM job_workers WHERE ended = 0 AND id <> $1 AND seen > {now} - $2";
        let query = sqlx::query_scalar(self.sql(text)).bind(worker_of(thread).to_owned());
        let others: Result<i64, _> = query.bind(seconds).fetch_one(connection).await;
        Ok(others.map_err(|error| self.error(&error))? > 0)
    }

    /// What each worker did: the sum over its threads of what a query gives, which are rows of a thread as it is named in
    /// leases, [`Done::all`] and [`Done::last_minute`].
    ///
    /// # Errors
    /// If the store cannot be read.
    pub async fn done_by(&self, query: &str) -> Result<HashMap<String, Done>, StoreError> {
        let rows = sqlx::query(self.sql(query)).fetch_all(self.pool()).await;
        let rows = rows.map_err(|error| self.error(&error))?;
        let mut done: HashMap<String, Done> = HashMap::new();
        for row in &rows {
            let read = || -> Result<(String, i64, i64), sqlx::Error> {
                Ok((row.try_get(0)?, row.try_get(1)?, row.try_get(2)?))
            };
            let (thread, all, last_minute) = read().map_err(|error| self.error(&error))?;
            let sums = done.entry(worker_of(&thread).to_owned()).or_default();
            sums.all += all;
            sums.last_minute += last_minute;
        }
        Ok(done)
    }

    /// Ends the leases of workers of a machine whose processes are gone, so that nobody has to wait for their deadlines.
    ///
    /// # Errors
    /// If the store cannot be written.
    pub async fn reap(
        &self,
        machine: &str,
        is_alive: impl Fn(&str) -> bool,
    ) -> Result<(), StoreError> {
        let mut ids = self.unended(machine).await?;
        ids.retain(|id| !is_alive(id));
        self.reap_these(&ids).await
    }

    /// The workers of a machine that have not ended in order: they work, or their processes are gone.
    ///
    /// # Errors
    /// If the store cannot be read.
    pub async fn unended(&self, machine: &str) -> Result<Vec<String>, StoreError> {
        let text = "SELECT id FROM job_workers WHERE machine = $1 AND ended = 0";
        let query = sqlx::query_scalar(text).bind(machine.to_owned());
        let ids = query.fetch_all(self.pool()).await;
        ids.map_err(|error| self.error(&error))
    }

    /// Ends the leases of workers whose processes are gone.
    ///
    /// # Errors
    /// If the store cannot be written.
    pub async fn reap_these(&self, ids: &[String]) -> Result<(), StoreError> {
        for id in ids {
            for text in [
                "UPDATE jobs SET deadline = 0 WHERE state = 0 AND worker LIKE $1 || '#%'",
                "UPDATE job_workers SET ended = 1 WHERE id = $1",
            ] {
                let done = sqlx::query(text)
                    .bind(id.clone())
                    .execute(self.pool())
                    .await;
                done.map_err(|error| self.error(&error))?;
            }
        }
        Ok(())
    }
}
