//! Memory for nodes that many threads fill and read: arrays of atomic words, which never move.
//!
//! Selection compares all children of a node by a few numbers each. These numbers lie in arrays of their
//! own, so that the comparison reads whole cache lines of them. A node takes 24 bytes, with RAVE 32:
//! results (8), link (8), prior (4), move (4), RAVE's results (8).
//!
//! The arrays are as long as the limit allows from the start. They are zeros that the operating system has
//! promised and not yet given: a page takes memory when the first node is written to it.

use crate::sync::{AtomicU32, AtomicU64, CachePadded, Ordering::Relaxed, Word, zeros};
use std::fmt;

/// Nodes for which there is room at least. Tests have few, to come upon the end.
const LEAST: u32 = if cfg!(test) { 32 } else { 1 << 13 };

/// Room for nodes, and how much of it is in use.
pub(super) struct Arena {
    /// The results of the playouts that came through, as [`NodeStatistics::word`](super::node_statistics::NodeStatistics::word)
    /// has them.
    pub stats: Box<[AtomicU64]>,
    /// The same for what RAVE knows, in half points of the side that makes the move. Empty without RAVE.
    pub rave: Box<[AtomicU64]>,
    /// See [`NodeHeader`](super::node_header::NodeHeader).
    pub links: Box<[AtomicU64]>,
    /// What knowledge adds, the bits of a number; −∞ for a node that is proven and need not be searched.
    pub priors: Box<[AtomicU32]>,
    /// The moves that lead to the nodes, packed.
    pub moves: Box<[AtomicU32]>,
    /// The end of what may be in use.
    limit: u32,
    /// The end of what was ever in use.
    reached: u32,
    /// The end of what is in use.
    end: CachePadded<AtomicU32>,
}

impl fmt::Debug for Arena {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Arena")
            .field("limit", &self.limit)
            .field("end", &self.end())
            .finish_non_exhaustive()
    }
}

/// There is no room for more nodes.
#[derive(Debug)]
pub(super) struct Full;

impl Arena {
    /// Room for so many bytes of nodes at most, with what RAVE needs or without, and no node.
    ///
    /// # Panics
    /// If there is no memory for the least that makes sense.
    pub(super) fn new(with_rave: bool, memory: usize) -> Self {
        let mut nodes = nodes_in(memory, with_rave);
        loop {
            match Arena::with_room(with_rave, nodes) {
                Some(arena) => return arena,
                // The system does not promise what it can never give. Half of it is still a tree.
                None => nodes /= 2,
            }
            assert!(nodes >= LEAST / 2, "no memory for a new search");
        }
    }

    fn with_room(with_rave: bool, nodes: u32) -> Option<Self> {
        Some(Arena {
            stats: zeros(nodes)?,
            rave: zeros(if with_rave { nodes } else { 0 })?,
            links: zeros(nodes)?,
            priors: zeros(nodes)?,
            moves: zeros(nodes)?,
            limit: nodes,
            reached: 0,
            end: CachePadded(AtomicU32::new(0)),
        })
    }

    /// Whether there is room for what RAVE knows.
    #[inline]
    pub(super) fn has_rave(&self) -> bool {
        !self.rave.is_empty()
    }

    /// Sets the most bytes that may be in use from now on. What is in use stays, even if it is more.
    pub(super) fn set_limit(&mut self, memory: usize) {
        let nodes = nodes_in(memory, self.has_rave());
        if nodes as usize > self.stats.len() {
            self.move_to(Arena::new(self.has_rave(), memory));
        }
        self.limit = nodes.min(self.stats.len() as u32);
    }

    /// Moves all nodes to an arena that has room for them.
    fn move_to(&mut self, larger: Arena) {
        let mut old = std::mem::replace(self, larger);
        let end = old.end();
        self.end = CachePadded(AtomicU32::new(end));
        self.reached = old.reached;
        let end = end as usize;
        let words = [
            (&mut old.stats, &mut self.stats),
            (&mut old.rave, &mut self.rave),
            (&mut old.links, &mut self.links),
        ];
        for (from, to) in words {
            for (from, to) in from.iter_mut().zip(to.iter_mut()).take(end) {
                to.write(from.read());
            }
        }
        let halves = [
            (&mut old.priors, &mut self.priors),
            (&mut old.moves, &mut self.moves),
        ];
        for (from, to) in halves {
            for (from, to) in from.iter_mut().zip(to.iter_mut()).take(end) {
                to.write(from.read());
            }
        }
    }

    /// The end of the indices in use, which is the number of nodes.
    #[inline]
    pub(super) fn end(&self) -> u32 {
        self.end.0.load(Relaxed)
    }

    /// The end of the indices that may be in use.
    pub(super) fn limit(&self) -> u32 {
        self.limit
    }

    /// Gives back what is beyond.
    pub(super) fn truncate(&mut self, end: u32) {
        self.reached = self.reached.max(self.end());
        self.end = CachePadded(AtomicU32::new(end));
    }

    /// The memory that nodes have ever taken, in bytes: the system has given that much.
    pub(super) fn bytes(&self) -> usize {
        self.reached.max(self.end()) as usize * bytes_per_node(self.has_rave())
    }

    /// Takes room for nodes next to each other, and returns the index of the first. What the room holds
    /// is left from before.
    #[inline]
    pub(super) fn take(&self, count: u32) -> Result<u32, Full> {
        let more = |end: u32| end.checked_add(count).filter(|&end| end <= self.limit);
        self.end
            .0
            .fetch_update(Relaxed, Relaxed, more)
            .map_err(|_| Full)
    }

    /// Copies a node to another place.
    pub(super) fn copy(&mut self, from: u32, to: u32) {
        let (from, to) = (from as usize, to as usize);
        for words in [&mut self.stats, &mut self.links, &mut self.rave] {
            // There may be no results of RAVE.
            if !words.is_empty() {
                let word = words[from].read();
                words[to].write(word);
            }
        }
        for words in [&mut self.priors, &mut self.moves] {
            let word = words[from].read();
            words[to].write(word);
        }
    }
}

/// The memory that one node takes.
fn bytes_per_node(with_rave: bool) -> usize {
    let words = if with_rave { 3 } else { 2 };
    words * size_of::<u64>() + 2 * size_of::<u32>()
}

/// The nodes that so much memory has room for, and not fewer than make sense. Collecting takes a bit for each.
fn nodes_in(memory: usize, with_rave: bool) -> u32 {
    let bits_per_node = 8 * bytes_per_node(with_rave) + 1;
    let nodes = memory as u64 * 8 / bits_per_node as u64;
    u32::try_from(nodes).unwrap_or(u32::MAX).max(LEAST)
}
