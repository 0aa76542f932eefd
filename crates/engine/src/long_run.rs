//! Searches of solvers that outlive the process: what is known is written to a file now and then, and the
//! next search of the same position starts from there.

use crate::{Prover, Tell};
use game::Game;
use search::clock::Instant;
use search::proof::{CheckpointError, SolveProgress, SolveReport, Spent};
use search::{Limits, StopReason};
use std::fs::{self, File};
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};
use std::time::Duration;
use thiserror::Error;

/// Where to keep checkpoints, and how often to write them.
#[derive(Clone, Copy, Debug)]
pub struct Checkpoints<'a> {
    /// The file.
    pub file: &'a Path,
    /// The time between two. It is longer where writing one takes more than a fiftieth of it.
    pub every: Duration,
}

impl Checkpoints<'_> {
    /// For how long to search after a checkpoint that took so long to write: checkpoints take at most 2 % of the time.
    fn pause_after(&self, writing: Duration) -> Duration {
        self.every.max(writing.saturating_mul(49))
    }
}

/// Why a file with a checkpoint is of no use.
#[derive(Debug, Error)]
pub enum LongRunError {
    /// It cannot be written.
    #[error("cannot write {0}")]
    Write(PathBuf, #[source] io::Error),
    /// It cannot be opened.
    #[error("cannot read {0}")]
    Read(PathBuf, #[source] io::Error),
    /// It is no file.
    #[error("cannot resume from {0}: it is a folder")]
    Folder(PathBuf),
    /// It is damaged or of something else.
    #[error("cannot resume from {0}")]
    Unusable(PathBuf, #[source] CheckpointError),
}

/// Lets a solver start from a checkpoint. `None` if there is none.
///
/// # Errors
/// If it cannot be used; then the solver is as it was.
pub fn load_checkpoint<G: Game>(
    prover: &mut dyn Prover<G>,
    file: &Path,
) -> Result<Option<Spent>, LongRunError> {
    if file.is_dir() {
        return Err(LongRunError::Folder(file.to_owned()));
    }
    match File::open(file) {
        Ok(mut input) => match prover.load(&mut input) {
            Ok(spent) => Ok(Some(spent)),
            Err(why) => Err(LongRunError::Unusable(file.to_owned(), why)),
        },
        Err(why) if why.kind() == ErrorKind::NotFound => Ok(None),
        Err(why) => Err(LongRunError::Read(file.to_owned(), why)),
    }
}

/// Writes a checkpoint beside the last one, which it then replaces.
///
/// # Errors
/// If it cannot be written.
pub fn save_checkpoint<G: Game>(
    prover: &dyn Prover<G>,
    spent: Spent,
    file: &Path,
) -> Result<(), LongRunError> {
    let unfinished = with_suffix(file, ".partial");
    let write = || {
        prover.save(spent, &mut File::create(&unfinished)?)?;
        fs::rename(&unfinished, file)
    };
    write().map_err(|why| {
        // Where the disk is full, half a checkpoint is in everybody's way.
        let _ = fs::remove_file(&unfinished);
        LongRunError::Write(file.to_owned(), why)
    })
}

/// A file name with something added to it.
pub fn with_suffix(file: &Path, suffix: &str) -> PathBuf {
    let mut name = file.as_os_str().to_owned();
    name.push(suffix);
    name.into()
}

/// Solves a position, with checkpoints if they are wanted, the last one at the end. `spent` says what was
/// spent before, and afterwards in all; nodes and time of the progress and of the report are those in all
/// too. The limits are those of this call alone. `saved` hears of each checkpoint whether it could be
/// written; the search goes on in any case.
pub fn solve_on<G: Game>(
    position: &G,
    prover: &mut dyn Prover<G>,
    limits: &Limits,
    checkpoints: Option<Checkpoints<'_>>,
    spent: &mut Spent,
    tell: Tell<'_>,
    saved: &mut dyn FnMut(Result<(), LongRunError>),
) -> SolveReport<G::Move> {
    let started = Instant::now();
    let before = *spent;
    let mut until_checkpoint = checkpoints.map(|checkpoints| checkpoints.every);
    loop {
        let left = limits
            .time
            .map(|time| time.saturating_sub(started.elapsed()));
        let part = Limits {
            time: left.into_iter().chain(until_checkpoint).min(),
            nodes: limits
                .nodes
                .map(|nodes| nodes.saturating_sub(spent.nodes - before.nodes)),
            ..limits.clone()
        };
        let nodes_before = spent.nodes;
        let report = prover.value(position, &part, &mut |progress| {
            tell(&SolveProgress {
                nodes: nodes_before + progress.nodes,
                elapsed: before.elapsed + started.elapsed(),
                ..*progress
            });
        });
        spent.nodes += report.nodes;
        spent.elapsed = before.elapsed + started.elapsed();
        if let Some(checkpoints) = checkpoints {
            let writing = Instant::now();
            saved(save_checkpoint(prover, *spent, checkpoints.file));
            until_checkpoint = Some(checkpoints.pause_after(writing.elapsed()));
        }
        let over = limits.time.is_some_and(|time| started.elapsed() >= time);
        if report.stop != StopReason::Time || over {
            return SolveReport {
                nodes: spent.nodes,
                elapsed: spent.elapsed,
                ..report
            };
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn checkpoints_take_at_most_a_fiftieth_of_the_time() {
        let checkpoints = Checkpoints {
            file: Path::new("file"),
            every: Duration::from_secs(30),
        };
        for (writing, pause) in [(0, 30), (500, 30), (1_000, 49), (4_000, 196)] {
            let writing = Duration::from_millis(writing);
            assert_eq!(checkpoints.pause_after(writing), Duration::from_secs(pause));
        }
    }
}
