//! Depth-first proof-number search (Nagai, 2002) for "does the side to move win?", with the 1 + ε trick
//! (Pawlewicz and Lew, 2007), which a small alpha-beta search helps at its leaves.

use super::judge::{Evaluation, Judge};
use super::symmetry::Stabiliser;
use ::search::proof::{
    Choice, Combination, Growth, Key, Numbers, Rule, Run, SolveProgress, Table, Tag,
};
use ::search::threads::with_deep_stack;
use game::{Side, random};

/// A child of a node in work.
#[derive(Clone, Copy, Debug)]
struct Child {
    stones: u64,
    /// From the view of the other side, who is to move in it.
    numbers: Numbers,
}

/// The search: what stays from one question to the next.
#[derive(Debug)]
pub(super) struct Search {
    pub judge: Judge,
    /// By the stones; the tag is the side to move, which wins or not.
    pub table: Table<Stones, Numbers>,
    /// Children of the nodes on the way from the root, one after the other.
    children: Vec<Child>,
    /// The same for the alpha-beta search.
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
    pub fn new(judge: Judge, table: Table<Stones, Numbers>, stabiliser: Stabiliser) -> Search {
        Search {
            judge,
            table,
            children: Vec::new(),
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
        let known = self.numbers(stones, side);
        if known.is_solved() {
            return known;
        }
        self.children.clear();
        with_deep_stack(|| self.expand(stones, side, thresholds, run))
    }

    /// What is known of a position without expanding it.
    pub fn numbers(&mut self, stones: u64, side: Side) -> Numbers {
        if let Some(known) = self.table.get(Stones(stones), tag(side)) {
            return known;
        }
        match self.judge.judge(stones, side) {
            Evaluation::Wins => Numbers::ACHIEVED,
            Evaluation::Loses => Numbers::REFUTED,
            Evaluation::Open { numbers, jumps } if jumps > LEAF_JUMPS => numbers,
            Evaluation::Open { numbers, .. } => self.try_leaf(stones, side, numbers),
        }
    }

    /// Remembers what is known of a position, and the nodes that it took.
    #[inline]
    pub fn put(&mut self, stones: u64, side: Side, numbers: Numbers, nodes: u64) {
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
        if self.judge.has_bit_instructions {
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
        let (field, leaves) = (&self.judge.field, &mut self.leaves);
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

    /// Searches a node until one of its numbers reaches its threshold, and remembers the result.
    fn expand(
        &mut self,
        stones: u64,
        side: Side,
        thresholds: Numbers,
        run: &mut Run<'_>,
    ) -> Numbers {
        let before = run.nodes;
        run.count_node(|| SolveProgress {
            entries: self.table.used(),
            bytes: self.table.bytes(),
            ..SolveProgress::default()
        });
        let base = self.children.len();
        let mut numbers = Numbers::REFUTED;
        if self.add_children(stones, side) {
            numbers = Numbers::ACHIEVED;
        } else {
            while self.children.len() > base {
                let choice = self.choose(base);
                numbers = choice.numbers(RULE);
                if numbers.reaches(thresholds) || run.stopped.is_some() {
                    break;
                }
                let index = base + choice.best;
                let child = self.children[index].stones;
                let thresholds = choice.child_limit(thresholds, RULE);
                let result = self.expand(child, !side, thresholds, run);
                numbers = Numbers::REFUTED;
                match wins(result) {
                    Some(true) => {
                        self.children.swap_remove(index);
                    }
                    Some(false) => {
                        numbers = Numbers::ACHIEVED;
                        break;
                    }
                    None => self.children[index].numbers = result,
                }
            }
        }
        self.children.truncate(base);
        if run.stopped.is_none() || numbers.is_solved() {
            self.put(stones, side, numbers, run.nodes - before);
        }
        numbers
    }

    /// Adds the children of a node that are not known to be lost for it. Whether one of them is won, in
    /// which case the others do not matter.
    fn add_children(&mut self, stones: u64, side: Side) -> bool {
        let base = self.children.len();
        let (stabiliser, children) = (&self.stabiliser, &mut self.children);
        self.judge.field.for_each_child(stones, side, |after| {
            children.push(Child {
                stones: stabiliser.representative(after),
                numbers: Numbers::REFUTED,
            });
        });
        let children = self.children[base..].iter();
        self.table
            .approach(children.map(|child| Stones(child.stones)), tag(!side));
        let mut index = base;
        while index < self.children.len() {
            let child = self.children[index].stones;
            let numbers = self.numbers(child, !side);
            match wins(numbers) {
                Some(false) => return true,
                Some(true) => {
                    self.children.swap_remove(index);
                }
                None => {
                    self.children[index].numbers = numbers;
                    index += 1;
                }
            }
        }
        false
    }

    /// What the children of a node say.
    #[inline]
    fn choose(&self, base: usize) -> Choice {
        let mut choice = Choice::NONE;
        for (place, child) in self.children[base..].iter().enumerate() {
            choice.add(place, child.numbers, 0);
        }
        choice
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
