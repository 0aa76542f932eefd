//! Expansion: a leaf gets all its children at once.
//!
//! Children that end the game are recognised here and are proven from the start (Castro thesis, 2012,
//! "Proof Backups", with a lookahead of one ply). Where one of them wins for the side to move, the node
//! is proven and this child is the only one it gets: the others will never be looked at.

use super::backup::conclude;
use super::tree::{Full, Node, Tree};
use game::random::{self, Rng};
use game::{Game, Outcome};

/// Lists that one expansion after the other uses.
#[derive(Debug)]
pub(super) struct Scratch<M> {
    moves: Vec<M>,
    children: Vec<(M, Node)>,
}

impl<M> Default for Scratch<M> {
    fn default() -> Self {
        Scratch {
            moves: Vec::new(),
            children: Vec::new(),
        }
    }
}

/// Gives a leaf its children, in random order so that equals have equal chances, and proves it if they
/// allow it. `position` is the leaf's, in which the game is not over; it is the same afterwards.
pub(super) fn expand<G: Game>(
    tree: &mut Tree<G::Move>,
    leaf: u32,
    position: &mut G,
    scratch: &mut Scratch<G::Move>,
    rng: &mut Rng,
) -> Result<(), Full> {
    let Scratch { moves, children } = scratch;
    let mover = position.to_move();
    moves.clear();
    children.clear();
    position.legal_moves(moves);
    debug_assert!(!moves.is_empty(), "no move, no outcome: {position:?}");
    for &mv in moves.iter() {
        match position.explore(mv, |child| child.outcome()) {
            Some(outcome) if outcome == Outcome::Win(mover) => {
                children.clear();
                children.push((mv, Node::proven(outcome)));
                break;
            }
            Some(outcome) => children.push((mv, Node::proven(outcome))),
            None => children.push((mv, Node::default())),
        }
    }
    random::shuffle(children, rng);
    tree.add_children(leaf, children)?;
    conclude(tree, leaf, mover);
    Ok(())
}
