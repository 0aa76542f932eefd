//! `papamu convert`: games in another form or dialect.

use crate::args::DialectArg;
use crate::output;
use anyhow::{Context, Result};
use clap::ValueEnum;
use record::{Converted, Form, RawGame, Record};
use registry::{GameName, with_game};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

/// Convert the games of a file to another format, or Havannah's moves to another dialect.
///
/// SGF and HGF keep variations, comments and all properties, known or not. A list of moves keeps only the main line.
#[derive(clap::Args)]
#[command(after_help = "Examples:
  papamu convert game.hgf --to-dialect grid
  papamu convert game.hgf -o game.sgf
  papamu convert game.sgf --to list > game.txt")]
pub struct Args {
    /// The file: SGF, HGF or a list of moves
    file: PathBuf,
    /// The format to write [default: by the extension of --output (.sgf, .hgf, .txt), otherwise sgf]
    #[arg(long, value_enum, value_name = "FORM")]
    to: Option<Written>,
    /// Havannah: the dialect to write, grid or row [default: that of the game; row for hgf]
    #[arg(long, value_name = "NAME")]
    to_dialect: Option<String>,
    #[command(flatten)]
    dialect: DialectArg,
    /// Write to this file instead of standard output
    #[arg(long, short, value_name = "FILE")]
    output: Option<PathBuf>,
}

#[derive(Clone, Copy, ValueEnum)]
enum Written {
    /// SGF
    Sgf,
    /// Little Golem's SGF of Havannah, in the row dialect
    Hgf,
    /// A list of moves
    List,
}

impl Args {
    /// Runs the command.
    pub fn run(self) -> Result<ExitCode> {
        let name = self.file.display();
        let bytes = std::fs::read(&self.file).with_context(|| format!("cannot read {name}"))?;
        let games = record::read(&bytes).with_context(|| format!("{name}"))?;
        let mut converted = Vec::with_capacity(games.len());
        for (game, place) in games.iter().zip(1..) {
            let (game, fault) = self
                .converted(game)
                .with_context(|| format!("{name}: game {place}"))?;
            if let Some(fault) = fault {
                anstream::eprintln!("papamu: {name}: game {place} is copied as it is: {fault}");
            }
            converted.push(game);
        }
        let text = record::collection(converted).with_context(|| format!("{name}"))?;
        match &self.output {
            Some(file) => output::file(file, text.as_bytes())?,
            None => output::text(&text)?,
        }
        Ok(ExitCode::SUCCESS)
    }

    fn form(&self) -> Form {
        let ending = self.output.as_deref().and_then(Path::extension);
        let ending = ending.map(|ending| ending.to_string_lossy().to_ascii_lowercase());
        match (self.to, ending.as_deref()) {
            (Some(Written::Hgf), _) | (None, Some("hgf")) => Form::Hgf,
            (Some(Written::List), _) | (None, Some("txt")) => Form::List,
            _ => Form::Sgf,
        }
    }

    /// A game in the form, and what is wrong with it if it is copied all the same.
    fn converted(&self, game: &RawGame) -> Result<(Converted, Option<record::Fault>)> {
        with_game!(GameName::of_file(game.game())?, G => {
            let to = DialectArg { dialect: self.to_dialect.clone() };
            let record: Record<G> = game.replay(self.dialect.named::<G>()?)?;
            let converted = record::converted(&record, self.form(), to.named::<G>()?)?;
            Ok((converted, record.fault))
        })
    }
}
