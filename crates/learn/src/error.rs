//! What can go wrong in a learning run.

use engine::weights::WeightsError;
use std::io;
use std::path::{Path, PathBuf};
use thiserror::Error;

/// Why a run ended before its end. What it had done is kept.
#[derive(Debug, Error)]
pub enum LearnError {
    /// A file or folder cannot be read or written.
    #[error("{path}: {why}", path = path.display())]
    File {
        /// Which.
        path: PathBuf,
        /// What the system says.
        why: io::Error,
    },
    /// Another process works in the folder.
    #[error("{0}: another process learns in this folder; wait for it, or give another --folder")]
    InUse(PathBuf),
    /// The folder belongs to a run by another file.
    #[error(
        "{0} was begun with a different file; give another --folder, or restore the file (the folder has a copy, plan.toml)"
    )]
    OtherPlan(PathBuf),
    /// A file of the folder is not as it was written.
    #[error("{path} is damaged ({what}); {remedy}")]
    Damaged {
        /// Which.
        path: PathBuf,
        /// What is wrong with it.
        what: String,
        /// What to do.
        remedy: &'static str,
    },
    /// The store does not work.
    #[error(transparent)]
    Store(#[from] jobs::StoreError),
    /// A run is led by another version of the program, which may play other games.
    #[error(
        "the run is led by papamu {leads}, and this is papamu {own}, which may play other games: use the same program"
    )]
    OtherVersion {
        /// The version that leads it.
        leads: String,
        /// This one.
        own: String,
    },
    /// The store does not have the weights, or not as they were written.
    #[error(
        "the store has no weights {0} that are whole; start the learning run again, and it brings them"
    )]
    NoWeights(String),
    /// The weights that a run begins with are for a larger network than it learns.
    #[error(
        "the weights that the run begins with have more layers than its network: raise network.layers"
    )]
    TooDeep,
    /// The weights that a run begins with cannot be used.
    #[error("{path} {why}", path = path.display())]
    Weights {
        /// Their file.
        path: PathBuf,
        /// What is wrong with them.
        why: WeightsError,
    },
    /// The run began with the network that another program brings.
    #[error(
        "{path}: the run began with the program's network {begun}, and this program brings {found}: resume it with the program \
         that began it, or begin a new run in another --folder", path = path.display()
    )]
    OtherShipped {
        /// The file that says so.
        path: PathBuf,
        /// The SHA-256 of the network that it began with.
        begun: String,
        /// That of this program's.
        found: String,
    },
    /// They are others than the run's file says.
    #[error("{path} has the SHA-256 {found}, and start.weights.sha256 names another", path = path.display())]
    OtherWeights {
        /// Their file.
        path: PathBuf,
        /// What the file has.
        found: String,
    },
    /// A file of games to learn from cannot be read.
    #[error("{path}: {why}", path = path.display())]
    Record {
        /// Which.
        path: PathBuf,
        /// What is wrong with it.
        why: record::ReadError,
    },
    /// A folder of games to learn from has none that a run can use.
    #[error(
        "{path} has no game to learn from: none that was played to a result on a board of the sizes", path = .0.display()
    )]
    NoGames(PathBuf),
    /// The player cannot play.
    #[error("the player: {0}")]
    Player(String),
    /// All games are held out, or they had no moves to learn from.
    #[error("generation {0} has no position to learn from: play more games, or hold out fewer")]
    NoPositions(u32),
    /// Training made a weight that is no number.
    #[error(
        "step {step} of generation {generation} made a weight that is no number, from {sample}"
    )]
    NotANumber {
        /// The generation.
        generation: u32,
        /// The step.
        step: u64,
        /// Which position made it.
        sample: String,
    },
    /// Training made weights that the player cannot use.
    #[error(
        "generation {0} made weights that are too large for the network's whole numbers: lower training.rate, or raise training.shrink"
    )]
    TooLarge(u32),
}

/// Says which file an error is about.
pub(crate) fn of_file<T>(path: &Path, result: io::Result<T>) -> Result<T, LearnError> {
    result.map_err(|why| LearnError::File {
        path: path.to_owned(),
        why,
    })
}
