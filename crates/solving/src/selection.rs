//! Which positions of a tree to search next.

use crate::nodes::{Node, Nodes};
use crate::numbers::{Candidate, choose, combined, while_searched};
use crate::store::Run;
use crate::tree::{Given, Position, Wanted};
use jobs::StoreError;
use search::proof::ProofNumbers;
use sqlx::AnyConnection;
use std::collections::{HashMap, HashSet};

/// At the beginning of a search all work comes back to the same few positions, and each worker finds out with its own table
/// what the others know. So it is left to one of them, up to so many nodes, or up to so many jobs.
const FOR_ONE_NODES: u64 = 2_000_000;
const FOR_ONE_JOBS: u64 = 100;
/// A worker that has stored nothing for so many seconds is not waited for.
const SILENT: f64 = 0.5;
/// Another worker that began so many seconds ago, and was not heard of since, waits for no job.
const WAITING: f64 = 300.0;

/// What jobs under way change for the choice of others.
#[derive(Debug, Default)]
struct UnderWay {
    leaves: HashSet<i64>,
    /// The numbers of their positions, and of those above them, as they are assumed to become.
    numbers: HashMap<i64, ProofNumbers>,
}

impl UnderWay {
    /// Adds jobs: their positions look harder to the side that moves to them ([`while_searched`]), and what lies above
    /// follows. So workers part where that costs least, mostly close to the leaves.
    fn add(&mut self, jobs: &[Position], nodes: &Nodes<'_>) {
        self.leaves.extend(jobs.iter().filter_map(Position::leaf));
        let steps = |job: &Position| {
            let steps = job.path.windows(2).enumerate();
            let steps = steps.map(|(depth, step)| (depth, step[0], step[1]));
            steps.collect::<Vec<_>>()
        };
        let mut steps: Vec<_> = jobs.iter().flat_map(steps).collect();
        // From the leaves to the root.
        steps.sort_unstable_by(|one, other| other.cmp(one));
        steps.dedup();
        for (_, parent, child) in steps {
            let Some(node) = nodes.children(parent).find(|node| node.id == child) else {
                continue;
            };
            let attacking = !node.attacking;
            if self.leaves.contains(&child) {
                let harder = while_searched(attacking, node.numbers);
                self.numbers.insert(child, harder);
            }
            let numbers: Vec<_> = nodes.children(parent).map(|node| self.of(node)).collect();
            let numbers = combined(nodes.combination, attacking, &numbers);
            self.numbers.insert(parent, numbers);
        }
    }

    fn of(&self, node: &Node) -> ProofNumbers {
        self.numbers.get(&node.id).copied().unwrap_or(node.numbers)
    }
}

/// What was selected.
#[derive(Debug)]
struct Selected {
    position: Position,
    moves: String,
    bounds: ProofNumbers,
}

impl Nodes<'_> {
    /// Gives a worker the jobs of a run that seem to bring the proof on most, as many as it wants and there are, and tells how
    /// many others work on it. It has none any more.
    pub(crate) async fn take(
        &mut self,
        connection: &mut AnyConnection,
        run: &Run,
        worker: &str,
        wanted: Wanted,
    ) -> Result<(Vec<Given>, usize), StoreError> {
        let jobs = &self.store.jobs;
        let others = jobs.under_way::<Position>(connection, &self.tree.name);
        let others = others.await?;
        if !others.is_empty() && self.is_for_one(connection, run).await? {
            return Ok((Vec::new(), 0));
        }
        let above = others.iter().flat_map(Position::above).copied();
        self.read_children(connection, above).await?;
        let leaves = others.iter().filter_map(Position::leaf);
        let workers = leaves.filter_map(|leaf| Some(&self.node(leaf).ok()?.searched_by));
        let mut workers = workers.collect::<HashSet<_>>().len();
        if workers == 0 {
            // One may be waiting for its first job, and is to know then what this one has found out.
            workers += usize::from(jobs.has_other(connection, worker, WAITING).await?);
        }
        let mut under_way = UnderWay::default();
        under_way.add(&others, self);
        let mut all = Vec::new();
        while all.len() < wanted.jobs {
            let Some(selected) = self.select(connection, &under_way, worker).await? else {
                break;
            };
            under_way.add(std::slice::from_ref(&selected.position), self);
            if let Some(leaf) = selected.position.leaf() {
                self.give(leaf, worker);
            }
            all.push(selected);
        }
        let payloads = all
            .iter()
            .map(|one| (one.position.leaf().unwrap_or(0) as u64, &one.position));
        let payloads: Vec<_> = payloads.collect();
        let leases = jobs.assign(connection, &self.tree.name, &payloads, worker, wanted.lease);
        let leases = leases.await?;
        let given = |(selected, lease): (Selected, _)| Given {
            lease,
            tree: self.tree.clone(),
            path: selected.position.path,
            moves: selected.moves,
            bounds: selected.bounds,
        };
        let given = all.into_iter().zip(leases).map(given).collect();
        Ok((given, workers))
    }

    /// Whether so little was searched that one worker is to go on alone, and one does.
    async fn is_for_one(
        &self,
        connection: &mut AnyConnection,
        run: &Run,
    ) -> Result<bool, StoreError> {
        let text =
            "SELECT {now} - (SELECT COALESCE(MAX(finished), 0) FROM solve_results WHERE tree = $1)
            FROM solve_nodes WHERE tree = $1 AND node = 0 AND nodes < $2";
        let most = FOR_ONE_NODES.min(run.budget.saturating_mul(FOR_ONE_JOBS));
        let query = sqlx::query_scalar(self.store.jobs.sql(text));
        let query = query.bind(self.tree.name.clone()).bind(most as i64);
        let silent: Result<Option<f64>, _> = query.fetch_optional(connection).await;
        let silent = silent.map_err(|error| self.store.error(&error))?;
        Ok(silent.is_some_and(|silent| silent < SILENT))
    }

    /// The position that seems to bring the proof on most among those that nobody searches.
    async fn select(
        &mut self,
        connection: &mut AnyConnection,
        under_way: &UnderWay,
        worker: &str,
    ) -> Result<Option<Selected>, StoreError> {
        let leased = &under_way.leaves;
        // Nodes below which all is being searched.
        let mut full = HashSet::new();
        'from_the_root: loop {
            let mut node = self.node(0)?.clone();
            let mut path = vec![node.id];
            let mut bounds = ProofNumbers::NEVER;
            // Whose table knows most of the positions at the end of the path.
            let mut at_home = node.searched_by.clone();
            while node.expanded {
                let (id, attacking) = (node.id, node.attacking);
                self.read_children(connection, [id]).await?;
                let is_elsewhere = |child: &Node| {
                    let at_home = if child.searched_by.is_empty() {
                        &at_home
                    } else {
                        &child.searched_by
                    };
                    at_home != worker && !at_home.is_empty()
                };
                let candidate = |child: &Node| Candidate {
                    numbers: under_way.of(child),
                    is_elsewhere: is_elsewhere(child),
                    is_free: !full.contains(&child.id)
                        && (child.expanded || !leased.contains(&child.id)),
                };
                let candidates: Vec<Candidate> = self.children(id).map(candidate).collect();
                let Some((place, below)) = choose(self.combination, attacking, &candidates, bounds)
                else {
                    full.insert(id);
                    if path.len() == 1 {
                        return Ok(None);
                    }
                    continue 'from_the_root;
                };
                bounds = below;
                if let Some(chosen) = self.children(id).nth(place) {
                    node = chosen.clone();
                }
                if !node.searched_by.is_empty() {
                    at_home.clone_from(&node.searched_by);
                }
                path.push(node.id);
            }
            if leased.contains(&node.id) {
                return Ok(None);
            }
            return Ok(Some(Selected {
                moves: node.moves.clone(),
                position: Position { path },
                bounds,
            }));
        }
    }
}
