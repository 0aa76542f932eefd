//! Depth-first proof-number search (Nagai, 2002) for "does the side to move win?", with the 1 + ε trick
//! (Pawlewicz and Lew, 2007), which a small alpha-beta search helps at its leaves.

use super::judge::{Judge, Judgement};
use super::symmetry::Stabiliser;
use super::table::{Numbers, Table};
use ::search::proof::{Run, SolveProgress};
use ::search::threads::with_deep_stack;
use game::Side;

/// A child of a node in work.
#[derive(Clone, Copy, Debug)]
struct Child {
    stones: u64,
    /// From the view of the other side, who is to move in it.
    numbers: Numbers,
}

/// The search: what stays from one question to the next.
#[derive(Clone, Debug)]
pub(super) struct Search {
    pub judge: Judge,
    pub table: Table,
    /// Children of the nodes on the way from the root, one after the other.
    children: Vec<Child>,
    /// The same for the alpha-beta search.
    leaves: Vec<(i32, u64)>,
    pub stabiliser: Stabiliser,
}

/// The denominator of ε.
const EPSILON: u32 = 8;
/// The disproof number of a node is the largest proof number of its children plus this part of the others:
/// between the sum of all, which counts positions twice that are reached by two ways, and weak proof
/// numbers (Ueda, Hashimoto, Hashimoto and Iida, 2008).
const PART_OF_OTHERS: u64 = 6;
/// Alpha-beta tries positions in which both sides together have at most so many single jumps.
const LEAF_JUMPS: u32 = 6;
/// It gives up after so many nodes.
const LEAF_NODES: u32 = 30;

impl Search {
    pub fn new(judge: Judge, table: Table, stabiliser: Stabiliser) -> Search {
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
        let all = Numbers {
            proof: Numbers::NEVER,
            disproof: Numbers::NEVER,
        };
        self.within(stones, side, all, run).wins()
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
        if known.wins().is_some() {
            return known;
        }
        self.children.clear();
        with_deep_stack(|| self.expand(stones, side, thresholds, run))
    }

    /// What is known of a position without expanding it.
    pub fn numbers(&mut self, stones: u64, side: Side) -> Numbers {
        if let Some(known) = self.table.get(stones, side) {
            return known;
        }
        match self.judge.judge(stones, side) {
            Judgement::Wins => Numbers::WINS,
            Judgement::Loses => Numbers::LOSES,
            Judgement::Open { numbers, jumps } if jumps > LEAF_JUMPS => numbers,
            Judgement::Open { numbers, .. } => self.try_leaf(stones, side, numbers),
        }
    }

    /// The value of a position in which little can happen any more, if few nodes show it.
    #[inline]
    fn try_leaf(&mut self, stones: u64, side: Side, numbers: Numbers) -> Numbers {
        let mut budget = LEAF_NODES;
        self.leaves.clear();
        let known = self.alpha_beta(stones, side, &mut budget);
        match known {
            Some(true) => Numbers::WINS,
            Some(false) => Numbers::LOSES,
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
            entries: self.table.entries(),
            bytes: self.table.bytes(),
            ..SolveProgress::default()
        });
        let base = self.children.len();
        let mut numbers = Numbers::LOSES;
        if self.add_children(stones, side) {
            numbers = Numbers::WINS;
        } else {
            while self.children.len() > base {
                let Best { index, second, all } = self.best(base);
                let best = self.children[index].numbers;
                numbers = Numbers {
                    proof: best.disproof,
                    disproof: all,
                };
                if numbers.proof >= thresholds.proof
                    || numbers.disproof >= thresholds.disproof
                    || run.stopped.is_some()
                {
                    break;
                }
                let child = self.children[index].stones;
                let within = second.saturating_add(second / EPSILON + 1);
                let thresholds = Numbers {
                    proof: thresholds.disproof - (all - best.proof),
                    disproof: thresholds.proof.min(within),
                };
                let result = self.expand(child, !side, thresholds, run);
                numbers = Numbers::LOSES;
                match result.wins() {
                    Some(true) => {
                        self.children.swap_remove(index);
                    }
                    Some(false) => {
                        numbers = Numbers::WINS;
                        break;
                    }
                    None => self.children[index].numbers = result,
                }
            }
        }
        self.children.truncate(base);
        if run.stopped.is_none() || numbers.wins().is_some() {
            self.table.put(stones, side, numbers, run.nodes - before);
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
                numbers: Numbers::LOSES,
            });
        });
        let stones = self.children[base..].iter().map(|child| child.stones);
        self.table.approach(stones, !side);
        let mut index = base;
        while index < self.children.len() {
            let child = self.children[index].stones;
            let numbers = self.numbers(child, !side);
            match numbers.wins() {
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

    /// The child to search next.
    #[inline]
    fn best(&self, base: usize) -> Best {
        let mut best = Best {
            index: base,
            second: Numbers::NEVER,
            all: 0,
        };
        let mut least = Numbers::NEVER;
        let (mut sum, mut most) = (0, 0);
        for (index, child) in self.children.iter().enumerate().skip(base) {
            let Numbers { proof, disproof } = child.numbers;
            sum += u64::from(proof);
            most = most.max(u64::from(proof));
            if disproof < least {
                best.second = least;
                least = disproof;
                best.index = index;
            } else if disproof < best.second {
                best.second = disproof;
            }
        }
        // One below the largest: only what is refuted has that.
        let sum = most + (sum - most) / PART_OF_OTHERS;
        best.all = sum.min(u64::from(Numbers::NEVER - 1)) as u32;
        best
    }
}

/// What the children of a node say.
struct Best {
    /// The child with the least disproof number.
    index: usize,
    /// The least disproof number of the others.
    second: u32,
    /// The proof numbers together.
    all: u32,
}
