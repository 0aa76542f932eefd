use game::random::mix;
use game::{Relative, Score};
use std::fmt;
use std::ops::Deref;
use std::time::Duration;

/// What a search knows so far. All values are from the point of view of the side to move at the root.
#[derive(Clone, Debug, PartialEq)]
pub struct Progress<M> {
    /// The move that the search would play now; `None` if the game is over.
    pub best: Option<M>,
    /// The expected score of the position: the exact one where it is proven. Otherwise, Monte Carlo: the
    /// mean of all simulations, which does not take the luckiest of many moves for the best, as the
    /// largest of their means would. Alpha-beta: that of the best move.
    pub value: Score,
    /// The value in the units of the evaluation function, as
    /// [`alphabeta`](crate::alphabeta) scales it. `None` from a search without one.
    pub evaluation: Option<i32>,
    /// The exact value of the position under the rules, if the search has proven it.
    pub proven: Option<Relative>,
    /// The line of play that the search expects. It begins with the best move.
    pub principal_variation: Vec<M>,
    /// Every legal move with what is known of it, the best first.
    pub moves: Vec<MoveStats<M>>,
    /// The lines of play that the search expects after the first of `moves`, as many as it has looked at: Monte
    /// Carlo, if the limits ask for progress, and principal-variation search if every move gets a value of its
    /// own. Each begins with its move.
    pub variations: Vec<Vec<M>>,
    /// Simulations of this search.
    pub simulations: u64,
    /// Simulations that ended in a playout rather than in a position whose value was proven or expected.
    pub playouts: u64,
    /// Monte Carlo: nodes that this search added to the tree. Alpha-beta: positions visited below the
    /// root, in all iterations.
    pub nodes: u64,
    /// Plies below the root. Monte Carlo: the longest way down the tree. Alpha-beta: the last iteration
    /// that was finished.
    pub depth: u32,
    /// The time since the search began.
    pub elapsed: Duration,
    /// What else was counted.
    pub details: Details,
}

/// What a search counts for those who study searches. What does not apply to a search is 0 or `None`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Details {
    /// Alpha-beta: the place of the best move in the list of moves as it was generated at the root,
    /// counted from 0.
    pub best_index: Option<usize>,
    /// Alpha-beta: positions in which a move was good enough to leave out the others, in all iterations.
    pub cutoffs: u64,
    /// Alpha-beta: legal moves below the root that the move ordering left out, in all iterations.
    pub left_out: u64,
    /// Monte Carlo: visits that the root had when the search began, from searches before.
    pub inherited: u64,
}

/// The result of a search: the last [`Progress`], whose fields can be read as those of the report, and why it
/// stopped. All values are from the point of view of the side to move at the root.
#[derive(Clone, Debug, PartialEq)]
pub struct Report<M> {
    /// What the search knew when it ended. There is a best move unless the game is over.
    pub progress: Progress<M>,
    /// Why the search ended.
    pub stop: StopReason,
    /// A hash of what was searched: the counters, and the visits and the value of every move. It differs
    /// if the search went another way, and is the same on every machine if it did not.
    pub signature: u64,
}

/// What a search knows of one move at the root. The values are from the point of view of the side that
/// makes it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MoveStats<M> {
    /// The move.
    pub mv: M,
    /// Monte Carlo: playouts through the move, and the weight in playouts of the values that the tree policy gave to
    /// positions ([`mcts::Params::expectation`](crate::mcts::Params::expectation)); those kept from an earlier search
    /// are included.
    /// Alpha-beta: nodes of the last iteration spent on it.
    pub visits: u64,
    /// The exact score where it is proven, otherwise an estimate. Monte Carlo: the mean result, or ½
    /// while there is none. Alpha-beta: an upper bound, except for the best move.
    pub value: Score,
    /// The exact value of the move under the rules, if the search has proven it.
    pub proven: Option<Relative>,
}

impl<M> MoveStats<M> {
    /// A score that the move is worth at least with a probability of 97.5 %, between 0 and 1: the lower
    /// end of Wilson's interval of 95 % for as many games as visits, or the exact score where it is proven.
    pub fn lower_bound(&self) -> Score {
        if self.proven.is_some() {
            return self.value;
        }
        let points = self.value.0 * self.visits as f64;
        let interval = statistics::wilson::wilson(points, self.visits, 0.95);
        Score(interval.map_or(0.0, |interval| interval.low))
    }
}

/// Why a search ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum StopReason {
    /// The time is over.
    Time,
    /// The simulations are done.
    Simulations,
    /// The nodes are made.
    Nodes,
    /// The depth is reached.
    Depth,
    /// The exact value of the root is known.
    Proven,
    /// The stop flag was raised.
    Stopped,
    /// The tree has no room left.
    MemoryLimit,
}

/// One word or two, joined by a hyphen, for logs and JSON.
impl fmt::Display for StopReason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            StopReason::Time => "time",
            StopReason::Simulations => "simulations",
            StopReason::Nodes => "nodes",
            StopReason::Depth => "depth",
            StopReason::Proven => "proven",
            StopReason::Stopped => "stopped",
            StopReason::MemoryLimit => "memory-limit",
        })
    }
}

impl<M> Progress<M> {
    /// Before anything is known.
    pub fn nothing() -> Self {
        Progress {
            best: None,
            value: Score::DRAW,
            evaluation: None,
            proven: None,
            principal_variation: Vec::new(),
            moves: Vec::new(),
            variations: Vec::new(),
            simulations: 0,
            playouts: 0,
            nodes: 0,
            depth: 0,
            elapsed: Duration::ZERO,
            details: Details::default(),
        }
    }

    /// What there is to know when the game is over.
    pub(crate) fn game_over(result: Relative, elapsed: Duration) -> Self {
        Progress {
            value: result.score(),
            proven: Some(result),
            elapsed,
            ..Progress::nothing()
        }
    }

    /// The report of a search that ends here. `signature` covers what is not counted here.
    pub(crate) fn stopped(self, stop: StopReason, signature: u64) -> Report<M> {
        let signature = [self.simulations, self.playouts, self.nodes]
            .into_iter()
            .fold(signature, mix_in);
        Report {
            progress: self,
            stop,
            signature,
        }
    }
}

impl<M> Deref for Report<M> {
    type Target = Progress<M>;

    fn deref(&self) -> &Progress<M> {
        &self.progress
    }
}

/// A signature to which what is known of a move is added.
pub(crate) fn sign_move<M>(signature: u64, stats: &MoveStats<M>) -> u64 {
    let proven = stats.proven.map_or(0, |proven| proven as u64 + 1);
    [stats.visits, stats.value.0.to_bits(), proven]
        .into_iter()
        .fold(signature, mix_in)
}

/// A signature to which a number is added.
pub(crate) fn mix_in(signature: u64, number: u64) -> u64 {
    mix(signature.rotate_left(1) ^ number)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Figures from the formula, computed by hand.
    #[test]
    fn the_lower_bound_is_wilsons() {
        let bound = |wins: f64, visits: u64| {
            let stats = MoveStats {
                mv: (),
                visits,
                value: Score(if visits == 0 {
                    0.5
                } else {
                    wins / visits as f64
                }),
                proven: None,
            };
            stats.lower_bound().0
        };
        for (wins, visits, expected) in [
            (0.0, 0, 0.0),
            (0.0, 10, 0.0),
            (5.0, 10, 0.2366),
            (10.0, 10, 0.7225),
            (500.0, 1000, 0.4691),
        ] {
            let found = bound(wins, visits);
            assert!(
                (found - expected).abs() < 1e-4,
                "{wins} of {visits}: {found}"
            );
        }
    }
}
