//! Games that go into files and come back.

use engine::BoardOptions;
use gtp::{Respond, Session, SessionOptions, parse_line};
use std::time::Instant;

type Konane = Session<konane::Position>;

fn options() -> SessionOptions {
    SessionOptions {
        simulations: Some(20),
        ..SessionOptions::default()
    }
}

fn ask(session: &mut impl Respond, line: &str) -> Result<String, String> {
    let command = parse_line(line.as_bytes()).expect("a command");
    session
        .respond(&command.expect("not a comment"), Instant::now())
        .result
}

fn told(session: &mut impl Respond, line: &str) -> String {
    ask(session, line).unwrap_or_else(|why| panic!("{line}: {why}"))
}

/// Plays a game, prints it into a file whose name has a space, and loads it into another session.
fn round_trip<S: Respond>(new: impl Fn() -> S, begin: &[&str]) {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("a game.sgf");
    let mut played = new();
    for line in begin {
        told(&mut played, line);
    }
    for _ in 0..5 {
        told(&mut played, "genmove");
    }
    told(&mut played, &format!("printsgf {}", file.display()));
    let mut loaded = new();
    told(&mut loaded, &format!("loadsgf {}", file.display()));
    for line in ["history", "showboard", "printsgf"] {
        assert_eq!(told(&mut loaded, line), told(&mut played, line));
    }
    told(&mut loaded, &format!("loadsgf {} 3", file.display()));
    let history = told(&mut played, "history");
    let first_two: Vec<&str> = history.split(' ').take(2).collect();
    assert_eq!(told(&mut loaded, "history"), first_two.join(" "));
    told(&mut loaded, "genmove");
    told(&mut loaded, "undo 3");
    assert!(ask(&mut loaded, "undo").is_err());
}

#[test]
fn games_of_havannah_are_printed_and_loaded() {
    let new = || {
        Session::<havannah::Position>::new(BoardOptions::default(), &options()).expect("a session")
    };
    round_trip(new, &["boardsize 4"]);
    round_trip(new, &["boardsize 4x4x5", "swap on", "playgame d4 swap"]);
    round_trip(
        new,
        &[
            "boardsize 5",
            "dialect row",
            "playgame i1 a1",
            "dialect grid",
        ],
    );
}

#[test]
fn games_of_konane_are_printed_and_loaded() {
    let new = || Konane::new(BoardOptions::default(), &options()).expect("a session");
    round_trip(new, &["boardsize 6 8", "setup centre"]);
    round_trip(new, &["boardsize 10 12", "opening any"]);
    round_trip(new, &["boardsize 5 5"]);
}

#[test]
fn a_file_that_cannot_be_loaded_changes_nothing() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut session = Konane::new(BoardOptions::default(), &options()).expect("a session");
    told(&mut session, "setup centre");
    told(&mut session, "genmove");
    let shown = |session: &mut Konane| {
        ["showboard", "history", "printsgf", "params"].map(|line| told(session, line))
    };
    let before = shown(&mut session);
    for (name, text) in [
        ("empty.sgf", ""),
        ("broken.sgf", "(;GM[konane]SZ[12];B[a1"),
        ("illegal.sgf", "(;GM[konane]SZ[12];B[a1];W[a9])"),
        ("other.sgf", "(;SZ[4];W[a1])"),
        ("huge.sgf", "(;GM[konane]SZ[1000])"),
    ] {
        let file = folder.path().join(name);
        std::fs::write(&file, text).expect("written");
        let answer = ask(&mut session, &format!("loadsgf {}", file.display()));
        let why = answer.expect_err(name);
        assert!(why.starts_with("cannot load "), "{why}");
        assert_eq!(shown(&mut session), before, "{name}");
    }
    assert!(ask(&mut session, "printsgf /no-such-folder/game.sgf").is_err());
}
