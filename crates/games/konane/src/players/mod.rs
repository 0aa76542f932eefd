//! The players of Kōnane.

mod adapted;
mod implicit;
mod papamu;
mod thesis;

use crate::rules::Known;
use crate::{Board, Move, Position, PositionOn, transferred};
use engine::{Player, greedy};
use game::random::Rng;
use game::{Game, Outcome};
use search::{Playout, mcts};

/// The players, the default one first.
pub(crate) fn players() -> Vec<Player<Position>> {
    let mut players = vec![papamu::player()];
    players.extend(thesis::players());
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
            "a move that leaves itself the most moves to choose from next",
            |position: &mut Position, mv| {
                let own = position.to_move();
                position.explore(mv, |after| after.board().moves(own) as i32)
            },
        ),
        Player::uct(
            "Monte Carlo tree search: UCT with uniformly random playouts and proofs",
            mcts::Params {
                exploration: 2.0,
                ..mcts::Params::default()
            },
            |_| Uniform,
        ),
        Player::random(),
    ]);
    players
}

/// Uniformly random playouts on a board whose number of words is known.
#[derive(Clone)]
struct Uniform;

impl Playout<Position> for Uniform {
    fn run(&mut self, position: &Position, rng: &mut Rng) -> Outcome {
        fn played_out<G: Game>(mut position: G, rng: &mut Rng) -> Outcome {
            while let Some(mv) = position.random_move(rng) {
                position.play_unchecked(mv);
            }
            // Kōnane has no draws, and a position without a move is over.
            position.outcome().unwrap_or(Outcome::Draw)
        }
        match position.known() {
            Known::One(position) => played_out(position, rng),
            Known::Seven(position) => played_out(position, rng),
        }
    }
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
