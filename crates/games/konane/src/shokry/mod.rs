//! What Shokry's thesis (2023) has beside its players: the Dynamic Board, evaluations, the order of moves, alpha-beta's guide and windows.
//! The default player and the solver use none of it.

mod dynamic;
pub mod knowledge;
pub mod minimax;
pub mod ordering;
pub mod windows;

pub use dynamic::DynamicBoard;
