//! `papamu arena plan`: how many games and hours an experiment needs.

use crate::output;
use crate::progress::time;
use anyhow::Result;
use arena::experiment::Stop;
use arena::schedule::{Colour, pair};
use arena::{Loaded, Scale, Tables};
use serde::Serialize;
use statistics::{Cost, Plan, Sprt};
use std::path::PathBuf;
use std::process::ExitCode;

/// Estimate the games and hours that an experiment needs, and the games for a significant result.
///
/// A few games are played to measure their time; they are not stored.
#[derive(clap::Args)]
#[command(
    after_help = "Example: papamu arena plan experiments/havannah/rave-vs-uct.toml --tell 55"
)]
pub struct Args {
    /// The file of the experiment
    file: PathBuf,
    /// full, or quick: with the values of the file's `quick` table
    #[arg(long, default_value = "full")]
    scale: Scale,
    /// Games at a time, on all machines together [default: one for each core]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    concurrency: Option<u16>,
    /// The true score, in percent, that the experiment should distinguish from 50 %
    #[arg(long, value_name = "PERCENT", default_value = "55", value_parser = clap::value_parser!(u8).range(51..=99))]
    tell: u8,
    /// Points to sample: one game of each is played
    #[arg(long, value_name = "N", default_value = "4", value_parser = clap::value_parser!(u16).range(1..=1000))]
    sample: u16,
    /// Write JSON
    #[arg(long)]
    json: bool,
}

/// What is needed.
#[derive(Serialize)]
struct Needed {
    points: usize,
    games: u64,
    /// Hours of all games, with so many at a time.
    hours: f64,
    plies_a_game: f64,
    seconds_a_move: f64,
    at_a_time: f64,
    /// Half the width of the 95 % interval of a point, in percent.
    margin: Option<f64>,
    /// Games of a point that tell the score from 50 % in 80 of 100 cases, at 95 %.
    games_to_tell: u64,
    hours_to_tell: f64,
    /// Games that the test of a point takes in the mean where the higher hypothesis is true.
    games_of_test: Option<u64>,
}

impl Args {
    /// Runs the command.
    pub fn run(self) -> Result<ExitCode> {
        let loaded = Loaded::new(super::read_file(&self.file, self.scale)?, 1)?;
        let needed = tokio::task::block_in_place(|| self.needed(&loaded))?;
        if self.json {
            output::json_line(&needed)?;
        } else {
            output::text(&needed.for_people(&loaded.experiment.name, self.tell))?;
        }
        Ok(ExitCode::SUCCESS)
    }

    fn needed(&self, loaded: &Loaded) -> Result<Needed> {
        let experiment = &loaded.experiment;
        let parallel = super::at_a_time(self.concurrency) as f64;
        let points = experiment.points.len();
        let sample = usize::from(self.sample).min(points);
        let (mut plies, mut seconds) = (0, 0.0);
        let mut tables = Tables::default();
        for place in 0..sample {
            let number = (place * points / sample) as u64;
            let game = tables.play(loaded, pair(experiment, number), Colour::First, &|_| {})?;
            plies += game.moves.len() - game.opening;
            seconds += game.time.as_secs_f64();
        }
        let cost = Cost {
            plies: plies as f64 / sample as f64,
            seconds: seconds / plies.max(1) as f64,
            parallel,
        };
        let games = 2 * loaded.pairs()?.len() as u64;
        let score = f64::from(self.tell) / 100.0;
        let tell = Plan::for_effect(score, arena::verdict::LEVEL, 0.8, &cost);
        let each = experiment.pairs.map(|pairs| f64::from(2 * pairs));
        let games_of_test = match experiment.stop {
            Stop::Fixed => None,
            Stop::Sprt {
                elo0,
                elo1,
                alpha,
                beta,
            } => {
                let expected = Sprt::new(elo0, elo1, alpha, beta)?.expected(elo1);
                Some(expected.games.ceil() as u64)
            }
        };
        Ok(Needed {
            points,
            games,
            hours: cost.hours(games as f64),
            plies_a_game: cost.plies,
            seconds_a_move: cost.seconds,
            at_a_time: parallel,
            margin: each.map(|each| 100.0 * statistics::quantile(0.975) / (2.0 * each.sqrt())),
            games_to_tell: tell.games,
            hours_to_tell: tell.hours,
            games_of_test,
        })
    }
}

impl Needed {
    fn for_people(&self, name: &str, tell: u8) -> String {
        let mut text = format!(
            "{name}: {} points, {} games, {} with {} at a time\n\
             a game has {:.0} moves of {:.3} s (from a sample)\n",
            self.points,
            self.games,
            time(3600.0 * self.hours),
            self.at_a_time,
            self.plies_a_game,
            self.seconds_a_move,
        );
        if let Some(margin) = self.margin {
            text += &format!("95 % interval of a point: at most ± {margin:.1} %\n");
        }
        text += &format!(
            "to tell {tell} % from 50 % a point needs {} games, {}\n",
            self.games_to_tell,
            time(3600.0 * self.hours_to_tell)
        );
        if let Some(games) = self.games_of_test {
            text += &format!(
                "the test of a point takes {games} games in the mean if the higher hypothesis is true\n"
            );
        }
        text
    }
}
