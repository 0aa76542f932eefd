//! Learning from games that others have played.

use crate::loops::{options, run, run_plan};
use learn::{Ended, LearnError, Written, status};
use std::fs;
use std::path::Path;

const PLAN: &str = r#"
game = "havannah"
sizes = [4]
seed = 1
generations = 2
network.layers = 1

[records]
folder = "games"

[training]
window = 2
epochs = 20.0
batch = 8
rate = 0.01
average = 0.0
symmetries = true
held-out = 0.0
"#;

/// Some games of size 4: one won by a structure, one given up behind a swap, and what nothing can be learned from.
fn games(folder: &Path) {
    let games = folder.join("games");
    fs::create_dir(&games).expect("a folder");
    let write = |name: &str, text: &str| fs::write(games.join(name), text).expect("written");
    write(
        "won.sgf",
        "(;GM[havannah]SZ[4];W[a1];B[d4];W[a2];B[d5];W[a3];B[e4];W[a4])",
    );
    write(
        "given-up.sgf",
        "(;GM[havannah]SZ[4];W[b2];B[swap];W[d4];B[c3];W[resign])",
    );
    write("open.sgf", "(;GM[havannah]SZ[4];W[b2];B[d4])");
    write(
        "other-size.sgf",
        "(;GM[havannah]SZ[5];W[b2];B[d4];W[resign])",
    );
    write("faulty.sgf", "(;GM[havannah]SZ[4];W[b2];B[b2];W[resign])");
}

#[test]
fn what_others_have_played_is_learned() {
    let folder = tempfile::tempdir().expect("a folder");
    games(folder.path());
    let of_run = folder.path().join("run");
    let options = learn::Options {
        beside: folder.path().to_owned(),
        ..options(&of_run, 1)
    };
    assert_eq!(
        run_plan(PLAN, &options, |_| false).expect("run"),
        Ended::Done
    );
    let rows = status(&of_run).expect("a journal");
    let played = |row: usize| rows[row].played.clone().expect("games");
    assert_eq!(played(0).games, 2);
    assert_eq!(played(0).resigned, 1);
    // a1 to a4 is White's bridge; White has exchanged colours and given up, so that the first side has won there too.
    assert!((played(0).white_points - 2.0).abs() < 1e-9);
    assert_eq!(played(0).searched, 6 + 2);
    assert_eq!(played(1).games, 0);
    let trained = |row: usize| rows[row].trained.clone().expect("weights");
    assert!(trained(1).learned.moves() < trained(0).learned.moves());
    // Nothing is read again.
    fs::remove_dir_all(folder.path().join("games")).expect("removed");
    assert_eq!(
        run_plan(PLAN, &options, |_| false).expect("run"),
        Ended::Done
    );
}

/// A network of another depth learns from the games of a run, which have the choices of searches too.
#[test]
fn the_games_of_another_run_are_learned() {
    let folder = tempfile::tempdir().expect("a folder");
    let teacher = folder.path().join("teacher");
    assert_eq!(
        run(&options(&teacher, 1), |_| false).expect("run"),
        Ended::Done
    );
    let by_teacher = status(&teacher).expect("a journal");
    let played = by_teacher.iter().filter_map(|row| row.played.as_ref());
    let (games, searched) = played.fold((0, 0), |(games, searched), played| {
        (games + played.games, searched + played.searched)
    });
    let plan = PLAN
        .replace("\"games\"", "\"teacher/games\"")
        .replace("layers = 1", "layers = 2")
        .replace("[4]", "[3, 4]");
    let student = folder.path().join("student");
    let student = learn::Options {
        beside: folder.path().to_owned(),
        ..options(&student, 1)
    };
    assert_eq!(
        run_plan(&plan, &student, |_| false).expect("run"),
        Ended::Done
    );
    let rows = status(&student.folder).expect("a journal");
    let played = rows[0].played.clone().expect("games");
    assert_eq!((played.games, played.searched), (games, searched));
    let trained = |row: usize| rows[row].trained.clone().expect("weights");
    assert!(trained(1).learned.moves() < trained(0).learned.moves());
    let damaged = folder.path().join("teacher/games/00001.games");
    fs::write(&damaged, "papamu pairs 1\n").expect("written");
    let other = learn::Options {
        folder: folder.path().join("other"),
        ..student
    };
    let why = run_plan(&plan, &other, |_| false).expect_err("refused");
    assert!(why.to_string().contains("00001.games: "), "{why}");
}

#[test]
fn what_cannot_be_read_is_named() {
    let folder = tempfile::tempdir().expect("a folder");
    let options = learn::Options {
        beside: folder.path().to_owned(),
        ..options(&folder.path().join("run"), 1)
    };
    let fault = || {
        let why = run_plan(PLAN, &options, |_| false).expect_err("refused");
        why.to_string()
    };
    assert!(fault().contains("games: "), "{}", fault());
    fs::create_dir(folder.path().join("games")).expect("a folder");
    let nothing = run_plan(PLAN, &options, |_| false).expect_err("refused");
    assert!(matches!(nothing, LearnError::NoGames(_)), "{nothing}");
    fs::write(folder.path().join("games/bad.sgf"), "(;GM[havannah]SZ[99])").expect("written");
    assert!(fault().contains("bad.sgf: "), "{}", fault());
}

#[test]
fn plans_with_records_have_no_games_of_their_own() {
    let fault = |text: &str| Written::read(text).expect_err("refused").to_string();
    assert!(Written::read(PLAN).is_ok());
    let without = PLAN.replace("[records]\nfolder = \"games\"", "");
    assert!(fault(&without).contains("no games to learn from"));
    let matched = format!("{PLAN}[match]\ngames = 2\nsimulations = 9\npromotion.score = 0.5\n");
    assert!(fault(&matched).contains("no [self-play] and no [match]"));
    assert!(fault(&PLAN.replace("window = 2", "window = 1")).contains("window must be at least"));
    let konane = PLAN
        .replace("havannah", "konane")
        .replace("network.layers = 1", "");
    assert!(fault(&konane).contains("records: are for havannah"));
}
