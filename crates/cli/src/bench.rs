//! `papamu bench`: a signature that is the same on every machine, and rates that are not.

use crate::args::{Game, PlayerArgs, PositionArgs};
use crate::output;
use anyhow::{Result, bail};
use engine::{Playable, Summary};
use registry::with_game;
use search::Limits;
use serde::Serialize;
use std::process::ExitCode;
use std::time::Duration;

/// Measure speed, and compute a signature of the search.
///
/// With a player: one search from the start position, with the time of each phase, the depth, and how the playouts
/// ended (with --json also every move). Without a player: uniformly random playouts from the start position, and for
/// Kōnane perft too. The signature is a hash of the search: with one thread it is the same on every machine, and it
/// differs if a change of the program changes the search.
#[derive(clap::Args)]
#[command(after_help = "Examples:
  papamu bench havannah --size 5 --json
  papamu bench havannah --size 8 --player rave --simulations 200000 --threads 2")]
pub struct Args {
    game: Game,
    #[command(flatten)]
    position: PositionArgs,
    #[command(flatten)]
    player: PlayerArgs,
    /// Simulations of the search, or number of playouts [default: 50,000 simulations; about a second of playouts]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    simulations: Option<u64>,
    /// Kōnane without a player: the depth of perft [default: 7]
    #[arg(long, value_name = "D", value_parser = clap::value_parser!(u32).range(1..=20))]
    depth: Option<u32>,
    /// Write JSON
    #[arg(long)]
    json: bool,
}

/// What was measured. What does not apply is left out.
#[derive(Default, Serialize)]
struct Measured {
    signature: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    playouts_per_second: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    simulations_per_second: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    nodes_per_second: Option<f64>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    ends: Vec<Ends>,
    #[serde(flatten)]
    summary: Option<Summary>,
}

/// The playouts that ended in one way.
#[derive(Serialize)]
struct Ends {
    end: String,
    count: u64,
    mean_length: f64,
}

/// Simulations of a search, where none are asked for.
const SIMULATIONS: u64 = 50_000;
/// Plies of perft, where none are asked for.
const PERFT_DEPTH: u32 = 7;

impl Args {
    /// Runs the command.
    pub fn run(self) -> Result<ExitCode> {
        if self.depth.is_some() && self.player.player.is_some() {
            bail!("--depth is the depth of perft, which bench runs without a --player");
        }
        if self.depth.is_some() && !with_game!(self.game.0, G => G::PERFT) {
            bail!(
                "--depth is the depth of perft, which bench {} does not run",
                self.game.0
            );
        }
        let measured = if self.player.player.is_some() {
            with_game!(self.game.0, G => search::<G>(&self))?
        } else if !self.player.settings().is_empty() {
            bail!("--set and --threads need a --player");
        } else {
            with_game!(self.game.0, G => playouts::<G>(&self))?
        };
        if self.json {
            output::json_line(&measured)?;
        } else {
            output::text(&measured.for_people())?;
        }
        Ok(ExitCode::SUCCESS)
    }
}

/// One search.
fn search<G: Playable>(args: &Args) -> Result<Measured> {
    let player = G::player(args.player.player.as_deref())?;
    let position: G = args.position.position()?;
    let mut engine = player.build(position.clone(), args.player.seed, &args.player.settings())?;
    let dialect = args.position.dialect.of_game::<G>()?;
    let limits = Limits {
        simulations: Some(args.simulations.unwrap_or(SIMULATIONS)),
        ..Limits::default()
    };
    let report = engine.search(&limits, &mut |_| {});
    let per_second = |count: u64| (count > 0).then(|| count as f64 / report.elapsed.as_secs_f64());
    Ok(Measured {
        signature: report.signature,
        playouts_per_second: per_second(report.playouts),
        simulations_per_second: per_second(report.simulations),
        nodes_per_second: per_second(report.nodes),
        ends: Vec::new(),
        summary: Some(Summary::new(engine.as_ref(), &report, &position, dialect)),
    })
}

/// Uniformly random playouts, with what else is measured of the game.
fn playouts<G: Playable>(args: &Args) -> Result<Measured> {
    let position: G = args.position.position()?;
    if position.outcome().is_some() {
        bail!("there is nothing to play out: the game is over");
    }
    let played = position.playouts(
        args.simulations,
        args.player.seed,
        args.depth.unwrap_or(PERFT_DEPTH),
    );
    let rate = |(count, time): (u64, Duration)| count as f64 / time.as_secs_f64();
    let ends = played.ends.into_iter();
    Ok(Measured {
        signature: played.signature,
        playouts_per_second: Some(rate(played.games)),
        nodes_per_second: played.nodes.map(rate),
        ends: ends
            .map(|(end, count, mean_length)| Ends {
                end,
                count,
                mean_length,
            })
            .collect(),
        ..Measured::default()
    })
}

impl Measured {
    fn for_people(&self) -> String {
        let mut text = format!("signature  {}\n", self.signature);
        let rates = [
            (self.playouts_per_second, "playouts"),
            (self.simulations_per_second, "simulations"),
            (self.nodes_per_second, "nodes"),
        ];
        for (rate, what) in rates {
            if let Some(rate) = rate {
                text += &format!("{what:<10} {}\n", output::rate(rate, what));
            }
        }
        if let Some(summary) = &self.summary {
            text += &summary.for_people();
        }
        let total: u64 = self.ends.iter().map(|ends| ends.count).sum();
        for ends in &self.ends {
            let share = 100.0 * ends.count as f64 / total as f64;
            text += &format!(
                "{:<10} {share:6.2} %  {:7.2} stones in the mean\n",
                ends.end, ends.mean_length
            );
        }
        text
    }
}
