//! Selection: which child a simulation goes on to.
//!
//! The child with the highest value from the point of view of the side to move:
//!
//! ```text
//! (1 − β) · winrate + β · RAVE winrate + c · √(ln(parent visits) / visits) + knowledge / √visits
//! β = k / (k + visits)        k = constant + d · empty cells
//! ```
//!
//! UCT is Kocsis and Szepesvári's ("Bandit based Monte-Carlo planning", 2006) with the constant as in
//! the Castro thesis (2012), RAVE is Gelly and Silver's ("Combining online and offline knowledge in
//! UCT", 2007) with the β and the knowledge term of the Castro thesis. A child without RAVE playouts has
//! β = 0, one without visits the first-play urgency for a winrate, and √1 where the formula divides by
//! √visits. With a constant for PUCT, knowledge counts as `c · knowledge · √(parent visits) / (1 + visits)` instead
//! (Rosin, "Multi-armed bandits with episode context", 2011, in the form of Silver et al., "Mastering the game of Go
//! with deep neural networks and tree search", 2016): knowledge is then the probability of a move, and a move that
//! looks bad is tried again as long as its share of the visits is less than that. Where a simulation counts as many visits,
//! both numbers of visits are divided by a unit: `c · knowledge · √(unit · parent visits) / (unit + visits)`.
//!
//! With `w` points in `n` visits and `q` points in `m` RAVE playouts the first two terms are
//! `(w · m + k · q) / ((k + n) · m)`: one division. All is computed in single precision, which is the
//! same on every machine.
//!
//! Children whose value is proven are not searched again. A proven loss is not a choice at all. A proven
//! draw is a choice worth exactly ½: where it is the best, the side to move is content with the draw,
//! which is what the simulation then counts from here up, while the descent goes on to the best of the
//! open children. In this way the values converge as if the draw had been chosen, and the effort still
//! brings the proof nearer, which the draw chosen again and again would not.

use super::access::{Siblings, TreeAccess};
use super::column::{Column, LANES};
use super::node_header::NodeHeader;
use super::node_statistics::NodeStatistics;
use super::params::Params;
use game::{Packed, Side};

/// A child to go on to.
#[derive(Clone, Copy, Debug)]
pub(super) struct Choice {
    /// The child.
    pub child: u32,
    /// A child proven to be a draw that is worth more than this one seems to be.
    pub content_with: Option<u32>,
}

/// The formula with its parameters, and scratch space.
#[derive(Clone, Debug)]
pub(super) struct Selection {
    exploration: f32,
    puct: f32,
    puct_unit: f32,
    first_play: f32,
    first_play_reduction: f32,
    /// The values of the children of one node, −∞ behind the last.
    values: Vec<[f32; LANES]>,
}

/// The terms that are the same for all children of a node.
#[derive(Clone, Copy)]
struct Terms {
    /// Winrates of the side to move are `offset + sign · White's`.
    offset: f32,
    sign: f32,
    first_play: f32,
    /// `c · √ln(parent visits)`.
    exploration: f32,
    /// `c · √(unit · parent visits)` of PUCT.
    puct: f32,
    /// The visits that PUCT counts as one.
    puct_unit: f32,
    /// RAVE's k.
    equivalence: f32,
}

impl Selection {
    pub(super) fn new(params: &Params) -> Self {
        Selection {
            exploration: params.exploration as f32,
            puct: params.puct as f32,
            puct_unit: params.puct_unit as f32,
            // Finite, so that −∞ for what is proven outweighs it.
            first_play: (params.first_play as f32).min(f32::MAX / 2.0),
            first_play_reduction: params.first_play_reduction as f32,
            values: Vec::new(),
        }
    }

    /// The winrate that a child without visits has for the side to move.
    fn first_play(&self, parent: NodeStatistics, mover: Side) -> f32 {
        if self.first_play_reduction == 0.0 || parent.visits == 0 {
            return self.first_play;
        }
        let white = parent.white_halves as f32 / (2 * parent.visits) as f32;
        let mean = match mover {
            Side::White => white,
            Side::Black => 1.0 - white,
        };
        mean - self.first_play_reduction
    }

    /// The child to search next of an expanded node with this many visits that is not proven. If all its
    /// children are proven, since another thread is about to prove the node, it is one of these.
    /// `equivalence` is RAVE's k, or 0 without RAVE.
    #[inline]
    pub(super) fn select<M: Packed, T: TreeAccess<M>>(
        &mut self,
        tree: &mut T,
        link: NodeHeader,
        parent: NodeStatistics,
        mover: Side,
        equivalence: f32,
    ) -> Choice {
        let (offset, sign) = match mover {
            Side::White => (0.0, 1.0),
            Side::Black => (1.0, -1.0),
        };
        let terms = Terms {
            offset,
            sign,
            first_play: self.first_play(parent, mover),
            exploration: if self.exploration == 0.0 {
                0.0
            } else {
                self.exploration * sqrt_log(parent.visits)
            },
            puct: self.puct * (self.puct_unit * parent.visits.max(1) as f32).sqrt(),
            puct_unit: self.puct_unit,
            equivalence,
        };
        let siblings = tree.siblings(link);
        // Without priors there is nothing to divide by a root if there is no exploration.
        let has_priors = siblings.priors_matter;
        let has_exploration = self.exploration != 0.0;
        let values = &mut self.values;
        let has_puct = self.puct > 0.0;
        let value = match (equivalence > 0.0, has_priors, has_exploration, has_puct) {
            (false, false, false, _) => {
                evaluate::<false, false, false, false, _, _>(values, siblings, terms)
            }
            (false, false, true, _) => {
                evaluate::<false, false, true, false, _, _>(values, siblings, terms)
            }
            (false, true, _, false) => {
                evaluate::<false, true, true, false, _, _>(values, siblings, terms)
            }
            (true, false, false, _) => {
                evaluate::<true, false, false, false, _, _>(values, siblings, terms)
            }
            (true, false, true, _) => {
                evaluate::<true, false, true, false, _, _>(values, siblings, terms)
            }
            (true, true, _, false) => {
                evaluate::<true, true, true, false, _, _>(values, siblings, terms)
            }
            (false, true, _, true) => {
                evaluate::<false, true, true, true, _, _>(values, siblings, terms)
            }
            (true, true, _, true) => {
                evaluate::<true, true, true, true, _, _>(values, siblings, terms)
            }
        };
        let best = first_of(values, value);
        Choice {
            child: link.first_child() + best as u32,
            content_with: if value < 0.5 {
                tree.drawn_child(link)
            } else {
                None
            },
        }
    }
}

/// √ln visits, 0 for a node without visits. The logarithm is that of `libm`, which gives the same on every
/// machine.
#[inline]
fn sqrt_log(visits: u32) -> f32 {
    libm::logf(visits.max(1) as f32).sqrt()
}

/// Puts down the value of each child, and returns the highest.
#[inline(always)]
fn evaluate<const RAVE: bool, const PRIORS: bool, const ROOTS: bool, const PUCT: bool, W, H>(
    values: &mut Vec<[f32; LANES]>,
    siblings: Siblings<W, H>,
    terms: Terms,
) -> f32
where
    W: Column<Value = u64>,
    H: Column<Value = u32>,
{
    let count = siblings.count;
    values.resize(count.div_ceil(LANES), [0.0; LANES]);
    let (stats, last_stats) = siblings.stats.split();
    let (mut rave, last_rave) = siblings.rave.split();
    let (mut priors, last_priors) = siblings.priors.split();
    let mut highest = [f32::NEG_INFINITY; LANES];
    for (values, stats) in values.iter_mut().zip(stats) {
        let rave = rave.next().filter(|_| RAVE).unwrap_or_default();
        let priors = priors.next().filter(|_| PRIORS).unwrap_or_default();
        *values = evaluate_block::<RAVE, PRIORS, ROOTS, PUCT>(stats, rave, priors, terms);
        raise(&mut highest, *values);
    }
    let left = count % LANES;
    if left > 0
        && let Some(values) = values.last_mut()
    {
        *values =
            evaluate_block::<RAVE, PRIORS, ROOTS, PUCT>(last_stats, last_rave, last_priors, terms);
        values[left..].fill(f32::NEG_INFINITY);
        raise(&mut highest, *values);
    }
    let higher = |one: f32, other: f32| if other > one { other } else { one };
    highest.into_iter().fold(f32::NEG_INFINITY, higher)
}

/// The values of some children. The compiler makes vectors of this.
#[inline(always)]
fn evaluate_block<const RAVE: bool, const PRIORS: bool, const ROOTS: bool, const PUCT: bool>(
    stats: [u64; LANES],
    rave: [u64; LANES],
    priors: [u32; LANES],
    terms: Terms,
) -> [f32; LANES] {
    let mut values = [0.0; LANES];
    for lane in 0..LANES {
        let (n, white) = numbers(stats[lane]);
        let w = terms.offset * n + terms.sign * white;
        let mut points = w;
        let mut playouts = n;
        if RAVE {
            let (m, q) = numbers(rave[lane]);
            // Without RAVE playouts the k is 0, and m as good as 1, which leaves w / n: there is one
            // quotient, not a choice between two.
            let k = if m > 0.0 { terms.equivalence } else { 0.0 };
            let m = m.max(1.0);
            points = w * m + k * q;
            playouts = (k + n) * m;
        }
        let mean = points / playouts;
        let mut value = if playouts > 0.0 {
            mean
        } else {
            terms.first_play
        };
        if ROOTS {
            let root = n.max(1.0).sqrt();
            let prior = if PRIORS {
                f32::from_bits(priors[lane])
            } else {
                0.0
            };
            value += if PUCT {
                terms.exploration / root + terms.puct * prior / (terms.puct_unit + n)
            } else {
                (terms.exploration + prior) / root
            };
        }
        values[lane] = value;
    }
    values
}

/// Visits and points of a word. Both counters fit 31 bits, for which there is an instruction that converts
/// them.
#[inline(always)]
fn numbers(word: u64) -> (f32, f32) {
    let NodeStatistics {
        visits,
        white_halves: halves,
    } = NodeStatistics::of_word(word);
    (visits as i32 as f32, halves as i32 as f32 * 0.5)
}

#[inline(always)]
fn raise(highest: &mut [f32; LANES], values: [f32; LANES]) {
    for (highest, value) in highest.iter_mut().zip(values) {
        *highest = if value > *highest { value } else { *highest };
    }
}

/// The index of the first value that is as high as the highest.
#[inline]
fn first_of(values: &[[f32; LANES]], highest: f32) -> usize {
    let is_highest = |value: &f32| *value >= highest;
    // A block is compared at once.
    let has_highest = |block: &[f32; LANES]| {
        let mut found = false;
        for value in block {
            found |= is_highest(value);
        }
        found
    };
    let block = values.iter().position(has_highest).unwrap_or(0);
    let lane = values[block].iter().position(is_highest).unwrap_or(0);
    block * LANES + lane
}

#[cfg(all(test, not(feature = "loom")))]
mod tests {
    use super::*;
    use crate::sync::{AtomicU32, AtomicU64};
    use game::random;

    const TERMS: Terms = Terms {
        offset: 1.0,
        sign: -1.0,
        first_play: 0.4,
        exploration: 0.0,
        puct: 0.0,
        puct_unit: 1.0,
        equivalence: 10.0,
    };

    /// The best of children with these results, which is the same through either kind of column.
    fn best(words: &[u64]) -> (f32, usize) {
        let mut words: Vec<AtomicU64> = words.iter().copied().map(AtomicU64::new).collect();
        let mut none: [AtomicU64; 0] = [];
        let mut priors: [AtomicU32; 0] = [];
        let mut values = Vec::new();
        let shared = Siblings {
            count: words.len(),
            stats: &words[..],
            rave: &none[..],
            priors: &priors[..],
            priors_matter: false,
        };
        let highest = evaluate::<false, false, false, false, _, _>(&mut values, shared, TERMS);
        let found = (highest, first_of(&values, highest));
        let alone = Siblings {
            count: words.len(),
            stats: &mut words[..],
            rave: &mut none[..],
            priors: &mut priors[..],
            priors_matter: false,
        };
        let highest = evaluate::<false, false, false, false, _, _>(&mut values, alone, TERMS);
        assert_eq!((highest, first_of(&values, highest)), found);
        found
    }

    #[test]
    fn the_first_of_the_highest_is_found() {
        let mut rng = random::seeded(3);
        for round in 0..4_000 {
            let mut random = |below| random::below(below, &mut rng);
            let count = 1 + round % 40;
            let results: Vec<NodeStatistics> = (0..count)
                .map(|_| {
                    let visits = random(4);
                    NodeStatistics {
                        visits,
                        white_halves: random(2 * visits + 1),
                    }
                })
                .collect();
            // Black's winrate, or the first-play urgency.
            let value = |points: &NodeStatistics| match points.visits {
                0 => 0.4,
                visits => points.halves(Side::Black) as f32 / (2 * visits) as f32,
            };
            let values: Vec<f32> = results.iter().map(value).collect();
            let highest = values.iter().copied().fold(f32::MIN, f32::max);
            let first = values.iter().position(|&value| value >= highest);
            let words: Vec<u64> = results.iter().map(|points| points.word()).collect();
            assert_eq!(Some(best(&words).1), first, "{results:?}");
        }
    }
}
