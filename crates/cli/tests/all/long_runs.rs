//! Long runs of the solver, interrupted in every way, through the real program.
#![cfg(unix)]

use serde_json::Value;
use std::fs;
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

const EARLY: &str = "b1 d2 a2 e4";

fn papamu(folder: &Path, line: &str) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_papamu"));
    command.current_dir(folder).args(line.split_whitespace());
    command
}

fn run(folder: &Path, line: &str, moves: &str) -> Output {
    let output = papamu(folder, line)
        .arg(format!("--moves={moves}"))
        .output();
    output.expect("the program runs")
}

fn json(output: &Output) -> Value {
    json_with(output, 0)
}

/// The exit code where a limit was reached before the value was known.
const NOT_SOLVED: i32 = 3;

fn json_with(output: &Output, code: i32) -> Value {
    let errors = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(code), "{errors}");
    serde_json::from_slice(&output.stdout).expect("an object")
}

/// What is written of a search whose limits may have been reached.
fn json_of_part(output: &Output) -> Value {
    let is_solved = output.status.success();
    json_with(output, if is_solved { 0 } else { NOT_SOLVED })
}

fn start(folder: &Path, line: &str) -> Child {
    let mut command = papamu(folder, line);
    let piped = command.stdout(Stdio::piped()).stderr(Stdio::piped());
    piped.spawn().expect("the program starts")
}

/// Waits for something that has to come.
fn wait_for(what: &str, mut there: impl FnMut() -> bool) {
    let started = Instant::now();
    while !there() {
        assert!(started.elapsed() < Duration::from_mins(5), "no {what}");
        sleep(Duration::from_millis(10));
    }
}

fn signal(child: &Child, name: &str) {
    let status = Command::new("kill")
        .args([name, &child.id().to_string()])
        .status();
    assert!(status.expect("kill runs").success());
}

/// The nodes that a checkpoint says were spent.
fn nodes_of(file: &Path) -> u64 {
    let Ok(file) = fs::File::open(file) else {
        return 0;
    };
    let mut lines = BufReader::new(file).lines().map_while(Result::ok);
    let second = lines.nth(1).unwrap_or_default();
    let nodes = second.split(' ').nth(1);
    nodes.and_then(|nodes| nodes.parse().ok()).unwrap_or(0)
}

#[test]
fn a_run_that_is_killed_is_gone_on_with() {
    let scratch = tempfile::tempdir().expect("a folder");
    let folder = scratch.path();
    let file = folder.join("d4.checkpoint");
    let line = "solve havannah --size 4 --moves d4 --resume d4.checkpoint --checkpoint-every 0.1";
    let mut before = 0;
    for _ in 0..3 {
        let mut child = start(folder, line);
        wait_for("checkpoint", || nodes_of(&file) > before);
        child.kill().expect("it is killed");
        child.wait().expect("it ends");
        // Whatever was being written, the last checkpoint is whole.
        before = nodes_of(&file);
        let known = run(
            folder,
            "solve havannah --size 4 --resume d4.checkpoint --time 0 --json",
            "d4",
        );
        let said = String::from_utf8_lossy(&known.stderr).into_owned();
        let known = json_with(&known, NOT_SOLVED);
        let resumed = format!(" positions, {before} nodes\n");
        assert!(
            said.starts_with("resumed: ") && said.contains(&resumed),
            "{said}"
        );
        assert!(known["nodes"].as_u64() >= Some(before), "{known}");
        assert_eq!(known["outcome"], "unknown");
    }
}

#[test]
fn short_runs_add_up_to_a_proof() {
    for (board, moves, nodes) in [
        ("havannah --size 4", EARLY, 2_000),
        ("konane --size 6 --setup centre", "", 50_000),
    ] {
        let scratch = tempfile::tempdir().expect("a folder");
        let folder = scratch.path();
        let line = format!(
            "solve {board} --resume early --checkpoint-every 1 --nodes {nodes} --json --certificate early.cert"
        );
        let whole = json(&run(folder, &format!("solve {board} --json"), moves));
        let mut runs = 0;
        let solved = loop {
            let solved = json_of_part(&run(folder, &line, moves));
            runs += 1;
            if solved["outcome"] != "unknown" {
                break solved;
            }
            assert!(!folder.join("early.cert").exists());
            assert_eq!(solved["stop"], "nodes");
            let spent = solved["nodes"].as_u64().expect("a number");
            assert!(spent <= runs * (nodes + 1), "{spent} nodes in {runs} runs");
            assert!(runs < 100, "{board} gets no further");
        };
        assert_eq!(solved["outcome"], whole["outcome"]);
        assert!(runs > 1, "{board} takes no more than {nodes} nodes");
        let written = fs::metadata(folder.join("early.cert")).expect("written");
        assert_eq!(solved["certificate"]["bytes"], written.len());
        let verified = papamu(folder, "verify early.cert --json").output();
        let claim = json(&verified.expect("the program runs"))["claim"].clone();
        let winner = whole["outcome"].as_str().expect("a winner");
        assert_eq!(claim, format!("{winner} wins"));
    }
}

#[test]
fn a_run_that_is_interrupted_tells_what_is_known() {
    for (name, code) in [("-INT", 130), ("-TERM", 143)] {
        let scratch = tempfile::tempdir().expect("a folder");
        let folder = scratch.path();
        let file = folder.join("d4.checkpoint");
        let child = start(
            folder,
            "solve havannah --size 4 --moves d4 --resume d4.checkpoint --json",
        );
        // The first is written when it begins.
        wait_for("checkpoint", || file.exists());
        signal(&child, name);
        let solved = json_with(&child.wait_with_output().expect("it ends"), code);
        assert_eq!(solved["outcome"], "unknown");
        assert_eq!(solved["nodes"].as_u64(), Some(nodes_of(&file)));
    }
}

/// The value that a search has found is told, whatever cannot be written of it; and no file is left that is cut
/// in the middle.
#[test]
fn what_cannot_be_written_hides_no_value() {
    // Its certificate takes 3 kB.
    const BOARD: &str = "havannah --size 3x4x4 --moves a1";
    let scratch = tempfile::tempdir().expect("a folder");
    let folder = scratch.path();
    // No file may be longer than a block of 512 or 1024 bytes, as on a full disk.
    let in_a_block = |options: &str| {
        let program = env!("CARGO_BIN_EXE_papamu");
        let limited =
            format!("trap '' XFSZ; ulimit -f 1; exec {program} solve {BOARD} {options} --json");
        let mut shell = Command::new("sh");
        let output = shell.current_dir(folder).args(["-c", &limited]).output();
        output.expect("the program runs")
    };
    let whole = papamu(folder, &format!("solve {BOARD} --json")).output();
    let whole = json(&whole.expect("the program runs"));
    for (options, left) in [
        ("--certificate x.cert", vec![]),
        // The empty one with which the search began.
        ("--resume x.checkpoint", vec!["x.checkpoint"]),
        ("--export x.sgf --export-work 1", vec!["x.checkpoint"]),
    ] {
        let output = in_a_block(options);
        let solved = json_with(&output, 1);
        assert_eq!(solved["outcome"], whole["outcome"]);
        let problem = solved["problem"].as_str().expect("a problem");
        let errors = String::from_utf8_lossy(&output.stderr);
        assert!(
            problem.contains("cannot write") && errors.contains(problem),
            "{errors}"
        );
        let mut files: Vec<_> = fs::read_dir(folder)
            .expect("a folder")
            .map(|entry| entry.expect("an entry").file_name())
            .collect();
        // The tree is written at once, to its own name.
        files.retain(|name| name != "x.sgf");
        files.sort();
        assert_eq!(files, left, "{options}");
    }
    // What can be known before the search begins is said then.
    for options in ["--certificate missing/x.cert", "--certificate ."] {
        let refused = run(folder, &format!("solve havannah --size 8 {options}"), "");
        let errors = String::from_utf8_lossy(&refused.stderr);
        assert_eq!(refused.status.code(), Some(2), "{errors}");
        assert!(errors.contains("cannot write"), "{errors}");
    }
}

#[test]
fn a_checkpoint_that_finds_no_room_stays_as_it_is() {
    let scratch = tempfile::tempdir().expect("a folder");
    let folder = scratch.path();
    let line = "solve havannah --size 4 --resume x.checkpoint --nodes 150000";
    run(folder, line, "d4");
    let file = folder.join("x.checkpoint");
    let bytes = fs::read(&file).expect("a checkpoint");
    let refused = run(folder, &format!("{line} --memory 1"), "d4");
    let errors = String::from_utf8_lossy(&refused.stderr);
    assert_eq!(refused.status.code(), Some(2), "{errors}");
    assert!(
        errors.contains("allow as much memory as when it was written"),
        "{errors}"
    );
    assert_eq!(fs::read(&file).expect("still there"), bytes);
}

/// The table of a full memory has room when a certificate is asked for later.
#[test]
fn a_certificate_can_be_asked_for_when_a_run_is_gone_on_with() {
    let folder = tempfile::tempdir().expect("a folder");
    let line = "solve havannah --size 4 --memory 2 --json --resume w.checkpoint --nodes";
    let first = json_with(
        &run(folder.path(), &format!("{line} 120000"), "c3"),
        NOT_SOLVED,
    );
    let then = format!("{line} 1000 --certificate c3.cert");
    let then = json_with(&run(folder.path(), &then, "c3"), NOT_SOLVED);
    assert!(then["nodes"].as_u64() > first["nodes"].as_u64());
}

#[test]
fn positions_are_read_before_the_first_is_solved() {
    let scratch = tempfile::tempdir().expect("a folder");
    let folder = scratch.path();
    fs::write(
        folder.join("list"),
        format!("# some\n{EARLY}\t1\nd4\nd4 d4\n"),
    )
    .expect("written");
    let refused = papamu(
        folder,
        "solve havannah --size 4 --positions list --nodes 20000",
    )
    .output();
    let refused = refused.expect("the program runs");
    let errors = String::from_utf8_lossy(&refused.stderr);
    assert_eq!(refused.status.code(), Some(2), "{errors}");
    assert!(
        refused.stdout.is_empty() && errors.contains("list, line 4"),
        "{errors}"
    );
    // What is not solved shows in the exit code.
    fs::write(folder.join("list"), format!("{EARLY}\nd4\n")).expect("written");
    let line = "solve havannah --size 4 --positions list --nodes 20000";
    let part = papamu(folder, line).output().expect("the program runs");
    let text = String::from_utf8_lossy(&part.stdout);
    assert_eq!(part.status.code(), Some(NOT_SOLVED), "{text}");
    assert!(text.contains("1 of 2 solved"), "{text}");
}

/// Several positions at once are told in the order of the file, also where there are more threads than positions.
#[test]
fn positions_are_solved_side_by_side() {
    let scratch = tempfile::tempdir().expect("a folder");
    let folder = scratch.path();
    let solved = |game: &str, list: &str, threads: u32| -> Vec<[String; 2]> {
        fs::write(folder.join("list"), list).expect("written");
        let line = format!("solve {game} --positions list --threads {threads} --json");
        let out = papamu(folder, &line).output().expect("the program runs");
        let errors = String::from_utf8_lossy(&out.stderr);
        assert_eq!(out.status.code(), Some(0), "{errors}");
        let text = String::from_utf8(out.stdout).expect("text");
        let lines: Vec<Value> = text
            .lines()
            .map(|line| serde_json::from_str(line).expect("JSON"))
            .collect();
        let (summary, lines) = lines.split_last().expect("a summary");
        assert_eq!(summary["solved"], lines.len());
        let text = |value: &Value| value.as_str().expect("a text").to_owned();
        let told = |line: &Value| [text(&line["moves"]), text(&line["outcome"])];
        lines.iter().map(told).collect()
    };
    let list = format!("{EARLY}\n{EARLY} b2\na1 d4 a2 e4 a3 d5\n{EARLY} d4 c3\n");
    let alone = solved("havannah --size 4", &list, 1);
    for threads in 2..5 {
        assert_eq!(solved("havannah --size 4", &list, threads), alone);
    }
    let one = solved("havannah --size 4", &format!("{EARLY}\n"), 3);
    assert_eq!(one, alone[..1]);
    assert_eq!(solved("havannah --size 4", "# none\n", 2), alone[..0]);
    let list = "c3\nb2\n";
    let setup = "konane --size 4";
    assert_eq!(solved(setup, list, 2), solved(setup, list, 1));
    // These have several turns each.
    let list = "d2-d4\nf4-d4\nd6-d4\n";
    let setup = "konane --rows 6 --cols 6 --setup centre";
    assert_eq!(solved(setup, list, 2), solved(setup, list, 1));
}

#[test]
fn a_damaged_checkpoint_is_refused() {
    let scratch = tempfile::tempdir().expect("a folder");
    let folder = scratch.path();
    let line = "solve havannah --size 4 --resume early --json";
    let solved = json(&run(folder, line, EARLY));
    assert_eq!(solved["outcome"], "white");
    let file = folder.join("early");
    let mut bytes = fs::read(&file).expect("a checkpoint");
    let middle = bytes.len() / 2;
    bytes[middle] ^= 1;
    fs::write(&file, &bytes).expect("written");
    let refused = run(folder, line, EARLY);
    let errors = String::from_utf8_lossy(&refused.stderr).into_owned();
    assert_eq!(refused.status.code(), Some(2), "{errors}");
    assert!(errors.contains("checksum is wrong"), "{errors}");
    // Nor is it overwritten.
    assert_eq!(fs::read(&file).expect("still there"), bytes);
    let of_another_board = ("3 havannah 5", "of havannah 5, not of havannah 4");
    let of_an_earlier_version = ("2 havannah 4", "another version of papamu, in format 2");
    for (says, reason) in [of_another_board, of_an_earlier_version] {
        let text = format!("papamu checkpoint {says}\n0 0 0\n");
        fs::write(&file, &text).expect("written");
        let refused = run(folder, line, EARLY);
        let errors = String::from_utf8_lossy(&refused.stderr).into_owned();
        assert_eq!(refused.status.code(), Some(2), "{errors}");
        assert!(errors.contains(reason), "{errors}");
        assert_eq!(fs::read_to_string(&file).expect("still there"), text);
    }
}

/// The largest memory that the process ever had beyond what lies there of the program's own file, in MiB, as Linux tells.
fn peak(child: &Child) -> Option<f64> {
    let status = fs::read_to_string(format!("/proc/{}/status", child.id())).ok()?;
    let mebibytes = |name| {
        let line = status.lines().find(|line| line.starts_with(name))?;
        let kib: f64 = line.split_whitespace().nth(1)?.parse().ok()?;
        Some(kib / 1024.0)
    };
    Some(mebibytes("VmHWM:")? - mebibytes("RssFile:")?)
}

/// A checkpoint of size 4 with so many entries, of which nothing is known: a search that lasts minutes
/// would leave one.
fn filled_checkpoint(entries: u64) -> Vec<u8> {
    let mut bytes = format!("papamu checkpoint 3 havannah 4\n{entries} 0 0\n").into_bytes();
    let mut sum = 0_u64;
    // Both numbers are 1, and one node is behind the entry.
    let unknown = 1_u64 | 1 << 25 | 1 << 53;
    for key in 0..entries {
        for number in [key, unknown] {
            sum = game::random::mix(sum.rotate_left(1) ^ number);
            bytes.extend(number.to_le_bytes());
        }
    }
    bytes.extend(sum.to_le_bytes());
    bytes
}

#[test]
fn the_memory_limit_is_kept() {
    const LIMIT: f64 = 200.0;
    let scratch = tempfile::tempdir().expect("a folder");
    let folder = scratch.path();
    if !Path::new("/proc/self/status").exists() {
        eprintln!("skipped: this system does not tell how much memory a process has");
        return;
    }
    // So many that the table grows to its limit.
    let file = folder.join("four");
    fs::write(&file, filled_checkpoint(2_400_000)).expect("written");
    let mut child = start(
        folder,
        "solve havannah --size 4 --moves d4 --memory 200 --resume four --checkpoint-every 0.5",
    );
    // It has searched, and written a checkpoint.
    wait_for("checkpoint", || nodes_of(&file) > 0);
    let peak = peak(&child).expect("the memory");
    child.kill().expect("it is killed");
    child.wait().expect("it ends");
    // Stacks and what the program reads take a few MiB beside the table.
    assert!(
        peak > 0.9 * LIMIT && peak < 1.02 * LIMIT + 4.0,
        "{peak} MiB"
    );
}

#[test]
fn all_openings_have_certificates() {
    let scratch = tempfile::tempdir().expect("a folder");
    let folder = scratch.path();
    let line = "solve havannah --size 3 --all-openings --threads 2 --certificate proofs --json";
    let output = papamu(folder, line).output().expect("the program runs");
    assert!(output.status.success());
    let text = String::from_utf8(output.stdout).expect("text");
    let mut values: Vec<String> = Vec::new();
    for line in text.lines() {
        let opening: Value = serde_json::from_str(line).expect("an object");
        assert_eq!(opening["certificate"]["valid"], true, "{line}");
        let name = |key: &str| opening[key].as_str().expect("text").to_owned();
        values.push(format!("{} {}", name("moves"), name("outcome")));
    }
    values.sort();
    assert_eq!(values, ["a1 white", "a2 black", "b2 black", "c3 black"]);
    // What is proven already is not solved again, unless its certificate is damaged.
    let damaged = folder.join("proofs/b2.cert");
    let mut bytes = fs::read(&damaged).expect("a certificate");
    bytes.pop();
    fs::write(&damaged, bytes).expect("written");
    let output = papamu(folder, line).output().expect("the program runs");
    let text = String::from_utf8(output.stdout).expect("text");
    let solved = text.lines().filter(|line| !line.contains("\"nodes\":0,"));
    assert_eq!(solved.count(), 1, "{text}");
}

/// A certificate in the folder shows something of the same question, or nothing is taken from it.
#[test]
fn certificates_of_other_questions_are_not_taken() {
    let scratch = tempfile::tempdir().expect("a folder");
    let folder = scratch.path();
    let outcomes = |board: &str, certificates: &str| {
        let line = format!("solve havannah {board} --all-openings {certificates} --json");
        let output = papamu(folder, &line).output().expect("the program runs");
        let lines = String::from_utf8(output.stdout).expect("text");
        let opening = |line: &str| {
            let opening: Value = serde_json::from_str(line).expect("an object");
            format!("{} {}", opening["moves"], opening["outcome"])
        };
        let mut all: Vec<String> = lines.lines().map(opening).collect();
        all.sort();
        (output.status.code(), all)
    };
    for board in [
        "--size 3",
        "--size 2x3x3",
        "--size 3x2x3",
        "--size 2",
        "--size 3",
    ] {
        let alone = outcomes(board, "");
        assert!(!alone.1.is_empty());
        assert_eq!(outcomes(board, "--certificate p"), alone, "{board}");
    }
    let with_swap = outcomes("--size 3 --swap", "");
    assert_ne!(with_swap, outcomes("--size 3", ""));
    assert_eq!(
        outcomes("--size 3 --swap", "--certificate p"),
        (Some(2), Vec::new())
    );
}

#[test]
fn a_certificate_that_was_cut_is_gone_on_with() {
    let scratch = tempfile::tempdir().expect("a folder");
    let folder = scratch.path();
    let line = "solve havannah --size 4 --certificate early.cert";
    assert!(run(folder, line, EARLY).status.success());
    let file = folder.join("early.cert");
    let whole = fs::read(&file).expect("a certificate");
    fs::remove_file(&file).expect("removed");
    // What is kept while the moves are found: the lines of the certificate, and four bytes for each move.
    let lines = whole
        .windows(2)
        .position(|two| two == b"\n\n")
        .expect("lines")
        + 2;
    let title = [b"unfinished ", &whole[..lines]].concat();
    let cut = [&title[..], &[0, 0]].concat();
    fs::write(folder.join("early.cert.partial"), cut).expect("written");
    assert!(run(folder, line, EARLY).status.success());
    assert_eq!(fs::read(&file).expect("a certificate"), whole);
    // One of something else is not, which is known before the search begins.
    let partial = folder.join("early.cert.partial");
    fs::write(&partial, "unfinished papamu certificate 4\ngame chess").expect("written");
    let refused = run(folder, line, EARLY);
    assert_eq!(refused.status.code(), Some(2));
    assert!(refused.stdout.is_empty());
    // One that is damaged is written anew.
    let damaged = [&title[..], &[0, 0x77, 0, 0]].concat();
    fs::write(&partial, damaged).expect("written");
    assert!(run(folder, line, EARLY).status.success());
    assert_eq!(fs::read(&file).expect("a certificate"), whole);
    assert!(!partial.exists());
}

#[test]
fn a_tree_that_was_written_is_a_guide() {
    let scratch = tempfile::tempdir().expect("a folder");
    let folder = scratch.path();
    let line = "solve havannah --size 4 --export tree.sgf --export-work 100";
    assert!(run(folder, line, EARLY).status.success());
    let tree = fs::read_to_string(folder.join("tree.sgf")).expect("a tree");
    assert!(tree.contains("outcome:1"), "{tree}");
    let replayed = papamu(folder, "replay tree.sgf --json").output();
    assert_eq!(
        json(&replayed.expect("the program runs"))["error"],
        Value::Null
    );
    let guided = run(folder, "solve havannah --size 4 --guide tree.sgf", EARLY);
    let text = String::from_utf8(guided.stdout).expect("text");
    assert!(text.contains("outcomes as claimed, 0 not"), "{text}");
    // A false claim is found.
    let last = tree.rfind("outcome:1").expect("a claim");
    let mut lie = tree.clone();
    lie.replace_range(last..last + 9, "outcome:2");
    fs::write(folder.join("lie.sgf"), lie).expect("written");
    let guided = run(folder, "solve havannah --size 4 --guide lie.sgf", EARLY);
    let text = String::from_utf8(guided.stdout).expect("text");
    assert!(
        text.contains("the tree says black wins, but white wins"),
        "{text}"
    );
    // A cut at more work is smaller.
    let line = "solve havannah --size 4 --export short.sgf --export-work 2000";
    assert!(run(folder, line, EARLY).status.success());
    let short = fs::read_to_string(folder.join("short.sgf")).expect("a tree");
    assert!(short.len() < tree.len());
    let refused = run(folder, "solve havannah --size 5 --guide tree.sgf", "a1");
    assert_eq!(refused.status.code(), Some(2));
}

/// The proof tree of size 4 from 2012, below one of its positions.
#[test]
fn the_published_proof_is_a_guide() {
    let given = std::env::var_os("PAPAMU_DATA").map(PathBuf::from);
    let beside = PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/../../../shared/data"));
    let file = given.unwrap_or(beside).join("havannah/size4-proof-1e8.hgf");
    if !file.exists() {
        eprintln!("skipped: {} is absent", file.display());
        return;
    }
    let line = format!("solve havannah --size 4 --guide {}", file.display());
    let guided = run(Path::new("."), &line, "a1 a4 d2 b1");
    let text = String::from_utf8(guided.stdout).expect("text");
    assert!(
        text.starts_with("guide: 2 positions, 2 solved, 2 outcomes as claimed, 0 not"),
        "{text}"
    );
    assert!(text.contains("white wins"), "{text}");
}
