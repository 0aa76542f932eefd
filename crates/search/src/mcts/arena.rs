//! Memory for nodes that many threads fill and read: chunks of atomic words, allocated when they are
//! needed and never moved.
//!
//! Selection compares all children of a node by a few numbers each. These numbers lie in arrays of their
//! own, so that the comparison reads whole cache lines of them. A node takes 24 bytes, with RAVE 32:
//! results (8), link (8), prior (4), move (4), RAVE's results (8).

use crate::sync::{AtomicU32, AtomicU64, Ordering::Relaxed};
use std::sync::OnceLock;

/// Nodes of a chunk. The children of a node lie in one chunk. Tests have small ones, to come upon their
/// ends.
pub(super) const CHUNK: u32 = if cfg!(any(test, loom)) { 32 } else { 1 << 13 };

/// The nodes with indices from a multiple of [`CHUNK`] on.
#[derive(Debug)]
pub(super) struct Chunk {
    /// The results of the playouts that came through, as [`Points::word`](super::points::Points::word)
    /// has them.
    pub stats: Box<[AtomicU64]>,
    /// The same for what RAVE knows, in half points of the side that makes the move. Empty without RAVE.
    pub rave: Box<[AtomicU64]>,
    /// See [`Link`](super::link::Link).
    pub links: Box<[AtomicU64]>,
    /// What knowledge adds, the bits of a number; −∞ for a node that is proven and need not be searched.
    pub priors: Box<[AtomicU32]>,
    /// The moves that lead to the nodes, packed.
    pub moves: Box<[AtomicU32]>,
}

/// So much of the memory as is allocated, and how much is in use.
#[derive(Debug)]
pub(super) struct Arena {
    chunks: Vec<OnceLock<Chunk>>,
    with_rave: bool,
    /// The end of what is in use.
    end: AtomicU32,
    /// The end of what may be in use.
    limit: u32,
}

/// There is no room for more nodes.
#[derive(Debug)]
pub(super) struct Full;

impl Arena {
    /// Room for one chunk of nodes, with what RAVE needs or without, and no node.
    pub(super) fn new(with_rave: bool) -> Self {
        let mut arena = Arena {
            chunks: Vec::new(),
            with_rave,
            end: AtomicU32::new(0),
            limit: 0,
        };
        arena.set_limit(0);
        arena
    }

    /// The memory that one node takes.
    fn bytes_per_node(&self) -> usize {
        let words = if self.with_rave { 3 } else { 2 };
        words * size_of::<u64>() + 2 * size_of::<u32>()
    }

    fn bytes_per_chunk(&self) -> usize {
        self.bytes_per_node() * CHUNK as usize
    }

    /// Sets the most bytes to take, which is at least a chunk and what is in use already, and frees what
    /// is beyond.
    pub(super) fn set_limit(&mut self, memory: usize) {
        let chunks = (memory / self.bytes_per_chunk()).clamp(1, (u32::MAX / CHUNK) as usize);
        let used = self.end().div_ceil(CHUNK) as usize;
        self.limit = chunks as u32 * CHUNK;
        self.chunks.resize_with(chunks.max(used), OnceLock::new);
        self.chunks.shrink_to_fit();
    }

    /// The end of the indices in use.
    pub(super) fn end(&self) -> u32 {
        self.end.load(Relaxed)
    }

    /// The end of the indices that may be in use.
    pub(super) fn limit(&self) -> u32 {
        self.limit
    }

    /// Gives back what is beyond.
    pub(super) fn truncate(&mut self, end: u32) {
        self.end = AtomicU32::new(end);
    }

    /// The memory that is allocated for nodes, in bytes.
    pub(super) fn bytes(&self) -> usize {
        let allocated = self.chunks.iter().filter(|chunk| chunk.get().is_some());
        allocated.count() * self.bytes_per_chunk()
    }

    /// Takes room for nodes that lie in one chunk, whose index is returned. What the room holds is left
    /// from before.
    #[inline]
    pub(super) fn take(&self, count: u32) -> Result<u32, Full> {
        if count > CHUNK {
            return Err(Full);
        }
        let mut end = self.end.load(Relaxed);
        loop {
            let begin = place_for(end, count);
            if begin + count > self.limit {
                return Err(Full);
            }
            self.allocate(begin)?;
            let taken = self
                .end
                .compare_exchange_weak(end, begin + count, Relaxed, Relaxed);
            match taken {
                Ok(_) => return Ok(begin),
                Err(now) => end = now,
            }
        }
    }

    /// Makes sure that there is a chunk for an index. Two threads may try at once: one's is dropped.
    #[inline]
    fn allocate(&self, index: u32) -> Result<(), Full> {
        let chunk = &self.chunks[(index / CHUNK) as usize];
        if chunk.get().is_none() {
            // If another thread was faster, there is a chunk as well.
            let _ = chunk.set(Chunk::new(self.with_rave).ok_or(Full)?);
        }
        Ok(())
    }

    /// The chunk of an index that is in use, and the place in it.
    #[inline]
    pub(super) fn at(&self, index: u32) -> (&Chunk, usize) {
        let chunk = self.chunks[(index / CHUNK) as usize].get();
        let chunk = chunk.expect("what is in use is allocated");
        (chunk, (index % CHUNK) as usize)
    }

    #[inline]
    pub(super) fn stats(&self, index: u32) -> &AtomicU64 {
        let (chunk, at) = self.at(index);
        &chunk.stats[at]
    }

    #[inline]
    pub(super) fn link(&self, index: u32) -> &AtomicU64 {
        let (chunk, at) = self.at(index);
        &chunk.links[at]
    }

    #[inline]
    pub(super) fn prior(&self, index: u32) -> &AtomicU32 {
        let (chunk, at) = self.at(index);
        &chunk.priors[at]
    }

    #[inline]
    pub(super) fn mv(&self, index: u32) -> &AtomicU32 {
        let (chunk, at) = self.at(index);
        &chunk.moves[at]
    }

    /// Copies a node to another place.
    pub(super) fn copy(&mut self, from: u32, to: u32) {
        let ((source, from), (target, to)) = (self.at(from), self.at(to));
        let words = |from: &AtomicU64, to: &AtomicU64| to.store(from.load(Relaxed), Relaxed);
        let halves = |from: &AtomicU32, to: &AtomicU32| to.store(from.load(Relaxed), Relaxed);
        words(&source.stats[from], &target.stats[to]);
        words(&source.links[from], &target.links[to]);
        halves(&source.priors[from], &target.priors[to]);
        halves(&source.moves[from], &target.moves[to]);
        if self.with_rave {
            words(&source.rave[from], &target.rave[to]);
        }
    }
}

/// Where nodes that lie in one chunk can begin, from an index on.
#[inline]
pub(super) fn place_for(index: u32, count: u32) -> u32 {
    if index % CHUNK + count > CHUNK {
        index.next_multiple_of(CHUNK)
    } else {
        index
    }
}

impl Chunk {
    /// A chunk of nodes of which nothing is known; `None` if there is no memory.
    #[cold]
    fn new(with_rave: bool) -> Option<Chunk> {
        let words = || slots(CHUNK, || AtomicU64::new(0));
        let halves = || slots(CHUNK, || AtomicU32::new(0));
        Some(Chunk {
            stats: words()?,
            rave: if with_rave { words()? } else { Box::default() },
            links: words()?,
            priors: halves()?,
            moves: halves()?,
        })
    }
}

fn slots<T>(count: u32, slot: impl FnMut() -> T) -> Option<Box<[T]>> {
    let mut slots = Vec::new();
    slots.try_reserve_exact(count as usize).ok()?;
    slots.resize_with(count as usize, slot);
    Some(slots.into_boxed_slice())
}
