//! What a container needs of the program: signals end it, also where it is the first process.
#![cfg(unix)]

use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Child, ChildStdin, ChildStdout, Command, ExitStatus, Stdio};

/// A program whose output has begun, its first line, and its streams, which stay open.
fn begun(command: &mut Command) -> (Child, String, (ChildStdin, BufReader<ChildStdout>)) {
    command.stdin(Stdio::piped()).stdout(Stdio::piped());
    let mut process = command.spawn().expect("the program");
    let input = process.stdin.take().expect("its input");
    let mut output = BufReader::new(process.stdout.take().expect("its output"));
    let mut line = String::new();
    output.read_line(&mut line).expect("a line");
    (process, line, (input, output))
}

fn signal(name: &str, process: &str) {
    let status = Command::new("kill").args([name, process]).status();
    assert!(status.expect("kill runs").success());
}

fn serve(before: &[&str], folder: &Path) -> Command {
    let mut words = before.to_vec();
    words.extend([env!("CARGO_BIN_EXE_papamu"), "serve", "--port", "0"]);
    words.extend(["--games", "g.db", "--store", "s.db"]);
    words.extend(["--worker-token-file", "token.txt"]);
    let mut command = Command::new(words[0]);
    command.args(&words[1..]).current_dir(folder);
    std::fs::write(folder.join("token.txt"), "a-token-of-the-tests").expect("written");
    command
}

/// Runs a program as the first process of a space of process numbers of its own.
const FIRST: [&str; 6] = [
    "unshare",
    "--user",
    "--map-root-user",
    "--pid",
    "--fork",
    "--kill-child",
];

/// Whether this system lets a user do so.
fn can_be_first() -> bool {
    let tried = Command::new(FIRST[0])
        .args(&FIRST[1..])
        .arg("true")
        .output();
    let can = tried.is_ok_and(|output| output.status.success());
    if !can {
        eprintln!("skipped: no process can be the first one here");
    }
    can
}

/// Sends a signal to what `unshare` has started, and gives the status with which it ends.
fn end_the_first(mut process: Child, name: &str) -> ExitStatus {
    let parent = process.id();
    let children = std::fs::read_to_string(format!("/proc/{parent}/task/{parent}/children"));
    signal(name, children.expect("the children").trim());
    process.wait().expect("its end")
}

#[test]
fn a_signal_ends_a_server() {
    let folder = tempfile::tempdir().expect("a folder");
    for name in ["-INT", "-TERM"] {
        let (mut process, address, _streams) = begun(&mut serve(&[], folder.path()));
        assert!(address.contains("http://127.0.0.1:"), "{address}");
        signal(name, &process.id().to_string());
        let status = process.wait().expect("its end");
        assert!(status.success(), "{name}: {status}");
    }
}

#[test]
fn a_signal_ends_the_first_process() {
    if !can_be_first() {
        return;
    }
    let folder = tempfile::tempdir().expect("a folder");
    let (process, _, _streams) = begun(&mut serve(&FIRST, folder.path()));
    assert!(end_the_first(process, "-TERM").success());
    // One that waits for no signal ends as any process does.
    for (name, code) in [("-INT", 130), ("-TERM", 143)] {
        let mut command = Command::new(FIRST[0]);
        command.args(&FIRST[1..]);
        command.args([
            env!("CARGO_BIN_EXE_papamu"),
            "play",
            "havannah",
            "--size",
            "3",
        ]);
        let (process, _, _streams) = begun(&mut command);
        assert_eq!(end_the_first(process, name).code(), Some(code), "{name}");
    }
}
