//! `papamu solve --store`: a position that many processes solve together.

use crate::args::PositionArgs;
use crate::progress::Lines;
use crate::proving::{self, ProofArgs};
use crate::solved::{Solved, named};
use crate::{certify, output, progress, signals};
use anyhow::{Context, Result, bail};
use engine::Playable;
use indicatif::ProgressBar;
use search::{Limits, StopReason};
use solving::{Event, JobSource, Options, Progress, Run, Store, Worked};
use std::time::{Duration, Instant};

/// Where the upper part of a proof is kept.
#[derive(clap::Args, Clone, Debug)]
#[command(next_help_heading = "Many machines (papamu)")]
pub struct StoreArgs {
    /// Solve together with every `papamu worker` of this store, which keeps the proof so far: a file, or
    /// <postgres://user@host/database>. The same command resumes
    #[arg(long, value_name = "PLACE", conflicts_with_all = ["positions", "all_openings", "resume", "export", "guide"])]
    pub store: Option<String>,
    /// Nodes per job, after which a worker takes another
    #[arg(long, value_name = "N", default_value_t = 50_000, requires = "store",
        value_parser = clap::value_parser!(u64).range(1000..=1_000_000_000))]
    pub job_nodes: u64,
    /// Jobs to take from the store at once, whose results are stored together
    #[arg(long, value_name = "N", default_value_t = 1, requires = "store", value_parser = clap::value_parser!(u8).range(1..=64))]
    pub batch: u8,
    /// Lease of a job in seconds: when a worker has been silent for so long, its job goes to another
    #[arg(long, value_name = "S", default_value = "60", requires = "store", value_parser = crate::args::seconds)]
    pub lease: Duration,
}

/// How long to try again when the store cannot be reached.
pub const PATIENCE: Duration = Duration::from_mins(1);
/// The time between two looks at how far the run is.
const LOOK: Duration = Duration::from_secs(2);

/// Solves a position over a store, as one worker among others.
pub fn solve<G: Playable>(
    args: &PositionArgs,
    proof: &ProofArgs,
    over: &StoreArgs,
    resources: proving::Resources,
    limits: &Limits,
    json: bool,
) -> Result<Solved> {
    let place = over.store.as_deref().context("no store is named")?;
    let started = Instant::now();
    let position: G = args.position()?;
    let board = position.certified_board(&args.board.options())?;
    let moves = args.moves_written::<G>(G::Dialect::default())?.join(" ");
    if let Some(file) = &proof.certificate {
        certify::prepare(file, args, &position, proof)?;
    }
    let run = Run::new(G::NAME, &board, &moves, over.job_nodes);
    let options = Options {
        resources: resources.of_solver(proof),
        lease: over.lease.max(Duration::from_millis(100)),
        batch: over.batch.into(),
        patience: PATIENCE,
        limits: limits.clone(),
    };
    let bar = progress::spinner();
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .enable_all()
        .build()?;
    let (worked, progress, mut prover) = runtime.block_on(async {
        let store = Store::open(place).await?;
        solving::publish::<G>(&store, &run).await?;
        let told = &mut |event| tell(&event);
        let source = JobSource::Store(store.clone());
        let work = solving::work::<G>(&source, &run, &options, told);
        let worked = tokio::select! {
            worked = work => worked?,
            never = follow(&store, &run, &bar) => never,
        };
        // What the store has of the proof, so that the value, its move and its certificate follow from it.
        let mut prover = position.prover(options.resources)?;
        if worked.outcome.is_some() {
            solving::learn(&store, &run, &position, &mut *prover, 0).await?;
        }
        let progress = store.progress(&run).await?;
        store.close().await;
        anyhow::Ok((worked, progress, prover))
    })?;
    let mut elapsed = started.elapsed();
    let mut best = None;
    let mut certificate = None;
    let mut problem = None;
    if let Some(outcome) = worked.outcome {
        bar.set_message("the value is known; looking for its move");
        let last = Limits {
            stop: limits.stop.clone(),
            ..Limits::default()
        };
        let report = prover.value(&position, &last, &mut |_| {});
        if report.outcome.is_some_and(|found| found != outcome) {
            bail!(
                "the store says {}, and the solver {}: a fault of a program or a machine",
                named(Some(outcome)),
                named(report.outcome)
            );
        }
        let dialect = args.dialect.of_game::<G>()?;
        best = report.best.map(|best| position.write_move(best, dialect));
        elapsed = started.elapsed();
        if let Some(file) = &proof.certificate {
            let space = certify::space(file, resources);
            match certify::write(file, args, &mut *prover, &position, outcome, proof, space) {
                Ok(written) => {
                    if !json {
                        output::text(&written.in_words())?;
                    }
                    certificate = Some(written);
                }
                Err(why) => problem = Some(format!("{why:#}")),
            }
        }
    }
    bar.finish_and_clear();
    Ok(Solved {
        moves: args.moves.clone(),
        outcome: worked.outcome,
        best,
        nodes: progress.nodes,
        seconds: elapsed.as_secs_f64(),
        solver: "papamu",
        stop: why_it_ended(&worked, limits),
        certificate,
        problem,
    })
}

fn why_it_ended(worked: &Worked, limits: &Limits) -> StopReason {
    if worked.outcome.is_some() {
        StopReason::Proven
    } else if signals::stop_flag().is_raised() {
        StopReason::Stopped
    } else if limits.nodes.is_some_and(|most| worked.nodes >= most) {
        StopReason::Nodes
    } else {
        StopReason::Time
    }
}

/// Tells what a user may have to look at.
pub fn tell(event: &Event) {
    match event {
        Event::Done { .. } => {}
        Event::Late => anstream::eprintln!("papamu: a result came too late and was not stored"),
        Event::LeftOut(why) => {
            anstream::eprintln!("papamu: what another worker has noted is left out: {why}");
        }
        Event::Trouble(why) => anstream::eprintln!("papamu: {why}; trying again"),
    }
}

/// Shows how far a run is, for ever: on a terminal all the time, elsewhere in a line now and then.
async fn follow(store: &Store, run: &Run, bar: &ProgressBar) -> Worked {
    let mut lines = Lines::start();
    loop {
        if (!bar.is_hidden() || lines.are_due())
            && let Ok(progress) = store.progress(run).await
        {
            let text = in_words(&progress);
            lines.tell(&text);
            bar.set_message(text);
        }
        tokio::time::sleep(LOOK).await;
    }
}

/// How far a run is, for people.
pub fn in_words(progress: &Progress) -> String {
    let Progress {
        attacker,
        proof,
        disproof,
        jobs,
        nodes,
        last_minute,
        positions,
        solved,
        age,
    } = progress;
    let rate = *last_minute as f64 / age.clamp(1.0, 60.0);
    let jobs = match jobs {
        1 => "1 job".to_owned(),
        jobs => format!("{jobs} jobs"),
    };
    format!(
        "does {attacker} win? proof {proof}, disproof {disproof}; {jobs} under way, {nodes} nodes, {rate:.0} a second; \
         {positions} positions above, {solved} solved"
    )
}
