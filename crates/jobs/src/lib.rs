//! Leased work in SQLite (one file) or PostgreSQL, behind one interface: nothing is lost when a process, a machine or the
//! server dies, and nothing counts twice.
//!
//! A **job** is a typed [`Payload`] in a queue. A worker [claims](Store::claim) it and gets a [`Lease`]: the worker's name,
//! the generation (how often the job has been given out) and a deadline by the clock of the database, so that machines
//! with different clocks agree. A worker that is well [extends](Store::extend) its leases ([`Heartbeats`] does, thread by
//! thread: one that hangs loses its leases although its process lives). When a deadline is over the job goes to the next
//! worker with the next generation.
//!
//! What comes of a job is stored in the tables of whoever uses this crate, in the same database and in **one transaction
//! with the fence**: [`holds`](Store::holds) tells whether the lease is valid and keeps it so until the transaction ends. A
//! late worker stores nothing, whatever it believes. There is no acknowledgement beside the result, and so no second
//! account of what is left that could differ from the first after a crash.
//!
//! ```
//! # async fn example() -> Result<(), Box<dyn std::error::Error>> {
//! use jobs::{Migration, Payload, Store};
//! use serde::{Deserialize, Serialize};
//! use std::time::Duration;
//!
//! /// A position that is to be solved with a budget.
//! #[derive(Serialize, Deserialize)]
//! struct Position {
//!     moves: String,
//!     nodes: u64,
//! }
//!
//! impl Payload for Position {
//!     const KIND: &'static str = "solve";
//! }
//!
//! const TABLES: &[Migration] = &[Migration {
//!     version: 9000,
//!     name: "solved",
//!     text: "CREATE TABLE solved (job BIGINT PRIMARY KEY NOT NULL, value TEXT NOT NULL)",
//! }];
//!
//! let store = Store::open("solved.db", TABLES).await?;
//! let mut transaction = store.begin().await?;
//! let position = Position { moves: "a1".to_owned(), nodes: 1_000_000 };
//! store.publish(&mut transaction, "size 4", [(0, 0, &position)]).await?;
//! store.commit(transaction).await?;
//!
//! for claimed in store.claim::<Position>("size 4", "worker#0", 8, Duration::from_secs(60)).await? {
//!     let value = "white"; // What a solver says of `claimed.payload`.
//!     let mut transaction = store.begin().await?;
//!     if store.holds(&mut transaction, &claimed.lease).await? {
//!         sqlx::query("INSERT INTO solved (job, value) VALUES ($1, $2)")
//!             .bind(claimed.lease.job as i64)
//!             .bind(value)
//!             .execute(&mut *transaction)
//!             .await?;
//!         store.finish(&mut transaction, &claimed.lease).await?;
//!     }
//!     store.commit(transaction).await?;
//! }
//! # Ok(())
//! # }
//! ```
//!
//! # Who uses it
//!
//! - **The arena.** A queue is an experiment, a job a pair of games, its topic the point of the experiment. Two games are
//!   stored under one lease, each in its own transaction; the one that completes the pair finishes the job. A test that has
//!   decided closes the topic.
//! - **Learning.** A queue is a run, a job a game of self-play or a pair of games of a match, its topic the step of the
//!   loop. Which games they are follows from their numbers, and the payload names the weights by their SHA-256, so that a
//!   worker fetches each network once. A worker claims as many as it plays in some seconds and stores what it has made
//!   under the fence; the process that leads the run takes the records into its folder. A match that has decided closes
//!   the topic.
//! - **Solving.** A queue is a question about a root, a job a position below it. What to search next follows from the
//!   numbers of all positions, and so a worker does not claim the first open jobs: it chooses some and
//!   [assigns](Store::assign) them to itself in one transaction. The results, and all that follows for the positions above,
//!   are stored under the fence, and bring the next jobs.
//!
//! Versions of migrations are numbers of the whole workspace, because users may share a database: this crate has 3, the
//! arena 1, 2, 4 and 8, solving 5, learning 7.

mod connect;
mod error;
mod heartbeats;
mod leases;
mod lists;
mod machine;
mod patience;
mod place;
mod workers;

pub use connect::{Migration, Store, Transaction};
pub use error::StoreError;
pub use heartbeats::Heartbeats;
pub use leases::{Claimed, Counts, Lease, Payload};
pub use lists::{lists, places, rows};
pub use machine::{is_alive, machine, worker};
pub use patience::patiently;
pub use place::is_web;
pub use workers::{Done, Worker, worker_of};
