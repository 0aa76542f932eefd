//! What can be set.

use search::proof::{Combination, Rule};

/// How to search, and with how much memory.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Params {
    /// The most bytes for the transposition table; all else takes a few megabytes at most.
    pub memory: usize,
    /// A child is searched until its number exceeds that of its best sibling by one part in so many:
    /// 8 for an ε of 0.125. 0 counts as 1.
    pub epsilon_divisor: u32,
    /// Whether numbers are combined as the largest plus one for each further child, rather than as
    /// the sum.
    pub weak: bool,
    /// With fewer stones than this on the board, only one of each class of symmetric moves is
    /// searched.
    pub symmetric_plies: u32,
    /// For a position without an urgent threat before it is searched: the number of replies that it
    /// is taken to need. `None` for the number of empty cells.
    pub open_replies: Option<u32>,
    /// Threads that search for the value of a position together. With more than one, nodes and best moves
    /// differ from run to run.
    pub threads: usize,
}

impl Default for Params {
    fn default() -> Params {
        Params {
            memory: 1 << 30,
            epsilon_divisor: 8,
            weak: true,
            symmetric_plies: 5,
            open_replies: None,
            threads: 1,
        }
    }
}

impl Params {
    /// How proof numbers are combined.
    pub(super) fn rule(&self) -> Rule {
        Rule {
            combination: if self.weak {
                Combination::Weak
            } else {
                Combination::Sum
            },
            epsilon: 1.0 / f64::from(self.epsilon_divisor.max(1)),
        }
    }
}
