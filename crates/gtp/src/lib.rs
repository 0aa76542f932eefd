//! The Go Text Protocol, version 2 (Farnebäck, "Specification of the Go Text Protocol, version 2, draft
//! 2"), for any game that can be played here.
//!
//! A [`Session`] is one game with a player, and answers [`Command`]s with [`Response`]s; [`serve`] lets
//! it talk over any input and output. [`Client`] is the other end: it drives any program that speaks the
//! protocol. [`Clock`] decides how long a move may take.
//!
//! ```
//! use engine::BoardOptions;
//! use gtp::{Session, SessionOptions, serve};
//!
//! let board = BoardOptions::sized(4);
//! let session = Session::<havannah::Position>::new(board, &SessionOptions::default())?;
//! let mut output = Vec::new();
//! serve(session, &b"1 play white d4\n2 play black d4\n"[..], &mut output)?;
//! assert_eq!(
//!     String::from_utf8(output)?,
//!     "=1 \n\n?2 illegal move: the cell holds a white stone already\n\n"
//! );
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod analysis;
mod client;
mod clock;
mod clocks;
mod command;
mod commands;
mod history;
mod lines;
mod points;
mod response;
mod search_thread;
mod serve;
mod session;

pub use client::{Client, ClientError};
pub use clock::{Clock, Period, search_time};
pub use command::{Command, SyntaxError, parse_line};
pub use commands::commands;
pub use response::Response;
pub use serve::{Respond, serve};
pub use session::{Session, SessionError, SessionOptions};

/// The longest line that is read as a command, in bytes without its line break: 64 KiB.
pub const MAX_LINE: usize = 64 << 10;
