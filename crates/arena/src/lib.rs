//! Experiments: matches between players, on one machine or on many, with a store that loses nothing.
//!
//! An [`Experiment`] is read from a TOML file. Its schedule is a pure function of it ([`schedule`]);
//! a [`Store`] holds what was played; [`work()`] leases pairs of games from the store, plays them and
//! stores each game when it ends. `docs/arena.md` describes all of it for those who use it.

mod adjudication;
mod engine_log;
pub mod experiment;
mod filed;
mod play;
pub mod reference;
pub mod report;
pub mod schedule;
mod seat;
mod store;
mod table;
pub mod tune;
pub mod verdict;
mod weights;
mod work;

pub use engine_log::EngineLog;
pub use experiment::{Experiment, ExperimentError, Role, Scale};
pub use play::{NotHere, Notes, Unplayed};
pub use store::{
    Copied, Counts, Effect, ExperimentRow, GameRow, Lease, PublishError, Score, Store, StoreError,
    WorkerRow, copy,
};
pub use table::{Game, Loaded, Tables, check, game_id, name_today, needs_reference};
pub use weights::{OtherWeights, Weights};
pub use work::{Event, Ledger, Options, Stop, WorkError, publish, work};
