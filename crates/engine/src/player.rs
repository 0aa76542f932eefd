//! Named players.

use crate::Playable;
use crate::book::WithBook;
use crate::engines::{DepthLimited, Engine, Random};
use crate::memory::for_tables;
use crate::named::Named;
use crate::parameter::{
    Choice, Field, Mebibytes, Number, Parameter, ParameterError, Setting, Switch, apply, apply_all,
    check_names, describe,
};
use crate::weights::WeightsInUse;
use game::{Game, random};
use search::mcts::{FinalMove, WhenFull};
use search::{AlphaBeta, Evaluate, Mcts, TreePolicy, alphabeta, mcts};

type Build<G> = dyn Fn(G, u64, &[Setting]) -> Result<Box<dyn Engine<G>>, ParameterError>;
type FindWeights<G> = dyn Fn(&G, &[Setting]) -> Result<Option<WeightsInUse>, ParameterError>;

/// A player under its name: how to make an engine of it.
pub struct Player<G: Game> {
    /// The name on the command line.
    pub name: &'static str,
    /// Other names that mean it.
    pub aliases: &'static [&'static str],
    /// What it is, in a line.
    pub summary: &'static str,
    /// Its parameters.
    pub parameters: Vec<Parameter>,
    build: Box<Build<G>>,
    /// Of a player that may have weights.
    weights: Option<Box<FindWeights<G>>>,
}

impl<G: Game> Player<G> {
    /// An engine at a position. What it does by chance follows from the seed.
    ///
    /// # Errors
    /// If a setting names no parameter of this player, or a value that it cannot have.
    pub fn build(
        &self,
        position: G,
        seed: u64,
        settings: &[Setting],
    ) -> Result<Box<dyn Engine<G>>, ParameterError> {
        check_names(&self.parameters, settings)?;
        (self.build)(position, seed, settings)
    }

    /// The weights of a network with which an engine at this position plays; `None` if it uses none. Their file is read
    /// anew each time, as [`build`](Player::build) does.
    ///
    /// # Errors
    /// If a setting names no parameter of this player, or a file that cannot be read.
    pub fn weights(
        &self,
        position: &G,
        settings: &[Setting],
    ) -> Result<Option<WeightsInUse>, ParameterError> {
        check_names(&self.parameters, settings)?;
        match &self.weights {
            None => Ok(None),
            Some(find) => find(position, settings),
        }
    }

    /// The same player, if it may have weights. `find` is given all settings of the player.
    #[must_use]
    pub fn with_weights(
        mut self,
        find: impl Fn(&G, &[Setting]) -> Result<Option<WeightsInUse>, ParameterError> + 'static,
    ) -> Self {
        self.weights = Some(Box::new(find));
        self
    }

    /// A player with these parameters, and how to make an engine of it.
    pub fn new(
        name: &'static str,
        summary: &'static str,
        parameters: Vec<Parameter>,
        build: impl Fn(G, u64, &[Setting]) -> Result<Box<dyn Engine<G>>, ParameterError> + 'static,
    ) -> Player<G> {
        Player {
            name,
            aliases: &[],
            summary,
            parameters,
            build: Box::new(build),
            weights: None,
        }
    }

    /// The same player, if other names mean it too.
    #[must_use]
    pub fn also(mut self, aliases: &'static [&'static str]) -> Self {
        self.aliases = aliases;
        self
    }

    /// The same player with something around its engine, which is given the seed too.
    #[must_use]
    pub fn wrapped<E: Engine<G> + 'static>(
        mut self,
        wrap: fn(Box<dyn Engine<G>>, u64) -> E,
    ) -> Self {
        let build = self.build;
        self.build = Box::new(move |position, seed, settings| {
            Ok(Box::new(wrap(build(position, seed, settings)?, seed)))
        });
        self
    }

    /// The same player, if it looks into a [book](crate::Book) before it searches.
    #[must_use]
    pub fn with_book(mut self, text: &'static str) -> Self
    where
        G: Playable,
    {
        self.parameters.extend(describe(BOOK, &UsesBook(true)));
        let build = self.build;
        self.build = Box::new(move |position, seed, settings| {
            let is_book = |setting: &&Setting| setting.name == BOOK[0].name;
            let own: Vec<Setting> = settings.iter().filter(is_book).cloned().collect();
            let UsesBook(uses_book) = apply(BOOK, &UsesBook(true), &own)?;
            let others = settings.iter().filter(|setting| !is_book(setting));
            let engine = build(position, seed, &others.cloned().collect::<Vec<_>>())?;
            Ok(if uses_book {
                Box::new(WithBook::new(engine, text))
            } else {
                engine
            })
        });
        self
    }

    /// The player that chooses among all legal moves by chance.
    pub fn random() -> Player<G> {
        Player::new(
            "random",
            "any legal move, each with the same probability",
            Vec::new(),
            |position, seed, settings| {
                apply::<()>(&[], &(), settings)?;
                let rng = random::seeded(seed);
                Ok(Box::new(Random { position, rng }))
            },
        )
    }

    /// Monte Carlo tree search with a tree policy, and the parameters of some tables.
    pub fn monte_carlo<P: TreePolicy<G> + 'static>(
        name: &'static str,
        summary: &'static str,
        tables: &'static [&'static [Field<mcts::Params>]],
        defaults: mcts::Params,
        policy: fn(&G) -> P,
    ) -> Player<G> {
        let parameters = tables.iter().flat_map(|table| describe(table, &defaults));
        Player::new(
            name,
            summary,
            parameters.collect(),
            move |position, seed, settings| {
                let mut params = apply_all(tables, &defaults, settings)?;
                params.memory = for_tables(params.memory);
                let policy = policy(&position);
                Ok(Box::new(Mcts::with_policy(position, params, seed, policy)))
            },
        )
    }

    /// Alpha-beta with an evaluation.
    pub fn alpha_beta<E: Evaluate<G> + Send + Clone + 'static>(
        summary: &'static str,
        depth: u32,
        evaluator: E,
    ) -> Player<G> {
        let defaults = Depth(depth);
        let parameters = describe(ALPHA_BETA, &defaults);
        Player::new("ab", summary, parameters, move |position, _, settings| {
            let Depth(depth) = apply(ALPHA_BETA, &defaults, settings)?;
            let params = alphabeta::Params::default();
            let search = AlphaBeta::new(position, evaluator.clone(), params);
            Ok(Box::new(DepthLimited { search, depth }))
        })
    }
}

impl<G: Game> Named for Player<G> {
    fn name(&self) -> &'static str {
        self.name
    }

    fn aliases(&self) -> &'static [&'static str] {
        self.aliases
    }
}

/// The parameters of UCT.
pub const MCTS: &[Field<mcts::Params>] = &[
    Field {
        name: "exploration",
        meaning: "weight of the exploration term, from 0; a larger weight explores more",
        values: &Number(0.0, 1000.0, |params: &mut mcts::Params| {
            &mut params.exploration
        }),
    },
    Field {
        name: "expand-after",
        meaning: "visits of a leaf before its children are added; a larger number saves memory",
        values: &Number(0, 1_000_000, |params: &mut mcts::Params| {
            &mut params.expand_after
        }),
    },
    Field {
        name: "final-move",
        meaning: "which move is played: the one with the most visits, the most wins, the highest mean, or the highest lower-bound of its confidence interval",
        values: &Choice(
            &[
                ("visits", FinalMove::Visits),
                ("wins", FinalMove::Wins),
                ("mean", FinalMove::Mean),
                ("lower-bound", FinalMove::LowerBound),
            ],
            |params: &mut mcts::Params| &mut params.final_move,
        ),
    },
    Field {
        name: "memory",
        meaning: "memory limit of the search, in MiB",
        values: &Mebibytes(1, 1 << 20, |params: &mut mcts::Params| &mut params.memory),
    },
    Field {
        name: "when-full",
        meaning: "what to do when the tree is full: collect (drop the least visited nodes), stop (end the search), or keep-searching (without new nodes)",
        values: &Choice(
            &[
                ("collect", WhenFull::Collect),
                ("stop", WhenFull::Stop),
                ("keep-searching", WhenFull::KeepSearching),
            ],
            |params: &mut mcts::Params| &mut params.when_full,
        ),
    },
    Field {
        name: "keep-proofs",
        meaning: "whether collecting nodes keeps the moves that prove the values of solved positions, while there is room",
        values: &Switch(|params: &mut mcts::Params| &mut params.keep_proofs),
    },
    Field {
        name: "threads",
        meaning: "threads that search one tree; with more than one, runs differ",
        values: &Number(1, 256, |params: &mut mcts::Params| &mut params.threads),
    },
    Field {
        name: "virtual-loss",
        meaning: "virtual loss: lost simulations that are counted for each simulation in progress on another thread",
        values: &Number(0, 1000, |params: &mut mcts::Params| {
            &mut params.virtual_loss
        }),
    },
];

/// What a search has of games whose moves fill cells, beyond UCT.
pub const RAVE: &[Field<mcts::Params>] = &[
    Field {
        name: "first-play",
        meaning: "win rate that is assumed for an unvisited move, in points; inf visits every move once first",
        values: &Number(0.0, f64::INFINITY, |params: &mut mcts::Params| {
            &mut params.first_play
        }),
    },
    Field {
        name: "first-play-reduction",
        meaning: "how much less than the win rate of its position the assumed win rate of an unvisited move is, in points; 0 assumes first-play",
        values: &Number(0.0, 1.0, |params: &mut mcts::Params| {
            &mut params.first_play_reduction
        }),
    },
    Field {
        name: "rave",
        meaning: "constant part of RAVE's k, in visits: at k visits the RAVE value and a move's own results weigh the same; 0, with rave-per-empty 0, turns RAVE off",
        values: &Number(0.0, 1e6, |params: &mut mcts::Params| &mut params.rave),
    },
    Field {
        name: "rave-per-empty",
        meaning: "increase of RAVE's k for each empty cell, in visits",
        values: &Number(0.0, 1e4, |params: &mut mcts::Params| {
            &mut params.rave_per_empty
        }),
    },
    Field {
        name: "history",
        meaning: "progressive history: weight, in games, that the results of the same cell elsewhere in the tree have for a new move; 0 turns it off",
        values: &Number(0.0, 100.0, |params: &mut mcts::Params| &mut params.history),
    },
    Field {
        name: "playouts",
        meaning: "playouts per simulation; each counts as a visit",
        values: &Number(1, 1000, |params: &mut mcts::Params| &mut params.playouts),
    },
    Field {
        name: "keep-tree",
        meaning: "whether the subtree of the move that was played is kept for the next search",
        values: &Switch(|params: &mut mcts::Params| &mut params.keep_tree),
    },
];

/// Whether a player looks into its book.
#[derive(Clone)]
struct UsesBook(bool);

/// The parameter of a player with a book.
const BOOK: &[Field<UsesBook>] = &[Field {
    name: "book",
    meaning: "whether the opening book of proven positions on small boards is used, without a search",
    values: &Switch(|UsesBook(uses)| uses),
}];

/// The depth of an alpha-beta player, in plies.
#[derive(Clone)]
struct Depth(u32);

/// The parameters of alpha-beta.
const ALPHA_BETA: &[Field<Depth>] = &[Field {
    name: "depth",
    meaning: "search depth, in plies",
    values: &Number(1, 400, |Depth(depth)| depth),
}];
