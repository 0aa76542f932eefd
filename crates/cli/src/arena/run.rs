//! `papamu arena run`: play an experiment.

use super::progress::Progress;
use super::{StoreArg, WorkArgs, stop_on_signal};
use anyhow::{Context, Result};
use arena::{Experiment, Loaded, Options, Scale, check, publish, work};
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::Arc;

/// Play an experiment on this machine, or what is left of it.
///
/// Every game is stored when it ends. Run again, the same file goes on where it was; Ctrl-C finishes
/// the running games and stops, a second one stops at once.
#[derive(clap::Args)]
#[command(
    after_help = "Example: papamu arena run experiments/havannah/rave-vs-uct.toml --scale quick"
)]
pub struct Args {
    /// The file of the experiment
    file: PathBuf,
    /// full, or quick: with what the file's `quick` table replaces
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
        let file = self.file.display();
        let text =
            std::fs::read_to_string(&self.file).with_context(|| format!("cannot read {file}"))?;
        let experiment = Experiment::read(&text, self.scale).with_context(|| file.to_string())?;
        check(&experiment).with_context(|| file.to_string())?;
        let store = self.store.open().await?;
        let options = Options {
            only: Some(experiment.id.clone()),
            ..self.work.options()
        };
        let loaded = Arc::new(Loaded::new(experiment, options.threads));
        publish(&store, &loaded).await?;
        let progress = Arc::new(Progress::new(&store, &loaded).await?);
        let follow = tokio::spawn({
            let (progress, store) = (progress.clone(), store.clone());
            let id = loaded.experiment.id.clone();
            async move { progress.follow(&store, &id).await }
        });
        let ledger = self.work.ledger().await?;
        let stop = stop_on_signal();
        let tell = |event| progress.tell(&event);
        let worked = work(
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
        worked?;
        let counts = store.counts(&loaded.experiment.id).await?;
        store.close().await;
        let name = &loaded.experiment.name;
        if counts.open > 0 {
            eprintln!(
                "stopped with {} pairs left; the same command goes on",
                counts.open
            );
            return Ok(ExitCode::from(crate::FAILED));
        }
        eprintln!(
            "all {} games are stored; papamu arena report {name} shows what came of them",
            counts.games
        );
        Ok(ExitCode::SUCCESS)
    }
}
