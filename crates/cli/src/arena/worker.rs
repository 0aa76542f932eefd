//! `papamu arena worker`: play what is in a store.

use super::{StoreArg, WorkArgs, stop_on_signal};
use anyhow::Result;
use arena::{Event, Options, work};
use std::process::ExitCode;

/// Play the experiments of a store, together with workers on any number of machines.
///
/// `papamu arena run FILE --store PLACE` adds an experiment to the store. Without --exit-when-idle a worker waits for
/// new experiments.
#[derive(clap::Args)]
#[command(
    after_help = "Example: papamu arena worker --store postgres://arena@server/arena --exit-when-idle"
)]
pub struct Args {
    #[command(flatten)]
    store: StoreArg,
    /// End when nothing is left to play
    #[arg(long)]
    exit_when_idle: bool,
    /// Only this experiment: its name, or the beginning of its identifier
    #[arg(long, value_name = "NAME")]
    experiment: Option<String>,
    #[command(flatten)]
    work: WorkArgs,
}

impl Args {
    /// Runs the command.
    pub async fn run(self) -> Result<ExitCode> {
        let store = self.store.open().await?;
        let only = match &self.experiment {
            Some(name) => Some(super::find(&store, Some(name)).await?.id),
            None => None,
        };
        let options = Options {
            only,
            exit_when_idle: self.exit_when_idle,
            ..self.work.options()?
        };
        let ledger = self.work.ledger().await?;
        let stop = stop_on_signal();
        let worked = work(
            &store,
            &options,
            Vec::new(),
            &stop,
            &ledger,
            &|event| match event {
                Event::Trouble(why) | Event::LeftOut(_, why) => eprintln!("{why}"),
                Event::Refused(game, effect) => {
                    let id = arena::game_id(&game.experiment, game.pair, game.colour);
                    eprintln!("game {id} was not stored: {effect:?}");
                }
                Event::Stored(..) | Event::Decided(..) => {}
            },
        );
        worked.await?;
        store.close().await;
        eprintln!(
            "{} games stored, {} lost by a fault, {} refused",
            ledger.stored(),
            ledger.faults(),
            ledger.refused()
        );
        Ok(ExitCode::SUCCESS)
    }
}
