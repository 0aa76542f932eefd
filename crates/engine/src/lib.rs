//! Joins a game with a search under a name.
//!
//! [`Engine`] is what a program needs of a player, whatever the search behind it. Each game that can be
//! played is a [`Playable`]: it has named [`Player`]s and [`Solver`]s, whose parameters are read from
//! text, and boards that are named by text.

mod board;
mod engines;
mod family;
mod greedy;
mod havannah;
mod konane;
mod long_run;
mod papamu;
mod parameter;
mod playable;
mod player;
mod replace;
mod review;
mod solvable;
mod solver;
mod summary;
mod thesis;
mod turn;

pub use board::{BoardError, BoardOptions};
pub use engines::Engine;
pub use long_run::{
    Checkpoints, LongRunError, load_checkpoint, save_checkpoint, solve_on, with_suffix,
};
pub use parameter::{Parameter, ParameterError, Setting};
pub use playable::{Playable, UnknownPlayer, list_items};
pub use player::Player;
pub use replace::replace_file;
pub use review::{Assessment, Mistake, ReviewedMove, Reviewer};
pub use solvable::{Solvable, certificate_header, strategy};
pub use solver::{Resources, SolveError, Solver, Solving, Task, Tell, UnknownSolver};
pub use summary::{End, MonteCarlo, MoveSummary, Phases, Summary};
pub use turn::TurnStatistics;
