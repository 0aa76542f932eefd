//! What is known of a position without a search: who wins, if that can be seen, or how likely it looks.
//!
//! # Safe moves
//!
//! Let A have a list of single jumps, each from a cell x over a stone on y to a cell z that is empty now, with
//! all x, all y and all z different; x holds a stone of A or is the z of a jump before it in the list.
//! Suppose A plays them in order and nothing else. What B can do is bounded by all that B's jumps can come
//! to ([`BoardGeometry::alone`]) if the cells z may hold stones of A and the cells y may be empty. B lands only on
//! cells of its own colour, so no z is ever blocked. If no x can be captured in that bound, and from no y
//! a stone can jump, then each of A's jumps is possible when its turn comes. Each cell of A's colour is
//! captured at most once, for A lands only on cells that were empty; so B has at most as many moves
//! as there are cells that can be captured. (What is left out of the list again only makes B's bound
//! larger than it need be.)
//!
//! Therefore A wins if A has more such jumps than B has moves, and, if B is to move, with as many.

use crate::field::{Alone, BoardGeometry};
#[cfg(target_arch = "x86_64")]
use crate::processor::has_bit_instructions;
use ::search::proof::Numbers;
use game::Side;

/// What is known of a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Evaluation {
    /// The side to move wins.
    Wins,
    /// The side to move loses.
    Loses,
    /// Neither is known.
    Open {
        /// The numbers to begin with.
        numbers: Numbers,
        /// The single jumps of both sides together.
        jumps: u32,
    },
}

/// Evaluates positions.
#[derive(Clone, Debug)]
pub(super) struct Evaluator {
    pub field: BoardGeometry,
    /// The square root of the odds by the number of steps of the evaluation, from −`STEPS` to `STEPS`.
    odds: Vec<f32>,
    /// Whether there are instructions for what it does.
    #[cfg(target_arch = "x86_64")]
    pub has_bit_instructions: bool,
}

/// The evaluation is cut off at so many steps.
const STEPS: i32 = 400;
/// A step changes the logarithm of the square root of the odds by the inverse of this.
const STEPS_PER_UNIT: f64 = 40.0;
/// Steps for each cell on which a side can land at once: a logistic regression on solved positions gave
/// the two weights.
const LANDING: i32 = 12;
/// Steps for each stone that a side could capture if the other stood still.
const CAPTURE: i32 = 9;
/// Proof numbers are multiplied by this, so that odds can divide them.
const SCALE: f32 = 4.0;
/// The largest number to begin with.
const MOST: f32 = 1e6;

impl Evaluator {
    pub fn new(field: BoardGeometry) -> Evaluator {
        let odds =
            (-STEPS..=STEPS).map(|steps| libm::exp(f64::from(steps) / STEPS_PER_UNIT) as f32);
        Evaluator {
            field,
            odds: odds.collect(),
            #[cfg(target_arch = "x86_64")]
            has_bit_instructions: has_bit_instructions(),
        }
    }

    /// Judges a position.
    #[inline]
    pub fn evaluate(&self, stones: u64, to_move: Side) -> Evaluation {
        #[cfg(target_arch = "x86_64")]
        if self.has_bit_instructions {
            // SAFETY: the processor was asked for these instructions.
            return unsafe { self.judge_by_bit_instructions(stones, to_move) };
        }
        self.judge_plainly(stones, to_move)
    }

    /// The same with instructions that not every processor of the kind has.
    #[cfg(target_arch = "x86_64")]
    #[target_feature(enable = "popcnt,bmi1,bmi2")]
    fn judge_by_bit_instructions(&self, stones: u64, to_move: Side) -> Evaluation {
        self.judge_plainly(stones, to_move)
    }

    #[inline(always)]
    fn judge_plainly(&self, stones: u64, to_move: Side) -> Evaluation {
        let field = &self.field;
        let own = field.stones_of(stones, to_move);
        let other = stones & !own;
        let empty = field.empty(stones);
        let own_jumps = field.jumps(own, other, empty);
        if own_jumps.is_empty() {
            return Evaluation::Loses;
        }
        let other_jumps = field.jumps(other, own, empty);
        let own_alone = field.alone(own, other, empty);
        let other_alone = field.alone(other, own, empty);
        let own_most = own_alone.captured.count_ones();
        let other_most = other_alone.captured.count_ones();

        let sides = Sides { own, other, empty };
        if self.has_safe_moves(sides, [own_alone, other_alone], 1) {
            return Evaluation::Wins;
        }
        if self.has_safe_moves(sides.exchanged(), [other_alone, own_alone], 0) {
            return Evaluation::Loses;
        }

        let landings = |jumps| field.landings(jumps).count_ones() as i32;
        let steps = LANDING * (landings(own_jumps) - landings(other_jumps))
            + CAPTURE * (own_most as i32 - other_most as i32);
        let odds = self.odds[(steps.clamp(-STEPS, STEPS) + STEPS) as usize];
        let (own_count, other_count) = (own_jumps.count(), other_jumps.count());
        let proof = (other_count as f32 + 1.0) * SCALE / odds;
        let disproof = (own_count as f32 + 1.0) * SCALE * odds;
        Evaluation::Open {
            numbers: Numbers {
                phi: proof.clamp(1.0, MOST) as u32,
                delta: disproof.clamp(1.0, MOST) as u32,
            },
            jumps: own_count + other_count,
        }
    }

    /// Whether a side has at least `more` safe moves more than the other has moves. `alone` is what the side
    /// and what the other can do while their opponents stand still.
    #[inline(always)]
    fn has_safe_moves(
        &self,
        Sides { own, other, empty }: Sides,
        alone: [Alone; 2],
        more: u32,
    ) -> bool {
        let [own_alone, other_alone] = alone;
        // The bound only grows with the jumps that are chosen, so what fails here fails below.
        let needed = (other_alone.captured.count_ones() + more) as usize;
        let staying = other & !other_alone.sources;
        if ((own_alone.captured & staying).count_ones() as usize) < needed {
            return false;
        }
        let field = &self.field;
        let (mut overs, mut landings) = (0, 0);
        let mut chosen = [(0, 0, 0); 64];
        let mut count = 0;
        let mut starting = own & !other_alone.captured;
        while starting != 0 {
            let jumps = field.jumps(starting, staying & !overs, empty & !landings);
            let (mut started, mut landed) = (0, 0);
            field.for_each_jump(jumps, |from, over, to| {
                if (started & from) | (overs & over) | (landings & to) == 0 {
                    started |= from;
                    overs |= over;
                    landings |= to;
                    landed |= to;
                    chosen[count] = (from, over, to);
                    count += 1;
                }
            });
            starting = landed & !other_alone.captured;
        }
        if count < needed {
            return false;
        }
        let alone = field.alone(other, own | landings, empty | overs);
        let mut safe = 0;
        let mut standing = own;
        for &(from, over, to) in &chosen[..count] {
            if standing & from & !alone.captured != 0 && over & alone.sources == 0 {
                standing |= to;
                safe += 1;
            }
        }
        safe >= alone.captured.count_ones() + more
    }
}

/// The stones of two sides and the empty cells.
#[derive(Clone, Copy)]
struct Sides {
    own: u64,
    other: u64,
    empty: u64,
}

impl Sides {
    fn exchanged(self) -> Sides {
        Sides {
            own: self.other,
            other: self.own,
            empty: self.empty,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Shape;
    use game::random;

    #[cfg(target_arch = "x86_64")]
    #[test]
    fn special_instructions_change_nothing() {
        let mut rng = random::seeded(1);
        for (rows, cols) in [(8, 8), (5, 7), (3, 20)] {
            let shape = Shape::new(rows, cols).expect("a shape");
            let evaluator = Evaluator::new(BoardGeometry::new(shape).expect("a small board"));
            let plain = Evaluator {
                has_bit_instructions: false,
                ..evaluator.clone()
            };
            for round in 0..3_000 {
                let draw = |_| {
                    u64::from(random::below(1 << 31, &mut rng)) << 31
                        ^ u64::from(random::below(1 << 31, &mut rng))
                };
                let [first, second, third] = [0, 1, 2].map(draw);
                let inside = !0 >> (64 - shape.area());
                let stones = inside & [first & second, first, first | second | third][round % 3];
                for side in Side::BOTH {
                    assert_eq!(
                        evaluator.evaluate(stones, side),
                        plain.evaluate(stones, side)
                    );
                }
            }
        }
    }
}
