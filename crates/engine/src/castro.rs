//! The solvers of the Castro thesis (2012) that are the same for all games, with their parameters.

use crate::memory::for_tables;
use crate::parameter::{Choice, Field, Number, Switch};
use crate::solver::{Begun, Solver, Task};
use game::Game;
use search::Lookahead;
use search::castro::{Draws, Initial, Method, Params};

/// All parameters of such a solver, `Q` being those of the game.
#[derive(Clone, Debug)]
pub struct Settings<Q> {
    /// Those of the search.
    pub search: Params,
    /// Those of the game.
    pub game: Q,
}

/// What is a game's own of them.
pub trait OfGame: Copy + 'static {
    /// Its parameters.
    const FIELDS: &'static [Field<Settings<Self>>];
}

/// The values of a lookahead, by the plies that it looks ahead.
pub const PLIES: &[(&str, Lookahead)] = &[
    ("0", Lookahead::None),
    ("1", Lookahead::OnePly),
    ("2", Lookahead::TwoPlies),
];

type Tables<Q> = &'static [&'static [Field<Settings<Q>>]];

impl<Q: OfGame> Settings<Q> {
    const ALPHA_BETA: Tables<Q> = &[
        &[
            Field {
                name: "table",
                meaning: "whether there is a transposition table",
                values: &Switch(|settings: &mut Self| &mut settings.search.table),
            },
            Self::LOOKAHEAD,
        ],
        Q::FIELDS,
    ];
    const TREE: Tables<Q> = &[
        &[Self::LOOKAHEAD],
        Self::NUMBERS,
        &[
            Field {
                name: "collect",
                meaning: "what to do when the tree is full: yes drops the subtrees with the least work, no ends the search",
                values: &Switch(|settings: &mut Self| &mut settings.search.collect),
            },
            Field {
                name: "virtual-loss",
                meaning: "virtual loss: increase of a child's number for each other thread that searches it, as a fraction of the number, from 0",
                values: &Number(0.0, 1000.0, |settings: &mut Self| {
                    &mut settings.search.virtual_loss
                }),
            },
        ],
        Q::FIELDS,
    ];
    const TABLE: Tables<Q> = &[
        &[Self::LOOKAHEAD],
        Self::NUMBERS,
        &[Field {
            name: "copy-proofs",
            meaning: "siblings of a refuted move against which the same replies are tried",
            values: &Number(0, 1000, |settings: &mut Self| {
                &mut settings.search.copy_proofs
            }),
        }],
        Q::FIELDS,
    ];

    const LOOKAHEAD: Field<Self> = Field {
        name: "lookahead",
        meaning: "lookahead at leaves, in plies: 1 sees wins of the side to move, 2 also the opponent's wins that it cannot prevent",
        values: &Choice(PLIES, |settings: &mut Self| &mut settings.search.lookahead),
    };

    /// What proof-number searches have.
    const NUMBERS: &'static [Field<Self>] = &[
        Field {
            name: "depth-first",
            meaning: "yes: a subtree is searched until its numbers reach the thresholds; no: each expansion descends from the root",
            values: &Switch(|settings: &mut Self| &mut settings.search.depth_first),
        },
        Field {
            name: "epsilon",
            meaning: "the ε of the 1 + ε trick: a child is searched until its number exceeds that of its best sibling by this fraction, from 0",
            values: &Number(0.0, 1000.0, |settings: &mut Self| {
                &mut settings.search.epsilon
            }),
        },
        Field {
            name: "initial",
            meaning: "initial proof and disproof numbers of a leaf: one, replies (the number of moves to refute), or distance (of each side to a win)",
            values: &Choice(
                &[
                    ("one", Initial::One),
                    ("replies", Initial::Replies),
                    ("distance", Initial::Distance),
                ],
                |settings: &mut Self| &mut settings.search.initial,
            ),
        },
        Field {
            name: "draws",
            meaning: "how draws are told from losses: three-values (in one tree), or two-searches (that know wins alone)",
            values: &Choice(
                &[
                    ("three-values", Draws::ThreeValues),
                    ("two-searches", Draws::TwoSearches),
                ],
                |settings: &mut Self| &mut settings.search.draws,
            ),
        },
        Field {
            name: "depth-bound",
            meaning: "depth limit of the first search, in plies, by which the limit grows while the value is unknown; 0 for no limit",
            values: &Number(0, 1000, |settings: &mut Self| {
                &mut settings.search.depth_bound
            }),
        },
    ];
}

/// The solvers by the methods of [`search::castro`], of which `begin` makes one ready.
pub fn solvers<G: Game, Q: OfGame>(
    game: Q,
    begin: impl Fn(&Task<'_, G>, Method, &Params, Q) -> Begun<G> + Copy + 'static,
) -> [Solver<G>; 3] {
    let solver = |name, summary, method, tables| {
        let settings = Settings {
            search: Params::default(),
            game,
        };
        Solver::new(name, summary, tables, settings, move |task, settings| {
            let params = Params {
                memory: for_tables(task.resources.memory),
                threads: task.resources.threads,
                ..settings.search.clone()
            };
            begin(task, method, &params, settings.game)
        })
    };
    [
        solver(
            "castro-ab",
            "alpha-beta with iterative deepening",
            Method::AlphaBeta,
            Settings::ALPHA_BETA,
        )
        .also(&["ab"]),
        solver(
            "castro-pns",
            "proof-number search on a tree, by one thread or several",
            Method::Pns,
            Settings::TREE,
        )
        .also(&["pns", "pns-parallel"])
        .with_threads(),
        solver(
            "castro-pns-tt",
            "proof-number search on a transposition table",
            Method::PnsTable,
            Settings::TABLE,
        )
        .also(&["pns-tt"]),
    ]
}
