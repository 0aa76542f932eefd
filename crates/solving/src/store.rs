//! The store: what is to be solved, and the trees of what is known.

use crate::serial;
use crate::tree::{Given, Tree};
use game::{Outcome, Side};
use jobs::{Done, Lease, Migration, StoreError};
use search::proof::{Combination, ProofNumbers};
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use sqlx::any::AnyRow;
use sqlx::{AnyConnection, Row};
use std::collections::HashMap;
use std::time::Duration;

/// The tables of this crate.
const TABLES: &[Migration] = &[
    Migration {
        version: 5,
        name: "solving",
        text: include_str!("../migrations/0005_solving.sql"),
    },
    Migration {
        version: 9,
        name: "solving notes",
        text: include_str!("../migrations/0009_notes.sql"),
    },
];

/// A position that is to be solved.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Run {
    /// What it is called: it follows from the position.
    pub id: String,
    /// The game's name.
    pub game: String,
    /// The board as certificates name it.
    pub board: String,
    /// The moves to the position in the default dialect, separated by blanks.
    pub moves: String,
    /// Nodes of a job.
    pub budget: u64,
    /// The value, once it is known.
    #[serde(with = "serial::if_known")]
    pub outcome: Option<Outcome>,
}

impl Run {
    /// What is to be found out about a position.
    pub fn new(game: &str, board: &str, moves: &str, budget: u64) -> Run {
        let digest = Sha256::digest(format!("{game}\n{board}\n{moves}"));
        let id = digest.iter().take(6).map(|byte| format!("{byte:02x}"));
        Run {
            id: id.collect(),
            game: game.to_owned(),
            board: board.to_owned(),
            moves: moves.to_owned(),
            budget,
            outcome: None,
        }
    }

    /// The tree of the question whether a side wins.
    pub(crate) fn tree(&self, attacker: Side) -> Tree {
        Tree {
            name: format!("{}/{attacker}", self.id),
            attacker,
        }
    }
}

/// The root of a tree.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Root {
    /// Its full key.
    pub position: String,
    /// Whose turn it is.
    pub to_move: Side,
    /// How numbers of positions after moves are combined. A run goes on with what it began with.
    pub combination: Combination,
}

/// How far a run is.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Progress {
    /// The question under way, or the last one: whether this side wins.
    pub attacker: String,
    /// The proof number of the root; 0 if it is proven that the attacker wins.
    pub proof: u32,
    /// The disproof number of the root; 0 if it is proven that the attacker does not win.
    pub disproof: u32,
    /// Jobs under way.
    pub jobs: u64,
    /// Nodes that were searched, those of all questions together.
    pub nodes: u64,
    /// Nodes of the jobs that ended within the last minute.
    pub last_minute: u64,
    /// Positions of the upper part of the proof.
    pub positions: u64,
    /// Those of them that are solved.
    pub solved: u64,
    /// Seconds since the run was published.
    pub age: f64,
}

/// What a worker gets.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) enum Taken {
    /// Jobs, the best first; none if there are none for now.
    Jobs(Vec<Given>),
    /// The value is known.
    Solved(#[serde(with = "serial::Outcome")] Outcome),
}

/// An answer about a position of the upper part of a proof.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Fact {
    /// The question: whether this side wins.
    #[serde(with = "serial::Side")]
    pub attacker: Side,
    /// The moves to the position from that of the run.
    pub moves: String,
    /// The answer.
    #[serde(with = "serial::ProofNumbers")]
    pub answer: ProofNumbers,
    /// The nodes that were searched for it.
    pub nodes: u64,
    /// Its place among the answers of its tree.
    pub(crate) order: i64,
    /// Its position in the tree.
    pub(crate) node: i64,
}

/// An open store. Clones share it.
#[derive(Clone, Debug)]
pub struct Store {
    pub(crate) jobs: jobs::Store,
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

    /// Opens a store that is only read, which may lie where this user can write nothing.
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

    pub(crate) fn error(&self, error: &sqlx::Error) -> StoreError {
        self.jobs.error(error)
    }

    /// Puts a run into the store. What is there of it stays: it continues, with the budget that is asked for now.
    ///
    /// # Errors
    /// If the store cannot be written.
    pub async fn publish(&self, run: &Run, root: &Root) -> Result<(), StoreError> {
        let mut transaction = self.jobs.begin().await?;
        let text = "INSERT INTO solve_runs (run, game, board, moves, budget, part, created)
            VALUES ($1, $2, $3, $4, $5, $6, {now})
            ON CONFLICT (run) DO UPDATE SET budget = excluded.budget";
        let query = sqlx::query(self.jobs.sql(text)).bind(run.id.clone());
        let query = query.bind(run.game.clone()).bind(run.board.clone());
        let query = query.bind(run.moves.clone()).bind(run.budget as i64);
        let query = query.bind(part_of(root.combination));
        let done = query.execute(&mut *transaction).await;
        done.map_err(|error| self.error(&error))?;
        for attacker in Side::BOTH {
            self.put_root(&mut transaction, &run.tree(attacker), root)
                .await?;
        }
        self.jobs.commit(transaction).await
    }

    /// The runs, the oldest first.
    ///
    /// # Errors
    /// If the store cannot be read.
    pub async fn runs(&self) -> Result<Vec<Run>, StoreError> {
        let text =
            "SELECT run, game, board, moves, budget, outcome FROM solve_runs ORDER BY created, run";
        let rows = sqlx::query(text).fetch_all(self.jobs.pool()).await;
        let rows = rows.map_err(|error| self.error(&error))?;
        let runs: Result<_, sqlx::Error> = rows.iter().map(read_run).collect();
        runs.map_err(|error| self.error(&error))
    }

    /// How far a run is.
    ///
    /// # Errors
    /// If the store cannot be read.
    pub async fn progress(&self, run: &Run) -> Result<Progress, StoreError> {
        let (tree, root, _) = {
            let connection = self.jobs.pool().acquire().await;
            let mut connection = connection.map_err(|error| self.error(&error))?;
            self.question(&mut connection, run).await?
        };
        let pool = self.jobs.pool();
        let all = format!("{}/%", run.id);
        let text = "SELECT COUNT(*), COUNT(CASE WHEN solved > 0 THEN 1 END) FROM solve_nodes WHERE tree LIKE $1";
        let counted = sqlx::query(text).bind(all.clone()).fetch_one(pool).await;
        let text = "SELECT CAST(COALESCE(SUM(nodes), 0) AS BIGINT),
                CAST(COALESCE(SUM(CASE WHEN finished > {now} - 60 THEN nodes ELSE 0 END), 0) AS BIGINT)
            FROM solve_results WHERE tree LIKE $1";
        let spent = sqlx::query(self.jobs.sql(text)).bind(all);
        let spent = spent.fetch_one(pool).await;
        let text = "SELECT {now} - created FROM solve_runs WHERE run = $1";
        let age = sqlx::query_scalar(self.jobs.sql(text)).bind(run.id.clone());
        let age = age.fetch_one(pool).await;
        let read = || {
            let (counted, spent) = (counted?, spent?);
            Ok([
                counted.try_get::<i64, _>(0)? as u64,
                counted.try_get::<i64, _>(1)? as u64,
                spent.try_get::<i64, _>(0)? as u64,
                spent.try_get::<i64, _>(1)? as u64,
            ])
        };
        let [positions, solved, nodes, last_minute] =
            read().map_err(|error: sqlx::Error| self.error(&error))?;
        Ok(Progress {
            attacker: tree.attacker.to_string(),
            proof: root.proof,
            disproof: root.disproof,
            jobs: self.jobs.counts(&tree.name).await?.leased,
            nodes,
            last_minute,
            positions,
            solved,
            age: age.map_err(|error| self.error(&error))?,
        })
    }

    /// The nodes that each worker has searched.
    ///
    /// # Errors
    /// If the store cannot be read.
    pub async fn nodes_by(&self) -> Result<HashMap<String, Done>, StoreError> {
        let text = "SELECT worker, CAST(SUM(nodes) AS BIGINT),
                CAST(SUM(CASE WHEN finished > {now} - 60 THEN nodes ELSE 0 END) AS BIGINT)
            FROM solve_results GROUP BY worker";
        self.jobs.done_by(text).await
    }

    /// The answers of a run that took so many nodes or more, in the order in which they were found.
    ///
    /// # Errors
    /// If the store cannot be read.
    pub async fn facts(&self, run: &Run, nodes: u64) -> Result<Vec<Fact>, StoreError> {
        let mut facts = Vec::new();
        for attacker in Side::BOTH {
            facts.extend(self.facts_after(&run.tree(attacker), 0, nodes).await?);
        }
        Ok(facts)
    }

    /// Those of a tree after one of them.
    pub(crate) async fn facts_after(
        &self,
        tree: &Tree,
        after: i64,
        nodes: u64,
    ) -> Result<Vec<Fact>, StoreError> {
        let text = "SELECT moves, proof, disproof, lost, nodes, solved, node FROM solve_nodes
            WHERE tree = $1 AND solved > $2 AND nodes >= $3 ORDER BY solved";
        let query = sqlx::query(text).bind(tree.name.clone());
        let query = query.bind(after).bind(nodes as i64);
        let rows = query.fetch_all(self.jobs.pool()).await;
        let rows = rows.map_err(|error| self.error(&error))?;
        let read = |row: &AnyRow| {
            Ok(Fact {
                attacker: tree.attacker,
                moves: row.try_get(0)?,
                answer: read_numbers(row, 1)?,
                nodes: row.try_get::<i64, _>(4)? as u64,
                order: row.try_get(5)?,
                node: row.try_get(6)?,
            })
        };
        let facts: Result<_, sqlx::Error> = rows.iter().map(read).collect();
        facts.map_err(|error| self.error(&error))
    }

    /// Keeps others from this run until the transaction ends, since a choice rests on all numbers of a tree. The answer: how
    /// numbers are combined.
    pub(crate) async fn lock(
        &self,
        connection: &mut AnyConnection,
        run: &Run,
    ) -> Result<Combination, StoreError> {
        let text = "SELECT part FROM solve_runs WHERE run = $1 {update}";
        let query = sqlx::query_scalar(self.jobs.sql(text)).bind(run.id.clone());
        let part: Result<Option<i64>, _> = query.fetch_optional(connection).await;
        let part = part.map_err(|error| self.error(&error))?;
        part.map(combination_of).ok_or_else(|| {
            let what = format!("there is no run {}", run.id);
            StoreError::lasting(self.jobs.place(), what)
        })
    }

    /// The question that is open with the numbers of its root, and the value if none is: first whether White wins, then,
    /// unless Black was seen to, whether Black does.
    async fn question(
        &self,
        connection: &mut AnyConnection,
        run: &Run,
    ) -> Result<(Tree, ProofNumbers, Option<Outcome>), StoreError> {
        let mut last = (run.tree(Side::White), ProofNumbers::UNKNOWN);
        for attacker in Side::BOTH {
            let tree = run.tree(attacker);
            let root = self.root(connection, &tree).await?;
            let outcome = match root {
                ProofNumbers { proof: 0, .. } => Some(Outcome::Win(attacker)),
                ProofNumbers {
                    disproof: 0,
                    lost: true,
                    ..
                } => Some(Outcome::Win(!attacker)),
                ProofNumbers { disproof: 0, .. } => {
                    last = (tree, root);
                    continue;
                }
                _ => None,
            };
            return Ok((tree, root, outcome));
        }
        Ok((last.0, last.1, Some(Outcome::Draw)))
    }

    /// The numbers of the root of a tree.
    async fn root(
        &self,
        connection: &mut AnyConnection,
        tree: &Tree,
    ) -> Result<ProofNumbers, StoreError> {
        let text = "SELECT proof, disproof, lost FROM solve_nodes WHERE tree = $1 AND node = 0";
        let query = sqlx::query(text).bind(tree.name.clone());
        let row = query.fetch_one(connection).await;
        let numbers = row.and_then(|row| read_numbers(&row, 0));
        numbers.map_err(|error| self.error(&error))
    }

    /// Notes the value of a run if it is known now; otherwise tells which question is open.
    pub(crate) async fn conclude(
        &self,
        connection: &mut AnyConnection,
        run: &Run,
    ) -> Result<(Tree, Option<Outcome>), StoreError> {
        let (tree, _, outcome) = self.question(connection, run).await?;
        if let Some(outcome) = outcome {
            let text = "UPDATE solve_runs SET outcome = $1 WHERE run = $2";
            let query = sqlx::query(text).bind(outcome.to_string());
            let done = query.bind(run.id.clone());
            let done = done.execute(&mut *connection).await;
            done.map_err(|error| self.error(&error))?;
            for attacker in Side::BOTH {
                self.forget_noted(connection, &run.tree(attacker)).await?;
            }
        }
        Ok((tree, outcome))
    }

    /// Makes leases longer, and tells that the worker is there.
    pub(crate) async fn extend(
        &self,
        worker: &str,
        leases: &[Lease],
        time: Duration,
    ) -> Result<(), StoreError> {
        self.jobs.extend(leases, time).await?;
        self.jobs.seen(worker, 0, false).await
    }
}

/// How numbers are combined, as a run has it: the part of the sum of the other children that counts, or 0.
fn part_of(combination: Combination) -> i64 {
    match combination {
        Combination::Weak => 0,
        Combination::Sum => 1,
        Combination::Part(part) => part.into(),
    }
}

/// The same read.
fn combination_of(part: i64) -> Combination {
    match part {
        0 => Combination::Weak,
        1 => Combination::Sum,
        part => Combination::Part(part as u32),
    }
}

/// The numbers of a position in a row, from a column on.
pub(crate) fn read_numbers(row: &AnyRow, from: usize) -> Result<ProofNumbers, sqlx::Error> {
    Ok(ProofNumbers {
        proof: row.try_get::<i64, _>(from)? as u32,
        disproof: row.try_get::<i64, _>(from + 1)? as u32,
        lost: row.try_get::<i64, _>(from + 2)? != 0,
    })
}

fn read_run(row: &AnyRow) -> Result<Run, sqlx::Error> {
    let outcome: String = row.try_get(5)?;
    Ok(Run {
        id: row.try_get(0)?,
        game: row.try_get(1)?,
        board: row.try_get(2)?,
        moves: row.try_get(3)?,
        budget: row.try_get::<i64, _>(4)? as u64,
        outcome: [Side::White, Side::Black]
            .map(Outcome::Win)
            .into_iter()
            .chain([Outcome::Draw])
            .find(|known| known.to_string() == outcome),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn combinations_are_read_as_they_were_written() {
        for combination in [Combination::Weak, Combination::Sum, Combination::Part(6)] {
            assert_eq!(combination_of(part_of(combination)), combination);
        }
    }
}
