//! `papamu arena tune`: the parameters of a player by SPSA.

use super::{StoreArg, WorkArgs, stop_on_signal};
use anyhow::{Context, Result};
use arena::tune::Tuning;
use std::path::PathBuf;
use std::process::ExitCode;

/// Tune the parameters of a player by playing it against itself (SPSA), for each board size.
///
/// Run again with the same file, it resumes.
#[derive(clap::Args)]
#[command(
    after_help = "Example: papamu arena tune experiments/tuning/havannah-5.toml --html tune.html"
)]
pub struct Args {
    /// The file of the tuning; docs/arena.md describes it
    file: PathBuf,
    #[command(flatten)]
    store: StoreArg,
    /// Write a page with a plot of each parameter over the iterations to this file
    #[arg(long, value_name = "FILE")]
    html: Option<PathBuf>,
    /// Write the plot of each parameter as SVG and PNG into this folder
    #[arg(long, value_name = "FOLDER")]
    pictures: Option<PathBuf>,
    #[command(flatten)]
    work: WorkArgs,
}

impl Args {
    /// Runs the command.
    pub async fn run(self) -> Result<ExitCode> {
        let file = self.file.display();
        let text =
            std::fs::read_to_string(&self.file).with_context(|| format!("cannot read {file}"))?;
        let tuning = Tuning::read(&text).with_context(|| file.to_string())?;
        let options = self.work.options()?;
        let store = self.store.open().await?;
        let stop = stop_on_signal();
        let mut trajectories = Vec::new();
        for size in tuning.sizes() {
            let place = size.map_or(String::new(), |size| format!("size {size}, "));
            let moved = |state: &statistics::spsa::State, score: &arena::Score| {
                let values: Vec<String> = tuning
                    .values(&state.values)
                    .into_iter()
                    .map(|(name, value)| format!("{name} {value}"))
                    .collect();
                eprintln!(
                    "{place}iteration {} of {}: {} won, {} lost; {}",
                    state.iteration,
                    tuning.iterations(),
                    score.wins,
                    score.losses,
                    values.join(", ")
                );
            };
            let trajectory = tuning.tune(&store, size, &options, &stop, &moved).await?;
            if let Some(last) = trajectory.states.last() {
                let set: Vec<String> = tuning
                    .values(&last.values)
                    .into_iter()
                    .map(|(name, value)| format!("--set {name}={value}"))
                    .collect();
                crate::output::text(&format!("{place}{}\n", set.join(" ")))?;
            }
            trajectories.push(trajectory);
        }
        let report = tuning.report(&trajectories);
        if let Some(folder) = &self.pictures {
            super::report::write_pictures(&report, folder)?;
        }
        if let Some(file) = &self.html {
            super::report::write(file, report.html().as_bytes())?;
        }
        Ok(if stop.is_raised() {
            ExitCode::from(crate::FAILED)
        } else {
            ExitCode::SUCCESS
        })
    }
}
