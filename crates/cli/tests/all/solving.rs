//! Solving over a store, by processes that are killed.
#![cfg(unix)]

use game::random;
use serde_json::Value;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::thread::sleep;
use std::time::Duration;

/// The boards, and the moves that are played on them.
const POSITIONS: [(&str, &str); 4] = [
    ("konane --rows 6 --cols 6 --setup centre", ""),
    ("havannah --size 4", "b1 d2 a2 e4"),
    ("konane --rows 6 --cols 6 --setup corner", ""),
    ("konane --rows 5 --cols 6 --setup centre", ""),
];

/// How many workers are killed: `PAPAMU_KILLS=200 cargo test -p papamu-cli --test all solving` for more.
fn kills() -> usize {
    let kills = std::env::var("PAPAMU_KILLS").ok();
    kills.and_then(|kills| kills.parse().ok()).unwrap_or(30)
}

fn papamu(folder: &Path, line: &str) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_papamu"));
    command.current_dir(folder).args(line.split_whitespace());
    command.stdin(Stdio::null());
    command
}

/// What a command writes, which must be JSON, an object a line; it may end with one of these codes.
fn json(folder: &Path, line: &str, moves: Option<&str>, codes: &[i32]) -> Vec<Value> {
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

fn worker(folder: &Path) -> Child {
    let mut command = papamu(folder, "worker s.db --exit-when-idle --memory 64 --lease 5");
    command.stdout(Stdio::null()).stderr(Stdio::null());
    command.spawn().expect("a worker")
}

#[test]
fn workers_are_killed_at_any_moment() {
    let mut rng = random::seeded(19);
    let mut killed = 0;
    let mut by_workers = 0;
    for (board, moves) in POSITIONS.iter().cycle() {
        let folder = tempfile::tempdir().expect("a folder");
        let folder = folder.path();
        let alone = format!("solve {board} --json");
        let expected = json(folder, &alone, Some(moves), &[0])[0]["outcome"].clone();
        let over = format!("{alone} --store s.db --job-nodes 1000 --memory 64");
        let published = json(folder, &format!("{over} --time 0"), Some(moves), &[3]);
        assert_eq!(published[0]["outcome"], "unknown");

        let mut workers = [worker(folder), worker(folder)];
        let mut before = 0;
        loop {
            sleep(Duration::from_millis(u64::from(random::below(
                400, &mut rng,
            ))));
            let status = json(folder, "status s.db --json", None, &[0]);
            let nodes = status[0]["nodes"].as_u64().expect("nodes");
            assert!(
                nodes >= before,
                "what was stored stays: {nodes} after {before}"
            );
            before = nodes;
            let of_workers = status[1..].iter().filter_map(|row| row["nodes"].as_u64());
            by_workers += of_workers.sum::<u64>();
            if status[0]["outcome"] != "unknown" {
                assert_eq!(status[0]["outcome"], expected);
                break;
            }
            let victim = &mut workers[killed % 2];
            // It may have ended by itself, since all is done.
            if victim.try_wait().expect("its state").is_none() {
                // A busy machine would otherwise kill each before it has stored anything, for ever.
                if killed == kills() {
                    continue;
                }
                victim.kill().expect("killed");
                killed += 1;
            }
            victim.wait().expect("its end");
            *victim = worker(folder);
        }
        for mut worker in workers {
            assert!(worker.wait().expect("its end").success());
        }
        let solved = json(
            folder,
            &format!("{over} --certificate c.cert"),
            Some(moves),
            &[0],
        );
        assert_eq!(solved[0]["outcome"], expected, "{board} {moves}");
        assert_eq!(solved[0]["stop"], "proven");
        let valid = &json(folder, "verify c.cert --json", None, &[0])[0];
        assert_eq!(valid["valid"], true, "{valid}");
        if killed >= kills() {
            break;
        }
    }
    assert!(by_workers > 0, "the nodes of those that were killed stay");
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
        ("status none.db", "there is no store none.db"),
        ("worker", "PLACE"),
    ] {
        let output = papamu(folder.path(), line).output().expect("the program");
        let said = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{line}: {said}");
        assert!(said.contains(why), "{line}: {said}");
    }
}
