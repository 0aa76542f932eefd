//! What training computes: the networks of the games in floating point, the gradients of their losses, and the steps along
//! them.
//!
//! This is a crate of its own so that it alone is optimised in programs that are built quickly.

mod adam;
pub mod havannah;
pub mod konane;
mod loss;

pub use adam::{Adam, Rates, add_to_mean};
pub use loss::Loss;
