//! What threads that search for one answer tell each other, beside what is in the table.
//!
//! None of it decides anything: it only says where others are, so that threads go different ways, and when
//! a position has been solved by another, so that they leave it.

use super::{Run, SolveProgress};
use crate::sync::CachePadded;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU32, AtomicU64, AtomicUsize, Ordering};

/// How many threads search for one answer. Others may add some while the search goes on.
#[derive(Clone, Debug)]
pub struct Crew(Arc<CachePadded<AtomicUsize>>);

impl Crew {
    /// So many threads, at least one.
    pub fn new(threads: usize) -> Crew {
        Crew(Arc::new(CachePadded(AtomicUsize::new(threads.max(1)))))
    }

    /// How many there are.
    #[inline(always)]
    pub fn count(&self) -> usize {
        self.0.0.load(Ordering::Relaxed)
    }

    /// Whether they are the same.
    pub fn is(&self, other: &Crew) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }

    /// Adds a thread.
    pub fn add(&self) {
        self.0.0.fetch_add(1, Ordering::Relaxed);
    }
}

/// All threads. It is read at each node, and lies among what the first thread writes.
#[derive(Debug)]
#[repr(align(128))]
pub struct Threads {
    halt: AtomicBool,
    each: Vec<Thread>,
}

/// One of them. What it writes lies on lines of the cache of their own, and what it writes at each node, by the number of
/// plies: others look at it where they are, which is seldom as deep.
#[derive(Debug)]
struct Thread {
    /// Nodes that it has expanded, as far as it has [told](Clock::tell).
    nodes: CachePadded<AtomicU64>,
    /// The fewest plies of a position on its way that another has solved.
    cut: CachePadded<AtomicU32>,
    /// By the number of plies: hashes of the positions on the way to where it is; 0 for none.
    way: Box<[CachePadded<AtomicU64>]>,
}

/// What one thread counts its nodes with.
pub struct Clock<'a, 'r> {
    /// All threads.
    pub threads: &'a Threads,
    /// Which one this is.
    pub me: usize,
    /// The run, which the first thread counts for, with the nodes that it had counted before.
    run: Option<(&'a mut Run<'r>, u64)>,
    /// Nodes that this thread has expanded.
    nodes: u64,
}

/// After so many nodes a thread tells how many there are, which costs it and those who read it a line of the cache.
const NODES_UNTOLD: u64 = 64;

impl<'a, 'r> Clock<'a, 'r> {
    /// Of one thread, which has not expanded any node. The run is for the first one, with the nodes counted before.
    pub fn new(
        threads: &'a Threads,
        me: usize,
        run: Option<(&'a mut Run<'r>, u64)>,
    ) -> Clock<'a, 'r> {
        Clock {
            threads,
            me,
            run,
            nodes: 0,
        }
    }

    /// The nodes of this thread.
    #[inline(always)]
    pub fn nodes(&self) -> u64 {
        self.nodes
    }

    /// Counts a node, tells of the progress, and halts all threads when the run ends.
    #[inline]
    pub fn count(&mut self, progress: impl FnOnce() -> SolveProgress) {
        self.nodes += 1;
        if self.nodes.is_multiple_of(NODES_UNTOLD) {
            self.tell();
        }
        let Some((run, before)) = &mut self.run else {
            return;
        };
        let mut nodes = *before + self.nodes;
        if self.threads.are_many() {
            let others = self.threads.others(self.me);
            let told = others.map(|other| other.nodes.0.load(Ordering::Relaxed));
            nodes += told.sum::<u64>();
        }
        run.count_nodes(nodes, progress);
        if run.stopped.is_some() {
            self.threads.halt();
        }
    }

    fn tell(&self) {
        let told = &self.threads.each[self.me].nodes.0;
        told.store(self.nodes, Ordering::Relaxed);
    }
}

impl Drop for Clock<'_, '_> {
    fn drop(&mut self) {
        self.tell();
    }
}

/// Of a thread that need not leave any position.
const NOWHERE: u32 = u32::MAX;

impl Threads {
    /// So many threads, in games of at most so many plies.
    pub fn new(threads: usize, most_plies: usize) -> Threads {
        let thread = |_| Thread {
            nodes: CachePadded::default(),
            cut: CachePadded(AtomicU32::new(NOWHERE)),
            way: (0..=most_plies).map(|_| CachePadded::default()).collect(),
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

    /// The nodes of all, as far as they have told: those of a thread that has ended are whole.
    pub fn nodes(&self) -> u64 {
        let nodes = |thread: &Thread| thread.nodes.0.load(Ordering::Relaxed);
        self.each.iter().map(nodes).sum()
    }

    /// Notes that one comes to a position so many plies from the start.
    #[inline]
    pub fn enter(&self, me: usize, plies: usize, hash: u64) {
        self.each[me].way[plies].0.store(hash, Ordering::Relaxed);
    }

    /// Notes that it leaves the position. If it has solved it, others that are there leave it too.
    #[inline]
    pub fn leave(&self, me: usize, plies: usize, hash: u64, is_solved: bool) {
        self.each[me].way[plies].0.store(0, Ordering::Relaxed);
        if is_solved {
            for other in self.others(me) {
                if other.way[plies].0.load(Ordering::Relaxed) == hash {
                    other.cut.0.fetch_min(plies as u32, Ordering::Relaxed);
                }
            }
        }
    }

    /// How many others are below a position.
    #[inline]
    pub fn at(&self, me: usize, plies: usize, hash: u64) -> u32 {
        let there = |other: &&Thread| other.way[plies].0.load(Ordering::Relaxed) == hash;
        self.others(me).filter(there).count() as u32
    }

    /// Whether one has to leave a position so many plies from the start, because another has solved one above it.
    #[inline]
    pub fn has_to_leave(&self, me: usize, plies: usize) -> bool {
        self.each[me].cut.0.load(Ordering::Relaxed) < plies as u32
    }

    /// Whether another has solved the position at which one is. Asked once.
    #[inline]
    pub fn was_solved(&self, me: usize) -> bool {
        let cut = &self.each[me].cut.0;
        cut.load(Ordering::Relaxed) != NOWHERE && {
            cut.store(NOWHERE, Ordering::Relaxed);
            true
        }
    }
}
