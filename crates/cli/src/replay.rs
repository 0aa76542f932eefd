//! `papamu replay`: games from files, replayed under the rules.

use crate::args::DialectArg;
use crate::{FAILED, output};
use anyhow::Result;
use engine::Playable;
use record::{End, RawGame, Record};
use registry::{GameName, with_game};
use serde::Serialize;
use serde_json::Value;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

/// Replay games from SGF, HGF or move-list files under the rules.
#[derive(clap::Args)]
#[command(after_help = "Example: papamu replay games/*.hgf --json")]
pub struct Args {
    /// The files
    #[arg(required = true)]
    files: Vec<PathBuf>,
    #[command(flatten)]
    dialect: DialectArg,
    /// Write JSON, one line per game
    #[arg(long)]
    json: bool,
}

/// What is said of a game.
#[derive(Serialize)]
struct Replayed {
    file: String,
    game: Option<&'static str>,
    size: Option<Value>,
    plies: usize,
    end: String,
    winner: Option<String>,
    recorded: Option<String>,
    structure: Option<String>,
    error: Option<String>,
}

impl Args {
    /// Runs the command.
    pub fn run(self) -> Result<ExitCode> {
        let mut counts = Counts::default();
        for file in &self.files {
            for game in replay_file(file, &self.dialect) {
                counts.add(&game);
                if self.json {
                    output::json_line(&game)?;
                } else {
                    output::text(&line(&game))?;
                }
            }
        }
        if !self.json {
            output::text(&counts.table())?;
        }
        Ok(if counts.errors() == 0 {
            ExitCode::SUCCESS
        } else {
            ExitCode::from(FAILED)
        })
    }
}

fn replay_file(file: &Path, dialect: &DialectArg) -> Vec<Replayed> {
    let name = file.display().to_string();
    let read = std::fs::read(file).map_err(anyhow::Error::new);
    let read = read.and_then(|bytes| Ok(record::read(&bytes)?));
    let replayed = read.and_then(|games| {
        let replayed = games.iter().map(|raw| replay(&name, raw, dialect));
        replayed.collect::<Result<Vec<_>>>()
    });
    replayed.unwrap_or_else(|error| {
        vec![Replayed {
            file: name,
            game: None,
            size: None,
            plies: 0,
            end: End::Error.to_string(),
            winner: None,
            recorded: None,
            structure: None,
            error: Some(error.to_string()),
        }]
    })
}

fn replay(file: &str, raw: &RawGame, dialect: &DialectArg) -> Result<Replayed> {
    with_game!(GameName::of_file(raw.game())?, G => {
        Ok(replayed::<G>(file, &raw.replay(dialect.named::<G>()?)?))
    })
}

fn replayed<G: Playable>(file: &str, record: &Record<G>) -> Replayed {
    Replayed {
        file: file.to_owned(),
        game: Some(G::NAME),
        size: Some(output::size(&record.start)),
        plies: record.moves.len(),
        end: record.end().to_string(),
        winner: record.winner().map(|outcome| outcome.to_string()),
        recorded: record.claimed.map(|outcome| outcome.to_string()),
        structure: record.last.structure(),
        error: record.fault.as_ref().map(ToString::to_string),
    }
}

/// A game for people.
fn line(game: &Replayed) -> String {
    let end = match (&game.error, &game.structure, &game.winner) {
        (Some(error), ..) => error.clone(),
        (_, Some(structure), Some(winner)) => format!("{winner} wins with a {structure}"),
        (_, _, Some(winner)) => format!("{winner} ({})", game.end),
        _ => game.end.clone(),
    };
    let board = match (game.game, &game.size) {
        (Some(name), Some(Value::String(size))) => format!("{name} {size}, "),
        (Some(name), Some(size)) => format!("{name} {size}, "),
        _ => String::new(),
    };
    format!("{}: {board}{} moves: {end}\n", game.file, game.plies)
}

/// How many games ended in each way.
#[derive(Default)]
struct Counts {
    by_end: BTreeMap<String, usize>,
    by_structure: BTreeMap<String, usize>,
    /// Games whose file claims another winner than the replay finds.
    contradicted: usize,
}

impl Counts {
    fn add(&mut self, game: &Replayed) {
        *self.by_end.entry(game.end.clone()).or_default() += 1;
        if let Some(structure) = &game.structure {
            *self.by_structure.entry(structure.clone()).or_default() += 1;
        }
        let both = game.winner.as_ref().zip(game.recorded.as_ref());
        self.contradicted += usize::from(both.is_some_and(|(winner, recorded)| winner != recorded));
    }

    fn errors(&self) -> usize {
        self.by_end
            .get(&End::Error.to_string())
            .copied()
            .unwrap_or_default()
    }

    fn table(&self) -> String {
        let total: usize = self.by_end.values().sum();
        let mut table = format!("\n{total:>6} games\n");
        for end in End::ALL {
            let end = end.to_string();
            let count = self.by_end.get(&end).copied().unwrap_or_default();
            table += &format!("{count:>6} {end}");
            if end == End::Structure.to_string() && count > 0 {
                let kinds = self.by_structure.iter();
                let kinds: Vec<String> = kinds
                    .map(|(kind, count)| format!("{count} {kind}"))
                    .collect();
                table += &format!(" ({})", kinds.join(", "));
            }
            table.push('\n');
        }
        table + &format!("{:>6} whose file names another winner\n", self.contradicted)
    }
}
