//! Games as files: SGF and HGF of any dialect, and plain lists of moves, replayed under the rules.
//!
//! [`read`] takes the bytes of a file and gives its games as they stand, and [`RawGame::replay`] plays one
//! under the rules. A game whose moves are not all legal is still
//! a game: it is replayed up to the first that is not, and [`Record::fault`] says what is wrong with it.
//! `docs/formats.md` describes what is read and what is written.

mod convert;
mod dialect;
mod read;
mod record;
mod set_up;
mod write;

pub use convert::{ConvertError, Converted, Form, collection, converted, translated_marks};
pub use read::{RawGame, ReadError, read};
pub use record::{End, Fault, Record};
pub use write::{describe, to_sgf};
