//! What Kōnane brings to the [depth-first search](::search::proof::search) for "does the side to move win?": judgements of
//! positions, and a small alpha-beta search at the leaves.

use super::evaluator::{Evaluation, Evaluator};
use super::symmetry::Stabiliser;
use ::search::proof::{
    self, Child, Choice, Combination, DepthFirst, Frame, FrameOf, FramesOf, Growth, Key, Numbers,
    Problem, Rule, Run, SolveProgress, Table, Tag,
};
use game::{Side, random};
use std::iter::empty;

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
    /// Children of the nodes on the way of the alpha-beta search, one after the other.
    leaves: Vec<(i32, u64)>,
    pub stabiliser: Stabiliser,
}

/// Between the sum of all children, which counts positions twice that are reached by two ways, and weak proof numbers.
const RULE: Rule = Rule {
    combination: Combination::Part(6),
    epsilon: 0.125,
};
/// Alpha-beta tries positions in which both sides together have at most so many single jumps.
const LEAF_JUMPS: u32 = 6;
/// It gives up after so many nodes.
const LEAF_NODES: u32 = 30;

impl Search {
    pub fn new(
        evaluator: Evaluator,
        table: Table<Stones, Numbers>,
        stabiliser: Stabiliser,
    ) -> Search {
        Search {
            evaluator,
            table,
            leaves: Vec::new(),
            stabiliser,
        }
    }

    /// Whether the side to move wins; `None` if the run had to end first.
    pub fn wins(&mut self, stones: u64, side: Side, run: &mut Run<'_>) -> Option<bool> {
        wins(self.within(stones, side, Numbers::NEVER, run))
    }

    /// The same until one of the numbers reaches its threshold.
    pub fn within(
        &mut self,
        stones: u64,
        side: Side,
        thresholds: Numbers,
        run: &mut Run<'_>,
    ) -> Numbers {
        let stones = self.stabiliser.representative(stones);
        let known = self.look(stones, side);
        if known.is_solved() {
            return known;
        }
        self.expand_and_search(stones, side, thresholds, run)
    }

    /// Searches a position for the move that wins it, whatever is known of it.
    pub fn again(&mut self, stones: u64, side: Side, run: &mut Run<'_>) {
        let stones = self.stabiliser.representative(stones);
        self.expand_and_search(stones, side, Numbers::NEVER, run);
    }

    fn expand_and_search(
        &mut self,
        stones: u64,
        side: Side,
        thresholds: Numbers,
        run: &mut Run<'_>,
    ) -> Numbers {
        let mut frames = vec![Frame::new(Placed { stones, side })];
        proof::search((self, &mut frames), empty(), thresholds, 0, run)
    }

    /// What is known of a position without expanding it.
    pub fn look(&mut self, stones: u64, side: Side) -> Numbers {
        if let Some(known) = self.table.get(Stones(stones), tag(side)) {
            return known;
        }
        match self.evaluator.evaluate(stones, side) {
            Evaluation::Wins => Numbers::ACHIEVED,
            Evaluation::Loses => Numbers::REFUTED,
            Evaluation::Open { numbers, jumps } if jumps > LEAF_JUMPS => numbers,
            Evaluation::Open { numbers, .. } => self.try_leaf(stones, side, numbers),
        }
    }

    /// Remembers what is known of a position, and the nodes that it took.
    #[inline]
    pub fn remember(&mut self, stones: u64, side: Side, numbers: Numbers, nodes: u64) {
        self.table.put(Stones(stones), tag(side), numbers, nodes);
        self.table.grow_if_crowded();
    }

    /// The value of a position in which little can happen any more, if few nodes show it.
    #[inline]
    fn try_leaf(&mut self, stones: u64, side: Side, numbers: Numbers) -> Numbers {
        let mut budget = LEAF_NODES;
        self.leaves.clear();
        let known = self.alpha_beta(stones, side, &mut budget);
        match known {
            Some(true) => Numbers::ACHIEVED,
            Some(false) => Numbers::REFUTED,
            None => numbers,
        }
    }

    /// Whether the side to move wins; `None` if the budget of nodes is spent first.
    fn alpha_beta(&mut self, stones: u64, side: Side, budget: &mut u32) -> Option<bool> {
        #[cfg(target_arch = "x86_64")]
        if self.evaluator.has_bit_instructions {
            // SAFETY: the processor was asked for these instructions.
            return unsafe { self.alpha_beta_by_bit_instructions(stones, side, budget) };
        }
        self.alpha_beta_with(stones, side, budget, Self::alpha_beta)
    }

    /// The same with instructions that not every processor of the kind has.
    #[cfg(target_arch = "x86_64")]
    #[target_feature(enable = "popcnt,bmi1,bmi2")]
    fn alpha_beta_by_bit_instructions(
        &mut self,
        stones: u64,
        side: Side,
        budget: &mut u32,
    ) -> Option<bool> {
        self.alpha_beta_with(stones, side, budget, |search, after, side, budget| {
            search.alpha_beta_by_bit_instructions(after, side, budget)
        })
    }

    /// One node of it, where `search` looks at the positions after its moves.
    #[inline(always)]
    fn alpha_beta_with(
        &mut self,
        stones: u64,
        side: Side,
        budget: &mut u32,
        search: impl Fn(&mut Self, u64, Side, &mut u32) -> Option<bool>,
    ) -> Option<bool> {
        *budget = budget.checked_sub(1)?;
        let base = self.leaves.len();
        let (field, leaves) = (&self.evaluator.field, &mut self.leaves);
        let mut won = false;
        field.for_each_child(stones, side, |after| {
            let replies = field.jumps_of(after, !side).count() as i32;
            let own = field.jumps_of(after, side).count() as i32;
            won |= replies == 0;
            leaves.push((replies - own, after));
        });
        if won {
            leaves.truncate(base);
            return Some(true);
        }
        leaves[base..].sort_unstable();
        let mut answer = Some(false);
        for index in base..self.leaves.len() {
            let (_, after) = self.leaves[index];
            match search(self, after, !side, budget) {
                Some(true) => {}
                Some(false) => {
                    answer = Some(true);
                    break;
                }
                None => {
                    answer = None;
                    break;
                }
            }
        }
        self.leaves.truncate(base);
        answer
    }
}

impl Problem for &mut Search {
    type Position = Placed;
    /// The stones after it.
    type Move = u64;
    /// From the point of view of who is to move.
    type Value = Numbers;

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
        self.evaluator.field.for_each_child(stones, side, |after| {
            let mv = stabiliser.representative(after);
            self.table.approach(Stones(mv), tag(!side));
            children.push(Child {
                mv,
                value: Numbers::REFUTED,
            });
        });
        let mut place = 0;
        while let Some(child) = children.get_mut(place) {
            child.value = self.look(child.mv, !side);
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
        self.remember(position.stones, position.side, value, nodes);
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
