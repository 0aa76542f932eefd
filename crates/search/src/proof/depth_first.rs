//! Depth-first proof-number search (Nagai, 2002) with the 1 + ε trick, by one thread or several that share a table.
//!
//! What is special to a game is its [`Problem`]: positions and their moves, what is seen of them at once, and what the
//! table keeps. The positions on the way from the root lie in [`Frame`]s on the heap. A node's child is searched until
//! the numbers of the node reach their thresholds or another child looks better ([`Choice::child_limit`]).

use super::{Choice, Clock, Numbers, Rule, Run, SolveProgress, Threads};
use crate::threads;
use game::Side;

/// Threads are at the same position only if they were in that so many nodes above: it changes less often, so that others have
/// to be asked for it less often.
const ABOVE: usize = 2;

/// What a game brings to the search, with what one thread has for itself.
pub trait Problem: Sized + Send {
    /// A position.
    type Position: Clone + Send;
    /// A move.
    type Move: Copy + Send;
    /// What is known of a position: its numbers, and what else follows from those of its children.
    type Value: Copy + PartialEq + Send;

    /// A child that another thread is searching looks harder by one and by so many sixteenths of its number, where the numbers
    /// of its node say that the side to move fails, so that all children will have to be searched, and where they say that
    /// one will do.
    const BURDEN: [u64; 2];

    /// Whose turn it is.
    fn to_move(&self, position: &Self::Position) -> Side;

    /// The numbers of a value from the point of view of a side, which is to move in its position unless that has been
    /// [reached](Problem::reach) by more plies than one.
    fn numbers(&self, value: Self::Value, side: Side) -> Numbers;

    /// How numbers are combined, and how far a child is searched.
    fn rule(&self) -> Rule;

    /// Lists the children of a frame with what is known of them. Returns the value if that is seen at once, so that the
    /// children need not be searched. The next frame may be used for anything.
    fn expand(&mut self, frames: &mut FramesOf<Self>, depth: usize) -> Option<Self::Value>;

    /// Makes the next frame the position after a move of this one, or after further ones that are forced. Returns the
    /// value if there is nothing to be searched.
    fn reach(
        &mut self,
        frames: &mut FramesOf<Self>,
        depth: usize,
        mv: Self::Move,
    ) -> Option<Self::Value>;

    /// Hears that the search goes back to a frame from where [`reach`](Problem::reach) came to.
    #[inline(always)]
    fn back(&mut self, _frames: &FramesOf<Self>, _depth: usize) {}

    /// What the children of a frame say to a side, which is to move there.
    #[inline(always)]
    fn choose(&self, frame: &FrameOf<Self>, side: Side) -> Choice {
        let mut choice = Choice::NONE;
        for (place, child) in frame.children.iter().enumerate() {
            choice.add(place, self.numbers(child.value, !side), 0);
        }
        choice
    }

    /// Hears that a child of a frame has another value.
    #[inline(always)]
    fn learnt(_frame: &mut FrameOf<Self>, _place: usize) {}

    /// The value of a frame, of which its children have made these numbers and this choice.
    fn value(&self, frame: &FrameOf<Self>, numbers: Numbers, choice: &Choice) -> Self::Value;

    /// Remembers the value of a position, which took so many nodes.
    fn put(&mut self, position: &Self::Position, depth: usize, value: Self::Value, nodes: u64);

    /// What can be told, beside the numbers of the root.
    fn progress(&self) -> SolveProgress;

    /// Hears that a child has been searched, and has its value.
    #[inline(always)]
    fn searched(_: &mut DepthFirst<'_, '_, Self>, _depth: usize, _place: usize) {}

    /// How many children may be searched before the search of a position ends, whatever its thresholds.
    #[inline(always)]
    fn most_descents(&self, _: &Self::Position, _depth: usize) -> usize {
        usize::MAX
    }

    /// Whether all have to come back to the root, since the table that they share is to grow, or others are to join them.
    #[inline(always)]
    fn is_interrupted(&self) -> bool {
        false
    }

    /// For several threads: the plies from the start of the game, and a hash by which they recognise each other's
    /// positions.
    fn meeting_place(&self, _: &Self::Position) -> (usize, u64) {
        (0, 0)
    }

    /// For several threads: asks the memory for where the value of a position will be [put](Problem::put).
    #[inline(always)]
    fn approach(&self, _: &Self::Position) {}

    /// For several threads: what another has found out about a position.
    fn known(&self, _: &Self::Position) -> Option<Self::Value> {
        None
    }
}

/// A node on the way from the root to where the search is.
#[derive(Clone, Debug)]
pub struct Frame<P, M, V> {
    /// Its position.
    pub position: P,
    /// Its moves, with what is known of the positions after them.
    pub children: Vec<Child<M, V>>,
}

/// A move, and what is known of the position after it.
#[derive(Clone, Copy, Debug)]
pub struct Child<M, V> {
    /// The move.
    pub mv: M,
    /// What is known.
    pub value: V,
}

/// A node of a game.
pub type FrameOf<P> = Frame<<P as Problem>::Position, <P as Problem>::Move, <P as Problem>::Value>;

/// One for each node from the root to the deepest that was searched.
pub type FramesOf<P> = Vec<FrameOf<P>>;

impl<P, M, V> Frame<P, M, V> {
    /// A position that is not expanded.
    pub fn new(position: P) -> Frame<P, M, V> {
        Frame {
            position,
            children: Vec::new(),
        }
    }
}

/// One thread of a search.
pub struct DepthFirst<'a, 'r, P: Problem> {
    /// What is special.
    pub problem: P,
    /// The first is the root.
    pub frames: &'a mut FramesOf<P>,
    clock: Clock<'a, 'r>,
    /// The numbers of the root.
    root: Numbers,
}

/// Searches until the numbers of the root reach a limit, from the point of view of its side to move, or the run ends, or
/// all [are interrupted](Problem::is_interrupted). Each thread has a problem, and frames of which the first is the root; no
/// position lies more than so many plies from the start of the game. Returns the answer if one has found it, or else what
/// the first thread knows.
pub fn search<'a, P: Problem + 'a>(
    first: (P, &'a mut FramesOf<P>),
    others: impl ExactSizeIterator<Item = (P, &'a mut FramesOf<P>)>,
    limit: Numbers,
    most_plies: usize,
    run: &mut Run<'_>,
) -> P::Value {
    let before = run.nodes;
    let threads = &Threads::new(1 + others.len(), most_plies);
    let answer = &|me, (problem, frames): (P, &'a mut FramesOf<P>), run| {
        let mut search = DepthFirst {
            problem,
            frames,
            clock: Clock::new(threads, me, run),
            root: Numbers::UNKNOWN,
        };
        let value = search.search(0, limit);
        let numbers = search.problem.numbers(value, search.side(0));
        if numbers.reaches(limit) {
            threads.halt();
        }
        (value, numbers.is_solved())
    };
    let (own, found) = threads::run(
        &|| threads.halt(),
        || answer(0, first, Some((&mut *run, before))),
        (1..)
            .zip(others)
            .map(|(me, other)| move || answer(me, other, None)),
    );
    run.nodes = before + threads.nodes();
    let found = found.into_iter().find(|&(_, is_solved)| is_solved);
    found.map_or(own.0, |(value, _)| value)
}

impl<P: Problem> DepthFirst<'_, '_, P> {
    /// Searches the position of a frame until its numbers reach a limit, from the point of view of its side to move.
    fn search(&mut self, depth: usize, limit: Numbers) -> P::Value {
        let before = self.clock.nodes();
        self.count();
        if self.frames.len() == depth + 1 {
            grow(self.frames);
        }
        if self.clock.threads.are_many() {
            let (plies, hash) = self.meeting_place(depth);
            self.clock.threads.enter(self.clock.me, plies, hash);
            self.problem.approach(&self.frames[depth].position);
        }
        let value = match self.problem.expand(self.frames, depth) {
            Some(value) => value,
            None => self.search_children(depth, limit),
        };
        let nodes = self.clock.nodes() - before;
        let position = &self.frames[depth].position;
        self.problem.put(position, depth, value, nodes);
        if self.clock.threads.are_many() {
            let (plies, hash) = self.meeting_place(depth);
            let numbers = self.problem.numbers(value, self.side(depth));
            self.clock
                .threads
                .leave(self.clock.me, plies, hash, numbers.is_solved());
        }
        value
    }

    /// Searches the children of a frame, the most promising first.
    fn search_children(&mut self, depth: usize, limit: Numbers) -> P::Value {
        let side = self.side(depth);
        let position = &self.frames[depth].position;
        let mut descents = self.problem.most_descents(position, depth);
        loop {
            let mut choice = self.problem.choose(&self.frames[depth], side);
            let numbers = choice.numbers(self.problem.rule());
            if depth == 0 {
                self.root = numbers;
            }
            let value = |search: &Self, choice: &Choice| {
                let frame = &search.frames[depth];
                search.problem.value(frame, numbers, choice)
            };
            if numbers.reaches(limit) || descents == 0 || self.has_to_return() {
                return value(self, &choice);
            }
            let below = if self.clock.threads.are_many() {
                match self.part(depth, side, &mut choice) {
                    Parting::Go(below) => below,
                    Parting::Stay => continue,
                    Parting::Leave(known) => return known.unwrap_or_else(|| value(self, &choice)),
                }
            } else {
                self.reach(depth, choice.best)
            };
            let below = below.unwrap_or_else(|| {
                let limit = choice.child_limit(limit, self.problem.rule());
                let turned = self.side(depth + 1) == side;
                self.search(depth + 1, limit.both(!turned).seen_by(true))
            });
            self.problem.back(self.frames, depth);
            descents -= 1;
            self.learn(depth, choice.best, below);
            P::searched(self, depth, choice.best);
        }
    }

    /// With several threads: where others are below the position too, chooses a child away from them if that is not much
    /// worse, and sees what they have found out meanwhile.
    fn part(&mut self, depth: usize, side: Side, choice: &mut Choice) -> Parting<P::Value> {
        let Clock { me, threads, .. } = self.clock;
        let (plies, hash) = self.meeting_place(depth);
        if threads.has_to_leave(me, plies) {
            return Parting::Leave(None);
        }
        if threads.was_solved(me)
            && let Some(known) = self.problem.known(&self.frames[depth].position)
            && self.problem.numbers(known, side).is_solved()
        {
            return Parting::Leave(Some(known));
        }
        let (plies_above, hash_above) = self.meeting_place(depth.saturating_sub(ABOVE));
        if threads.at(me, plies_above, hash_above) == 0 || threads.at(me, plies, hash) == 0 {
            return Parting::Go(self.reach(depth, choice.best));
        }
        let numbers = choice.numbers(self.problem.rule());
        let burden = P::BURDEN[usize::from(numbers.phi <= numbers.delta)];
        let mut busy = Vec::new();
        loop {
            let below = self.reach(depth, choice.best);
            if below.is_some() {
                return Parting::Go(below);
            }
            let known = self.problem.known(&self.frames[depth + 1].position);
            let before = self.frames[depth].children[choice.best].value;
            if let Some(known) = known.filter(|&known| known != before) {
                self.learn(depth, choice.best, known);
                self.problem.back(self.frames, depth);
                return Parting::Stay;
            }
            let (plies, hash) = self.meeting_place(depth + 1);
            if busy.contains(&choice.best) || threads.at(me, plies, hash) == 0 {
                return Parting::Go(None);
            }
            self.problem.back(self.frames, depth);
            busy.push(choice.best);
            *choice = self.choose_beside(depth, side, &busy, burden);
        }
    }

    /// What the children of a frame say, of which those that are busy look harder by so many sixteenths.
    fn choose_beside(&self, depth: usize, side: Side, busy: &[usize], burden: u64) -> Choice {
        let mut choice = Choice::NONE;
        for (place, child) in self.frames[depth].children.iter().enumerate() {
            let numbers = self.problem.numbers(child.value, !side);
            let burden = if busy.contains(&place) {
                (u64::from(numbers.delta) * burden / 16) as u32 + 1
            } else {
                0
            };
            choice.add(place, numbers, burden);
        }
        choice
    }

    /// Notes the value of a child.
    #[inline(always)]
    fn learn(&mut self, depth: usize, place: usize, value: P::Value) {
        let frame = &mut self.frames[depth];
        frame.children[place].value = value;
        P::learnt(frame, place);
    }

    #[inline(always)]
    fn reach(&mut self, depth: usize, place: usize) -> Option<P::Value> {
        let Child { mv, .. } = self.frames[depth].children[place];
        self.problem.reach(self.frames, depth, mv)
    }

    #[inline(always)]
    fn side(&self, depth: usize) -> Side {
        self.problem.to_move(&self.frames[depth].position)
    }

    fn meeting_place(&self, depth: usize) -> (usize, u64) {
        self.problem.meeting_place(&self.frames[depth].position)
    }

    /// Whether all have to come back.
    #[inline(always)]
    pub fn has_to_return(&self) -> bool {
        self.clock.threads.are_halted() || self.problem.is_interrupted()
    }

    /// Counts a node.
    #[inline]
    pub fn count(&mut self) {
        let (problem, root, numbers) = (&self.problem, &self.frames[0].position, self.root);
        self.clock.count(|| {
            let progress = problem.progress();
            progress.with(numbers, problem.to_move(root))
        });
    }
}

/// Makes room for the frame after the last. Not part of the function that recurses, whose stack would hold a position,
/// which can be large.
#[cold]
#[inline(never)]
fn grow<P: Clone, M, V>(frames: &mut Vec<Frame<P, M, V>>) {
    let last = frames.last().map(|last| Frame::new(last.position.clone()));
    frames.extend(last);
}

/// What a thread does that is not alone.
enum Parting<V> {
    /// Searches a child, unless its value is here.
    Go(Option<V>),
    /// Looks again, since another has found out something.
    Stay,
    /// Leaves the position, since another has solved one on the way to it: this one, if its value is here.
    Leave(Option<V>),
}
