//! Which positions of a tree to search next.

use crate::nodes::{Node, Nodes};
use crate::numbers::{Candidate, choose, combined, while_searched};
use crate::tree::{Given, Position, Wanted};
use jobs::StoreError;
use search::proof::ProofNumbers;
use sqlx::AnyConnection;
use std::collections::{HashMap, HashSet};

/// The numbers of the positions of jobs under way, and of those above them, as they are assumed to become: a position
/// looks harder to the side that moves to it ([`while_searched`]), and what lies above follows. So workers part where
/// that costs least, mostly close to the leaves.
fn assumed(under_way: &[Position], nodes: &Nodes<'_>) -> HashMap<i64, ProofNumbers> {
    let leaves: HashSet<i64> = under_way.iter().filter_map(Position::leaf).collect();
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
        let Some(node) = nodes.children(parent).find(|node| node.id == child) else {
            continue;
        };
        let attacking = !node.attacking;
        if leaves.contains(&child) {
            assumed.insert(child, while_searched(attacking, node.numbers));
        }
        let numbers = |node: &Node| assumed.get(&node.id).copied().unwrap_or(node.numbers);
        let numbers: Vec<_> = nodes.children(parent).map(numbers).collect();
        assumed.insert(parent, combined(attacking, &numbers));
    }
    assumed
}

/// What was selected.
#[derive(Debug)]
struct Selected {
    position: Position,
    moves: String,
    bounds: ProofNumbers,
}

impl Nodes<'_> {
    /// Gives a worker the jobs that seem to bring the proof on most, as many as it wants and there are.
    pub(crate) async fn take(
        &mut self,
        connection: &mut AnyConnection,
        worker: &str,
        wanted: Wanted,
    ) -> Result<Vec<Given>, StoreError> {
        let jobs = &self.store.jobs;
        let under_way = jobs.under_way::<Position>(connection, &self.tree.name);
        let mut under_way = under_way.await?;
        let above = under_way.iter().flat_map(Position::above).copied();
        self.read_children(connection, above).await?;
        let mut all = Vec::new();
        while all.len() < wanted.jobs {
            let Some(selected) = self.select(connection, &under_way, worker).await? else {
                break;
            };
            under_way.push(selected.position.clone());
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
        Ok(all.into_iter().zip(leases).map(given).collect())
    }

    /// The position that seems to bring the proof on most among those that nobody searches.
    async fn select(
        &mut self,
        connection: &mut AnyConnection,
        under_way: &[Position],
        worker: &str,
    ) -> Result<Option<Selected>, StoreError> {
        let leased: HashSet<i64> = under_way.iter().filter_map(Position::leaf).collect();
        let assumed = assumed(under_way, self);
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
                    numbers: assumed.get(&child.id).copied().unwrap_or(child.numbers),
                    is_elsewhere: is_elsewhere(child),
                    is_free: !full.contains(&child.id)
                        && (child.expanded || !leased.contains(&child.id)),
                };
                let candidates: Vec<Candidate> = self.children(id).map(candidate).collect();
                let Some((place, below)) = choose(attacking, &candidates, bounds) else {
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
