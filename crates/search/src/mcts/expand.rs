//! Expansion: a leaf gets its children at once, with what the guide knows of them (Castro thesis, 2012,
//! "Proof Backups").
//!
//! Where a child wins for the side to move, the node is proven and this child is the only one it gets:
//! the others will never be looked at. Where the opponent threatens to win, the only children are the
//! moves that meet the threat; if there are several threats, no move does, and the node is lost.

use super::arena::Full;
use super::backup::conclude;
use super::guide::{Expansion, Guide, Leaf};
use super::tree::Tree;
use game::Game;
use game::random::Rng;

/// Gives a leaf its children, and proves it if they allow it. `position` is the leaf's, in which the
/// game is not over; it is the same afterwards.
pub(super) fn expand<G: Game, U: Guide<G>>(
    tree: &Tree<G::Move>,
    node: u32,
    position: &mut G,
    guide: &mut U,
    expansion: Expansion,
    leaf: &mut Leaf<G::Move>,
    rng: &mut Rng,
) -> Result<(), Full> {
    leaf.clear();
    guide.expand(position, expansion, leaf, rng);
    tree.add_children(node, leaf)?;
    // Proven children are the exception.
    if !leaf.proven.is_empty() {
        conclude(tree, node, position.to_move());
    }
    Ok(())
}
