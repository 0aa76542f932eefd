//! `papamu cgt`: the value of a Kōnane position in combinatorial game theory.

use crate::args::BoardArgs;
use crate::output;
use anyhow::{Context, Result, bail, ensure};
use engine::Playable;
use konane::cgt::{Database, Dyadic, Outcome, Region, Value, Valuer};
use konane::{Position, Stage};
use serde::Serialize;
use std::path::PathBuf;
use std::process::ExitCode;

/// Find the value of a Kōnane position, or of a part of a board, in combinatorial game theory.
///
/// Black is Left: positive values are good for Black. The value is the sum of the values of independent regions.
#[derive(clap::Args)]
#[command(after_help = "\
A diagram gives rows from the top with / between them: x is a black stone, o a white one, . an empty
cell and # a wall, on which no stone can land. Without a diagram, the position is that of the board
options and --moves.

Examples:
  papamu cgt .xo./.ox.
  papamu cgt \"xo.#xo.\" --json
  papamu cgt --rows 4 --cols 4 --setup corner --moves a3-a1
  papamu cgt ..xo/o.ox/xo.o --thermograph
  papamu cgt .xoxo.ox. --database regions.db")]
pub struct Args {
    /// A diagram such as .xo./.ox.
    #[arg(value_name = "POSITION", conflicts_with_all = ["size", "rows", "cols", "setup", "opening", "moves"])]
    position: Option<String>,
    #[command(flatten)]
    board: BoardArgs,
    /// Moves played from the start, such as "d2-d4 a4-c4"
    #[arg(long, default_value = "", hide_default_value = true)]
    moves: String,
    /// Read the values of regions from this file, and add new ones to it
    #[arg(long, value_name = "FILE")]
    database: Option<PathBuf>,
    /// Memory limit, in thousands of stored regions, values, comparisons and sums (a thousand take about 0.1 MB), 1 to
    /// 1000000
    #[arg(long, value_name = "N", default_value_t = 5000, value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    budget: u32,
    /// Draw the thermograph
    #[arg(long, conflicts_with = "json")]
    thermograph: bool,
    /// Write values in ASCII: ^ for ↑, v for ↓, +- for ±
    #[arg(long)]
    ascii: bool,
    /// Write JSON
    #[arg(long)]
    json: bool,
}

/// What is said of the position.
#[derive(Serialize)]
struct Valued {
    value: String,
    /// `black` or `white`, whoever begins, or `first` or `second` to move.
    outcome: &'static str,
    mean: String,
    temperature: String,
    left_stop: String,
    right_stop: String,
    /// Pairs of a temperature and the stop when the game is cooled by it: straight in between, constant after
    /// the last.
    left_wall: Vec<[String; 2]>,
    right_wall: Vec<[String; 2]>,
    regions: Vec<ValuedRegion>,
    #[serde(skip)]
    picture: String,
}

/// The same of a region.
#[derive(Serialize)]
struct ValuedRegion {
    diagram: String,
    value: String,
}

impl Args {
    /// Runs the command.
    pub fn run(self) -> Result<ExitCode> {
        let regions = self.regions()?;
        let mut valuer = Valuer::new(1000 * self.budget as usize);
        let database = match &self.database {
            Some(file) => Some(Database::open(file, &mut valuer)?),
            None => None,
        };
        let valued = self.value(&regions, &mut valuer);
        if let Some(mut database) = database {
            // What was found before the budget was spent is worth keeping too.
            database.save(&mut valuer)?;
        }
        let valued = valued?;
        if self.json {
            output::json_line(&valued)?;
        } else {
            output::text(&valued.in_words())?;
            if self.thermograph {
                output::text(&valued.picture)?;
            }
        }
        Ok(ExitCode::SUCCESS)
    }

    fn regions(&self) -> Result<Vec<Region>> {
        if let Some(diagram) = &self.position {
            let region: Region = diagram.parse()?;
            return Ok(region.parts());
        }
        let position = Position::start(&self.board.options())?;
        let cells = position.shape().area();
        ensure!(
            cells <= Region::MOST_CELLS,
            "cgt takes boards of at most {} cells, and this one has {cells}",
            Region::MOST_CELLS
        );
        let position = position.play_list(&self.moves, ())?;
        if position.stage() != Stage::Jumping {
            bail!(
                "stones have to be removed first, and only jumps have a value: give --setup or --moves"
            );
        }
        Region::of(&position).context("values are found on boards of at most 64 cells")
    }

    fn value(&self, regions: &[Region], valuer: &mut Valuer) -> Result<Valued> {
        let mut parts = Vec::with_capacity(regions.len());
        for region in regions {
            let value = valuer.region(region)?;
            parts.push(ValuedRegion {
                diagram: region.to_string(),
                value: self.write(value, valuer),
            });
        }
        let sum = valuer.sum(regions)?;
        let thermograph = valuer.games.thermograph(sum);
        let [left_stop, right_stop] = valuer.games.stops(sum);
        let [left_wall, right_wall] = thermograph.walls().map(|wall| {
            let point = |&(temperature, stop): &(Dyadic, Dyadic)| [temperature, stop];
            let written = wall.iter().map(point);
            written
                .map(|pair| pair.map(|number| number.to_string()))
                .collect()
        });
        Ok(Valued {
            value: self.write(sum, valuer),
            outcome: match valuer.games.outcome(sum) {
                Outcome::Left => "black",
                Outcome::Right => "white",
                Outcome::First => "first",
                Outcome::Second => "second",
            },
            mean: thermograph.mean.to_string(),
            temperature: thermograph.temperature.to_string(),
            left_stop: left_stop.to_string(),
            right_stop: right_stop.to_string(),
            left_wall,
            right_wall,
            picture: thermograph.to_string(),
            regions: parts,
        })
    }

    fn write(&self, value: Value, valuer: &mut Valuer) -> String {
        if self.ascii {
            valuer.games.write_ascii(value)
        } else {
            valuer.games.write(value)
        }
    }
}

impl Valued {
    fn in_words(&self) -> String {
        let winner = match self.outcome {
            "first" => "whoever moves first wins",
            "second" => "whoever moves second wins",
            "black" => "black wins",
            _ => "white wins",
        };
        let mut text = format!(
            "{}: {winner} (mean {}, temperature {})\n",
            self.value, self.mean, self.temperature
        );
        if self.regions.len() > 1 {
            for region in &self.regions {
                text.push_str(&format!("  {}  {}\n", region.diagram, region.value));
            }
        }
        text
    }
}
