//! A worker: it takes jobs of a run, one or some at once, searches them with a solver that remembers all that it has seen, and stores what it
//! finds.

use crate::notes::{AT_ONCE, Noted};
use crate::source::JobSource;
use crate::store::{Fact, Root, Run, Store, Taken};
use crate::tree::{Child, Found, Given, Wanted};
use engine::{BoardError, Playable, Prover, Resources, SolveError};
use game::{Outcome, Side};
use jobs::{Lease, StoreError, Worker};
use search::proof::{CheckpointError, ProofNumbers};
use search::{Limits, StopFlag};
use std::collections::HashSet;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};
use thiserror::Error;

/// How to work.
#[derive(Clone, Debug)]
pub struct Options {
    /// What the solver may use.
    pub resources: Resources,
    /// How long a lease lasts; it is made longer three times as often.
    pub lease: Duration,
    /// How many jobs to take at once; their results are stored together.
    pub batch: usize,
    /// How long to try again when the store cannot be reached.
    pub patience: Duration,
    /// When to end, whether the value is known or not: a limit on nodes is one of this worker alone.
    pub limits: Limits,
}

/// Why work ended early. What was stored stays.
#[derive(Debug, Error)]
pub enum WorkError {
    /// The store does not work.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// There is no such position here.
    #[error(transparent)]
    Position(#[from] BoardError),
    /// There is no solver for it.
    #[error(transparent)]
    Solver(#[from] SolveError),
    /// The search broke down.
    #[error("the search of a job broke down; its lease ends by itself")]
    Broken,
}

/// What is told of the work.
#[derive(Clone, Debug)]
pub enum Event {
    /// A job is done.
    Done {
        /// Its position: the moves from that of the run.
        moves: String,
        /// The nodes of the job.
        nodes: u64,
    },
    /// A result came too late: somebody else has the job now.
    Late,
    /// What another worker has noted is left out, since it cannot be used.
    LeftOut(String),
    /// The store could not be reached; it is tried again.
    Trouble(String),
}

/// What a worker did.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Worked {
    /// The value of the run, if it is known.
    pub outcome: Option<Outcome>,
    /// Jobs that were stored.
    pub jobs: u64,
    /// Nodes that were searched.
    pub nodes: u64,
}

/// The first job of a run, for which all wait, is smaller by so much.
const FIRST: u64 = 8;
/// A job goes on beyond its bounds until it has spent one part of its budget in so many: it is not worth the way otherwise.
const LEAST: u64 = 8;
/// Answers that took fewer nodes are found again sooner than told.
const WORTH_TELLING: u64 = 1000;
/// The nodes that show what is known of a position.
const GLANCE: u64 = 1;
/// How long to wait when there is nothing to do.
const LOOK_AGAIN: Duration = Duration::from_millis(50);
/// The time between two looks at whether to stop.
const LOOK: Duration = Duration::from_millis(20);

/// How often this process has begun to work: leases are told apart by it.
static LOOPS: AtomicU64 = AtomicU64::new(0);

/// The position of a run.
///
/// # Errors
/// If there is no such board or the moves are not legal on it.
pub fn position<G: Playable>(run: &Run) -> Result<G, BoardError> {
    let start = G::start(&G::options_of_certified(&run.board)?)?;
    start.play_list(&run.moves, G::Dialect::default())
}

/// Puts a run into a store. What is there of it stays: it continues.
///
/// # Errors
/// If there is no such position, or the store cannot be written.
pub async fn publish<G: Playable>(store: &Store, run: &Run) -> Result<(), WorkError> {
    let position: G = position(run)?;
    let root = Root {
        position: format!("{:?}", position.key()),
        to_move: position.to_move(),
        combination: G::combination(),
    };
    Ok(store.publish(run, &root).await?)
}

/// Works on a run of a source until its value is known or the limits are reached.
///
/// # Errors
/// If the store does not work for longer than the patience, or there is no such position or solver here.
pub async fn work<G: Playable>(
    source: &JobSource,
    run: &Run,
    options: &Options,
    told: &mut (dyn FnMut(Event) + Send),
) -> Result<Worked, WorkError> {
    let root: G = position(run)?;
    let machine = jobs::machine();
    let worker = jobs::worker(&machine);
    let row = Worker {
        id: worker.clone(),
        process: i64::from(std::process::id()),
        threads: options.resources.threads as i64,
        version: env!("CARGO_PKG_VERSION").to_owned(),
        reference: 0.0,
        started: 0.0,
        silent: 0.0,
        stuck: 0,
        ended: false,
        machine,
    };
    let mut working = Working {
        source,
        run,
        options,
        told,
        prover: Some(root.prover(options.resources)?),
        root,
        thread: format!("{worker}#{}", LOOPS.fetch_add(1, Ordering::Relaxed)),
        worked: Worked::default(),
        learned: [0; 2],
        heard: [0; 2],
        tells: false,
        started: Instant::now(),
    };
    working.patiently(async || source.greet(&row).await).await?;
    let worked = working.work().await;
    let _ = source.leave(&worker).await;
    worked
}

/// Lets a solver know what a store knows of a run, with the answers that took so many nodes or more.
///
/// # Errors
/// If the store cannot be read, or has moves that are not legal.
pub async fn learn<G: Playable>(
    store: &Store,
    run: &Run,
    root: &G,
    prover: &mut dyn Prover<G>,
    nodes: u64,
) -> Result<(), WorkError> {
    for fact in store.facts(run, nodes).await? {
        learn_one(root, prover, &fact)?;
    }
    Ok(())
}

fn learn_one<G: Playable>(
    root: &G,
    prover: &mut dyn Prover<G>,
    fact: &Fact,
) -> Result<(), BoardError> {
    let position = root.clone().play_list(&fact.moves, G::Dialect::default())?;
    // One node stands for all positions that share its key, and the solver may look at another of them.
    let views = if position.shares_key() {
        position.views()
    } else {
        1
    };
    for view in 0..views {
        let seen = position.in_view(view);
        prover.learn(&seen, fact.attacker, fact.answer, fact.nodes);
    }
    Ok(())
}

/// A worker at work.
struct Working<'a, G: Playable> {
    source: &'a JobSource,
    run: &'a Run,
    options: &'a Options,
    told: &'a mut (dyn FnMut(Event) + Send),
    root: G,
    /// Away while it searches.
    prover: Option<Box<dyn Prover<G>>>,
    thread: String,
    worked: Worked,
    /// The last answers that the solver was told of, by attacker.
    learned: [i64; 2],
    /// The last notes that it took, likewise.
    heard: [i64; 2],
    /// Whether others work on the run, and the solver notes what they can use.
    tells: bool,
    started: Instant,
}

impl<G: Playable> Working<'_, G> {
    async fn work(&mut self) -> Result<Worked, WorkError> {
        let (source, run, thread) = (self.source, self.run, self.thread.clone());
        let mut jobs = Vec::new();
        loop {
            let results = self.jobs(&jobs).await?;
            let is_over = self.is_over();
            if is_over && jobs.is_empty() {
                return Ok(self.worked);
            }
            let wanted = (!is_over).then_some(Wanted {
                jobs: self.options.batch,
                lease: self.options.lease,
            });
            let noted = self.prover.as_mut().and_then(|prover| prover.noted());
            let noted = noted.map(|noted| Noted::encode(&noted));
            let delivered = self
                .patiently(async || {
                    let noted = noted.as_deref();
                    source.deliver(run, &thread, &results, noted, wanted).await
                })
                .await?;
            self.tell(results, &delivered.stored);
            if let Some(prover) = &mut self.prover {
                self.tells = prover.note(delivered.least_noted) && delivered.least_noted.is_some();
            }
            jobs = match delivered.taken {
                Taken::Jobs(jobs) => jobs,
                Taken::Solved(outcome) => {
                    self.worked.outcome = Some(outcome);
                    return Ok(self.worked);
                }
            };
            if jobs.is_empty() && !is_over {
                tokio::time::sleep(LOOK_AGAIN).await;
            }
        }
    }

    /// Tells what became of results.
    fn tell(&mut self, results: Vec<(Given, Found)>, stored: &[bool]) {
        for ((given, found), is_stored) in results.into_iter().zip(stored) {
            self.worked.jobs += u64::from(*is_stored);
            (self.told)(if *is_stored {
                Event::Done {
                    moves: given.moves,
                    nodes: found.nodes,
                }
            } else {
                Event::Late
            });
        }
    }

    /// Whether the limits are reached.
    fn is_over(&self) -> bool {
        let limits = &self.options.limits;
        limits.stop.is_raised()
            || limits.nodes.is_some_and(|most| self.worked.nodes >= most)
            || limits
                .time
                .is_some_and(|most| self.started.elapsed() >= most)
    }

    /// Searches positions one after the other, until the limits are reached; what was found out about them.
    async fn jobs(&mut self, jobs: &[Given]) -> Result<Vec<(Given, Found)>, WorkError> {
        let leases: Vec<Lease> = jobs.iter().map(|job| job.lease.clone()).collect();
        let mut results = Vec::new();
        // What is known by now.
        let mut settled = HashSet::new();
        for job in jobs {
            if self.is_over() {
                break;
            }
            settled.extend(self.hear(job).await?);
            if job.path.iter().any(|node| settled.contains(node)) {
                continue;
            }
            let position = self
                .root
                .clone()
                .play_list(&job.moves, G::Dialect::default())?;
            let attacking = position.to_move() == job.tree.attacker;
            let Some(found) = self.search(job, position, &leases).await? else {
                break;
            };
            self.worked.nodes += found.nodes;
            settled.extend(job.settled_by(attacking, found.numbers));
            results.push((job.clone(), found));
        }
        Ok(results)
    }

    /// Searches a position, while all leases of the worker are kept; `None` if it was stopped.
    async fn search(
        &mut self,
        job: &Given,
        position: G,
        leases: &[Lease],
    ) -> Result<Option<Found>, WorkError> {
        let budget = if job.is_root() {
            self.run.budget.div_ceil(FIRST)
        } else {
            self.run.budget
        };
        let search = Search {
            position,
            attacker: job.tree.attacker,
            bounds: job.bounds,
            moves: job.moves.clone(),
            budget,
            stop: StopFlag::new(),
        };
        let stop = search.stop.clone();
        let Some(mut prover) = self.prover.take() else {
            return Err(WorkError::Broken);
        };
        let searching = tokio::task::spawn_blocking(move || {
            let found = search.run(&mut *prover);
            (prover, found)
        });
        let searched = self.keep(leases, &stop, searching).await;
        let (prover, found) = searched.map_err(|_| WorkError::Broken)?;
        self.prover = Some(prover);
        Ok(found)
    }

    /// Lets the solver know what others have proven; gives the nodes that they are.
    async fn hear(&mut self, given: &Given) -> Result<Vec<i64>, WorkError> {
        let (source, after) = (self.source, self.learned[given.tree.attacker.index()]);
        let facts = self
            .patiently(async || {
                let tree = &given.tree;
                source.facts_after(tree, after, WORTH_TELLING).await
            })
            .await?;
        for fact in &facts {
            if let Some(prover) = &mut self.prover {
                learn_one(&self.root, &mut **prover, fact)?;
            }
            self.learned[given.tree.attacker.index()] = fact.order;
        }
        if self.tells {
            self.hear_noted(given).await;
        }
        Ok(facts.into_iter().map(|fact| fact.node).collect())
    }

    /// Lets the solver know what others have noted: all that is kept before its first job beside others, then a part of it
    /// before each. It does without what cannot be had.
    async fn hear_noted(&mut self, given: &Given) {
        let last = &mut self.heard[given.tree.attacker.index()];
        let is_first = *last == 0;
        loop {
            let heard = self.source.noted_after(&given.tree, &self.thread, *last);
            let heard = heard.await.unwrap_or_default();
            for noted in &heard {
                *last = noted.place;
                let prover = self.prover.as_mut();
                match prover.map(|prover| prover.take_noted(&noted.entries())) {
                    // A worker of another version tells nothing.
                    None | Some(Ok(()) | Err(CheckpointError::Version(_))) => {}
                    Some(Err(why)) => (self.told)(Event::LeftOut(why.to_string())),
                }
            }
            if !is_first || heard.len() < AT_ONCE {
                return;
            }
        }
    }

    /// Keeps leases while a search runs, and stops the search when the limits are reached.
    async fn keep<T>(
        &mut self,
        leases: &[Lease],
        stop: &StopFlag,
        mut searching: tokio::task::JoinHandle<T>,
    ) -> Result<T, tokio::task::JoinError> {
        let pause = self.options.lease / 3;
        let mut last = Instant::now();
        loop {
            tokio::select! {
                done = &mut searching => return done,
                () = tokio::time::sleep(LOOK.min(pause)) => {}
            }
            let limits = &self.options.limits;
            let is_over = limits
                .time
                .is_some_and(|most| self.started.elapsed() >= most);
            if limits.stop.is_raised() || is_over {
                stop.raise();
            }
            if last.elapsed() >= pause {
                last = Instant::now();
                let worker = jobs::worker_of(&self.thread);
                let kept = self.source.extend(worker, leases, self.options.lease);
                // The search goes on; if the lease is over at its end, its result is refused.
                let kept = tokio::time::timeout(self.options.lease, kept).await;
                if let Ok(Err(why)) = kept {
                    (self.told)(Event::Trouble(why.to_string()));
                }
            }
        }
    }

    /// Does something with the store, again while what is wrong with it may pass.
    async fn patiently<T>(
        &mut self,
        action: impl AsyncFn() -> Result<T, StoreError>,
    ) -> Result<T, StoreError> {
        let (options, told) = (self.options, &mut *self.told);
        jobs::patiently(
            options.patience,
            || !options.limits.stop.is_raised(),
            |why| told(Event::Trouble(why.to_string())),
            action,
        )
        .await
    }
}

/// A position that is to be searched.
struct Search<G> {
    position: G,
    attacker: Side,
    bounds: ProofNumbers,
    moves: String,
    budget: u64,
    stop: StopFlag,
}

impl<G: Playable> Search<G> {
    /// Searches it; `None` if it was stopped. What is not solved within the budget is to be searched move by move.
    fn run(&self, prover: &mut dyn Prover<G>) -> Option<Found> {
        let mut nodes = 0;
        let mut numbers = ProofNumbers::UNKNOWN;
        for (bounds, until) in [
            (ProofNumbers::NEVER, self.budget.div_ceil(LEAST)),
            (self.bounds, self.budget),
        ] {
            let limits = self.limits(until.saturating_sub(nodes).max(1));
            let (found, searched) = prover.search(&self.position, self.attacker, bounds, &limits);
            nodes += searched;
            numbers = found;
            if self.stop.is_raised() && !numbers.is_solved() {
                return None;
            }
            if numbers.reaches(self.bounds) {
                break;
            }
        }
        let mut children = Vec::new();
        if !numbers.reaches(self.bounds) {
            let (found, searched) = self.children(prover);
            children = found;
            nodes += searched;
        }
        Some(Found {
            numbers,
            nodes,
            children,
        })
    }

    fn limits(&self, nodes: u64) -> Limits {
        Limits {
            nodes: Some(nodes),
            stop: self.stop.clone(),
            ..Limits::default()
        }
    }

    /// The positions after the moves, with what the solver knows of them; and the nodes of asking it.
    fn children(&self, prover: &mut dyn Prover<G>) -> (Vec<Child>, u64) {
        let mut moves = Vec::new();
        self.position.legal_moves(&mut moves);
        let mut known = HashSet::new();
        let mut children = Vec::new();
        let mut nodes = 0;
        for mv in moves {
            let mut after = self.position.clone();
            after.play(mv);
            let key = after.key();
            if !known.insert(key.clone()) {
                continue;
            }
            let (numbers, searched) = prover.search(
                &after,
                self.attacker,
                ProofNumbers::NEVER,
                &self.limits(GLANCE),
            );
            nodes += searched;
            let text = self.position.write_move(mv, G::Dialect::default());
            children.push(Child {
                position: format!("{key:?}"),
                moves: format!("{} {text}", self.moves).trim_start().to_owned(),
                attacking: after.to_move() == self.attacker,
                numbers,
            });
        }
        (children, nodes)
    }
}
