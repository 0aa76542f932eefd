//! Havannah: two players place stones on a hexagonal board, White first, and the first to complete a
//! fork (three edges joined), a bridge (two corners joined) or a ring (a closed loop around at least
//! one cell) wins. `docs/rules.md` teaches the game with pictures.
//!
//! [`rules`] knows nothing of search; [`knowledge`] judges moves without looking ahead; [`playout`] plays
//! games to their end; [`TreePolicy`] puts both at the service of Monte Carlo tree search.

mod certificate;
mod diagram;
mod expected_structures;
mod insight;
pub mod knowledge;
mod playable;
mod players;
pub mod playout;
mod playouts;
pub mod rules;
pub mod solver;
mod solver_probe;
mod solvers;
mod tree_policy;

pub use diagram::move_numbers;
pub use playable::Start;
pub use rules::board::{Board, Structure};
pub use rules::geometry::{Cell, Geometry, Shape};
pub use rules::notation::Dialect;
pub use rules::position::{Illegal, Move, Position};
pub use tree_policy::{TreePolicy, TreePolicyParams};
