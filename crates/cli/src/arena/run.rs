//! `papamu arena run`: play an experiment.

use super::progress::{Progress, described};
use super::{StoreArg, WorkArgs, stop_on_signal};
use crate::output;
use anyhow::Result;
use arena::{Experiment, Loaded, Options, Scale, WorkError, publish};
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::Arc;

/// Play an experiment on this machine, or resume it.
///
/// Every game is stored when it ends. Run again with the same file, it resumes. Ctrl-C finishes the running games and
/// stops; a second Ctrl-C stops at once.
#[derive(clap::Args)]
#[command(
    after_help = "Example: papamu arena run experiments/havannah/rave-vs-uct.toml --scale quick"
)]
pub struct Args {
    /// The file of the experiment
    file: PathBuf,
    /// full, or quick: with the values of the file's `quick` table
    #[arg(long, default_value = "full")]
    scale: Scale,
    #[command(flatten)]
    store: StoreArg,
    #[command(flatten)]
    work: WorkArgs,
}

impl Args {
    /// Runs the command.
    pub async fn run(self) -> Result<ExitCode> {
        let experiment = super::read_file(&self.file, self.scale)?;
        play(experiment, &self.store, &self.work).await
    }
}

/// Points whose scores are shown at the end.
const SHOWN: usize = 20;

/// Plays what is left of an experiment, and shows the scores.
pub async fn play(experiment: Experiment, store: &StoreArg, work: &WorkArgs) -> Result<ExitCode> {
    let options = Options {
        only: Some(experiment.id.clone()),
        ..work.options()?
    };
    let store = store.open().await?;
    let loaded = Arc::new(Loaded::new(experiment, options.threads)?);
    publish(&store, &loaded).await?;
    let progress = Arc::new(Progress::new(&store, &loaded).await?);
    let follow = tokio::spawn({
        let (progress, store) = (progress.clone(), store.clone());
        let id = loaded.experiment.id.clone();
        async move { progress.follow(&store, &id).await }
    });
    let ledger = work.ledger().await?;
    let stop = stop_on_signal();
    let tell = |event| progress.tell(&event);
    let worked = arena::work(
        &store,
        &options,
        vec![loaded.clone()],
        &stop,
        &ledger,
        &tell,
    )
    .await;
    follow.abort();
    progress.end();
    match worked {
        Err(error @ WorkError::Faults { .. }) => {
            eprintln!("papamu: {error}; the same command resumes");
            return Ok(ExitCode::from(crate::FAILED));
        }
        worked => worked?,
    }
    let experiment = &loaded.experiment;
    let counts = store.counts(&experiment.id).await?;
    let scores = store.scores(&experiment.id, None).await?;
    let closed = store.closed_points(&experiment.id).await?;
    store.close().await;
    if experiment.points.len() <= SHOWN {
        for (place, point) in (0..).zip(&experiment.points) {
            let score = scores.get(&place).copied().unwrap_or_default();
            let closed = closed.contains(&place);
            let shown = described(&experiment.stop, &score, closed);
            output::text(&format!("{point}: {shown}\n"))?;
        }
    }
    if counts.open > 0 {
        eprintln!(
            "stopped with {} pairs left; the same command resumes",
            counts.open
        );
        return Ok(ExitCode::from(crate::FAILED));
    }
    if ledger.faults() > 0 {
        eprintln!(
            "{} games were lost by a fault; the report counts them",
            ledger.faults()
        );
    }
    eprintln!(
        "all {} games are stored; papamu arena report {} shows the results",
        counts.games, experiment.name
    );
    Ok(ExitCode::SUCCESS)
}
