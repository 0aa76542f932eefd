//! `papamu analyse`: an analysis engine for other programs.

use crate::args::{BudgetArgs, PlayerArgs};
use analysis::Defaults;
use anyhow::Result;
use std::io::{self, BufReader, IsTerminal};
use std::process::ExitCode;
use std::thread::available_parallelism;

/// Answer queries about positions: one JSON object per line on standard input, answers on standard output.
///
/// Many queries can be open at a time; docs/analysis.md describes them. The options below are defaults for queries
/// without a player, parameters or limits; without a budget, a position gets 2,000 simulations in Havannah, 10,000 in
/// other games. At the end of the input all open queries are answered, and the program exits.
#[derive(clap::Args)]
#[command(after_help = "Examples:
  papamu analyse --json < queries.jsonl
  papamu analyse --json --positions 2 --simulations 5000 < queries.jsonl > answers.jsonl")]
pub struct Args {
    /// Read and write JSON, the only format
    #[arg(long, required = true)]
    json: bool,
    /// Positions searched at the same time, 1 to 1024 [default: one for each core]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    positions: Option<u16>,
    #[command(flatten)]
    player: PlayerArgs,
    #[command(flatten)]
    budget: BudgetArgs,
}

impl Args {
    /// Runs the command.
    pub fn run(self) -> Result<ExitCode> {
        let positions = match self.positions {
            Some(positions) => usize::from(positions),
            None => available_parallelism().map_or(1, usize::from),
        };
        if io::stdin().is_terminal() {
            anstream::eprintln!(
                "papamu: type one query per line, such as {{\"id\": \"a\", \"game\": \"havannah\", \"size\": 5}}; \
                 Ctrl-D ends the input"
            );
        }
        let defaults = Defaults {
            settings: self.player.settings(),
            player: self.player.player,
            seed: self.player.seed,
            limits: self.budget.given(),
        };
        let input = BufReader::new(io::stdin());
        analysis::serve(input, io::stdout(), positions, &defaults)?;
        Ok(ExitCode::SUCCESS)
    }
}
