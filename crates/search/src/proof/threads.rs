//! What threads that search for one answer tell each other, beside what is in the table.
//!
//! None of it decides anything: it only says where others are, so that threads go different ways, and when
//! a position has been solved by another, so that they leave it.

use super::{Run, SolveProgress};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU32, AtomicU64, AtomicUsize, Ordering};

/// How many threads search for one answer. Others may add some while the search goes on.
#[derive(Clone, Debug)]
pub struct Crew(Arc<AtomicUsize>);

impl Crew {
    /// So many threads, at least one.
    pub fn new(threads: usize) -> Crew {
        Crew(Arc::new(AtomicUsize::new(threads.max(1))))
    }

    /// How many there are.
    #[inline(always)]
    pub fn count(&self) -> usize {
        self.0.load(Ordering::Relaxed)
    }

    /// Whether they are the same.
    pub fn is(&self, other: &Crew) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }

    /// Adds a thread.
    pub fn add(&self) {
        self.0.fetch_add(1, Ordering::Relaxed);
    }
}

/// All threads.
#[derive(Debug)]
pub struct Threads {
    halt: AtomicBool,
    each: Vec<Thread>,
}

/// One of them, on a line of the cache of its own.
#[derive(Debug)]
#[repr(align(128))]
struct Thread {
    /// Nodes that it has expanded.
    nodes: AtomicU64,
    /// The fewest plies of a position on its way that another has solved.
    cut: AtomicU32,
    /// By the number of plies: hashes of the positions on the way to where it is; 0 for none.
    way: Box<[AtomicU64]>,
}

/// What one thread counts its nodes with.
pub struct Clock<'a, 'r> {
    /// All threads.
    pub threads: &'a Threads,
    /// Which one this is.
    pub me: usize,
    /// The run, which the first thread counts for, with the nodes that it had counted before.
    pub run: Option<(&'a mut Run<'r>, u64)>,
}

impl Clock<'_, '_> {
    /// The nodes of this thread.
    #[inline(always)]
    pub fn nodes(&self) -> u64 {
        self.threads.nodes_of(self.me)
    }

    /// Counts a node, tells of the progress, and halts all threads when the run ends.
    #[inline]
    pub fn count(&mut self, progress: impl FnOnce() -> SolveProgress) {
        let own = self.threads.count_node(self.me);
        let Some((run, before)) = &mut self.run else {
            return;
        };
        let nodes = if self.threads.are_many() {
            self.threads.nodes()
        } else {
            own
        };
        run.count_nodes(*before + nodes, progress);
        if run.stopped.is_some() {
            self.threads.halt();
        }
    }
}

/// Of a thread that need not leave any position.
const NOWHERE: u32 = u32::MAX;

impl Threads {
    /// So many threads, in games of at most so many plies.
    pub fn new(threads: usize, most_plies: usize) -> Threads {
        let thread = |_| Thread {
            nodes: AtomicU64::new(0),
            cut: AtomicU32::new(NOWHERE),
            way: (0..=most_plies).map(|_| AtomicU64::new(0)).collect(),
        };
        Threads {
            halt: AtomicBool::new(false),
            each: (0..threads).map(thread).collect(),
        }
    }

    /// Lets all come back to the root.
    #[inline]
    pub fn halt(&self) {
        self.halt.store(true, Ordering::Relaxed);
    }

    /// Whether all have to.
    #[inline(always)]
    pub fn are_halted(&self) -> bool {
        self.halt.load(Ordering::Relaxed)
    }

    /// Whether there is more than one.
    #[inline(always)]
    pub fn are_many(&self) -> bool {
        self.each.len() > 1
    }

    fn others(&self, me: usize) -> impl Iterator<Item = &Thread> {
        let each = self.each.iter().enumerate();
        each.filter(move |&(one, _)| one != me)
            .map(|(_, thread)| thread)
    }

    /// How many there are.
    #[inline]
    pub fn count(&self) -> usize {
        self.each.len()
    }

    /// Counts a node that one has expanded. The number of its nodes.
    #[inline(always)]
    pub fn count_node(&self, me: usize) -> u64 {
        let nodes = self.nodes_of(me) + 1;
        self.each[me].nodes.store(nodes, Ordering::Relaxed);
        nodes
    }

    /// The nodes of one.
    #[inline(always)]
    pub fn nodes_of(&self, me: usize) -> u64 {
        self.each[me].nodes.load(Ordering::Relaxed)
    }

    /// The nodes of all.
    #[inline]
    pub fn nodes(&self) -> u64 {
        (0..self.count()).map(|one| self.nodes_of(one)).sum()
    }

    /// Notes that one comes to a position so many plies from the start.
    #[inline]
    pub fn enter(&self, me: usize, plies: usize, hash: u64) {
        self.each[me].way[plies].store(hash, Ordering::Relaxed);
    }

    /// Notes that it leaves the position. If it has solved it, others that are there leave it too.
    #[inline]
    pub fn leave(&self, me: usize, plies: usize, hash: u64, is_solved: bool) {
        self.each[me].way[plies].store(0, Ordering::Relaxed);
        if is_solved {
            for other in self.others(me) {
                if other.way[plies].load(Ordering::Relaxed) == hash {
                    other.cut.fetch_min(plies as u32, Ordering::Relaxed);
                }
            }
        }
    }

    /// How many others are below a position.
    #[inline]
    pub fn at(&self, me: usize, plies: usize, hash: u64) -> u32 {
        let there = |other: &&Thread| other.way[plies].load(Ordering::Relaxed) == hash;
        self.others(me).filter(there).count() as u32
    }

    /// Whether one has to leave a position so many plies from the start, because another has solved one above it.
    #[inline]
    pub fn has_to_leave(&self, me: usize, plies: usize) -> bool {
        self.each[me].cut.load(Ordering::Relaxed) < plies as u32
    }

    /// Whether another has solved the position at which one is. Asked once.
    #[inline]
    pub fn was_solved(&self, me: usize) -> bool {
        let cut = &self.each[me].cut;
        cut.load(Ordering::Relaxed) != NOWHERE && {
            cut.store(NOWHERE, Ordering::Relaxed);
            true
        }
    }
}
