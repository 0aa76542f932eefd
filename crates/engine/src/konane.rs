//! The players of Kōnane.

use crate::{BoardError, BoardOptions, Playable, Player};
use game::Game;
use konane::{Board, Opening, Position, Shape, Start};
use search::{Evaluate, UniformPlayout, mcts};

/// The evaluation q of Shokry's thesis (2023), section 2.4.1: movable stones of the side to move divided
/// by those of the opponent, in thousandths; without an opponent's movable stone, a thousand for each
/// own one.
#[derive(Clone)]
struct MovableRatio;

impl<B: Board> Evaluate<Position<B>> for MovableRatio {
    fn evaluate(&mut self, position: &Position<B>) -> i32 {
        let mover = position.to_move();
        let own = position.board().movable(mover) as i32;
        let opponent = position.board().movable(!mover) as i32;
        if opponent == 0 {
            own * 1000
        } else {
            own * 1000 / opponent
        }
    }
}

impl<B: Board> Playable for Position<B> {
    fn players() -> Vec<Player<Self>> {
        vec![
            Player::alpha_beta(
                "alpha-beta to a fixed depth, with the ratio of movable stones as evaluation",
                6,
                MovableRatio,
            ),
            Player::uct(
                "Monte Carlo tree search: UCT with uniformly random playouts",
                mcts::Params {
                    exploration: 2.0,
                    ..mcts::Params::default()
                },
                |_| UniformPlayout::new(),
            ),
            Player::random(),
        ]
    }

    fn start(options: &BoardOptions) -> Result<Self, BoardError> {
        if options.swap {
            return Err(BoardError::of("--swap is for havannah"));
        }
        Position::new(&start(options)?).map_err(BoardError::of)
    }

    fn resized(options: &BoardOptions, arguments: &[&str]) -> Result<BoardOptions, BoardError> {
        let (rows, cols) = match arguments {
            [size] => (size, size),
            [rows, cols] => (rows, cols),
            _ => {
                return Err(BoardError::of(
                    "expected rows and columns, such as 6 8, or one size",
                ));
            }
        };
        let number = |text: &str| {
            let error = |_| BoardError(format!("{text:?} is not a number of rows or columns"));
            text.parse().map(Some).map_err(error)
        };
        Ok(BoardOptions {
            size: None,
            rows: number(rows)?,
            cols: number(cols)?,
            ..options.clone()
        })
    }

    fn size_name(&self) -> String {
        let shape = self.shape();
        if shape.rows() == shape.cols() {
            shape.rows().to_string()
        } else {
            format!("{}x{}", shape.rows(), shape.cols())
        }
    }

    fn dialect(_name: &str) -> Option<()> {
        None
    }
}

fn shape(rows: u32, cols: u32) -> Result<Shape, BoardError> {
    Shape::new(rows as usize, cols as usize).map_err(BoardError::of)
}

fn start(options: &BoardOptions) -> Result<Start, BoardError> {
    let square = match &options.size {
        None => 8,
        Some(size) => size.parse().map_err(|_| {
            BoardError(format!("{size:?} is not a size of a konane board: expected one number from 1 to 20, or --rows and --cols"))
        })?,
    };
    let opening = match (&options.setup, options.opening.as_deref()) {
        (Some(_), Some(_)) => {
            return Err(BoardError::of(
                "--setup has the stones removed already, so that there is no --opening",
            ));
        }
        (Some(setup), None) => Opening::Removed(setup.parse().map_err(BoardError::of)?),
        (None, None | Some("traditional")) => Opening::Traditional,
        (None, Some("any")) => Opening::AnyStone,
        (None, Some(other)) => {
            return Err(BoardError(format!(
                "{other:?} is not an opening: expected traditional or any"
            )));
        }
    };
    Ok(Start {
        shape: shape(
            options.rows.unwrap_or(square),
            options.cols.unwrap_or(square),
        )?,
        opening,
    })
}
