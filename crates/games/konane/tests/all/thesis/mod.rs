//! What the players of Shokry's thesis (2023) are made of, against slow versions of it.

mod common;
mod heuristics;
mod minimax;
mod ordering;
