//! Boards as SVG pictures. A game says what is to be seen ([`Drawn`]); this crate paints it.
//!
//! A picture is one self-contained text: no scripts, no fonts or files from elsewhere, no identifiers
//! that could clash when several pictures stand in one page. All of it is on the board, so that it is
//! readable on a light page and on a dark one, and it has a title and a description in words.
//! `docs/rules.md` is full of examples.
//!
//! ```
//! use diagram::{Drawn, Options};
//! use game::{Game, Notation};
//! use havannah::{Dialect, Position, Shape};
//!
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! let mut position = Position::new(Shape::regular(3)?);
//! for text in ["a1", "c3", "a2", "c2", "a3"] {
//!     position.try_play(position.parse_move(text, Dialect::Grid)?)?;
//! }
//! let options = Options {
//!     highlighted: position.winning_cells(),
//!     ..Options::default()
//! };
//! let svg = position.svg(Dialect::Grid, &options);
//! assert!(svg.contains("White has won with a bridge."));
//! # Ok(())
//! # }
//! ```

mod drawn;
mod hexagon;
mod options;
mod paint;
mod plane;
mod scene;

pub use drawn::Drawn;
pub use hexagon::{hexagon, hexagon_centre};
pub use options::{Options, Shading};
pub use plane::{Point, hull};
pub use scene::{BESIDE, BORDER, Material, PITCH, Scene, Tile, Tone, capitalised};
