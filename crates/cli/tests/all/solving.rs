//! Solving over a store, by processes that are killed.
#![cfg(unix)]

use super::arena::postgres::Postgres;
use game::random;
use serde_json::Value;
use std::fs::File;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

/// The boards, and the moves that are played on them.
pub const POSITIONS: [(&str, &str); 4] = [
    ("konane --rows 6 --cols 6 --setup centre", ""),
    ("havannah --size 4", "b1 d2 a2 e4"),
    ("konane --rows 6 --cols 6 --setup corner", ""),
    ("konane --rows 5 --cols 6 --setup centre", ""),
];

/// What stands still for so long will not go on: the test ends and tells of it.
const PATIENCE: Duration = Duration::from_mins(15);

/// How often something is killed: so many times, or as often as an environment variable says, as in
/// `PAPAMU_KILLS=200 PAPAMU_DATABASE_KILLS=20 cargo test -p papamu-cli --test all solving`.
pub fn kills(variable: &str, otherwise: usize) -> usize {
    let kills = std::env::var(variable).ok();
    kills
        .and_then(|kills| kills.parse().ok())
        .unwrap_or(otherwise)
}

pub fn papamu(folder: &Path, line: &str) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_papamu"));
    command.current_dir(folder).args(line.split_whitespace());
    command.stdin(Stdio::null());
    command
}

/// What a command writes, which must be JSON, an object a line; it may end with one of these codes.
pub fn json(folder: &Path, line: &str, moves: Option<&str>, codes: &[i32]) -> Vec<Value> {
    let mut command = papamu(folder, line);
    command.args(moves.map(|moves| format!("--moves={moves}")));
    let output = command.output().expect("the program");
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(
        output
            .status
            .code()
            .is_some_and(|code| codes.contains(&code)),
        "{line}: {said}"
    );
    let text = String::from_utf8(output.stdout).expect("text");
    let object = |line: &str| serde_json::from_str(line).expect("JSON");
    text.lines().map(object).collect()
}

/// A worker; one in two takes several jobs at once.
fn worker(folder: &Path, source: &str, number: usize) -> Child {
    let batch = 1 + 3 * number;
    let line = format!("worker {source} --exit-when-idle --memory 64 --lease 5 --batch {batch}");
    let mut command = papamu(folder, &line);
    let said = File::create(words(folder, number)).expect("a file");
    command.stdout(Stdio::null()).stderr(said);
    command.spawn().expect("a worker")
}

/// The file of what a worker says.
fn words(folder: &Path, number: usize) -> PathBuf {
    folder.join(format!("worker-{number}.log"))
}

/// Two workers that solve a position.
pub struct Workers<'a> {
    folder: &'a Path,
    /// Where they get their jobs.
    source: &'a str,
    processes: [Child; 2],
}

impl Workers<'_> {
    /// Puts a new worker in the place of one, which is killed unless it has ended by itself, since all is done.
    pub fn replace(&mut self, number: usize) -> bool {
        let victim = &mut self.processes[number % 2];
        let is_running = victim.try_wait().expect("its state").is_none();
        if is_running {
            victim.kill().expect("killed");
        }
        victim.wait().expect("its end");
        *victim = worker(self.folder, self.source, number % 2);
        is_running
    }

    /// Waits until both work with the store, since one that finds no database when it begins ends. Whether they do: all may be
    /// done before.
    fn wait_until_they_work(&mut self, place: &str) -> bool {
        let asked = Instant::now();
        loop {
            let status = json(self.folder, &format!("status {place} --json"), None, &[0]);
            let works = |worker: &Child| {
                let mut listed = status[1..].iter();
                listed.any(|row| row["process"] == worker.id())
            };
            let is_solved = status[0]["outcome"] != "unknown";
            if is_solved || !self.ended().is_empty() {
                return false;
            }
            if self.processes.iter().all(works) {
                return true;
            }
            assert!(asked.elapsed() < PATIENCE, "they do not begin: {status:?}");
            sleep(Duration::from_millis(20));
        }
    }

    /// What those say that have ended by themselves.
    fn ended(&mut self) -> Vec<String> {
        let mut ended = Vec::new();
        for (number, process) in self.processes.iter_mut().enumerate() {
            if let Some(status) = process.try_wait().expect("its state") {
                let said = std::fs::read_to_string(words(self.folder, number));
                ended.push(format!("{status}: {}", said.expect("its words")));
            }
        }
        ended
    }
}

/// Solves a position of a store with two workers, which get their jobs from a source, while `disturb` is called again and
/// again, and compares. Returns whether workers searched nodes that were stored.
pub fn solve_disturbed(
    place: &str,
    source: &str,
    (board, moves): (&str, &str),
    rng: &mut random::Rng,
    mut disturb: impl FnMut(&mut Workers<'_>, &mut random::Rng),
) -> bool {
    let folder = tempfile::tempdir().expect("a folder");
    let folder = folder.path();
    let alone = format!("solve {board} --json");
    let expected = json(folder, &alone, Some(moves), &[0])[0]["outcome"].clone();
    let over = format!("{alone} --store {place} --job-nodes 1000 --memory 64");
    let published = json(folder, &format!("{over} --time 0"), Some(moves), &[3]);
    assert_eq!(published[0]["outcome"], "unknown");

    let processes = [0, 1].map(|number| worker(folder, source, number));
    let mut workers = Workers {
        folder,
        source,
        processes,
    };
    let (mut before, mut by_workers) = (0, 0);
    let mut went_on = Instant::now();
    loop {
        sleep(Duration::from_millis(u64::from(random::below(400, rng))));
        let ended = workers.ended();
        let status = json(folder, &format!("status {place} --json"), None, &[0]);
        let nodes = status[0]["nodes"].as_u64().expect("nodes");
        assert!(
            nodes >= before,
            "what was stored stays: {nodes} after {before}"
        );
        if nodes > before {
            went_on = Instant::now();
        }
        before = nodes;
        let of_workers = status[1..].iter().filter_map(|row| row["nodes"].as_u64());
        by_workers += of_workers.sum::<u64>();
        if status[0]["outcome"] != "unknown" {
            assert_eq!(status[0]["outcome"], expected);
            break;
        }
        assert!(ended.is_empty(), "there is work left: {ended:?}");
        assert!(went_on.elapsed() < PATIENCE, "it stands still: {status:?}");
        disturb(&mut workers, rng);
    }
    for (number, mut worker) in workers.processes.into_iter().enumerate() {
        let asked = Instant::now();
        let status = loop {
            if let Some(status) = worker.try_wait().expect("its state") {
                break status;
            }
            assert!(asked.elapsed() < PATIENCE, "a worker does not end");
            sleep(Duration::from_millis(20));
        };
        let said = std::fs::read_to_string(words(folder, number));
        assert!(status.success(), "{status}: {said:?}");
    }
    let over = format!("{over} --certificate c.cert");
    let solved = &json(folder, &over, Some(moves), &[0])[0];
    assert_eq!(solved["outcome"], expected, "{board} {moves}");
    assert_eq!(solved["stop"], "proven");
    let valid = &json(folder, "verify c.cert --json", None, &[0])[0];
    assert_eq!(valid["valid"], true, "{valid}");
    by_workers > 0
}

#[test]
fn workers_are_killed_at_any_moment() {
    let mut rng = random::seeded(19);
    let (mut killed, most) = (0, kills("PAPAMU_KILLS", 30));
    let mut worked = false;
    for &position in POSITIONS.iter().cycle() {
        worked |= solve_disturbed("s.db", "s.db", position, &mut rng, |workers, _| {
            // A busy machine would otherwise kill each before it has stored anything, for ever.
            if killed < most {
                killed += usize::from(workers.replace(killed));
            }
        });
        if killed >= most {
            break;
        }
    }
    assert!(worked, "the nodes of those that were killed stay");
}

#[test]
fn workers_and_their_database_are_killed_at_any_moment() {
    let mut rng = random::seeded(20);
    let (mut killed, most) = (0, kills("PAPAMU_DATABASE_KILLS", 3));
    for &position in POSITIONS.iter().cycle() {
        let Some(mut postgres) = Postgres::start() else {
            return;
        };
        let place = postgres.url();
        solve_disturbed(&place, &place, position, &mut rng, |workers, rng| {
            if killed == most {
                return;
            }
            if random::below(2, rng) == 0 {
                workers.replace(killed);
            } else if workers.wait_until_they_work(&place) {
                postgres.kill();
                let pause = random::below(1000, rng);
                sleep(Duration::from_millis(u64::from(pause)));
                postgres.restart();
                killed += 1;
            }
        });
        if killed >= most {
            break;
        }
    }
}

#[test]
fn the_proof_of_the_documentation_that_is_under_way_can_be_continued() {
    let folder = tempfile::tempdir().expect("a folder");
    let kept =
        Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/lab/proofs/havannah-4x4x5-a1.db");
    std::fs::copy(kept, folder.path().join("a1.db")).expect("a copy");
    let status = || json(folder.path(), "status a1.db --json", None, &[0])[0].clone();
    let before = status();
    assert_eq!(before["outcome"], "unknown");
    let line =
        "solve havannah --size 4x4x5 --store a1.db --job-nodes 1000 --nodes 1 --memory 64 --json";
    let after = &json(folder.path(), line, Some("a1"), &[3])[0];
    assert!(after["nodes"].as_u64() > before["nodes"].as_u64());
    assert!(status()["positions"].as_u64() >= before["positions"].as_u64());
}

#[test]
fn the_proofs_of_the_documentation_hold() {
    let kept = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/lab");
    let checked = json(&kept, "verify proofs --json", None, &[0]);
    assert!(checked.len() >= 5 && checked.iter().all(|one| one["valid"] == true));
    // The pages tell the digests of the same files.
    let pages = ["solving.md", "konane-solutions.md"].map(|page| {
        let text = std::fs::read_to_string(kept.join(page));
        text.expect("a page")
    });
    for one in &checked {
        let digest = one["sha256"].as_str().expect("a digest");
        let is_told = pages.iter().any(|page| page.contains(&digest[..16]));
        assert!(is_told, "{one}");
    }
}

#[test]
fn what_cannot_be_solved_over_a_store_is_refused() {
    let folder = tempfile::tempdir().expect("a folder");
    for (line, why) in [
        (
            "solve havannah --size 4 --swap --store s.db",
            "without the swap rule",
        ),
        (
            "solve havannah --size 4 --solver pns --store s.db",
            "--store",
        ),
        ("solve havannah --size 4 --job-nodes 5000", "--store"),
        ("solve havannah --size 4 --batch 4", "--store"),
        ("worker s.db --batch 65", "65 is not in 1..=64"),
        ("status none.db", "there is no store none.db"),
        ("worker", "PLACE"),
    ] {
        let output = papamu(folder.path(), line).output().expect("the program");
        let said = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{line}: {said}");
        assert!(said.contains(why), "{line}: {said}");
    }
}
