//! Where a worker gets its jobs, and whoever looks how far they are what is to be seen: a store, or a server that has one.
//!
//! Whatever a worker asks is a [`Request`]. A [`Store`] answers it, and a server passes requests to its store unchanged, so
//! that leases and their fence are the same on both ways.

use crate::notes::Noted;
use crate::server::Server;
use crate::store::{Fact, Progress, Run, Store};
use crate::tree::{Delivered, Found, Given, Tree, Wanted};
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
    /// How far a run is.
    Progress(Run),
    /// Tells that a worker is there. The answer: all workers of its machine that have not ended.
    Greet(Worker),
    /// Ends the leases of workers whose processes are gone.
    Reap(Vec<String>),
    /// The answers of a tree after one of them that took so many nodes or more.
    Facts { tree: Tree, after: i64, nodes: u64 },
    /// Stores what was found, gives back what else the worker has, and takes the next jobs.
    Deliver {
        run: Run,
        worker: String,
        results: Vec<(Given, Found)>,
        noted: Option<String>,
        wanted: Option<Wanted>,
    },
    /// What other workers have noted of a tree after a place.
    Noted {
        tree: Tree,
        worker: String,
        after: i64,
    },
    /// Makes leases longer.
    Extend {
        worker: String,
        leases: Vec<Lease>,
        time: Duration,
    },
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
        Request::Progress(run) => serde_json::to_value(store.progress(&run).await?),
        Request::Greet(worker) => {
            store.jobs().greet(&worker).await?;
            serde_json::to_value(store.jobs().unended(&worker.machine).await?)
        }
        Request::Reap(workers) => serde_json::to_value(store.jobs().reap_these(&workers).await?),
        Request::Facts { tree, after, nodes } => {
            serde_json::to_value(store.facts_after(&tree, after, nodes).await?)
        }
        Request::Deliver {
            run,
            worker,
            results,
            noted,
            wanted,
        } => {
            let mut jobs = results.iter().map(|(given, _)| given);
            let first = results.first().map(|(given, _)| &given.tree);
            if !jobs.all(|job| job.is_of(&run, &worker) && Some(&job.tree) == first) {
                let why = "a result of a job of another run, question or worker".to_owned();
                return Err(Refusal::Unreadable(why));
            }
            let noted = noted.as_deref();
            let delivered = store.deliver(&run, &worker, &results, noted, wanted);
            serde_json::to_value(delivered.await?)
        }
        Request::Noted {
            tree,
            worker,
            after,
        } => serde_json::to_value(store.noted_after(&tree, &worker, after).await?),
        Request::Extend {
            worker,
            leases,
            time,
        } => serde_json::to_value(store.extend(&worker, &leases, time).await?),
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

    /// How far a run is.
    ///
    /// # Errors
    /// If the store cannot be read, or the server cannot be reached.
    pub async fn progress(&self, run: &Run) -> Result<Progress, StoreError> {
        match self {
            JobSource::Store(store) => store.progress(run).await,
            JobSource::Server(server) => server.ask(&Request::Progress(run.clone())).await,
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

    pub(crate) async fn noted_after(
        &self,
        tree: &Tree,
        worker: &str,
        after: i64,
    ) -> Result<Vec<Noted>, StoreError> {
        match self {
            JobSource::Store(store) => store.noted_after(tree, worker, after).await,
            JobSource::Server(server) => {
                let (tree, worker) = (tree.clone(), worker.to_owned());
                let request = Request::Noted {
                    tree,
                    worker,
                    after,
                };
                server.ask(&request).await
            }
        }
    }

    /// Stores what was found, gives back what else the worker has, and takes the next jobs.
    pub(crate) async fn deliver(
        &self,
        run: &Run,
        worker: &str,
        results: &[(Given, Found)],
        noted: Option<&str>,
        wanted: Option<Wanted>,
    ) -> Result<Delivered, StoreError> {
        match self {
            JobSource::Store(store) => store.deliver(run, worker, results, noted, wanted).await,
            JobSource::Server(server) => {
                let request = Request::Deliver {
                    run: run.clone(),
                    worker: worker.to_owned(),
                    results: results.to_vec(),
                    noted: noted.map(str::to_owned),
                    wanted,
                };
                server.ask(&request).await
            }
        }
    }

    /// Makes leases longer, and tells that the worker is there.
    pub(crate) async fn extend(
        &self,
        worker: &str,
        leases: &[Lease],
        time: Duration,
    ) -> Result<(), StoreError> {
        match self {
            JobSource::Store(store) => store.extend(worker, leases, time).await,
            JobSource::Server(server) => {
                let request = Request::Extend {
                    worker: worker.to_owned(),
                    leases: leases.to_vec(),
                    time,
                };
                server.ask(&request).await
            }
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
