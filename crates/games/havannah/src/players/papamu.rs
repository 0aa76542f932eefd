//! The default player of Havannah: the search of the Castro thesis (2012) with what measured better.

use super::castro::{self, Settings, rave};
use crate::knowledge::Weights;
use crate::playout::{Policy, RingRule};
use crate::{Position, TreePolicyParams};
use engine::Player;
use search::mcts::Params;

pub(crate) fn player() -> Player<Position> {
    castro::player(
        "papamu",
        "Monte Carlo tree search: RAVE with learned patterns, a small network from size 6 on, and a solver for frequently visited nodes; the defaults depend on the size, those listed are for size 8",
        defaults,
    )
}

/// The number of playouts and the rule for rings did best among the thesis' and against Castro; what depends on the size
/// did best against the same player without it (`docs/lab/performance.md`).
fn defaults(size: usize) -> Settings {
    let (search, weights) = match size {
        ..=5 => small(),
        6 => middling(),
        _ => large(),
    };
    Settings {
        search: Params {
            playouts: 3,
            expand_after: 9,
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

/// What `papamu arena tune experiments/tuning/havannah-5.toml` chose, rounded. Up to size 5 the time is better spent on
/// playouts and the solver than on the network.
fn small() -> (Params, Weights) {
    let search = Params {
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

/// On size 6 the network evaluates frequently visited nodes.
fn middling() -> (Params, Weights) {
    let search = Params {
        history: 0.3,
        evaluate_after: 100,
        expectation: 100,
        probe_after: 128,
        probe_effort: 0.004,
        ..rave()
    };
    let weights = Weights {
        patterns: 80.0,
        network: 15.0,
        ..by_hand()
    };
    (search, weights)
}

/// From size 7 on the network evaluates all nodes, and a node of the solver costs more than it finds.
fn large() -> (Params, Weights) {
    let search = Params {
        history: 0.3,
        expectation: 60,
        probe_after: 6000,
        probe_effort: 0.0002,
        ..rave()
    };
    let weights = Weights {
        patterns: 50.0,
        network: 15.0,
        ..by_hand()
    };
    (search, weights)
}

/// The weights of connections are those of Castro's own defaults.
fn by_hand() -> Weights {
    Weights {
        virtual_connection: 25.0,
        connectivity: 20.0,
        locality_own: 10.0,
        group_size: 2.0,
        ..Weights::default()
    }
}
