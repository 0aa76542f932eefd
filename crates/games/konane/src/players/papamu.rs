//! The default player: principal-variation search with an evaluation fitted to games of self-play.

use super::adapted::{BoardAdapter, BoardSearch};
use super::on;
use crate::evaluation::{Evaluator, Weights, load, shipped};
use crate::{BitBoard, Move, Position, PositionOn};
use engine::memory::Shares;
use engine::parameter::{Field, Mebibytes, Number, Switch, Text, apply, describe};
use engine::{Engine, ParameterError, Player};
use search::{Limits, Progress, Pvs, Report, pvs};
use std::path::Path;
use std::sync::Arc;

/// The default limit: 64 MiB for the solver, and about half as much for the search.
const MEMORY: usize = 97 << 20;
/// The most that the table of the solver gets.
const SOLVER_MEMORY: usize = 64 << 20;
/// The most that it gets of the player's limit.
const SOLVER_SHARE: f64 = 0.75;

/// What the solver can use, which is a power of two.
fn solver_memory(limit: usize) -> usize {
    let mut memory = SOLVER_MEMORY;
    while memory > limit / 4 * 3 {
        memory /= 2;
    }
    memory
}

/// What the player can be told.
#[derive(Clone)]
struct Settings {
    search: pvs::Params,
    /// [`SHIPPED`], [`NONE`] or a file.
    network: String,
}

/// The weights that the program brings.
const SHIPPED: &str = "shipped";
/// What is known without learning.
const NONE: &str = "none";

fn weights(network: &str) -> Result<Arc<Weights>, ParameterError> {
    match network {
        SHIPPED => Ok(shipped()),
        NONE => Ok(Weights::unlearned()),
        file => load(Path::new(file)).map_err(|why| ParameterError::Unusable {
            name: "network".to_owned(),
            value: file.to_owned(),
            why: why.to_string(),
        }),
    }
}

pub(super) fn player() -> Player<Position> {
    let defaults = Settings {
        search: pvs::Params {
            memory: MEMORY,
            ..pvs::Params::default()
        },
        network: SHIPPED.to_owned(),
    };
    Player::new(
        "papamu",
        "principal-variation search with an evaluation fitted to games of self-play",
        describe(FIELDS, &defaults),
        move |position, seed, settings| {
            let settings = apply(FIELDS, &defaults, settings)?;
            let weights = weights(&settings.network)?;
            // Two words are faster than four, but three are not.
            let make = move |position: &Position, _| match position.shape().area().div_ceil(64) {
                0 | 1 => board_search::<1>(position, &settings, &weights),
                2 => board_search::<2>(position, &settings, &weights),
                3 | 4 => board_search::<4>(position, &settings, &weights),
                _ => board_search::<7>(position, &settings, &weights),
            };
            Ok(Box::new(BoardAdapter::new(position, seed, make)) as Box<dyn Engine<_>>)
        },
    )
    .with_book(include_str!("book.txt"))
}

fn board_search<const WORDS: usize>(
    position: &Position,
    settings: &Settings,
    weights: &Weights,
) -> Box<dyn BoardSearch> {
    // The solver takes boards of one word.
    let solvers = usize::from(WORDS == 1);
    let limit = settings.search.memory;
    let shares = Shares::of(limit, solvers, solver_memory(limit), SOLVER_SHARE);
    let evaluator = Evaluator::<WORDS>::with_weights(position.shape(), weights)
        .with_solver_memory(shares.solver);
    let params = pvs::Params {
        memory: shares.search,
        ..settings.search.clone()
    };
    Box::new(Pvs::new(on(position), evaluator, params))
}

impl<const WORDS: usize> BoardSearch for Pvs<PositionOn<BitBoard<WORDS>>, Evaluator<WORDS>> {
    fn advance(&mut self, mv: Move) {
        // The move is legal; were it not, nothing would happen.
        let _: Result<(), _> = Pvs::advance(self, mv);
    }

    /// It makes no simulations; a limit of them is taken for one of nodes.
    fn search(
        &mut self,
        limits: &Limits,
        progress: &mut dyn FnMut(&Progress<Move>),
    ) -> Report<Move> {
        let limits = Limits {
            nodes: limits.nodes.or(limits.simulations),
            ..limits.clone()
        };
        Pvs::search(self, &limits, progress)
    }
}

const FIELDS: &[Field<Settings>] = &[
    Field {
        name: "memory",
        meaning: "memory limit of the search, in MiB",
        values: &Mebibytes(1, 1 << 20, |settings: &mut Settings| {
            &mut settings.search.memory
        }),
    },
    Field {
        name: "threads",
        meaning: "search threads, from 1 to 256; with more than one, runs differ",
        values: &Number(1, 256, |settings: &mut Settings| {
            &mut settings.search.threads
        }),
    },
    Field {
        name: "aspiration",
        meaning: "half the width of the aspiration window, in hundredths of a logit from 1 to 100000",
        values: &Number(1, 100_000, |settings: &mut Settings| {
            &mut settings.search.aspiration
        }),
    },
    Field {
        name: "reductions",
        meaning: "late move reductions: yes or no",
        values: &Switch(|settings: &mut Settings| &mut settings.search.reductions),
    },
    Field {
        name: "finish",
        meaning: "whether it searches to the end of the game when the end is near: yes or no",
        values: &Switch(|settings: &mut Settings| &mut settings.search.finish),
    },
    Field {
        name: "network",
        meaning: "weights of the evaluation: shipped, none (stones that can jump) or a file made by papamu learn",
        values: &Text(
            "shipped, none or the path of a file",
            |settings: &mut Settings| &mut settings.network,
        ),
    },
    Field {
        name: "every-move",
        meaning: "whether every move gets a value of its own, for analysis, instead of the best one alone: yes or no",
        values: &Switch(|settings: &mut Settings| &mut settings.search.every_move),
    },
];
