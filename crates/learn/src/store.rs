//! A store in which a run shares its games with other processes.

use crate::error::LearnError;
use crate::journal::{self, Generation, Line};
use crate::plan::Written;
use crate::task::Task;
use crate::version::version;
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD as BASE64;
use engine::weights::sha256;
use jobs::{Lease, Migration, Payload, StoreError};
use sqlx::Row;
use std::path::Path;

/// The tables of this crate.
const TABLES: &[Migration] = &[Migration {
    version: 7,
    name: "learning",
    text: include_str!("../migrations/0007_learning.sql"),
}];

impl Payload for Task {
    const KIND: &'static str = "learn";
}

/// The step of a task in its run, which is the topic of its jobs.
fn topic(task: &Task) -> u64 {
    u64::from(task.generation) << 1 | u64::from(task.new.is_some())
}

/// The job of a number.
fn job(task: &Task, number: u32) -> u64 {
    topic(task) << 32 | u64::from(number)
}

/// The number of a job.
pub(crate) fn number(job: u64) -> u32 {
    job as u32
}

/// A run that shares its games.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Run {
    /// Which one it is: it follows from its machine, folder and file.
    pub id: String,
    /// The name of its folder.
    pub name: String,
    /// The TOML file.
    pub plan: String,
    /// The version of the program, with digits of the SHA-256 of a game that it plays by the plan.
    pub version: String,
    /// Whether all generations are done.
    pub is_finished: bool,
}

impl Run {
    /// The run of a file in a folder of this machine.
    pub(crate) fn new(folder: &Path, written: &Written, text: &str) -> Result<Run, LearnError> {
        let folder = folder.canonicalize().unwrap_or_else(|_| folder.to_owned());
        let name = folder.file_name().unwrap_or(folder.as_os_str());
        let of = format!(
            "{}\n{}\n{}",
            jobs::machine(),
            folder.display(),
            written.plan.identity()
        );
        let mut id = sha256(of);
        id.truncate(12);
        Ok(Run {
            id,
            name: name.to_string_lossy().into_owned(),
            plan: text.to_owned(),
            version: version(&written.plan)?,
            is_finished: false,
        })
    }

    /// The queue of its jobs.
    pub(crate) fn queue(&self) -> String {
        format!("learn/{}", self.id)
    }
}

/// An open store. Clones share it.
#[derive(Clone, Debug)]
pub struct Store {
    jobs: jobs::Store,
}

impl Store {
    /// Opens a store, making or updating its tables: a path or `sqlite://path` for a file, which is made if it is not
    /// there, or `postgres://…`.
    ///
    /// # Errors
    /// If it cannot be reached or written.
    pub async fn open(place: &str) -> Result<Store, StoreError> {
        let jobs = jobs::Store::open(place, TABLES).await?;
        Ok(Store { jobs })
    }

    /// The store in a place that is open already, making or updating its tables.
    ///
    /// # Errors
    /// If it cannot be written.
    pub async fn within(jobs: &jobs::Store) -> Result<Store, StoreError> {
        let jobs = jobs.with(TABLES).await?;
        Ok(Store { jobs })
    }

    /// Opens a store that is only read.
    ///
    /// # Errors
    /// If it cannot be read.
    pub async fn open_to_read(place: &str) -> Result<Store, StoreError> {
        let jobs = jobs::Store::open_to_read(place, TABLES).await?;
        Ok(Store { jobs })
    }

    /// Its jobs and workers.
    pub fn jobs(&self) -> &jobs::Store {
        &self.jobs
    }

    /// Closes it, with all that was written on the disk.
    pub async fn close(&self) {
        self.jobs.close().await;
    }

    /// The runs, the oldest first.
    ///
    /// # Errors
    /// If the store cannot be read.
    pub async fn runs(&self) -> Result<Vec<Run>, StoreError> {
        let text =
            "SELECT run, name, plan, version, finished FROM learn_runs ORDER BY created, run";
        let rows = sqlx::query(text).fetch_all(self.jobs.pool()).await;
        let rows = rows.map_err(|error| self.jobs.error(&error))?;
        let read = |row: &sqlx::any::AnyRow| {
            Ok(Run {
                id: row.try_get(0)?,
                name: row.try_get(1)?,
                plan: row.try_get(2)?,
                version: row.try_get(3)?,
                is_finished: row.try_get::<i64, _>(4)? != 0,
            })
        };
        let runs: Result<_, sqlx::Error> = rows.iter().map(read).collect();
        runs.map_err(|error| self.jobs.error(&error))
    }

    /// The step under way of a run: the generation, whether it is a match, and how far it is.
    ///
    /// # Errors
    /// If the store cannot be read.
    pub async fn progress(
        &self,
        run: &Run,
    ) -> Result<Option<(u32, bool, jobs::Counts)>, StoreError> {
        let text = "SELECT MAX(topic) FROM jobs WHERE queue = $1";
        let topic = sqlx::query_scalar(text).bind(run.queue());
        let topic: Result<Option<i64>, _> = topic.fetch_one(self.jobs.pool()).await;
        let Some(topic) = topic.map_err(|error| self.jobs.error(&error))? else {
            return Ok(None);
        };
        let counts = self.jobs.counts(&run.queue()).await?;
        Ok(Some(((topic >> 1) as u32, topic & 1 == 1, counts)))
    }

    /// What is known of each generation of a run.
    ///
    /// # Errors
    /// If the store cannot be read.
    pub async fn generations(&self, run: &Run) -> Result<Vec<Generation>, StoreError> {
        let text = "SELECT line FROM learn_steps WHERE run = $1 ORDER BY step";
        let query = sqlx::query_scalar(text).bind(run.id.clone());
        let lines: Result<Vec<String>, _> = query.fetch_all(self.jobs.pool()).await;
        let lines = lines.map_err(|error| self.jobs.error(&error))?;
        let read = |line: &String| {
            let what = |why| {
                StoreError::lasting(
                    self.jobs.place(),
                    format!("a step of run {}: {why}", run.id),
                )
            };
            serde_json::from_str(line).map_err(what)
        };
        let lines: Vec<Line> = lines.iter().map(read).collect::<Result<_, _>>()?;
        Ok(journal::generations(&lines))
    }

    /// Tells of steps that a run has done, the first of which has this place in its journal.
    pub(crate) async fn keep_steps(
        &self,
        run: &Run,
        first: usize,
        lines: &[Line],
    ) -> Result<(), StoreError> {
        let mut transaction = self.jobs.begin().await?;
        for (place, line) in (first..).zip(lines) {
            let text = "INSERT INTO learn_steps (run, step, line) VALUES ($1, $2, $3)
                ON CONFLICT (run, step) DO UPDATE SET line = excluded.line";
            let line = serde_json::to_string(line)
                .map_err(|why| StoreError::lasting(self.jobs.place(), why.to_string()))?;
            let query = sqlx::query(text).bind(run.id.clone()).bind(place as i64);
            let done = query.bind(line).execute(&mut *transaction).await;
            done.map_err(|error| self.jobs.error(&error))?;
        }
        self.jobs.commit(transaction).await
    }

    /// Tells of a run.
    pub(crate) async fn begin(&self, run: &Run) -> Result<(), StoreError> {
        let text = "INSERT INTO learn_runs (run, name, plan, version, created) VALUES ($1, $2, $3, $4, {now})
            ON CONFLICT (run) DO UPDATE SET plan = excluded.plan, version = excluded.version, finished = 0";
        let query = sqlx::query(self.jobs.sql(text)).bind(run.id.clone());
        let query = query.bind(run.name.clone());
        let query = query.bind(run.plan.clone()).bind(run.version.clone());
        let done = query.execute(self.jobs.pool()).await;
        done.map_err(|error| self.jobs.error(&error))?;
        Ok(())
    }

    /// Puts the games with these numbers into the store, for whoever plays them, in place of those of earlier steps.
    /// `files` are the weights that they need.
    pub(crate) async fn publish(
        &self,
        run: &Run,
        task: &Task,
        numbers: &[u32],
        files: &[(String, Vec<u8>)],
    ) -> Result<(), StoreError> {
        let queue = run.queue();
        let mut transaction = self.jobs.begin().await?;
        for (hash, bytes) in files {
            let text = "INSERT INTO learn_weights (run, hash, file) VALUES ($1, $2, $3) ON CONFLICT DO NOTHING";
            let query = sqlx::query(text).bind(run.id.clone()).bind(hash.clone());
            let done = query.bind(BASE64.encode(bytes)).execute(&mut *transaction);
            done.await.map_err(|error| self.jobs.error(&error))?;
        }
        let before = Some(topic(task));
        self.jobs
            .forget_before(&mut transaction, &queue, before)
            .await?;
        // What was done before and is asked for again was lost by the folder.
        self.jobs
            .forget_done(&mut transaction, &queue, topic(task))
            .await?;
        let jobs = numbers
            .iter()
            .map(|&number| (job(task, number), topic(task), task));
        self.jobs.publish(&mut transaction, &queue, jobs).await?;
        self.jobs.commit(transaction).await?;
        self.jobs.analyse().await
    }

    /// The file of weights with a hash; `None` if it is not there as it was written.
    pub(crate) async fn weights(
        &self,
        run: &Run,
        hash: &str,
    ) -> Result<Option<Vec<u8>>, StoreError> {
        let text = "SELECT file FROM learn_weights WHERE run = $1 AND hash = $2";
        let query = sqlx::query_scalar(text)
            .bind(run.id.clone())
            .bind(hash.to_owned());
        let file: Result<Option<String>, _> = query.fetch_optional(self.jobs.pool()).await;
        let file = file.map_err(|error| self.jobs.error(&error))?;
        let bytes = file.and_then(|file| BASE64.decode(file).ok());
        Ok(bytes.filter(|bytes| sha256(bytes) == hash))
    }

    /// Stores what was made under leases that are valid, and gives how much of it that was.
    pub(crate) async fn store(
        &self,
        run: &Run,
        made: &[(Lease, Vec<u8>)],
    ) -> Result<u64, StoreError> {
        let mut transaction = self.jobs.begin().await?;
        let mut stored = 0;
        for (lease, record) in made {
            if !self.jobs.holds(&mut transaction, lease).await? {
                continue;
            }
            let text = "INSERT INTO learn_records (run, job, record) VALUES ($1, $2, $3) ON CONFLICT DO NOTHING";
            let query = sqlx::query(text).bind(run.id.clone());
            let query = query.bind(lease.job as i64).bind(BASE64.encode(record));
            let done = query.execute(&mut *transaction).await;
            done.map_err(|error| self.jobs.error(&error))?;
            self.jobs.finish(&mut transaction, lease).await?;
            stored += 1;
        }
        self.jobs.commit(transaction).await?;
        Ok(stored)
    }

    /// The records of a step that are in the store, with their numbers.
    pub(crate) async fn records(
        &self,
        run: &Run,
        task: &Task,
    ) -> Result<Vec<(u32, Vec<u8>)>, StoreError> {
        let text = "SELECT job, record FROM learn_records WHERE run = $1 AND job >= $2 AND job < $3 ORDER BY job";
        let query = sqlx::query(text).bind(run.id.clone());
        let query = query.bind(job(task, 0) as i64);
        let query = query.bind(((topic(task) + 1) << 32) as i64);
        let rows = query.fetch_all(self.jobs.pool()).await;
        let rows = rows.map_err(|error| self.jobs.error(&error))?;
        let mut records = Vec::with_capacity(rows.len());
        for row in &rows {
            let read = || Ok((row.try_get::<i64, _>(0)?, row.try_get::<String, _>(1)?));
            let (job, record) = read().map_err(|error| self.jobs.error(&error))?;
            let number = number(job as u64);
            let record = BASE64.decode(record).map_err(|why| {
                let what = format!("the record of game {number} of run {}: {why}", run.id);
                StoreError::lasting(self.jobs.place(), what)
            })?;
            records.push((number, record));
        }
        Ok(records)
    }

    /// Removes records of a step, which the folder has by now.
    pub(crate) async fn forget_records(
        &self,
        run: &Run,
        task: &Task,
        numbers: &[u32],
    ) -> Result<(), StoreError> {
        if numbers.is_empty() {
            return Ok(());
        }
        let mut transaction = self.jobs.begin().await?;
        for &number in numbers {
            let text = "DELETE FROM learn_records WHERE run = $1 AND job = $2";
            let query = sqlx::query(text).bind(run.id.clone());
            let done = query
                .bind(job(task, number) as i64)
                .execute(&mut *transaction);
            done.await.map_err(|error| self.jobs.error(&error))?;
        }
        self.jobs.commit(transaction).await
    }

    /// Tells that a step needs no more games.
    pub(crate) async fn close_step(&self, run: &Run, task: &Task) -> Result<(), StoreError> {
        self.jobs.close_topic(&run.queue(), topic(task)).await
    }

    /// Tells that a run is finished, and removes what workers needed: its folder has it whole.
    pub(crate) async fn finish(&self, run: &Run) -> Result<(), StoreError> {
        let mut transaction = self.jobs.begin().await?;
        self.jobs
            .forget_before(&mut transaction, &run.queue(), None)
            .await?;
        for text in [
            "DELETE FROM learn_records WHERE run = $1",
            "DELETE FROM learn_weights WHERE run = $1",
            "UPDATE learn_runs SET finished = 1 WHERE run = $1",
        ] {
            let done = sqlx::query(text).bind(run.id.clone());
            let done = done.execute(&mut *transaction).await;
            done.map_err(|error| self.jobs.error(&error))?;
        }
        self.jobs.commit(transaction).await
    }
}
