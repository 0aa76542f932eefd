//! `papamu arena export`: the games of an experiment as files.

use super::StoreArg;
use anyhow::{Context, Result, bail};
use arena::Store;
use clap::ValueEnum;
use engine::Replacement;
use record::Record;
use registry::{GameName, with_game};
use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

/// Write all stored games of an experiment as one SGF collection, or in HGF.
///
/// Each game has its players with their parameters, the seeds, and the value and time of each move. papamu replay and
/// papamu review read the file; the property GN of a game is its identifier for papamu arena reproduce.
#[derive(clap::Args)]
#[command(after_help = "Examples:
  papamu arena export rave-vs-uct --output games.sgf
  papamu arena export rave-vs-uct --output games.hgf
  papamu arena export rave-vs-uct --faults > lost-by-faults.sgf")]
pub struct Args {
    /// The experiment: its name, or the beginning of its identifier [default: the only one]
    name: Option<String>,
    #[command(flatten)]
    store: StoreArg,
    /// Write to this file instead of standard output
    #[arg(long, short, value_name = "FILE")]
    output: Option<PathBuf>,
    /// Only games that were lost by a fault
    #[arg(long)]
    faults: bool,
    /// The format to write [default: by the extension of --output (.sgf, .hgf), otherwise sgf]
    #[arg(long, value_enum, value_name = "FORM")]
    to: Option<Form>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Form {
    /// SGF
    Sgf,
    /// Little Golem's SGF of Havannah, in the row dialect
    Hgf,
}

/// Games read at a time.
const GAMES: usize = 500;

impl Args {
    fn form(&self) -> Form {
        let ending = self.output.as_deref().and_then(Path::extension);
        let is_hgf = ending.is_some_and(|ending| ending.eq_ignore_ascii_case("hgf"));
        let by_ending = if is_hgf { Form::Hgf } else { Form::Sgf };
        self.to.unwrap_or(by_ending)
    }

    /// Runs the command.
    pub async fn run(self) -> Result<ExitCode> {
        let store = self.store.open_existing().await?;
        let row = super::find(&store, self.name.as_deref()).await?;
        let Some(path) = &self.output else {
            self.write(&store, &row.id, std::io::stdout().lock())
                .await?;
            return Ok(ExitCode::SUCCESS);
        };
        let cannot = || format!("cannot write {}", path.display());
        let mut file = Replacement::begin(path).with_context(cannot)?;
        let written = self.write(&store, &row.id, BufWriter::new(&mut file)).await;
        let count = written.with_context(cannot)?;
        if count == 0 {
            bail!("{} has no such games; nothing was written", row.name);
        }
        file.finish().with_context(cannot)?;
        eprintln!("{count} games in {}", path.display());
        Ok(ExitCode::SUCCESS)
    }

    /// Writes the games, and tells how many there are.
    async fn write(&self, store: &Store, id: &str, mut out: impl Write) -> Result<usize> {
        let form = self.form();
        let mut after = (-1, 1);
        let mut count = 0;
        loop {
            let games = store.games(id, after, GAMES).await?;
            let Some(last) = games.last() else { break };
            after = (last.pair as i64, last.colour);
            let wanted = |fault: &str| !self.faults || !fault.is_empty();
            for game in games.iter().filter(|game| wanted(&game.fault)) {
                let text = match form {
                    Form::Sgf => game.sgf.clone(),
                    Form::Hgf => hgf(&game.sgf)?,
                };
                writeln!(out, "{}", text.trim_end())?;
                count += 1;
            }
        }
        out.flush()?;
        Ok(count)
    }
}

/// The same game in HGF.
fn hgf(sgf: &str) -> Result<String> {
    let games = record::read(sgf.as_bytes())?;
    let mut converted = Vec::with_capacity(games.len());
    for game in games {
        converted.push(with_game!(GameName::of_file(game.game())?, G => {
            let record: Record<G> = game.replay(None)?;
            record::converted(&record, record::Form::Hgf, None)?
        }));
    }
    Ok(record::collection(converted)?)
}
