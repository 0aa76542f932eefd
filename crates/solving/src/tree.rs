//! The upper part of a proof, in the store: which of its positions to search next, and what a result changes.
//!
//! All of it happens in transactions that hold the lock of the run. What is under way is not written into the tree: it
//! follows from the jobs whose leases are valid, so that of a worker that is gone nothing remains.

use crate::numbers::{Candidate, choose, combined, while_searched};
use crate::serial;
use crate::store::{Root, Run, Store, Taken};
use game::Side;
use jobs::{Lease, Payload, StoreError};
use search::proof::ProofNumbers;
use serde::{Deserialize, Serialize};
use sqlx::any::AnyRow;
use sqlx::{AnyConnection, Row};
use std::collections::hash_map::Entry;
use std::collections::{HashMap, HashSet, VecDeque};
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

/// A position of a tree.
#[derive(Clone, Debug)]
pub(crate) struct Node {
    id: i64,
    moves: String,
    attacking: bool,
    pub numbers: ProofNumbers,
    expanded: bool,
    /// Who searched it last; nobody if that is empty.
    searched_by: String,
}

/// A position that is to be searched.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Position {
    /// The nodes from the root to it.
    path: Vec<i64>,
}

impl Position {
    fn leaf(&self) -> Option<i64> {
        self.path.last().copied()
    }

    /// The nodes above it, the root first.
    fn above(&self) -> &[i64] {
        self.path.split_last().map_or(&[], |(_, above)| above)
    }
}

/// The numbers of the positions of jobs under way, and of those above them, as they are assumed to become: a position
/// looks harder to the side that moves to it ([`while_searched`]), and what lies above follows. So workers part where
/// that costs least, mostly close to the leaves.
fn assumed(
    under_way: &[Position],
    children: &HashMap<i64, Vec<Node>>,
) -> HashMap<i64, ProofNumbers> {
    let mut assumed = HashMap::new();
    let steps = |job: &Position| {
        let steps = job.path.windows(2).enumerate();
        let steps = steps.map(|(depth, step)| (depth, step[0], step[1]));
        steps.rev().collect::<Vec<_>>()
    };
    let mut steps: Vec<_> = under_way.iter().flat_map(steps).collect();
    // From the leaves to the root.
    steps.sort_unstable_by(|one, other| other.cmp(one));
    steps.dedup();
    for (_, parent, child) in steps {
        let children = children.get(&parent).map_or(&[][..], Vec::as_slice);
        let Some(node) = children.iter().find(|node| node.id == child) else {
            continue;
        };
        let attacking = !node.attacking;
        if under_way.iter().any(|job| job.leaf() == Some(child)) {
            assumed.insert(child, while_searched(attacking, node.numbers));
        }
        let numbers = |node: &Node| assumed.get(&node.id).copied().unwrap_or(node.numbers);
        let numbers: Vec<_> = children.iter().map(numbers).collect();
        assumed.insert(parent, combined(attacking, &numbers));
    }
    assumed
}

impl Payload for Position {
    const KIND: &'static str = "solve";
}

/// What was selected.
#[derive(Debug)]
pub(crate) struct Selected {
    path: Vec<i64>,
    moves: String,
    bounds: ProofNumbers,
}

/// A job that was given to a worker.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Given {
    pub lease: Lease,
    pub tree: Tree,
    path: Vec<i64>,
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

    /// Whether it is a job of this run, as far as it can tell itself.
    pub fn is_of(&self, run: &Run) -> bool {
        self.tree == run.tree(self.tree.attacker)
            && self.lease.queue == self.tree.name
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

/// What became of a result.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) enum Stored {
    /// It is stored; and what the worker gets next.
    Yes(Taken),
    /// The lease was over: nothing changed.
    Late,
}

const NODE: &str = "node, moves, attacking, proof, disproof, lost, expanded,
    COALESCE((SELECT worker FROM jobs WHERE queue = tree AND job = node), '')";

impl Store {
    /// Puts the root of a tree there, unless it is.
    pub(crate) async fn put_root(
        &self,
        connection: &mut AnyConnection,
        tree: &Tree,
        root: &Root,
    ) -> Result<(), StoreError> {
        let child = Child {
            position: root.position.clone(),
            moves: String::new(),
            attacking: root.to_move == tree.attacker,
            numbers: ProofNumbers::UNKNOWN,
        };
        self.insert(connection, tree, 0, &child, 0).await?;
        Ok(())
    }

    /// Inserts a node; `false` if its position is there already.
    async fn insert(
        &self,
        connection: &mut AnyConnection,
        tree: &Tree,
        id: i64,
        child: &Child,
        solved: i64,
    ) -> Result<bool, StoreError> {
        let text = "INSERT INTO solve_nodes (tree, node, position, moves, attacking, proof, disproof, lost, expanded,
                nodes, solved)
            VALUES ($1, $2, $3, $4, $5, $6, $7, $8, 0, 0, $9) ON CONFLICT DO NOTHING";
        let query = sqlx::query(text).bind(tree.name.clone()).bind(id);
        let query = query.bind(child.position.clone());
        let query = query.bind(child.moves.clone());
        let query = query.bind(i64::from(child.attacking));
        let query = query.bind(i64::from(child.numbers.proof));
        let query = query.bind(i64::from(child.numbers.disproof));
        let query = query.bind(i64::from(child.numbers.lost)).bind(solved);
        let inserted = query.execute(connection).await;
        Ok(inserted
            .map_err(|error| self.error(&error))?
            .rows_affected()
            > 0)
    }

    /// A node.
    pub(crate) async fn node(
        &self,
        connection: &mut AnyConnection,
        tree: &Tree,
        id: i64,
    ) -> Result<Node, StoreError> {
        let text = self.jobs.sql(&format!(
            "SELECT {NODE} FROM solve_nodes WHERE tree = $1 AND node = $2"
        ));
        let query = sqlx::query(text).bind(tree.name.clone()).bind(id);
        let row = query.fetch_one(connection).await;
        let node = row.and_then(|row| read_node(&row));
        node.map_err(|error| self.error(&error))
    }

    /// The nodes after the moves of one.
    async fn children(
        &self,
        connection: &mut AnyConnection,
        tree: &Tree,
        parent: i64,
    ) -> Result<Vec<Node>, StoreError> {
        let text = self.jobs.sql(&format!(
            "SELECT {NODE} FROM solve_nodes WHERE tree = $1 AND node IN (
                SELECT child FROM solve_edges WHERE tree = $1 AND parent = $2) ORDER BY node"
        ));
        let query = sqlx::query(text).bind(tree.name.clone()).bind(parent);
        let rows = query.fetch_all(connection).await;
        let rows = rows.map_err(|error| self.error(&error))?;
        let nodes: Result<_, sqlx::Error> = rows.iter().map(read_node).collect();
        nodes.map_err(|error| self.error(&error))
    }

    /// The position that seems to bring the proof on most among those that nobody searches.
    pub(crate) async fn select(
        &self,
        connection: &mut AnyConnection,
        tree: &Tree,
        worker: &str,
    ) -> Result<Option<Selected>, StoreError> {
        let under_way = self.jobs.under_way::<Position>(connection, &tree.name);
        let under_way = under_way.await?;
        let leased: HashSet<i64> = under_way.iter().filter_map(Position::leaf).collect();
        let root = self.node(connection, tree, 0).await?;
        let mut known: HashMap<i64, Vec<Node>> = HashMap::new();
        for &parent in under_way.iter().flat_map(Position::above) {
            if let Entry::Vacant(unknown) = known.entry(parent) {
                unknown.insert(self.children(connection, tree, parent).await?);
            }
        }
        let assumed = assumed(&under_way, &known);
        // Nodes below which all is being searched.
        let mut full = HashSet::new();
        'from_the_root: loop {
            let mut path = vec![root.clone()];
            let mut bounds = ProofNumbers::NEVER;
            // Whose table knows most of the positions at the end of the path.
            let mut at_home = root.searched_by.clone();
            while let Some(node) = path.last()
                && node.expanded
            {
                let (id, attacking) = (node.id, node.attacking);
                if let Entry::Vacant(unknown) = known.entry(id) {
                    unknown.insert(self.children(connection, tree, id).await?);
                }
                let children = known.get(&id).map_or(&[][..], Vec::as_slice);
                let is_elsewhere = |child: &Node| {
                    let at_home = if child.searched_by.is_empty() {
                        &at_home
                    } else {
                        &child.searched_by
                    };
                    at_home != worker && !at_home.is_empty()
                };
                let candidate = |child: &Node| Candidate {
                    numbers: assumed.get(&child.id).copied().unwrap_or(child.numbers),
                    is_elsewhere: is_elsewhere(child),
                    is_free: !full.contains(&child.id)
                        && (child.expanded || !leased.contains(&child.id)),
                };
                let candidates: Vec<Candidate> = children.iter().map(candidate).collect();
                let Some((place, below)) = choose(attacking, &candidates, bounds) else {
                    full.insert(id);
                    if path.len() == 1 {
                        return Ok(None);
                    }
                    continue 'from_the_root;
                };
                bounds = below;
                if !children[place].searched_by.is_empty() {
                    at_home.clone_from(&children[place].searched_by);
                }
                path.push(children[place].clone());
            }
            let leaf = path.last().unwrap_or(&root);
            if leased.contains(&leaf.id) {
                return Ok(None);
            }
            return Ok(Some(Selected {
                moves: leaf.moves.clone(),
                path: path.iter().map(|node| node.id).collect(),
                bounds,
            }));
        }
    }

    /// Gives what was selected to a worker.
    pub(crate) async fn give(
        &self,
        connection: &mut AnyConnection,
        tree: Tree,
        selected: Selected,
        worker: &str,
        lease: Duration,
    ) -> Result<Given, StoreError> {
        let Selected {
            path,
            moves,
            bounds,
        } = selected;
        let node = path.last().copied().unwrap_or(0) as u64;
        let payload = Position { path };
        let jobs = &self.jobs;
        let lease = jobs.assign(connection, &tree.name, node, &payload, worker, lease);
        Ok(Given {
            lease: lease.await?,
            tree,
            path: payload.path,
            moves,
            bounds,
        })
    }

    /// Stores what a worker found out, if its lease is valid, and all that follows from it. For one that goes on for the time
    /// of a lease, the next job comes in the same transaction: while it ends on the disk, nobody else can work on the run.
    pub(crate) async fn store(
        &self,
        run: &Run,
        given: &Given,
        found: &Found,
        next: Option<Duration>,
    ) -> Result<Stored, StoreError> {
        let mut transaction = self.jobs.begin().await?;
        self.lock(&mut transaction, run).await?;
        let tree = &given.tree;
        let (id, worker) = (given.lease.job as i64, &given.lease.worker);
        let holds = self.jobs.holds(&mut transaction, &given.lease).await?;
        if !holds || !self.count(&mut transaction, given, found.nodes).await? {
            // It may be stored already, if the worker has not heard of it. Then it has not heard of its next job either.
            let jobs = &self.jobs;
            jobs.release_all(&mut transaction, &tree.name, worker)
                .await?;
            let (_, outcome) = self.conclude(&mut transaction, run).await?;
            self.jobs.commit(transaction).await?;
            return Ok(match outcome {
                _ if !holds => Stored::Late,
                None => Stored::Yes(Taken::Nothing),
                Some(outcome) => Stored::Yes(Taken::Solved(outcome)),
            });
        }
        let node = self.node(&mut transaction, tree, id).await?;
        let mut numbers = found.numbers;
        if !found.children.is_empty() && !numbers.is_solved() && !node.expanded {
            self.expand(&mut transaction, tree, id, &found.children)
                .await?;
            let children = self.children(&mut transaction, tree, id).await?;
            let children: Vec<_> = children.iter().map(|child| child.numbers).collect();
            numbers = combined(node.attacking, &children);
        }
        self.update(&mut transaction, tree, &node, numbers).await?;
        self.jobs.finish(&mut transaction, &given.lease).await?;
        let (open, outcome) = self.conclude(&mut transaction, run).await?;
        let taken = match (outcome, next) {
            (Some(outcome), _) => Taken::Solved(outcome),
            (None, None) => Taken::Nothing,
            (None, Some(lease)) => self.take_of(&mut transaction, open, worker, lease).await?,
        };
        self.jobs.commit(transaction).await?;
        Ok(Stored::Yes(taken))
    }

    /// Counts the nodes of a job; `false` if they are counted, and its result stored, already.
    async fn count(
        &self,
        connection: &mut AnyConnection,
        given: &Given,
        nodes: u64,
    ) -> Result<bool, StoreError> {
        let text = "INSERT INTO solve_results (tree, node, generation, worker, nodes, finished)
            VALUES ($1, $2, $3, $4, $5, {now}) ON CONFLICT DO NOTHING";
        let query = sqlx::query(self.jobs.sql(text)).bind(given.lease.queue.clone());
        let query = query
            .bind(given.lease.job as i64)
            .bind(given.lease.generation);
        let query = query.bind(given.lease.worker.clone()).bind(nodes as i64);
        let done = query.execute(&mut *connection).await;
        if done.map_err(|error| self.error(&error))?.rows_affected() == 0 {
            return Ok(false);
        }
        // One statement for all, since each way to a database on another machine takes as long as some work there.
        let path: Vec<String> = given.path.iter().map(i64::to_string).collect();
        let text = format!(
            "UPDATE solve_nodes SET nodes = nodes + $1 WHERE tree = $2 AND node IN ({})",
            path.join(", ")
        );
        let query = sqlx::query(self.jobs.sql(&text)).bind(nodes as i64);
        let done = query.bind(given.tree.name.clone()).execute(connection);
        done.await.map_err(|error| self.error(&error))?;
        Ok(true)
    }

    /// Makes the positions after the moves of a node nodes.
    async fn expand(
        &self,
        connection: &mut AnyConnection,
        tree: &Tree,
        parent: i64,
        children: &[Child],
    ) -> Result<(), StoreError> {
        let text = "SELECT MAX(node) FROM solve_nodes WHERE tree = $1";
        let last = sqlx::query_scalar(text).bind(tree.name.clone());
        let last: Result<i64, _> = last.fetch_one(&mut *connection).await;
        let mut next = last.map_err(|error| self.error(&error))? + 1;
        for child in children {
            let order = if child.numbers.is_solved() {
                self.next_solved(connection, tree).await?
            } else {
                0
            };
            let is_new = self.insert(connection, tree, next, child, order).await?;
            next += i64::from(is_new);
            // A position that came about otherwise is known better there, unless it is solved here.
            if !is_new && child.numbers.is_solved() {
                let text = self.jobs.sql(&format!(
                    "SELECT {NODE} FROM solve_nodes WHERE tree = $1 AND position = $2"
                ));
                let query = sqlx::query(text).bind(tree.name.clone());
                let row = query
                    .bind(child.position.clone())
                    .fetch_one(&mut *connection)
                    .await;
                let node = row.and_then(|row| read_node(&row));
                let node = node.map_err(|error| self.error(&error))?;
                self.update(connection, tree, &node, child.numbers).await?;
            }
            let text = "INSERT INTO solve_edges (tree, parent, child)
                SELECT tree, $1, node FROM solve_nodes WHERE tree = $2 AND position = $3 ON CONFLICT DO NOTHING";
            let query = sqlx::query(text).bind(parent).bind(tree.name.clone());
            let query = query.bind(child.position.clone());
            let done = query.execute(&mut *connection).await;
            done.map_err(|error| self.error(&error))?;
        }
        let text = "UPDATE solve_nodes SET expanded = 1 WHERE tree = $1 AND node = $2";
        let query = sqlx::query(text).bind(tree.name.clone()).bind(parent);
        let done = query.execute(connection).await;
        done.map_err(|error| self.error(&error))?;
        Ok(())
    }

    /// Gives a node its numbers, and all above it those that follow.
    async fn update(
        &self,
        connection: &mut AnyConnection,
        tree: &Tree,
        node: &Node,
        numbers: ProofNumbers,
    ) -> Result<(), StoreError> {
        self.set(connection, tree, node, numbers).await?;
        let mut above = VecDeque::from(self.parents(connection, tree, node.id).await?);
        while let Some(id) = above.pop_front() {
            let node = self.node(connection, tree, id).await?;
            // One that is being expanded has not all of its children yet.
            if node.numbers.is_solved() || !node.expanded {
                continue;
            }
            let children = self.children(connection, tree, id).await?;
            let children: Vec<_> = children.iter().map(|child| child.numbers).collect();
            let numbers = combined(node.attacking, &children);
            if numbers != node.numbers {
                self.set(connection, tree, &node, numbers).await?;
                above.extend(self.parents(connection, tree, id).await?);
            }
        }
        Ok(())
    }

    async fn parents(
        &self,
        connection: &mut AnyConnection,
        tree: &Tree,
        child: i64,
    ) -> Result<Vec<i64>, StoreError> {
        let text = "SELECT parent FROM solve_edges WHERE tree = $1 AND child = $2 ORDER BY parent";
        let query = sqlx::query_scalar(text).bind(tree.name.clone()).bind(child);
        let parents = query.fetch_all(connection).await;
        parents.map_err(|error| self.error(&error))
    }

    /// Writes the numbers of a node. What is solved stays solved, and two answers that contradict each other end the run.
    async fn set(
        &self,
        connection: &mut AnyConnection,
        tree: &Tree,
        node: &Node,
        numbers: ProofNumbers,
    ) -> Result<(), StoreError> {
        let before = node.numbers;
        if before.is_solved() {
            let is_other = numbers.is_solved() && (before.proof == 0) != (numbers.proof == 0);
            if is_other {
                let what = format!(
                    "two answers about {:?} of {} contradict each other: a fault of a program or a machine",
                    node.moves, tree.name
                );
                return Err(StoreError::lasting(self.jobs.place(), what));
            }
            return Ok(());
        }
        let order = if numbers.is_solved() {
            self.next_solved(connection, tree).await?
        } else {
            0
        };
        let text = "UPDATE solve_nodes SET proof = $1, disproof = $2, lost = $3, solved = $4
            WHERE tree = $5 AND node = $6";
        let query = sqlx::query(text).bind(i64::from(numbers.proof));
        let query = query.bind(i64::from(numbers.disproof));
        let query = query.bind(i64::from(numbers.lost)).bind(order);
        let query = query.bind(tree.name.clone()).bind(node.id);
        let done = query.execute(connection).await;
        done.map_err(|error| self.error(&error))?;
        Ok(())
    }

    async fn next_solved(
        &self,
        connection: &mut AnyConnection,
        tree: &Tree,
    ) -> Result<i64, StoreError> {
        let text = "SELECT MAX(solved) + 1 FROM solve_nodes WHERE tree = $1";
        let query = sqlx::query_scalar(text).bind(tree.name.clone());
        let next = query.fetch_one(connection).await;
        next.map_err(|error| self.error(&error))
    }
}

fn read_node(row: &AnyRow) -> Result<Node, sqlx::Error> {
    Ok(Node {
        id: row.try_get(0)?,
        moves: row.try_get(1)?,
        attacking: row.try_get::<i64, _>(2)? != 0,
        numbers: ProofNumbers {
            proof: row.try_get::<i64, _>(3)? as u32,
            disproof: row.try_get::<i64, _>(4)? as u32,
            lost: row.try_get::<i64, _>(5)? != 0,
        },
        expanded: row.try_get::<i64, _>(6)? != 0,
        searched_by: row.try_get(7)?,
    })
}
