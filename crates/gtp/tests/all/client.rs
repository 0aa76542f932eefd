//! The client against small shell scripts that answer well, badly, or not at all.
#![cfg(unix)]

use gtp::{Client, ClientError};
use std::process::Command;
use std::time::Duration;

/// For what is expected to happen.
const LONG: Duration = Duration::from_mins(5);
/// For what is expected not to.
const SHORT: Duration = Duration::from_millis(50);

fn shell(script: &str) -> Client {
    Client::start(Command::new("sh").args(["-c", script])).expect("a shell")
}

/// A program that answers each command with the command itself, in a line below `heard`.
const ECHO: &str = r#"
    while read -r id command; do
        case $command in
            no*) printf '?%s unacceptable\n\n' "$id" ;;
            quit) printf '=%s \n\n' "$id"; exit 3 ;;
            *) printf '\n=%s heard\r\n%s\n\n' "$id" "$command" ;;
        esac
    done
"#;

#[test]
fn a_conversation() {
    let mut client = shell(ECHO);
    for command in ["name", "genmove white 2"] {
        let answer = client.send(command, LONG).expect("an answer");
        assert_eq!(answer, format!("heard\n{command}"));
    }
    let refused = client.send("nonsense", LONG).expect_err("a refusal");
    assert!(matches!(&refused, ClientError::Refused(why) if why == "unacceptable"));
    // A refusal does not end it.
    client.send("name", LONG).expect("an answer");
    let status = client.quit(LONG).expect("an end");
    assert_eq!(status.code(), Some(3));
}

/// As a terminal does, the program interrupts all of its group: this test goes on.
#[test]
fn an_interruption_is_not_shared() {
    let mut client = shell(&format!("trap '' INT; kill -INT 0; {ECHO}"));
    client.send("name", LONG).expect("an answer");
}

#[test]
fn what_is_not_a_command_is_not_sent() {
    let mut client = shell(ECHO);
    let long = "a".repeat(1 << 20);
    for bad in [
        "",
        "  ",
        "name\nname",
        "name\r",
        "# name",
        "name # x",
        "7 name",
        "7",
        &long,
    ] {
        let error = client.send(bad, LONG).expect_err("an error");
        assert!(matches!(error, ClientError::NotACommand(_)), "{error}");
    }
    assert_eq!(client.send("name", LONG).expect("an answer"), "heard\nname");
}

#[test]
fn a_program_that_is_not_there() {
    let error = Client::start(&mut Command::new("/nonexistent/engine")).expect_err("an error");
    assert!(
        error
            .to_string()
            .starts_with("cannot start /nonexistent/engine: ")
    );
}

#[test]
fn no_answer_in_time_ends_the_conversation() {
    let mut client = shell("read -r line; exec sleep 1000");
    let error = client.send("genmove white", SHORT).expect_err("an error");
    assert!(
        matches!(error, ClientError::Timeout(time) if time == SHORT),
        "{error}"
    );
    let error = client.send("name", LONG).expect_err("an error");
    assert!(matches!(error, ClientError::Closed), "{error}");
}

#[test]
fn a_program_that_does_not_read_is_met_with_the_same_patience() {
    let mut client = shell("exec sleep 1000");
    let long = format!("name {}", "x".repeat(60_000));
    let mut last = client.send(&long, SHORT);
    assert!(matches!(last, Err(ClientError::Timeout(_))), "{last:?}");
    last = client.send(&long, SHORT);
    assert!(matches!(last, Err(ClientError::Closed)), "{last:?}");
}

#[test]
fn the_status_of_a_program_that_ends_is_told() {
    let mut client = shell("read -r line; exit 7");
    let error = client.send("name", LONG).expect_err("an error");
    let ClientError::Exited(Some(status)) = error else {
        panic!("{error}");
    };
    assert_eq!(status.code(), Some(7));
    // In the middle of a response.
    let mut client = shell(r"read -r line; printf '=1 half\n'; exit 0");
    let error = client.send("name", LONG).expect_err("an error");
    assert!(matches!(error, ClientError::Exited(Some(_))), "{error}");
    // Before it was asked.
    let mut client = shell("exit 1");
    let error = client.send("name", LONG).expect_err("an error");
    assert!(matches!(error, ClientError::Exited(Some(_))), "{error}");
}

#[test]
fn a_program_that_closes_its_output_has_no_status() {
    let mut client = shell("read -r line; exec sleep 1000 >&-");
    let error = client.send("name", LONG).expect_err("an error");
    assert!(matches!(error, ClientError::Exited(None)), "{error}");
}

#[test]
fn what_is_no_response_is_garbage() {
    let garbage = |script| {
        let mut client = shell(script);
        match client.send("name", LONG) {
            Err(ClientError::Garbage(text)) => text,
            other => panic!("{other:?}"),
        }
    };
    assert_eq!(garbage("echo Welcome!; exec sleep 1000"), "Welcome!");
    assert_eq!(garbage("cat"), "1 name");
    assert_eq!(
        garbage(r"printf '\377\376é\n'; exec sleep 1000"),
        "\u{fffd}\u{fffd}é"
    );
    // The answer to another command, or to none.
    assert_eq!(garbage(r"printf '=2 name\n\n'; exec sleep 1000"), "=2 name");
    assert_eq!(garbage(r"printf '= name\n\n'; exec sleep 1000"), "= name");
    assert_eq!(garbage(r"printf '? \n\n'; exec sleep 1000"), "? ");
}

#[test]
fn a_response_without_end_is_cut_off() {
    for script in [
        "printf '=1 '; exec yes",
        "printf '=1 '; exec tr '\\0' x </dev/zero",
    ] {
        let mut client = shell(script);
        let error = client.send("name", LONG).expect_err("an error");
        assert!(matches!(error, ClientError::TooLong), "{error}");
    }
}

/// A wrapper script that waits for its engine, which hangs: both end, however the conversation does.
#[test]
fn what_a_program_has_started_ends_with_it() {
    let folder = tempfile::tempdir().expect("a folder");
    let wrapper = |then: &str| {
        let file = folder.path().join("engine");
        // It would live for longer than anybody waits.
        let script = format!("sleep 1000 & echo $! >{}; {then}", file.display());
        let mut client = shell(&script);
        let deadline = std::time::Instant::now() + LONG;
        let engine = loop {
            let engine = std::fs::read_to_string(&file).unwrap_or_default();
            if engine.ends_with('\n') {
                break engine;
            }
            assert!(std::time::Instant::now() < deadline, "no engine");
            std::thread::sleep(Duration::from_millis(2));
        };
        let error = client
            .send("name", LONG.min(SHORT * 10))
            .expect_err("an error");
        std::fs::remove_file(file).expect("removed");
        (client, error, engine.trim().to_owned())
    };
    let is_alive = |process: &str| {
        let stat = std::fs::read_to_string(format!("/proc/{process}/stat")).unwrap_or_default();
        stat.rsplit_once(") ")
            .is_some_and(|(_, state)| !state.starts_with(['Z', 'X']))
    };
    let ends = |process: &str| {
        let deadline = std::time::Instant::now() + LONG;
        while is_alive(process) && std::time::Instant::now() < deadline {
            std::thread::sleep(Duration::from_millis(2));
        }
        assert!(!is_alive(process), "it has outlived its wrapper");
    };
    let (_client, error, engine) = wrapper("wait");
    assert!(matches!(error, ClientError::Timeout(_)), "{error}");
    ends(&engine);
    // The wrapper has ended, its engine holds the pipes open.
    let (client, error, engine) = wrapper("read -r line; exit 3");
    assert!(matches!(error, ClientError::Timeout(_)), "{error}");
    drop(client);
    ends(&engine);
}

#[test]
fn its_last_words_are_kept() {
    let mut client = shell("for i in 1 2 3 4 5 6 7 8 9; do echo line $i >&2; done; exit 127");
    let error = client.send("name", LONG).expect_err("an error");
    assert!(matches!(error, ClientError::Exited(Some(_))), "{error}");
    let words = client.last_words();
    assert!(
        words.starts_with("line 2\n") && words.ends_with("\nline 9"),
        "{words:?}"
    );
    let (told, lines) = std::sync::mpsc::channel();
    let mut script = Command::new("sh");
    script.args(["-c", "echo one >&2; echo >&2; printf two >&2"]);
    let log = move |line: &str| told.send(line.to_owned()).expect("listened to");
    let _client = Client::start_logged(&mut script, log).expect("a shell");
    assert_eq!(lines.iter().collect::<Vec<_>>(), ["one", "two"]);
}

#[test]
fn a_program_that_does_not_quit_is_killed() {
    let client = shell(r"read -r line; printf '=1 \n\n'; exec sleep 1000");
    let error = client.quit(SHORT).expect_err("an error");
    assert!(matches!(error, ClientError::Timeout(_)), "{error}");
    let client = shell("read -r line; exit 4");
    let status = client.quit(LONG).expect("an end");
    assert_eq!(status.code(), Some(4));
}
