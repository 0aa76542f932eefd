//! Havannah: two players place stones on a hexagonal board, White first, and the first to complete a
//! fork (three edges joined), a bridge (two corners joined) or a ring (a closed loop around at least
//! one cell) wins. `docs/rules.md` teaches the game with pictures.
//!
//! [`rules`] knows nothing of search; [`playout`] plays games to their end.

pub mod playout;
pub mod rules;

pub use rules::board::{Board, Structure};
pub use rules::geometry::{Cell, Geometry, Shape};
pub use rules::notation::Dialect;
pub use rules::position::{Illegal, Move, Position};
