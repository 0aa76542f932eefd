//! Jobs that are taken together, and whose results are stored together.

use crate::postgres::Postgres;
use crate::{Konane, options, rectangle, run, size, work};
use search::StopFlag;
use serde_json::{Value, json};
use solving::{Event, JobSource, Run, Store, Worked};
use std::time::Duration;

/// The nodes of a result: one is so large that a second worker is given jobs too.
const NODES: u64 = 20_000;
const MINUTE: Duration = Duration::from_mins(1);

/// A store with a run.
async fn published(store: &Store) -> Run {
    let run = run::<Konane>(&rectangle(5, 6, "corner"), "", 200);
    let published = solving::publish::<Konane>(store, &run).await;
    published.expect("published");
    run
}

/// The answer to the request of a worker that has results and wants so many jobs.
async fn deliver(store: &Store, run: &Run, worker: &str, results: &[Value], jobs: u32) -> Value {
    let wanted = json!({"jobs": jobs, "lease": MINUTE});
    let wanted = if jobs == 0 { Value::Null } else { wanted };
    let request =
        json!({"Deliver": {"run": run, "worker": worker, "results": results, "wanted": wanted}});
    let answer = solving::answer(store, request.to_string().as_bytes()).await;
    answer.expect("an answer")
}

/// The jobs of an answer.
fn jobs(answer: &Value) -> Vec<Value> {
    let jobs = answer["taken"]["Jobs"].as_array();
    jobs.unwrap_or_else(|| panic!("no jobs: {answer}")).clone()
}

/// The nodes of jobs.
fn leaves(jobs: &[Value]) -> Vec<u64> {
    let leaf = |job: &Value| job["lease"]["job"].as_u64().expect("a number");
    jobs.iter().map(leaf).collect()
}

/// A result of a job with so many positions after moves, of which all have numbers like these.
fn result(job: &Value, [proof, disproof]: [u32; 2], children: &[&str]) -> Value {
    let numbers = json!({"proof": proof, "disproof": disproof, "lost": false});
    let child = |position: &&str| json!({"position": position, "moves": "a1", "attacking": false, "numbers": numbers});
    let children: Vec<Value> = children.iter().map(child).collect();
    json!([job, {"numbers": numbers, "nodes": NODES, "children": children}])
}

async fn nodes(store: &Store, run: &Run) -> u64 {
    store.progress(run).await.expect("progress").nodes
}

/// What happens to the leases and results of a batch.
async fn batches(store: &Store) {
    let run = published(store).await;
    let root = jobs(&deliver(store, &run, "a#0", &[], 9).await);
    assert_eq!(leaves(&root), [0], "there is one");
    assert_eq!(
        jobs(&deliver(store, &run, "b#0", &[], 9).await),
        Vec::<Value>::new()
    );
    let expanded = result(&root[0], [1, 1], &["p", "q", "r"]);
    let answer = deliver(store, &run, "a#0", &[expanded], 2).await;
    assert_eq!(answer["stored"], json!([true]));
    let two = jobs(&answer);
    assert_eq!(leaves(&two), [1, 2]);
    let last = jobs(&deliver(store, &run, "b#0", &[], 9).await);
    assert_eq!(leaves(&last), [3], "more are not there");
    assert_eq!(store.progress(&run).await.expect("progress").jobs, 3);

    // A worker that is gone loses what it has, all of it and nothing else.
    store
        .jobs()
        .reap_these(&["a".to_owned()])
        .await
        .expect("reaped");
    let again = jobs(&deliver(store, &run, "c#0", &[], 9).await);
    assert_eq!(leaves(&again), [1, 2]);
    let late: Vec<Value> = two.iter().map(|job| result(job, [7, 7], &[])).collect();
    let answer = deliver(store, &run, "a#0", &late, 9).await;
    assert_eq!(answer["stored"], json!([false, false]));
    assert_eq!((jobs(&answer).len(), nodes(store, &run).await), (0, NODES));

    // One whose job was given to another is refused, and the others of the batch are stored, once.
    let lease = serde_json::from_value(again[0]["lease"].clone()).expect("a lease");
    store.jobs().release(&[lease]).await.expect("given back");
    let taken = jobs(&deliver(store, &run, "d#0", &[], 1).await);
    assert_eq!(leaves(&taken), [1]);
    let both = [
        result(&again[0], [7, 7], &[]),
        result(&again[1], [3, 3], &["s", "p"]),
    ];
    for _ in 0..2 {
        let answer = deliver(store, &run, "c#0", &both, 9).await;
        assert_eq!(answer["stored"], json!([false, true]));
        assert_eq!(
            (jobs(&answer).len(), nodes(store, &run).await),
            (0, 2 * NODES)
        );
    }

    // What a worker does not deliver is free again; of an answer that got lost, nobody works on the jobs.
    let more = jobs(&deliver(store, &run, "c#0", &[], 9).await);
    assert_eq!(leaves(&more), [4]);
    let sent = [result(&taken[0], [4, 4], &["t", "u"])];
    let answer = deliver(store, &run, "d#0", &sent, 9).await;
    assert_eq!(leaves(&jobs(&answer)), [5, 6]);
    let answer = deliver(store, &run, "d#0", &sent, 9).await;
    assert_eq!(
        (&answer["stored"], jobs(&answer).len()),
        (&json!([true]), 0)
    );
    deliver(store, &run, "c#0", &[], 0).await;
    let all = jobs(&deliver(store, &run, "e#0", &[], 9).await);
    let mut all = leaves(&all);
    all.sort_unstable();
    assert_eq!(all, [4, 5, 6]);
    assert_eq!(nodes(store, &run).await, 3 * NODES);

    // One that is twice in a batch counts once.
    let twice = [(); 2].map(|()| result(&last[0], [1, 1], &["v"]));
    let answer = deliver(store, &run, "b#0", &twice, 9).await;
    assert_eq!(answer["stored"], json!([true, true]));
    assert_eq!(nodes(store, &run).await, 4 * NODES);
}

#[tokio::test(flavor = "multi_thread")]
async fn results_of_a_batch_are_stored_one_by_one() {
    let folder = tempfile::tempdir().expect("a folder");
    let place = folder.path().join("solve.db").display().to_string();
    batches(&Store::open(&place).await.expect("a store")).await;
}

#[cfg(feature = "postgres")]
#[tokio::test(flavor = "multi_thread")]
async fn results_of_a_batch_are_stored_one_by_one_on_postgres() {
    let Some(postgres) = Postgres::start() else {
        return;
    };
    batches(&Store::open(&postgres.url()).await.expect("a store")).await;
}

/// Works until it is stopped, which it is when `stops` says so of what it has told.
async fn interrupted(store: &Store, run: &Run, batch: usize, nodes: Option<u64>) -> Worked {
    let mut options = options(MINUTE, batch);
    options.limits.nodes = nodes;
    options.limits.stop = StopFlag::new();
    let stop = options.limits.stop.clone();
    let told = &mut |event| {
        if matches!(event, Event::Done { .. }) && nodes.is_none() {
            stop.raise();
        }
    };
    let source = JobSource::Store(store.clone());
    let worked = solving::work::<Konane>(&source, run, &options, told).await;
    worked.expect("worked")
}

#[tokio::test(flavor = "multi_thread")]
async fn a_worker_that_ends_stores_what_it_has_found_and_gives_the_rest_back() {
    let folder = tempfile::tempdir().expect("a folder");
    let place = folder.path().join("solve.db").display().to_string();
    let store = Store::open(&place).await.expect("a store");
    let run = published(&store).await;
    let (mut nodes, mut jobs) = (0, 0);
    // In the middle of a batch, and between two of them.
    for limit in [None, Some(50), Some(300), None, Some(1000)] {
        let worked = interrupted(&store, &run, 5, limit).await;
        assert_eq!(worked.outcome, None);
        nodes += worked.nodes;
        jobs += worked.jobs;
        let progress = store.progress(&run).await.expect("progress");
        assert_eq!((progress.jobs, progress.nodes), (0, nodes), "{limit:?}");
    }
    assert!(jobs > 5, "{jobs}");
}

#[tokio::test(flavor = "multi_thread")]
async fn what_an_earlier_job_of_a_batch_has_decided_is_not_searched() {
    let folder = tempfile::tempdir().expect("a folder");
    let place = folder.path().join("solve.db").display().to_string();
    let store = Store::open(&place).await.expect("a store");
    let run = run::<havannah::Position>(&size("3"), "", 50);
    let published = solving::publish::<havannah::Position>(&store, &run).await;
    published.expect("published");
    let worked = work::<havannah::Position>(&store, &run, MINUTE, 64).await;
    let progress = store.progress(&run).await.expect("progress");
    // The first of the moves wins. A root of the second question is there too.
    assert!(progress.positions > 5, "{progress:?}");
    assert_eq!((worked.jobs, progress.solved), (2, 2), "{progress:?}");
}
