//! Combinatorial game theory against play, and against what is published.

mod database;
mod identities;
mod laws;
mod regions;
