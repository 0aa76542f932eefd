//! The tree: a few arrays with an entry for each node, the children of a node next to each other.
//!
//! Selection compares all children of a node by a few numbers each. These numbers lie in arrays of their
//! own, so that the comparison reads whole cache lines of them and runs on several children at once. A
//! node of Havannah takes 24 bytes, with RAVE 32.
//!
//! Children come after their parent in the arrays, always: they are appended when the parent is
//! expanded, and [`Tree::reroot`] keeps the order.
//!
//! Values are absolute (White's points, outcomes that name the winner), so that nothing here depends on
//! whose turn it is, nor on the turns alternating. RAVE's alone belong to the side that makes the move.

use super::guide::Leaf;
use game::{Outcome, Side};
use std::ops::Range;

/// The index of the root.
pub(super) const ROOT: u32 = 0;

/// The most visits that a node can count, with room for two half points each in 31 bits.
pub(super) const MAX_VISITS: u32 = 1 << 30;

/// Results of playouts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Points {
    /// How many.
    pub visits: u32,
    /// White's points, counted in halves: 2 a win, 1 a draw.
    pub white_halves: u32,
}

impl Points {
    /// The same outcome so many times.
    #[inline]
    pub(super) fn of(outcome: Outcome, visits: u32) -> Points {
        let halves = match outcome {
            Outcome::Win(Side::White) => 2,
            Outcome::Draw => 1,
            Outcome::Win(Side::Black) => 0,
        };
        Points {
            visits,
            white_halves: halves * visits,
        }
    }

    /// The points of a side, counted in halves.
    #[inline]
    pub(super) fn halves(self, side: Side) -> u32 {
        match side {
            Side::White => self.white_halves,
            Side::Black => 2 * self.visits - self.white_halves,
        }
    }
}

impl std::ops::AddAssign for Points {
    #[inline]
    fn add_assign(&mut self, more: Points) {
        self.visits += more.visits;
        self.white_halves += more.white_halves;
    }
}

/// What RAVE knows of a move: the playouts below its parent in which the same side filled the same cell,
/// now or later.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Rave {
    /// How many.
    pub visits: u32,
    /// The points of the side that makes the move, counted in halves.
    pub halves: u32,
}

impl std::ops::AddAssign for Rave {
    #[inline]
    fn add_assign(&mut self, more: Rave) {
        self.visits += more.visits;
        self.halves += more.halves;
    }
}

/// How a node hangs in the tree, and what is certain of it.
#[derive(Clone, Copy, Debug, Default)]
struct Link {
    /// The index of the first child; 0, which is the root and nobody's child, where there are none.
    first_child: u32,
    /// The number of children in the low bits, [`FORCED`] and [`HAS_DRAW`] above.
    children: u16,
    proven: Option<Outcome>,
    distance: u8,
}

/// The node's children are those that meet a threat, and all other moves lose at once.
const FORCED: u16 = 1 << 15;
/// One of the children is a proven draw.
const HAS_DRAW: u16 = 1 << 14;
const COUNT: u16 = HAS_DRAW - 1;

const _: () = assert!(size_of::<Link>() == 8);

/// What is known of one node, gathered from the arrays.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Node {
    /// The results of the playouts that came through.
    pub points: Points,
    /// The exact value under the rules.
    pub proven: Option<Outcome>,
    /// For a proven node: plies to the end of the game along the proof, at most 255. A win found later
    /// could be shorter.
    pub distance: u8,
}

impl Node {
    /// Playouts that came through.
    #[inline]
    pub(super) fn visits(&self) -> u32 {
        self.points.visits
    }

    /// The mean result for a side, between 0 and 1. Needs at least one visit.
    #[inline]
    pub(super) fn mean(&self, side: Side) -> f64 {
        f64::from(self.points.halves(side)) / (2.0 * f64::from(self.points.visits))
    }
}

/// The arrays that selection looks at, for the children of one node.
pub(super) struct Candidates<'a> {
    pub visits: &'a [u32],
    pub white_halves: &'a [u32],
    /// What knowledge adds; −∞ for a child that is proven and need not be searched.
    pub priors: &'a [f32],
    /// Empty without RAVE.
    pub rave_visits: &'a [u32],
    /// Empty without RAVE.
    pub rave_halves: &'a [u32],
}

/// The tree has no room for more nodes.
#[derive(Debug)]
pub(super) struct Full;

/// A tree of positions, the root included. Never empty.
#[derive(Debug)]
pub(super) struct Tree<M> {
    visits: Vec<u32>,
    white_halves: Vec<u32>,
    priors: Vec<f32>,
    links: Vec<Link>,
    /// As in [`Rave`]; empty without RAVE.
    rave_visits: Vec<u32>,
    rave_halves: Vec<u32>,
    with_rave: bool,
    /// Whether a node ever had a prior from knowledge.
    has_priors: bool,
    /// The move that leads to the node with the next index: the root has none.
    moves: Vec<M>,
    /// Nodes that all arrays have room for without growing.
    room: usize,
    max_nodes: usize,
}

impl<M: Copy> Tree<M> {
    /// A tree of a root alone that will take at most `memory` bytes, with what RAVE needs or without.
    pub(super) fn new(memory: usize, with_rave: bool) -> Self {
        let mut tree = Tree {
            visits: Vec::with_capacity(1),
            white_halves: Vec::with_capacity(1),
            priors: Vec::with_capacity(1),
            links: Vec::with_capacity(1),
            rave_visits: Vec::with_capacity(with_rave.into()),
            rave_halves: Vec::with_capacity(with_rave.into()),
            with_rave,
            has_priors: false,
            moves: Vec::new(),
            room: 0,
            max_nodes: 0,
        };
        tree.clear();
        tree.limit(memory);
        tree
    }

    /// Sets the limit for growing; what is there already stays.
    pub(super) fn limit(&mut self, memory: usize) {
        self.max_nodes = (memory / self.bytes_per_node()).min(u32::MAX as usize);
    }

    /// The memory that one node takes.
    fn bytes_per_node(&self) -> usize {
        let rave = if self.with_rave { size_of::<Rave>() } else { 0 };
        2 * size_of::<u32>() + size_of::<f32>() + size_of::<Link>() + rave + size_of::<M>()
    }

    /// Forgets everything but the memory.
    pub(super) fn clear(&mut self) {
        self.truncate(0);
        self.append(1);
    }

    /// The number of nodes.
    pub(super) fn len(&self) -> usize {
        self.links.len()
    }

    /// The memory that the tree holds, in bytes.
    pub(super) fn bytes(&self) -> usize {
        self.visits.capacity() * size_of::<u32>()
            + self.white_halves.capacity() * size_of::<u32>()
            + self.priors.capacity() * size_of::<f32>()
            + self.links.capacity() * size_of::<Link>()
            + self.rave_visits.capacity() * size_of::<u32>()
            + self.rave_halves.capacity() * size_of::<u32>()
            + self.moves.capacity() * size_of::<M>()
    }

    /// What is known of a node.
    #[inline]
    pub(super) fn node(&self, index: u32) -> Node {
        let link = &self.links[index as usize];
        Node {
            points: Points {
                visits: self.visits[index as usize],
                white_halves: self.white_halves[index as usize],
            },
            proven: link.proven,
            distance: link.distance,
        }
    }

    #[inline]
    pub(super) fn visits(&self, index: u32) -> u32 {
        self.visits[index as usize]
    }

    #[inline]
    pub(super) fn proven(&self, index: u32) -> Option<Outcome> {
        self.links[index as usize].proven
    }

    /// Whether a node has children.
    #[inline]
    pub(super) fn is_expanded(&self, index: u32) -> bool {
        self.links[index as usize].first_child != 0
    }

    /// Whether the node's children are those that meet a threat, so that every move that is not among
    /// them lets the opponent win with the next.
    #[inline]
    pub(super) fn is_forced(&self, index: u32) -> bool {
        self.links[index as usize].children & FORCED != 0
    }

    /// A child that is a proven draw, if the node has one.
    #[inline]
    pub(super) fn drawn_child(&self, index: u32) -> Option<u32> {
        if self.links[index as usize].children & HAS_DRAW == 0 {
            return None;
        }
        self.children(index)
            .find(|&child| self.proven(child) == Some(Outcome::Draw))
    }

    /// Whether a node may have a prior from knowledge.
    #[inline]
    pub(super) fn has_priors(&self) -> bool {
        self.has_priors
    }

    /// Counts results.
    #[inline]
    pub(super) fn add(&mut self, index: u32, points: Points) {
        self.visits[index as usize] += points.visits;
        self.white_halves[index as usize] += points.white_halves;
    }

    /// Writes down the exact value of a node, which is not searched any more.
    pub(super) fn prove(&mut self, index: u32, outcome: Outcome, distance: u8) {
        let link = &mut self.links[index as usize];
        link.proven = Some(outcome);
        link.distance = distance;
        self.priors[index as usize] = f32::NEG_INFINITY;
    }

    /// Notes that one of the node's children is a proven draw.
    pub(super) fn note_drawn_child(&mut self, index: u32) {
        self.links[index as usize].children |= HAS_DRAW;
    }

    /// Adds to what RAVE knows of the children of a node: `table` says what, by move.
    #[inline]
    pub(super) fn add_rave(&mut self, index: u32, table: impl Fn(M) -> Rave) {
        let range = self.children(index);
        if range.is_empty() {
            return;
        }
        let (start, end) = (range.start as usize, range.end as usize);
        let known = self.rave_visits[start..end]
            .iter_mut()
            .zip(&mut self.rave_halves[start..end]);
        for ((visits, halves), &mv) in known.zip(&self.moves[start - 1..end - 1]) {
            let more = table(mv);
            *visits += more.visits;
            *halves += more.halves;
        }
    }

    /// What RAVE knows of a move.
    #[cfg(test)]
    pub(super) fn rave(&self, index: u32) -> Rave {
        Rave {
            visits: self.rave_visits[index as usize],
            halves: self.rave_halves[index as usize],
        }
    }

    /// The move that leads to a node other than the root.
    #[inline]
    pub(super) fn mv(&self, index: u32) -> M {
        self.moves[index as usize - 1]
    }

    /// The indices of a node's children.
    #[inline]
    pub(super) fn children(&self, index: u32) -> Range<u32> {
        let link = &self.links[index as usize];
        link.first_child..link.first_child + u32::from(link.children & COUNT)
    }

    /// What selection looks at, and the index of the first child.
    #[inline]
    pub(super) fn candidates(&self, index: u32) -> (u32, Candidates<'_>) {
        let range = self.children(index);
        let slice = range.start as usize..range.end as usize;
        let candidates = Candidates {
            visits: &self.visits[slice.clone()],
            white_halves: &self.white_halves[slice.clone()],
            priors: &self.priors[slice.clone()],
            rave_visits: self.rave_visits.get(slice.clone()).unwrap_or_default(),
            rave_halves: self.rave_halves.get(slice).unwrap_or_default(),
        };
        (range.start, candidates)
    }

    /// Gives a node that has none its children: all of them, or none if there is no room.
    pub(super) fn add_children(&mut self, parent: u32, leaf: &Leaf<M>) -> Result<(), Full> {
        let count = u16::try_from(leaf.moves.len()).map_err(|_| Full)?;
        if count > COUNT {
            return Err(Full);
        }
        self.make_room(leaf.moves.len())?;
        let first_child = self.len() as u32;
        self.append(leaf.moves.len());
        self.moves.extend_from_slice(&leaf.moves);
        if !leaf.priors.is_empty() {
            self.priors[first_child as usize..].copy_from_slice(&leaf.priors);
            self.has_priors = true;
        }
        let mut children = count;
        for &(child, outcome, distance) in &leaf.proven {
            self.prove(first_child + child as u32, outcome, distance);
            if outcome == Outcome::Draw {
                children |= HAS_DRAW;
            }
        }
        if leaf.forced {
            children |= FORCED;
        }
        let parent = &mut self.links[parent as usize];
        parent.first_child = first_child;
        parent.children = children;
        Ok(())
    }

    /// Appends nodes of which nothing is known, without their moves.
    #[inline]
    fn append(&mut self, more: usize) {
        let len = self.len() + more;
        self.visits.resize(len, 0);
        self.white_halves.resize(len, 0);
        self.priors.resize(len, 0.0);
        self.links.resize(len, Link::default());
        if self.with_rave {
            self.rave_visits.resize(len, 0);
            self.rave_halves.resize(len, 0);
        }
        self.room = self.room.max(len);
    }

    fn truncate(&mut self, len: usize) {
        self.visits.truncate(len);
        self.white_halves.truncate(len);
        self.priors.truncate(len);
        self.links.truncate(len);
        self.rave_visits.truncate(len);
        self.rave_halves.truncate(len);
        self.moves.truncate(len.saturating_sub(1));
    }

    /// Grows by doubling, but never beyond the limit.
    #[inline]
    fn make_room(&mut self, more: usize) -> Result<(), Full> {
        let needed = self.len() + more;
        if needed > self.max_nodes {
            return Err(Full);
        }
        if needed > self.room {
            self.grow(needed.next_power_of_two().min(self.max_nodes))?;
        }
        Ok(())
    }

    #[cold]
    fn grow(&mut self, wanted: usize) -> Result<(), Full> {
        let more = wanted - self.len();
        self.visits.try_reserve_exact(more).map_err(|_| Full)?;
        self.white_halves
            .try_reserve_exact(more)
            .map_err(|_| Full)?;
        self.priors.try_reserve_exact(more).map_err(|_| Full)?;
        self.links.try_reserve_exact(more).map_err(|_| Full)?;
        self.moves.try_reserve_exact(more).map_err(|_| Full)?;
        if self.with_rave {
            self.rave_visits.try_reserve_exact(more).map_err(|_| Full)?;
            self.rave_halves.try_reserve_exact(more).map_err(|_| Full)?;
        }
        self.room = wanted;
        Ok(())
    }

    /// Makes a child of the root the new root, and drops what is not below it. Nodes keep their order;
    /// for a moment each of them takes four bytes more.
    pub(super) fn reroot(&mut self, child: u32) {
        const DROPPED: u32 = u32::MAX;
        const KEPT: u32 = 0;
        // Parents come before their children, so that one sweep decides which nodes stay, and numbers
        // them; a second moves each of them down.
        let mut moved_to = vec![DROPPED; self.len()];
        moved_to[child as usize] = KEPT;
        let mut kept = 0;
        for index in child..self.len() as u32 {
            if moved_to[index as usize] == KEPT {
                moved_to[index as usize] = kept;
                kept += 1;
                for below in self.children(index) {
                    moved_to[below as usize] = KEPT;
                }
            }
        }
        for index in child as usize..self.len() {
            if moved_to[index] == DROPPED {
                continue;
            }
            let new = moved_to[index] as usize;
            let mut link = self.links[index];
            if link.first_child != 0 {
                link.first_child = moved_to[link.first_child as usize];
            }
            self.links[new] = link;
            self.visits[new] = self.visits[index];
            self.white_halves[new] = self.white_halves[index];
            self.priors[new] = self.priors[index];
            if self.with_rave {
                self.rave_visits[new] = self.rave_visits[index];
                self.rave_halves[new] = self.rave_halves[index];
            }
            if new != ROOT as usize {
                self.moves[new - 1] = self.moves[index - 1];
            }
        }
        self.truncate(kept as usize);
    }
}
