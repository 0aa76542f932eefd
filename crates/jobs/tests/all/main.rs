//! What every store of jobs promises, on each kind of store, seen from a user with tables of its own: batches of self-play
//! whose samples are stored once.

#[path = "../../../arena/tests/all/postgres.rs"]
mod postgres;

use jobs::{Claimed, Counts, Lease, Migration, Payload, Store, Worker};
use postgres::Postgres;
use serde::{Deserialize, Serialize};
use std::time::Duration;

const MINUTE: Duration = Duration::from_mins(1);

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct Batch {
    weights: String,
    games: u32,
}

impl Payload for Batch {
    const KIND: &'static str = "self-play";
}

/// Another kind of job, which reads like the first.
#[derive(Debug, Serialize, Deserialize)]
struct Other {
    weights: String,
}

impl Payload for Other {
    const KIND: &'static str = "other";
}

const TABLES: &[Migration] = &[Migration {
    version: 9001,
    name: "samples",
    text: "CREATE TABLE samples (job BIGINT NOT NULL, place BIGINT NOT NULL, worker TEXT NOT NULL, PRIMARY KEY (job, place))",
}];

fn batch(weights: &str) -> Batch {
    Batch {
        weights: weights.to_owned(),
        games: 64,
    }
}

async fn publish(store: &Store, batches: &[(u64, u64, Batch)]) {
    let mut transaction = store.begin().await.expect("a transaction");
    let jobs = batches
        .iter()
        .map(|(job, topic, batch)| (*job, *topic, batch));
    let published = store.publish(&mut transaction, "run", jobs).await;
    published.expect("published");
    store.commit(transaction).await.expect("stored");
    store.analyse().await.expect("counted");
}

async fn claim(store: &Store, worker: &str, count: usize, lease: Duration) -> Vec<Claimed<Batch>> {
    store
        .claim("run", worker, count, lease)
        .await
        .expect("jobs")
}

/// Stores the two samples of a batch, if the lease holds; fails before the end if that is wanted.
async fn deliver(store: &Store, lease: &Lease, fails: bool) -> bool {
    let mut transaction = store.begin().await.expect("a transaction");
    if !store
        .holds(&mut transaction, lease)
        .await
        .expect("an answer")
    {
        return false;
    }
    for place in 0..2 {
        let stored = sqlx::query("INSERT INTO samples (job, place, worker) VALUES ($1, $2, $3)")
            .bind(lease.job as i64)
            .bind(place)
            .bind(lease.worker.clone())
            .execute(&mut *transaction)
            .await;
        stored.expect("stored");
        if fails {
            return false;
        }
    }
    store.finish(&mut transaction, lease).await.expect("done");
    store.commit(transaction).await.expect("stored");
    true
}

async fn samples(store: &Store) -> Vec<(i64, String)> {
    let text = "SELECT job, worker FROM samples ORDER BY job, place";
    let rows = sqlx::query(text)
        .fetch_all(store.pool())
        .await
        .expect("samples");
    let row = |row: &sqlx::any::AnyRow| {
        use sqlx::Row;
        (row.get(0), row.get(1))
    };
    rows.iter().map(row).collect()
}

async fn promises(store: &Store) {
    let batches: Vec<_> = (0..5).map(|job| (job, job % 2, batch("a"))).collect();
    publish(store, &batches).await;
    // What is there stays as it is.
    publish(store, &[(0, 0, batch("b"))]).await;

    // Each job goes to one worker, as it was published.
    let first = claim(store, "one#0", 2, MINUTE).await;
    assert_eq!(
        first
            .iter()
            .map(|claimed| claimed.lease.job)
            .collect::<Vec<_>>(),
        [0, 1]
    );
    assert_eq!(
        (&first[0].payload, first[0].lease.generation),
        (&batch("a"), 1)
    );
    let second = claim(store, "two#0", 9, MINUTE).await;
    assert_eq!(second.len(), 3);
    assert_eq!(claim(store, "three#0", 9, MINUTE).await, []);

    // A worker that dies in the middle has stored nothing; one that ends has stored all, once.
    assert!(!deliver(store, &first[0].lease, true).await);
    assert_eq!(samples(store).await, []);
    assert!(deliver(store, &first[0].lease, false).await);
    let stored = [(0, "one#0".to_owned()), (0, "one#0".to_owned())];
    assert_eq!(samples(store).await, stored);
    let counts = Counts {
        open: 4,
        leased: 4,
        done: 1,
        not_needed: 0,
    };
    assert_eq!(store.counts("run").await.expect("counts"), counts);

    // A lease that is over, or that somebody else has, stores nothing, and is not made longer.
    store
        .release(&[first[1].lease.clone()])
        .await
        .expect("given back");
    assert!(!deliver(store, &first[1].lease, false).await);
    store
        .extend(&[first[1].lease.clone()], MINUTE)
        .await
        .expect("asked");
    let third = claim(store, "three#0", 9, MINUTE).await;
    assert_eq!((third[0].lease.job, third[0].lease.generation), (1, 2));
    for forged in [
        first[1].lease.clone(),
        Lease {
            generation: 2,
            ..first[1].lease.clone()
        },
        Lease {
            worker: "three#0".to_owned(),
            ..first[1].lease.clone()
        },
        Lease {
            queue: "other".to_owned(),
            ..third[0].lease.clone()
        },
    ] {
        assert!(!deliver(store, &forged, false).await, "{forged:?}");
    }
    assert!(deliver(store, &third[0].lease, false).await);

    // A topic that is closed gives nothing out; what is under way counts.
    let leases: Vec<Lease> = second.iter().map(|claimed| claimed.lease.clone()).collect();
    store.release(&leases[1..]).await.expect("given back");
    store.close_topic("run", 0).await.expect("closed");
    let rest = claim(store, "four#0", 9, MINUTE).await;
    assert_eq!(
        rest.iter()
            .map(|claimed| claimed.lease.job)
            .collect::<Vec<_>>(),
        [3]
    );
    assert!(deliver(store, &leases[0], false).await);
    let closed = store.closed_topics("run").await.expect("topics");
    assert_eq!(closed.into_iter().collect::<Vec<_>>(), [0]);
    store.reopen_topics("run").await.expect("reopened");
    assert_eq!(claim(store, "four#0", 9, MINUTE).await[0].lease.job, 4);

    // A kind that this program does not know is left to one that does.
    publish(store, &[(9, 0, batch("c"))]).await;
    let error = store.claim::<Other>("run", "five#0", 9, MINUTE).await;
    let error = error.expect_err("another kind").to_string();
    assert!(error.contains("job 9 of run is self-play"), "{error}");
    assert_eq!(claim(store, "five#0", 9, MINUTE).await.len(), 1);

    // What a worker holds whose process is gone is free.
    let worker = Worker {
        id: "five".to_owned(),
        machine: "m".to_owned(),
        process: 1,
        threads: 1,
        version: "0".to_owned(),
        reference: 0.0,
        started: 0.0,
        silent: 0.0,
        stuck: 0,
        ended: false,
    };
    store.greet(&worker).await.expect("greeted");
    store.reap("elsewhere", |_| false).await.expect("asked");
    assert_eq!(claim(store, "six#0", 9, MINUTE).await, []);
    store.reap("m", |_| false).await.expect("asked");
    assert_eq!(claim(store, "six#0", 9, MINUTE).await[0].lease.job, 9);
    assert!(store.workers().await.expect("workers")[0].ended);
}

#[tokio::test(flavor = "multi_thread")]
async fn sqlite() {
    let folder = tempfile::tempdir().expect("a folder");
    let place = folder.path().join("jobs.db").display().to_string();
    let store = Store::open(&place, TABLES).await.expect("a store");
    promises(&store).await;
    // Another user's tables may be in the same file.
    let other = Store::open(&place, &[]).await.expect("a store");
    assert_eq!(other.counts("run").await.expect("counts").done, 3);
    let reader = Store::open_to_read(&place, TABLES).await.expect("a store");
    assert_eq!(samples(&reader).await.len(), 6);
}

/// Whoever opens a new file at the same moment as others gets a store.
#[tokio::test(flavor = "multi_thread", worker_threads = 8)]
async fn many_may_make_the_same_file() {
    let folder = tempfile::tempdir().expect("a folder");
    for round in 0..20 {
        let place = folder.path().join(format!("{round}.db"));
        let place = place.display().to_string();
        let open = |_| {
            let place = place.clone();
            tokio::spawn(async move { Store::open(&place, TABLES).await.map(drop) })
        };
        let openers: Vec<_> = (0..8).map(open).collect();
        for opener in openers {
            opener.await.expect("a task").expect("a store");
        }
    }
}

#[cfg(feature = "postgres")]
#[tokio::test(flavor = "multi_thread")]
async fn on_postgres() {
    let Some(postgres) = Postgres::start() else {
        return;
    };
    let store = Store::open(&postgres.url(), TABLES).await.expect("a store");
    promises(&store).await;
}
