//! Selection: which child a simulation goes on to.
//!
//! UCT (Kocsis and Szepesvári, "Bandit based Monte-Carlo planning", 2006; with the constant as in the
//! Castro thesis, 2012): the child with the highest
//!
//! ```text
//! winrate + c · √(ln(parent visits) / visits)
//! ```
//!
//! from the point of view of the side to move, a child without visits before all others. Children whose
//! value is proven are not searched again. A proven loss is not a choice at all. A proven draw is a
//! choice worth exactly ½: where it is the best, the side to move is content with the draw, which is
//! what the simulation then counts from here up, while the descent goes on to the best of the open
//! children. In this way the values converge as if the draw had been chosen, and the effort still brings
//! the proof nearer, which the draw chosen again and again would not.

use super::tree::Tree;
use game::{Outcome, Side};

/// A child to go on to.
#[derive(Clone, Copy, Debug)]
pub(super) struct Choice {
    /// The child.
    pub child: u32,
    /// A child proven to be a draw that is worth more than this one seems to be.
    pub content_with: Option<u32>,
}

/// The child to search next of an expanded node that is not proven; the children of such a node are not
/// all proven.
#[inline]
pub(super) fn select<M: Copy>(tree: &Tree<M>, node: u32, mover: Side, exploration: f64) -> Choice {
    // Looked for first, because it needs no arithmetic and most nodes have one.
    if let Some((child, _)) = tree
        .child_nodes(node)
        .find(|(_, child)| child.visits == 0 && child.proven.is_none())
    {
        return Choice {
            child,
            content_with: None,
        };
    }
    let log_visits = libm::log(f64::from(tree.node(node).visits.max(1)));
    let weight = exploration * log_visits.sqrt();
    let mut best = None;
    let mut best_value = f64::NEG_INFINITY;
    let mut draw = None;
    for (index, child) in tree.child_nodes(node) {
        match child.proven {
            None => {
                // One division for both terms of the formula.
                let share = 1.0 / f64::from(child.visits);
                let value = f64::from(child.halves(mover)) * 0.5 * share + weight * share.sqrt();
                if best.is_none() || value > best_value {
                    best = Some(index);
                    best_value = value;
                }
            }
            Some(Outcome::Draw) => draw = draw.or(Some(index)),
            Some(Outcome::Win(_)) => {}
        }
    }
    Choice {
        child: best.unwrap_or_else(|| unreachable!("an open node with no open child")),
        content_with: draw.filter(|_| best_value < 0.5),
    }
}
