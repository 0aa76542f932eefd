//! What a game is.
//!
//! The [`Game`] trait is small on purpose: whose turn it is, what the result is, which moves are legal,
//! and how a move is played. What only some games have is a small trait of its own: [`Symmetric`]
//! boards, [`Notation`] and [`Picture`] for people.
//!
//! Every game runs the suite in [`conformance`].

pub mod conformance;
mod notation;
mod outcome;
mod packed;
mod perft;
mod position;
pub mod random;
mod side;
mod symmetry;

pub use notation::{Notation, ParseMoveError, Picture};
pub use outcome::{Outcome, Relative, Score};
pub use packed::Packed;
pub use perft::perft;
pub use position::Game;
pub use side::Side;
pub use symmetry::Symmetric;
