//! Work on an experiment: when a test ends it, when the store is full, and when games go by the clock.

use arena::experiment::Stop as Rule;
use arena::schedule::{Colour, pair};
use arena::verdict::verdict;
use arena::{
    Event, Experiment, Ledger, Loaded, Options, Scale, Stop, Store, Tables, publish, work,
};
use statistics::Verdict;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

fn loaded(text: &str) -> Arc<Loaded> {
    let experiment = Experiment::read(text, Scale::Full).expect("an experiment");
    arena::check(&experiment).expect("it can be played");
    Arc::new(Loaded::new(experiment, 1).expect("its players"))
}

/// Two players, the first of which is clearly better.
fn unequal(player: &str, against: &str, rest: &str) -> Arc<Loaded> {
    loaded(&format!(
        r#"
        name = "unequal"
        game = "havannah"
        games = 400
        [board]
        size = 3
        [budget]
        simulations = 30
        [players.strong]
        player = "rave"
        [players.weak]
        player = "random"
        [[match]]
        player = "{player}"
        against = "{against}"
        [openings]
        random = 1
        {rest}
        "#
    ))
}

async fn play(store: &Store, loaded: &Arc<Loaded>, listener: &(dyn Fn(Event) + Sync)) {
    publish(store, loaded).await.expect("published");
    let options = Options {
        threads: 2,
        ..Options::default()
    };
    let (stop, ledger) = (Stop::default(), Ledger::default());
    work(
        store,
        &options,
        vec![loaded.clone()],
        &stop,
        &ledger,
        listener,
    )
    .await
    .expect("played");
}

/// Plays until a test decides, and tells what it says.
async fn tested(player: &str, against: &str) -> Verdict {
    const TEST: &str = "[stop]\nrule = \"sprt\"\nelo0 = 0\nelo1 = 100";
    let folder = tempfile::tempdir().expect("a folder");
    let place = folder.path().join("a.db").display().to_string();
    let store = Store::open(&place).await.expect("a store");
    // More than can be on their way when the test decides.
    let many = unequal(player, against, TEST).experiment.text.clone();
    let loaded = loaded(&many.replace("games = 400", "games = 4000"));
    let id = &loaded.experiment.id;
    let decided = AtomicU64::new(0);
    play(&store, &loaded, &|event| {
        if let Event::Decided(_, point) = event {
            assert_eq!(point, 0);
            decided.fetch_add(1, Ordering::Relaxed);
        }
    })
    .await;
    assert!(decided.load(Ordering::Relaxed) >= 1);
    let counts = store.counts(id).await.expect("counts");
    assert_eq!((counts.open, counts.done + counts.not_needed), (0, 2000));
    assert!(counts.not_needed > 0, "{counts:?}");
    // What the test counts is what is stored: each pair once.
    let score = store.scores(id, None).await.expect("scores")[&0];
    let pairs: u64 = score.pairs.iter().sum();
    assert_eq!((score.games(), pairs), (counts.games, counts.games / 2));
    assert!(matches!(loaded.experiment.stop, Rule::Sprt { .. }));
    // Run again, it is over.
    play(&store, &loaded, &|event| {
        assert!(!matches!(event, Event::Stored(..)), "a game too many");
    })
    .await;
    assert_eq!(store.counts(id).await.expect("counts"), counts);
    // So it is with more games; another rule needs them.
    let more = |text: &str, new: &str| {
        let text = loaded.experiment.text.replace(text, new);
        self::loaded(&text.replace("games = 4000", "games = 4020"))
    };
    publish(&store, &more(TEST, TEST)).await.expect("published");
    let raised = store.counts(id).await.expect("counts");
    assert_eq!(
        (raised.open, raised.not_needed),
        (0, counts.not_needed + 10)
    );
    publish(&store, &more(TEST, "")).await.expect("published");
    let fixed = store.counts(id).await.expect("counts");
    assert_eq!((fixed.open, fixed.not_needed), (raised.not_needed, 0));
    verdict(&loaded.experiment.stop, &score)
}

#[tokio::test(flavor = "multi_thread")]
async fn a_test_accepts_and_ends_the_experiment() {
    assert_eq!(tested("strong", "weak").await, Verdict::Accepted);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_test_rejects_and_ends_the_experiment() {
    assert_eq!(tested("weak", "strong").await, Verdict::Rejected);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_full_disk_ends_the_work_and_loses_nothing() {
    let folder = tempfile::tempdir().expect("a folder");
    let place = folder.path().join("full.db").display().to_string();
    let store = Store::open(&place).await.expect("a store");
    let loaded = unequal("strong", "weak", "");
    let id = &loaded.experiment.id;
    publish(&store, &loaded).await.expect("published");
    store.limit_pages(100).await.expect("a limit");
    let told = Mutex::new(Vec::new());
    let listener = |event: Event| {
        if let Event::Stored(_, game) = event {
            told.lock().expect("told").push((game.pair, game.colour));
        }
    };
    // The leases of this process end by themselves: it is still there.
    let options = Options {
        lease: Duration::from_secs(1),
        ..Options::default()
    };
    let (stop, ledger) = (Stop::default(), Ledger::default());
    let worked = work(
        &store,
        &options,
        vec![loaded.clone()],
        &stop,
        &ledger,
        &listener,
    )
    .await;
    let error = worked.expect_err("the disk is full").to_string();
    assert!(
        error.contains("full; what was stored stays whole"),
        "{error}"
    );
    store.close().await;
    // There is room again.
    let store = Store::open(&place).await.expect("the store is whole");
    let stored = store.games(id, (-1, 1), 1000).await.expect("games");
    let stored: Vec<_> = stored.iter().map(|game| (game.pair, game.colour)).collect();
    let mut told = told.into_inner().expect("told");
    told.sort_unstable();
    assert_eq!(stored, told, "what was told is stored");
    assert!((1..400).contains(&stored.len()), "{}", stored.len());
    play(&store, &loaded, &|_| {}).await;
    let counts = store.counts(id).await.expect("counts");
    assert_eq!((counts.games, counts.done, counts.open), (400, 200, 0));
}

/// A player that did not look at the clock would think for ever: it has no other limit. What counts is the processor
/// time of the thread, which is the less the more others take.
#[test]
fn our_players_keep_within_the_clock_of_the_game() {
    let loaded = loaded(
        r#"
        name = "clock"
        game = "havannah"
        games = 4
        [board]
        size = 4
        [budget]
        game-seconds = 0.5
        increment-seconds = 0.01
        margin-seconds = 1000
        [players.rave]
        player = "rave"
        [players.uct]
        player = "uct"
        [[match]]
        player = "rave"
        against = "uct"
        "#,
    );
    let mut tables = Tables::default();
    for number in 0..2 {
        for colour in Colour::BOTH {
            let pair = pair(&loaded.experiment, number);
            let before = processor_seconds();
            let game = tables.play(&loaded, pair, colour, &|_| {}).expect("a game");
            let used = processor_seconds() - before;
            assert_eq!(game.fault, "", "{}", game.sgf);
            let given = 2.0 * 0.5 + 0.01 * game.moves.len() as f64;
            // Building the players takes time too, and the system counts in ticks.
            assert!(used < given + 0.5, "{used} of {given} s");
        }
    }
}

/// The processor time of this thread.
fn processor_seconds() -> f64 {
    let time = rustix::time::clock_gettime(rustix::time::ClockId::ThreadCPUTime);
    time.tv_sec as f64 + time.tv_nsec as f64 / 1e9
}

/// A way to a server on which nothing comes through any more once it is blocked, and no connection is closed.
#[cfg(feature = "postgres")]
mod proxy {
    use std::io::{Read, Write};
    use std::net::{Shutdown, TcpListener, TcpStream};
    use std::sync::Arc;
    use std::sync::atomic::{AtomicBool, Ordering};
    use std::thread;
    use std::time::Duration;

    /// Opens the way to a port of this machine, and tells where it begins.
    pub fn open(port: u16, is_blocked: &Arc<AtomicBool>) -> u16 {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a free port");
        let beginning = listener.local_addr().expect("its address").port();
        let is_blocked = is_blocked.clone();
        thread::spawn(move || {
            for client in listener.incoming().flatten() {
                let server = TcpStream::connect(("127.0.0.1", port)).expect("the server");
                let ends = [(&client, &server), (&server, &client)];
                for (from, to) in ends.map(|(from, to)| (from.try_clone(), to.try_clone())) {
                    let is_blocked = is_blocked.clone();
                    let (from, to) = (from.expect("an end"), to.expect("an end"));
                    thread::spawn(move || pass(from, to, &is_blocked));
                }
            }
        });
        beginning
    }

    fn pass(mut from: TcpStream, mut to: TcpStream, is_blocked: &AtomicBool) {
        let mut bytes = [0; 1 << 14];
        while let Ok(count @ 1..) = from.read(&mut bytes) {
            while is_blocked.load(Ordering::Relaxed) {
                thread::sleep(Duration::from_millis(10));
            }
            if to.write_all(&bytes[..count]).is_err() {
                break;
            }
        }
        let _ = to.shutdown(Shutdown::Both);
    }
}

/// A server that is there and does not answer is waited for as long as the patience says, wherever it falls silent.
#[cfg(feature = "postgres")]
#[tokio::test(flavor = "multi_thread")]
async fn a_silent_server_ends_the_work() {
    let Some(postgres) = crate::postgres::Postgres::start() else {
        return;
    };
    let is_blocked = Arc::new(std::sync::atomic::AtomicBool::new(false));
    let url = postgres.url();
    let port: u16 = url
        .rsplit([':', '/'])
        .nth(1)
        .and_then(|port| port.parse().ok())
        .expect("a port");
    let beginning = proxy::open(port, &is_blocked);
    let through = url.replace(&port.to_string(), &beginning.to_string());
    let store = Store::open(&through).await.expect("a store");
    let loaded = unequal("strong", "weak", "");
    publish(&store, &loaded).await.expect("published");
    let options = Options {
        threads: 2,
        patience: Duration::ZERO,
        lease: Duration::from_millis(300),
        ..Options::default()
    };
    let (stop, ledger) = (Stop::default(), Ledger::default());
    let listener = |event: Event| {
        if let Event::Stored(..) = event {
            is_blocked.store(true, Ordering::Relaxed);
        }
    };
    let worked = work(&store, &options, vec![loaded], &stop, &ledger, &listener).await;
    let error = worked.expect_err("it is silent").to_string();
    assert!(error.ends_with("no answer within 2 s"), "{error}");
}

/// Who asks to stop does not wait for the answer to a claim, which others may hold up as long as they like.
#[cfg(feature = "postgres")]
#[tokio::test(flavor = "multi_thread")]
async fn a_claim_that_waits_does_not_hold_up_the_end() {
    use sqlx::Connection;
    let Some(postgres) = crate::postgres::Postgres::start() else {
        return;
    };
    let url = postgres.url();
    let store = Store::open(&url).await.expect("a store");
    let loaded = unequal("strong", "weak", "");
    publish(&store, &loaded).await.expect("published");
    let [mut other, mut watcher] = [
        sqlx::AnyConnection::connect(&url)
            .await
            .expect("a connection"),
        sqlx::AnyConnection::connect(&url)
            .await
            .expect("a connection"),
    ];
    // Others can read the jobs, and change none.
    let mut held = other.begin().await.expect("a transaction");
    sqlx::query("LOCK TABLE jobs IN EXCLUSIVE MODE")
        .execute(&mut *held)
        .await
        .expect("locked");
    let (stop, ledger) = (Stop::default(), Ledger::default());
    // In a task of its own: the one that works waits for its threads.
    let raised = stop.clone();
    let stop_when_it_waits = tokio::spawn(async move {
        let text = "SELECT count(*) FROM pg_locks WHERE NOT granted";
        while sqlx::query_scalar::<_, i64>(text)
            .fetch_one(&mut watcher)
            .await
            .expect("a count")
            == 0
        {
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
        raised.raise();
    });
    // The claim would wait for a minute.
    let options = Options::default();
    let listener = |_| {};
    let worked = work(&store, &options, vec![loaded], &stop, &ledger, &listener).await;
    worked.expect("it ends before the answer");
    stop_when_it_waits.await.expect("it waited");
    assert_eq!(ledger.stored(), 0);
    held.rollback().await.expect("unlocked");
}
