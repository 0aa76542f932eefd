//! The default player of Havannah: the search of the Castro thesis (2012) with what measured better.

use super::castro::{self, Settings, rave};
use super::first_stone::ByTable;
use crate::knowledge::Weights;
use crate::playout::{Policy, RingRule};
use crate::{Position, TreePolicyParams};
use engine::Player;
use search::mcts::{FinalMove, Params};

pub(crate) fn player() -> Player<Position> {
    castro::player(
        "papamu",
        "Monte Carlo tree search: PUCT with a small network from size 5 on, RAVE with learned patterns on smaller boards, and a solver for frequently visited nodes; the defaults depend on the size, those listed are for size 8",
        defaults,
    )
    .wrapped(ByTable::new)
    .with_book(include_str!("book.txt"))
}

/// The number of playouts and the rule for rings did best among the thesis' and against Castro; what depends on the size
/// did best against the same player without it (`docs/lab/performance.md`).
fn defaults(size: usize) -> Settings {
    let (search, weights) = match size {
        ..=4 => small(),
        _ => with_network(),
    };
    Settings {
        search: Params {
            playouts: 3,
            ..search
        },
        policy: TreePolicyParams {
            weights,
            policy: Policy {
                rings: RingRule {
                    permanent: 3,
                    ..RingRule::default()
                },
                ..Policy::default()
            },
            ..TreePolicyParams::default()
        },
    }
}

/// What `papamu arena tune experiments/tuning/havannah-5.toml` chose, rounded. With 0.2 s it is as good as the network that
/// has learned such boards (docs/lab/learning.md).
fn small() -> (Params, Weights) {
    let search = Params {
        expand_after: 9,
        rave: 650.0,
        first_play: 1.6,
        history: 0.25,
        probe_after: 128,
        probe_effort: 0.004,
        ..rave()
    };
    let weights = Weights {
        virtual_connection: 17.0,
        group_size: 1.0,
        patterns: 170.0,
        ..Weights::default()
    };
    (search, weights)
}

/// The network evaluates each node on its first visit, in place of playouts.
fn with_network() -> (Params, Weights) {
    let search = Params {
        expand_after: 0,
        expectation: EXPECTATION,
        probe_after: EXPECTATION,
        probe_effort: 0.01,
        ..puct()
    };
    let weights = Weights {
        network: 100.0,
        ..Weights::default()
    };
    (search, weights)
}

/// What the network expects counts as so many playouts.
const EXPECTATION: u32 = 60;

/// Moves are explored by their probability alone: RAVE, the results of a cell elsewhere and weights chosen by hand were
/// of no use beside it.
fn puct() -> Params {
    Params {
        rave: 0.0,
        puct: 0.65,
        puct_unit: EXPECTATION,
        first_play_reduction: 0.1,
        final_move: FinalMove::LowerBound,
        ..rave()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Dialect, Move, Shape};
    use game::{Game, Notation};
    use search::Limits;

    /// Self-play from each first stone says that White wins most games from the corner, and loses most from the centre.
    #[test]
    fn a_strong_first_stone_is_taken_over_and_a_weak_one_is_not() {
        for (size, first, swaps) in [
            (6, "a1", true),
            (6, "f6", false),
            (8, "a1", true),
            (8, "h8", false),
        ] {
            let shape = Shape::regular(size).expect("a size");
            let mut position = Position::new(shape).under_swap_rule();
            let mv = position.parse_move(first, Dialect::Grid).expect("a cell");
            position.play(mv);
            let mut engine = player().build(position, 1, &[]).expect("settings");
            let limits = Limits {
                simulations: Some(2_000),
                ..Limits::default()
            };
            let best = engine.search(&limits, &mut |_| {}).best;
            assert_eq!(best == Some(Move::Swap), swaps, "{first} on size {size}");
        }
    }
}
