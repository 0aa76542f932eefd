//! Runs that may be interrupted: checkpoints, Ctrl-C, and what is told meanwhile.

use crate::solvers::in_words;
use anyhow::{Context, Result};
use havannah::solver::{Solver, Spent};
use havannah::{Move, Position};
use search::proof::{SolveProgress, SolveReport};
use search::{Limits, StopFlag, StopReason};
use std::fs::{self, File};
use std::io::{ErrorKind, IsTerminal};
use std::path::{Path, PathBuf};
use std::sync::OnceLock;
use std::time::{Duration, Instant};

/// Where to keep checkpoints, and how often to write them.
#[derive(Clone, Copy, Debug)]
pub struct Checkpoints<'a> {
    /// The file.
    pub file: &'a Path,
    /// The time between two.
    pub every: Duration,
}

/// The time between two lines on what is being done, where there is no terminal.
const BETWEEN_LINES: Duration = Duration::from_mins(1);

/// A flag that Ctrl-C raises, so that what is known is told; a second Ctrl-C ends the process at once.
pub fn stop_flag() -> StopFlag {
    static FLAG: OnceLock<StopFlag> = OnceLock::new();
    let flag = FLAG.get_or_init(|| {
        let flag = StopFlag::new();
        let raised = flag.clone();
        let raise = move || {
            if raised.is_raised() {
                std::process::exit(INTERRUPTED);
            }
            raised.raise();
        };
        // Without a handler Ctrl-C ends the process, which loses what came after the last checkpoint.
        let _ = ctrlc::set_handler(raise);
        flag
    });
    flag.clone()
}

/// The exit code of a process that Ctrl-C ends, as shells have it.
const INTERRUPTED: i32 = 130;

/// Lets a solver start from a checkpoint, if there is one.
pub fn resume(solver: &mut Solver, file: &Path) -> Result<Spent> {
    match File::open(file) {
        Ok(input) => solver
            .load(input)
            .with_context(|| format!("cannot go on from {}", file.display())),
        Err(error) if error.kind() == ErrorKind::NotFound => {
            // If it cannot be written, that is better known now.
            save(solver, Spent::default(), file)?;
            Ok(Spent::default())
        }
        Err(error) => Err(error).with_context(|| format!("cannot read {}", file.display())),
    }
}

/// Writes a checkpoint beside the last one, which it then replaces.
fn save(solver: &Solver, spent: Spent, file: &Path) -> Result<()> {
    let cannot = || format!("cannot write {}", file.display());
    let unfinished = with_suffix(file, ".partial");
    let output = File::create(&unfinished).with_context(cannot)?;
    solver.save(spent, &output).with_context(cannot)?;
    fs::rename(&unfinished, file).with_context(cannot)
}

/// A file name with something added to it.
pub fn with_suffix(file: &Path, suffix: &str) -> PathBuf {
    let mut name = file.as_os_str().to_owned();
    name.push(suffix);
    name.into()
}

/// Solves a position, with checkpoints in a file if one is given. `spent` says what was spent before,
/// and afterwards in all.
pub fn solve(
    solver: &mut Solver,
    position: &Position,
    limits: &Limits,
    checkpoints: Option<Checkpoints<'_>>,
    spent: &mut Spent,
    say: &dyn Fn(String),
) -> Result<SolveReport<Move>> {
    let started = Instant::now();
    let before = *spent;
    let mut lines = Lines::start();
    loop {
        let left = limits
            .time
            .map(|time| time.saturating_sub(started.elapsed()));
        let until_checkpoint = checkpoints.map(|checkpoints| checkpoints.every);
        let part = Limits {
            time: left.into_iter().chain(until_checkpoint).min(),
            ..limits.clone()
        };
        let nodes_before = spent.nodes;
        let mut tell = |progress: &SolveProgress| {
            let text = in_words(&SolveProgress {
                nodes: nodes_before + progress.nodes,
                elapsed: before.elapsed + started.elapsed(),
                ..*progress
            });
            lines.tell(&text);
            say(text);
        };
        let report = solver.solve(position, &part, &mut tell);
        spent.nodes += report.nodes;
        spent.elapsed = before.elapsed + started.elapsed();
        if let Some(checkpoints) = checkpoints {
            save(solver, *spent, checkpoints.file)?;
        }
        let over = limits.time.is_some_and(|time| started.elapsed() >= time);
        if report.stop != StopReason::Time || over {
            return Ok(report);
        }
    }
}

/// Lines on stderr where there is no terminal for a bar.
struct Lines {
    next: Instant,
    wanted: bool,
}

impl Lines {
    fn start() -> Lines {
        Lines {
            next: Instant::now() + BETWEEN_LINES,
            wanted: !std::io::stderr().is_terminal(),
        }
    }

    fn tell(&mut self, text: &str) {
        if self.wanted && Instant::now() >= self.next {
            anstream::eprintln!("{text}");
            self.next = Instant::now() + BETWEEN_LINES;
        }
    }
}
