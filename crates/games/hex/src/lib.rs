//! Hex: two players fill a rhombus of hexagons, Black first. Black wins with a chain of stones from the
//! top row to the bottom row, White with one from the left column to the right column; one of the two
//! always exists on a full board, so there are no draws.
//!
//! ```
//! use game::{Game, Notation, Outcome, Picture, Side};
//!
//! let mut position = hex::Position::new(3, false).ok_or("no board")?;
//! for text in ["b2", "a1", "c1", "a2", "a3"] {
//!     position.try_play(position.parse_move(text, ())?)?;
//! }
//! assert_eq!(position.outcome(), Some(Outcome::Win(Side::Black)));
//! assert_eq!(position.picture(()), "
//!    a b c
//! 1  O . X
//!  2  O X .
//!   3 (X). .
//! ".trim_start_matches('\n'));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod diagram;
mod notation;
mod playable;
mod position;
mod tree_policy;

pub use playable::Start;
pub use position::{Illegal, Move, Position};
pub use tree_policy::TreePolicy;
