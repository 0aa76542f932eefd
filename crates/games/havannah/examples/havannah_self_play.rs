//! Writes down games of Havannah's default player against itself, for `train_network`.
//!
//! ```text
//! cargo run --release -p papamu-havannah --example havannah_self_play -- SIZE,SIZE... SIMULATIONS GAMES SEED FILE [KEY=VALUE]...
//! ```
//!
//! Each game is on a board of one of the sizes and begins with one to six random stones. Of the moves up to the tenth a
//! third is drawn by lot from what the search looked at, so that no two games are the same. Games end when one side has
//! proven that it wins. Lines are appended to the file: what each search looked at, and each game with its result, as
//! `train_network` says.

use engine::{BoardOptions, Playable, Setting};
use game::random::{self, Rng};
use game::{Game, Outcome, Placement, Relative, Side};
use havannah::Position;
use search::{Limits, MoveStats, Report};
use std::error::Error;
use std::fmt::Write as _;
use std::fs::OpenOptions;
use std::io::{BufWriter, Write};

/// Random stones at the beginning, at most.
const RANDOM: u32 = 6;
/// The moves of a game that lots can decide.
const VARIED: usize = 10;
/// One in so many of them is.
const LOTS: u32 = 3;
/// The chances of a move are its visits to this power.
const CURIOSITY: f64 = 0.8;

/// A game under way.
struct Record {
    position: Position,
    size: String,
    /// The cells of the moves, as text.
    cells: String,
    plies: usize,
}

impl Record {
    fn play(&mut self, mv: havannah::Move) -> Result<(), Box<dyn Error>> {
        let cell = self.position.cell_of(mv).ok_or("a move without a cell")?;
        write!(self.cells, ".{cell}")?;
        self.position.play(mv);
        self.plies += 1;
        Ok(())
    }
}

/// A move by lot.
fn drawn(moves: &[MoveStats<havannah::Move>], rng: &mut Rng) -> Option<havannah::Move> {
    let chance = |stats: &MoveStats<_>| (stats.visits as f64).powf(CURIOSITY);
    let all: f64 = moves.iter().map(chance).sum();
    let mut left = f64::from(random::below(1 << 30, rng)) / f64::from(1 << 30) * all;
    let found = moves.iter().find(|stats| {
        left -= chance(stats);
        left <= 0.0
    });
    found.or(moves.first()).map(|stats| stats.mv)
}

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [sizes, simulations, games, seed, file, settings @ ..] = &arguments[..] else {
        return Err(
            "usage: havannah_self_play SIZE,SIZE... SIMULATIONS GAMES SEED FILE [KEY=VALUE]..."
                .into(),
        );
    };
    let sizes: Vec<&str> = sizes.split(',').collect();
    let limits = Limits {
        simulations: Some(simulations.parse()?),
        ..Limits::default()
    };
    let seed: u64 = seed.parse()?;
    let settings: Vec<Setting> = settings
        .iter()
        .map(|text| text.parse())
        .collect::<Result<_, _>>()?;
    let player = Position::player(None)?;
    let mut out = BufWriter::new(OpenOptions::new().create(true).append(true).open(file)?);
    let mut rng = random::seeded(seed);
    for game in 0..games.parse::<u64>()? {
        let size = sizes[random::below(sizes.len() as u32, &mut rng) as usize];
        let mut record = Record {
            position: Position::start(&BoardOptions::sized(size))?,
            size: size.to_owned(),
            cells: String::new(),
            plies: 0,
        };
        let random_stones = 1 + random::below(RANDOM, &mut rng);
        for _ in 0..random_stones {
            if let Some(mv) = record.position.random_move(&mut rng) {
                record.play(mv)?;
            }
        }
        let seed = random::mix(seed ^ random::mix(game));
        let mut engine = player.build(record.position.clone(), seed, &settings)?;
        let winner = loop {
            if let Some(outcome) = record.position.outcome() {
                break match outcome {
                    Outcome::Win(side) => Some(side),
                    Outcome::Draw => None,
                };
            }
            let report: Report<_> = engine.search(&limits, &mut |_| {});
            let mover = record.position.to_move();
            match report.proven {
                Some(Relative::Win) => break Some(mover),
                Some(Relative::Loss) => break Some(!mover),
                Some(Relative::Draw) => break None,
                None => {}
            }
            write!(out, "search {} {} ", record.size, record.cells)?;
            let open = report.moves.iter().filter(|stats| stats.proven.is_none());
            for stats in open.filter(|stats| stats.visits > 0) {
                if let Some(cell) = record.position.cell_of(stats.mv) {
                    write!(out, "{cell}:{},", stats.visits)?;
                }
            }
            writeln!(out)?;
            let by_lot = record.plies < VARIED && random::below(LOTS, &mut rng) == 0;
            let lot = by_lot.then(|| drawn(&report.moves, &mut rng)).flatten();
            let Some(mv) = lot.or(report.best) else {
                break None;
            };
            engine.advance(mv)?;
            record.play(mv)?;
        };
        let score = match winner {
            Some(Side::White) => "1",
            Some(Side::Black) => "0",
            None => "0.5",
        };
        writeln!(
            out,
            "game {} {} {random_stones} {score}",
            record.size, record.cells
        )?;
    }
    out.flush()?;
    Ok(())
}
