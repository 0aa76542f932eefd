//! Solvers: the exact value of a position, proven under the rules.
//!
//! The family of the Castro thesis (2012), for every game that has a [`State`]: a [`Solver`] solves by alpha-beta, by
//! proof-number search on a tree, with one thread or several, or on a transposition table ([`Method`]).
//!
//! Every solver, those of the games' own included, tells of its [`SolveProgress`] and ends with a
//! [`SolveReport`], which a [`Run`] counts for.
//!
//! Draws are told from losses by two questions, whether the side to move wins and whether the opponent
//! does. Nothing that is claimed rests on a hash: tables hold full keys.

mod alphabeta;
mod bounds;
mod checkpoint;
mod entry;
mod goals;
mod lookahead;
mod numbers;
mod params;
mod pns;
mod pns_table;
mod proof_numbers;
mod replay;
mod report;
mod seq_lock;
mod solver;
mod state;
mod table;
mod threads;
mod tree;

pub use bounds::Bounds;
pub use checkpoint::{CheckpointError, Spent};
pub use entry::{Key, Tag, VALUE_BITS, Value};
pub use lookahead::look_ahead;
pub use numbers::{Choice, Combination, Numbers, Rule};
pub use params::{Draws, Initial, Params};
pub use proof_numbers::ProofNumbers;
pub use report::{Run, Solution, SolveProgress, SolveReport};
pub use seq_lock::SeqLocks;
pub use solver::{Method, Solver};
pub use state::{Seen, State};
pub use table::{Growth, Table};
pub use threads::Threads;
