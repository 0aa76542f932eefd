//! A learning run that is killed again and again, through the real program.
#![cfg(unix)]

#[cfg(target_os = "linux")]
use super::arena::postgres::Postgres;
use serde_json::Value;
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

fn plan() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../learning/tiny.toml")
}

fn papamu(folder: &Path, options: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_papamu"));
    command.arg("learn").arg(plan()).arg("--folder").arg(folder);
    command.args(options).stdin(Stdio::null());
    command
}

fn output(folder: &Path, options: &[&str]) -> Output {
    papamu(folder, options).output().expect("the program runs")
}

/// All that a run has made, without the time that it took.
fn made(folder: &Path) -> Vec<Value> {
    let status = output(folder, &["--status", "--json"]);
    assert!(status.status.success());
    let text = String::from_utf8(status.stdout).expect("text");
    let row = |line| {
        let mut row: Value = serde_json::from_str(line).expect("an object");
        assert!(row["matched"].is_object(), "{row}");
        row["seconds"].take();
        row
    };
    text.lines().map(row).collect()
}

/// The files of a run with their lengths.
fn files(folder: &Path) -> BTreeMap<PathBuf, u64> {
    let mut found = BTreeMap::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
            match entry.metadata() {
                Ok(metadata) if metadata.is_dir() => folders.push(entry.path()),
                Ok(metadata) => drop(found.insert(entry.path(), metadata.len())),
                Err(_) => {}
            }
        }
    }
    found
}

/// Waits until something is written so many times, or the process ends.
fn wait_for_writing(child: &mut Child, folder: &Path, times: usize) {
    let deadline = Instant::now() + Duration::from_mins(10);
    let mut seen = files(folder);
    let mut changes = 0;
    while changes < times && child.try_wait().expect("a process").is_none() {
        assert!(Instant::now() < deadline, "nothing is written");
        sleep(Duration::from_millis(1));
        let now = files(folder);
        if now != seen {
            changes += 1;
            seen = now;
        }
    }
}

#[test]
fn a_run_that_is_killed_again_and_again_makes_the_same() {
    let folder = tempfile::tempdir().expect("a folder");
    let (killed, undisturbed) = (
        folder.path().join("killed"),
        folder.path().join("undisturbed"),
    );
    for times in (1..12).chain([1; 8]) {
        let mut run = papamu(&killed, &[]);
        let mut child = run
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .expect("the program starts");
        wait_for_writing(&mut child, &killed, times);
        child.kill().expect("killed");
        child.wait().expect("ended");
    }
    for folder in [&killed, &undisturbed] {
        let run = output(folder, &[]);
        let errors = String::from_utf8_lossy(&run.stderr);
        assert!(run.status.success(), "{errors}");
    }
    let made = made(&killed);
    assert_eq!(made.len(), 2);
    assert_eq!(made, self::made(&undisturbed));
    // A run that is done has nothing left to do, and tells of all its generations.
    let [again, status] = [&["--json"][..], &["--json", "--status"]].map(|options| {
        let told = output(&killed, options);
        assert!(told.status.success());
        String::from_utf8(told.stdout).expect("text")
    });
    assert_eq!(again.lines().count(), 2);
    assert_eq!(again, status);
    // What was learned can play.
    let weights = made[1]["trained"]["weights"].as_str().expect("a hash");
    let weights = undisturbed.join(format!("weights/{weights}.weights"));
    let mut bench = Command::new(env!("CARGO_BIN_EXE_papamu"));
    bench.args(["bench", "havannah", "--size", "3", "--simulations", "50"]);
    bench.args(["--player", "papamu", "--set", "know-network=15", "--set"]);
    let bench = bench.arg(format!("network={}", weights.display())).output();
    assert!(bench.expect("the program runs").status.success());
}

/// SIGTERM ends a run with its own exit code, and the next call goes on.
#[test]
fn a_signal_stops_a_run() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut run = papamu(folder.path(), &[]);
    let run = run.stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = run.spawn().expect("the program starts");
    wait_for_writing(&mut child, folder.path(), 3);
    if child.try_wait().expect("its state").is_none() {
        let signal = Command::new("kill").arg(child.id().to_string()).status();
        assert!(signal.expect("kill runs").success());
    }
    let ended = child.wait_with_output().expect("ended");
    let errors = String::from_utf8_lossy(&ended.stderr);
    if ended.status.code() == Some(143) {
        assert!(errors.contains("the same command resumes"), "{errors}");
    } else {
        // It was done before the signal came.
        assert!(ended.status.success(), "{errors}");
    }
    assert!(output(folder.path(), &["--threads", "2"]).status.success());
}

/// A worker is killed again and again, and so is the process that leads: nothing is lost, and nothing counts twice.
#[test]
fn shared_games_survive_kills() {
    let folder = tempfile::tempdir().expect("a folder");
    let (shared, undisturbed) = (
        folder.path().join("shared"),
        folder.path().join("undisturbed"),
    );
    let store = folder.path().join("store.db").display().to_string();
    let lead = || papamu(&shared, &["--store", &store, "--lease", "1"]);
    let worker = || {
        let mut command = Command::new(env!("CARGO_BIN_EXE_papamu"));
        command.args(["worker", &store, "--concurrency", "2", "--lease", "1"]);
        command.stdin(Stdio::null());
        command
    };
    let silent = |command: &mut Command| {
        let silent = command.stdout(Stdio::null()).stderr(Stdio::null());
        silent.spawn().expect("the program starts")
    };
    for times in [4, 9, 14, 19, 24] {
        let mut leading = silent(&mut lead());
        let mut working = silent(&mut worker());
        wait_for_writing(&mut leading, folder.path(), times);
        for child in [&mut working, &mut leading] {
            child.kill().expect("killed");
            child.wait().expect("ended");
        }
    }
    let mut working = silent(&mut worker());
    let run = lead().output().expect("the program runs");
    working.kill().expect("killed");
    working.wait().expect("ended");
    let errors = String::from_utf8_lossy(&run.stderr);
    assert!(run.status.success(), "{errors}");
    assert!(output(&undisturbed, &[]).status.success());
    assert_eq!(made(&shared), made(&undisturbed));
    // Who comes too late finds nothing to do.
    let late = worker().arg("--exit-when-idle").output();
    let late = late.expect("the program runs");
    let errors = String::from_utf8_lossy(&late.stderr);
    assert!(late.status.success(), "{errors}");
    assert!(
        errors.contains("; 0 games and pairs of learning;"),
        "{errors}"
    );
}

/// No file may be longer than so many blocks of 512 or 1024 bytes, as on a full disk: each limit lets the run come further.
/// What was done is kept, and the run makes the same as one that nothing happened to.
#[test]
fn a_full_disk_loses_nothing() {
    let folder = tempfile::tempdir().expect("a folder");
    let (full, undisturbed) = (
        folder.path().join("full"),
        folder.path().join("undisturbed"),
    );
    let (mut refused, mut most) = (0, 0);
    for blocks in [1, 2, 4, 32, 100, 400] {
        let run = papamu(&full, &[]);
        let line = format!("trap '' XFSZ; ulimit -f {blocks}; exec \"$0\" \"$@\"");
        let mut shell = Command::new("sh");
        shell.args(["-c", &line]).arg(run.get_program());
        let ended = shell.args(run.get_args()).output().expect("a shell");
        let errors = String::from_utf8_lossy(&ended.stderr);
        if !ended.status.success() {
            assert_eq!(ended.status.code(), Some(2), "{errors}");
            let names_it = errors
                .lines()
                .any(|line| line.contains(&*full.to_string_lossy()));
            assert!(names_it && errors.contains("File too large"), "{errors}");
            refused += 1;
        }
        // What was done stays.
        let journal = fs::read_to_string(full.join("journal.jsonl")).unwrap_or_default();
        let steps = journal.lines().count();
        assert!(steps >= most, "{journal}");
        most = steps;
    }
    assert!(refused >= 3 && most > 0, "{refused} times, {most} steps");
    for folder in [&full, &undisturbed] {
        let run = output(folder, &[]);
        let errors = String::from_utf8_lossy(&run.stderr);
        assert!(run.status.success(), "{errors}");
    }
    assert_eq!(made(&full), made(&undisturbed));
}

/// Whether a game of the first generation is in the folder: the run has found its store.
#[cfg(target_os = "linux")]
fn has_games(folder: &Path) -> bool {
    let games = fs::metadata(folder.join("games/00001.games"));
    games.is_ok_and(|games| games.len() > 100)
}

/// The database goes away: for longer than the process that leads is patient, which ends it, and for a shorter time, again
/// and again. The run makes the same as one that nothing happened to.
#[cfg(target_os = "linux")]
#[test]
fn a_lost_database_loses_nothing() {
    let Some(mut postgres) = Postgres::start() else {
        return;
    };
    let folder = tempfile::tempdir().expect("a folder");
    let (shared, undisturbed) = (
        folder.path().join("shared"),
        folder.path().join("undisturbed"),
    );
    let place = postgres.url();
    let lead = |patience: &str| {
        let options = ["--store", &place, "--lease", "5", "--patience", patience];
        let mut lead = papamu(&shared, &options);
        lead.stdout(Stdio::null()).stderr(Stdio::piped());
        lead.spawn().expect("the program starts")
    };
    let deadline = Instant::now() + Duration::from_mins(10);
    let mut leading = lead("2");
    while !has_games(&shared) {
        assert!(Instant::now() < deadline, "nothing is played");
        sleep(Duration::from_millis(1));
    }
    postgres.kill();
    let ended = leading.wait_with_output().expect("ended");
    let errors = String::from_utf8_lossy(&ended.stderr);
    assert_eq!(ended.status.code(), Some(2), "{errors}");
    assert!(errors.contains("no connection"), "{errors}");
    postgres.restart();

    leading = lead("600");
    for _ in 0..3 {
        wait_for_writing(&mut leading, &shared, 2);
        postgres.kill();
        sleep(Duration::from_millis(300));
        postgres.restart();
    }
    let ended = leading.wait_with_output().expect("ended");
    let errors = String::from_utf8_lossy(&ended.stderr);
    assert!(ended.status.success(), "{errors}");
    assert!(output(&undisturbed, &[]).status.success());
    assert_eq!(made(&shared), made(&undisturbed));
}
