//! What is to be done, who does it, and until when.

use crate::connect::Kind;
use crate::lists::{self, lists, places};
use crate::{Store, StoreError};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use sqlx::any::AnyRow;
use sqlx::{AnyConnection, AssertSqlSafe, Row};
use std::collections::{BTreeSet, HashMap, HashSet};
use std::time::Duration;

/// What a job is about. It is stored as JSON; what is large belongs into a table of its own, by its hash.
pub trait Payload: Serialize + DeserializeOwned {
    /// The kind of the jobs that have it.
    const KIND: &'static str;
}

/// The right to store what comes of a job, until the deadline.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Lease {
    /// The jobs that belong together.
    pub queue: String,
    /// The number of the job in its queue.
    pub job: u64,
    /// Who holds it.
    pub worker: String,
    /// How often the job has been given out.
    pub generation: i64,
}

/// A job that was claimed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Claimed<P> {
    /// The right to it.
    pub lease: Lease,
    /// What it is about.
    pub payload: P,
}

/// How far a queue is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Counts {
    /// Jobs still to be done, those under way included.
    pub open: u64,
    /// Jobs under way.
    pub leased: u64,
    /// Jobs that are done.
    pub done: u64,
    /// Jobs that are not needed any more.
    pub not_needed: u64,
}

/// Rows of one statement that inserts jobs: SQLite takes at most 32,766 values.
const ROWS: usize = 200;

impl Store {
    /// Puts jobs into a queue, each with its number, its topic and what it is about, in a transaction that may store more.
    /// A job that is there already stays as it is. [`analyse`](Self::analyse) comes after the transaction.
    ///
    /// # Errors
    /// If the store cannot be written.
    pub async fn publish<'p, P: Payload + 'p>(
        &self,
        connection: &mut AnyConnection,
        queue: &str,
        jobs: impl IntoIterator<Item = (u64, u64, &'p P)>,
    ) -> Result<(), StoreError> {
        let mut rows = Vec::with_capacity(ROWS);
        for (job, topic, payload) in jobs {
            let payload = serde_json::to_string(payload);
            let payload =
                payload.map_err(|error| StoreError::lasting(self.place(), error.to_string()))?;
            rows.push((job as i64, topic as i64, payload));
            if rows.len() == ROWS {
                self.insert(connection, queue, P::KIND, &mut rows).await?;
            }
        }
        self.insert(connection, queue, P::KIND, &mut rows).await
    }

    async fn insert(
        &self,
        connection: &mut AnyConnection,
        queue: &str,
        kind: &str,
        rows: &mut Vec<(i64, i64, String)>,
    ) -> Result<(), StoreError> {
        if rows.is_empty() {
            return Ok(());
        }
        let text = format!(
            "INSERT INTO jobs (queue, kind, job, topic, payload) VALUES {} ON CONFLICT DO NOTHING",
            lists::rows("$1, $2", rows.len(), 3)
        );
        let mut query = sqlx::query(AssertSqlSafe(text))
            .bind(queue.to_owned())
            .bind(kind.to_owned());
        for (job, topic, payload) in rows.drain(..) {
            query = query.bind(job).bind(topic).bind(payload);
        }
        let inserted = query.execute(connection).await;
        inserted.map_err(|error| self.error(&error))?;
        Ok(())
    }

    /// Lets the server count the jobs after many were published: PostgreSQL plans by statistics, and knows nothing yet of
    /// so many new rows.
    ///
    /// # Errors
    /// If the store cannot be written.
    pub async fn analyse(&self) -> Result<(), StoreError> {
        if self.kind == Kind::Postgres {
            let analysed = sqlx::query("ANALYZE jobs").execute(self.pool()).await;
            analysed.map_err(|error| self.error(&error))?;
        }
        Ok(())
    }

    /// Leases up to `count` open jobs of a queue to a worker for so long, the first ones that nobody does.
    ///
    /// # Errors
    /// If the store cannot be written, or a job is of another kind.
    pub async fn claim<P: Payload>(
        &self,
        queue: &str,
        worker: &str,
        count: usize,
        lease: Duration,
    ) -> Result<Vec<Claimed<P>>, StoreError> {
        let mut transaction = self.begin().await?;
        if self.kind == Kind::Postgres {
            // The index of open jobs has what is asked for, in order. A planner with statistics from before the jobs
            // would rather read and sort them all.
            let text = "SELECT set_config(name, 'off', true)
                FROM unnest(ARRAY['enable_seqscan', 'enable_bitmapscan', 'enable_sort']) AS name";
            let set = sqlx::query(text).execute(&mut *transaction).await;
            set.map_err(|error| self.error(&error))?;
        }
        // Not a part of the update: a join could ask for it, and lock other jobs, more than once.
        let text = "WITH chosen AS MATERIALIZED (
                SELECT job FROM jobs WHERE queue = $3 AND state = 0 AND deadline < {now}
                ORDER BY job LIMIT $4 {skip})
            UPDATE jobs SET worker = $1, generation = generation + 1, deadline = {now} + $2
            WHERE queue = $3 AND job IN (SELECT job FROM chosen)
            RETURNING job, generation, kind, payload";
        let query = sqlx::query(self.sql(text))
            .bind(worker.to_owned())
            .bind(lease.as_secs_f64());
        let query = query.bind(queue.to_owned()).bind(count as i64);
        let rows = query.fetch_all(&mut *transaction).await;
        let rows = rows.map_err(|error| self.error(&error))?;
        match self.read_claimed(queue, worker, &rows) {
            Ok(mut claimed) => {
                self.commit(transaction).await?;
                claimed.sort_by_key(|claimed| claimed.lease.job);
                Ok(claimed)
            }
            Err(why) => {
                // What cannot be read goes back at once: a transaction that is only dropped may hold it for a while.
                let back = transaction.rollback().await;
                back.map_err(|error| self.error(&error))?;
                Err(why)
            }
        }
    }

    fn read_claimed<P: Payload>(
        &self,
        queue: &str,
        worker: &str,
        rows: &[AnyRow],
    ) -> Result<Vec<Claimed<P>>, StoreError> {
        let mut claimed = Vec::with_capacity(rows.len());
        for row in rows {
            let read = || -> Result<(i64, i64, String, String), sqlx::Error> {
                Ok((
                    row.try_get(0)?,
                    row.try_get(1)?,
                    row.try_get(2)?,
                    row.try_get(3)?,
                ))
            };
            let (job, generation, kind, payload) = read().map_err(|error| self.error(&error))?;
            let payload = (kind == P::KIND).then(|| serde_json::from_str(&payload).ok());
            let payload = payload.flatten().ok_or_else(|| {
                let what = format!(
                    "job {job} of {queue} is {kind}, which this program cannot read as {}",
                    P::KIND
                );
                StoreError::lasting(self.place(), what)
            })?;
            let lease = Lease {
                queue: queue.to_owned(),
                job: job as u64,
                worker: worker.to_owned(),
                generation,
            };
            claimed.push(Claimed { lease, payload });
        }
        Ok(claimed)
    }

    /// Leases jobs to a worker whatever their states were, each with its number and what it is about now, in a transaction
    /// that may store more: for those who choose what to do next by more than the order of the jobs. The leases are in the
    /// order of the jobs that were named, each of them once.
    ///
    /// # Errors
    /// If the store cannot be written.
    pub async fn assign<P: Payload>(
        &self,
        connection: &mut AnyConnection,
        queue: &str,
        jobs: &[(u64, &P)],
        worker: &str,
        lease: Duration,
    ) -> Result<Vec<Lease>, StoreError> {
        let mut leases = Vec::with_capacity(jobs.len());
        for jobs in jobs.chunks(ROWS) {
            let text = format!(
                "INSERT INTO jobs (queue, kind, worker, deadline, generation, job, payload) VALUES {}
                ON CONFLICT (queue, job) DO UPDATE SET kind = excluded.kind, payload = excluded.payload, state = 0,
                    worker = excluded.worker, generation = jobs.generation + 1, deadline = excluded.deadline
                RETURNING job, generation",
                lists::rows("$1, $2, $3, {now} + $4, 1", jobs.len(), 2)
            );
            let query = sqlx::query(self.sql(&text)).bind(queue.to_owned());
            let query = query.bind(P::KIND.to_owned()).bind(worker.to_owned());
            let mut query = query.bind(lease.as_secs_f64());
            for &(job, payload) in jobs {
                let payload = serde_json::to_string(payload);
                let payload = payload
                    .map_err(|error| StoreError::lasting(self.place(), error.to_string()))?;
                query = query.bind(job as i64).bind(payload);
            }
            let given = query.fetch_all(&mut *connection).await;
            let read = |row: &AnyRow| Ok((row.try_get::<i64, _>(0)? as u64, row.try_get(1)?));
            let given: Result<HashMap<u64, i64>, _> =
                given.and_then(|rows| rows.iter().map(read).collect());
            let given = given.map_err(|error| self.error(&error))?;
            leases.extend(jobs.iter().map(|(job, _)| Lease {
                queue: queue.to_owned(),
                job: *job,
                worker: worker.to_owned(),
                generation: given.get(job).copied().unwrap_or_default(),
            }));
        }
        Ok(leases)
    }

    /// What the jobs of a queue are about whose leases are valid.
    ///
    /// # Errors
    /// If the store cannot be read, or a job is of another kind.
    pub async fn under_way<P: Payload>(
        &self,
        connection: &mut AnyConnection,
        queue: &str,
    ) -> Result<Vec<P>, StoreError> {
        let text = "SELECT payload FROM jobs WHERE queue = $1 AND state = 0 AND deadline > {now} ORDER BY job";
        let query = sqlx::query_scalar(self.sql(text)).bind(queue.to_owned());
        let payloads: Result<Vec<String>, _> = query.fetch_all(connection).await;
        let payloads = payloads.map_err(|error| self.error(&error))?;
        let read = |payload: &String| {
            let what =
                |error| StoreError::lasting(self.place(), format!("a job of {queue}: {error}"));
            serde_json::from_str(payload).map_err(what)
        };
        payloads.iter().map(read).collect()
    }

    /// Whether a lease is valid: the worker and the generation are those of the job, and the deadline is not over. Until
    /// the transaction ends nobody else can get the job.
    ///
    /// # Errors
    /// If the store cannot be read.
    pub async fn holds(
        &self,
        connection: &mut AnyConnection,
        lease: &Lease,
    ) -> Result<bool, StoreError> {
        let held = self.held(connection, &lease.queue, std::slice::from_ref(lease));
        Ok(held.await? == [true])
    }

    /// Which of the leases of a queue are valid, as [`holds`](Self::holds) tells of one.
    ///
    /// # Errors
    /// If the store cannot be read.
    pub async fn held(
        &self,
        connection: &mut AnyConnection,
        queue: &str,
        leases: &[Lease],
    ) -> Result<Vec<bool>, StoreError> {
        let mut valid = HashSet::new();
        for jobs in lists(leases.iter().map(|lease| lease.job as i64)) {
            let text = format!(
                "SELECT job, worker, generation FROM jobs WHERE queue = $1 AND job IN ({}) AND deadline > {{now}}
                    ORDER BY job {{share}}",
                places(2, jobs.len())
            );
            let mut query = sqlx::query(self.sql(&text)).bind(queue.to_owned());
            for job in jobs {
                query = query.bind(job);
            }
            let read = |row: &AnyRow| {
                Ok(Lease {
                    queue: queue.to_owned(),
                    job: row.try_get::<i64, _>(0)? as u64,
                    worker: row.try_get(1)?,
                    generation: row.try_get(2)?,
                })
            };
            let found = query.fetch_all(&mut *connection).await;
            let found: Result<Vec<_>, _> = found.and_then(|rows| rows.iter().map(read).collect());
            valid.extend(found.map_err(|error| self.error(&error))?);
        }
        Ok(leases.iter().map(|lease| valid.contains(lease)).collect())
    }

    /// Tells that a job is done, in the transaction that stores what came of it, after [`holds`](Self::holds).
    ///
    /// # Errors
    /// If the store cannot be written.
    pub async fn finish(
        &self,
        connection: &mut AnyConnection,
        lease: &Lease,
    ) -> Result<(), StoreError> {
        self.finish_all(connection, &lease.queue, &[lease.job])
            .await
    }

    /// Tells that jobs of a queue are done, as [`finish`](Self::finish) does of one.
    ///
    /// # Errors
    /// If the store cannot be written.
    pub async fn finish_all(
        &self,
        connection: &mut AnyConnection,
        queue: &str,
        jobs: &[u64],
    ) -> Result<(), StoreError> {
        for jobs in lists(jobs.iter().map(|&job| job as i64)) {
            let text = format!(
                "UPDATE jobs SET state = 1 WHERE queue = $1 AND job IN ({})",
                places(2, jobs.len())
            );
            let mut query = sqlx::query(AssertSqlSafe(text)).bind(queue.to_owned());
            for job in jobs {
                query = query.bind(job);
            }
            let done = query.execute(&mut *connection).await;
            done.map_err(|error| self.error(&error))?;
        }
        Ok(())
    }

    /// Makes leases last for `lease` from now, those that are not over.
    ///
    /// # Errors
    /// If the store cannot be written.
    pub async fn extend(&self, leases: &[Lease], lease: Duration) -> Result<(), StoreError> {
        let text = "UPDATE jobs SET deadline = {now} + $1
            WHERE queue = $2 AND job = $3 AND worker = $4 AND generation = $5 AND deadline > {now}";
        self.for_leases(text, lease.as_secs_f64(), leases).await
    }

    /// Gives leases back.
    ///
    /// # Errors
    /// If the store cannot be written.
    pub async fn release(&self, leases: &[Lease]) -> Result<(), StoreError> {
        let text = "UPDATE jobs SET deadline = $1
            WHERE queue = $2 AND job = $3 AND worker = $4 AND generation = $5";
        self.for_leases(text, 0.0, leases).await
    }

    /// Gives all leases of a worker back whose jobs are not done, in a transaction that may store more.
    ///
    /// # Errors
    /// If the store cannot be written.
    pub async fn release_all(
        &self,
        connection: &mut AnyConnection,
        queue: &str,
        worker: &str,
    ) -> Result<(), StoreError> {
        let text = "UPDATE jobs SET deadline = 0 WHERE queue = $1 AND worker = $2 AND state = 0";
        let query = sqlx::query(text).bind(queue.to_owned());
        let done = query.bind(worker.to_owned()).execute(connection).await;
        done.map_err(|error| self.error(&error))?;
        Ok(())
    }

    async fn for_leases(&self, text: &str, first: f64, leases: &[Lease]) -> Result<(), StoreError> {
        if leases.is_empty() {
            return Ok(());
        }
        let mut transaction = self.begin().await?;
        for lease in leases {
            let query = sqlx::query(self.sql(text)).bind(first);
            let query = query.bind(lease.queue.clone()).bind(lease.job as i64);
            let query = query.bind(lease.worker.clone()).bind(lease.generation);
            let done = query.execute(&mut *transaction).await;
            done.map_err(|error| self.error(&error))?;
        }
        self.commit(transaction).await
    }

    /// Tells that the open jobs of a topic are not needed. What is under way may still be stored.
    ///
    /// # Errors
    /// If the store cannot be written.
    pub async fn close_topic(&self, queue: &str, topic: u64) -> Result<(), StoreError> {
        let text = "UPDATE jobs SET state = 2 WHERE queue = $1 AND topic = $2 AND state = 0";
        let query = sqlx::query(text).bind(queue.to_owned()).bind(topic as i64);
        let closed = query.execute(self.pool()).await;
        closed.map_err(|error| self.error(&error))?;
        Ok(())
    }

    /// Takes back that jobs are not needed, in all topics of a queue.
    ///
    /// # Errors
    /// If the store cannot be written.
    pub async fn reopen_topics(&self, queue: &str) -> Result<(), StoreError> {
        let text = "UPDATE jobs SET state = 0 WHERE queue = $1 AND state = 2";
        let query = sqlx::query(text).bind(queue.to_owned());
        let reopened = query.execute(self.pool()).await;
        reopened.map_err(|error| self.error(&error))?;
        Ok(())
    }

    /// Removes the jobs of a topic that are done or not needed, so that they can be published again.
    ///
    /// # Errors
    /// If the store cannot be written.
    pub async fn forget_done(
        &self,
        connection: &mut AnyConnection,
        queue: &str,
        topic: u64,
    ) -> Result<(), StoreError> {
        let text = "DELETE FROM jobs WHERE queue = $1 AND topic = $2 AND state <> 0";
        let query = sqlx::query(text).bind(queue.to_owned()).bind(topic as i64);
        let removed = query.execute(connection).await;
        removed.map_err(|error| self.error(&error))?;
        Ok(())
    }

    /// Removes all jobs of the topics of a queue before one, or of all. What is under way cannot be stored any more.
    ///
    /// # Errors
    /// If the store cannot be written.
    pub async fn forget_before(
        &self,
        connection: &mut AnyConnection,
        queue: &str,
        topic: Option<u64>,
    ) -> Result<(), StoreError> {
        let text = "DELETE FROM jobs WHERE queue = $1 AND topic < $2";
        let before = topic.map_or(i64::MAX, |topic| topic as i64);
        let query = sqlx::query(text).bind(queue.to_owned()).bind(before);
        let removed = query.execute(connection).await;
        removed.map_err(|error| self.error(&error))?;
        Ok(())
    }

    /// The topics of a queue that were [closed](Self::close_topic) before all their jobs were done.
    ///
    /// # Errors
    /// If the store cannot be read.
    pub async fn closed_topics(&self, queue: &str) -> Result<BTreeSet<u64>, StoreError> {
        let text = "SELECT DISTINCT topic FROM jobs WHERE queue = $1 AND state = 2";
        let query = sqlx::query_scalar(text).bind(queue.to_owned());
        let topics: Result<Vec<i64>, _> = query.fetch_all(self.pool()).await;
        let topics = topics.map_err(|error| self.error(&error))?;
        Ok(topics.into_iter().map(|topic| topic as u64).collect())
    }

    /// How far a queue is.
    ///
    /// # Errors
    /// If the store cannot be read.
    pub async fn counts(&self, queue: &str) -> Result<Counts, StoreError> {
        let text = "SELECT state, CAST(CASE WHEN state = 0 AND deadline > {now} THEN 1 ELSE 0 END AS BIGINT) AS held,
                COUNT(*) FROM jobs WHERE queue = $1 GROUP BY 1, 2";
        let query = sqlx::query(self.sql(text)).bind(queue.to_owned());
        let rows = query.fetch_all(self.pool()).await;
        let mut counts = Counts::default();
        for row in &rows.map_err(|error| self.error(&error))? {
            let read = || -> Result<[i64; 3], sqlx::Error> {
                Ok([row.try_get(0)?, row.try_get(1)?, row.try_get(2)?])
            };
            let [state, held, count] = read().map_err(|error| self.error(&error))?;
            let count = count as u64;
            match state {
                0 => {
                    counts.open += count;
                    counts.leased += if held == 1 { count } else { 0 };
                }
                1 => counts.done += count,
                _ => counts.not_needed += count,
            }
        }
        Ok(counts)
    }
}
