//! The players and solvers of Kōnane.

mod adapted;
mod implicit;
mod papamu;
mod solvable;
mod solvers;
mod thesis;

use crate::{BoardError, BoardOptions, Playable, Player, Solver, greedy};
use game::Game;
use konane::{
    Board, LargeBitBoard, Move, Opening, Position, Shape, SmallBitBoard, Start, transferred,
};
use search::{UniformPlayout, mcts};

/// A board whose players and solvers this crate holds.
///
/// What is generic is compiled in the crate that names the type. If [`Playable`] held for every [`Board`],
/// all searches of Kōnane would be compiled again in each crate that asks for a player.
pub trait Held: Board {
    /// The players, the default one first.
    fn players() -> Vec<Player<Position<Self>>>;

    /// The solvers, the default one first.
    fn solvers() -> Vec<Solver<Position<Self>>>;
}

impl Held for SmallBitBoard {
    #[inline(never)]
    fn players() -> Vec<Player<Position<Self>>> {
        players()
    }

    #[inline(never)]
    fn solvers() -> Vec<Solver<Position<Self>>> {
        solvers::solvers()
    }
}

impl Held for LargeBitBoard {
    #[inline(never)]
    fn players() -> Vec<Player<Position<Self>>> {
        players()
    }

    #[inline(never)]
    fn solvers() -> Vec<Solver<Position<Self>>> {
        solvers::solvers()
    }
}

fn players<B: Board>() -> Vec<Player<Position<B>>> {
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
            |position: &mut Position<B>, mv| {
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
            |_| UniformPlayout::new(),
        ),
        Player::random(),
    ]);
    players
}

impl<B: Held> Playable for Position<B> {
    fn players() -> Vec<Player<Self>> {
        B::players()
    }

    fn solvers() -> Vec<Solver<Self>> {
        B::solvers()
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

/// The words that hold the cells of the board: 1, 4 or 7.
fn words<B: Board>(position: &Position<B>) -> usize {
    let area = position.shape().area();
    [1, 4]
        .into_iter()
        .find(|words| area <= 64 * words)
        .unwrap_or(7)
}

/// The position on a board that has room for it.
fn on<B: Board, C: Board>(position: &Position<B>) -> Position<C> {
    transferred(position).expect("a board with enough words")
}
