//! Games as files: SGF and HGF of any dialect, and plain lists of moves, replayed under the rules.
//!
//! [`read`] takes the bytes of a file and gives its games. A game whose moves are not all legal is still
//! a game: it is replayed up to the first that is not, and [`Record::fault`] says what is wrong with it.
//! `docs/formats.md` describes what is read and what is written.

mod any;
mod convert;
mod dialect;
mod list;
mod plain;
mod record;
mod recorded;
mod write;

pub use any::{AnyRecord, ReadError, read};
pub use convert::{ConvertError, Form, convert, translated_marks};
pub use plain::PlainGame;
pub use record::{End, Fault, Record};
pub use recorded::Recorded;
pub use write::{describe, to_sgf};

/// The games that records are kept of. Kōnane is replayed on the board that fits every size.
pub type KonanePosition = konane::Position<konane::LargeBitBoard>;
