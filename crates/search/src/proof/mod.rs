//! Solvers: the exact value of a position, proven under the rules.
//!
//! The family of the Castro thesis (2012, "Castro"), for every game that has a [`State`]: [`Pns`],
//! proof-number search on a tree, by one thread or several.
//!
//! Draws are told from losses by two questions, whether the side to move wins and whether the opponent
//! does. Nothing that is claimed rests on a hash: tables hold full keys.

mod alphabeta;
mod bounds;
mod lookahead;
mod numbers;
mod params;
mod pns;
mod pns_table;
mod questions;
mod replay;
mod report;
mod solver;
mod state;
mod table;
mod tree;

pub use alphabeta::AlphaBeta;
pub use bounds::Bounds;
pub use lookahead::look_ahead;
pub use params::{Draws, Initial, Params};
pub use pns::Pns;
pub use pns_table::PnsTable;
pub use report::{SolveProgress, SolveReport};
pub use solver::{Method, Solver};
pub use state::{Plies, Seen, State};
