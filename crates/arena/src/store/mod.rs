//! The store: experiments and their games beside the [jobs](jobs::Store) that are the pairs to be played, in SQLite (one
//! file) or PostgreSQL.
//!
//! A result has exactly one effect: games have the key (experiment, pair, colour), and a game is stored
//! only in a transaction that holds the lease under which it was played.

mod copy;
mod leases;
mod reading;
mod rows;
mod weights;
mod workers;

pub use copy::{Copied, copy};
pub use jobs::StoreError;
pub use rows::{Counts, Effect, ExperimentRow, GameRow, Lease, Score, WorkerRow};
pub use weights::PublishError;

use jobs::Migration;
use std::time::Duration;

/// The tables of the arena. Of a store that was made before there were jobs, the pairs become jobs.
const TABLES: &[Migration] = &[
    Migration {
        version: 1,
        name: "arena",
        text: include_str!("../../migrations/0001_arena.sql"),
    },
    Migration {
        version: 2,
        name: "open pairs",
        text: include_str!("../../migrations/0002_open_pairs.sql"),
    },
    Migration {
        version: 4,
        name: "pairs are jobs",
        text: include_str!("../../migrations/0004_pairs_are_jobs.sql"),
    },
    Migration {
        version: 8,
        name: "weights",
        text: include_str!("../../migrations/0008_weights.sql"),
    },
];

/// An open store. Clones share it.
#[derive(Clone, Debug)]
pub struct Store {
    jobs: jobs::Store,
}

impl Store {
    /// Opens a store, making or updating its tables: a path or `sqlite://path` for a file, which is made
    /// if it is not there, or `postgres://…`.
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

    /// Opens a store that is only read, which may lie where this user can write nothing.
    ///
    /// # Errors
    /// If it cannot be read.
    pub async fn open_to_read(place: &str) -> Result<Store, StoreError> {
        let jobs = jobs::Store::open_to_read(place, TABLES).await?;
        Ok(Store { jobs })
    }

    /// Where it is, without a password.
    pub fn place(&self) -> &str {
        self.jobs.place()
    }

    /// The jobs and their workers.
    pub(crate) fn jobs(&self) -> &jobs::Store {
        &self.jobs
    }

    /// Keeps a SQLite file from growing beyond so many pages, for as long as the store is open.
    ///
    /// # Errors
    /// If it is no such file.
    pub async fn limit_pages(&self, pages: u32) -> Result<(), StoreError> {
        self.jobs.limit_pages(pages).await
    }

    /// Closes it, with all that was written on the disk.
    pub async fn close(&self) {
        self.jobs.close().await;
    }

    /// What is wrong with a store that has not answered for so long.
    pub(crate) fn silent_for(&self, time: Duration) -> StoreError {
        StoreError::silent(self.place(), time)
    }

    fn error(&self, error: &sqlx::Error) -> StoreError {
        self.jobs.error(error)
    }
}
