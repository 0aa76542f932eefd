//! `papamu worker`: work on what is in a store.

use crate::arena::WorkArgs;
use crate::args::server_at;
use crate::metrics::{self, Metric};
use crate::{proving, signals, solve_store};
use anyhow::Result;
use arena::{Effect, Event, Ledger, Stop};
use jobs::StoreError;
use learn::{LearnError, WorkEvent};
use registry::{GameName, with_game};
use search::{Limits, StopFlag};
use solving::{JobSource, Options, Run, Store};
use std::collections::HashSet;
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

/// Solve the positions, play the games of learning runs and the experiments of a store, together with workers on any
/// number of machines.
///
/// Positions come first, then learning runs. `papamu solve GAME --store PLACE` adds a position to the store, `papamu learn
/// FILE --store PLACE` a learning run, `papamu arena run FILE --store PLACE` an experiment. Without --exit-when-idle a
/// worker waits for more work. With the address of a `papamu serve --worker-token-file` as PLACE, a worker needs no access
/// to the store, and only solves positions: learning runs and experiments need the store itself. A worker may be killed at
/// any time: the jobs that it had not finished are given to other workers.
#[derive(clap::Args)]
#[command(after_help = "Examples:
  papamu worker solving.db --exit-when-idle
  papamu worker postgres://papamu@server/papamu --memory 8000
  papamu worker http://server:8080 --token-file token.txt")]
pub struct Args {
    /// The store: a file, or <postgres://user@host/database>; or a server that has it: <http://host:port>
    #[arg(value_name = "PLACE", env = "PAPAMU_STORE")]
    store: String,
    /// The file with the token of the server
    #[arg(long, value_name = "FILE")]
    token_file: Option<PathBuf>,
    /// End when nothing is left to do
    #[arg(long)]
    exit_when_idle: bool,
    /// Solving: memory limit of the table, in MiB
    #[arg(long, value_name = "MB", default_value_t = 1024, value_parser = clap::value_parser!(u64).range(1..=1 << 20))]
    memory: u64,
    /// Solving: threads that search one position together
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..=64))]
    threads: u32,
    /// Solving: jobs to take from the store at once, whose results are stored together
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u8).range(1..=64))]
    batch: u8,
    #[command(flatten)]
    work: WorkArgs,
}

/// How long to wait for new work.
const WAIT: Duration = Duration::from_secs(1);

/// What a worker has done, besides games of experiments.
#[derive(Debug, Default)]
struct Done {
    /// Jobs of solving that were stored, and their nodes.
    jobs: AtomicU64,
    nodes: AtomicU64,
    /// Those that came too late.
    late: AtomicU64,
    /// Games and pairs of learning runs that were stored.
    learned: AtomicU64,
}

impl Done {
    fn solved(&self, event: &solving::Event) {
        match event {
            solving::Event::Done { nodes, .. } => {
                self.jobs.fetch_add(1, Ordering::Relaxed);
                self.nodes.fetch_add(*nodes, Ordering::Relaxed);
            }
            solving::Event::Late => {
                self.late.fetch_add(1, Ordering::Relaxed);
            }
            solving::Event::LeftOut(_) | solving::Event::Trouble(_) => {}
        }
    }

    fn metrics(&self) -> [Metric; 4] {
        let all = [
            (
                "papamu_solving_jobs_stored_total",
                "Jobs of solving stored",
                &self.jobs,
            ),
            (
                "papamu_solving_nodes_total",
                "Nodes of the jobs of solving that were stored",
                &self.nodes,
            ),
            (
                "papamu_solving_jobs_refused_total",
                "Jobs of solving that came too late",
                &self.late,
            ),
            (
                "papamu_learning_games_stored_total",
                "Games and pairs of learning runs stored",
                &self.learned,
            ),
        ];
        all.map(|(name, help, count)| Metric::counter(name, help, count.load(Ordering::Relaxed)))
    }
}

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
        let (source, others) = self.open().await?;
        let (ledger, done) = (Ledger::default(), Arc::<Done>::default());
        let (games, others_done) = (ledger.clone(), done.clone());
        let metrics = move || {
            let mut all = metrics::of_games(&games);
            all.extend(others_done.metrics());
            all
        };
        self.work.serve_metrics(metrics).await?;
        let stop = stop_with(flag.clone());
        let mut left_out = HashSet::new();
        while !flag.is_raised() {
            let runs = jobs::patiently(
                self.work.patience(),
                || !flag.is_raised(),
                trouble,
                async || source.runs().await,
            );
            let mut runs = runs.await?.into_iter();
            let open = runs.find(|run| run.outcome.is_none() && !left_out.contains(&run.id));
            if let Some(run) = open {
                match self.solve(&source, &run, &flag, &done).await {
                    Ok(()) => {}
                    Err(Unsolved::NotHere(why)) => {
                        anstream::eprintln!("papamu: run {} is not solved here: {why}", run.id);
                        left_out.insert(run.id);
                    }
                    Err(Unsolved::Failed(why)) => return Err(why),
                }
                continue;
            }
            if let Some((learning, games)) = &others {
                let played = self.learn(learning, &mut left_out, &flag, &done).await?;
                if played > 0 {
                    continue;
                }
                let options = arena::Options {
                    exit_when_idle: true,
                    left_out: left_out.clone(),
                    ..self.work.options()?
                };
                let told = Mutex::new(&mut left_out);
                let listener = |event: Event| {
                    if let Event::LeftOut(id, _) = &event {
                        let mut left_out = told.lock().unwrap_or_else(PoisonError::into_inner);
                        left_out.insert(id.clone());
                    }
                    tell(event);
                };
                arena::work(games, &options, Vec::new(), &stop, &ledger, &listener).await?;
            }
            if self.exit_when_idle {
                break;
            }
            tokio::time::sleep(WAIT).await;
        }
        if let JobSource::Store(store) = &source {
            store.close().await;
        }
        if let Some((learning, games)) = &others {
            learning.close().await;
            games.close().await;
        }
        let [jobs, nodes, learned] =
            [&done.jobs, &done.nodes, &done.learned].map(|count| count.load(Ordering::Relaxed));
        anstream::eprintln!(
            "{jobs} jobs of solving ({nodes} nodes); {learned} games and pairs of learning; {} games stored, {} lost by a fault, {} refused",
            ledger.stored(),
            ledger.faults(),
            ledger.refused()
        );
        Ok(ExitCode::SUCCESS)
    }

    /// Where the jobs of solving come from, and the stores of the other work, which a server does not give.
    async fn open(&self) -> Result<(JobSource, Option<(learn::Store, arena::Store)>)> {
        if let Some(server) = server_at(&self.store, self.token_file.as_deref())? {
            anstream::eprintln!(
                "papamu: solving through {}; learning runs and experiments need the store itself",
                self.store
            );
            return Ok((JobSource::Server(Box::new(server)), None));
        }
        let store = Store::open(&self.store).await?;
        let learning = learn::Store::within(store.jobs()).await?;
        let games = arena::Store::within(store.jobs()).await?;
        Ok((JobSource::Store(store), Some((learning, games))))
    }

    /// Plays games of all learning runs until there are no more for now, and says how many.
    async fn learn(
        &self,
        store: &learn::Store,
        left_out: &mut HashSet<String>,
        flag: &StopFlag,
        done: &Arc<Done>,
    ) -> Result<u64> {
        let mut played = 0;
        for run in store.runs().await? {
            if run.is_finished || flag.is_raised() || left_out.contains(&run.id) {
                continue;
            }
            match self.play(store, &run, flag, done).await? {
                Ok(stored) => played += stored,
                Err(why) => {
                    anstream::eprintln!("papamu: learning run {}: {why}", run.id);
                    left_out.insert(run.id);
                }
            }
        }
        Ok(played)
    }

    /// Plays games of a learning run until there are no more for now. What is wrong with the run alone is in the inner
    /// result.
    async fn play(
        &self,
        store: &learn::Store,
        run: &learn::Run,
        flag: &StopFlag,
        done: &Arc<Done>,
    ) -> Result<Result<u64, LearnError>> {
        let working = learn::Working {
            threads: self.work.threads(),
            lease: self.work.lease(),
            patience: self.work.patience(),
            waits: false,
            stop: flag.clone(),
        };
        let (store, run, done) = (store.clone(), run.clone(), done.clone());
        let told = move |event: WorkEvent<'_>| match event {
            WorkEvent::Stored(games) => {
                done.learned.fetch_add(games, Ordering::Relaxed);
            }
            WorkEvent::Trouble(why) => trouble(why),
        };
        let runtime = tokio::runtime::Handle::current();
        let played = tokio::task::spawn_blocking(move || {
            learn::work(&store, &run, &working, &runtime, &told)
        });
        match played.await? {
            Err(LearnError::Store(why)) => Err(why.into()),
            played => Ok(played),
        }
    }

    async fn solve(
        &self,
        source: &JobSource,
        run: &Run,
        flag: &StopFlag,
        done: &Done,
    ) -> Result<(), Unsolved> {
        let resources = proving::Resources {
            memory: self.memory,
            threads: self.threads,
        };
        let options = Options {
            resources: resources.into(),
            lease: self.work.lease(),
            batch: self.batch.into(),
            patience: self.work.patience(),
            limits: Limits {
                stop: flag.clone(),
                ..Limits::default()
            },
        };
        let told = &mut |event| {
            done.solved(&event);
            solve_store::tell(&event);
        };
        let game: Result<GameName, _> = run.game.parse();
        let game = game.map_err(|why| Unsolved::NotHere(why.to_string()))?;
        let worked = with_game!(game, G => solving::work::<G>(source, run, &options, told).await);
        worked.map(|_| ()).map_err(|why| match why {
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

fn trouble(why: &StoreError) {
    anstream::eprintln!("papamu: {why}; trying again");
}

fn tell(event: Event) {
    match event {
        Event::Trouble(why) | Event::LeftOut(_, why) => anstream::eprintln!("papamu: {why}"),
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
