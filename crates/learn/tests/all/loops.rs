use learn::{Ended, Event, Generation, LearnError, Options, Written, learn, status};
use search::StopFlag;
use std::fs::{self, OpenOptions};
use std::io::Write;
use std::path::{Path, PathBuf};

pub(crate) fn text() -> String {
    plan("tiny.toml")
}

fn plans() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../learning")
}

fn plan(name: &str) -> String {
    fs::read_to_string(plans().join(name)).expect("the plan")
}

pub(crate) fn options(folder: &Path, threads: usize) -> Options {
    Options {
        folder: folder.to_owned(),
        beside: folder.to_owned(),
        threads,
        shared: None,
        stop: StopFlag::new(),
    }
}

/// Runs until `stop` says so or all is done.
pub(crate) fn run(
    options: &Options,
    stop: impl FnMut(&Event) -> bool,
) -> Result<Ended, LearnError> {
    run_plan(&text(), options, stop)
}

pub(crate) fn run_plan(
    text: &str,
    options: &Options,
    mut stop: impl FnMut(&Event) -> bool,
) -> Result<Ended, LearnError> {
    let written = Written::read(text).expect("a plan");
    learn(&written, text, options, &mut |event| {
        if stop(&event) {
            options.stop.raise();
        }
    })
}

/// What a run has made, without the time that it took.
pub(crate) fn made(folder: &Path) -> Vec<Generation> {
    let mut rows = status(folder).expect("a journal");
    for row in &mut rows {
        row.seconds = 0.0;
        if let Some(played) = &mut row.played {
            assert!(
                played.games > 0 && played.searched > 0 && played.proven > 0,
                "{played:?}"
            );
        }
    }
    rows
}

pub(crate) fn undisturbed(threads: usize) -> Vec<Generation> {
    let folder = tempfile::tempdir().expect("a folder");
    let ended = run(&options(folder.path(), threads), |_| false).expect("run");
    assert_eq!(ended, Ended::Done);
    made(folder.path())
}

/// The whole loop gives the same weights, losses and results twice, and with several threads.
#[test]
fn a_run_can_be_repeated() {
    let once = undisturbed(1);
    assert_eq!(once.len(), 2);
    for row in &once {
        let trained = row.trained.as_ref().expect("trained");
        assert_eq!(trained.weights.len(), 64);
        assert!(trained.learned.moves() > 0.0 && trained.held_out.scores > 0);
        assert!(row.matched.is_some());
    }
    assert_eq!(undisturbed(1), once);
    assert_eq!(undisturbed(3), once);
}

/// What a run makes that is stopped at many moments, each time after so many events, and goes on.
fn interrupted(text: &str, most: u32) -> Vec<Generation> {
    let folder = tempfile::tempdir().expect("a folder");
    let mut stops = 0;
    loop {
        let mut events = 0;
        let options = options(folder.path(), 1);
        let ended = run_plan(text, &options, |_| {
            events += 1;
            events > most
        });
        match ended.expect("run") {
            Ended::Stopped => stops += 1,
            Ended::Done => break,
        }
        assert!(stops < 1000, "it goes on");
    }
    assert!(stops > 5, "{stops}");
    made(folder.path())
}

#[test]
fn a_run_that_is_interrupted_makes_the_same() {
    assert_eq!(interrupted(&text(), 9), undisturbed(1));
}

/// The same weights with one thread, with several, and after interruptions; they say what made them, and they are better
/// than what the run began with at what they learn.
#[test]
fn a_run_of_konane_can_be_repeated() {
    let text = plan("konane-tiny.toml");
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path();
    let ended = run_plan(&text, &options(path, 1), |_| false);
    assert_eq!(ended.expect("run"), Ended::Done);
    let once = made(path);
    assert_eq!(once.len(), 2);
    for row in &once {
        let trained = row.trained.as_ref().expect("trained");
        let file = fs::read(path.join(format!("weights/{}.weights", trained.weights)));
        let (_, origin) = konane::evaluation::from_bytes(&file.expect("weights")).expect("weights");
        let written = Written::read(&text).expect("a plan");
        assert_eq!(origin.learning, written.hash);
        assert_eq!(origin.sizes, written.plan.sizes);
        assert_eq!(origin.generation, row.generation);
        assert_eq!(origin.games, u64::from(row.generation) * 60);
        assert!(trained.held_out.results() < 0.69, "{:?}", trained.held_out);
        assert!(row.matched.is_some());
    }
    let threads = tempfile::tempdir().expect("a folder");
    let ended = run_plan(&text, &options(threads.path(), 3), |_| false);
    assert_eq!(ended.expect("run"), Ended::Done);
    assert_eq!(made(threads.path()), once);
    assert_eq!(interrupted(&text, 12), once);
}

/// A run begins with the weights of a file, among layers that change nothing, and with no others.
#[test]
fn a_run_begins_with_the_weights_of_a_file() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path();
    fs::copy(plans().join("havannah-15.weights"), path.join("first")).expect("copied");
    let deep = plan("havannah-deep.toml");
    let start = deep.find("[start.weights]").expect("a start");
    let start = deep[start..].lines().take(3).collect::<Vec<_>>().join("\n");
    let with = |layers: u32, start: &str| {
        let network = format!("generations = 1\nnetwork.layers = {layers}\n{start}\n");
        text().replace("generations = 2", &network)
    };
    let start = start.replace("havannah-15.weights", "first");
    let begin = |name: &str, text: &str| {
        let options = Options {
            beside: path.to_owned(),
            ..options(&path.join(name), 1)
        };
        run_plan(text, &options, |_| false)
    };
    let ended = begin("run", &with(6, &start)).expect("run");
    assert_eq!(ended, Ended::Done);
    let once = made(&path.join("run"));
    let trained = once[0].trained.as_ref().expect("trained");
    let file = path.join(format!("run/weights/{}.weights", trained.weights));
    let head = fs::read(file).expect("weights");
    let head = String::from_utf8_lossy(&head[..60]).into_owned();
    assert!(head.contains("\nnetwork 16 32 6 32\n"), "{head}");
    // The file is needed no more.
    fs::remove_file(path.join("first")).expect("removed");
    assert_eq!(begin("run", &with(6, &start)).expect("run"), Ended::Done);
    assert!(begin("other", &with(6, &start)).is_err());

    fs::copy(plans().join("havannah-5.weights"), path.join("first")).expect("copied");
    let why = begin("another", &with(6, &start)).expect_err("refused");
    assert!(matches!(why, LearnError::OtherWeights { .. }), "{why}");
    let why = begin("run", &with(7, &start)).expect_err("refused");
    assert!(matches!(why, LearnError::OtherPlan(_)), "{why}");
    fs::copy(plans().join("havannah-15.weights"), path.join("first")).expect("copied");
    let why = begin("shallow", &with(3, &start)).expect_err("refused");
    assert!(matches!(why, LearnError::TooDeep), "{why}");
    // What was refused left nothing that a corrected file would have to fit.
    for folder in ["other", "another", "shallow"] {
        assert!(!path.join(folder).exists(), "{folder}");
    }
    let shipped = with(0, "start = \"shipped\"").replace("network.layers = 0\n", "");
    assert_eq!(begin("shipped", &shipped).expect("run"), Ended::Done);
    // It is not continued by a program with another network.
    let noted = path.join("shipped/shipped.sha256");
    let own = fs::read_to_string(&noted).expect("its hash");
    let readme = fs::read_to_string(plans().join("README.md")).expect("the page");
    assert!(
        own.trim().len() == 64 && readme.contains(own.trim()),
        "{own}"
    );
    assert_eq!(begin("shipped", &shipped).expect("run"), Ended::Done);
    fs::write(&noted, own.replace(own.trim(), &"0".repeat(64))).expect("written");
    let why = begin("shipped", &shipped).expect_err("refused");
    assert!(matches!(why, LearnError::OtherShipped { .. }), "{why}");
    // A run of a version that did not note it goes on.
    fs::remove_file(&noted).expect("removed");
    assert_eq!(begin("shipped", &shipped).expect("run"), Ended::Done);
    assert_eq!(fs::read_to_string(&noted).expect("its hash"), own);
}

fn files(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for part in ["games", "matches"] {
        for entry in fs::read_dir(folder.join(part)).expect("a folder") {
            found.push(entry.expect("an entry").path());
        }
    }
    found.sort();
    found
}

/// Takes back what the journal says of a step of a generation, if it was done before the run heard that it should stop.
fn forget(folder: &Path, generation: u32, step: &str) {
    let path = folder.join("journal.jsonl");
    let journal = fs::read_to_string(&path).expect("the journal");
    let of_generation = format!("\"generation\":{generation},");
    let is_step =
        |line: &&str| line.contains(&of_generation) && line.contains(&format!("\"{step}\""));
    let end = journal.split_inclusive('\n').find(is_step);
    let end = end.map_or(journal.len(), |line| {
        journal.find(line).expect("a line of it")
    });
    fs::write(&path, &journal[..end]).expect("written");
}

/// What a killed process may leave behind it: half a record, half a line, a file that was not put in its place.
#[test]
fn what_was_not_written_to_its_end_is_done_again() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path();
    let plays = |event: &Event| {
        matches!(
            event,
            Event::Playing {
                generation: 2,
                done: 11,
                ..
            }
        )
    };
    assert_eq!(run(&options(path, 1), plays).expect("run"), Ended::Stopped);
    forget(path, 2, "played");
    let games = path.join("games/00002.games");
    let bytes = fs::read(&games).expect("games");
    fs::write(&games, &bytes[..bytes.len() - 5]).expect("written");
    let append = |path: &Path, bytes: &[u8]| {
        let mut file = OpenOptions::new().append(true).open(path).expect("a file");
        file.write_all(bytes).expect("written");
    };
    append(&path.join("journal.jsonl"), b"{\"generation\":2,\"sec");
    fs::write(path.join("weights/12.weights.7.partial"), b"half").expect("written");
    let matches = |event: &Event| {
        matches!(
            event,
            Event::Matching {
                generation: 2,
                done: 2,
                ..
            }
        )
    };
    run(&options(path, 1), matches).expect("run");
    forget(path, 2, "matched");
    for file in files(path) {
        append(&file, b"\x05\0\0\0\x07");
    }
    assert_eq!(run(&options(path, 1), |_| false).expect("run"), Ended::Done);
    assert_eq!(made(path), undisturbed(1));
}

/// Games that were counted are not left out of training silently.
#[test]
fn a_game_that_was_lost_later_is_missed() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path();
    let trains = |event: &Event| matches!(event, Event::Training { generation: 2, .. });
    assert_eq!(run(&options(path, 1), trains).expect("run"), Ended::Stopped);
    let games = path.join("games/00001.games");
    let bytes = fs::read(&games).expect("games");
    fs::write(&games, &bytes[..bytes.len() - 5]).expect("written");
    let refused = run(&options(path, 1), |_| false).expect_err("refused");
    let refused = refused.to_string();
    assert!(
        refused.contains("00001.games is damaged (23 of its 24 games are whole)"),
        "{refused}"
    );
    forget(path, 1, "played");
    assert_eq!(run(&options(path, 1), |_| false).expect("run"), Ended::Done);
    assert_eq!(made(path), undisturbed(1));
}

#[test]
fn a_folder_is_for_one_process_and_one_plan() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path();
    let mut refused = None;
    let stopped = run(&options(path, 1), |_| {
        refused.get_or_insert_with(|| run(&options(path, 1), |_| false));
        true
    });
    assert_eq!(stopped.expect("run"), Ended::Stopped);
    assert!(
        matches!(refused, Some(Err(LearnError::InUse(_)))),
        "{refused:?}"
    );
    let read = |text: &str| Written::read(text).expect("a plan");
    let other = text().replace("rate = 0.004", "rate = 0.005");
    let begun = learn(&read(&other), &other, &options(path, 1), &mut |_| {});
    assert!(matches!(begun, Err(LearnError::OtherPlan(_))), "{begun:?}");
    // How long a run is can change.
    let longer = text().replace("generations = 2", "generations = 3 # more");
    let options = options(path, 1);
    options.stop.raise();
    let ended = learn(&read(&longer), &longer, &options, &mut |_| {});
    assert_eq!(ended.expect("run"), Ended::Stopped);
}

/// A step that is far too long makes weights that the player cannot use: the run ends, and nothing is promoted.
#[test]
fn weights_that_are_too_large_end_the_run() {
    let folder = tempfile::tempdir().expect("a folder");
    let text = text().replace("rate = 0.004", "rate = 1000000.0");
    let written = Written::read(&text).expect("a plan");
    let ended = learn(&written, &text, &options(folder.path(), 1), &mut |_| {});
    let why = ended.expect_err("refused");
    assert!(matches!(why, LearnError::TooLarge(1)), "{why}");
    assert!(
        status(folder.path()).expect("a journal")[0]
            .trained
            .is_none()
    );
}

#[test]
fn a_damaged_state_is_named() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path();
    let trains = |event: &Event| matches!(event, Event::Training { generation: 2, .. });
    assert_eq!(run(&options(path, 1), trains).expect("run"), Ended::Stopped);
    let state = path.join("training/00002.state");
    let mut bytes = fs::read(&state).expect("the state");
    bytes[1000] ^= 1;
    fs::write(&state, &bytes).expect("written");
    let refused = run(&options(path, 1), |_| false)
        .expect_err("refused")
        .to_string();
    assert!(refused.contains("00002.state is damaged"), "{refused}");
    fs::remove_file(&state).expect("removed");
    assert_eq!(run(&options(path, 1), |_| false).expect("run"), Ended::Done);
    assert_eq!(made(path), undisturbed(1));
}
