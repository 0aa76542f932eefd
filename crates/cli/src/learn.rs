//! `papamu learn`: a network from games of self-play.

use crate::progress::{Lines, Pace};
use crate::{output, signals};
use anyhow::{Context, Result};
use figures::Cell;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use learn::{Ended, Event, Generation, Options, Shared, Written};
use std::io::IsTerminal;
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Duration;

/// Learn a network from games of self-play, or resume a run.
///
/// A TOML file describes the run, which repeats self-play, training, and a match against the best weights so far.
/// Everything is kept in a folder; after any interruption the same command resumes the run. docs/learning.md describes
/// the file and what to expect.
#[derive(clap::Args)]
#[command(after_help = "Examples:
  papamu learn learning/tiny.toml
  papamu learn learning/havannah-5.toml --threads 4
  papamu learn learning/havannah-5.toml --status
  papamu learn learning/havannah-5.toml --html havannah-5.html
  papamu learn learning/havannah-5.toml --store postgres://papamu@server/papamu")]
pub struct Args {
    /// The file of the run
    file: PathBuf,
    /// The folder of the run [default: NAME.run in the current folder, for NAME.toml]
    #[arg(long, value_name = "FOLDER")]
    folder: Option<PathBuf>,
    /// Games at a time, and threads of training; the weights do not depend on their number
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=256))]
    threads: u16,
    /// Share the games with every `papamu worker PLACE`, through a file or <postgres://user@host/database>; the weights
    /// do not depend on it
    #[arg(long, value_name = "PLACE")]
    store: Option<String>,
    /// Seconds without a sign of life after which a worker's games are given to other workers
    #[arg(long, value_name = "S", default_value = "60", value_parser = crate::args::seconds, requires = "store")]
    lease: Duration,
    /// Seconds to retry when the store cannot be reached
    #[arg(long, value_name = "S", default_value = "60", value_parser = crate::args::seconds, requires = "store")]
    patience: Duration,
    /// Show the progress of the run, and exit
    #[arg(long)]
    status: bool,
    /// Write a line of JSON for each generation, also for those that were finished before
    #[arg(long)]
    json: bool,
    /// Write a page with the progress of the run as curves to this file (HTML), and exit
    #[arg(long, value_name = "FILE", conflicts_with_all = ["status", "json"])]
    html: Option<PathBuf>,
}

impl Args {
    /// Runs the command.
    pub fn run(self) -> Result<ExitCode> {
        let shown = self.file.display();
        let text = std::fs::read_to_string(&self.file);
        let text = text.with_context(|| format!("cannot read {shown}"))?;
        let written = Written::read(&text).with_context(|| format!("{shown}"))?;
        let folder = self.folder.unwrap_or_else(|| {
            let stem = self.file.file_stem().unwrap_or_default();
            PathBuf::from(stem).with_added_extension("run")
        });
        if let Some(file) = &self.html {
            let rows = learn::status(&folder).context("there is no run to show")?;
            let report = learn::report(&shown.to_string(), &rows);
            output::file(file, report.html().as_bytes())?;
            return Ok(ExitCode::SUCCESS);
        }
        if self.status {
            let rows = learn::status(&folder).context("there is no run to show")?;
            show(&rows, self.json)?;
            return Ok(ExitCode::SUCCESS);
        }
        let options = Options {
            folder: folder.clone(),
            beside: self.file.parent().map_or_else(PathBuf::new, PathBuf::from),
            threads: self.threads.into(),
            shared: self.store.map(|place| Shared {
                place,
                lease: self.lease.max(Duration::from_millis(100)),
                patience: self.patience,
            }),
            stop: signals::stop_flag(),
        };
        // A run that has not begun has learned nothing yet.
        let before = learn::status(&folder).unwrap_or_default();
        let mut progress = Progress::new(written.plan.generations, &before);
        // Those that were finished before come first, once it is known that the folder is of this run.
        let mut finished = before;
        finished.retain(|row| row.matched.is_some());
        let mut write_finished = |last: Option<&Generation>| {
            if self.json {
                for row in finished.drain(..).chain(last.cloned()) {
                    // A reader that is gone does not end the run.
                    let _ = output::json_line(&row);
                }
            }
        };
        let ended = learn::learn(&written, &text, &options, &mut |event| {
            write_finished(match &event {
                Event::Finished(row) => Some(row),
                _ => None,
            });
            progress.tell(&event);
        });
        progress.bar.finish_and_clear();
        let ended = ended?;
        write_finished(None);
        if !self.json {
            show(&learn::status(&folder)?, false)?;
        }
        match ended {
            Ended::Done => Ok(ExitCode::SUCCESS),
            Ended::Stopped => {
                anstream::eprintln!("stopped; the same command resumes");
                Ok(ExitCode::from(
                    signals::exit_code().unwrap_or(crate::FAILED),
                ))
            }
        }
    }
}

/// A bar on a terminal, and now and then a line elsewhere.
struct Progress {
    bar: ProgressBar,
    pace: Pace,
    generations: u32,
    /// The Elo of the best weights so far, in words.
    elo: Option<String>,
    /// The generation and kind of the step that is shown.
    step: Option<(u32, &'static str)>,
    is_terminal: bool,
    lines: Lines,
}

impl Progress {
    fn new(generations: u32, before: &[Generation]) -> Progress {
        let is_terminal = std::io::stderr().is_terminal();
        let target = if is_terminal {
            ProgressDrawTarget::stderr()
        } else {
            ProgressDrawTarget::hidden()
        };
        let bar = ProgressBar::with_draw_target(Some(0), target);
        let pace = Pace::new(0);
        let style =
            ProgressStyle::with_template("{prefix} {wide_bar} {pos}/{len}, {left} left\n{msg}");
        Progress {
            bar: match style {
                Ok(style) => bar.with_style(pace.shown_as_left(style)),
                Err(_) => bar,
            },
            pace,
            generations,
            elo: before.iter().rev().find_map(elo_of_best),
            step: None,
            is_terminal,
            lines: Lines::start(),
        }
    }

    fn tell(&mut self, event: &Event) {
        let (generation, kind, done, all, message) = match event {
            Event::Playing {
                generation,
                done,
                all,
            } => (
                *generation,
                "games",
                u64::from(*done),
                u64::from(*all),
                String::new(),
            ),
            Event::Training {
                generation,
                done,
                all,
                loss: [moves, results],
            } => {
                let loss = format!("loss: moves {moves:.3}, results {results:.4}");
                (*generation, "steps", *done, *all, loss)
            }
            Event::Matching {
                generation,
                done,
                all,
                so_far,
            } => {
                let elo = so_far.elo(0.95).map_or(String::new(), |elo| {
                    format!("Elo {} in this match", learn::in_words(elo))
                });
                (*generation, "pairs", u64::from(*done), u64::from(*all), elo)
            }
            Event::Trouble(why) => {
                self.line(&format!("papamu: {why}; trying again"));
                return;
            }
            Event::Finished(row) => {
                if let Some(elo) = elo_of_best(row) {
                    self.elo = Some(elo);
                }
                let table = learn::table(std::slice::from_ref(&**row));
                let cells = table.rows.iter().flatten().map(Cell::text);
                let line: Vec<&str> = cells.collect();
                self.line(&format!("generation {}", line.join("  ")));
                return;
            }
        };
        let prefix = format!("generation {generation} of {}: {kind}", self.generations);
        let parts = [
            Some(message).filter(|message| !message.is_empty()),
            self.elo.clone(),
        ];
        let message = parts.into_iter().flatten().collect::<Vec<_>>().join(", ");
        self.bar.set_position(done);
        if self.step != Some((generation, kind)) {
            self.step = Some((generation, kind));
            self.bar.set_length(all);
            self.pace.begin(done);
            self.bar.set_prefix(prefix);
        } else if self.lines.are_due() {
            let comma = if message.is_empty() { "" } else { ", " };
            let left = self.pace.left(done, all);
            self.lines.tell(&format!(
                "{prefix} {done}/{all}{comma}{message}, {left} left"
            ));
        }
        self.bar.set_message(message);
    }

    fn line(&self, line: &str) {
        if self.is_terminal {
            self.bar.println(line);
        } else {
            anstream::eprintln!("{line}");
        }
    }
}

/// The Elo of weights that became the best.
fn elo_of_best(row: &Generation) -> Option<String> {
    let is_best = row.matched.as_ref().is_some_and(|matched| matched.promoted);
    let elo = row.elo_so_far.filter(|_| is_best)?;
    Some(format!("Elo so far {}", learn::in_words(elo)))
}

/// The table of all generations.
fn show(rows: &[Generation], json: bool) -> Result<()> {
    if json {
        return rows.iter().try_for_each(output::json_line);
    }
    let table = learn::table(rows);
    output::text(&format!("{}{}\n", table.text(), table.caption))
}
