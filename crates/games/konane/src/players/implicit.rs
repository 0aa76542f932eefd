//! The player to compare `papamu` with: Monte Carlo tree search with implicit minimax backups and the same
//! evaluation.

use super::adapted::{BoardAdapter, BoardSearch};
use super::{on, papamu, words};
use crate::evaluation::Evaluator;
use crate::{BitBoard, Move, Position, PositionOn};
use engine::parameter::{Field, Number, apply, describe};
use engine::{Engine, Player};
use search::implicit::{ImplicitMcts, Params};
use search::{Evaluate, Limits, Progress, Report};

pub(super) fn player() -> Player<Position> {
    let defaults = Params::default();
    Player::new(
        "imcts",
        "Monte Carlo tree search with implicit minimax and the evaluation of papamu",
        describe(FIELDS, &defaults),
        move |position, seed, settings| {
            let params = apply(FIELDS, &defaults, settings)?;
            let make = move |position: &Position, seed| match words(position) {
                1 => board_search::<1>(position, &params, seed),
                4 => board_search::<4>(position, &params, seed),
                _ => board_search::<7>(position, &params, seed),
            };
            Ok(Box::new(BoardAdapter::new(position, seed, make)) as Box<dyn Engine<_>>)
        },
    )
    .with_weights(|_, _| Ok(Some(papamu::shipped_in_use())))
}

fn board_search<const WORDS: usize>(
    position: &Position,
    params: &Params,
    seed: u64,
) -> Box<dyn BoardSearch> {
    let evaluator = Evaluator::<WORDS>::new(position.shape());
    let evaluate = move |position: &PositionOn<BitBoard<WORDS>>| evaluator.value(position);
    let params = params.clone();
    Box::new(ImplicitMcts::new(on(position), evaluate, params, seed))
}

impl<const WORDS: usize, E> BoardSearch for ImplicitMcts<PositionOn<BitBoard<WORDS>>, E>
where
    E: Evaluate<PositionOn<BitBoard<WORDS>>> + Send,
{
    fn advance(&mut self, mv: Move) {
        // The move is legal; were it not, nothing would happen.
        let _: Result<(), _> = ImplicitMcts::advance(self, mv);
    }

    fn search(
        &mut self,
        limits: &Limits,
        progress: &mut dyn FnMut(&Progress<Move>),
    ) -> Report<Move> {
        ImplicitMcts::search(self, limits, progress)
    }
}

const FIELDS: &[Field<Params>] = &[
    Field {
        name: "minimax",
        meaning: "share of the minimax value in the value of a node, from 0 to 1; the rest is the mean of its simulations",
        values: &Number(0.0, 1.0, |params: &mut Params| &mut params.weight),
    },
    Field {
        name: "exploration",
        meaning: "weight of the exploration term, from 0; a larger weight explores more",
        values: &Number(0.0, 1000.0, |params: &mut Params| &mut params.exploration),
    },
    Field {
        name: "playout",
        meaning: "random moves after the leaf before the position is evaluated, from 0 to 400",
        values: &Number(0, 400, |params: &mut Params| &mut params.playout),
    },
    Field {
        name: "nodes",
        meaning: "largest number of nodes in the tree, of 48 bytes each",
        values: &Number(1000, 100_000_000, |params: &mut Params| {
            &mut params.most_nodes
        }),
    },
];
