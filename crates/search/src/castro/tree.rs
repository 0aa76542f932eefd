//! The tree that threads share.
//!
//! Nodes lie in chunks that are made when they are needed and never move while somebody searches. The
//! children of a node lie next to each other, after it, in one chunk; they are complete before the node
//! says where they are, so that whoever finds them finds them whole. All that is written down later is
//! one word at a time: what a node says of itself may be older than what its children say, and is
//! computed anew from them, but bounds that are certain stay certain.

use crate::proof::Bounds;
use crate::proof::Numbers;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU8, AtomicU16, AtomicU32, AtomicU64, AtomicUsize, Ordering};

/// The index of the root.
pub(super) const ROOT: u32 = 0;

/// Nodes of a chunk; more than a position has moves.
const CHUNK: usize = 1 << 12;

/// A node.
#[derive(Debug, Default)]
pub(super) struct Node {
    /// phi below, delta above.
    numbers: AtomicU64,
    /// The index of the first child in the low half, 0 without children; then their number.
    link: AtomicU64,
    /// Nodes expanded below.
    work: AtomicU32,
    mv: AtomicU16,
    /// See [`Bounds::pack`].
    bounds: AtomicU8,
    /// Threads that search the node now.
    busy: AtomicU8,
}

const _: () = assert!(size_of::<Node>() == 24);

/// A new node.
#[derive(Clone, Copy, Debug)]
pub(super) struct Child {
    pub mv: u16,
    pub numbers: Numbers,
    pub bounds: Bounds,
}

impl Node {
    /// The numbers. Whoever sees them sees the bounds that they rest on.
    #[inline]
    pub fn numbers(&self) -> Numbers {
        let packed = self.numbers.load(Ordering::Acquire);
        Numbers {
            phi: packed as u32,
            delta: (packed >> 32) as u32,
        }
    }

    #[inline]
    pub fn set_numbers(&self, numbers: Numbers) {
        let packed = u64::from(numbers.phi) | u64::from(numbers.delta) << 32;
        self.numbers.store(packed, Ordering::Release);
    }

    #[inline]
    pub fn bounds(&self) -> Bounds {
        Bounds::unpack(self.bounds.load(Ordering::Relaxed))
    }

    /// Writes down what is certain, without forgetting what was.
    #[inline]
    pub fn add_bounds(&self, bounds: Bounds) {
        let (known, more) = (self.bounds.load(Ordering::Relaxed), bounds.pack());
        if known & more != known {
            self.bounds.fetch_and(more, Ordering::Relaxed);
        }
    }

    /// The move that leads to the node.
    #[inline]
    pub fn mv(&self) -> u16 {
        self.mv.load(Ordering::Relaxed)
    }

    /// Nodes expanded below.
    #[inline]
    pub fn work(&self) -> u32 {
        self.work.load(Ordering::Relaxed)
    }

    /// Counts nodes expanded below.
    #[inline]
    pub fn add_work(&self, nodes: u64) {
        let work = u64::from(self.work()) + nodes;
        self.work
            .store(work.min(u64::from(u32::MAX)) as u32, Ordering::Relaxed);
    }

    /// Threads that search the node now.
    #[inline]
    pub fn busy(&self) -> u8 {
        self.busy.load(Ordering::Relaxed)
    }

    /// A thread begins to search the node.
    #[inline]
    pub fn enter(&self) {
        self.busy.fetch_add(1, Ordering::Relaxed);
    }

    /// It has ended.
    #[inline]
    pub fn leave(&self) {
        self.busy.fetch_sub(1, Ordering::Relaxed);
    }

    #[inline]
    fn link(&self) -> (u32, usize) {
        let link = self.link.load(Ordering::Acquire);
        (link as u32, (link >> 32) as usize)
    }

    fn set_link(&self, first: u32, count: usize) {
        let link = u64::from(first) | (count as u64) << 32;
        self.link.store(link, Ordering::Release);
    }

    /// Whether the node has children.
    #[inline]
    pub fn is_expanded(&self) -> bool {
        self.link().0 != 0
    }

    /// Forgets the children.
    pub fn drop_children(&self) {
        self.set_link(0, 0);
    }

    fn become_child(&self, child: Child) {
        self.set_numbers(child.numbers);
        self.drop_children();
        self.work.store(0, Ordering::Relaxed);
        self.mv.store(child.mv, Ordering::Relaxed);
        self.bounds.store(child.bounds.pack(), Ordering::Relaxed);
        self.busy.store(0, Ordering::Relaxed);
    }

    /// Takes over everything but the link.
    fn copy_from(&self, other: &Node) {
        self.set_numbers(other.numbers());
        self.work.store(other.work(), Ordering::Relaxed);
        self.mv.store(other.mv(), Ordering::Relaxed);
        let bounds = other.bounds.load(Ordering::Relaxed);
        self.bounds.store(bounds, Ordering::Relaxed);
        self.busy.store(0, Ordering::Relaxed);
    }
}

/// The tree has no room.
#[derive(Debug)]
pub(super) struct Full;

/// A tree, never without its root.
#[derive(Debug)]
pub(super) struct Tree {
    chunks: Box<[OnceLock<Box<[Node]>>]>,
    /// The nodes handed out, those left over at the end of a chunk included.
    len: AtomicUsize,
}

impl Tree {
    /// A tree of a root that will take at most so many bytes, but one chunk at least. Collecting takes
    /// four bytes and a bit for each node.
    pub fn new(bytes: usize) -> Tree {
        let chunk = CHUNK * (size_of::<Node>() + size_of::<u32>())
            + CHUNK / 8
            + size_of::<OnceLock<Box<[Node]>>>();
        let most = u32::MAX as usize / CHUNK + 1;
        let chunks = (bytes / chunk).clamp(1, most);
        let tree = Tree {
            chunks: (0..chunks).map(|_| OnceLock::new()).collect(),
            len: AtomicUsize::new(1),
        };
        tree.node(ROOT).become_child(Child {
            mv: 0,
            numbers: Numbers::UNKNOWN,
            bounds: Bounds::UNKNOWN,
        });
        tree
    }

    /// Nodes in the tree, those that were dropped and not collected yet included.
    pub fn len(&self) -> usize {
        self.len.load(Ordering::Relaxed)
    }

    /// Bytes taken.
    pub fn bytes(&self) -> usize {
        let made = self.chunks.iter().filter(|chunk| chunk.get().is_some());
        made.count() * CHUNK * size_of::<Node>()
    }

    #[inline]
    fn chunk(&self, number: usize) -> &[Node] {
        self.chunks[number].get_or_init(|| (0..CHUNK).map(|_| Node::default()).collect())
    }

    #[inline]
    pub fn node(&self, index: u32) -> &Node {
        let index = index as usize;
        &self.chunk(index / CHUNK)[index % CHUNK]
    }

    /// The children of a node, and the index of the first.
    #[inline]
    pub fn children(&self, node: &Node) -> (u32, &[Node]) {
        let (first, count) = node.link();
        if count == 0 {
            return (0, &[]);
        }
        let begin = first as usize % CHUNK;
        let chunk = self.chunk(first as usize / CHUNK);
        (first, &chunk[begin..begin + count])
    }

    /// Gives a node its children: all of them, or none if there is no room or another thread was faster.
    pub fn add_children(&self, parent: &Node, children: &[Child]) -> Result<(), Full> {
        let first = self.reserve(children.len()).ok_or(Full)?;
        let begin = first % CHUNK;
        let nodes = &self.chunk(first / CHUNK)[begin..begin + children.len()];
        for (node, &child) in nodes.iter().zip(children) {
            node.become_child(child);
        }
        let link = first as u64 | (children.len() as u64) << 32;
        // If another thread was faster, these are found by nobody, and collected.
        let _ = parent
            .link
            .compare_exchange(0, link, Ordering::AcqRel, Ordering::Relaxed);
        Ok(())
    }

    /// Room for nodes next to each other.
    fn reserve(&self, count: usize) -> Option<usize> {
        if count > CHUNK {
            return None;
        }
        let room = self.chunks.len() * CHUNK;
        let end = |len: usize| Some(place(len, count) + count).filter(|&end| end <= room);
        let before = self
            .len
            .fetch_update(Ordering::Relaxed, Ordering::Relaxed, end);
        before.ok().map(|len| place(len, count))
    }

    /// Changes the numbers of all nodes, from their bounds and, for nodes at an even distance from the
    /// root, with `true`. Nobody else may use the tree meanwhile.
    pub fn renumber(&mut self, mut numbers: impl FnMut(Bounds, bool) -> Numbers) {
        // Children lie after their parents, so that one sweep finds who is to move where.
        let mut even = Marks::new(self.len());
        even.set(ROOT, true);
        for index in 0..self.len() as u32 {
            let node = self.node(index);
            node.set_numbers(numbers(node.bounds(), even.has(index)));
            let (first, children) = self.children(node);
            for child in 0..children.len() as u32 {
                even.set(first + child, !even.has(index));
            }
        }
    }

    /// Drops the children of all nodes but the root below which fewer than so many nodes were expanded,
    /// or that are solved, and moves the others together. Nobody else may use the tree meanwhile.
    fn drop_light(&mut self, least_work: u32) -> usize {
        let len = self.len();
        // By the index of a first child: the number of children that are kept.
        let mut moved = vec![0u32; len];
        let mut live = Marks::new(len);
        live.set(ROOT, true);
        for index in 0..len {
            if !live.has(index as u32) {
                continue;
            }
            let node = self.node(index as u32);
            let is_light = node.work() < least_work || node.numbers().is_solved();
            if index != ROOT as usize && is_light {
                node.drop_children();
            }
            let (first, children) = self.children(node);
            if !children.is_empty() {
                moved[first as usize] = children.len() as u32;
                for child in 0..children.len() as u32 {
                    live.set(first + child, true);
                }
            }
        }
        // From here on by new indices.
        live.clear();
        live.set(ROOT, true);
        let mut end = 1;
        let mut index = 1;
        // What was a number of children becomes the new index of the first.
        while index < len {
            let count = moved[index] as usize;
            if count == 0 {
                index += 1;
                continue;
            }
            let new = place(end, count);
            moved[index] = new as u32;
            end = new + count;
            for child in 0..count {
                let (from, to) = (
                    self.node((index + child) as u32),
                    self.node((new + child) as u32),
                );
                let (first, children) = from.link();
                if !std::ptr::eq(from, to) {
                    to.copy_from(from);
                    to.set_link(first, children);
                }
                live.set((new + child) as u32, true);
            }
            index += count;
        }
        // Now links, from old indices to new ones, of the nodes that are there.
        for index in (0..end as u32).filter(|&index| live.has(index)) {
            let node = self.node(index);
            let (first, count) = node.link();
            if count > 0 {
                node.set_link(moved[first as usize], count);
            }
        }
        self.len.store(end, Ordering::Relaxed);
        end
    }

    /// Makes room: drops what took the least work until at least half of the tree is free. `false` if that
    /// cannot be.
    pub fn collect(&mut self) -> bool {
        let room = self.chunks.len() * CHUNK;
        let mut least_work = 1;
        while self.drop_light(least_work) > room / 2 {
            if least_work > 1 << 24 {
                return false;
            }
            least_work *= 4;
        }
        true
    }
}

/// A bit for each node.
struct Marks(Vec<u64>);

impl Marks {
    fn new(nodes: usize) -> Marks {
        Marks(vec![0; nodes.div_ceil(64)])
    }

    fn has(&self, index: u32) -> bool {
        self.0[index as usize / 64] >> (index % 64) & 1 == 1
    }

    fn set(&mut self, index: u32, value: bool) {
        let word = &mut self.0[index as usize / 64];
        *word = *word & !(1 << (index % 64)) | u64::from(value) << (index % 64);
    }

    fn clear(&mut self) {
        self.0.fill(0);
    }
}

/// Where so many nodes go after others, so that they lie in one chunk.
#[inline]
fn place(len: usize, count: usize) -> usize {
    if len % CHUNK + count > CHUNK {
        len.next_multiple_of(CHUNK)
    } else {
        len
    }
}
