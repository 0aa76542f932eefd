//! What is told of the work while it goes on.

use crate::store::{Effect, GameRow};
use crate::table::Loaded;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

/// What happens while working.
#[derive(Clone)]
pub enum Event {
    /// A game is stored, and safe.
    Stored(Arc<Loaded>, Arc<GameRow>),
    /// A game was not stored: its lease was over, or it was there already.
    Refused(Arc<GameRow>, Effect),
    /// A point needs no more games: a test has decided.
    Decided(Arc<Loaded>, u64),
    /// An experiment, with its identifier, is left to others, and why.
    LeftOut(String, String),
    /// The store cannot be reached; it is tried again.
    Trouble(String),
}

/// What a worker has done, for those who watch it. Clones are the same ledger.
#[derive(Clone, Debug, Default)]
pub struct Ledger(pub(super) Arc<Tally>);

#[derive(Debug, Default)]
pub(super) struct Tally {
    pub stored: AtomicUsize,
    pub refused: AtomicUsize,
    pub faults: AtomicUsize,
    pub playing: AtomicUsize,
    pub stuck: AtomicUsize,
}

impl Ledger {
    /// Games stored.
    pub fn stored(&self) -> usize {
        self.0.stored.load(Ordering::Relaxed)
    }

    /// Games that came too late or twice.
    pub fn refused(&self) -> usize {
        self.0.refused.load(Ordering::Relaxed)
    }

    /// Games that ended by a fault of a player.
    pub fn faults(&self) -> usize {
        self.0.faults.load(Ordering::Relaxed)
    }

    /// Games under way.
    pub fn playing(&self) -> usize {
        self.0.playing.load(Ordering::Relaxed)
    }

    /// Threads whose move takes longer than it may.
    pub fn stuck(&self) -> usize {
        self.0.stuck.load(Ordering::Relaxed)
    }
}
