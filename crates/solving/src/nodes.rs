//! What a transaction has read of a tree, and what it changes there.
//!
//! It holds the lock of the run, so what it has read stays true, and what it changes is written at the end: a way to the
//! database and back takes longer than most of what is done there.

use crate::numbers::combined;
use crate::store::{Store, read_numbers};
use crate::tree::{Child, Found, Given, Tree};
use jobs::{StoreError, lists, places, rows};
use search::proof::{Combination, ProofNumbers};
use sqlx::any::AnyRow;
use sqlx::{AnyConnection, AssertSqlSafe, Row};
use std::collections::hash_map::Entry;
use std::collections::{BTreeSet, HashMap, VecDeque};

/// A position of a tree.
#[derive(Clone, Debug)]
pub(crate) struct Node {
    pub id: i64,
    pub moves: String,
    pub attacking: bool,
    pub numbers: ProofNumbers,
    pub expanded: bool,
    /// Its place among the solved ones; 0 if it is not solved.
    solved: i64,
    /// Who searched it last; nobody if that is empty.
    pub searched_by: String,
}

/// The columns of a node, which is called `n` in the statement.
const NODE: &str =
    "n.node, n.moves, n.attacking, n.proof, n.disproof, n.lost, n.expanded, n.solved,
    COALESCE((SELECT worker FROM jobs WHERE queue = n.tree AND job = n.node), '')";
/// How many they are.
const COLUMNS: usize = 9;

/// The nodes of a tree as a transaction sees them.
#[derive(Debug)]
pub(crate) struct Nodes<'a> {
    pub store: &'a Store,
    pub tree: Tree,
    /// How numbers are combined.
    pub combination: Combination,
    known: HashMap<i64, Node>,
    /// By parent, where they were read, in their order.
    children: HashMap<i64, Vec<i64>>,
    /// By child, where they were read, in their order.
    parents: HashMap<i64, Vec<i64>>,
    next_node: i64,
    next_solved: i64,
    changed: BTreeSet<i64>,
    /// Nodes that were searched, by the node at or below which they were.
    searched: HashMap<i64, u64>,
}

impl<'a> Nodes<'a> {
    /// The nodes of a tree, of which nothing but the root is read.
    pub async fn of(
        store: &'a Store,
        connection: &mut AnyConnection,
        tree: Tree,
        combination: Combination,
    ) -> Result<Nodes<'a>, StoreError> {
        let text = format!(
            "SELECT {NODE}, (SELECT MAX(node) FROM solve_nodes WHERE tree = $1) + 1,
                (SELECT MAX(solved) FROM solve_nodes WHERE tree = $1) + 1
            FROM solve_nodes AS n WHERE tree = $1 AND node = 0"
        );
        let query = sqlx::query(AssertSqlSafe(text)).bind(tree.name.clone());
        let row = query.fetch_one(connection).await;
        let read = |row: AnyRow| {
            let next = (row.try_get(COLUMNS)?, row.try_get(COLUMNS + 1)?);
            Ok((read_node(&row, 0)?, next))
        };
        let (root, (next_node, next_solved)) =
            row.and_then(read).map_err(|error| store.error(&error))?;
        Ok(Nodes {
            store,
            tree,
            combination,
            known: HashMap::from([(0, root)]),
            children: HashMap::new(),
            parents: HashMap::new(),
            next_node,
            next_solved,
            changed: BTreeSet::new(),
            searched: HashMap::new(),
        })
    }

    /// A node that was read.
    pub fn node(&self, id: i64) -> Result<&Node, StoreError> {
        self.known.get(&id).ok_or_else(|| self.missing(id))
    }

    fn missing(&self, id: i64) -> StoreError {
        let what = format!("there is no node {id} in {}", self.tree.name);
        StoreError::lasting(self.store.jobs.place(), what)
    }

    /// The nodes after the moves of one, if they were read.
    pub fn children(&self, parent: i64) -> impl Iterator<Item = &Node> {
        let children = self.children.get(&parent).into_iter().flatten();
        children.filter_map(|child| self.known.get(child))
    }

    /// Notes who searches a node.
    pub fn give(&mut self, id: i64, worker: &str) {
        if let Some(node) = self.known.get_mut(&id) {
            worker.clone_into(&mut node.searched_by);
        }
    }

    /// Reads the nodes after the moves of others.
    pub async fn read_children(
        &mut self,
        connection: &mut AnyConnection,
        parents: impl IntoIterator<Item = i64>,
    ) -> Result<(), StoreError> {
        let unread = unread(&mut self.children, parents);
        for (parent, child) in self.read(connection, ["parent", "child"], unread).await? {
            self.children.entry(parent).or_default().push(child);
        }
        Ok(())
    }

    /// Reads the nodes from which moves lead to others.
    async fn read_parents(
        &mut self,
        connection: &mut AnyConnection,
        children: impl IntoIterator<Item = i64>,
    ) -> Result<(), StoreError> {
        let unread = unread(&mut self.parents, children);
        for (child, parent) in self.read(connection, ["child", "parent"], unread).await? {
            self.parents.entry(child).or_default().push(parent);
        }
        Ok(())
    }

    /// Reads nodes at the other ends of edges, of which the columns are given; tells from which node to which they lead, in
    /// their order.
    async fn read(
        &mut self,
        connection: &mut AnyConnection,
        [from, to]: [&str; 2],
        ids: Vec<i64>,
    ) -> Result<Vec<(i64, i64)>, StoreError> {
        let mut edges = Vec::new();
        for ids in lists(ids) {
            let places = places(2, ids.len());
            let text = format!(
                "SELECT e.{from}, {NODE}
                FROM solve_edges AS e JOIN solve_nodes AS n ON n.tree = e.tree AND n.node = e.{to}
                WHERE e.tree = $1 AND e.{from} IN ({places}) ORDER BY 1, 2"
            );
            let mut query = sqlx::query(AssertSqlSafe(text)).bind(self.tree.name.clone());
            for id in ids {
                query = query.bind(id);
            }
            let read = |row: &AnyRow| Ok((row.try_get(0)?, read_node(row, 1)?));
            let found = query.fetch_all(&mut *connection).await;
            let found: Result<Vec<_>, _> = found.and_then(|rows| rows.iter().map(read).collect());
            for (from, node) in found.map_err(|error| self.store.error(&error))? {
                edges.push((from, node.id));
                // What was changed here is not written yet.
                self.known.entry(node.id).or_insert(node);
            }
        }
        Ok(edges)
    }

    /// Enters what was found out about nodes, and writes it with all that follows.
    pub async fn enter(
        &mut self,
        connection: &mut AnyConnection,
        results: &[&(Given, Found)],
    ) -> Result<(), StoreError> {
        let paths = || {
            results
                .iter()
                .flat_map(|(given, _)| given.path.iter().copied())
        };
        self.read_parents(connection, paths()).await?;
        let above: Vec<i64> = paths()
            .filter_map(|node| self.parents.get(&node))
            .flatten()
            .copied()
            .collect();
        self.read_children(connection, above).await?;
        let mut expanding = Vec::new();
        for (given, found) in results {
            for &node in &given.path {
                *self.searched.entry(node).or_default() += found.nodes;
            }
            let is_new = !found.children.is_empty() && !found.numbers.is_solved();
            if is_new && !self.node(given.leaf())?.expanded {
                expanding.push((given.leaf(), &*found.children));
            }
        }
        let ids = self.insert(connection, &expanding).await?;
        for (given, found) in results {
            let leaf = given.leaf();
            let children = expanding.iter().find(|(parent, _)| *parent == leaf);
            let mut numbers = found.numbers;
            if let Some((_, children)) = children {
                // A position that came about otherwise is known better there, unless it is solved here.
                for child in children.iter().filter(|child| child.numbers.is_solved()) {
                    let id = ids.get(&*child.position).copied().unwrap_or_default();
                    self.update(connection, id, child.numbers).await?;
                }
                self.change(leaf)?.expanded = true;
                numbers = self.combined(leaf)?;
            }
            self.update(connection, leaf, numbers).await?;
        }
        self.write(connection).await
    }

    /// Makes the positions after moves nodes, each with no numbers yet if it is solved; tells which nodes they are.
    async fn insert<'c>(
        &mut self,
        connection: &mut AnyConnection,
        expanding: &[(i64, &'c [Child])],
    ) -> Result<HashMap<&'c str, i64>, StoreError> {
        let all = expanding.iter().flat_map(|(_, children)| *children);
        let mut ids = self.those_known(connection, all.clone()).await?;
        let mut new = Vec::new();
        for child in all {
            if let Entry::Vacant(unknown) = ids.entry(&*child.position) {
                new.push((self.next_node, child));
                unknown.insert(self.next_node);
                self.next_node += 1;
            }
        }
        for rows in lists(new) {
            self.insert_nodes(connection, &rows).await?;
        }
        let mut edges = Vec::new();
        for &(parent, children) in expanding {
            let mut below: Vec<i64> = children
                .iter()
                .filter_map(|child| ids.get(&*child.position).copied())
                .collect();
            below.sort_unstable();
            for &child in &below {
                edges.push((parent, child));
                if let Some(parents) = self.parents.get_mut(&child) {
                    let place = parents.partition_point(|&other| other < parent);
                    parents.insert(place, parent);
                }
            }
            self.children.insert(parent, below);
        }
        for edges in lists(edges) {
            let text = format!(
                "INSERT INTO solve_edges (tree, parent, child) VALUES {} ON CONFLICT DO NOTHING",
                rows("$1", edges.len(), 2)
            );
            let mut query = sqlx::query(AssertSqlSafe(text)).bind(self.tree.name.clone());
            for (parent, child) in edges {
                query = query.bind(parent).bind(child);
            }
            let done = query.execute(&mut *connection).await;
            done.map_err(|error| self.store.error(&error))?;
        }
        Ok(ids)
    }

    /// Which of the positions are nodes already, and which ones.
    async fn those_known<'c>(
        &mut self,
        connection: &mut AnyConnection,
        children: impl Iterator<Item = &'c Child>,
    ) -> Result<HashMap<&'c str, i64>, StoreError> {
        let children: Vec<&str> = children.map(|child| &*child.position).collect();
        let mut ids = HashMap::new();
        for positions in lists(children.iter().copied()) {
            let places = places(2, positions.len());
            let text = format!(
                "SELECT n.position, {NODE} FROM solve_nodes AS n WHERE tree = $1 AND position IN ({places})"
            );
            let mut query = sqlx::query(AssertSqlSafe(text)).bind(self.tree.name.clone());
            for position in positions {
                query = query.bind(position.to_owned());
            }
            let read = |row: &AnyRow| Ok((row.try_get::<String, _>(0)?, read_node(row, 1)?));
            let found = query.fetch_all(&mut *connection).await;
            let found: Result<Vec<_>, _> = found.and_then(|rows| rows.iter().map(read).collect());
            for (position, node) in found.map_err(|error| self.store.error(&error))? {
                ids.insert(position, node.id);
                self.known.entry(node.id).or_insert(node);
            }
        }
        let id = |position: &'c str| Some((position, ids.get(position).copied()?));
        Ok(children.into_iter().filter_map(id).collect())
    }

    async fn insert_nodes(
        &mut self,
        connection: &mut AnyConnection,
        new: &[(i64, &Child)],
    ) -> Result<(), StoreError> {
        let text = format!(
            "INSERT INTO solve_nodes (tree, expanded, nodes, solved, node, position, moves, attacking, proof, disproof, lost)
            VALUES {} ON CONFLICT DO NOTHING",
            rows("$1, 0, 0, 0", new.len(), 7)
        );
        let mut query = sqlx::query(AssertSqlSafe(text)).bind(self.tree.name.clone());
        for &(id, child) in new {
            let numbers = if child.numbers.is_solved() {
                ProofNumbers::UNKNOWN
            } else {
                child.numbers
            };
            query = query.bind(id).bind(child.position.clone());
            query = query.bind(child.moves.clone());
            query = query.bind(i64::from(child.attacking));
            query = query.bind(i64::from(numbers.proof));
            query = query.bind(i64::from(numbers.disproof));
            query = query.bind(i64::from(numbers.lost));
            let node = Node {
                id,
                moves: child.moves.clone(),
                attacking: child.attacking,
                numbers,
                expanded: false,
                solved: 0,
                searched_by: String::new(),
            };
            self.known.insert(id, node);
            self.parents.insert(id, Vec::new());
        }
        let done = query.execute(connection).await;
        done.map_err(|error| self.store.error(&error))?;
        Ok(())
    }

    /// The numbers of a node from those of its children.
    fn combined(&self, id: i64) -> Result<ProofNumbers, StoreError> {
        let children: Vec<_> = self.children(id).map(|child| child.numbers).collect();
        let attacking = self.node(id)?.attacking;
        Ok(combined(self.combination, attacking, &children))
    }

    /// Gives a node its numbers, and all above it those that follow.
    async fn update(
        &mut self,
        connection: &mut AnyConnection,
        id: i64,
        numbers: ProofNumbers,
    ) -> Result<(), StoreError> {
        let mut changed = Some((id, numbers));
        let mut above = VecDeque::new();
        loop {
            if let Some((id, numbers)) = changed.take() {
                self.set(id, numbers)?;
                self.read_parents(connection, [id]).await?;
                above.extend(self.parents.get(&id).into_iter().flatten().copied());
            }
            let Some(id) = above.pop_front() else {
                return Ok(());
            };
            let node = self.node(id)?;
            // One that is being expanded has not all of its children yet.
            if node.numbers.is_solved() || !node.expanded {
                continue;
            }
            self.read_children(connection, [id]).await?;
            let numbers = self.combined(id)?;
            if numbers != self.node(id)?.numbers {
                changed = Some((id, numbers));
            }
        }
    }

    /// Notes the numbers of a node. What is solved stays solved, and two answers that contradict each other end the run.
    fn set(&mut self, id: i64, numbers: ProofNumbers) -> Result<(), StoreError> {
        let node = self.node(id)?;
        let before = node.numbers;
        if before.is_solved() {
            let is_other = numbers.is_solved() && (before.proof == 0) != (numbers.proof == 0);
            if is_other {
                let what = format!(
                    "two answers about {:?} of {} contradict each other: a fault of a program or a machine",
                    node.moves, self.tree.name
                );
                return Err(StoreError::lasting(self.store.jobs.place(), what));
            }
            return Ok(());
        }
        let order = self.next_solved;
        let node = self.change(id)?;
        node.numbers = numbers;
        if numbers.is_solved() {
            node.solved = order;
            self.next_solved += 1;
        }
        Ok(())
    }

    /// A node that changes.
    fn change(&mut self, id: i64) -> Result<&mut Node, StoreError> {
        let missing = self.missing(id);
        self.changed.insert(id);
        self.known.get_mut(&id).ok_or(missing)
    }

    /// Writes what has changed.
    async fn write(&mut self, connection: &mut AnyConnection) -> Result<(), StoreError> {
        self.changed.extend(self.searched.keys());
        for ids in lists(std::mem::take(&mut self.changed)) {
            let text = format!(
                "UPDATE solve_nodes SET proof = new.column3, disproof = new.column4, lost = new.column5,
                    expanded = new.column6, solved = new.column7, nodes = solve_nodes.nodes + new.column8
                FROM (VALUES {}) AS new WHERE tree = new.column1 AND node = new.column2",
                rows("$1", ids.len(), 7)
            );
            let mut query = sqlx::query(AssertSqlSafe(text)).bind(self.tree.name.clone());
            for id in ids {
                let node = self.node(id)?;
                let searched = self.searched.get(&id).copied().unwrap_or_default();
                query = query.bind(id).bind(i64::from(node.numbers.proof));
                query = query.bind(i64::from(node.numbers.disproof));
                query = query.bind(i64::from(node.numbers.lost));
                query = query.bind(i64::from(node.expanded)).bind(node.solved);
                query = query.bind(searched as i64);
            }
            let done = query.execute(&mut *connection).await;
            done.map_err(|error| self.store.error(&error))?;
        }
        self.searched.clear();
        Ok(())
    }
}

/// Those of which nothing was read, each once; they count as read then, with nothing until there is something.
fn unread(read: &mut HashMap<i64, Vec<i64>>, ids: impl IntoIterator<Item = i64>) -> Vec<i64> {
    let mut unread = Vec::new();
    for id in ids {
        if let Entry::Vacant(vacant) = read.entry(id) {
            vacant.insert(Vec::new());
            unread.push(id);
        }
    }
    unread
}

fn read_node(row: &AnyRow, from: usize) -> Result<Node, sqlx::Error> {
    let number = |place: usize| row.try_get::<i64, _>(from + place);
    Ok(Node {
        id: number(0)?,
        moves: row.try_get(from + 1)?,
        attacking: number(2)? != 0,
        numbers: read_numbers(row, from + 3)?,
        expanded: number(6)? != 0,
        solved: number(7)?,
        searched_by: row.try_get(from + 8)?,
    })
}
