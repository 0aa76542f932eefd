//! `papamu arena store`: what stores there are.

use crate::output;
use anyhow::Result;
use arena::{Store, copy};
use clap::Subcommand;
use std::process::ExitCode;

/// Manage stores.
#[derive(clap::Args)]
#[command(after_help = "Example: papamu arena store copy arena.db postgres://arena@server/arena")]
pub struct Args {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Copy experiments with their games from one store to another
    #[command(
        after_help = "Example: papamu arena store copy arena.db postgres://arena@server/arena"
    )]
    Copy {
        /// The store to copy from: a file, or <postgres://user@host/database>
        from: String,
        /// The store to copy to; it is created if it does not exist
        to: String,
        /// Only this experiment, by its name or identifier; may be given several times
        #[arg(long = "experiment", value_name = "NAME")]
        experiments: Vec<String>,
    },
}

impl Args {
    /// Runs the command.
    pub async fn run(self) -> Result<ExitCode> {
        let Command::Copy {
            from,
            to,
            experiments,
        } = self.command;
        let from = super::StoreArg { store: from }.open_existing().await?;
        let to = Store::open(&to).await?;
        let copied = copy(&from, &to, &experiments).await?;
        to.close().await;
        output::text(&format!(
            "copied {} experiments, {} games\n",
            copied.experiments, copied.games
        ))?;
        Ok(ExitCode::SUCCESS)
    }
}
