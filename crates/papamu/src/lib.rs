//! Papamu as a library: positions, players, solvers, certificates and records of Havannah and Kōnane.
//!
//! Each module below is one crate of the workspace, so that a program depends on this crate alone.

pub use certificate;
pub use diagram;
pub use engine;
pub use game;
pub use gtp;
pub use havannah;
pub use konane;
pub use record;
pub use search;
pub use sgf;
