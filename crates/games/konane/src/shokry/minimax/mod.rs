//! The alpha-beta players of Shokry's thesis (2023), section 2.4: what each adds to
//! [`search::alphabeta`].
//!
//! | player | order of moves | windows |
//! |---|---|---|
//! | `ab` | as the naive board finds them | |
//! | `dab` | as the Dynamic Board lists them | |
//! | `shokry-dabs` | by the points of their instant effects, then as the Dynamic Board lists them | |
//! | `shokry-wdabs` | as `shokry-dabs` | yes |
//!
//! All evaluate with a [`Heuristic`] from the point of view of the side to move at the root, and value
//! the ends of games beyond every evaluation, the earlier the more.
//!
//! The search plays on a [`BitBoard`]: what a side can jump is found for all of its stones by the same
//! few instructions, which is faster than both the naive board and the record of the Dynamic Board. What
//! the players search, and in which order, is what they would search on those boards; the tests compare
//! them.

mod kept;
mod move_ordering;
mod recency;

pub use move_ordering::{Minimax, Order, Params, Scope, WindowParams};

#[cfg(doc)]
use crate::{BitBoard, shokry::knowledge::Heuristic};
