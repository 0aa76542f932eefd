//! Backup: the results of a simulation go up its path, and with them what has been proven.
//!
//! A position is won for the side to move if one child is; otherwise its value is known once those of
//! all its children are, and is the best of them (Castro thesis, 2012, "Proof Backups"; Winands,
//! Björnsson and Saito, "Monte-Carlo Tree Search Solver", 2008).

use super::tree::{Points, Tree};
use game::{Outcome, Relative, Side};

/// A node on the path of a simulation.
#[derive(Clone, Copy, Debug)]
pub(super) struct Step {
    /// The node.
    pub node: u32,
    /// The side to move there.
    pub mover: Side,
    /// The proven draw that the side to move would rather have than the child it went on to.
    pub content_with: Option<u32>,
}

/// Counts a simulation on its path, root first, whose playouts from the last node gave `points`, and
/// proves the nodes whose value follows. Above a node whose value is exact, the simulation counts as
/// this value. `visit` is told of each node on the path but the last, from below, with the points that
/// came up to it.
pub(super) fn back_up<M: Copy>(
    tree: &mut Tree<M>,
    path: &[Step],
    mut points: Points,
    mut visit: impl FnMut(&mut Tree<M>, &Step, u32, Points),
) {
    let mut below: Option<u32> = None;
    let mut child_is_proven = false;
    for step in path.iter().rev() {
        if child_is_proven {
            conclude(tree, step.node, step.mover);
        }
        if let Some(child) = below {
            visit(tree, step, child, points);
        }
        let proven = tree.proven(step.node);
        child_is_proven = proven.is_some();
        if let Some(exact) = proven {
            points = Points::of(exact, points.visits);
        } else if let Some(draw) = step.content_with {
            points = Points::of(Outcome::Draw, points.visits);
            tree.add(draw, points);
        }
        tree.add(step.node, points);
        below = Some(step.node);
    }
}

/// Proves an expanded node if the values of its children allow it. Of wins the shortest tells the
/// distance to the end, of losses and draws the longest.
pub(super) fn conclude<M: Copy>(tree: &mut Tree<M>, node: u32, mover: Side) {
    let mut value = Relative::Loss;
    let mut distance = 0;
    let mut open = false;
    for child in tree.children(node) {
        let child = tree.node(child);
        let Some(outcome) = child.proven else {
            open = true;
            continue;
        };
        let seen = outcome.seen_by(mover);
        let nearer = seen == Relative::Win && child.distance < distance;
        let farther = seen != Relative::Win && child.distance > distance;
        if seen > value || (seen == value && (nearer || farther)) {
            value = seen;
            distance = child.distance;
        }
    }
    if value == Relative::Draw {
        tree.note_drawn_child(node);
    }
    if open && value != Relative::Win {
        return;
    }
    tree.prove(node, value.for_side(mover), distance.saturating_add(1));
}
