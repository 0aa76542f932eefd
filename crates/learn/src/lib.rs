//! Learns a network from games of self-play.
//!
//! A run is a file ([`Plan`]) and a folder. [`learn`] repeats: games of self-play with the best weights so far, training
//! with the games of the last generations, and a match of the new weights against the best, which they replace if they do
//! well enough. It goes on where it was, whatever ended it. `docs/learning.md` is for those who run it.

mod error;
mod folder;
mod frames;
mod journal;
mod matches;
mod plan;
mod record;
mod run;
mod self_play;
mod train;

pub use error::LearnError;
pub use journal::{Generation, Loss, Matched, Played, Trained};
pub use plan::{
    LearnedGame, Match, Openings, Plan, PlanError, Player, Promotion, Resign, SelfPlay, Sprt,
    Start, Training, Written,
};
pub use run::{Ended, Event, Options, learn, status};
