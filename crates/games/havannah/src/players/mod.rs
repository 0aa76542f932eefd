//! The players of Havannah.

pub(crate) mod castro;
mod first_stone;
mod human_like;
pub(crate) mod network;
mod papamu;

use crate::Position;
use engine::Player;
use search::Evaluate;

/// Alpha-beta's evaluation of an unfinished game of Havannah: nothing is known of it.
#[derive(Clone)]
struct NoKnowledge;

impl Evaluate<Position> for NoKnowledge {
    fn evaluate(&mut self, _position: &Position) -> i32 {
        0
    }
}

/// The players, the default one first.
pub(crate) fn players() -> Vec<Player<Position>> {
    let mut players = vec![papamu::player()];
    players.extend(castro::players());
    players.extend([
        human_like::player(),
        Player::alpha_beta(
            "alpha-beta to a fixed depth, with an evaluation of wins and losses only",
            3,
            NoKnowledge,
        ),
        Player::random(),
    ]);
    players
}
