//! What a run keeps on the disk.
//!
//! | name | content |
//! |---|---|
//! | `plan.toml` | the file that the run began with |
//! | `shipped.sha256` | the SHA-256 of the program's network, if the run began with it |
//! | `journal.jsonl` | a line for each step that was finished |
//! | `games/N.games` | the games of generation N |
//! | `weights/HASH.weights` | weights by the SHA-256 of their file |
//! | `training/N.state` | what the training of generation N goes on from |
//! | `matches/N.pairs` | the results of the match of generation N |

use crate::error::{LearnError, of_file};
use crate::frames::{self, Frames, Records};
use crate::games::Subject;
use crate::plan::{Plan, Weights, Written};
use crate::record::Record;
use crate::train::State;
use engine::replace_file;
use engine::weights::sha256;
use std::fs::{self, File, TryLockError};
use std::io::{ErrorKind, Write};
use std::path::{Path, PathBuf};

const GAMES: &str = "papamu games 1\n";
/// What the names of files of games end with.
pub(crate) const GAMES_EXTENSION: &str = "games";
const PAIRS: &str = "papamu pairs 1\n";

/// Games with their numbers.
type Numbered<S> = Vec<(u32, Record<S>)>;

/// The folder of a run.
pub(crate) struct Folder {
    path: PathBuf,
    /// The SHA-256 of the file that the run began with, in hexadecimal digits.
    pub begun: String,
    /// Held as long as this process works in the folder.
    _lock: File,
}

/// The journal of a folder.
pub(crate) fn journal(folder: &Path) -> PathBuf {
    folder.join("journal.jsonl")
}

impl Folder {
    /// Opens the folder of a plan, or makes it.
    /// A run that begins with the program's network has its SHA-256 in `shipped`.
    pub(crate) fn open(
        path: &Path,
        written: &Written,
        text: &str,
        shipped: Option<&str>,
    ) -> Result<Folder, LearnError> {
        for part in ["games", "weights", "training", "matches"] {
            let part = path.join(part);
            of_file(&part, fs::create_dir_all(&part))?;
        }
        let lock = path.join("lock");
        let file = of_file(&lock, File::create(&lock))?;
        match file.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => return Err(LearnError::InUse(path.to_owned())),
            Err(TryLockError::Error(why)) => of_file(&lock, Err(why))?,
        }
        let plan = path.join("plan.toml");
        let begun = match fs::read_to_string(&plan) {
            Ok(text) => match Written::read(&text) {
                Ok(begun) if begun.plan.identity() == written.plan.identity() => {
                    if let Some(shipped) = shipped {
                        check_shipped(path, shipped)?;
                    }
                    begun.hash
                }
                _ => return Err(LearnError::OtherPlan(path.to_owned())),
            },
            Err(why) if why.kind() == ErrorKind::NotFound => {
                if let Some(shipped) = shipped {
                    keep_shipped(path, shipped)?;
                }
                let write = replace_file(&plan, |file| file.write_all(text.as_bytes()));
                of_file(&plan, write)?;
                written.hash.clone()
            }
            Err(why) => of_file(&plan, Err(why))?,
        };
        Ok(Folder {
            path: path.to_owned(),
            begun,
            _lock: file,
        })
    }

    pub(crate) fn journal(&self) -> PathBuf {
        journal(&self.path)
    }

    fn games(&self, generation: u32) -> PathBuf {
        self.path
            .join(format!("games/{generation:05}.{GAMES_EXTENSION}"))
    }

    /// The games of a generation under way.
    pub(crate) fn open_games(&self, generation: u32) -> Result<(Store, Records), LearnError> {
        Store::open(self.games(generation), GAMES)
    }

    /// The games of a generation by their numbers, and the bytes of their file.
    pub(crate) fn read_games<S: Subject>(
        &self,
        generation: u32,
    ) -> Result<(Numbered<S>, u64), LearnError> {
        let path = self.games(generation);
        let remedy =
            "remove the file, and what the journal says of this generation and all behind it";
        let games = games_of_file(&path, remedy)?;
        let bytes = of_file(&path, fs::metadata(&path))?.len();
        Ok((games, bytes))
    }

    /// What to say of a generation whose file has fewer games than were counted when it was done.
    pub(crate) fn lost_games(&self, generation: u32, found: usize, counted: u64) -> LearnError {
        LearnError::Damaged {
            path: self.games(generation),
            what: format!("{found} of its {counted} games are whole"),
            remedy: "remove what the journal says of this generation and all behind it: the other games are played again",
        }
    }

    /// The match of a generation.
    pub(crate) fn open_match(&self, generation: u32) -> Result<(Store, Records), LearnError> {
        Store::open(
            self.path.join(format!("matches/{generation:05}.pairs")),
            PAIRS,
        )
    }

    fn training(&self, generation: u32) -> PathBuf {
        self.path.join(format!("training/{generation:05}.state"))
    }

    /// What the training of a generation goes on from, if it has begun.
    pub(crate) fn state<S: Subject>(
        &self,
        plan: &Plan,
        generation: u32,
    ) -> Result<Option<State>, LearnError> {
        let path = self.training(generation);
        let bytes = match fs::read(&path) {
            Err(why) if why.kind() == ErrorKind::NotFound => return Ok(None),
            bytes => of_file(&path, bytes)?,
        };
        let state = State::from_bytes(&bytes, S::numbers(plan));
        let state = state.ok_or_else(|| LearnError::Damaged {
            path,
            what: "its checksum is another".to_owned(),
            remedy: "remove it: the training of this generation begins again",
        })?;
        Ok(Some(state))
    }

    pub(crate) fn keep_state(&self, generation: u32, state: &State) -> Result<(), LearnError> {
        let path = self.training(generation);
        let bytes = state.to_bytes();
        of_file(&path, replace_file(&path, |file| file.write_all(&bytes)))
    }

    /// Removes what no training needs any more. The last but one generation is kept: if the last is damaged, it can be
    /// made again.
    pub(crate) fn forget_state(&self, generation: u32) {
        // What stays takes room, and does no other harm.
        let _ = fs::remove_file(self.training(generation));
    }

    /// Keeps weights under the hash of their file, which it gives.
    pub(crate) fn keep_weights(&self, bytes: &[u8]) -> Result<String, LearnError> {
        let hash = sha256(bytes);
        let path = self.weights(&hash);
        of_file(&path, replace_file(&path, |file| file.write_all(bytes)))?;
        Ok(hash)
    }

    /// The file of weights with a hash.
    pub(crate) fn weights(&self, hash: &str) -> PathBuf {
        weights(&self.path, hash)
    }

    /// The folder of all weights.
    pub(crate) fn all_weights(&self) -> PathBuf {
        self.path.join("weights")
    }
}

fn shipped_file(folder: &Path) -> PathBuf {
    folder.join("shipped.sha256")
}

/// Notes with which network of a program a run begins.
fn keep_shipped(folder: &Path, shipped: &str) -> Result<(), LearnError> {
    let path = shipped_file(folder);
    let write = replace_file(&path, |file| writeln!(file, "{shipped}"));
    of_file(&path, write)
}

/// Refuses a run that began with the network of another program: no later generation would be what it claims to be.
fn check_shipped(folder: &Path, shipped: &str) -> Result<(), LearnError> {
    let path = shipped_file(folder);
    let begun = match fs::read_to_string(&path) {
        // A run of an earlier version, which did not note it.
        Err(why) if why.kind() == ErrorKind::NotFound => return keep_shipped(folder, shipped),
        begun => of_file(&path, begun)?,
    };
    if begun.trim() == shipped {
        return Ok(());
    }
    Err(LearnError::OtherShipped {
        path,
        begun: begun.trim().to_owned(),
        found: shipped.to_owned(),
    })
}

/// The file of weights with a hash, in the folder of a run.
fn weights(folder: &Path, hash: &str) -> PathBuf {
    folder.join(format!("weights/{hash}.weights"))
}

/// The games of a file of them, of this run or another, by their numbers. `remedy` says what to do if it is damaged.
pub(crate) fn games_of_file<S: Subject>(
    path: &Path,
    remedy: &'static str,
) -> Result<Numbered<S>, LearnError> {
    let records = of_file(path, frames::read(path, GAMES))?;
    let parsed = |(number, bytes): (u32, Vec<u8>)| match Record::from_bytes(&bytes) {
        Some(record) => Ok((number, record)),
        None => Err(LearnError::Damaged {
            path: path.to_owned(),
            what: format!("game {number} is no game"),
            remedy,
        }),
    };
    records.into_iter().map(parsed).collect()
}

/// The file of weights that a run begins with: what its folder keeps, or else what lies `beside` the run's file.
pub(crate) fn start_file(
    folder: &Path,
    start: &Weights,
    beside: &Path,
) -> Result<(PathBuf, Vec<u8>), LearnError> {
    let kept = weights(folder, &start.sha256);
    let path = if kept.exists() {
        kept
    } else {
        beside.join(&start.file)
    };
    let bytes = of_file(&path, fs::read(&path))?;
    let found = sha256(&bytes);
    if found != start.sha256 {
        return Err(LearnError::OtherWeights { path, found });
    }
    Ok((path, bytes))
}

/// Records that are being added to a file.
pub(crate) struct Store {
    path: PathBuf,
    frames: Frames,
}

impl Store {
    fn open(path: PathBuf, begin: &str) -> Result<(Store, Records), LearnError> {
        let (frames, records) = of_file(&path, Frames::open(&path, begin))?;
        Ok((Store { path, frames }, records))
    }

    pub(crate) fn add(&mut self, number: u32, bytes: &[u8]) -> Result<(), LearnError> {
        of_file(&self.path, self.frames.add(number, bytes))
    }

    pub(crate) fn sync(&self) -> Result<(), LearnError> {
        of_file(&self.path, self.frames.sync())
    }
}
