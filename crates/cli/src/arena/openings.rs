//! `papamu arena openings`: a book of balanced openings.

use crate::args::{BoardArgs, Game, PlayerArgs};
use crate::{output, progress, signals};
use anyhow::{Result, bail, ensure};
use arena::schedule::random_opening;
use engine::{BoardOptions, Playable};
use game::random::mix;
use registry::with_game;
use search::{Limits, StopFlag};
use std::collections::HashSet;
use std::process::ExitCode;
use std::thread;

/// Make a book of balanced openings: random moves, after which a long search expects about half a point.
///
/// The games of a match say more when neither side has won at their beginning. The book is for --book of papamu arena
/// match, or `openings.file` of an experiment. With the same options it is the same book.
#[derive(clap::Args)]
#[command(after_help = "Examples:
  papamu arena openings havannah --size 6 --count 2 --simulations 300 --margin 20
  papamu arena openings konane --size 10 --plies 8 --count 100 --simulations 1000000 > konane-10.txt")]
pub struct Args {
    game: Game,
    #[command(flatten)]
    board: BoardArgs,
    #[command(flatten)]
    player: PlayerArgs,
    /// Openings to find
    #[arg(long, value_name = "N", default_value = "50", value_parser = clap::value_parser!(u32).range(1..=100_000))]
    count: u32,
    /// Random moves of each opening
    #[arg(long, value_name = "N", default_value = "4", value_parser = clap::value_parser!(u32).range(1..=200))]
    plies: u32,
    /// Simulations of the search (nodes, for players that count nodes) [default: 4000 for Havannah, 20000 for other games]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    simulations: Option<u64>,
    /// How far from half a point the search may expect, in hundredths of a point
    #[arg(long, value_name = "PERCENT", default_value = "3", value_parser = clap::value_parser!(u8).range(1..=50))]
    margin: u8,
    /// Give up after N random openings in a row that are not balanced
    #[arg(long, value_name = "N", default_value = "10000", value_parser = clap::value_parser!(u32).range(1..))]
    attempts: u32,
    /// Searches at a time [default: one for each core]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    concurrency: Option<u16>,
}

/// A search is so many times as long as that of a review.
const LONG: u64 = 2;
/// A first search is this much shorter, and rejects an opening that is further than this many margins from half a point.
const SHORT: u64 = 8;
const SHORT_MARGINS: f64 = 1.5;

impl Args {
    /// Runs the command.
    pub fn run(&self) -> Result<ExitCode> {
        with_game!(self.game.0, G => self.search::<G>())
    }

    fn simulations<G: Playable>(&self) -> u64 {
        self.simulations.unwrap_or(LONG * G::SIMULATIONS)
    }

    fn search<G: Playable>(&self) -> Result<ExitCode> {
        let board = self.board.options();
        // What is wrong with the board or the player is told before anything is searched.
        G::player(self.player.player.as_deref())?.build(
            G::start(&board)?,
            self.player.seed,
            &self.player.settings(),
        )?;
        let at_a_time = super::at_a_time(self.concurrency) as u64;
        let stop = signals::stop_flag();
        let bar = progress::bar(self.count.into(), "openings");
        let quoted = |word: String| {
            if word.contains(' ') {
                format!("{word:?}")
            } else {
                word
            }
        };
        let command: Vec<String> = std::env::args().skip(1).map(quoted).collect();
        output::text(&format!(
            "# Openings of {} after which {} simulations expect {} to {} % for the side to move:\n# papamu {}\n",
            G::TITLE,
            self.simulations::<G>(),
            50 - self.margin,
            50 + self.margin,
            command.join(" ")
        ))?;
        let mut seen = HashSet::new();
        let (mut number, mut in_vain) = (0, 0);
        while seen.len() < self.count as usize {
            let found: Vec<Result<Option<Opening>>> = thread::scope(|scope| {
                let one = |number| {
                    let (board, stop) = (&board, &stop);
                    scope.spawn(move || self.judged::<G>(board, number, stop))
                };
                let threads: Vec<_> = (number..number + at_a_time).map(one).collect();
                threads
                    .into_iter()
                    .map(|thread| thread.join().unwrap_or_else(|_| bail!("a search failed")))
                    .collect()
            });
            if stop.is_raised() {
                bar.finish_and_clear();
                eprintln!("stopped after {} of {} openings", seen.len(), self.count);
                return Ok(ExitCode::from(
                    signals::exit_code().unwrap_or(crate::FAILED),
                ));
            }
            number += at_a_time;
            for opening in found {
                let new = opening?.filter(|opening| seen.insert(opening.moves.clone()));
                let Some(opening) = new else {
                    in_vain += 1;
                    continue;
                };
                in_vain = 0;
                bar.inc(1);
                let percent = 100.0 * opening.value;
                bar.suspend(|| output::text(&format!("{} # {percent:.1} %\n", opening.moves)))?;
                if seen.len() == self.count as usize {
                    break;
                }
            }
            ensure!(
                in_vain < self.attempts,
                "of {number} openings {} were balanced, and none of the last {in_vain}: fewer --plies, a larger board or a larger --margin may help",
                seen.len()
            );
        }
        Ok(ExitCode::SUCCESS)
    }

    /// The opening of a number, if it is balanced.
    fn judged<G: Playable>(
        &self,
        board: &BoardOptions,
        number: u64,
        stop: &StopFlag,
    ) -> Result<Option<Opening>> {
        let seed = mix(self.player.seed ^ mix(number));
        let opening = random_opening::<G>(board, seed, self.plies)?;
        let mut position = opening.start;
        let mut moves = Vec::new();
        for mv in opening.moves {
            moves.push(position.write_move(mv, G::Dialect::default()));
            position.play(mv);
        }
        let player = G::player(self.player.player.as_deref())?;
        let mut engine = player.build(position, seed, &self.player.settings())?;
        let margin = f64::from(self.margin) / 100.0;
        let mut judge = |simulations, margin| {
            let limits = Limits {
                simulations: Some(simulations),
                stop: stop.clone(),
                ..Limits::default()
            };
            let report = engine.search(&limits, &mut |_| {});
            let near = (report.value.0 - 0.5).abs() <= margin;
            (report.proven.is_none() && near).then_some(report.value.0)
        };
        let simulations = self.simulations::<G>();
        let short = judge(
            simulations.div_ceil(SHORT),
            (SHORT_MARGINS * margin).min(0.5),
        );
        let value = short.and_then(|_| judge(simulations, margin));
        Ok(value.map(|value| Opening {
            moves: moves.join(" "),
            value,
        }))
    }
}

/// A balanced opening.
struct Opening {
    moves: String,
    /// What the search expects for the side to move, from 0 to 1.
    value: f64,
}
