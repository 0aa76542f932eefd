//! `papamu learn`: a network from games of self-play.

use crate::{output, signals};
use anyhow::{Context, Result};
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use learn::{Ended, Event, Generation, Options, Written};
use statistics::Estimate;
use std::fmt::Write as _;
use std::io::IsTerminal;
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::{Duration, Instant};

/// Learn a network from games of self-play, or resume a run.
///
/// A TOML file describes the run, which repeats self-play, training, and a match against the best weights so far.
/// Everything is kept in a folder; after any interruption the same command resumes the run. docs/learning.md describes
/// the file and what to expect.
#[derive(clap::Args)]
#[command(after_help = "Examples:
  papamu learn learning/tiny.toml
  papamu learn learning/havannah-5.toml --threads 4
  papamu learn learning/havannah-5.toml --status")]
pub struct Args {
    /// The file of the run
    file: PathBuf,
    /// The folder of the run [default: NAME.run in the current folder, for NAME.toml]
    #[arg(long, value_name = "FOLDER")]
    folder: Option<PathBuf>,
    /// Games at a time, and threads of training; the weights do not depend on their number
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=256))]
    threads: u16,
    /// Show the progress of the run, and exit
    #[arg(long)]
    status: bool,
    /// Write a line of JSON for each generation
    #[arg(long)]
    json: bool,
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
        if self.status {
            let rows = learn::status(&folder).context("there is no run to show")?;
            show(&rows, self.json)?;
            return Ok(ExitCode::SUCCESS);
        }
        let options = Options {
            folder: folder.clone(),
            threads: self.threads.into(),
            stop: signals::stop_flag(),
        };
        let mut progress = Progress::new(written.plan.generations);
        let ended = learn::learn(&written, &text, &options, &mut |event| {
            if let (Event::Finished(row), true) = (&event, self.json) {
                // A reader that is gone does not end the run.
                let _ = output::json_line(row);
            }
            progress.tell(&event);
        });
        progress.bar.finish_and_clear();
        let ended = ended?;
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

/// How often a line is written where there is no terminal.
const BETWEEN_LINES: Duration = Duration::from_mins(1);

/// A bar on a terminal, and now and then a line elsewhere.
struct Progress {
    bar: ProgressBar,
    generations: u32,
    /// The generation and kind of the step that is shown.
    step: Option<(u32, &'static str)>,
    is_terminal: bool,
    written: Instant,
}

impl Progress {
    fn new(generations: u32) -> Progress {
        let is_terminal = std::io::stderr().is_terminal();
        let target = if is_terminal {
            ProgressDrawTarget::stderr()
        } else {
            ProgressDrawTarget::hidden()
        };
        let bar = ProgressBar::with_draw_target(Some(0), target);
        let style =
            ProgressStyle::with_template("{prefix} {wide_bar} {pos}/{len}, {eta} left\n{msg}");
        Progress {
            bar: match style {
                Ok(style) => bar.with_style(style),
                Err(_) => bar,
            },
            generations,
            step: None,
            is_terminal,
            written: Instant::now(),
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
                let elo = so_far
                    .elo(0.95)
                    .map_or(String::new(), |elo| format!("Elo {}", interval(elo)));
                (*generation, "pairs", u64::from(*done), u64::from(*all), elo)
            }
            Event::Finished(row) => {
                let line = row_text(row).join("  ");
                self.line(&format!("generation {line}"));
                return;
            }
        };
        let prefix = format!("generation {generation} of {}: {kind}", self.generations);
        if self.step != Some((generation, kind)) {
            self.step = Some((generation, kind));
            self.bar.set_length(all);
            self.bar.set_position(done);
            self.bar.reset_eta();
            self.bar.set_prefix(prefix);
        } else if !self.is_terminal && self.written.elapsed() > BETWEEN_LINES {
            self.written = Instant::now();
            let comma = if message.is_empty() { "" } else { ", " };
            self.line(&format!("{prefix} {done}/{all}{comma}{message}"));
        }
        self.bar.set_position(done);
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

const HEAD: [&str; 10] = [
    "generation",
    "games",
    "positions",
    "moves",
    "first",
    "results",
    "right",
    "won-drawn-lost",
    "Elo so far",
    "weights",
];

/// A generation as it stands in the table.
fn row_text(row: &Generation) -> [String; 10] {
    let played =
        |text: fn(&learn::Played) -> String| row.played.as_ref().map_or(String::new(), text);
    let held_out = |text: fn(&learn::Loss) -> String| {
        row.trained
            .as_ref()
            .map_or(String::new(), |trained| text(&trained.held_out))
    };
    [
        row.generation.to_string(),
        played(|played| played.games.to_string()),
        played(|played| played.positions.to_string()),
        held_out(|loss| format!("{:.3}", loss.moves())),
        held_out(|loss| format!("{:.1} %", 100.0 * loss.first_share())),
        held_out(|loss| format!("{:.4}", loss.results())),
        held_out(|loss| format!("{:.1} %", 100.0 * loss.right_share())),
        row.matched.as_ref().map_or(String::new(), |matched| {
            let [won, drawn, lost] = matched.pairs.won_split_lost();
            format!("{won}-{drawn}-{lost}")
        }),
        row.elo_so_far.map_or(String::new(), |elo| {
            let promoted = row.matched.as_ref().is_some_and(|matched| matched.promoted);
            format!("{}{}", interval(elo), if promoted { " *" } else { "" })
        }),
        row.trained
            .as_ref()
            .map_or(String::new(), |trained| trained.weights[..12].to_owned()),
    ]
}

fn interval(elo: Estimate) -> String {
    format!("{:+.0} ({:+.0} to {:+.0})", elo.value, elo.low, elo.high)
}

/// The table of all generations.
fn show(rows: &[Generation], json: bool) -> Result<()> {
    if json {
        return rows.iter().try_for_each(output::json_line);
    }
    let lines: Vec<[String; 10]> = std::iter::once(HEAD.map(str::to_owned))
        .chain(rows.iter().map(row_text))
        .collect();
    let width = |column: usize| {
        let widths = lines.iter().map(|line| line[column].chars().count());
        widths.max().unwrap_or(0)
    };
    let widths: Vec<usize> = (0..HEAD.len()).map(width).collect();
    let mut text = String::new();
    for line in &lines {
        let mut row = String::new();
        for (cell, width) in line.iter().zip(&widths) {
            let _ = write!(row, "{cell:>width$}  ");
        }
        let _ = writeln!(text, "{}", row.trim_end());
    }
    text.push_str("moves, results: cross-entropy in nats of games held out; pairs of games of the match; * promoted\n");
    output::text(&text)
}
