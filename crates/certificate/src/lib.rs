//! Certificates: proofs of a position's value that anybody can check with the rules alone.
//!
//! A certificate claims something of a position, such as that White wins, and holds the strategy that
//! shows it: one move for every position in which the side that it is about has to find one. The
//! checker plays that strategy against every legal move of the other side; it shares the rules with
//! the solvers, and nothing else.
//!
//! # Format
//!
//! Five lines of text and an empty one:
//!
//! ```text
//! papamu certificate 2
//! game havannah
//! board 4
//! moves a1 d4
//! claim white wins
//! ```
//!
//! The board of Kōnane is named with its opening, such as `6x7 corner` ([`konane::board_name`]).
//! `moves` are played from the start of the game, in the grid dialect. A claim is `white wins`, `black
//! wins`, `white holds` (does not lose), `black holds`, or `draw`, which is `white holds` and then
//! `black holds`.
//!
//! Then come the moves of the strategy in the order in which the checker needs them, and the checksum.
//! The checker goes through the game depth first. Let the strategy be that of P.
//! - In a position that is over, P must have won, or, where P only has to hold, not have lost.
//! - Where P moves in a position that has been done with, by whatever moves it was reached, nothing
//!   remains to be done. Positions with few stones that are symmetric to each other count as the same.
//! - Where the rules alone show that P keeps its promise ([`Provable::judge`]: for Havannah, threats
//!   two plies ahead), nothing remains to be done either; and where they show that it cannot, there is
//!   a hole.
//! - Where the other side moves, every legal move is followed after which the rules alone do not show
//!   that P keeps its promise, the smallest first ([`Ord`] of the game's moves).
//! - Where P has to play a certain move, because it loses otherwise, that is followed.
//! - Otherwise the next move is read: its number among the legal moves in order, from 0, in one byte,
//!   or in two with the higher first where there are more than 256; and the position after it is gone
//!   through.
//!
//! The checksum is FNV-1a of all bytes before it, eight bytes, the lowest first. It tells damage from
//! an error of a solver; a proof does not rest on it.
//!
//! A certificate is written as it is found. One that was cut anywhere can be gone on with ([`resume`]):
//! what is there is gone through as the checker would.

mod check;
mod claim;
mod havannah;
mod header;
pub mod konane;
pub mod proof;
mod provable;
mod strategy;
mod stream;
mod walk;

pub use check::{Refusal, Verdict, verify, verify_while};
pub use claim::{Claim, Promise};
pub use header::{Header, HeaderError};
pub use provable::{Judgement, Provable};
pub use strategy::{WriteError, Written, resume, write};
