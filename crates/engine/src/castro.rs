//! The solvers of the Castro thesis (2012) that are the same for all games, with their parameters.

use crate::memory::for_tables;
use crate::parameter::{Field, name_of, number, yes_or_no};
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

type Tables<Q> = &'static [&'static [Field<Settings<Q>>]];

impl<Q: OfGame> Settings<Q> {
    const ALPHA_BETA: Tables<Q> = &[&[table(), lookahead()], Q::FIELDS];
    const NUMBERS: &'static [Field<Settings<Q>>] = &proof_numbers();
    const TREE: Tables<Q> = &[
        &[lookahead()],
        Self::NUMBERS,
        &[collecting(), parallel()],
        Q::FIELDS,
    ];
    const TABLE: Tables<Q> = &[&[lookahead()], Self::NUMBERS, &[copying()], Q::FIELDS];
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

/// What all of them have.
const fn lookahead<Q>() -> Field<Settings<Q>> {
    Field {
        name: "lookahead",
        meaning: "lookahead at leaves, in plies: 1 sees wins of the side to move, 2 also the opponent's wins that it cannot prevent",
        expected: "0, 1 or 2",
        get: |settings| (settings.search.lookahead as u8).to_string(),
        set: |settings, text| {
            settings.search.lookahead = match text {
                "0" => Lookahead::None,
                "1" => Lookahead::OnePly,
                "2" => Lookahead::TwoPlies,
                _ => return None,
            };
            Some(())
        },
    }
}

/// What alpha-beta has.
const fn table<Q>() -> Field<Settings<Q>> {
    Field {
        name: "table",
        meaning: "whether there is a transposition table",
        expected: "yes or no",
        get: |settings| name_of(settings.search.table),
        set: |settings, text| {
            settings.search.table = yes_or_no(text)?;
            Some(())
        },
    }
}

/// What proof-number searches have.
const fn proof_numbers<Q>() -> [Field<Settings<Q>>; 5] {
    [
        Field {
            name: "depth-first",
            meaning: "yes: a subtree is searched until its numbers reach the thresholds; no: each expansion descends from the root",
            expected: "yes or no",
            get: |settings| name_of(settings.search.depth_first),
            set: |settings, text| {
                settings.search.depth_first = yes_or_no(text)?;
                Some(())
            },
        },
        Field {
            name: "epsilon",
            meaning: "the ε of the 1 + ε trick: a child is searched until its number exceeds that of its best sibling by this fraction, from 0",
            expected: "a number from 0 to 1000",
            get: |settings| settings.search.epsilon.to_string(),
            set: |settings, text| {
                settings.search.epsilon = number(text, 0.0..=1000.0)?;
                Some(())
            },
        },
        Field {
            name: "initial",
            meaning: "initial proof and disproof numbers of a leaf: one, replies (the number of moves to refute), or distance (of each side to a win)",
            expected: "one, replies or distance",
            get: |settings| {
                let name = match settings.search.initial {
                    Initial::One => "one",
                    Initial::Replies => "replies",
                    Initial::Distance => "distance",
                };
                name.to_owned()
            },
            set: |settings, text| {
                settings.search.initial = match text {
                    "one" => Initial::One,
                    "replies" => Initial::Replies,
                    "distance" => Initial::Distance,
                    _ => return None,
                };
                Some(())
            },
        },
        Field {
            name: "draws",
            meaning: "how draws are told from losses: three-values (in one tree), or two-searches (that know wins alone)",
            expected: "three-values or two-searches",
            get: |settings| {
                let name = match settings.search.draws {
                    Draws::ThreeValues => "three-values",
                    Draws::TwoSearches => "two-searches",
                };
                name.to_owned()
            },
            set: |settings, text| {
                settings.search.draws = match text {
                    "three-values" => Draws::ThreeValues,
                    "two-searches" => Draws::TwoSearches,
                    _ => return None,
                };
                Some(())
            },
        },
        Field {
            name: "depth-bound",
            meaning: "depth limit of the first search, in plies, by which the limit grows while the value is unknown; 0 for no limit",
            expected: "a whole number from 0 to 1000",
            get: |settings| settings.search.depth_bound.to_string(),
            set: |settings, text| {
                settings.search.depth_bound = number(text, 0..=1000)?;
                Some(())
            },
        },
    ]
}

/// What searches on a tree have.
const fn collecting<Q>() -> Field<Settings<Q>> {
    Field {
        name: "collect",
        meaning: "what to do when the tree is full: yes drops the subtrees with the least work, no ends the search",
        expected: "yes or no",
        get: |settings| name_of(settings.search.collect),
        set: |settings, text| {
            settings.search.collect = yes_or_no(text)?;
            Some(())
        },
    }
}

/// What a search by several threads has.
const fn parallel<Q>() -> Field<Settings<Q>> {
    Field {
        name: "virtual-loss",
        meaning: "virtual loss: increase of a child's number for each other thread that searches it, as a fraction of the number, from 0",
        expected: "a number from 0 to 1000",
        get: |settings| settings.search.virtual_loss.to_string(),
        set: |settings, text| {
            settings.search.virtual_loss = number(text, 0.0..=1000.0)?;
            Some(())
        },
    }
}

/// What a search on a transposition table has.
const fn copying<Q>() -> Field<Settings<Q>> {
    Field {
        name: "copy-proofs",
        meaning: "siblings of a refuted move against which the same replies are tried",
        expected: "a whole number from 0 to 1000",
        get: |settings| settings.search.copy_proofs.to_string(),
        set: |settings, text| {
            settings.search.copy_proofs = number(text, 0..=1000)?;
            Some(())
        },
    }
}
