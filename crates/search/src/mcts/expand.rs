//! Expansion: a leaf gets its children at once, with what the policy knows of them (Castro thesis, 2012,
//! "Proof Backups").
//!
//! Where a child wins for the side to move, the node is proven and this child is the only one it gets:
//! the others will never be looked at. Where the opponent threatens to win, the only children are the
//! moves that meet the threat; if there are several threats, no move does, and the node is lost.

use super::arena::Full;
use super::backup::conclude;
use super::tree::Tree;
use super::tree_policy::Leaf;
use game::{Packed, Side};

/// Gives a node the children that the leaf lists, and proves it if they allow it.
pub(super) fn expand<M: Packed + Copy>(
    tree: &Tree<M>,
    node: u32,
    mover: Side,
    leaf: &Leaf<M>,
) -> Result<(), Full> {
    tree.add_children(node, leaf)?;
    // Proven children are the exception.
    if !leaf.proven.is_empty() {
        conclude(tree, node, mover);
    }
    Ok(())
}
