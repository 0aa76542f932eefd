//! `papamu verify`: checking a certificate.

use crate::{FAILED, output, progress};
use anyhow::{Context, Result};
use certificate::Refusal;
use serde::Serialize;
use std::fs::File;
use std::path::PathBuf;
use std::process::ExitCode;

/// Check a certificate with the rules alone: every line of play that it covers.
#[derive(clap::Args)]
#[command(after_help = "Example: papamu verify early.cert

Exit codes: 0 valid; 1 not valid; 2 the file cannot be read. docs/certificates.md describes the
format for authors of other checkers.")]
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
        let cannot = || format!("cannot read {name}");
        let file = File::open(&self.file).with_context(cannot)?;
        let bar = progress::bytes(file.metadata().with_context(cannot)?.len());
        let mut visits = 0_u32;
        let verdict = registry::verify_while(file, |read| {
            visits = visits.wrapping_add(1);
            if visits.is_multiple_of(1024) {
                bar.set_position(read);
            }
            true
        });
        bar.finish_and_clear();
        let verified = match verdict {
            Ok(verdict) => Verified {
                valid: true,
                claim: Some(verdict.claim().to_string()),
                first_hole: None,
                game: Some(verdict.header.game),
                board: Some(verdict.header.board),
                moves: Some(verdict.header.moves.join(" ")),
            },
            Err(Refusal::Io(why)) => return Err(why).with_context(cannot),
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
