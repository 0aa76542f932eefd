//! The players of Kōnane.

mod adapted;
mod implicit;
mod monte_carlo;
pub(crate) mod papamu;
mod shokry;

use crate::{Board, Move, Position, PositionOn, transferred};
use engine::{Player, greedy};
use game::Game;
use search::mcts;

/// The players, the default one first.
pub(crate) fn players() -> Vec<Player<Position>> {
    let mut players = vec![papamu::player()];
    players.extend(shokry::players());
    players.push(implicit::player());
    players.extend([
        greedy::player(
            "greedy-captures",
            "a move that captures the most stones",
            |_, mv| match mv {
                Move::Remove(_) => 0,
                Move::Jump { .. } => mv.captured().count() as i32,
            },
        ),
        greedy::player(
            "greedy-mobility",
            "a move after which the player has the most moves",
            |position: &mut Position, mv| {
                let own = position.to_move();
                position.explore(mv, |after| after.board().moves(own) as i32)
            },
        ),
        monte_carlo::player(
            "uct",
            "Monte Carlo tree search: UCT with uniformly random playouts and proofs",
            mcts::Params {
                exploration: 2.0,
                ..mcts::Params::default()
            },
        ),
        Player::random(),
    ]);
    players
}

/// The words that hold the cells of the board: 1, 4 or 7.
fn words(position: &Position) -> usize {
    let area = position.shape().area();
    [1, 4]
        .into_iter()
        .find(|words| area <= 64 * words)
        .unwrap_or(7)
}

/// The position on a board that has room for it.
fn on<C: Board>(position: &Position) -> PositionOn<C> {
    transferred(position).expect("a board with enough words")
}
