//! Runs that may be interrupted: checkpoints, Ctrl-C, and what is told meanwhile.

use crate::solvers::in_words;
use anyhow::Result;
use engine::{Checkpoints, Solvable, load_checkpoint, save_checkpoint, solve_on};
use search::proof::{SolveProgress, SolveReport, Spent};
use search::{Limits, StopFlag};
use std::io::IsTerminal;
use std::path::Path;
use std::sync::OnceLock;
use std::time::{Duration, Instant};

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
pub fn resume<G: Solvable>(prover: &mut G::Prover, file: &Path) -> Result<Spent> {
    if let Some(spent) = load_checkpoint::<G>(prover, file)? {
        return Ok(spent);
    }
    // If it cannot be written, that is better known now.
    save_checkpoint::<G>(prover, Spent::default(), file)?;
    Ok(Spent::default())
}

/// Solves a position, with checkpoints in a file if one is given. `spent` says what was spent before,
/// and afterwards in all.
pub fn solve<G: Solvable>(
    prover: &mut G::Prover,
    position: &G,
    limits: &Limits,
    checkpoints: Option<Checkpoints<'_>>,
    spent: &mut Spent,
    say: &dyn Fn(String),
) -> Result<SolveReport<G::Move>> {
    let mut lines = Lines::start();
    let mut tell = |progress: &SolveProgress| {
        let text = in_words(progress);
        lines.tell(&text);
        say(text);
    };
    let report = solve_on(position, prover, limits, checkpoints, spent, &mut tell)?;
    Ok(report)
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
