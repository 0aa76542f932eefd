//! `papamu bench`: a signature that is the same on every machine, and rates that are not.

use crate::args::{GameName, PlayerArgs, PositionArgs, fits_one_word, with_game};
use crate::output;
use anyhow::{Result, bail};
use engine::{Playable, Summary};
use game::{Game, Side, perft, random};
use havannah::Structure;
use havannah::playout::UniformPlayout;
use konane::{Board, LargeBitBoard, SmallBitBoard};
use search::Limits;
use serde::Serialize;
use std::process::ExitCode;
use std::time::Instant;

/// Measure rates, with a signature of the work that was done.
///
/// With a player: one search from the start position, with the time of each phase, the depth, and how the
/// playouts ended (with --json also every move). Without a player: uniformly random playouts from the start
/// position, and for Kōnane perft too. With one thread the signature is the same on every machine; a change
/// to the program that alters it alters the search.
#[derive(clap::Args)]
#[command(after_help = "Examples:
  papamu bench havannah --size 5 --json
  papamu bench havannah --size 8 --player rave --simulations 200000 --threads 2")]
pub struct Args {
    game: GameName,
    #[command(flatten)]
    position: PositionArgs,
    #[command(flatten)]
    player: PlayerArgs,
    /// Simulations of the search, or playouts [default: as many as take about a second]
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
/// Stones placed by playouts, where no number of playouts is asked for.
const STONES: u64 = 50_000_000;

impl Args {
    /// Runs the command.
    pub fn run(self) -> Result<ExitCode> {
        let runs_perft = self.game == GameName::Konane && self.player.player.is_none();
        if self.depth.is_some() && !runs_perft {
            bail!("--depth is the depth of perft, which only bench konane without a --player runs");
        }
        let measured = if self.player.player.is_some() {
            with_game!(self.game, &self.position.board, search(&self))?
        } else if !self.player.settings().is_empty() {
            bail!("--set and --threads need a --player");
        } else {
            match self.game {
                GameName::Havannah => havannah_playouts(&self)?,
                GameName::Konane if fits_one_word(&self.position.board) => {
                    konane_playouts::<SmallBitBoard>(&self)?
                }
                GameName::Konane => konane_playouts::<LargeBitBoard>(&self)?,
            }
        };
        if self.json {
            output::json_line(&measured)?;
        } else {
            output::text(&measured.for_people())?;
        }
        Ok(ExitCode::SUCCESS)
    }

    /// The number of playouts to make when each fills at most so many cells.
    fn playouts(&self, cells: usize) -> u64 {
        self.simulations.unwrap_or(STONES / cells.max(1) as u64)
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

/// Uniformly random playouts of Havannah, with how they end.
fn havannah_playouts(args: &Args) -> Result<Measured> {
    let position: havannah::Position = args.position.position()?;
    open_game(&position)?;
    let (board, first) = (position.board(), position.to_move());
    let playouts = args.playouts(board.geometry().cells().len());
    let mut policy = UniformPlayout::new(board.geometry());
    let mut rng = random::seeded(args.player.seed);
    let mut counts = [(0, 0); 4];
    let mut signature = 0;
    policy.prepare(board);
    let start = Instant::now();
    for _ in 0..playouts {
        let ended = policy.play_again(board, first, &mut rng);
        let kind = ended.win.map_or(3, |(_, structure)| structure as usize);
        let by_black = u64::from(matches!(ended.win, Some((Side::Black, _))));
        counts[kind].0 += 1;
        counts[kind].1 += ended.stones as u64;
        signature = random::mix(signature ^ (ended.stones as u64 * 8 + kind as u64 * 2 + by_black));
    }
    let seconds = start.elapsed().as_secs_f64();
    let kinds = [Structure::Fork, Structure::Bridge, Structure::Ring].map(|kind| kind.to_string());
    let kinds = kinds.into_iter().chain(["draw".to_owned()]);
    let ends = kinds.zip(counts).map(|(end, (count, stones))| Ends {
        end,
        count,
        mean_length: if count == 0 {
            0.0
        } else {
            stones as f64 / count as f64
        },
    });
    Ok(Measured {
        signature,
        playouts_per_second: Some(playouts as f64 / seconds),
        ends: ends.collect(),
        ..Measured::default()
    })
}

/// Uniformly random playouts of Kōnane, and perft.
fn konane_playouts<B: Board>(args: &Args) -> Result<Measured>
where
    konane::Position<B>: Playable,
{
    let mut position: konane::Position<B> = args.position.position()?;
    open_game(&position)?;
    let playouts = args.playouts(position.shape().area() * 4);
    let mut rng = random::seeded(args.player.seed);
    let mut signature = 0;
    let mut scratch = position.clone();
    let start = Instant::now();
    for _ in 0..playouts {
        scratch.clone_from(&position);
        while let Some(mv) = scratch.random_move(&mut rng) {
            scratch.play_unchecked(mv);
        }
        signature = random::mix(signature ^ scratch.ply() as u64);
    }
    let playouts_per_second = playouts as f64 / start.elapsed().as_secs_f64();
    let start = Instant::now();
    let nodes = perft(&mut position, args.depth.unwrap_or(PERFT_DEPTH));
    Ok(Measured {
        signature: random::mix(signature ^ nodes),
        playouts_per_second: Some(playouts_per_second),
        nodes_per_second: Some(nodes as f64 / start.elapsed().as_secs_f64()),
        ..Measured::default()
    })
}

fn open_game<G: Game>(position: &G) -> Result<()> {
    if position.outcome().is_some() {
        bail!("there is nothing to play out: the game is over");
    }
    Ok(())
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
