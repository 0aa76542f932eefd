//! A run whose games are shared through a store.

use crate::loops::{made, options, run, text, undisturbed};
use learn::{Ended, Event, LearnError, Options, Shared, Store, WorkEvent, Working, work};
use search::StopFlag;
use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;
use tokio::runtime::Runtime;

fn shared(folder: &Path) -> Options {
    Options {
        shared: Some(Shared {
            place: folder.join("store.db").to_string_lossy().into_owned(),
            lease: Duration::from_mins(10),
            patience: Duration::from_mins(10),
        }),
        ..options(&folder.join("run"), 1)
    }
}

fn working(waits: bool) -> Working {
    Working {
        threads: 2,
        lease: Duration::from_mins(10),
        patience: Duration::from_mins(10),
        waits,
        stop: StopFlag::new(),
    }
}

/// The process that leads plays all, or is stopped as soon as it has published a step and finds it played by another.
#[test]
fn shared_games_make_the_same() {
    let alone = tempfile::tempdir().expect("a folder");
    let ended = run(&shared(alone.path()), |_| false).expect("run");
    assert_eq!(ended, Ended::Done);
    let undisturbed = undisturbed(1);
    assert_eq!(made(&alone.path().join("run")), undisturbed);

    let folder = tempfile::tempdir().expect("a folder");
    let runtime = Runtime::new().expect("a runtime");
    let place = folder.path().join("store.db");
    let (mut stops, mut played) = (0, 0);
    loop {
        let mut begun = None;
        let ended = run(&shared(folder.path()), |event| {
            // Whatever was played meanwhile is taken first; what is missing then is published.
            let step = match event {
                Event::Playing { generation, .. } => (*generation, false),
                Event::Matching { generation, .. } => (*generation, true),
                _ => return false,
            };
            begun.replace(step) != Some(step)
        });
        if ended.expect("run") == Ended::Done {
            break;
        }
        stops += 1;
        assert!(stops < 100, "it goes on");
        let store = runtime.block_on(Store::open(&place.to_string_lossy()));
        let store = store.expect("a store");
        for run in runtime.block_on(store.runs()).expect("runs") {
            let heard = AtomicU64::new(0);
            let told = |event: WorkEvent<'_>| match event {
                WorkEvent::Stored(games) => drop(heard.fetch_add(games, Ordering::Relaxed)),
                WorkEvent::Trouble(why) => panic!("{why}"),
            };
            let stored = work(&store, &run, &working(false), runtime.handle(), &told);
            let stored = stored.expect("work");
            assert_eq!(heard.into_inner(), stored);
            played += stored;
            let progress = runtime.block_on(store.progress(&run)).expect("progress");
            let open = progress.map_or(0, |(_, _, counts)| counts.open);
            assert_eq!(open, 0, "{progress:?}");
        }
        runtime.block_on(store.close());
    }
    assert!(stops >= 4 && played > 0, "{stops} stops, {played} played");
    assert_eq!(made(&folder.path().join("run")), undisturbed);
    // What it has learned is told to those who look.
    let store = runtime.block_on(Store::open(&place.to_string_lossy()));
    let store = store.expect("a store");
    let runs = runtime.block_on(store.runs()).expect("runs");
    assert!(runs[0].is_finished && runs.len() == 1, "{runs:?}");
    let mut told = runtime.block_on(store.generations(&runs[0])).expect("told");
    for row in &mut told {
        row.seconds = 0.0;
    }
    assert_eq!(told, undisturbed);
}

#[test]
fn a_worker_of_another_version_plays_nothing() {
    let folder = tempfile::tempdir().expect("a folder");
    let stopped = run(&shared(folder.path()), |_| true).expect("run");
    assert_eq!(stopped, Ended::Stopped);
    let runtime = Runtime::new().expect("a runtime");
    let place = folder.path().join("store.db");
    let store = runtime.block_on(Store::open(&place.to_string_lossy()));
    let store = store.expect("a store");
    let mut runs = runtime.block_on(store.runs()).expect("runs");
    assert_eq!(runs[0].plan, text());
    let own = runs[0].version.clone();
    let same_number = own.replace('(', "(0");
    for version in ["0.0.1", &same_number] {
        runs[0].version = version.to_owned();
        let refused = work(&store, &runs[0], &working(true), runtime.handle(), &|_| {});
        let Err(LearnError::OtherVersion { leads, own: found }) = refused else {
            panic!("{refused:?}");
        };
        assert_eq!((leads.as_str(), &found), (version, &own));
    }
}
