//! The value that many workers find is the one that a solver alone finds, whatever happens to them.

#[path = "../../../arena/tests/all/postgres.rs"]
mod postgres;

mod batches;

use engine::{BoardOptions, Playable, Resources};
use game::{Game, Notation, Outcome, random};
use postgres::Postgres;
use search::Limits;
use solving::{Event, JobSource, Options, Run, Store, Worked};
use std::time::Duration;

type Konane = konane::Position;

const RESOURCES: Resources = Resources {
    memory: 16 << 20,
    threads: 1,
};

/// A run on a board; jobs are as small as they may be, so that there are many.
fn run<G: Playable>(board: &BoardOptions, moves: &str, budget: u64) -> Run {
    let start = G::start(board).expect("a board");
    let board = start.certified_board(board).expect("a certified board");
    Run::new(G::NAME, &board, moves, budget)
}

fn size(size: &str) -> BoardOptions {
    BoardOptions::sized(size)
}

fn rectangle(rows: u32, cols: u32, setup: &str) -> BoardOptions {
    BoardOptions::default()
        .with("rows", rows)
        .with("cols", cols)
        .with("setup", setup)
}

/// The value that the solver alone finds, and its nodes.
fn alone<G: Playable>(run: &Run) -> (Option<Outcome>, u64) {
    let position: G = solving::position(run).expect("a position");
    let mut prover = position.prover(RESOURCES).expect("a solver");
    let report = prover.value(&position, &Limits::default(), &mut |_| {});
    (report.outcome, report.nodes)
}

fn options(lease: Duration, batch: usize) -> Options {
    Options {
        resources: RESOURCES,
        lease,
        batch,
        patience: Duration::from_mins(1),
        limits: Limits::default(),
    }
}

async fn work<G: Playable>(store: &Store, run: &Run, lease: Duration, batch: usize) -> Worked {
    let told = &mut |event| match event {
        Event::Trouble(why) => panic!("{why}"),
        Event::Done { .. } | Event::Late | Event::LeftOut(_) => {}
    };
    let source = JobSource::Store(store.clone());
    let worked = solving::work::<G>(&source, run, &options(lease, batch), told).await;
    worked.expect("worked")
}

/// Solves with three workers, which take one job at a time, some, and more than there are, and compares.
async fn together<G: Playable>(store: &Store, board: &BoardOptions, moves: &str, budget: u64) {
    let run = run::<G>(board, moves, budget);
    let (expected, nodes) = alone::<G>(&run);
    solving::publish::<G>(store, &run).await.expect("published");
    let lease = Duration::from_mins(1);
    let (a, b, c) = tokio::join!(
        work::<G>(store, &run, lease, 1),
        work::<G>(store, &run, lease, 4),
        work::<G>(store, &run, lease, 64)
    );
    let what = format!("{} {} {moves}", run.game, run.board);
    for worked in [a, b, c] {
        assert_eq!(worked.outcome, expected, "{what}");
    }
    let progress = store.progress(&run).await.expect("progress");
    assert_eq!(progress.nodes, a.nodes + b.nodes + c.nodes, "{what}");
    assert_eq!(progress.jobs, 0, "{what}: all is given back");
    println!(
        "{what}: {nodes} nodes alone, {} together in {} jobs, {} positions above",
        progress.nodes,
        a.jobs + b.jobs + c.jobs,
        progress.positions
    );
    // It is known now, for whoever asks, and what is known of its positions is true.
    let runs = store.runs().await.expect("runs");
    let stored = runs.iter().find(|known| known.id == run.id);
    assert_eq!(stored.and_then(|run| run.outcome), expected);
    let again = work::<G>(store, &run, lease, 4).await;
    assert_eq!((again.outcome, again.jobs), (expected, 0));
    check_facts::<G>(store, &run).await;
}

/// Compares answers of a store with those of the solver alone.
async fn check_facts<G: Playable>(store: &Store, run: &Run) {
    let root: G = solving::position(run).expect("a position");
    let mut prover = root.prover(RESOURCES).expect("a solver");
    for fact in store.facts(run, 0).await.expect("facts").iter().take(300) {
        let position = root.clone().play_list(&fact.moves, G::Dialect::default());
        let position = position.expect("a position");
        let value = prover.value(&position, &Limits::default(), &mut |_| {});
        let wins = value.outcome == Some(Outcome::Win(fact.attacker));
        assert_eq!(fact.answer.proof == 0, wins, "{fact:?}");
        if fact.answer.lost {
            assert_eq!(
                value.outcome,
                Some(Outcome::Win(!fact.attacker)),
                "{fact:?}"
            );
        }
    }
}

async fn all_games(store: &Store) {
    together::<havannah::Position>(store, &size("2"), "", 1000).await;
    together::<havannah::Position>(store, &size("3"), "", 50).await;
    together::<havannah::Position>(store, &size("4"), "b1 d2 a2 e4", 300).await;
    // Of draws both questions are asked.
    together::<havannah::Position>(store, &size("3"), &drawn(), 1).await;
    for setup in ["corner", "centre"] {
        together::<Konane>(store, &rectangle(4, 5, setup), "", 20).await;
        together::<Konane>(store, &rectangle(5, 5, setup), "", 100).await;
    }
    // The removals of the opening have no numbers before their moves have.
    together::<Konane>(store, &size("4"), "", 20).await;
}

/// The moves of a random game of size 3 to a position that is a draw and not yet over.
fn drawn() -> String {
    let mut rng = random::seeded(3);
    for _ in 0..100_000 {
        let mut position = havannah::Position::start(&size("3")).expect("a board");
        let mut moves = Vec::new();
        while position.outcome().is_none() && position.empty_cells() > 6 {
            let mv = position.random_move(&mut rng).expect("a move");
            moves.push(position.write_move(mv, havannah::Dialect::Grid));
            position.play(mv);
        }
        let moves = moves.join(" ");
        let is_draw = || {
            let run = run::<havannah::Position>(&size("3"), &moves, 1000);
            alone::<havannah::Position>(&run).0 == Some(Outcome::Draw)
        };
        if position.outcome().is_none() && is_draw() {
            return moves;
        }
    }
    panic!("no draw was found");
}

#[tokio::test(flavor = "multi_thread")]
async fn workers_find_what_a_solver_finds() {
    let folder = tempfile::tempdir().expect("a folder");
    let place = folder.path().join("solve.db").display().to_string();
    all_games(&Store::open(&place).await.expect("a store")).await;
}

#[cfg(feature = "postgres")]
#[tokio::test(flavor = "multi_thread")]
async fn workers_find_it_on_postgres() {
    let Some(postgres) = Postgres::start() else {
        return;
    };
    let store = Store::open(&postgres.url()).await.expect("a store");
    all_games(&store).await;
}

/// Workers that go away in the middle of anything, again and again: of a lease that nobody gives back, nothing remains.
#[tokio::test(flavor = "multi_thread")]
async fn workers_that_vanish_change_nothing() {
    let folder = tempfile::tempdir().expect("a folder");
    let place = folder.path().join("solve.db").display().to_string();
    let store = Store::open(&place).await.expect("a store");
    let run = run::<Konane>(&rectangle(5, 6, "corner"), "", 200);
    let (expected, _) = alone::<Konane>(&run);
    solving::publish::<Konane>(&store, &run)
        .await
        .expect("published");
    let lease = Duration::from_millis(50);
    let mut rng = random::seeded(7);
    let mut vanished = 0;
    loop {
        let pause = Duration::from_millis(u64::from(random::below(60, &mut rng)));
        let worker = work::<Konane>(&store, &run, lease, 1 + vanished % 5);
        match tokio::time::timeout(pause, worker).await {
            Err(_) if vanished < 60 => vanished += 1,
            Err(_) => {
                let worked = work::<Konane>(&store, &run, lease, 1).await;
                assert_eq!(worked.outcome, expected);
                break;
            }
            Ok(worked) => {
                assert_eq!(worked.outcome, expected);
                break;
            }
        }
    }
    check_facts::<Konane>(&store, &run).await;
}

/// What is noted in a store, as numbers of bytes.
async fn noted(store: &Store) -> Vec<i64> {
    let text = "SELECT CAST(LENGTH(entries) AS BIGINT) FROM solve_notes ORDER BY tree, place";
    let rows = sqlx::query_scalar(text).fetch_all(store.jobs().pool());
    rows.await.expect("the notes")
}

/// Works on so many nodes.
async fn work_on(store: &Store, run: &Run, nodes: u64) -> (Worked, Vec<String>) {
    let mut options = options(Duration::from_mins(1), 1);
    options.limits.nodes = Some(nodes);
    let mut left_out = Vec::new();
    let told = &mut |event| match event {
        Event::LeftOut(why) => left_out.push(why),
        Event::Trouble(why) => panic!("{why}"),
        Event::Done { .. } | Event::Late => {}
    };
    let source = JobSource::Store(store.clone());
    let worked = solving::work::<Konane>(&source, run, &options, told).await;
    (worked.expect("worked"), left_out)
}

/// A worker tells others what its table has, as long as there are others, and the newest alone is kept.
async fn tell_each_other(store: Store) {
    let run = run::<Konane>(&rectangle(6, 6, "corner"), "", 400);
    let (expected, _) = alone::<Konane>(&run);
    solving::publish::<Konane>(&store, &run)
        .await
        .expect("published");
    work_on(&store, &run, 4_000).await;
    assert!(noted(&store).await.is_empty(), "nobody could hear it");
    let other = jobs::Worker {
        id: "another".to_owned(),
        machine: "elsewhere".to_owned(),
        process: 1,
        threads: 1,
        version: String::new(),
        reference: 0.0,
        started: 0.0,
        silent: 0.0,
        stuck: 0,
        ended: false,
    };
    store.jobs().greet(&other).await.expect("greeted");
    work_on(&store, &run, 4_000).await;
    let kept = noted(&store).await;
    assert!(!kept.is_empty() && kept.iter().all(|&bytes| bytes > 100));
    // What is damaged or of another board is left out, and the work goes on.
    let damaged = "UPDATE solve_notes SET worker = 'w#0', entries = 'cGFwYW11'";
    let done = sqlx::query(damaged).execute(store.jobs().pool()).await;
    done.expect("damaged");
    let (_, left_out) = work_on(&store, &run, 4_000).await;
    assert!(left_out.iter().any(|why| why.contains("not a checkpoint")));
    let (worked, _) = work_on(&store, &run, u64::MAX).await;
    assert_eq!(worked.outcome, expected);
    assert!(noted(&store).await.is_empty(), "the value is known");
    check_facts::<Konane>(&store, &run).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn workers_tell_what_they_find_out() {
    let folder = tempfile::tempdir().expect("a folder");
    let place = folder.path().join("solve.db").display().to_string();
    tell_each_other(Store::open(&place).await.expect("a store")).await;
}

#[cfg(feature = "postgres")]
#[tokio::test(flavor = "multi_thread")]
async fn workers_tell_it_on_postgres() {
    if let Some(postgres) = Postgres::start() {
        tell_each_other(Store::open(&postgres.url()).await.expect("a store")).await;
    }
}
