//! `papamu worker`: work on what is in a store.

use crate::arena::WorkArgs;
use crate::{proving, signals, solve_store};
use anyhow::Result;
use arena::{Effect, Event, Stop};
use registry::{GameName, with_game};
use search::{Limits, StopFlag};
use solving::{Options, Run, Store};
use std::collections::HashSet;
use std::process::ExitCode;
use std::time::Duration;

/// Solve the positions and play the experiments of a store, together with workers on any number of machines.
///
/// Positions come first. `papamu solve GAME --store PLACE` adds a position to the store, `papamu arena run FILE --store
/// PLACE` an experiment. Without --exit-when-idle a worker waits for more work. It may be killed at any time: the jobs
/// that it had not finished are given to other workers.
#[derive(clap::Args)]
#[command(after_help = "Examples:
  papamu worker solving.db --exit-when-idle
  papamu worker postgres://papamu@server/papamu --memory 8000")]
pub struct Args {
    /// The store: a file, or <postgres://user@host/database>
    #[arg(value_name = "PLACE", env = "PAPAMU_STORE")]
    store: String,
    /// End when nothing is left to do
    #[arg(long)]
    exit_when_idle: bool,
    /// Solving: memory limit of the table, in MiB
    #[arg(long, value_name = "MB", default_value_t = 1024, value_parser = clap::value_parser!(u64).range(1..=1 << 20))]
    memory: u64,
    /// Solving: threads that search one position together (Havannah)
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..=64))]
    threads: u32,
    #[command(flatten)]
    work: WorkArgs,
}

/// How long to wait for new work.
const WAIT: Duration = Duration::from_secs(1);

impl Args {
    /// Runs the command.
    pub fn run(self) -> Result<ExitCode> {
        let runtime = tokio::runtime::Builder::new_multi_thread()
            .enable_all()
            .build()?;
        runtime.block_on(self.work())
    }

    async fn work(self) -> Result<ExitCode> {
        let flag = signals::stop_flag();
        let store = Store::open(&self.store).await?;
        let games = arena::Store::open(&self.store).await?;
        let ledger = self.work.ledger().await?;
        let stop = stop_with(flag.clone());
        let (mut jobs, mut nodes) = (0, 0);
        let mut left_out = HashSet::new();
        while !flag.is_raised() {
            let mut runs = store.runs().await?.into_iter();
            let open = runs.find(|run| run.outcome.is_none() && !left_out.contains(&run.id));
            if let Some(run) = open {
                match self.solve(&store, &run, &flag).await {
                    Ok(worked) => {
                        jobs += worked.jobs;
                        nodes += worked.nodes;
                    }
                    Err(Unsolved::NotHere(why)) => {
                        anstream::eprintln!("papamu: run {} is not solved here: {why}", run.id);
                        left_out.insert(run.id);
                    }
                    Err(Unsolved::Failed(why)) => return Err(why),
                }
                continue;
            }
            let options = arena::Options {
                exit_when_idle: true,
                ..self.work.options()?
            };
            arena::work(&games, &options, Vec::new(), &stop, &ledger, &tell).await?;
            if self.exit_when_idle {
                break;
            }
            tokio::time::sleep(WAIT).await;
        }
        store.close().await;
        games.close().await;
        anstream::eprintln!(
            "{jobs} jobs of solving ({nodes} nodes); {} games stored, {} lost by a fault, {} refused",
            ledger.stored(),
            ledger.faults(),
            ledger.refused()
        );
        Ok(ExitCode::SUCCESS)
    }

    async fn solve(
        &self,
        store: &Store,
        run: &Run,
        flag: &StopFlag,
    ) -> Result<solving::Worked, Unsolved> {
        let resources = proving::Resources {
            memory: self.memory,
            threads: self.threads,
        };
        let options = Options {
            resources: resources.into(),
            lease: self.work.lease(),
            patience: self.work.patience(),
            limits: Limits {
                stop: flag.clone(),
                ..Limits::default()
            },
        };
        let told = &mut |event| solve_store::tell(&event);
        let game: Result<GameName, _> = run.game.parse();
        let game = game.map_err(|why| Unsolved::NotHere(why.to_string()))?;
        let worked = with_game!(game, G => solving::work::<G>(store, run, &options, told).await);
        worked.map_err(|why| match why {
            solving::WorkError::Position(_) | solving::WorkError::Solver(_) => {
                Unsolved::NotHere(why.to_string())
            }
            other => Unsolved::Failed(other.into()),
        })
    }
}

/// Why a run was not worked on.
enum Unsolved {
    /// This program, or this machine, cannot.
    NotHere(String),
    /// Nothing else will work either.
    Failed(anyhow::Error),
}

/// A request to stop that follows a flag.
fn stop_with(flag: StopFlag) -> Stop {
    let stop = Stop::default();
    let raised = stop.clone();
    tokio::spawn(async move {
        while !flag.is_raised() {
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
        raised.raise();
    });
    stop
}

fn tell(event: Event) {
    match event {
        Event::Trouble(why) => anstream::eprintln!("papamu: {why}"),
        Event::Refused(game, effect) => {
            let id = arena::game_id(&game.experiment, game.pair, game.colour);
            let why = match effect {
                Effect::Late => "its lease was over",
                _ => "it was stored before",
            };
            anstream::eprintln!("papamu: game {id} was not stored: {why}");
        }
        Event::Stored(..) | Event::Decided(..) => {}
    }
}
