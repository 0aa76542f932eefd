//! Combinatorial game theory: the values of games that fall into independent parts.
//!
//! Two players, Left and Right, move in turns, and who cannot move loses. A value is a pair of sets of
//! values, those that Left can move to and those that Right can move to. [`Games`] keeps values in
//! canonical form, so that two are equal if and only if they are the same one. Conway, *On Numbers and
//! Games* (1976), and Siegel, *Combinatorial Game Theory* (2013), have the theory; the sources name the
//! theorem where one is used.
//!
//! ```
//! use konane::cgt::{Games, Outcome};
//!
//! let mut games = Games::new();
//! let (zero, star) = (games.zero(), games.nimber(1));
//! let up = games.make(&[zero], &[star]);
//! assert_eq!(games.write(up), "↑");
//! let sum = games.add(up, star);
//! assert_eq!(games.write(sum), "↑*");
//! assert_eq!(games.outcome(sum), Outcome::First);
//! ```
//!
//! In Kōnane Black is Left. [`Valuer`] finds the values of positions.

mod database;
mod dyadic;
mod games;
mod notation;
mod regions;
mod thermograph;
mod valuer;

pub use database::{Database, DatabaseError};
pub use dyadic::Dyadic;
pub use games::{Games, Outcome, Value};
pub use notation::ParseValueError;
pub use regions::{DiagramError, Region, RegionKey};
pub use thermograph::Thermograph;
pub use valuer::{TooComplex, Valuer};
