//! `papamu perft`: counting the move sequences of a length.

use crate::args::{Game, PositionArgs};
use crate::output;
use anyhow::Result;
use engine::Playable;
use game::perft;
use registry::with_game;
use serde::Serialize;
use std::process::ExitCode;
use std::time::Instant;

/// Count the move sequences of exactly --depth plies, without those of games that end sooner.
#[derive(clap::Args)]
#[command(after_help = "Example: papamu perft konane --setup centre --depth 6")]
pub struct Args {
    game: Game,
    #[command(flatten)]
    position: PositionArgs,
    /// Length of the sequences, in plies, 0 to 1000
    #[arg(long, value_parser = clap::value_parser!(u32).range(0..=1000))]
    depth: u32,
    /// Write JSON
    #[arg(long)]
    json: bool,
}

#[derive(Serialize)]
struct Count {
    nodes: u64,
    seconds: f64,
}

impl Args {
    /// Runs the command.
    pub fn run(self) -> Result<ExitCode> {
        let Count { nodes, seconds } = with_game!(self.game.0, G => count::<G>(&self))?;
        if self.json {
            output::json_line(&Count { nodes, seconds })?;
        } else {
            let rate = output::rate(nodes as f64 / seconds, "nodes");
            output::text(&format!("{nodes} nodes in {seconds:.3} s, {rate}\n"))?;
        }
        Ok(ExitCode::SUCCESS)
    }
}

fn count<G: Playable>(args: &Args) -> Result<Count> {
    let mut position: G = args.position.position()?;
    let start = Instant::now();
    let nodes = perft(&mut position, args.depth);
    Ok(Count {
        nodes,
        seconds: start.elapsed().as_secs_f64(),
    })
}
