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
//! √visits.
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

use super::link::Link;
use super::params::Params;
use super::tree::{Candidates, Tree};
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
    first_play: f32,
    candidates: Candidates,
    values: Vec<f32>,
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
    /// RAVE's k.
    equivalence: f32,
}

impl Selection {
    pub(super) fn new(params: &Params) -> Self {
        Selection {
            exploration: params.exploration as f32,
            // Finite, so that −∞ for what is proven outweighs it.
            first_play: (params.first_play as f32).min(f32::MAX / 2.0),
            candidates: Candidates::default(),
            values: Vec::new(),
        }
    }

    /// The child to search next of an expanded node with this many visits that is not proven. If all its
    /// children are proven, since another thread is about to prove the node, it is one of these.
    /// `equivalence` is RAVE's k, or 0 without RAVE.
    #[inline]
    pub(super) fn select<M: Packed>(
        &mut self,
        tree: &Tree<M>,
        link: Link,
        visits: u32,
        mover: Side,
        equivalence: f32,
    ) -> Choice {
        tree.candidates(link, &mut self.candidates);
        let (offset, sign) = match mover {
            Side::White => (0.0, 1.0),
            Side::Black => (1.0, -1.0),
        };
        let terms = Terms {
            offset,
            sign,
            first_play: self.first_play,
            exploration: if self.exploration == 0.0 {
                0.0
            } else {
                self.exploration * sqrt_log(visits)
            },
            equivalence,
        };
        let values = &mut self.values;
        let candidates = &self.candidates;
        values.resize(candidates.stats.visits.len(), 0.0);
        // Without priors there is nothing to divide by a root if there is no exploration.
        let has_priors = !candidates.priors.is_empty();
        let has_exploration = self.exploration != 0.0;
        match (equivalence > 0.0, has_priors, has_exploration) {
            (false, false, false) => evaluate::<false, false, false>(values, candidates, terms),
            (false, false, true) => evaluate::<false, false, true>(values, candidates, terms),
            (false, true, _) => evaluate::<false, true, true>(values, candidates, terms),
            (true, false, false) => evaluate::<true, false, false>(values, candidates, terms),
            (true, false, true) => evaluate::<true, false, true>(values, candidates, terms),
            (true, true, _) => evaluate::<true, true, true>(values, candidates, terms),
        }
        let (best, value) = highest(values);
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

/// The value of each child. Written so that the compiler can do several at once: not inlined, because
/// only then it knows that the slices do not overlap.
#[inline(never)]
fn evaluate<const RAVE: bool, const PRIORS: bool, const ROOTS: bool>(
    values: &mut [f32],
    candidates: &Candidates,
    terms: Terms,
) {
    let count = values.len();
    let visits = &candidates.stats.visits[..count];
    let white_halves = &candidates.stats.halves[..count];
    let priors = &candidates.priors[..if PRIORS { count } else { 0 }];
    let with_rave = if RAVE { count } else { 0 };
    let rave_visits = &candidates.rave.visits[..with_rave];
    let rave_halves = &candidates.rave.halves[..with_rave];
    for index in 0..count {
        // Both fit 31 bits, for which there is an instruction that converts them.
        let n = visits[index] as i32 as f32;
        let white = white_halves[index] as i32 as f32 * 0.5;
        let w = terms.offset * n + terms.sign * white;
        let mut points = w;
        let mut playouts = n;
        if RAVE {
            let m = rave_visits[index] as i32 as f32;
            let q = rave_halves[index] as i32 as f32 * 0.5;
            // Without RAVE playouts the k is 0, and m as good as 1, which leaves w / n. Written like this
            // the loop is compiled to vector instructions, with a choice between two quotients it is not.
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
            let prior = if PRIORS { priors[index] } else { 0.0 };
            value += (terms.exploration + prior) / root;
        }
        values[index] = value;
    }
}

/// The first of the highest values, and that value.
#[inline]
fn highest(values: &[f32]) -> (usize, f32) {
    const LANES: usize = 8;
    let mut lanes = [f32::NEG_INFINITY; LANES];
    let (chunks, rest) = values.as_chunks::<LANES>();
    for chunk in chunks {
        for (lane, &value) in lanes.iter_mut().zip(chunk) {
            *lane = if value > *lane { value } else { *lane };
        }
    }
    let best =
        lanes.iter().chain(rest).fold(
            f32::NEG_INFINITY,
            |best, &value| {
                if value > best { value } else { best }
            },
        );
    let index = values.iter().position(|&value| value >= best);
    (index.unwrap_or(0), best)
}

#[cfg(test)]
mod tests {
    use super::highest;

    #[test]
    fn the_first_of_the_highest_is_found() {
        assert_eq!(highest(&[0.5]), (0, 0.5));
        assert_eq!(highest(&[f32::NEG_INFINITY, 0.1]), (1, 0.1));
        for length in 1..40 {
            for best in 0..length {
                let mut values = vec![0.25; length];
                values[best] = 0.75;
                values[length - 1] = 0.75;
                assert_eq!(highest(&values), (best, 0.75));
            }
        }
    }
}
