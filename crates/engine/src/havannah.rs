//! The players and solvers of Havannah.

mod solvable;
mod solvers;

use crate::{BoardError, BoardOptions, Playable, Player, Solver};
use game::Game;
use havannah::{Dialect, Position, Shape};
use search::Evaluate;

/// Alpha-beta's evaluation of an unfinished game of Havannah: nothing is known of it.
#[derive(Clone)]
struct NoKnowledge;

impl Evaluate<Position> for NoKnowledge {
    fn evaluate(&mut self, _position: &Position) -> i32 {
        0
    }
}

impl Playable for Position {
    fn players() -> Vec<Player<Position>> {
        let mut players = vec![crate::papamu::player()];
        players.extend(crate::thesis::players());
        players.extend([
            Player::alpha_beta(
                "alpha-beta to a fixed depth, which sees wins and losses and nothing else",
                3,
                NoKnowledge,
            ),
            Player::random(),
        ]);
        players
    }

    fn solvers() -> Vec<Solver<Position>> {
        solvers::solvers()
    }

    fn start(options: &BoardOptions) -> Result<Position, BoardError> {
        if options.rows.is_some() || options.cols.is_some() {
            return Err(BoardError::of(
                "Havannah boards have a --size, not --rows and --cols",
            ));
        }
        if options.setup.is_some() || options.opening.is_some() {
            return Err(BoardError::of("--setup and --opening are for konane"));
        }
        let size = options.size.as_deref().unwrap_or("8");
        let shape: Shape = size.parse().map_err(BoardError::of)?;
        Ok(with_swap_rule(Position::new(shape), options.swap))
    }

    fn resized(options: &BoardOptions, arguments: &[&str]) -> Result<BoardOptions, BoardError> {
        let [size] = arguments else {
            return Err(BoardError::of("expected one size, such as 8 or 4x4x5"));
        };
        Ok(BoardOptions {
            size: Some((*size).to_owned()),
            ..options.clone()
        })
    }

    fn size_name(&self) -> String {
        self.geometry().shape().to_string()
    }

    fn structure(&self) -> Option<String> {
        self.structure().map(|structure| structure.to_string())
    }

    fn dialect(name: &str) -> Option<Dialect> {
        name.parse().ok()
    }

    /// A game in which Black swaps is played under the swap rule.
    fn admitting(self, moves: &[&str]) -> Position {
        let swaps = moves
            .get(1)
            .is_some_and(|mv| mv.eq_ignore_ascii_case("swap"));
        let swap_rule = self.swap_rule() || (self.ply() == 0 && swaps);
        with_swap_rule(self, swap_rule)
    }
}

fn with_swap_rule(position: Position, swap_rule: bool) -> Position {
    if swap_rule {
        position.under_swap_rule()
    } else {
        position
    }
}
