//! Solving by many processes: the upper part of a proof lies in a [`Store`], and workers search the positions at its edge.
//!
//! It is job-level proof-number search (Wu, Lin, Sun et al., "Job-level proof-number search", 2013). A **job** is a
//! position with a budget of nodes and bounds on its numbers. [`work()`] takes the job that seems to bring the proof on
//! most, searches it with the default solver of the game, whose table stays from job to job, and stores an answer, new
//! numbers, or the positions after its moves with what the solver knows of them. What follows for the positions above
//! is stored in the same transaction, which checks the lease ([`jobs`]): a worker that dies at any moment has stored all
//! of a result or nothing, and one that comes too late stores nothing.
//!
//! A worker gets its jobs from a [`JobSource`]: a store, or a [`Server`] that passes its requests to a store ([`answer`]).
//!
//! An answer is only ever taken from a solver that has proven it or from answers about all positions that it needs, and
//! two that contradict each other end the run. Positions are told apart by their full keys, never by a hash.

mod nodes;
mod notes;
mod numbers;
mod selection;
mod serial;
mod server;
mod source;
mod store;
mod tree;
mod work;

pub use server::{PATH, Server, VERSION, VERSION_HEADER};
pub use source::{JobSource, Refusal, answer};
pub use store::{Fact, Progress, Root, Run, Store};
pub use work::{Event, Options, WorkError, Worked, learn, position, publish, work};
