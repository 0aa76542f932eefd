//! Proof-number search on a tree (Allis, van der Meulen and van den Herik, "Proof-number search", 1994),
//! with depth-first thresholds and the 1 + ε trick if wanted, by one thread or several.
//!
//! Threads share the tree and nothing else. A child that another thread is searching looks harder (virtual
//! loss), so that threads go different ways; what they find they write into the nodes, which are computed
//! anew from their children on the way back. A full tree is collected while all threads wait: nodes below
//! which least was done lose their children, but keep their numbers.

use super::goals::{Answer, GoalSolver, ProofGoal};
use super::params::Params;
use super::state::{State, grow};
use super::tree::{Child, Node, ROOT, Tree};
use crate::StopReason;
use crate::proof::{Bounds, Choice, Clock, Numbers, Run, SolveProgress, Threads};
use crate::threads;
use std::sync::atomic::{AtomicBool, AtomicU16, Ordering};
use std::sync::{PoisonError, RwLock};
use std::thread;
use std::time::Duration;

/// The search of `castro-pns`.
#[derive(Debug)]
pub struct Pns {
    params: Params,
    tree: Option<Tree>,
    goal: Option<ProofGoal>,
}

impl Pns {
    /// A search that knows nothing yet.
    pub fn new(params: &Params) -> Pns {
        Pns {
            params: params.clone(),
            tree: None,
            goal: None,
        }
    }
}

/// What threads tell each other.
struct Shared {
    threads: Threads,
    /// Everybody has to come back to the root, since the tree is full.
    full: AtomicBool,
    /// The tree cannot be made smaller.
    hopeless: AtomicBool,
    /// The move of the root that was seen to settle the goal when the root was expanded.
    settled_by: AtomicU16,
}

/// The states of a thread beyond one for each ply: that of the root and one to look at moves in.
const SPARE: usize = 2;

/// How long threads wait before they look again whether the tree is collected.
const MOMENT: Duration = Duration::from_micros(100);

/// No position has so many moves.
const NO_MOVE: u16 = u16::MAX;

impl<S: State> GoalSolver<S> for Pns {
    fn forget(&mut self) {
        *self = Pns::new(&self.params);
    }

    fn size(&self) -> (u64, usize) {
        let tree = self.tree.as_ref();
        (
            tree.map_or(0, Tree::len) as u64,
            tree.map_or(0, Tree::bytes),
        )
    }

    fn answer(&mut self, root: &S, goal: ProofGoal, run: &mut Run<'_>) -> Answer {
        let threads = self.params.threads.max(1);
        let is_new = self.goal.is_some_and(|last| last != goal);
        if goal.boolean && is_new {
            self.tree = None;
        }
        // What the states of all threads leave.
        let states = threads * (root.most_plies() + SPARE) * size_of::<S>();
        let room = self.params.memory.saturating_sub(states);
        let tree = self.tree.get_or_insert_with(|| Tree::new(room));
        if is_new {
            let to_move = root.to_move();
            tree.renumber(|bounds, even| {
                let side = if even { to_move } else { !to_move };
                Numbers::of_bounds(bounds, goal.attacker, side).unwrap_or(Numbers::UNKNOWN)
            });
        }
        self.goal = Some(goal);
        let shared = Shared {
            threads: Threads::new(threads, 0),
            full: AtomicBool::new(false),
            hopeless: AtomicBool::new(false),
            settled_by: AtomicU16::new(NO_MOVE),
        };
        let locked = RwLock::new(&mut *tree);
        let (params, before) = (&self.params, run.nodes);
        let work = |me, run| work(&locked, root, goal, params, &shared, (me, run));
        let work = &work;
        threads::run(
            &|| shared.threads.halt(),
            || work(0, Some((&mut *run, before))),
            (1..threads).map(|me| move || work(me, None)),
        );
        run.nodes = before + shared.threads.nodes();
        if shared.hopeless.into_inner() && run.stopped.is_none() {
            run.stopped = Some(StopReason::MemoryLimit);
        }
        let node = tree.node(ROOT);
        let (_, children) = tree.children(node);
        let mover = root.to_move();
        let best = children.iter().max_by_key(|child| {
            let (least, _) = child.bounds().seen_by(mover);
            (child.numbers().delta == 0, least, child.work())
        });
        let settled_by = Some(shared.settled_by.into_inner()).filter(|&mv| mv != NO_MOVE);
        let listed = || {
            let mut moves = Vec::new();
            root.list_moves(params.lookahead, &mut moves);
            moves.first().copied()
        };
        Answer {
            bounds: node.bounds(),
            best: settled_by.or(best.map(Node::mv)).or_else(listed),
        }
    }
}

/// What one thread does until the goal is decided or the run ends.
fn work<S: State>(
    tree: &RwLock<&mut Tree>,
    root: &S,
    goal: ProofGoal,
    params: &Params,
    shared: &Shared,
    (me, run): (usize, Option<(&mut Run<'_>, u64)>),
) {
    let threads = &shared.threads;
    let mut clock = Clock::new(threads, me, run);
    let mut states = Vec::with_capacity(root.most_plies() + 1);
    states.push(root.clone());
    loop {
        {
            let guard = tree.read().unwrap_or_else(PoisonError::into_inner);
            let mut worker = Worker {
                tree: &guard,
                params,
                goal,
                shared,
                clock: &mut clock,
                states,
                scratch: root.clone(),
                moves: Vec::new(),
                children: Vec::new(),
            };
            worker.search(0, ROOT, Numbers::NEVER);
            states = worker.states;
            if guard.node(ROOT).numbers().is_solved() {
                threads.halt();
            }
        }
        // The first thread counts for all: nobody searches while it waits.
        if me != 0 {
            while shared.full.load(Ordering::Relaxed) && !threads.are_halted() {
                thread::sleep(MOMENT);
            }
        } else if shared.full.load(Ordering::Relaxed) && !threads.are_halted() {
            let mut tree = tree.write().unwrap_or_else(PoisonError::into_inner);
            if !params.collect || !tree.collect() {
                shared.hopeless.store(true, Ordering::Relaxed);
                threads.halt();
            }
            shared.full.store(false, Ordering::Relaxed);
        }
        if threads.are_halted() {
            return;
        }
    }
}

/// One thread.
struct Worker<'a, 'c, 'r, S> {
    tree: &'a Tree,
    params: &'a Params,
    goal: ProofGoal,
    shared: &'a Shared,
    clock: &'a mut Clock<'c, 'r>,
    /// The positions on the way from the root to where the search is.
    states: Vec<S>,
    scratch: S,
    moves: Vec<u16>,
    children: Vec<Child>,
}

impl<S: State> Worker<'_, '_, '_, S> {
    /// Searches a node until its numbers reach a threshold; without depth-first thresholds, expands one
    /// node below it, or again and again below the root.
    fn search(&mut self, depth: usize, index: u32, limit: Numbers) {
        let tree = self.tree;
        let node = tree.node(index);
        if node.numbers().is_solved() {
            return;
        }
        let before = self.clock.nodes();
        if !node.is_expanded() {
            self.expand(depth, node);
        }
        loop {
            let (first, children) = tree.children(node);
            if children.is_empty() || self.has_to_return() {
                break;
            }
            let choice = self.choose(depth, node, children);
            let leaves = !self.params.depth_first && depth > 0 && self.clock.nodes() > before;
            if choice.numbers(self.params.rule()).reaches(limit) || leaves {
                break;
            }
            let child = &children[choice.best];
            self.reach(depth, child.mv());
            let limit = choice.child_limit(limit, self.params.rule());
            child.enter();
            self.search(depth + 1, first + choice.best as u32, limit);
            child.leave();
        }
        node.add_work(self.clock.nodes() - before);
    }

    #[inline]
    fn has_to_return(&self) -> bool {
        self.shared.threads.are_halted() || self.shared.full.load(Ordering::Relaxed)
    }

    /// Makes the next state the position after a move.
    fn reach(&mut self, depth: usize, mv: u16) {
        if self.states.len() < depth + 2 {
            grow(&mut self.states);
        }
        let (above, below) = self.states.split_at_mut(depth + 1);
        below[0].clone_from(&above[depth]);
        below[0].play(mv);
    }

    /// Computes the numbers of a node from its children, and which of them to search next.
    fn choose(&self, depth: usize, node: &Node, children: &[Node]) -> Choice {
        let mover = self.states[depth].to_move();
        let mut choice = Choice::NONE;
        let mut bounds: Option<Bounds> = None;
        for (place, child) in children.iter().enumerate() {
            let numbers = child.numbers();
            let busy = child.busy();
            let burden = if busy == 0 {
                0
            } else {
                let part = f64::from(numbers.delta) * self.params.virtual_loss;
                (part * f64::from(busy)) as u32
            };
            choice.add(place, numbers, burden);
            let seen = child.bounds();
            bounds = Some(bounds.map_or(seen, |bounds| bounds.or(seen, mover)));
        }
        node.add_bounds(bounds.unwrap_or(Bounds::UNKNOWN));
        // Where another thread has solved the node meanwhile, it stays solved.
        let known = Numbers::of_bounds(node.bounds(), self.goal.attacker, mover);
        let numbers = known.unwrap_or_else(|| choice.numbers(self.params.rule()));
        node.set_numbers(numbers);
        if numbers.is_solved() && depth > 0 {
            node.drop_children();
        }
        choice
    }

    /// Gives a node its children, or its answer if it is there to be seen.
    fn expand(&mut self, depth: usize, node: &Node) {
        self.count();
        let goal = self.goal;
        let state = &self.states[depth];
        let mover = state.to_move();
        self.moves.clear();
        let listed = state.list_moves(self.params.lookahead, &mut self.moves);
        node.add_bounds(goal.bounds(listed));
        if let Some(numbers) = goal.settled(node.bounds(), mover, depth) {
            node.set_numbers(numbers);
            return;
        }
        self.children.clear();
        for &mv in &self.moves {
            let seen = state.look_after(mv, self.params.lookahead, &mut self.scratch);
            let bounds = goal.bounds(seen.bounds);
            let settled = goal.settled(bounds, !mover, depth + 1);
            let numbers = settled.unwrap_or_else(|| {
                self.params
                    .initial
                    .numbers(seen, state, mv, &mut self.scratch)
            });
            let child = Child {
                mv,
                numbers,
                bounds,
            };
            if numbers.delta == 0 {
                node.add_bounds(bounds.or_more(mover));
                node.set_numbers(Numbers::ACHIEVED);
                if depth == 0 {
                    self.shared.settled_by.store(mv, Ordering::Relaxed);
                }
                return;
            }
            self.children.push(child);
        }
        if self.tree.add_children(node, &self.children).is_err() {
            self.shared.full.store(true, Ordering::Relaxed);
        }
    }

    /// Counts an expansion.
    fn count(&mut self) {
        let (tree, goal) = (self.tree, self.goal);
        let to_move = self.states[0].to_move();
        self.clock.count(|| {
            let progress = SolveProgress {
                attacker: Some(goal.attacker),
                depth: goal.bound,
                entries: tree.len() as u64,
                bytes: tree.bytes(),
                ..SolveProgress::default()
            };
            progress.with(tree.node(ROOT).numbers(), to_move)
        });
    }
}
