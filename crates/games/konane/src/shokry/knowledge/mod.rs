//! What is known of a position of Kōnane without searching: the heuristics of the survey that Shokry's
//! thesis (2023) reports in section 2.4.1.
//!
//! Eighteen heuristics count pieces, moves or movable pieces of both sides and compare the counts in one
//! of six ways. The survey (Thompson, "Teaching a neural network to play Konane", 2005) calls them a to r;
//! q, own movable pieces ÷ the opponent's, did best in it, and is the evaluation of all players of the
//! thesis.

mod heuristic;

pub use heuristic::{Comparison, Count, Heuristic, ParseHeuristicError};
