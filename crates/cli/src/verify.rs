//! `papamu verify`: checking a certificate.

use crate::{FAILED, output};
use anyhow::{Context, Result};
use serde::Serialize;
use std::fs::File;
use std::path::PathBuf;
use std::process::ExitCode;

/// Check a certificate: every line of play that it stands for, with the rules alone.
#[derive(clap::Args)]
#[command(after_help = "Example: papamu verify early.cert")]
pub struct Args {
    /// The certificate
    file: PathBuf,
    /// Write JSON
    #[arg(long)]
    json: bool,
}

/// What is said of the certificate.
#[derive(Serialize)]
struct Verified {
    valid: bool,
    claim: Option<String>,
    first_hole: Option<String>,
    game: Option<String>,
    board: Option<String>,
    moves: Option<String>,
}

impl Args {
    /// Runs the command.
    pub fn run(self) -> Result<ExitCode> {
        let name = self.file.display();
        let file = File::open(&self.file).with_context(|| format!("cannot read {name}"))?;
        let verified = match certificate::verify(file) {
            Ok(verdict) => Verified {
                valid: true,
                claim: Some(verdict.claim().to_string()),
                first_hole: None,
                game: Some(verdict.header.game),
                board: Some(verdict.header.board),
                moves: Some(verdict.header.moves.join(" ")),
            },
            Err(refusal) => Verified {
                valid: false,
                claim: None,
                first_hole: Some(format!("{:#}", anyhow::Error::new(refusal))),
                game: None,
                board: None,
                moves: None,
            },
        };
        if self.json {
            output::json_line(&verified)?;
        } else {
            output::text(&verified.in_words())?;
        }
        Ok(if verified.valid {
            ExitCode::SUCCESS
        } else {
            ExitCode::from(FAILED)
        })
    }
}

impl Verified {
    fn in_words(&self) -> String {
        match (&self.claim, &self.first_hole) {
            (Some(claim), _) => {
                let (game, board) = (self.game.as_deref(), self.board.as_deref());
                let after = match self.moves.as_deref() {
                    None | Some("") => "from the start".to_owned(),
                    Some(moves) => format!("after {moves}"),
                };
                let board = [game.unwrap_or_default(), board.unwrap_or_default()].join(" ");
                format!("valid: {claim} ({board}, {after})\n")
            }
            (None, hole) => format!(
                "not valid: {}\n",
                hole.as_deref().unwrap_or("no reason given")
            ),
        }
    }
}
