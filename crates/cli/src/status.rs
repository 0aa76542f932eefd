//! `papamu status`: how far the work of a store is, and who works on it.

use crate::args::server_at;
use crate::{arena, output, solve_store, solved};
use anyhow::Result;
use game::Outcome;
use serde::Serialize;
use solving::{JobSource, Progress, Store};
use std::path::PathBuf;
use std::process::ExitCode;

/// Show the progress of all work in a store, and its workers.
///
/// For each position to be solved: the question, the proof numbers of the root, the jobs in progress, the nodes, and
/// their rate in the last minute. Then the learning runs, the experiments, as in papamu arena status,
/// and the workers. With the address of a `papamu serve --worker-token-file` as PLACE, the positions alone are shown.
#[derive(clap::Args)]
#[command(after_help = "Examples:
  papamu status solving.db
  papamu status postgres://papamu@server/papamu --json
  papamu status http://server:8080 --token-file token.txt")]
pub struct Args {
    /// The store: a file, or <postgres://user@host/database>; or a server that has it: <http://host:port>
    #[arg(value_name = "PLACE", env = "PAPAMU_STORE")]
    store: String,
    /// The file with the token of the server
    #[arg(long, value_name = "FILE")]
    token_file: Option<PathBuf>,
    /// Write JSON: a line for each run, those of learning last, then one for each experiment and each worker
    #[arg(long)]
    json: bool,
}

#[derive(Serialize)]
struct Shown<'a> {
    run: &'a str,
    game: &'a str,
    board: &'a str,
    moves: &'a str,
    /// `white`, `black`, `draw` or `unknown`.
    #[serde(serialize_with = "solved::as_name")]
    outcome: Option<Outcome>,
    #[serde(flatten)]
    progress: Progress,
}

impl Args {
    /// Runs the command.
    pub fn run(self) -> Result<ExitCode> {
        let runtime = tokio::runtime::Builder::new_multi_thread()
            .enable_all()
            .build()?;
        runtime.block_on(self.show())
    }

    async fn show(self) -> Result<ExitCode> {
        if let Some(server) = server_at(&self.store, self.token_file.as_deref())? {
            self.show_runs(&JobSource::Server(Box::new(server))).await?;
            return Ok(ExitCode::SUCCESS);
        }
        arena::must_exist(&self.store)?;
        let store = Store::open_to_read(&self.store).await?;
        self.show_runs(&JobSource::Store(store.clone())).await?;
        let nodes = store.nodes_by().await?;
        store.close().await;
        let learning = learn::Store::open_to_read(&self.store).await?;
        for run in learning.runs().await? {
            let learned = Learned::of(&learning, &run).await?;
            if self.json {
                output::json_line(&learned)?;
            } else {
                output::text(&learned.for_people())?;
            }
        }
        learning.close().await;
        let games = ::arena::Store::open_to_read(&self.store).await?;
        arena::status::show_experiments(&games, false, self.json).await?;
        arena::status::show_workers(&games, &nodes, self.json).await?;
        Ok(ExitCode::SUCCESS)
    }

    /// Shows the positions to be solved.
    async fn show_runs(&self, source: &JobSource) -> Result<()> {
        for run in source.runs().await? {
            let shown = Shown {
                run: &run.id,
                game: &run.game,
                board: &run.board,
                moves: &run.moves,
                outcome: run.outcome,
                progress: source.progress(&run).await?,
            };
            if self.json {
                output::json_line(&shown)?;
            } else {
                output::text(&shown.for_people())?;
            }
        }
        Ok(())
    }
}

/// A learning run that shares its games.
#[derive(Serialize)]
struct Learned {
    learning: String,
    name: String,
    is_finished: bool,
    /// 0 while nothing was shared.
    generation: u32,
    is_match: bool,
    /// Games, or pairs of games of a match, of the step under way.
    #[serde(flatten)]
    counts: jobs::Counts,
}

impl Learned {
    async fn of(store: &learn::Store, run: &learn::Run) -> Result<Learned> {
        let progress = store.progress(run).await?;
        let (generation, is_match, counts) = progress.unwrap_or_default();
        Ok(Learned {
            learning: run.id.clone(),
            name: run.name.clone(),
            is_finished: run.is_finished,
            generation,
            is_match,
            counts,
        })
    }

    fn for_people(&self) -> String {
        let Learned {
            learning,
            name,
            is_finished,
            generation,
            is_match,
            counts,
        } = self;
        if *is_finished {
            return format!("learning {name} ({learning}): finished\n");
        }
        let what = if *is_match {
            "pairs of the match"
        } else {
            "games of self-play"
        };
        if counts.open == 0 {
            return format!(
                "learning {name} ({learning}): generation {generation}, no games to play\n"
            );
        }
        format!(
            "learning {name} ({learning}): generation {generation}, {} {what} to play, {} of them under way, {} done\n",
            counts.open, counts.leased, counts.done
        )
    }
}

impl Shown<'_> {
    fn for_people(&self) -> String {
        let Shown {
            run,
            game,
            board,
            moves,
            outcome,
            progress,
        } = self;
        let after = if moves.is_empty() {
            String::new()
        } else {
            format!(" after {moves}")
        };
        let state = match outcome {
            None => solve_store::in_words(progress),
            Some(outcome) => {
                format!("{} ({} nodes)", solved::in_words(*outcome), progress.nodes)
            }
        };
        format!("{game} {board}{after} ({run}): {state}\n")
    }
}
