//! `papamu verify`: checking certificates.

use crate::args::refuse_store;
use crate::{FAILED, output, progress, signals};
use anyhow::{Context, Result, bail};
use certificate::{Checker, Refusal, Space, Unchecked, Verdict};
use registry::folder::{Checked, Folder};
use serde::Serialize;
use std::fs::File;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

/// Check a certificate with the rules alone: every line of play that it covers.
///
/// For a folder, all certificates in it (*.cert) are checked. Certificates that refer to others are valid if those are in
/// the same folder and are valid too.
#[derive(clap::Args)]
#[command(after_help = "Examples:
  papamu verify early.cert
  papamu verify proofs --threads 8

Exit codes: 0 valid; 1 not valid; 2 the file cannot be read. docs/certificates.md describes the
format for authors of other checkers.")]
pub struct Args {
    /// The certificate, or a folder of them
    file: PathBuf,
    /// Threads
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..=256))]
    threads: u32,
    /// Memory limit of the sets of positions, in MiB; what does not fit is in temporary files
    #[arg(long, value_name = "MB", default_value_t = 1024, value_parser = clap::value_parser!(u64).range(1..=1 << 20))]
    memory: u64,
    /// Write JSON, one object for each certificate
    #[arg(long)]
    json: bool,
}

/// What is said of a certificate.
#[derive(Serialize)]
struct Verified {
    #[serde(skip_serializing_if = "Option::is_none")]
    file: Option<String>,
    valid: bool,
    claim: Option<String>,
    first_hole: Option<String>,
    game: Option<String>,
    board: Option<String>,
    moves: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    sha256: Option<String>,
}

impl Args {
    /// Runs the command.
    pub fn run(self) -> Result<ExitCode> {
        let name = self.file.display();
        let cannot = || format!("cannot read {name}");
        let all = if self.file.is_dir() {
            let files = Folder::files_in(&self.file).with_context(cannot)?;
            if files.is_empty() {
                bail!("{name} has no certificates (*.cert)");
            }
            self.folder(&Folder::read(files).with_context(cannot)?)?
        } else {
            refuse_store(&self.file)?;
            let file = File::open(&self.file).with_context(cannot)?;
            match Unchecked::read(&file) {
                Ok(unchecked) if !unchecked.terms.pieces.is_empty() => {
                    self.folder(&Folder::of_file(&self.file).with_context(cannot)?)?
                }
                _ => vec![Verified::of(None, self.one().with_context(cannot)?)],
            }
        };
        for verified in &all {
            if self.json {
                output::json_line(verified)?;
            } else {
                output::text(&verified.in_words())?;
            }
        }
        let is_valid = all.iter().all(|verified| verified.valid);
        Ok(if is_valid {
            ExitCode::SUCCESS
        } else {
            ExitCode::from(FAILED)
        })
    }

    fn space(&self) -> Space {
        Space {
            memory: usize::try_from(self.memory << 20).unwrap_or(usize::MAX),
            folder: std::env::temp_dir(),
        }
    }

    /// A certificate that refers to no others.
    fn one(&self) -> Result<Result<Verdict, Refusal>> {
        let mut file = File::open(&self.file)?;
        let bar = progress::bytes(file.metadata()?.len());
        let checker = Checker {
            threads: self.threads as usize,
            space: self.space(),
            ..Checker::default()
        };
        let mut visits = 0_u32;
        let verdict = registry::verify_as(&mut file, &checker, &mut |read| {
            visits = visits.wrapping_add(1);
            if visits.is_multiple_of(1024) {
                bar.set_position(read);
            }
            true
        });
        bar.finish_and_clear();
        match verdict {
            Err(Refusal::Io(why)) => Err(why.into()),
            verdict => Ok(verdict),
        }
    }

    /// Certificates that may refer to each other.
    fn folder(&self, folder: &Folder) -> Result<Vec<Verified>> {
        let stop = signals::stop_flag();
        let goes_on = || !stop.is_raised();
        let checked = folder.check(self.threads as usize, &self.space(), &goes_on);
        let mut all = Vec::new();
        for one in checked {
            let Checked {
                path,
                digest,
                verdict,
                ..
            } = one;
            if let Err(Refusal::Io(why)) = verdict {
                let cannot = format!("cannot read {}", path.display());
                return Err(why).context(cannot);
            }
            let mut verified = Verified::of(Some(&path), verdict);
            verified.sha256 = Some(digest.to_string());
            all.push(verified);
        }
        Ok(all)
    }
}

impl Verified {
    fn of(file: Option<&Path>, verdict: Result<Verdict, Refusal>) -> Verified {
        let file = file.map(|file| file.display().to_string());
        match verdict {
            Ok(verdict) => Verified {
                file,
                valid: true,
                claim: Some(verdict.claim().to_string()),
                first_hole: None,
                game: Some(verdict.header.game),
                board: Some(verdict.header.board),
                moves: Some(verdict.header.moves.join(" ")),
                sha256: None,
            },
            Err(refusal) => Verified {
                file,
                valid: false,
                claim: None,
                first_hole: Some(format!("{:#}", anyhow::Error::new(refusal))),
                game: None,
                board: None,
                moves: None,
                sha256: None,
            },
        }
    }

    fn in_words(&self) -> String {
        let file = self
            .file
            .as_ref()
            .map_or_else(String::new, |file| format!("{file}: "));
        match (&self.claim, &self.first_hole) {
            (Some(claim), _) => {
                let (game, board) = (self.game.as_deref(), self.board.as_deref());
                let after = match self.moves.as_deref() {
                    None | Some("") => "from the start".to_owned(),
                    Some(moves) => format!("after {moves}"),
                };
                let board = [game.unwrap_or_default(), board.unwrap_or_default()].join(" ");
                format!("{file}valid: {claim} ({board}, {after})\n")
            }
            (None, hole) => format!(
                "{file}not valid: {}\n",
                hole.as_deref().unwrap_or("no reason given")
            ),
        }
    }
}
