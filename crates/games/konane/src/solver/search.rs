//! What Kōnane brings to the [depth-first search](::search::proof::search) for "does the side to move win?", by one thread or
//! several that share a table.

use super::evaluator::{Evaluation, Evaluator};
use super::leaf::{self, LeafSearch};
use super::symmetry::Stabiliser;
use ::search::proof::{
    self, Child, Choice, Combination, Crew, DepthFirst, Frame, FrameOf, FramesOf, Growth, Key,
    Notes, Numbers, Problem, Rule, Run, SolveProgress, Table, Tag,
};
use game::{Side, random};
use std::iter::empty;
use std::ops::Deref;

/// A position of which the stones stand for all that are symmetric.
#[derive(Clone, Copy, Debug)]
pub(super) struct Placed {
    stones: u64,
    side: Side,
}

/// The search: what stays from one question to the next.
#[derive(Debug)]
pub(super) struct Search {
    pub evaluator: Evaluator,
    /// By the stones; the tag is the side to move, which wins or not.
    pub table: Table<Stones, Numbers>,
    pub stabiliser: Stabiliser,
    /// Of positions that others are to hear of.
    pub notes: Notes<Stones>,
}

/// Between the sum of all children, which counts positions twice that are reached by two ways, and weak proof numbers.
pub const COMBINATION: Combination = Combination::Part(6);

const RULE: Rule = Rule {
    combination: COMBINATION,
    epsilon: 0.125,
};

/// No position of a game on one word has removed more stones.
const MOST_PLIES: usize = 64;

impl Search {
    /// Whether the side to move wins; `None` if the run had to end first. Without a crew, one thread searches.
    pub fn wins(
        &mut self,
        crew: Option<&Crew>,
        stones: u64,
        side: Side,
        run: &mut Run<'_>,
    ) -> Option<bool> {
        wins(self.within(crew, (stones, side), Numbers::NEVER, run))
    }

    /// The same until one of the numbers reaches its threshold.
    pub fn within(
        &mut self,
        crew: Option<&Crew>,
        (stones, side): (u64, Side),
        thresholds: Numbers,
        run: &mut Run<'_>,
    ) -> Numbers {
        let stones = self.stabiliser.representative(stones);
        let known = self.look(stones, side);
        if known.is_solved() {
            return known;
        }
        self.expand_and_search(crew, Placed { stones, side }, thresholds, run)
    }

    /// Searches a position for the move that wins it, whatever is known of it.
    pub fn again(&mut self, stones: u64, side: Side, run: &mut Run<'_>) {
        let stones = self.stabiliser.representative(stones);
        self.expand_and_search(None, Placed { stones, side }, Numbers::NEVER, run);
    }

    /// When threads join or the table that they share is crowded, all come back, it grows, and they go on.
    fn expand_and_search(
        &mut self,
        crew: Option<&Crew>,
        root: Placed,
        thresholds: Numbers,
        run: &mut Run<'_>,
    ) -> Numbers {
        loop {
            let numbers = match crew.map(|crew| (crew, crew.count())) {
                Some((crew, threads)) if threads > 1 => {
                    self.together((crew, threads), root, thresholds, run)
                }
                crew => self.alone(crew, root, thresholds, run),
            };
            if numbers.reaches(thresholds) || run.stopped.is_some() {
                return numbers;
            }
        }
    }

    /// One thread, at whose nodes the table may grow.
    fn alone(
        &mut self,
        crew: Option<(&Crew, usize)>,
        root: Placed,
        thresholds: Numbers,
        run: &mut Run<'_>,
    ) -> Numbers {
        let mut stack = Stack::new(root, &self.notes);
        let table = &mut self.table;
        let thread = stack.thread(table, &self.evaluator, &self.stabiliser, crew);
        let numbers = proof::search(thread, empty(), thresholds, 0, run);
        self.notes.append(stack.notes);
        numbers
    }

    /// Several, which share the table until it is crowded.
    fn together(
        &mut self,
        crew: (&Crew, usize),
        root: Placed,
        thresholds: Numbers,
        run: &mut Run<'_>,
    ) -> Numbers {
        self.table.grow_if_crowded();
        self.table.share(true);
        let stack = |_| Stack::new(root, &self.notes);
        let mut stacks: Vec<Stack> = (0..crew.1).map(stack).collect();
        let table = &self.table;
        let mut each = stacks
            .iter_mut()
            .map(|stack| stack.thread(table, &self.evaluator, &self.stabiliser, Some(crew)));
        let Some(first) = each.next() else {
            return Numbers::UNKNOWN;
        };
        let numbers = proof::search(first, each, thresholds, MOST_PLIES, run);
        self.table.share(false);
        for stack in stacks {
            self.notes.append(stack.notes);
        }
        numbers
    }

    /// What is known of a position without expanding it.
    pub fn look(&mut self, stones: u64, side: Side) -> Numbers {
        let mut leaf = LeafSearch {
            evaluator: &self.evaluator,
            children: &mut Vec::new(),
        };
        look(&self.table, &mut leaf, stones, side)
    }

    /// Remembers what is known of a position, and the nodes that it took.
    pub fn remember(&mut self, stones: u64, side: Side, numbers: Numbers, nodes: u64) {
        self.table.put(Stones(stones), tag(side), numbers, nodes);
        self.table.grow_if_crowded();
    }
}

/// What is known of a position without expanding it.
#[inline(always)]
fn look(
    table: &Table<Stones, Numbers>,
    leaf: &mut LeafSearch<'_>,
    stones: u64,
    side: Side,
) -> Numbers {
    if let Some(known) = table.get(Stones(stones), tag(side)) {
        return known;
    }
    match leaf.evaluator.evaluate(stones, side) {
        Evaluation::Wins => Numbers::ACHIEVED,
        Evaluation::Loses => Numbers::REFUTED,
        Evaluation::Open { numbers, jumps } if jumps > leaf::JUMPS => numbers,
        Evaluation::Open { numbers, .. } => leaf.numbers(stones, side, numbers),
    }
}

/// What a thread has for itself, on lines of the cache of its own.
#[derive(Debug)]
#[repr(align(128))]
struct Stack {
    frames: Frames,
    /// See [`LeafSearch::children`].
    leaves: Vec<(i32, u64)>,
    notes: Notes<Stones>,
}

impl Stack {
    fn new(root: Placed, notes: &Notes<Stones>) -> Stack {
        Stack {
            frames: vec![Frame::new(root)],
            leaves: Vec::new(),
            notes: notes.for_another(),
        }
    }

    /// The thread, and the frames in which it searches.
    fn thread<'a, T>(
        &'a mut self,
        table: T,
        evaluator: &'a Evaluator,
        stabiliser: &'a Stabiliser,
        crew: Option<(&'a Crew, usize)>,
    ) -> (Thread<'a, T>, &'a mut Frames) {
        let leaf = LeafSearch {
            evaluator,
            children: &mut self.leaves,
        };
        let thread = Thread {
            table,
            leaf,
            stabiliser,
            notes: &mut self.notes,
            crew,
        };
        (thread, &mut self.frames)
    }
}

type Frames = Vec<Frame<Placed, u64, Numbers>>;

/// What one thread searches with.
#[derive(Debug)]
struct Thread<'a, T> {
    table: T,
    leaf: LeafSearch<'a>,
    stabiliser: &'a Stabiliser,
    notes: &'a mut Notes<Stones>,
    /// All threads, if others may join, and how many there were at the beginning.
    crew: Option<(&'a Crew, usize)>,
}

/// A table that a thread has for itself or shares.
trait TableAccess: Deref<Target = Table<Stones, Numbers>> + Send {
    /// Lets the table grow if it is crowded and nobody else uses it.
    fn grow(&mut self);

    /// Whether all that use the table have to come back, so that it can grow.
    fn waits_to_grow(&self) -> bool;
}

impl TableAccess for &mut Table<Stones, Numbers> {
    #[inline(always)]
    fn grow(&mut self) {
        self.grow_if_crowded();
    }

    #[inline(always)]
    fn waits_to_grow(&self) -> bool {
        false
    }
}

impl TableAccess for &Table<Stones, Numbers> {
    #[inline(always)]
    fn grow(&mut self) {}

    #[inline(always)]
    fn waits_to_grow(&self) -> bool {
        self.is_crowded()
    }
}

impl<T: TableAccess> Problem for Thread<'_, T> {
    type Position = Placed;
    /// The stones after it.
    type Move = u64;
    /// From the point of view of who is to move.
    type Value = Numbers;

    const BURDEN: [u64; 2] = [0, 0];

    #[inline(always)]
    fn to_move(&self, position: &Placed) -> Side {
        position.side
    }

    #[inline(always)]
    fn numbers(&self, value: Numbers, _: Side) -> Numbers {
        value
    }

    #[inline(always)]
    fn rule(&self) -> Rule {
        RULE
    }

    /// Children that are known to be lost for the node are left out.
    fn expand(&mut self, frames: &mut FramesOf<Self>, depth: usize) -> Option<Numbers> {
        let Frame { position, children } = &mut frames[depth];
        let Placed { stones, side } = *position;
        children.clear();
        let stabiliser = &self.stabiliser;
        self.leaf
            .evaluator
            .field
            .for_each_child(stones, side, |after| {
                let mv = stabiliser.representative(after);
                self.table.approach(Stones(mv), tag(!side));
                children.push(Child {
                    mv,
                    value: Numbers::REFUTED,
                });
            });
        let mut place = 0;
        while let Some(child) = children.get_mut(place) {
            child.value = look(&self.table, &mut self.leaf, child.mv, !side);
            match wins(child.value) {
                Some(false) => return Some(Numbers::ACHIEVED),
                Some(true) => {
                    children.swap_remove(place);
                }
                None => place += 1,
            }
        }
        None
    }

    #[inline(always)]
    fn reach(&mut self, frames: &mut FramesOf<Self>, depth: usize, stones: u64) -> Option<Numbers> {
        let side = !frames[depth].position.side;
        frames[depth + 1].position = Placed { stones, side };
        None
    }

    #[inline(always)]
    fn value(&self, _: &FrameOf<Self>, numbers: Numbers, _: &Choice) -> Numbers {
        numbers
    }

    #[inline(always)]
    fn put(&mut self, position: &Placed, _: usize, value: Numbers, nodes: u64) {
        let Placed { stones, side } = *position;
        self.notes.add(Stones(stones), tag(side), nodes);
        self.table.put(Stones(stones), tag(side), value, nodes);
        self.table.grow();
    }

    fn progress(&self) -> SolveProgress {
        self.table.progress()
    }

    #[inline(always)]
    fn searched(search: &mut DepthFirst<'_, '_, Self>, depth: usize, place: usize) {
        let children = &mut search.frames[depth].children;
        if wins(children[place].value) == Some(true) {
            children.swap_remove(place);
        }
    }

    #[inline(always)]
    fn is_interrupted(&self) -> bool {
        let is_joined = |(crew, threads): (&Crew, usize)| crew.count() > threads;
        self.table.waits_to_grow() || self.crew.is_some_and(is_joined)
    }

    /// Each move removes stones, so that the stones that are gone are as good as the plies.
    fn meeting_place(&self, position: &Placed) -> (usize, u64) {
        let Placed { stones, side } = *position;
        (
            stones.count_zeros() as usize,
            Stones(stones).hash(tag(side)),
        )
    }

    #[inline(always)]
    fn approach(&self, position: &Placed) {
        let Placed { stones, side } = *position;
        self.table.approach_to_put(Stones(stones), tag(side));
    }

    fn known(&self, position: &Placed) -> Option<Numbers> {
        let Placed { stones, side } = *position;
        self.table.get(Stones(stones), tag(side))
    }
}

/// The table of a search.
pub(super) const GROWTH: Growth = Growth {
    first_buckets: 1 << 12,
    by_powers_of_two: true,
    grow_at: 50,
};

/// The occupied cells, which name a position together with the side to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Stones(u64);

impl Key for Stones {
    const PARTS: usize = 1;

    #[inline(always)]
    fn hash(self, tag: Tag) -> u64 {
        let Stones(stones) = self;
        let side = u64::from(tag.number()).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        random::mix(stones ^ side)
    }

    /// The number of buckets is a power of two.
    #[inline(always)]
    fn bucket(self, tag: Tag, buckets: usize) -> usize {
        self.hash(tag) as usize & (buckets - 1)
    }

    #[inline(always)]
    fn part(self, _: usize) -> u64 {
        self.0
    }

    #[inline(always)]
    fn from_parts(part: impl Fn(usize) -> u64) -> Stones {
        Stones(part(0))
    }
}

fn tag(side: Side) -> Tag {
    Tag::new(side as u8)
}

/// Whether the side to move wins, if its numbers say so.
pub(super) fn wins(numbers: Numbers) -> Option<bool> {
    numbers.is_solved().then_some(numbers.phi == 0)
}
