//! `papamu arena`: experiments.

mod export;
mod matches;
mod openings;
mod pages;
mod plan;
mod progress;
mod report;
mod reproduce;
mod run;
pub mod status;
mod store;
mod tune;
mod worker;

use crate::metrics::{self, Metric};
use crate::signals::Signals;
use anyhow::{Context, Result, bail};
use arena::experiment::with_books;
use arena::{EngineLog, Experiment, ExperimentRow, Options, Scale, Stop, Store, check};
use clap::Subcommand;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Duration;

/// Run experiments: matches between players, with honest statistics, on one machine or on many.
///
/// A match needs no file; an experiment of several matches is a TOML file, which docs/arena.md describes. Games are
/// kept in a store: a file (SQLite), or a PostgreSQL database that many machines share.
#[derive(clap::Args)]
#[command(after_help = "Examples:
  papamu arena match rave uct --size 5 --games 40 --simulations 500
  papamu arena run experiments/havannah/rave-vs-uct.toml --scale quick
  papamu arena status
  papamu arena report rave-vs-uct --html report.html
  papamu arena worker --store postgres://arena@server/arena")]
pub struct Args {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    Match(Box<matches::Args>),
    Openings(openings::Args),
    Run(run::Args),
    Worker(worker::Args),
    Plan(plan::Args),
    Status(status::Args),
    Report(report::Args),
    Export(export::Args),
    Reproduce(reproduce::Args),
    Tune(tune::Args),
    Store(store::Args),
}

impl Args {
    /// Runs the command.
    pub fn run(self) -> Result<ExitCode> {
        let runtime = tokio::runtime::Builder::new_multi_thread()
            .enable_all()
            .build()?;
        runtime.block_on(async {
            match self.command {
                Command::Match(args) => args.run().await,
                Command::Openings(args) => tokio::task::block_in_place(|| args.run()),
                Command::Run(args) => args.run().await,
                Command::Worker(args) => args.run().await,
                Command::Plan(args) => args.run(),
                Command::Status(args) => args.run().await,
                Command::Report(args) => args.run().await,
                Command::Export(args) => args.run().await,
                Command::Reproduce(args) => args.run().await,
                Command::Tune(args) => args.run().await,
                Command::Store(args) => args.run().await,
            }
        })
    }
}

/// Where the games are.
#[derive(clap::Args, Clone, Debug)]
pub struct StoreArg {
    /// The store: a file, or <postgres://user@host/database>
    #[arg(
        long,
        value_name = "PLACE",
        env = "PAPAMU_STORE",
        default_value = "arena.db"
    )]
    store: String,
}

impl StoreArg {
    async fn open(&self) -> Result<Store> {
        Ok(Store::open(&self.store).await?)
    }

    /// Opens a store that must be there already, to read it.
    async fn open_existing(&self) -> Result<Store> {
        must_exist(&self.store)?;
        Ok(Store::open_to_read(&self.store).await?)
    }
}

/// Refuses a place where there is no store.
pub fn must_exist(place: &str) -> Result<()> {
    let path = place.strip_prefix("sqlite://").unwrap_or(place);
    let path = path.split('?').next().unwrap_or_default();
    // The address of a server is refused when it is opened.
    let is_file = !place.starts_with("postgres") && !jobs::is_web(place);
    if is_file && !Path::new(path).exists() {
        bail!(
            "there is no store {path}: papamu arena run, and solve or learn with --store, make one"
        );
    }
    Ok(())
}

/// How much is done at a time: what is asked for, or one for each core.
fn at_a_time(concurrency: Option<u16>) -> usize {
    let cores = || std::thread::available_parallelism().map_or(1, std::num::NonZero::get);
    concurrency.map_or_else(cores, usize::from)
}

/// How much to play at a time.
#[derive(clap::Args, Clone, Debug)]
#[command(next_help_heading = "Work")]
pub struct WorkArgs {
    /// Games at a time [default: one for each core]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    concurrency: Option<u16>,
    /// Lease in seconds of games, or of a position to solve: when a worker has been silent for so long, its work goes to others
    #[arg(long, value_name = "S", default_value = "60", value_parser = crate::args::seconds)]
    lease: Duration,
    /// Seconds to keep trying when the store cannot be reached
    #[arg(long, value_name = "S", default_value = "60", value_parser = crate::args::seconds)]
    patience: Duration,
    /// End after N games lost by a fault: a crash, an illegal move, no answer, or a time overrun
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    max_faults: Option<u32>,
    /// Append the standard error of other programs to this file
    #[arg(long, value_name = "FILE")]
    engine_log: Option<PathBuf>,
    /// Serve metrics for Prometheus at this address
    #[arg(long, value_name = "ADDRESS")]
    metrics: Option<String>,
}

impl WorkArgs {
    /// Games at a time.
    pub fn threads(&self) -> usize {
        at_a_time(self.concurrency)
    }

    /// How long a lease lasts.
    pub fn lease(&self) -> Duration {
        self.lease.max(Duration::from_millis(100))
    }

    /// How long to try again when the store cannot be reached.
    pub fn patience(&self) -> Duration {
        self.patience
    }

    /// A ledger, served to Prometheus if that is asked for.
    pub async fn ledger(&self) -> Result<arena::Ledger> {
        let ledger = arena::Ledger::default();
        let served = ledger.clone();
        self.serve_metrics(move || metrics::of_games(&served))
            .await?;
        Ok(ledger)
    }

    /// Serves metrics to Prometheus if that is asked for.
    pub async fn serve_metrics(
        &self,
        metrics: impl Fn() -> Vec<Metric> + Send + 'static,
    ) -> Result<()> {
        match &self.metrics {
            Some(address) => metrics::serve(address, metrics).await,
            None => Ok(()),
        }
    }

    /// How to play.
    pub fn options(&self) -> Result<Options> {
        let engine_log = match &self.engine_log {
            None => EngineLog::default(),
            Some(path) => {
                EngineLog::open(path).with_context(|| format!("cannot write {}", path.display()))?
            }
        };
        Ok(Options {
            threads: self.threads(),
            lease: self.lease(),
            patience: self.patience,
            max_faults: self.max_faults.map(|most| most as usize),
            engine_log,
            ..Options::default()
        })
    }
}

/// Stops when Ctrl-C is pressed (or the process is told to end), and ends at once when it is pressed
/// again.
fn stop_on_signal() -> Stop {
    let stop = Stop::default();
    let raised = stop.clone();
    tokio::spawn(async move {
        let Ok(mut signals) = Signals::listen() else {
            return;
        };
        if signals.next().await.is_none() {
            return;
        }
        raised.raise();
        eprintln!("finishing the running games; again to stop at once");
        if let Some(code) = signals.next().await {
            std::process::exit(i32::from(code));
        }
    });
    stop
}

/// The experiment of a store with a name, or the beginning of an identifier; without a name the only
/// one.
async fn find(store: &Store, name: Option<&str>) -> Result<ExperimentRow> {
    let all = store.experiments().await?;
    let known = || {
        all.iter()
            .map(|row| format!("{} ({})", row.name, row.id))
            .collect::<Vec<_>>()
            .join(", ")
    };
    let fits = |row: &&ExperimentRow| {
        name.is_none_or(|name| row.name == name || (name.len() >= 4 && row.id.starts_with(name)))
    };
    let mut found: Vec<&ExperimentRow> = all.iter().filter(fits).collect();
    match (found.pop(), found.is_empty()) {
        (Some(row), true) => Ok(row.clone()),
        (Some(last), false) => {
            found.push(last);
            let mut rows = Vec::new();
            for row in found {
                let day = day(store.created(&row.id).await?);
                let games = store.counts(&row.id).await?.games;
                let (name, id, scale) = (&row.name, &row.id, &row.scale);
                rows.push(format!(
                    "{name} ({id}, {scale} scale, {day}, {games} games)"
                ));
            }
            bail!("which one? there are: {}", rows.join(", "))
        }
        (None, _) if all.is_empty() => bail!("the store {} has no experiment", store.place()),
        (None, _) => bail!(
            "no experiment {:?}; there are: {}",
            name.unwrap_or_default(),
            known()
        ),
    }
}

/// The day of a time in seconds since 1970, as in 2026-01-31: Howard Hinnant, "chrono-compatible low-level date algorithms".
fn day(seconds: f64) -> String {
    let days = (seconds / 86_400.0).floor() as i64 + 719_468;
    let (era, of_era) = (days.div_euclid(146_097), days.rem_euclid(146_097));
    let year = (of_era - of_era / 1460 + of_era / 36_524 - of_era / 146_096) / 365;
    let of_year = of_era - (365 * year + year / 4 - year / 100);
    let month = (5 * of_year + 2) / 153;
    let day = of_year - (153 * month + 2) / 5 + 1;
    let month = if month < 10 { month + 3 } else { month - 9 };
    let year = 400 * era + year + i64::from(month <= 2);
    format!("{year}-{month:02}-{day:02}")
}

/// The experiment of a file, with its books, ready to be played.
fn read_file(file: &Path, scale: Scale) -> Result<Experiment> {
    let shown = file.display();
    let text = std::fs::read_to_string(file).with_context(|| format!("cannot read {shown}"))?;
    let folder = file.parent().unwrap_or(Path::new(""));
    let experiment = with_books(&text, folder)
        .and_then(|text| Experiment::read(&text, scale))
        .with_context(|| shown.to_string())?;
    check(&experiment).with_context(|| shown.to_string())?;
    Ok(experiment)
}

/// The experiment of a row.
fn read(row: &ExperimentRow) -> Result<Experiment> {
    let scale: Scale = row.scale.parse()?;
    Experiment::read(&row.file, scale).with_context(|| format!("{} in the store", row.name))
}

#[cfg(test)]
mod tests {
    use super::day;

    #[test]
    fn days_have_their_dates() {
        for (seconds, date) in [
            (0.0, "1970-01-01"),
            (951_782_400.5, "2000-02-29"),
            (1_767_225_599.0, "2025-12-31"),
            (4_107_542_400.0, "2100-03-01"),
        ] {
            assert_eq!(day(seconds), date);
        }
    }
}
