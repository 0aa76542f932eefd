//! The default player of Havannah: the search of the Castro thesis (2012) with what measured better.

use crate::Player;
use crate::thesis::{self, Settings, rave};
use havannah::knowledge::Weights;
use havannah::playout::{Policy, RingRule};
use havannah::{GuideParams, Position};
use search::mcts::Params;

pub(crate) fn player() -> Player<Position> {
    thesis::player(
        "papamu",
        "Monte Carlo tree search: RAVE with learned patterns, a small network from size 6 on, and a solver for the nodes that matter; the defaults depend on the size, those listed are for size 8",
        defaults,
    )
}

/// The weights of connections are those of Castro's own defaults; those of locality and groups, the number of playouts
/// and the rule for rings did best among the thesis' and against Castro, and the rest did against the same player
/// without it (`docs/performance.md`).
fn defaults(size: usize) -> Settings {
    // Up to size 5 the time is better spent on playouts and the solver, on size 6 on all but the nodes that matter.
    let (patterns, network, consult_after, expectation) = match size {
        ..=5 => (100.0, 0.0, 0, 0),
        6 => (80.0, 15.0, 100, 100),
        _ => (50.0, 15.0, 0, 60),
    };
    // In visits, as which what the network expects counts; on larger boards a node of the solver costs more than it finds.
    let (examine_after, examine_effort) = match size {
        ..=6 => (128, 0.004),
        _ => (6000, 0.0002),
    };
    Settings {
        search: Params {
            playouts: 3,
            expand_after: 9,
            history: 0.3,
            consult_after,
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
