//! The Monte Carlo players of Havannah that the Castro thesis (2012) describes, each feature a parameter.

use crate::knowledge::Weights;
use crate::knowledge::network::ByLength;
use crate::players::network;
use crate::playout::{LastGoodReply, Policy, RingRule, Until};
use crate::{Position, TreePolicy, TreePolicyParams};
use engine::Player;
use engine::castro::PLIES;
use engine::memory::Shares;
use engine::parameter::{
    Choice, Field, Mebibytes, Number, Parameter, ParameterError, Setting, Switch, Text, apply,
    apply_all, describe,
};
use engine::player::{MCTS, RAVE};
use search::Mcts;
use search::mcts::{Lookahead, Params, WhenFull};

/// The most that the solvers get of the player's memory.
const SOLVER_SHARE: f64 = 0.25;

/// The most that the caches of evaluations get of it: one part in so many.
const CACHE_PART: usize = 16;

/// All parameters of a player of Havannah.
#[derive(Clone)]
pub(crate) struct Settings {
    pub search: Params,
    pub policy: TreePolicyParams,
}

/// The UCT baseline. It looks two plies ahead and keeps the tree, as the RAVE baseline does, so that the
/// two differ by RAVE alone.
fn uct() -> Params {
    Params {
        exploration: 0.9,
        lookahead: Lookahead::TwoPlies,
        ..Params::default()
    }
}

/// The RAVE baseline: no exploration, the tree kept, a lookahead of two plies.
pub(crate) fn rave() -> Params {
    Params {
        exploration: 0.0,
        first_play: 1.0,
        rave: 500.0,
        ..uct()
    }
}

/// The features of the thesis' "Combinations" together, with its constants. It does not say which
/// locality and which distance are meant: here it is the locality to own stones and the own distance to
/// win, because the thesis measures gains for these alone (up to 80 % and 71 %; locality to any stone
/// loses on most sizes, the smaller of both distances gains less and loses from size 8 on).
fn all() -> Settings {
    Settings {
        search: Params {
            playouts: 5,
            ..rave()
        },
        policy: TreePolicyParams {
            weights: Weights {
                virtual_connection: 100.0,
                connectivity: 20.0,
                locality_own: 3.0,
                local_reply: 5.0,
                distance_own: 2.0,
                group_size: 2.0,
                ..Weights::default()
            },
            policy: Policy {
                mate_in_one: Until::Sizes(1),
                rings: RingRule {
                    depth: 0.7,
                    permanent: 3,
                    ..RingRule::default()
                },
                ..Policy::default()
            },
            ..TreePolicyParams::default()
        },
    }
}

/// The players of the thesis, the strongest first.
pub(crate) fn players() -> Vec<Player<Position>> {
    fn plain(search: Params) -> Settings {
        Settings {
            search,
            policy: TreePolicyParams::default(),
        }
    }
    vec![
        player(
            "castro-all",
            "Monte Carlo tree search: RAVE with all the knowledge and playout rules of the Castro thesis (2012)",
            |_| all(),
        )
        .also(&["all"]),
        player(
            "rave",
            "Monte Carlo tree search: RAVE with uniformly random playouts",
            |_| plain(rave()),
        ),
        player(
            "uct",
            "Monte Carlo tree search: UCT with uniformly random playouts",
            |_| plain(uct()),
        ),
    ]
}

/// A player whose defaults depend on the size of the board, that is on its longest side. Those that its
/// list of parameters tells are those of size 8.
pub(crate) fn player(
    name: &'static str,
    summary: &'static str,
    defaults: fn(usize) -> Settings,
) -> Player<Position> {
    let parameters = parameters(&defaults(8));
    Player::new(
        name,
        summary,
        parameters,
        move |position: Position, seed, settings| {
            let size = position.geometry().shape().size();
            let defaults = defaults(size);
            let (weights, settings) = network::taken_from(settings, ByLength::for_size(size))?;
            let Settings { search, policy } = defaults.with(&settings)?.within_memory();
            let policy = TreePolicy::with_network(position.geometry(), &policy, weights);
            Ok(Box::new(Mcts::with_policy(position, search, seed, policy)))
        },
    )
    .with_weights(move |position, settings| {
        let of_policy = |setting: &&Setting| {
            let mut fields = TREE_POLICY.iter();
            fields.any(|field| field.name == setting.name)
        };
        let of_policy: Vec<Setting> = settings.iter().filter(of_policy).cloned().collect();
        let size = position.geometry().shape().size();
        let counts = defaults(size)
            .with(&of_policy)?
            .policy
            .weights
            .has_network();
        counts
            .then(|| network::in_use(settings, ByLength::for_size(size)))
            .transpose()
    })
}

/// The settings of the player's search as a solver: the RAVE baseline, with which the thesis solves its
/// early position.
pub(crate) fn solver_settings() -> Settings {
    Settings {
        search: Params {
            // What lies below a solved position is dropped first when the tree is full: its value is enough.
            when_full: WhenFull::Collect,
            keep_proofs: false,
            ..rave()
        },
        policy: TreePolicyParams::default(),
    }
}

pub(crate) fn parameters(defaults: &Settings) -> Vec<Parameter> {
    let mut parameters = describe(MCTS, &defaults.search);
    parameters.extend(describe(RAVE, &defaults.search));
    parameters.extend(describe(SEARCH, &defaults.search));
    parameters.extend(describe(TREE_POLICY, &defaults.policy));
    parameters.push(network::parameter(
        "weights of the network: shipped, which is small-boards up to size 6, and from size 7 on deep, or up to size 10 large-boards in searches of less than 0.1 s or 1000 simulations; one of these, people, or a file made by papamu learn; only with know-network",
    ));
    parameters
}

impl Settings {
    /// With the tables of the solvers that probe nodes and the caches of evaluations, one of each a thread, within the
    /// memory of the player.
    fn within_memory(mut self) -> Settings {
        let threads = self.search.threads.max(1) as usize;
        let each_if = |is_used: bool| if is_used { threads } else { 0 };
        let solvers = each_if(self.search.probe_after > 0);
        let caches = each_if(self.policy.weights.has_network());
        let limit = self.search.memory;
        let shares = Shares::of(limit, solvers, self.policy.solver_memory, SOLVER_SHARE);
        let cache = self.policy.cache_memory.min(limit / CACHE_PART / threads);
        self.search.memory = shares.search - cache * caches;
        self.policy.solver_memory = shares.solver;
        self.policy.cache_memory = cache;
        self
    }

    /// Changed by settings, each of which is a field of one of the tables.
    pub(crate) fn with(&self, settings: &[Setting]) -> Result<Settings, ParameterError> {
        let of_search = |setting: &Setting| {
            let mut fields = [MCTS, RAVE, SEARCH].into_iter().flatten();
            fields.any(|field| field.name == setting.name)
        };
        let (of_search, rest): (Vec<Setting>, Vec<Setting>) =
            settings.iter().cloned().partition(of_search);
        let search = apply_all(&[MCTS, RAVE, SEARCH], &self.search, &of_search)?;
        let policy = apply(TREE_POLICY, &self.policy, &rest)?;
        Ok(Settings { search, policy })
    }
}

/// What the search has with threats, a network and a solver.
const SEARCH: &[Field<Params>] = &[
    Field {
        name: "puct",
        meaning: "the constant of PUCT: what is known of a move is its probability p, and adds puct · p · √(visits of the position) / (1 + visits of the move); 0 adds what is known / √visits",
        values: &Number(0.0, 1000.0, |params: &mut Params| &mut params.puct),
    },
    Field {
        name: "puct-unit",
        meaning: "visits that count as one in the formula of PUCT; as many as expectation where a simulation ends with the network's value",
        values: &Number(1, 1_000_000, |params: &mut Params| &mut params.puct_unit),
    },
    Field {
        name: "network-after",
        meaning: "visits after which the network evaluates a node that has children, once; 0 for as soon as it has them; only with know-network",
        values: &Number(0, 1_000_000, |params: &mut Params| {
            &mut params.evaluate_after
        }),
    },
    Field {
        name: "expectation",
        meaning: "weight of the network's value of a position, in playouts; 0 ignores it; only with know-network",
        values: &Number(0, 10_000, |params: &mut Params| &mut params.expectation),
    },
    Field {
        name: "lookahead",
        meaning: "plies that an expansion looks ahead for the end of the game",
        values: &Choice(PLIES, |params: &mut Params| &mut params.lookahead),
    },
    Field {
        name: "solve-after",
        meaning: "visits with which the solver first searches a node, and again each time they have doubled; 0 for never",
        values: &Number(0, 1_000_000, |params: &mut Params| &mut params.probe_after),
    },
    Field {
        name: "solve-effort",
        meaning: "nodes that the solver may search for each visit of the node",
        values: &Number(0.0, 1000.0, |params: &mut Params| &mut params.probe_effort),
    },
];

/// The field of a weight, which adds 0.01 · weight · points / √visits to the value of a move.
macro_rules! weight {
    ($name:literal, $field:ident, $meaning:literal) => {
        Field {
            name: $name,
            meaning: $meaning,
            values: &Number(-1000.0, 1000.0, |params: &mut TreePolicyParams| {
                &mut params.weights.$field
            }),
        }
    };
}

/// The field of a fraction of the ring rule.
macro_rules! fraction {
    ($name:literal, $field:ident, $meaning:literal) => {
        Field {
            name: $name,
            meaning: $meaning,
            values: &Number(0.0, 1.0, |params: &mut TreePolicyParams| {
                &mut params.policy.rings.$field
            }),
        }
    };
}

/// Knowledge and playouts. Weights are in hundredths of a game for a point; the value of a move has
/// `weight · points / √visits` of them added.
const TREE_POLICY: &[Field<TreePolicyParams>] = &[
    weight!(
        "know-connection",
        virtual_connection,
        "bonus for keeping a virtual connection that the last stone intruded upon, in hundredths of a game"
    ),
    weight!(
        "know-locality-any",
        locality_any,
        "bonus for being near stones of any colour, in hundredths of a game for each of 0 to 3 points"
    ),
    weight!(
        "know-locality-own",
        locality_own,
        "bonus for being near own stones, in hundredths of a game for each of 0 to 3 points"
    ),
    weight!(
        "know-reply",
        local_reply,
        "bonus for being near the opponent's last stone, in hundredths of a game for each of 0 to 3 points"
    ),
    weight!(
        "know-edges",
        connectivity,
        "bonus for each edge and corner that the stone is connected to, in hundredths of a game"
    ),
    weight!(
        "know-group",
        group_size,
        "bonus for each stone of the groups joined, in hundredths of a game"
    ),
    weight!(
        "know-distance-both",
        distance_both,
        "bonus for a short distance to a win of either side, in hundredths of a game for each point of 2 · size − the smaller distance"
    ),
    weight!(
        "know-distance-own",
        distance_own,
        "bonus for a short own distance to a win, in hundredths of a game for each point of 2 · size − the distance"
    ),
    weight!(
        "know-patterns",
        patterns,
        "bonus for a move's probability by learned patterns, in hundredths of a game at probability 1"
    ),
    weight!(
        "know-network",
        network,
        "bonus for a move's probability by the network, in hundredths of a game at probability 1"
    ),
    Field {
        name: "mate-in-one",
        meaning: "playouts: number of first moves in which immediate wins are played and prevented: off, all, a number, or a multiple of the board size such as 2x",
        values: &Text(
            "off, all, a whole number, or one followed by x",
            |params: &mut TreePolicyParams| &mut params.policy.mate_in_one,
        ),
    },
    Field {
        name: "last-reply",
        meaning: "playouts: replay the last good reply: off, keep, or forget (drop it after a loss)",
        values: &Choice(
            &[
                ("off", LastGoodReply::Off),
                ("keep", LastGoodReply::Keep),
                ("forget", LastGoodReply::Forget),
            ],
            |params: &mut TreePolicyParams| &mut params.policy.last_good_reply,
        ),
    },
    Field {
        name: "keep-connections",
        meaning: "playouts: whether a virtual connection is kept when the opponent intrudes upon it",
        values: &Switch(|params: &mut TreePolicyParams| &mut params.policy.virtual_connections),
    },
    Field {
        name: "solver-memory",
        meaning: "memory limit of the solver's table in each thread, in MiB; all tables together take at most a quarter of the memory",
        values: &Mebibytes(1, 1 << 16, |params: &mut TreePolicyParams| {
            &mut params.solver_memory
        }),
    },
    fraction!(
        "ring-share",
        share,
        "playouts: the share of them in which rings are detected"
    ),
    fraction!(
        "ring-depth",
        depth,
        "playouts: number of moves in which rings are detected, as a fraction of the cells that were empty at the start"
    ),
    fraction!(
        "ring-growth",
        growth,
        "playouts: number of moves after which a ring must have one stone more, as a fraction of the cells that were empty at the start; 0 for never"
    ),
    Field {
        name: "ring-permanent",
        meaning: "playouts: least number of a ring's stones that must have been on the board when the playout began",
        values: &Number(0, 100, |params: &mut TreePolicyParams| {
            &mut params.policy.rings.permanent
        }),
    },
];

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Shape;
    use game::Game;
    use search::Limits;

    fn start() -> Position {
        Position::new(Shape::regular(4).expect("a size"))
    }

    /// Every parameter reads what it writes, and each one that is set away from its default changes what
    /// is searched.
    #[test]
    fn every_parameter_has_an_effect() {
        let limits = Limits {
            simulations: Some(600),
            ..Limits::default()
        };
        let signature = |settings: &[&str]| {
            let settings: Vec<Setting> = settings
                .iter()
                .map(|text| text.parse().expect("a setting"))
                .collect();
            let players = players();
            let rave = &players[1];
            let mut position = start();
            let mut rng = game::random::seeded(3);
            for _ in 0..8 {
                let mv = position.random_move(&mut rng).expect("a move");
                position.play(mv);
            }
            let mut engine = rave.build(position, 1, &settings).expect("settings");
            engine.search(&limits, &mut |_| {}).signature
        };
        let plain = signature(&[]);
        for setting in [
            "exploration=0.5",
            "expand-after=3",
            "first-play=0.3",
            "first-play-reduction=0.1",
            "rave=50",
            "rave-per-empty=20",
            "history=1",
            "lookahead=0",
            "lookahead=1",
            "playouts=2",
            "solve-after=4",
            "know-patterns=100",
            "know-network=30",
            "know-connection=50",
            "know-locality-any=10",
            "know-locality-own=10",
            "know-reply=10",
            "know-edges=20",
            "know-group=5",
            "know-distance-both=3",
            "know-distance-own=3",
            "mate-in-one=4",
            "mate-in-one=2x",
            "mate-in-one=all",
            "last-reply=keep",
            "last-reply=forget",
            "keep-connections=yes",
            "ring-share=0.5",
            "ring-depth=0.3",
            "ring-growth=0.1",
            "ring-permanent=3",
        ] {
            assert_ne!(signature(&[setting]), plain, "{setting}");
        }
        let network = "know-network=30";
        for setting in ["expectation=60", "network-after=30", "puct=1"] {
            assert_ne!(
                signature(&[network, setting]),
                signature(&[network]),
                "{setting}"
            );
        }
        let puct = "puct=1";
        assert_ne!(
            signature(&[network, puct, "puct-unit=60"]),
            signature(&[network, puct])
        );
    }

    #[test]
    fn parameters_are_read_as_they_are_written() {
        for player in players() {
            let settings: Vec<Setting> = player
                .parameters
                .iter()
                .map(|parameter| Setting {
                    name: parameter.name.to_owned(),
                    value: parameter.default.clone(),
                })
                .collect();
            assert!(
                player.build(start(), 1, &settings).is_ok(),
                "{}",
                player.name
            );
            let unknown = Setting {
                name: "knowledge".to_owned(),
                value: "1".to_owned(),
            };
            let Err(ParameterError::Unknown { known, .. }) = player.build(start(), 1, &[unknown])
            else {
                panic!("an unknown parameter of {}", player.name);
            };
            for name in ["exploration", "rave", "know-edges"] {
                assert!(known.contains(name), "{known}");
            }
        }
    }
}
