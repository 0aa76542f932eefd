//! The solvers of the Castro thesis (2012), for every game that has a [`State`]: a [`Solver`] solves by alpha-beta, by
//! proof-number search on a tree, with one thread or several, or on a transposition table ([`Method`]).
//!
//! Draws are told from losses by two questions, whether the side to move wins and whether the opponent
//! does. Nothing that is claimed rests on a hash: tables hold full keys.

mod alphabeta;
mod goals;
mod lookahead;
mod params;
mod pns;
mod pns_table;
mod replay;
mod solver;
mod state;
mod tree;

pub use lookahead::look_ahead;
pub use params::{Draws, Initial, Params};
pub use solver::{Method, Solver};
pub use state::{Seen, State};
