//! Backup: the results of a simulation go up its path, and with them what has been proven.
//!
//! A position is won for the side to move if one child is; otherwise its value is known once those of
//! all its children are, and is the best of them (Castro thesis, 2012, "Proof Backups"; Winands,
//! Björnsson and Saito, "Monte-Carlo Tree Search Solver", 2008).

use super::access::TreeAccess;
use super::node_header::NodeHeader;
use super::node_statistics::NodeStatistics;
use super::tree::Tree;
use game::{Outcome, Packed, Relative, Side};

/// A node on the path of a simulation.
#[derive(Clone, Copy, Debug)]
pub(super) struct Step {
    /// The node.
    pub node: u32,
    /// The side to move there.
    pub mover: Side,
    /// The proven draw that the side to move would rather have than the child it went on to.
    pub content_with: Option<u32>,
    /// What the node was assumed to get while the simulation was under way, so that other threads went
    /// elsewhere (virtual loss).
    pub assumed: NodeStatistics,
}

/// Counts a simulation on its path, root first, whose playouts from the last node gave `points`, and
/// proves the nodes whose value follows. Above a node whose value is exact, the simulation counts as
/// this value. `visit` is told of each node on the path but the last, from below, with its link, the
/// child, and the points that came up to it.
pub(super) fn back_up<M: Packed, T: TreeAccess<M>>(
    tree: &mut T,
    path: &[Step],
    mut points: NodeStatistics,
    mut visit: impl FnMut(&mut T, &Step, NodeHeader, u32, NodeStatistics),
) {
    let mut below: Option<u32> = None;
    let mut child_is_proven = false;
    for step in path.iter().rev() {
        if child_is_proven {
            conclude(tree, step.node, step.mover);
        }
        let link = tree.link(step.node);
        if let Some(child) = below {
            visit(tree, step, link, child, points);
        }
        child_is_proven = link.is_proven();
        if let Some(exact) = link.proven() {
            points = NodeStatistics::of(exact, points.visits);
        } else if let Some(draw) = step.content_with {
            points = NodeStatistics::of(Outcome::Draw, points.visits);
            tree.add(draw, points, NodeStatistics::default());
        }
        tree.add(step.node, points, step.assumed);
        below = Some(step.node);
    }
}

/// Proves an expanded node if the values of its children allow it. Of wins the shortest tells the
/// distance to the end, of losses and draws the longest.
pub(super) fn conclude<M: Packed>(tree: &Tree<M>, node: u32, mover: Side) {
    let mut value = Relative::Loss;
    let mut distance = 0;
    let (mut open, mut known) = (false, false);
    for child in tree.children(node) {
        let child = tree.link(child);
        let Some(outcome) = child.proven() else {
            open = true;
            continue;
        };
        known = true;
        let seen = outcome.seen_by(mover);
        let nearer = seen == Relative::Win && child.distance() < distance;
        let farther = seen != Relative::Win && child.distance() > distance;
        if seen > value || (seen == value && (nearer || farther)) {
            value = seen;
            distance = child.distance();
        }
    }
    if known {
        tree.note_proven_child(node, value == Relative::Draw);
    }
    if open && value != Relative::Win {
        return;
    }
    tree.prove(node, value.for_side(mover), distance.saturating_add(1));
}
