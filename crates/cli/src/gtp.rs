//! `papamu gtp`: a GTP 2 engine on standard input and output.

use crate::args::{BoardArgs, BudgetArgs, DialectArg, Game, PlayerArgs};
use anyhow::Result;
use gtp::{Session, SessionOptions, serve};
use registry::with_game;
use std::io::{self, BufReader};
use std::process::ExitCode;
use tracing_subscriber::filter::{LevelFilter, Targets};
use tracing_subscriber::layer::SubscriberExt;
use tracing_subscriber::util::SubscriberInitExt;

/// Speak GTP 2 on standard input and output.
///
/// The command `help` lists the commands. Without a budget the player takes one second per move. Logs go to standard
/// error; `PAPAMU_LOG=debug` writes more of them.
#[derive(clap::Args)]
#[command(after_help = "Example: papamu gtp havannah --size 5 --time 3")]
pub struct Args {
    game: Game,
    #[command(flatten)]
    board: BoardArgs,
    #[command(flatten)]
    dialect: DialectArg,
    #[command(flatten)]
    player: PlayerArgs,
    #[command(flatten)]
    budget: BudgetArgs,
}

impl Args {
    /// Runs the command.
    pub fn run(self) -> Result<ExitCode> {
        let wanted = std::env::var("PAPAMU_LOG").ok();
        let filter: Targets = wanted
            .and_then(|text| text.parse().ok())
            .unwrap_or_else(|| Targets::new().with_default(LevelFilter::WARN));
        tracing_subscriber::registry()
            .with(tracing_subscriber::fmt::layer().with_writer(io::stderr))
            .with(filter)
            .init();
        let board = self.board.options();
        let options = SessionOptions {
            settings: self.player.settings(),
            player: self.player.player,
            seed: self.player.seed,
            time: self.budget.time,
            simulations: self.budget.simulations,
            dialect: self.dialect.dialect,
        };
        let (input, output) = (BufReader::new(io::stdin()), io::stdout().lock());
        with_game!(self.game.0, G => {
            serve(Session::<G>::new(board, &options)?, input, output)?;
        });
        Ok(ExitCode::SUCCESS)
    }
}
