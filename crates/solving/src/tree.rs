//! The upper part of a proof, in the store: what results change, and which positions a worker gets next.
//!
//! All of it happens in one transaction, which holds the lock of the run. What is under way is not written into the tree: it
//! follows from the jobs whose leases are valid, so that of a worker that is gone nothing remains.

use crate::nodes::Nodes;
use crate::notes::least_noted;
use crate::serial;
use crate::store::{Root, Run, Store, Taken};
use game::Side;
use jobs::{Lease, Payload, StoreError, lists, rows};
use search::proof::ProofNumbers;
use serde::{Deserialize, Serialize};
use sqlx::any::AnyRow;
use sqlx::{AnyConnection, Row};
use std::collections::HashSet;
use std::time::Duration;

/// The positions about which one question is asked.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Tree {
    /// Its name, and that of the queue of its jobs.
    pub name: String,
    /// The question is whether this side wins.
    #[serde(with = "serial::Side")]
    pub attacker: Side,
}

/// A position that is to be searched.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Position {
    /// The nodes from the root to it.
    pub path: Vec<i64>,
}

impl Position {
    pub fn leaf(&self) -> Option<i64> {
        self.path.last().copied()
    }

    /// The nodes above it, the root first.
    pub fn above(&self) -> &[i64] {
        self.path.split_last().map_or(&[], |(_, above)| above)
    }
}

impl Payload for Position {
    const KIND: &'static str = "solve";
}

/// A job that was given to a worker.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Given {
    pub lease: Lease,
    pub tree: Tree,
    /// The nodes from the root to it.
    pub path: Vec<i64>,
    /// The moves to the position from that of the run.
    pub moves: String,
    /// The numbers at which another position may be better.
    #[serde(with = "serial::ProofNumbers")]
    pub bounds: ProofNumbers,
}

impl Given {
    /// Whether it is about the root itself.
    pub fn is_root(&self) -> bool {
        self.path.len() == 1
    }

    /// The node above it, if a result decides that one too; `attacking` if the attacker moves at the position itself.
    pub fn settled_by(&self, attacking: bool, numbers: ProofNumbers) -> Option<i64> {
        let [.., above, _] = *self.path else {
            return None;
        };
        let is_decisive = numbers.is_solved() && (numbers.proof == 0) != attacking;
        is_decisive.then_some(above)
    }

    /// Its node.
    pub fn leaf(&self) -> i64 {
        self.lease.job as i64
    }

    /// Whether it is a job of a worker on this run, as far as it can tell itself.
    pub fn is_of(&self, run: &Run, worker: &str) -> bool {
        self.tree == run.tree(self.tree.attacker)
            && (&*self.lease.queue, &*self.lease.worker) == (&*self.tree.name, worker)
            && self.path.last().map(|&node| node as u64) == Some(self.lease.job)
    }
}

/// What a worker found out about a position.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Found {
    #[serde(with = "serial::ProofNumbers")]
    pub numbers: ProofNumbers,
    /// The nodes that were searched.
    pub nodes: u64,
    /// The positions after its moves, each once, if they are to be searched one by one from now on.
    pub children: Vec<Child>,
}

/// A position after a move.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Child {
    /// Its full key.
    pub position: String,
    /// The moves to it from the position of the run.
    pub moves: String,
    pub attacking: bool,
    #[serde(with = "serial::ProofNumbers")]
    pub numbers: ProofNumbers,
}

/// What a worker gets next.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
pub(crate) struct Wanted {
    /// So many jobs at most.
    pub jobs: usize,
    /// How long their leases last.
    pub lease: Duration,
}

/// What became of results.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Delivered {
    /// Whether each is stored. Of one whose lease was over, nothing is.
    pub stored: Vec<bool>,
    /// What the worker gets next.
    pub taken: Taken,
    /// If others work too: the worker is to note what it finds out about positions that take so many nodes.
    pub least_noted: Option<u64>,
}

impl Store {
    /// Puts the root of a tree there, unless it is.
    pub(crate) async fn put_root(
        &self,
        connection: &mut AnyConnection,
        tree: &Tree,
        root: &Root,
    ) -> Result<(), StoreError> {
        let text = "INSERT INTO solve_nodes (tree, node, position, moves, attacking, proof, disproof, lost, expanded,
                nodes, solved)
            VALUES ($1, 0, $2, '', $3, $4, $5, 0, 0, 0, 0) ON CONFLICT DO NOTHING";
        let unknown = ProofNumbers::UNKNOWN;
        let query = sqlx::query(text).bind(tree.name.clone());
        let query = query.bind(root.position.clone());
        let query = query.bind(i64::from(root.to_move == tree.attacker));
        let query = query.bind(i64::from(unknown.proof));
        let query = query.bind(i64::from(unknown.disproof));
        let done = query.execute(connection).await;
        done.map_err(|error| self.error(&error))?;
        Ok(())
    }

    /// Stores what a worker found out, as far as its leases are valid, and all that follows from it; what else it has is
    /// given back, and what it has noted meanwhile is for the others. One that goes on gets its next jobs in the same
    /// transaction: while it ends on the disk, nobody else can work on the run. All results are of one tree.
    pub(crate) async fn deliver(
        &self,
        run: &Run,
        worker: &str,
        results: &[(Given, Found)],
        noted: Option<&str>,
        wanted: Option<Wanted>,
    ) -> Result<Delivered, StoreError> {
        let mut transaction = self.jobs.begin().await?;
        let connection = &mut *transaction;
        let combination = self.lock(connection, run).await?;
        let mut stored = Vec::new();
        let mut is_heard = true;
        let mut nodes = None;
        if let Some((first, _)) = results.first() {
            let tree = &first.tree;
            let leases: Vec<Lease> = results
                .iter()
                .map(|(given, _)| given.lease.clone())
                .collect();
            stored = self.jobs.held(connection, &tree.name, &leases).await?;
            let held = results.iter().zip(&stored).filter(|(_, held)| **held);
            let held: Vec<_> = held.map(|(result, _)| result).collect();
            let new = self.count(connection, &tree.name, &held).await?;
            is_heard = new.len() == results.len();
            let mut tree = Nodes::of(self, connection, tree.clone(), combination).await?;
            tree.enter(connection, &new).await?;
            let jobs: Vec<u64> = new.iter().map(|(given, _)| given.lease.job).collect();
            self.jobs
                .finish_all(connection, &first.tree.name, &jobs)
                .await?;
            if let Some(noted) = noted.filter(|_| !new.is_empty()) {
                self.keep_noted(connection, &first.tree, worker, noted)
                    .await?;
            }
            nodes = Some(tree);
        }
        let (tree, outcome) = self.conclude(connection, run).await?;
        self.jobs
            .release_all(connection, &tree.name, worker)
            .await?;
        let mut least = None;
        let taken = match (outcome, wanted) {
            (Some(outcome), _) => Taken::Solved(outcome),
            // Where something is stored already, the worker has not heard of it, and perhaps asks for the second time:
            // nobody would work on what the answer to the first gives it.
            (None, Some(wanted)) if is_heard => {
                let mut nodes = match nodes {
                    Some(nodes) if nodes.tree == tree => nodes,
                    _ => Nodes::of(self, connection, tree, combination).await?,
                };
                let (jobs, others) = nodes.take(connection, run, worker, wanted).await?;
                least = least_noted(others, run.budget);
                Taken::Jobs(jobs)
            }
            _ => Taken::Jobs(Vec::new()),
        };
        self.jobs.commit(transaction).await?;
        Ok(Delivered {
            stored,
            taken,
            least_noted: least,
        })
    }

    /// Counts the nodes of jobs; gives those that were not counted, and their results not stored, before.
    async fn count<'r>(
        &self,
        connection: &mut AnyConnection,
        tree: &str,
        results: &[&'r (Given, Found)],
    ) -> Result<Vec<&'r (Given, Found)>, StoreError> {
        let mut new = HashSet::new();
        for results in lists(results) {
            let text = format!(
                "INSERT INTO solve_results (tree, finished, node, generation, worker, nodes) VALUES {}
                ON CONFLICT DO NOTHING RETURNING node, generation",
                rows("$1, {now}", results.len(), 4)
            );
            let mut query = sqlx::query(self.jobs.sql(&text)).bind(tree.to_owned());
            for (given, found) in results {
                query = query.bind(given.leaf()).bind(given.lease.generation);
                query = query.bind(given.lease.worker.clone());
                query = query.bind(found.nodes as i64);
            }
            let counted = query.fetch_all(&mut *connection).await;
            let read = |row: &AnyRow| Ok((row.try_get(0)?, row.try_get(1)?));
            let counted: Result<Vec<(i64, i64)>, _> =
                counted.and_then(|rows| rows.iter().map(read).collect());
            new.extend(counted.map_err(|error| self.error(&error))?);
        }
        let is_new = |(given, _): &&(Given, Found)| {
            // Once, should it have been sent twice.
            new.remove(&(given.leaf(), given.lease.generation))
        };
        Ok(results.iter().copied().filter(is_new).collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_move_that_decides_settles_the_position_before_it() {
        let tree = Tree {
            name: "run/white".to_owned(),
            attacker: Side::White,
        };
        let given = |path: &[i64]| Given {
            lease: Lease {
                queue: tree.name.clone(),
                job: path[path.len() - 1] as u64,
                worker: "w#0".to_owned(),
                generation: 1,
            },
            tree: tree.clone(),
            path: path.to_vec(),
            moves: String::new(),
            bounds: ProofNumbers::NEVER,
        };
        let job = given(&[0, 4, 9]);
        let (won, held) = (ProofNumbers::PROVEN, ProofNumbers::disproven(false));
        // The attacker has moved to it, or the defender has.
        assert_eq!(job.settled_by(false, won), Some(4));
        assert_eq!(job.settled_by(false, held), None);
        assert_eq!(job.settled_by(true, held), Some(4));
        assert_eq!(job.settled_by(true, won), None);
        assert_eq!(job.settled_by(false, ProofNumbers::UNKNOWN), None);
        assert_eq!(given(&[0]).settled_by(false, won), None);
    }
}
