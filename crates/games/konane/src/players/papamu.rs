//! The default player: principal-variation search with an evaluation fitted to games of self-play.

use super::adapted::{BoardAdapter, BoardSearch};
use super::{on, words};
use crate::evaluation::Evaluator;
use crate::{BitBoard, Move, Position, PositionOn};
use engine::memory::Shares;
use engine::parameter::{Field, apply, describe, name_of, number, yes_or_no};
use engine::{Engine, Player};
use search::{Limits, Progress, Pvs, Report, pvs};

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
    network: bool,
}

pub(super) fn player() -> Player<Position> {
    let defaults = Settings {
        search: pvs::Params {
            memory: MEMORY,
            ..pvs::Params::default()
        },
        network: true,
    };
    Player::new(
        "papamu",
        "principal-variation search with an evaluation fitted to games of self-play",
        describe(FIELDS, &defaults),
        move |position, seed, settings| {
            let settings = apply(FIELDS, &defaults, settings)?;
            let make = move |position: &Position, _| match words(position) {
                1 => thinker::<1>(position, &settings),
                4 => thinker::<4>(position, &settings),
                _ => thinker::<7>(position, &settings),
            };
            Ok(Box::new(BoardAdapter::new(position, seed, make)) as Box<dyn Engine<_>>)
        },
    )
}

fn thinker<const WORDS: usize>(position: &Position, settings: &Settings) -> Box<dyn BoardSearch> {
    // The solver takes boards of one word.
    let solvers = usize::from(WORDS == 1);
    let limit = settings.search.memory;
    let shares = Shares::of(limit, solvers, solver_memory(limit), SOLVER_SHARE);
    let mut evaluator = Evaluator::<WORDS>::new(position.shape()).with_solver_memory(shares.solver);
    if !settings.network {
        evaluator = evaluator.without_network();
    }
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
        expected: "a whole number from 1 to 1048576",
        get: |settings| (settings.search.memory >> 20).to_string(),
        set: |settings, text| {
            settings.search.memory = number(text, 1..=1 << 20)? << 20;
            Some(())
        },
    },
    Field {
        name: "threads",
        meaning: "search threads, from 1 to 256; with more than one, runs differ",
        expected: "a whole number from 1 to 256",
        get: |settings| settings.search.threads.to_string(),
        set: |settings, text| {
            settings.search.threads = number(text, 1..=256)?;
            Some(())
        },
    },
    Field {
        name: "aspiration",
        meaning: "half the width of the aspiration window, in hundredths of a logit from 1 to 100000",
        expected: "a whole number from 1 to 100000",
        get: |settings| settings.search.aspiration.to_string(),
        set: |settings, text| {
            settings.search.aspiration = number(text, 1..=100_000)?;
            Some(())
        },
    },
    Field {
        name: "reductions",
        meaning: "late move reductions: yes or no",
        expected: "yes or no",
        get: |settings| name_of(settings.search.reductions),
        set: |settings, text| {
            settings.search.reductions = yes_or_no(text)?;
            Some(())
        },
    },
    Field {
        name: "finish",
        meaning: "whether it searches to the end of the game when the end is near: yes or no",
        expected: "yes or no",
        get: |settings| name_of(settings.search.finish),
        set: |settings, text| {
            settings.search.finish = yes_or_no(text)?;
            Some(())
        },
    },
    Field {
        name: "network",
        meaning: "whether a small network adds to the evaluation on 8×8: yes or no",
        expected: "yes or no",
        get: |settings| name_of(settings.network),
        set: |settings, text| {
            settings.network = yes_or_no(text)?;
            Some(())
        },
    },
    Field {
        name: "every-move",
        meaning: "whether every move gets a value of its own, for analysis, instead of the best one alone: yes or no",
        expected: "yes or no",
        get: |settings| name_of(settings.search.every_move),
        set: |settings, text| {
            settings.search.every_move = yes_or_no(text)?;
            Some(())
        },
    },
];
