//! Monte Carlo tree search with uniformly random playouts, on a board whose number of words is known.

use super::adapted::{BoardAdapter, BoardSearch};
use super::{on, words};
use crate::{BitBoard, Board, Move, Position, PositionOn};
use engine::memory::for_tables;
use engine::parameter::{apply, describe};
use engine::player::MCTS;
use engine::{Engine, Player};
use search::{Limits, Mcts, Progress, Report, UniformPlayout, mcts};

type Make = fn(&Position, &mcts::Params, u64) -> Box<dyn BoardSearch>;

/// A player with these defaults, on bitboards.
pub(super) fn player(
    name: &'static str,
    summary: &'static str,
    defaults: mcts::Params,
) -> Player<Position> {
    player_on(
        name,
        summary,
        defaults,
        |position, params, seed| match words(position) {
            1 => board_search::<BitBoard<1>>(position, params, seed),
            4 => board_search::<BitBoard<4>>(position, params, seed),
            _ => board_search::<BitBoard<7>>(position, params, seed),
        },
    )
}

/// A player on boards of another kind.
pub(super) fn player_on(
    name: &'static str,
    summary: &'static str,
    defaults: mcts::Params,
    make: Make,
) -> Player<Position> {
    Player::new(
        name,
        summary,
        describe(MCTS, &defaults),
        move |position, seed, settings| {
            let mut params = apply(MCTS, &defaults, settings)?;
            params.memory = for_tables(params.memory);
            let make = move |position: &Position, seed| make(position, &params, seed);
            Ok(Box::new(BoardAdapter::new(position, seed, make)) as Box<dyn Engine<_>>)
        },
    )
}

/// The search on a kind of board.
pub(super) fn board_search<C: Board>(
    position: &Position,
    params: &mcts::Params,
    seed: u64,
) -> Box<dyn BoardSearch> {
    Box::new(Mcts::new(on::<C>(position), params.clone(), seed))
}

impl<C: Board> BoardSearch for Mcts<PositionOn<C>, UniformPlayout<PositionOn<C>>> {
    fn advance(&mut self, mv: Move) {
        // The move is legal; were it not, nothing would happen.
        let _: Result<(), _> = Mcts::advance(self, mv);
    }

    fn search(
        &mut self,
        limits: &Limits,
        progress: &mut dyn FnMut(&Progress<Move>),
    ) -> Report<Move> {
        Mcts::search(self, limits, progress)
    }

    fn statistics(&self) -> Option<mcts::Statistics> {
        Some(Mcts::statistics(self))
    }
}
