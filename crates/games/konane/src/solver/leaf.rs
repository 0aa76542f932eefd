//! A small alpha-beta search of positions in which little can happen any more.

use super::evaluator::Evaluator;
use ::search::proof::Numbers;
use game::Side;

/// Alpha-beta tries positions in which both sides together have at most so many single jumps.
pub(super) const JUMPS: u32 = 6;
/// It gives up after so many nodes.
const NODES: u32 = 30;

/// What a thread needs for it.
#[derive(Debug)]
pub(super) struct LeafSearch<'a> {
    pub evaluator: &'a Evaluator,
    /// Children of the nodes on the way, one after the other.
    pub children: &'a mut Vec<(i32, u64)>,
}

impl LeafSearch<'_> {
    /// The value of a position in which little can happen any more, if few nodes show it.
    #[inline]
    pub fn numbers(&mut self, stones: u64, side: Side, numbers: Numbers) -> Numbers {
        let mut budget = NODES;
        self.children.clear();
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
        let base = self.children.len();
        let (field, children) = (&self.evaluator.field, &mut *self.children);
        let mut won = false;
        field.for_each_child(stones, side, |after| {
            let replies = field.jumps_of(after, !side).count() as i32;
            let own = field.jumps_of(after, side).count() as i32;
            won |= replies == 0;
            children.push((replies - own, after));
        });
        if won {
            children.truncate(base);
            return Some(true);
        }
        children[base..].sort_unstable();
        let mut answer = Some(false);
        for index in base..self.children.len() {
            let (_, after) = self.children[index];
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
        self.children.truncate(base);
        answer
    }
}
