//! The tree: one array of nodes, the children of a node next to each other.
//!
//! Children come after their parent in the array, always: they are appended when the parent is
//! expanded, and [`Tree::reroot`] keeps the order.
//!
//! All values are absolute (White's points, outcomes that name the winner), so that nothing here depends
//! on whose turn it is, nor on the turns alternating.

use game::{Outcome, Side};
use std::ops::Range;

/// The index of the root.
pub(super) const ROOT: u32 = 0;

/// The most visits that a node can count, with room for two half points each.
pub(super) const MAX_VISITS: u32 = u32::MAX / 2;

/// What is known of a position in the tree. The move that leads to it is kept apart, so that selection,
/// which compares all children and then needs one move, reads four nodes a cache line.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Node {
    /// Simulations that came through.
    pub visits: u32,
    /// White's points in these simulations, counted in halves: 2 a win, 1 a draw.
    white_halves: u32,
    /// The index of the first child; 0, which is the root and nobody's child, where there are none.
    first_child: u32,
    children: u16,
    /// The exact value under the rules.
    pub proven: Option<Outcome>,
    /// For a proven node: plies to the end of the game along the proof, at most 255. A win found later
    /// could be shorter.
    pub distance: u8,
}

const _: () = assert!(size_of::<Node>() == 16);

impl Node {
    pub(super) fn proven(outcome: Outcome) -> Self {
        Node {
            proven: Some(outcome),
            ..Node::default()
        }
    }

    /// The points of a side in all visits, counted in halves.
    #[inline]
    pub(super) fn halves(&self, side: Side) -> u32 {
        match side {
            Side::White => self.white_halves,
            Side::Black => 2 * self.visits - self.white_halves,
        }
    }

    /// The mean result for a side, between 0 and 1. Needs at least one visit.
    #[inline]
    pub(super) fn mean(&self, side: Side) -> f64 {
        f64::from(self.halves(side)) / (2.0 * f64::from(self.visits))
    }

    /// Counts a visit with its result.
    #[inline]
    pub(super) fn add(&mut self, outcome: Outcome) {
        self.visits += 1;
        self.white_halves += match outcome {
            Outcome::Win(Side::White) => 2,
            Outcome::Draw => 1,
            Outcome::Win(Side::Black) => 0,
        };
    }

    #[inline]
    pub(super) fn is_expanded(&self) -> bool {
        self.first_child != 0
    }
}

/// The tree has no room for more nodes.
#[derive(Debug)]
pub(super) struct Full;

/// A tree of positions, the root included. Never empty.
#[derive(Debug)]
pub(super) struct Tree<M> {
    nodes: Vec<Node>,
    /// The move that leads to the node with the next index: the root has none.
    moves: Vec<M>,
    max_nodes: usize,
}

impl<M: Copy> Tree<M> {
    /// A tree of a root alone that will take at most `memory` bytes.
    pub(super) fn new(memory: usize) -> Self {
        let mut tree = Tree {
            nodes: vec![Node::default()],
            moves: Vec::new(),
            max_nodes: 0,
        };
        tree.limit(memory);
        tree
    }

    /// Sets the limit for growing; what is there already stays.
    pub(super) fn limit(&mut self, memory: usize) {
        let fitting = memory / (size_of::<Node>() + size_of::<M>());
        self.max_nodes = fitting.min(u32::MAX as usize);
    }

    /// Forgets everything but the memory.
    pub(super) fn clear(&mut self) {
        self.nodes.truncate(1);
        self.moves.clear();
        self.nodes[ROOT as usize] = Node::default();
    }

    /// The number of nodes.
    pub(super) fn len(&self) -> usize {
        self.nodes.len()
    }

    /// The memory that the tree holds, in bytes.
    pub(super) fn bytes(&self) -> usize {
        self.nodes.capacity() * size_of::<Node>() + self.moves.capacity() * size_of::<M>()
    }

    #[inline]
    pub(super) fn node(&self, index: u32) -> &Node {
        &self.nodes[index as usize]
    }

    #[inline]
    pub(super) fn node_mut(&mut self, index: u32) -> &mut Node {
        &mut self.nodes[index as usize]
    }

    /// The move that leads to a node other than the root.
    #[inline]
    pub(super) fn mv(&self, index: u32) -> M {
        self.moves[index as usize - 1]
    }

    /// The indices of a node's children.
    #[inline]
    pub(super) fn children(&self, index: u32) -> Range<u32> {
        let node = self.node(index);
        node.first_child..node.first_child + u32::from(node.children)
    }

    /// A node's children with their indices.
    #[inline]
    pub(super) fn child_nodes(&self, index: u32) -> impl Iterator<Item = (u32, &Node)> {
        let range = self.children(index);
        range
            .clone()
            .zip(&self.nodes[range.start as usize..range.end as usize])
    }

    /// Gives a node that has none its children: all of them, or none if there is no room.
    pub(super) fn add_children(&mut self, parent: u32, children: &[(M, Node)]) -> Result<(), Full> {
        let count = u16::try_from(children.len()).map_err(|_| Full)?;
        let first_child = self.nodes.len() as u32;
        self.make_room(children.len())?;
        self.moves.extend(children.iter().map(|&(mv, _)| mv));
        self.nodes.extend(children.iter().map(|&(_, node)| node));
        let parent = self.node_mut(parent);
        parent.first_child = first_child;
        parent.children = count;
        Ok(())
    }

    /// Grows by doubling, but never beyond the limit.
    fn make_room(&mut self, more: usize) -> Result<(), Full> {
        let needed = self.nodes.len() + more;
        if needed <= self.nodes.capacity().min(self.moves.capacity()) && needed <= self.max_nodes {
            return Ok(());
        }
        if needed > self.max_nodes {
            return Err(Full);
        }
        let wanted = needed.next_power_of_two().min(self.max_nodes);
        let grow = wanted - self.nodes.len();
        self.nodes.try_reserve_exact(grow).map_err(|_| Full)?;
        self.moves.try_reserve_exact(grow).map_err(|_| Full)
    }

    /// Makes a child of the root the new root, and drops what is not below it. Nodes keep their order;
    /// for a moment each of them takes four bytes more.
    pub(super) fn reroot(&mut self, child: u32) {
        const DROPPED: u32 = u32::MAX;
        const KEPT: u32 = 0;
        // Parents come before their children, so that one sweep decides which nodes stay, and numbers
        // them; a second moves each of them down.
        let mut moved_to = vec![DROPPED; self.nodes.len()];
        moved_to[child as usize] = KEPT;
        let mut kept = 0;
        for index in child..self.nodes.len() as u32 {
            if moved_to[index as usize] == KEPT {
                moved_to[index as usize] = kept;
                kept += 1;
                for below in self.children(index) {
                    moved_to[below as usize] = KEPT;
                }
            }
        }
        for index in child as usize..self.nodes.len() {
            if moved_to[index] == DROPPED {
                continue;
            }
            let new = moved_to[index] as usize;
            let mut node = self.nodes[index];
            if node.is_expanded() {
                node.first_child = moved_to[node.first_child as usize];
            }
            self.nodes[new] = node;
            if new != ROOT as usize {
                self.moves[new - 1] = self.moves[index - 1];
            }
        }
        self.nodes.truncate(kept as usize);
        self.moves.truncate(kept as usize - 1);
    }
}
