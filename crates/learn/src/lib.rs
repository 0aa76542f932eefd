//! Learns a network from games of self-play.
//!
//! A run is a file ([`Plan`]) and a folder. [`learn`] repeats: games of self-play with the best weights so far, training
//! with the games of the last generations, and a match of the new weights against the best, which they replace if they do
//! well enough. It goes on where it was, whatever ended it. Where it shares its games in a [`Store`], other processes
//! [`work`] on them. `docs/learning.md` is for those who run it.

mod beginning;
mod error;
mod folder;
mod frames;
mod games;
mod import;
mod journal;
mod lead;
mod make;
mod matches;
mod plan;
mod record;
mod report;
mod run;
mod self_play;
mod store;
mod task;
mod train;
mod version;
mod work;

pub use error::LearnError;
pub use journal::{Generation, Matched, Played, Trained};
pub use lead::Shared;
pub use plan::{
    LearnedGame, Match, Openings, Plan, PlanError, Player, Promotion, Resign, SelfPlay, Sprt,
    Start, Training, Written,
};
pub use report::{in_words, report, table};
pub use run::{Ended, Event, Options, learn, status};
pub use store::{Run, Store};
pub use training::Loss;
pub use work::{WorkEvent, Working, work};
