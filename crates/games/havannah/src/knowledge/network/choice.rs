//! Which weights a search asks, by how long it may take.

use super::{Shipped, Weights};
use search::Limits;
use std::sync::Arc;
use std::time::Duration;

/// What the program brings for a player: weights for short searches and for long ones.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ByLength {
    /// For short searches.
    pub short: Shipped,
    /// For long ones.
    pub long: Shipped,
}

impl ByLength {
    /// Learned by self-play for boards of a size, which is the longest side.
    pub fn for_size(size: usize) -> ByLength {
        ByLength {
            short: Shipped::for_size(size),
            long: Shipped::for_long_searches(size),
        }
    }

    /// The same for all searches.
    pub fn only(shipped: Shipped) -> ByLength {
        ByLength {
            short: shipped,
            long: shipped,
        }
    }
}

/// The weights of a player.
#[derive(Clone, Debug)]
pub enum Choice {
    /// What the program brings.
    Shipped(ByLength),
    /// Others.
    Other(Arc<Weights>),
}

/// A search that may take so long, a tenth of a second less what a clock keeps in reserve, is a long one: with so much
/// time the larger network wins, with 0.03 s that is not certain (docs/lab/learning.md).
const LONG: Duration = Duration::from_millis(75);
/// And one that may have so many simulations.
const LONG_SIMULATIONS: u64 = 1_000;

impl Choice {
    /// The weights for short searches.
    pub fn short(&self) -> Arc<Weights> {
        match self {
            Choice::Shipped(shipped) => shipped.short.weights(),
            Choice::Other(weights) => Arc::clone(weights),
        }
    }

    /// The weights for a search with these limits. One without a limit is long.
    pub fn within(&self, limits: &Limits) -> Arc<Weights> {
        match self {
            Choice::Shipped(shipped) if is_long(limits) => shipped.long.weights(),
            _ => self.short(),
        }
    }
}

fn is_long(limits: &Limits) -> bool {
    limits.time.is_none_or(|time| time >= LONG)
        && limits
            .simulations
            .is_none_or(|simulations| simulations >= LONG_SIMULATIONS)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Position;
    use engine::Playable;

    #[test]
    fn an_analysis_is_long() {
        assert!(is_long(&Limits {
            simulations: Some(Position::SIMULATIONS),
            ..Limits::default()
        }));
    }

    #[test]
    fn a_search_is_long_unless_a_limit_makes_it_short() {
        let seconds = |seconds| Limits {
            time: Some(Duration::from_secs_f64(seconds)),
            ..Limits::default()
        };
        let simulations = |simulations| Limits {
            simulations: Some(simulations),
            ..Limits::default()
        };
        let both = Limits {
            simulations: Some(100),
            ..seconds(60.0)
        };
        for (limits, long) in [
            (Limits::default(), true),
            (seconds(0.05), false),
            (seconds(0.08), true),
            (simulations(999), false),
            (simulations(1_000), true),
            (both, false),
        ] {
            assert_eq!(is_long(&limits), long, "{limits:?}");
            let on_large = Choice::Shipped(ByLength::for_size(8)).within(&limits);
            let expected = if long {
                Shipped::Deep
            } else {
                Shipped::LargeBoards
            };
            assert!(Arc::ptr_eq(&on_large, &expected.weights()));
            let on_small = Choice::Shipped(ByLength::for_size(5)).within(&limits);
            assert!(Arc::ptr_eq(&on_small, &Shipped::SmallBoards.weights()));
        }
    }
}
