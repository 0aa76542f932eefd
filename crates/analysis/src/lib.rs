//! An analysis engine for other programs: many queries at a time, a line of JSON each, and answers in the order in
//! which they are found.
//!
//! A [`Query`] asks for positions of one game. [`Job`] answers it position by position; [`serve`] reads queries from
//! an input and lets threads work on the most urgent ones. `docs/analysis.md` describes the lines for those who
//! write them; [`SCHEMA`] is the version of that description.
//!
//! The positions of one query are searched in order by one engine, so that they share its tables and caches, and so
//! that the answers follow from the query alone where its limits count work and not time.
//!
//! ```
//! use analysis::{Answer, Defaults, Job, Query};
//!
//! let query: Query = serde_json::from_str(
//!     r#"{"id": "a", "game": "havannah", "size": 4, "moves": "d4 c3", "turns": "all", "simulations": 50}"#,
//! )?;
//! let mut job = Job::new(query, &Defaults::default())?;
//! let mut turns = Vec::new();
//! while job.step(&mut |answer| match answer {
//!     Answer::Result(position) => turns.push(position.turn),
//!     other => panic!("{other:?}"),
//! }) {}
//! assert_eq!(turns, [0, 1, 2]);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! [`Place`] says what a proof has to say of a position.

mod answer;
mod job;
mod lines;
mod place;
mod query;
mod serve;

pub use answer::{Answer, MoveAnalysis, PositionAnalysis, Reviewed};
pub use job::{Defaults, Job};
pub use place::{Next, Place, PlaceReply};
pub use query::{All, Item, Moves, Query, Refused, Turns};
pub use serve::serve;

/// The version of the lines that are read and written. A new one reads the queries of the old ones.
pub const SCHEMA: u32 = 1;
