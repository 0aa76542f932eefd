//! Joins a game with a search under a name.
//!
//! [`Engine`] is what a program needs of a player, whatever the search behind it. Each game that can be
//! played is a [`Playable`]: it has named [`Player`]s and [`Solver`]s, whose parameters are read from
//! text, and boards that are named by text.

mod board;
mod book;
pub mod castro;
mod comparison;
mod engines;
pub mod greedy;
mod insight;
mod level;
mod long_run;
pub mod memory;
mod named;
pub mod parameter;
mod playable;
pub mod player;
mod playouts;
mod prover;
mod replace;
mod review;
mod set_up;
pub mod solver;
mod summary;
mod turn;
pub mod weights;

pub use board::{BoardError, BoardOptions, OptionKind, StartOption};
pub use book::Book;
pub use comparison::{Assessment, compare};
pub use engines::Engine;
pub use insight::{
    Evidence, ExpectedCell, ExpectedEnd, ExpectedStructures, FirstStone, Insight, LikelyMove,
    MoveKind, Opinion, Sight,
};
pub use level::Level;
pub use long_run::{
    Checkpoints, LongRunError, load_checkpoint, save_checkpoint, solve_on, with_suffix,
};
pub use parameter::{Parameter, ParameterError, Setting};
pub use playable::{Playable, UnknownPlayer, list_items, rules};
pub use player::Player;
pub use playouts::{Playouts, STONES, uniform_playouts};
pub use prover::{Certified, NodesLeft, Prover, certificate_header};
pub use replace::{Replacement, replace_file};
pub use review::{Mistake, ReviewedMove, Reviewer};
pub use set_up::SetUp;
pub use solver::{Resources, SolveError, Solver, Solving, Task, Tell, UnknownSolver};
pub use summary::{End, MonteCarlo, MoveSummary, Phases, Summary};
pub use turn::TurnStatistics;
