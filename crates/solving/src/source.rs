//! Where a worker gets its jobs: from a store, or from a server that has one.
//!
//! Whatever a worker asks is a [`Request`]. A [`Store`] answers it, and a server passes requests to its store unchanged, so
//! that leases and their fence are the same on both ways.

use crate::server::Server;
use crate::store::{Fact, Run, Store, Taken};
use crate::tree::{Found, Given, Stored, Tree};
use jobs::{Lease, StoreError, Worker};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::time::Duration;
use thiserror::Error;

/// Where a worker gets its jobs.
#[derive(Clone, Debug)]
pub enum JobSource {
    /// A store that this process has opened.
    Store(Store),
    /// A server that has one.
    Server(Box<Server>),
}

/// What a worker asks a server, in JSON. Both are of the same version of the program.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) enum Request {
    /// The runs.
    Runs,
    /// Tells that a worker is there. The answer: all workers of its machine that have not ended.
    Greet(Worker),
    /// Ends the leases of workers whose processes are gone.
    Reap(Vec<String>),
    /// A job.
    Take {
        run: Run,
        worker: String,
        lease: Duration,
    },
    /// The answers of a tree after one of them that took so many nodes or more.
    Facts { tree: Tree, after: i64, nodes: u64 },
    /// Stores what was found, and takes the next job for the time of a lease.
    Store {
        run: Run,
        given: Given,
        found: Found,
        next: Option<Duration>,
    },
    /// Makes a lease longer.
    Extend {
        worker: String,
        lease: Lease,
        time: Duration,
    },
    /// Gives a job back.
    GiveBack(Lease),
    /// Tells that a worker has ended.
    Leave(String),
}

/// Why a server did not do what a worker asked.
#[derive(Debug, Error)]
pub enum Refusal {
    /// The request makes no sense.
    #[error("{0}")]
    Unreadable(String),
    /// The store does not work.
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// Does what a worker asks with a request in JSON, and gives the answer.
///
/// # Errors
/// If the request cannot be read, or the store does not work. Nothing has changed then.
pub async fn answer(store: &Store, request: &[u8]) -> Result<Value, Refusal> {
    let request = serde_json::from_slice(request);
    let request = request.map_err(|why| Refusal::Unreadable(format!("no request: {why}")))?;
    let answer = match request {
        Request::Runs => serde_json::to_value(store.runs().await?),
        Request::Greet(worker) => {
            store.jobs().greet(&worker).await?;
            serde_json::to_value(store.jobs().unended(&worker.machine).await?)
        }
        Request::Reap(workers) => serde_json::to_value(store.jobs().reap_these(&workers).await?),
        Request::Take { run, worker, lease } => {
            serde_json::to_value(store.take(&run, &worker, lease).await?)
        }
        Request::Facts { tree, after, nodes } => {
            serde_json::to_value(store.facts_after(&tree, after, nodes).await?)
        }
        Request::Store {
            run,
            given,
            found,
            next,
        } => {
            if !given.is_of(&run) {
                let why = "a result of a job of another run".to_owned();
                return Err(Refusal::Unreadable(why));
            }
            serde_json::to_value(store.store(&run, &given, &found, next).await?)
        }
        Request::Extend {
            worker,
            lease,
            time,
        } => serde_json::to_value(store.extend(&worker, &lease, time).await?),
        Request::GiveBack(lease) => serde_json::to_value(store.give_back(&lease).await?),
        Request::Leave(worker) => serde_json::to_value(store.jobs().seen(&worker, 0, true).await?),
    };
    answer.map_err(|why| StoreError::lasting(store.jobs().place(), why.to_string()).into())
}

impl JobSource {
    /// The runs, the oldest first.
    ///
    /// # Errors
    /// If the store cannot be read, or the server cannot be reached.
    pub async fn runs(&self) -> Result<Vec<Run>, StoreError> {
        match self {
            JobSource::Store(store) => store.runs().await,
            JobSource::Server(server) => server.ask(&Request::Runs).await,
        }
    }

    /// Tells that a worker is there, and ends the leases of those of its machine whose processes are gone.
    pub(crate) async fn greet(&self, worker: &Worker) -> Result<(), StoreError> {
        match self {
            JobSource::Store(store) => {
                store.jobs().greet(worker).await?;
                store.jobs().reap(&worker.machine, jobs::is_alive).await
            }
            JobSource::Server(server) => {
                let mut gone: Vec<String> = server.ask(&Request::Greet(worker.clone())).await?;
                gone.retain(|id| !jobs::is_alive(id));
                if gone.is_empty() {
                    return Ok(());
                }
                server.ask(&Request::Reap(gone)).await
            }
        }
    }

    pub(crate) async fn take(
        &self,
        run: &Run,
        worker: &str,
        lease: Duration,
    ) -> Result<Taken, StoreError> {
        match self {
            JobSource::Store(store) => store.take(run, worker, lease).await,
            JobSource::Server(server) => {
                let (run, worker) = (run.clone(), worker.to_owned());
                server.ask(&Request::Take { run, worker, lease }).await
            }
        }
    }

    pub(crate) async fn facts_after(
        &self,
        tree: &Tree,
        after: i64,
        nodes: u64,
    ) -> Result<Vec<Fact>, StoreError> {
        match self {
            JobSource::Store(store) => store.facts_after(tree, after, nodes).await,
            JobSource::Server(server) => {
                let tree = tree.clone();
                server.ask(&Request::Facts { tree, after, nodes }).await
            }
        }
    }

    pub(crate) async fn store(
        &self,
        run: &Run,
        given: &Given,
        found: &Found,
        next: Option<Duration>,
    ) -> Result<Stored, StoreError> {
        match self {
            JobSource::Store(store) => store.store(run, given, found, next).await,
            JobSource::Server(server) => {
                let request = Request::Store {
                    run: run.clone(),
                    given: given.clone(),
                    found: found.clone(),
                    next,
                };
                server.ask(&request).await
            }
        }
    }

    /// Makes a lease longer, and tells that the worker is there.
    pub(crate) async fn extend(
        &self,
        worker: &str,
        lease: &Lease,
        time: Duration,
    ) -> Result<(), StoreError> {
        match self {
            JobSource::Store(store) => store.extend(worker, lease, time).await,
            JobSource::Server(server) => {
                let (worker, lease) = (worker.to_owned(), lease.clone());
                server
                    .ask(&Request::Extend {
                        worker,
                        lease,
                        time,
                    })
                    .await
            }
        }
    }

    pub(crate) async fn give_back(&self, lease: &Lease) -> Result<(), StoreError> {
        match self {
            JobSource::Store(store) => store.give_back(lease).await,
            JobSource::Server(server) => server.ask(&Request::GiveBack(lease.clone())).await,
        }
    }

    /// Tells that a worker has ended.
    pub(crate) async fn leave(&self, worker: &str) -> Result<(), StoreError> {
        match self {
            JobSource::Store(store) => store.jobs().seen(worker, 0, true).await,
            JobSource::Server(server) => server.ask(&Request::Leave(worker.to_owned())).await,
        }
    }
}
