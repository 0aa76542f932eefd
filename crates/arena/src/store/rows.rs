//! What the store keeps.

use crate::weights::Weights;
use serde::Serialize;

/// An experiment as it is stored: the file, from which everything follows.
#[derive(Clone, Debug, PartialEq)]
pub struct ExperimentRow {
    /// See [`Experiment::id`](crate::Experiment::id).
    pub id: String,
    /// Its short name.
    pub name: String,
    /// The scale at which the file is read.
    pub scale: String,
    /// The file.
    pub file: String,
    /// The weights with which its games are played; `None` if they are not noted, as by earlier versions.
    pub weights: Option<Weights>,
}

/// A pair that a worker may play until the deadline.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Lease {
    /// The experiment.
    pub experiment: String,
    /// The number of the pair.
    pub pair: u64,
    /// Who holds it.
    pub worker: String,
    /// How often it has been given out.
    pub generation: i64,
    /// Which of its two games are stored already.
    pub stored: [bool; 2],
}

impl Lease {
    /// The lease of the pair's job.
    pub(crate) fn of_job(&self) -> jobs::Lease {
        jobs::Lease {
            queue: self.experiment.clone(),
            job: self.pair,
            worker: self.worker.clone(),
            generation: self.generation,
        }
    }
}

/// A game as it is stored.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct GameRow {
    /// The experiment.
    pub experiment: String,
    /// The number of the pair.
    pub pair: u64,
    /// Which game of the pair: 0 or 1.
    pub colour: i64,
    /// The place of the point.
    pub point: u64,
    /// 2 if the player won, 1 for a draw, 0 if it lost.
    pub score: i64,
    /// How it ended.
    pub reason: String,
    /// Who did something wrong and what, or nothing.
    pub fault: String,
    /// Moves, those of the opening included.
    pub plies: u64,
    /// How long it took.
    pub seconds: f64,
    /// Who played it.
    pub worker: String,
    /// The generation of the lease.
    pub generation: i64,
    /// When it was stored, in seconds since 1970.
    pub finished: f64,
    /// The game.
    pub sgf: String,
    /// What is known of each turn, as JSON.
    pub turns: String,
}

impl GameRow {
    /// The lease under which it was played.
    pub(super) fn lease(&self) -> jobs::Lease {
        jobs::Lease {
            queue: self.experiment.clone(),
            job: self.pair,
            worker: self.worker.clone(),
            generation: self.generation,
        }
    }
}

/// What storing a game did.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Effect {
    /// It is stored.
    Stored,
    /// It was stored before: nothing changed.
    Duplicate,
    /// The lease was over, or somebody else's: nothing changed.
    Late,
}

/// The games of a point, as its player sees them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Score {
    /// Games won.
    pub wins: u64,
    /// Games drawn.
    pub draws: u64,
    /// Games lost.
    pub losses: u64,
    /// Pairs by what both games gave together: nothing, half a point, one, one and a half, two.
    pub pairs: [u64; 5],
    /// Games that ended by a fault of the player, and of its opponent.
    pub faults: [u64; 2],
}

impl Score {
    /// All games.
    pub fn games(&self) -> u64 {
        self.wins + self.draws + self.losses
    }

    /// Points for a game, from 0 to 1; ½ where there is none.
    pub fn mean(&self) -> f64 {
        match self.games() {
            0 => 0.5,
            games => (self.wins as f64 + self.draws as f64 / 2.0) / games as f64,
        }
    }
}

/// How far an experiment is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Counts {
    /// Pairs still to be played, those under way included.
    pub open: u64,
    /// Pairs under way.
    pub leased: u64,
    /// Pairs whose games are stored.
    pub done: u64,
    /// Pairs that are not needed, because a test has decided.
    pub not_needed: u64,
    /// Games stored.
    pub games: u64,
}

/// A worker as the store knows it, and what it has played.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct WorkerRow {
    /// The worker.
    #[serde(flatten)]
    pub worker: jobs::Worker,
    /// Games it has stored.
    pub games: i64,
    /// Games it has stored in the last minute.
    pub last_minute: i64,
}
