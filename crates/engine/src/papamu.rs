//! The default player of Havannah: the search of the Castro thesis (2012) with what measured better.

use crate::Player;
use crate::thesis::{self, Settings, rave};
use havannah::knowledge::Weights;
use havannah::playout::{Policy, RingRule};
use havannah::{GuideParams, Position};
use search::mcts::Params;

/// The largest size on which nodes are given to the solver early, and learned patterns do better than the network, which
/// takes time from many playouts there (`docs/performance.md`).
const SMALL: usize = 6;

pub(crate) fn player() -> Player<Position> {
    thesis::player(
        "papamu",
        "Monte Carlo tree search: RAVE with a small network or learned patterns, and a solver for the nodes that matter; the defaults depend on the size, those listed are for size 8",
        defaults,
    )
}

/// The weights of connections are those of Castro's own defaults; those of locality and groups, the number of playouts
/// and the rule for rings did best among the thesis' and against Castro, and the rest did against the same player
/// without it (`docs/performance.md`).
fn defaults(size: usize) -> Settings {
    let is_small = size <= SMALL;
    let (patterns, network, expectation) = if is_small {
        (100.0, 0.0, 0)
    } else {
        (0.0, 30.0, 60)
    };
    // In visits, as which what the network expects counts.
    let (examine_after, examine_effort) = if is_small {
        (128, 0.004)
    } else {
        (6000, 0.0002)
    };
    Settings {
        search: Params {
            playouts: 3,
            expand_after: 9,
            history: 0.3,
            expectation,
            examine_after,
            examine_effort,
            ..rave()
        },
        guide: GuideParams {
            weights: Weights {
                virtual_connection: 25.0,
                connectivity: 20.0,
                locality_own: 10.0,
                group_size: 2.0,
                patterns,
                network,
                ..Weights::default()
            },
            policy: Policy {
                rings: RingRule {
                    permanent: 3,
                    ..RingRule::default()
                },
                ..Policy::default()
            },
            ..GuideParams::default()
        },
    }
}
