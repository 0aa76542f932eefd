//! What every store promises, on each kind of store.

use crate::postgres::Postgres;
use arena::{Counts, Effect, ExperimentRow, GameRow, Lease, Store, copy};
use std::time::Duration;

pub const MINUTE: Duration = Duration::from_mins(1);
const SHORT: Duration = Duration::from_millis(50);

pub fn experiment(id: &str) -> ExperimentRow {
    ExperimentRow {
        id: id.to_owned(),
        name: "name".to_owned(),
        scale: "full".to_owned(),
        file: "text with 'quotes' and ō".to_owned(),
        weights: None,
    }
}

pub fn game(lease: &Lease, colour: i64, score: i64) -> GameRow {
    GameRow {
        experiment: lease.experiment.clone(),
        pair: lease.pair,
        colour,
        point: lease.pair % 2,
        score,
        reason: "fork".to_owned(),
        fault: if score == 0 {
            "player: crash: x".to_owned()
        } else {
            String::new()
        },
        plies: 30,
        seconds: 1.5,
        worker: lease.worker.clone(),
        generation: lease.generation,
        finished: 0.0,
        sgf: "(;FF[4])".to_owned(),
        turns: "[]".to_owned(),
    }
}

pub async fn claim(store: &Store, worker: &str, count: usize, lease: Duration) -> Vec<Lease> {
    store
        .claim("e", worker, count, lease)
        .await
        .expect("leases")
}

/// The suite. Each store comes empty.
#[expect(
    clippy::too_many_lines,
    reason = "one story, in which each step needs those before"
)]
async fn promises(store: &Store) {
    store
        .publish(&experiment("e"), &[(0, 0), (1, 1), (2, 0), (3, 1)])
        .await
        .expect("published");
    // Again: nothing changes, more pairs are added.
    store
        .publish(&experiment("e"), &[(0, 0), (1, 1), (4, 0)])
        .await
        .expect("published");
    assert_eq!(
        store.experiments().await.expect("experiments"),
        [experiment("e")]
    );

    // Nobody gets what somebody has.
    let first = claim(store, "a#0", 2, MINUTE).await;
    assert_eq!(
        first.iter().map(|lease| lease.pair).collect::<Vec<_>>(),
        [0, 1]
    );
    let second = claim(store, "b#0", 9, MINUTE).await;
    assert_eq!(
        second.iter().map(|lease| lease.pair).collect::<Vec<_>>(),
        [2, 3, 4]
    );
    assert_eq!(claim(store, "c#0", 1, MINUTE).await, []);
    let counts = store.counts("e").await.expect("counts");
    assert_eq!(
        counts,
        Counts {
            open: 5,
            leased: 5,
            ..Counts::default()
        }
    );

    // One effect, however often a game comes.
    let games = [
        game(&first[0], 0, 2),
        game(&first[0], 1, 1),
        game(&first[0], 0, 0),
    ];
    let effects = store.record(&games).await.expect("stored");
    assert_eq!(effects, [Effect::Stored, Effect::Stored, Effect::Duplicate]);
    assert_eq!(
        store.record(&games[..1]).await.expect("stored"),
        [Effect::Duplicate]
    );
    let counts = store.counts("e").await.expect("counts");
    assert_eq!(
        counts,
        Counts {
            open: 4,
            leased: 4,
            done: 1,
            games: 2,
            ..Counts::default()
        }
    );

    // A lease that is given back goes to the next, who learns which games are there.
    assert_eq!(
        store
            .record(&[game(&first[1], 0, 0)])
            .await
            .expect("stored"),
        [Effect::Stored]
    );
    store.release(&first[1..]).await.expect("released");
    let third = claim(store, "c#0", 1, MINUTE).await;
    assert_eq!(
        (third[0].pair, third[0].generation, third[0].stored),
        (1, 2, [true, false])
    );
    // The one who had it cannot pass: not with the old generation, not with the new one.
    assert_eq!(
        store
            .record(&[game(&first[1], 1, 2)])
            .await
            .expect("an answer"),
        [Effect::Late]
    );
    let forged = Lease {
        generation: 2,
        ..first[1].clone()
    };
    assert_eq!(
        store
            .record(&[game(&forged, 1, 2)])
            .await
            .expect("an answer"),
        [Effect::Late]
    );
    assert_eq!(
        store
            .record(&[game(&third[0], 1, 2)])
            .await
            .expect("stored"),
        [Effect::Stored]
    );

    // Its end can be moved. A lease that is over stores nothing, even if nobody else has the pair, and is not made
    // longer.
    store.release(&second).await.expect("released");
    let over = claim(store, "d#0", 1, MINUTE).await;
    store.extend(&over, SHORT).await.expect("made shorter");
    std::thread::sleep(3 * SHORT);
    store.extend(&over, MINUTE).await.expect("asked");
    assert_eq!(
        store
            .record(&[game(&over[0], 0, 2)])
            .await
            .expect("an answer"),
        [Effect::Late]
    );
    // One that is made longer in time does.
    let kept = claim(store, "d#0", 1, MINUTE).await;
    assert_eq!(
        (kept[0].pair, kept[0].generation),
        (over[0].pair, over[0].generation + 1)
    );
    store.extend(&kept, 5 * MINUTE).await.expect("made longer");
    assert_eq!(
        store.record(&[game(&kept[0], 0, 2)]).await.expect("stored"),
        [Effect::Stored]
    );

    let scores = store.scores("e", None).await.expect("scores");
    let even = scores[&0];
    assert_eq!(
        (even.wins, even.draws, even.losses, even.pairs, even.faults),
        (2, 1, 0, [0, 0, 0, 1, 0], [0, 0])
    );
    let odd = scores[&1];
    assert_eq!(
        (odd.wins, odd.draws, odd.losses, odd.pairs, odd.faults),
        (1, 0, 1, [0, 0, 1, 0, 0], [1, 0])
    );
    assert_eq!(
        store
            .scores("e", Some(1))
            .await
            .expect("scores")
            .keys()
            .collect::<Vec<_>>(),
        [&1]
    );

    // Pairs of a point that is closed are not given out.
    store.close_point("e", 0).await.expect("closed");
    let rest = claim(store, "f#0", 9, MINUTE).await;
    assert_eq!(rest.iter().map(|lease| lease.pair).collect::<Vec<_>>(), [3]);
    // But a game under way there counts.
    assert_eq!(
        store.record(&[game(&kept[0], 1, 0)]).await.expect("stored"),
        [Effect::Stored]
    );

    let stored = store.game("e", 0, 1).await.expect("read").expect("there");
    assert_eq!(
        (stored.pair, stored.colour, stored.score, &*stored.worker),
        (0, 1, 1, "a#0")
    );
    assert!(stored.finished > 1.6e9, "{}", stored.finished);
    assert_eq!(store.game("e", 3, 0).await.expect("read"), None);

    // A worker whose process is gone holds nothing.
    let row = jobs::Worker {
        id: "f".to_owned(),
        machine: "m".to_owned(),
        process: 1,
        threads: 2,
        version: "0".to_owned(),
        reference: 0.5,
        started: 0.0,
        silent: 0.0,
        stuck: 0,
        ended: false,
    };
    store.greet(&row).await.expect("greeted");
    store.seen("f", 1, false).await.expect("seen");
    let workers = store.workers().await.expect("workers");
    assert_eq!(
        (
            workers.len(),
            workers[0].worker.stuck,
            workers[0].worker.ended
        ),
        (1, 1, false)
    );
    assert!(workers[0].worker.silent < 600.0);
    store.reap("other machine", |_| false).await.expect("asked");
    assert_eq!(claim(store, "g#0", 9, MINUTE).await, []);
    store.reap("m", |_| true).await.expect("asked");
    assert_eq!(claim(store, "g#0", 9, MINUTE).await, []);
    store.reap("m", |_| false).await.expect("asked");
    assert_eq!(claim(store, "g#0", 9, MINUTE).await.len(), 1);
}

/// Claims from several connections at once give each pair to one.
async fn crowd(place: &str) {
    let store = Store::open(place).await.expect("a store");
    let pairs: Vec<(u64, usize)> = (0..200).map(|pair| (pair, 0)).collect();
    store
        .publish(&experiment("crowd"), &pairs)
        .await
        .expect("published");
    let mut tasks = Vec::new();
    for worker in 0..4 {
        let place = place.to_owned();
        tasks.push(tokio::spawn(async move {
            let store = Store::open(&place).await.expect("a store");
            let worker = format!("w{worker}#0");
            let mut stored = 0;
            loop {
                let leases = store
                    .claim("crowd", &worker, 3, MINUTE)
                    .await
                    .expect("leases");
                if leases.is_empty() {
                    return stored;
                }
                let games: Vec<GameRow> = leases
                    .iter()
                    .flat_map(|lease| [game(lease, 0, 2), game(lease, 1, 0)])
                    .collect();
                let effects = store.record(&games).await.expect("stored");
                stored += effects
                    .iter()
                    .filter(|&&effect| effect == Effect::Stored)
                    .count();
                assert_eq!(effects.len(), games.len());
            }
        }));
    }
    let mut total = 0;
    for task in tasks {
        total += task.await.expect("a worker");
    }
    assert_eq!(total, 400);
    let counts = store.counts("crowd").await.expect("counts");
    assert_eq!((counts.done, counts.games, counts.open), (200, 400, 0));
}

async fn copies(from: &Store, to: &Store) {
    let counts = from.counts("e").await.expect("counts");
    let copied = copy(from, to, &["e".to_owned()]).await.expect("copied");
    assert_eq!((copied.experiments, copied.games), (1, counts.games));
    assert_eq!(
        copy(from, to, &[]).await.expect("copied").games,
        0,
        "a second time"
    );
    let there = to.counts("e").await.expect("counts");
    assert_eq!(
        (there.done, there.games, there.not_needed),
        (counts.done, counts.games, counts.not_needed)
    );
    assert_eq!(there.leased, 0, "leases stay behind");
    assert_eq!(
        to.games("e", (-1, 1), 99).await.expect("games"),
        from.games("e", (-1, 1), 99).await.expect("games")
    );
}

/// Rows of `pairs` that were read and changed so far. The server counts what a connection has done when it ends.
async fn rows_of_pairs(url: &str, changed: i64) -> (i64, i64) {
    use sqlx::{Connection, Row};
    let mut connection = sqlx::AnyConnection::connect(url)
        .await
        .expect("a connection");
    let deadline = std::time::Instant::now() + MINUTE;
    loop {
        let text =
            "SELECT seq_tup_read + COALESCE(idx_tup_fetch, 0), n_tup_upd FROM pg_stat_user_tables
            WHERE relname = 'jobs'";
        let row = sqlx::query(text)
            .fetch_one(&mut connection)
            .await
            .expect("counts");
        let rows: (i64, i64) = (row.get(0), row.get(1));
        if rows.1 >= changed {
            return rows;
        }
        assert!(std::time::Instant::now() < deadline, "{rows:?}");
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
}

/// A claim takes as many pairs as it is asked for, and reads no others, however many there are and whatever the server
/// knows of them: here nothing, because nobody has counted the rows since they came.
#[tokio::test(flavor = "multi_thread")]
async fn a_claim_reads_what_it_takes() {
    const PAIRS: i64 = 100_000;
    let Some(postgres) = Postgres::start() else {
        return;
    };
    let url = postgres.url();
    let store = Store::open(&url).await.expect("a store");
    store
        .publish(&experiment("e"), &[])
        .await
        .expect("published");
    let mut connection = sqlx::AnyPool::connect(&url)
        .await
        .expect("a connection")
        .acquire()
        .await;
    let connection = connection.as_mut().expect("a connection");
    let execute = async |connection: &mut sqlx::AnyConnection, text: String| {
        let done = sqlx::query(sqlx::AssertSqlSafe(text))
            .execute(connection)
            .await;
        done.expect("done");
    };
    execute(
        connection,
        "ALTER TABLE jobs SET (autovacuum_enabled = false)".to_owned(),
    )
    .await;
    let all = format!(
        r#"INSERT INTO jobs (queue, job, kind, payload)
            SELECT 'e', n, 'arena/pair', '{{"point":0}}' FROM generate_series(0, {PAIRS} - 1) n"#
    );
    execute(connection, all).await;
    // What is played already is not in the way either.
    execute(
        connection,
        "UPDATE jobs SET state = 1 WHERE job < 60000".to_owned(),
    )
    .await;
    store.close().await;
    let (read, changed) = rows_of_pairs(&url, 60_000).await;

    let store = Store::open(&url).await.expect("a store");
    let mut taken = Vec::new();
    for _ in 0..10 {
        let leases = claim(&store, "w#0", 3, MINUTE).await;
        assert_eq!(leases.len(), 3);
        taken.extend(leases.iter().map(|lease| lease.pair));
    }
    assert_eq!(taken, (60_000..60_030).collect::<Vec<u64>>());
    store.close().await;
    let (read_then, changed_then) = rows_of_pairs(&url, changed + 30).await;
    assert_eq!(changed_then - changed, 30);
    // Each claim reads its three rows twice, and once in all those that are not open any more.
    let read = read_then - read;
    assert!(read < 1_000, "{read} rows read to claim 30");
}

/// The server knows how many pairs there are as soon as they are published.
#[tokio::test(flavor = "multi_thread")]
async fn published_pairs_are_counted() {
    use sqlx::Connection;
    let Some(postgres) = Postgres::start() else {
        return;
    };
    let store = Store::open(&postgres.url()).await.expect("a store");
    let pairs: Vec<(u64, usize)> = (0..3_000).map(|pair| (pair, 0)).collect();
    store
        .publish(&experiment("e"), &pairs)
        .await
        .expect("published");
    let mut connection = sqlx::AnyConnection::connect(&postgres.url())
        .await
        .expect("a connection");
    let text = "SELECT CAST(reltuples AS BIGINT) FROM pg_class WHERE relname = 'jobs'";
    let known: i64 = sqlx::query_scalar(text)
        .fetch_one(&mut connection)
        .await
        .expect("a count");
    assert_eq!(known, 3_000);
}

/// The right to select is enough to read a database.
#[tokio::test(flavor = "multi_thread")]
async fn a_database_is_read_without_the_right_to_write() {
    use sqlx::Connection;
    let Some(postgres) = Postgres::start() else {
        return;
    };
    let store = Store::open(&postgres.url()).await.expect("a store");
    store
        .publish(&experiment("e"), &[(0, 0)])
        .await
        .expect("published");
    let mut connection = sqlx::AnyConnection::connect(&postgres.url())
        .await
        .expect("a connection");
    for text in [
        "CREATE ROLE reader LOGIN",
        "REVOKE CREATE ON SCHEMA public FROM PUBLIC",
        "GRANT SELECT ON ALL TABLES IN SCHEMA public TO reader",
    ] {
        sqlx::query(text)
            .execute(&mut connection)
            .await
            .expect("done");
    }
    let url = postgres.url().replace("arena@", "reader@");
    let reader = Store::open_to_read(&url).await.expect("it can be read");
    assert_eq!(reader.counts("e").await.expect("counts").open, 1);
    assert!(reader.publish(&experiment("e"), &[]).await.is_err());
}

#[tokio::test(flavor = "multi_thread")]
async fn sqlite() {
    let folder = tempfile::tempdir().expect("a folder");
    let place = |name: &str| folder.path().join(name).display().to_string();
    let store = Store::open(&place("a b%20ō.db")).await.expect("a store");
    promises(&store).await;
    let other = Store::open(&place("deep/er/b.db")).await.expect("a store");
    copies(&store, &other).await;
    crowd(&place("crowd.db")).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn postgres() {
    let Some(postgres) = Postgres::start() else {
        return;
    };
    let store = Store::open(&postgres.url()).await.expect("a store");
    promises(&store).await;
    let folder = tempfile::tempdir().expect("a folder");
    let other = Store::open(&folder.path().join("copy.db").display().to_string())
        .await
        .expect("a store");
    copies(&store, &other).await;
    crowd(&postgres.url()).await;
}

#[tokio::test]
async fn a_store_that_is_full_says_so_and_stays_whole() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("full.db").display().to_string();
    let store = Store::open(&path).await.expect("a store");
    let pairs: Vec<(u64, usize)> = (0..1000).map(|pair| (pair, 0)).collect();
    store
        .publish(&experiment("e"), &pairs)
        .await
        .expect("published");
    store.limit_pages(300).await.expect("a limit");
    let leases = claim(&store, "a#0", 1000, MINUTE).await;
    let mut stored = 0;
    let error = loop {
        let big = GameRow {
            sgf: "x".repeat(4000),
            ..game(&leases[stored], 0, 2)
        };
        match store.record(&[big]).await {
            Ok(effects) => stored += usize::from(effects == [Effect::Stored]),
            Err(error) => break error.to_string(),
        }
    };
    assert!(error.contains("full"), "{error}");
    assert!(error.contains("full.db"), "{error}");
    assert!(stored > 10);
    assert_eq!(
        store.counts("e").await.expect("counts").games,
        stored as u64
    );
    store.close().await;
    let again = Store::open(&path).await.expect("the store is whole");
    assert_eq!(
        again.counts("e").await.expect("counts").games,
        stored as u64
    );
}

/// A store that lies where this user cannot write anything is read, and nothing is made beside it.
#[tokio::test]
async fn a_store_is_read_without_the_right_to_write() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("read.db").display().to_string();
    let store = Store::open(&path).await.expect("a store");
    let published = store.publish(&experiment("e"), &[(0, 0), (1, 1)]).await;
    published.expect("published");
    store.close().await;
    let files = || std::fs::read_dir(folder.path()).expect("files").count();
    assert_eq!(files(), 1);
    // The folder of the log cannot be written, even by an administrator.
    let log = format!("{path}-wal");
    std::fs::create_dir(&log).expect("a folder in its place");
    let store = Store::open_to_read(&path).await.expect("it can be read");
    assert_eq!(store.counts("e").await.expect("counts").open, 2);
    assert_eq!(store.workers().await.expect("workers"), []);
    let error = store.publish(&experiment("e"), &[]).await;
    let error = error.expect_err("not written").to_string();
    assert!(error.contains("only be read"), "{error}");
    store.close().await;
    assert_eq!(files(), 2, "nothing is made");
}

#[tokio::test]
async fn a_store_that_can_only_be_read_says_so() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("read.db").display().to_string();
    Store::open(&path).await.expect("a store").close().await;
    let store = Store::open(&format!("sqlite://{path}?mode=ro"))
        .await
        .expect("it can be read");
    let error = store
        .publish(&experiment("e"), &[])
        .await
        .expect_err("not written")
        .to_string();
    assert!(error.contains("only be read"), "{error}");
}

#[tokio::test]
async fn a_store_that_is_none() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("text.db");
    std::fs::write(&path, "this is no database, ".repeat(100)).expect("written");
    let error = Store::open(&path.display().to_string())
        .await
        .expect_err("no store")
        .to_string();
    assert!(
        error.contains("text.db") && error.contains("not a database"),
        "{error}"
    );
    let error = Store::open("postgres://me:secret@127.0.0.1:1/x")
        .await
        .expect_err("no server")
        .to_string();
    assert!(!error.contains("secret"), "{error}");
}
