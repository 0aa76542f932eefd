//! `papamu explore`: walking through a proof, and pictures of many.

mod openings;
mod place;

use crate::args::refuse_store;
use anyhow::{Context, Result, bail};
use certificate::proof;
use clap::ArgGroup;
use game::Side;
use registry::{GameName, with_game};
use std::fs::File;
use std::path::PathBuf;
use std::process::ExitCode;

/// Explore a proof: the moves of its strategy, the longest resistance, and the size of each part.
///
/// FILE is a certificate, which is checked first. A folder of certificates, as written by `papamu solve
/// --all-openings`, gives a table, and a picture with --svg.
#[derive(clap::Args)]
#[command(group = ArgGroup::new("strategy").args(["export", "book"]).multiple(true))]
#[command(after_help = "Examples:
  papamu explore early.cert
  papamu explore early.cert --moves \"a1 c1\" --json
  papamu explore early.cert --moves a1 --part behind-a1.cert --export behind-a1.sgf --plies 6
  papamu explore early.cert --book book.txt --plies 6
  papamu explore proofs --svg openings.svg

A line of play ends where the rules alone settle the rest: at a threat that cannot be parried, or
at a draw that no side can avoid.")]
pub struct Args {
    /// The certificate, or a folder of them
    file: PathBuf,
    /// Moves played from the position of the certificate
    #[arg(long, default_value = "", hide_default_value = true)]
    moves: String,
    /// For a draw, which is two proofs: the side whose strategy is shown
    #[arg(long, value_name = "SIDE", default_value = "white", value_parser = side)]
    side: Side,
    /// Number of replies to list, longest resistance first
    #[arg(long, value_name = "N", default_value_t = 20)]
    replies: usize,
    /// Write the certificate of the position
    #[arg(long, value_name = "FILE")]
    part: Option<PathBuf>,
    /// Write the strategy from the position on as a tree in SGF
    #[arg(long, value_name = "FILE")]
    export: Option<PathBuf>,
    /// Add the moves of a strategy that wins to an opening book, a line for each position
    #[arg(long, value_name = "FILE")]
    book: Option<PathBuf>,
    /// The depth of --export and --book, in plies
    #[arg(long, value_name = "N", default_value_t = 4, requires = "strategy")]
    plies: usize,
    /// For a folder of one Havannah board: draw the winner of each opening, darker for proofs with more positions
    #[arg(long, value_name = "FILE")]
    svg: Option<PathBuf>,
    /// Write JSON
    #[arg(long)]
    json: bool,
}

impl Args {
    /// Runs the command.
    pub fn run(self) -> Result<ExitCode> {
        if self.file.is_dir() {
            let is_of_one = self.part.is_some() || self.export.is_some() || self.book.is_some();
            if is_of_one || !self.moves.is_empty() {
                bail!(
                    "--moves, --part, --export and --book are about one certificate: name it in place of the folder"
                );
            }
            return openings::explore(&self.file, self.svg.as_deref(), self.json);
        }
        if self.svg.is_some() {
            bail!("--svg draws a folder of certificates");
        }
        refuse_store(&self.file)?;
        let name = self.file.display();
        let open = || File::open(&self.file).with_context(|| format!("cannot read {name}"));
        let header = proof::read_header(open()?).with_context(|| format!("cannot use {name}"))?;
        let game: GameName = header.game.parse()?;
        with_game!(game, G => place::explore::<G>(&self, &header, open()?))
    }
}

fn side(text: &str) -> Result<Side, String> {
    let named = Side::BOTH.into_iter().find(|side| side.to_string() == text);
    named.ok_or_else(|| "expected white or black".to_owned())
}
