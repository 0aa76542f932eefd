//! Boards of both games as SVG pictures.
//!
//! A picture is one self-contained text: no scripts, no fonts or files from elsewhere, no identifiers
//! that could clash when several pictures stand in one page. All of it is on the board, so that it is
//! readable on a light page and on a dark one, and it has a title and a description in words.
//! `docs/rules.md` is full of examples.
//!
//! ```
//! use diagram::Options;
//! use game::{Game, Notation};
//! use havannah::{Dialect, Position, Shape};
//!
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! let mut position = Position::new(Shape::regular(3)?);
//! for text in ["a1", "c3", "a2", "c2", "a3"] {
//!     position.try_play(position.parse_move(text, Dialect::Grid)?)?;
//! }
//! let options = Options {
//!     highlighted: diagram::winning_stones(&position),
//!     ..Options::default()
//! };
//! let svg = diagram::havannah(&position, Dialect::Grid, &options);
//! assert!(svg.contains("White has won with a bridge."));
//! # Ok(())
//! # }
//! ```

mod drawn;
mod hexagons;
mod options;
mod paint;
mod plane;
mod scene;
mod squares;
mod structure;
mod xml;

pub use drawn::Drawn;
pub use hexagons::{havannah, move_numbers};
pub use options::{Options, Shading};
pub use plane::Point;
pub use scene::{BORDER, Material, PITCH, Scene, Tile, Tone};
pub use squares::konane;
pub use structure::winning_stones;
