//! Experiments survive what happens to machines: `kill -9` of the runner, of a worker, of PostgreSQL;
//! a worker that stops for longer than its lease. Each time nothing that was stored is lost, nothing
//! counts twice, and the games are those of an experiment that nothing happened to.

use super::postgres::Postgres;
use super::support::{LONG, Process, json, papamu};
use arena::{Experiment, GameRow, Loaded, Scale, Store, StoreError, publish};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;
use std::time::{Duration, Instant};

/// Games short enough for a test, long enough to be interrupted.
const FILE: &str = r#"
name = "reliable"
game = "havannah"
games = 20
[grid]
size = [3, 4]
k = [50, 500]
[budget]
simulations = 150
[players.rave]
player = "rave"
set = { rave = "{k}" }
[players.uct]
player = "uct"
[[match]]
player = "rave"
against = "uct"
[openings]
random = 2
"#;

/// Games of the whole experiment.
const GAMES: usize = 80;

/// For a write that nobody holds up.
const WRITE: Duration = Duration::from_secs(5);

/// A game by its pair and colour: what may not depend on what happened.
type Games = BTreeMap<(u64, i64), (u64, i64, String, Vec<String>)>;

fn loaded() -> Loaded {
    let experiment = Experiment::read(FILE, Scale::Full).expect("an experiment");
    Loaded::new(experiment, 1).expect("its players")
}

fn block_on<T>(future: impl Future<Output = T>) -> T {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build();
    runtime.expect("a runtime").block_on(future)
}

fn rows(place: &str) -> Vec<GameRow> {
    block_on(async {
        let store = Store::open(place).await.expect("a store");
        let id = &loaded().experiment.id;
        let rows = store.games(id, (-1, 1), 10_000).await.expect("games");
        store.close().await;
        rows
    })
}

fn games(rows: &[GameRow]) -> Games {
    let game = |row: &GameRow| {
        let moves = row
            .sgf
            .split(['[', ']'])
            .skip(1)
            .step_by(2)
            .map(str::to_owned);
        // The first values are of the root; times and the store's words are in comments.
        let is_move =
            |text: &String| text.len() <= 3 && text.starts_with(|c: char| c.is_ascii_lowercase());
        (
            (row.pair, row.colour),
            (
                row.point,
                row.score,
                row.reason.clone(),
                moves.filter(is_move).collect(),
            ),
        )
    };
    rows.iter().map(game).collect()
}

/// The games as they are when nothing happens, played in one thread by the library.
fn undisturbed() -> &'static Games {
    static GAMES: OnceLock<Games> = OnceLock::new();
    GAMES.get_or_init(|| {
        let loaded = loaded();
        let mut tables = arena::Tables::default();
        let mut rows = Vec::new();
        for (number, point) in loaded.pairs().expect("pairs") {
            for colour in arena::schedule::Colour::BOTH {
                let pair = arena::schedule::pair(&loaded.experiment, number);
                let game = tables.play(&loaded, pair, colour, &|_| {}).expect("a game");
                rows.push(GameRow {
                    experiment: loaded.experiment.id.clone(),
                    pair: number,
                    colour: colour.index(),
                    point: point as u64,
                    score: game.score,
                    reason: game.reason,
                    fault: game.fault,
                    plies: 0,
                    seconds: 0.0,
                    worker: String::new(),
                    generation: 0,
                    finished: 0.0,
                    sgf: game.sgf,
                    turns: String::new(),
                });
            }
        }
        games(&rows)
    })
}

/// Waits until so many games are stored, and returns them.
fn wait_for(place: &str, count: usize) -> Vec<GameRow> {
    let deadline = Instant::now() + LONG;
    loop {
        let rows = rows(place);
        if rows.len() >= count {
            return rows;
        }
        assert!(Instant::now() < deadline, "{} of {count} games", rows.len());
        std::thread::sleep(Duration::from_millis(10));
    }
}

/// Nothing lost, nothing twice, nothing else.
#[track_caller]
fn is_whole(place: &str, before: &[GameRow]) {
    let after = rows(place);
    assert_eq!(after.len(), GAMES);
    for row in before {
        assert!(
            after.contains(row),
            "a stored game has changed or is gone: {row:?}"
        );
    }
    assert_eq!(&games(&after), undisturbed());
}

fn in_folder(folder: &Path, name: &str) -> String {
    folder.join(name).display().to_string()
}

fn file(folder: &Path) -> PathBuf {
    let path = folder.join("reliable.toml");
    std::fs::write(&path, FILE).expect("written");
    path
}

/// Tries something in the middle of an experiment. A busy machine may look away until the experiment is over: then it
/// is tried again, from the beginning.
fn in_the_middle(mut attempt: impl FnMut() -> bool) {
    let mut attempts = 0..20;
    assert!(attempts.any(|_| attempt()), "it was always over before");
}

#[test]
fn the_runner_is_killed_and_run_again() {
    in_the_middle(kill_the_runner);
}

fn kill_the_runner() -> bool {
    let folder = tempfile::tempdir().expect("a folder");
    let (file, place) = (file(folder.path()), in_folder(folder.path(), "a.db"));
    block_on(publish_at(&place));
    let run = || {
        papamu(&[
            "run",
            &file.display().to_string(),
            "--store",
            &place,
            "--concurrency",
            "2",
        ])
    };
    let mut before = Vec::new();
    for count in [10, 30] {
        let mut runner = run();
        before = wait_for(&place, count);
        runner.kill();
    }
    if before.len() == GAMES {
        return false;
    }
    run().end();
    is_whole(&place, &before);
    // Once more: there is nothing to do.
    run().end();
    is_whole(&place, &before);
    true
}

#[test]
fn ctrl_c_finishes_the_running_games() {
    in_the_middle(interrupt_the_runner);
}

fn interrupt_the_runner() -> bool {
    let folder = tempfile::tempdir().expect("a folder");
    let (file, place) = (file(folder.path()), in_folder(folder.path(), "a.db"));
    block_on(publish_at(&place));
    let run = || {
        papamu(&[
            "run",
            &file.display().to_string(),
            "--store",
            &place,
            "--concurrency",
            "1",
        ])
    };
    let mut runner = run();
    let before = wait_for(&place, 10);
    runner.signal("-INT");
    let status = runner.status();
    if rows(&place).len() == GAMES {
        return false;
    }
    assert_eq!(status.code(), Some(1));
    run().end();
    is_whole(&place, &before);
    true
}

async fn publish_at(place: &str) {
    let store = Store::open(place).await.expect("a store");
    publish(&store, &loaded()).await.expect("published");
    store.close().await;
}

fn worker(place: &str, more: &[&str]) -> Process {
    let arguments = [
        "worker",
        "--store",
        place,
        "--exit-when-idle",
        "--concurrency",
        "1",
    ];
    papamu(&[&arguments, more].concat())
}

fn a_worker_is_killed(place: &str) {
    block_on(publish_at(place));
    let mut first = worker(place, &["--lease", "1"]);
    let second = worker(place, &["--lease", "1"]);
    let before = wait_for(place, 10);
    first.kill();
    second.end();
    is_whole(place, &before);
}

/// Stops a worker that works alone while it plays, and is not just writing: a process that is stopped while it writes
/// to SQLite holds up all others. Tells whether it came to that before the worker had ended.
fn stop_while_it_plays(worker: &mut Process, place: &str) -> bool {
    let leased = async || {
        let store = Store::open(place).await?;
        store.seen("nobody", 0, false).await?;
        let counts = store.counts(&loaded().experiment.id).await?;
        Ok::<_, StoreError>(counts.leased)
    };
    loop {
        worker.signal("-STOP");
        let leased = block_on(async { tokio::time::timeout(WRITE, leased()).await });
        if matches!(leased, Ok(Ok(1..))) {
            return true;
        }
        worker.signal("-CONT");
        if worker.0.try_wait().expect("its state").is_some() {
            return false;
        }
        std::thread::sleep(Duration::from_millis(50));
    }
}

fn a_worker_stops_for_longer_than_its_lease(place: &str) -> bool {
    block_on(publish_at(place));
    // A stopped worker has no time to be patient.
    let patient = ["--lease", "1", "--patience", "600"];
    let mut first = worker(place, &patient);
    wait_for(place, 8);
    if !stop_while_it_plays(&mut first, place) {
        return false;
    }
    let before = rows(place);
    worker(place, &patient).end();
    is_whole(place, &before);
    let all = rows(place);
    first.signal("-CONT");
    let said = first.end();
    assert!(said.contains("was not stored"), "{said}");
    assert_eq!(rows(place), all, "its late results change nothing");
    true
}

#[test]
fn workers_on_sqlite() {
    let folder = tempfile::tempdir().expect("a folder");
    a_worker_is_killed(&in_folder(folder.path(), "a.db"));
    in_the_middle(|| {
        let folder = tempfile::tempdir().expect("a folder");
        a_worker_stops_for_longer_than_its_lease(&in_folder(folder.path(), "b.db"))
    });
}

#[test]
fn workers_on_postgres() {
    if let Some(postgres) = Postgres::start() {
        a_worker_is_killed(&postgres.url());
    }
    in_the_middle(|| {
        let postgres = Postgres::start();
        postgres.is_none_or(|postgres| a_worker_stops_for_longer_than_its_lease(&postgres.url()))
    });
}

#[test]
fn postgres_is_killed_and_comes_back() {
    let Some(mut postgres) = Postgres::start() else {
        return;
    };
    let place = postgres.url();
    block_on(publish_at(&place));
    let patient = worker(&place, &["--lease", "2", "--patience", "600"]);
    let before = wait_for(&place, 10);
    postgres.kill();
    std::thread::sleep(Duration::from_millis(300));
    postgres.restart();
    let now = rows(&place);
    assert!(
        before.iter().all(|row| now.contains(row)),
        "what was stored is there after the crash"
    );
    // One without patience ends with a message; the patient one goes on.
    patient.end();
    is_whole(&place, &now);
}

#[test]
fn a_game_is_reproduced_and_a_store_is_copied() {
    let folder = tempfile::tempdir().expect("a folder");
    let (file, place) = (file(folder.path()), in_folder(folder.path(), "a.db"));
    papamu(&[
        "run",
        &file.display().to_string(),
        "--store",
        &place,
        "--concurrency",
        "2",
    ])
    .end();
    is_whole(&place, &[]);
    let id = format!("{}-5-1", loaded().experiment.id);
    papamu(&["reproduce", &id, "--store", &place]).end();
    let copy = in_folder(folder.path(), "copy.db");
    papamu(&["store", "copy", &place, &copy]).end();
    is_whole(&copy, &rows(&place));
    let first = &json(&["status", "--json", "--store", &copy])[0];
    assert_eq!(
        (&first["games"], &first["done"], &first["open"]),
        (&80.into(), &40.into(), &0.into())
    );
}
