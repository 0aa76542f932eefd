//! The default player: principal-variation search with an evaluation tuned by games.

use super::adapted::{Adapted, Thinker};
use super::{on, words};
use crate::parameter::{Field, apply, describe, name_of, number, yes_or_no};
use crate::{Engine, Player};
use konane::evaluation::Evaluator;
use konane::{BitBoard, Board, Move, Position};
use search::{Limits, Progress, Pvs, Report, pvs};

pub(super) fn player<B: Board>() -> Player<Position<B>> {
    let defaults = pvs::Params::default();
    Player::new(
        "papamu",
        "principal-variation search with an evaluation tuned by games",
        describe(FIELDS, &defaults),
        move |position, seed, settings| {
            let params = apply(FIELDS, &defaults, settings)?;
            let make = move |position: &Position<B>, _| match words(position) {
                1 => thinker::<B, 1>(position, &params),
                4 => thinker::<B, 4>(position, &params),
                _ => thinker::<B, 7>(position, &params),
            };
            Ok(Box::new(Adapted::new(position, seed, make)) as Box<dyn Engine<_>>)
        },
    )
}

fn thinker<B: Board, const WORDS: usize>(
    position: &Position<B>,
    params: &pvs::Params,
) -> Box<dyn Thinker> {
    let evaluator = Evaluator::<WORDS>::new(position.shape());
    Box::new(Pvs::new(on(position), evaluator, params.clone()))
}

impl<const WORDS: usize> Thinker for Pvs<Position<BitBoard<WORDS>>, Evaluator<WORDS>> {
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

const FIELDS: &[Field<pvs::Params>] = &[
    Field {
        name: "memory",
        meaning: "memory for the transposition table, in MiB",
        expected: "a whole number from 1 to 1048576",
        get: |params| (params.memory >> 20).to_string(),
        set: |params, text| {
            params.memory = number(text, 1..=1 << 20)? << 20;
            Some(())
        },
    },
    Field {
        name: "threads",
        meaning: "threads that search, from 1 to 256; with one a search is the same each time",
        expected: "a whole number from 1 to 256",
        get: |params| params.threads.to_string(),
        set: |params, text| {
            params.threads = number(text, 1..=256)?;
            Some(())
        },
    },
    Field {
        name: "aspiration",
        meaning: "how far the first window reaches round the value before, in hundredths of a logit from 1 to 100000",
        expected: "a whole number from 1 to 100000",
        get: |params| params.aspiration.to_string(),
        set: |params, text| {
            params.aspiration = number(text, 1..=100_000)?;
            Some(())
        },
    },
    Field {
        name: "reductions",
        meaning: "whether moves late in the order are searched less deeply at first: yes or no",
        expected: "yes or no",
        get: |params| name_of(params.reductions),
        set: |params, text| {
            params.reductions = yes_or_no(text)?;
            Some(())
        },
    },
    Field {
        name: "finish",
        meaning: "whether it searches to the end of the game when that is near: yes or no",
        expected: "yes or no",
        get: |params| name_of(params.finish),
        set: |params, text| {
            params.finish = yes_or_no(text)?;
            Some(())
        },
    },
    Field {
        name: "every-move",
        meaning: "whether each move gets a value of its own, for analysis, and not only the best one: yes or no",
        expected: "yes or no",
        get: |params| name_of(params.every_move),
        set: |params, text| {
            params.every_move = yes_or_no(text)?;
            Some(())
        },
    },
];
