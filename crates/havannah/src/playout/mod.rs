//! Playing games to their end, one policy a file.

mod uniform;

pub use uniform::{Ended, UniformPlayout};
