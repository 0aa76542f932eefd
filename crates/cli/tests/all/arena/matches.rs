//! Matches from the command line, what their reports say to programs, and what ends them.

use super::support::{json, papamu, text};
use serde_json::Value;
use std::path::Path;

fn place(folder: &Path) -> String {
    folder.join("a.db").display().to_string()
}

/// A match of forty games that takes no time.
const SHORT: [&str; 9] = [
    "match",
    "strong@rave",
    "random",
    "--size",
    "3",
    "--games",
    "40",
    "--simulations",
    "20",
];

fn with<'a>(more: &[&'a str], place: &'a str) -> Vec<&'a str> {
    [more, &["--store", place]].concat()
}

#[test]
fn a_match_needs_no_file() {
    let folder = tempfile::tempdir().expect("a folder");
    let place = place(folder.path());
    let played = text(&with(&SHORT, &place));
    assert!(
        played.starts_with("strong against random: 40 games: "),
        "{played}"
    );
    for word in [" % [", ", Elo +", ", normalised Elo +"] {
        assert!(played.contains(word), "{word}: {played}");
    }
    // The same command has nothing to do; more games are added.
    assert_eq!(text(&with(&SHORT, &place)), played);
    let more: Vec<&str> = SHORT
        .iter()
        .map(|word| if *word == "40" { "44" } else { word })
        .collect();
    assert!(text(&with(&more, &place)).contains(": 44 games: "));
    // The file that it prints is the same experiment.
    let file = folder.path().join("match.toml").display().to_string();
    std::fs::write(
        &file,
        text(&with(&[&SHORT[..], &["--print"]].concat(), &place)),
    )
    .expect("written");
    let run = text(&with(&["run", &file], &place));
    assert!(run.contains(": 44 games: "), "{run}");
    let shown = json(&with(&["status", "--json"], &place)).remove(0);
    assert_eq!(shown["name"], "strong-vs-random");
}

#[test]
fn players_have_the_names_of_today() {
    let folder = tempfile::tempdir().expect("a folder");
    let place = place(folder.path());
    let command = [
        "match",
        "dabs:depth=1",
        "random",
        "--game",
        "konane",
        "--size",
        "4",
        "--games",
        "2",
    ];
    let played = text(&with(&command, &place));
    assert!(
        played.starts_with("shokry-dabs:depth=1 against random: 2 games: "),
        "{played}"
    );
    // An experiment with the name of before is another one to the store, and its records have the name of today.
    let file = folder.path().join("before.toml").display().to_string();
    let printed = text(&with(&[&command[..], &["--print"]].concat(), &place));
    let before = printed
        .replace("player = \"shokry-dabs\"", "player = \"dabs\"")
        .replace("shokry-dabs-depth-1-vs-random", "before");
    assert_ne!(before, printed);
    std::fs::write(&file, before).expect("written");
    let run = text(&with(&["run", &file], &place));
    assert!(run.contains(": 2 games: "), "{run}");
}

#[test]
fn reports_have_numbers_for_programs() {
    let folder = tempfile::tempdir().expect("a folder");
    let place = place(folder.path());
    let long = SHORT.map(|word| if word == "40" { "400" } else { word });
    text(&with(&[&long[..], &["--sprt", "0,400"]].concat(), &place));
    let point = &json(&with(&["status", "--json"], &place)).remove(0)["points"][0];
    let number = |value: &Value| {
        value
            .as_f64()
            .unwrap_or_else(|| panic!("no number: {point}"))
    };
    let games = number(&point["wins"]) + number(&point["draws"]) + number(&point["losses"]);
    let pairs: f64 = point["pairs"]
        .as_array()
        .expect("pairs")
        .iter()
        .map(number)
        .sum();
    assert!(games >= 2.0 * pairs && pairs > 0.0, "{point}");
    let test = &point["test"];
    assert_eq!(test["verdict"], "accepted");
    // ln(0.95 / 0.05).
    assert!((number(&test["upper"]) - 2.944).abs() < 0.001, "{test}");
    assert!((number(&test["lower"]) + 2.944).abs() < 0.001, "{test}");
    assert!(number(&test["llr"]) >= 2.944, "{test}");
    let score = &point["score"];
    assert!(number(&score["low"]) < number(&score["value"]), "{point}");

    let report = json(&with(&["report", "--format", "json"], &place)).remove(0);
    let items = report["items"].as_array().expect("items");
    let table = items
        .iter()
        .find(|item| item["title"] == "All points")
        .expect("the points");
    let column = |title: &str| {
        let columns = table["columns"].as_array().expect("columns");
        let place = columns.iter().position(|column| {
            column["title"]
                .as_str()
                .is_some_and(|found| found.starts_with(title))
        });
        &table["rows"][0][place.expect(title)]
    };
    assert_eq!(column("Games").as_f64(), Some(games));
    assert_eq!(column("Pairs"), &point["pairs"]);
    assert_eq!(column("LLR")["value"], test["llr"]);
    assert_eq!(column("LLR")["low"], test["lower"]);
    let percent = number(&column("Score")["value"]) - 100.0 * number(&score["value"]);
    assert!(percent.abs() < 1e-9, "{table}");
    assert!(column("Elo")["low"].is_number(), "{table}");

    let csv = text(&with(&["report", "--format", "csv"], &place));
    for column in ["Pairs with 0", "LLR", "Score %", "Won / drawn / lost"] {
        assert!(csv.contains(column), "{column}: {csv}");
    }
    // People read them while it is played, too.
    let status = text(&with(&["status"], &place));
    assert!(
        status.contains("LLR ") && status.contains("[-2.94, 2.94] accepted"),
        "{status}"
    );
}

#[test]
fn all_games_are_exported() {
    let folder = tempfile::tempdir().expect("a folder");
    let place = place(folder.path());
    let book = folder.path().join("book.txt");
    std::fs::write(&book, "a1 b2\nc3\n").expect("written");
    let book = book.display().to_string();
    text(&with(
        &[&SHORT[..], &["--book", &book, "--max-moves", "6"]].concat(),
        &place,
    ));
    let games = text(&with(&["export"], &place));
    let file = folder.path().join("games.sgf").display().to_string();
    text(&with(&["export", "--output", &file], &place));
    assert_eq!(std::fs::read_to_string(&file).expect("the games"), games);
    // HGF is the same games in Little Golem's form, whether it is asked for or the file's ending says so.
    let file = folder.path().join("games.hgf").display().to_string();
    text(&with(&["export", "--output", &file], &place));
    let hgf = std::fs::read_to_string(&file).expect("the games");
    assert_eq!(text(&with(&["export", "--to", "hgf"], &place)), hgf);
    assert!(hgf.contains(";B[B2]") && !hgf.contains("GM["), "{hgf}");
    let read = record::read(hgf.as_bytes()).expect("games");
    assert_eq!(read.len(), 40);
    let records = record::read(games.as_bytes()).expect("games");
    assert_eq!(records.len(), 40);
    let mut firsts = Vec::new();
    for record in records {
        let record: record::Record<havannah::Position> = record.replay(None).expect("a board");
        assert!(record.moves.len() <= 6 && record.fault.is_none());
        firsts.push(record.moves[0]);
    }
    // The two openings of the book are taken in turn.
    assert_eq!(firsts.iter().filter(|mv| **mv == firsts[0]).count(), 20);
    assert_eq!(
        games.matches("Ended by max-moves").count(),
        games.matches("RE[0]").count()
    );
}

/// Of experiments that have one name, what tells them apart is said.
#[test]
fn experiments_of_one_name_are_told_apart() {
    let folder = tempfile::tempdir().expect("a folder");
    let place = place(folder.path());
    for simulations in ["1", "2"] {
        let file = folder.path().join("twice.toml");
        let experiment = format!(
            "name = \"twice\"\ngame = \"havannah\"\ntitle = \"t\"\ngames = 2\n[board]\nsize = 3\n[budget]\nsimulations = {simulations}\n[players.a]\nplayer = \"random\"\n[[match]]\nplayer = \"a\"\nagainst = \"a\"\n"
        );
        std::fs::write(&file, experiment).expect("written");
        text(&with(&["run", &file.display().to_string()], &place));
    }
    let (said, code) = failed(&with(&["report", "twice"], &place));
    assert_eq!(code, Some(2), "{said}");
    assert!(said.contains("which one? there are: twice ("), "{said}");
    assert_eq!(said.matches(", full scale, 2").count(), 2, "{said}");
    assert_eq!(said.matches(", 2 games)").count(), 2, "{said}");
}

/// The messages of a run that fails, and its exit code.
fn failed(arguments: &[&str]) -> (String, Option<i32>) {
    let mut runner = papamu(arguments);
    let said: Vec<String> = runner.messages().collect();
    (said.join("\n"), runner.status().code())
}

#[test]
fn an_engine_that_cannot_start_ends_the_run_with_its_own_words() {
    let folder = tempfile::tempdir().expect("a folder");
    let place = place(folder.path());
    let engine = "broken@gtp:echo missing libfoo.so >&2; exit 127";
    let players = [
        "match",
        engine,
        "random",
        "--size",
        "3",
        "--simulations",
        "5",
    ];
    let (said, code) = failed(&with(&players, &place));
    assert_eq!(code, Some(2), "{said}");
    let last = said.lines().last().expect("a message");
    assert!(
        last.contains("broken cannot play here") && last.contains("missing libfoo.so"),
        "{said}"
    );
    let shown = json(&with(&["status", "--json"], &place)).remove(0);
    assert_eq!(shown["games"], 0, "{shown}");
}

#[test]
fn faults_end_a_match_where_that_is_wanted() {
    let folder = tempfile::tempdir().expect("a folder");
    let (place, log) = (
        place(folder.path()),
        folder.path().join("engines.log").display().to_string(),
    );
    let engine = "bad@gtp:while read -r id command; do \
        case $command in genmove*) echo out of ideas >&2; printf '=%s z99\\n\\n' \"$id\" ;; \
        *) printf '=%s\\n\\n' \"$id\" ;; esac; done";
    let players = [
        "match",
        engine,
        "random",
        "--size",
        "3",
        "--simulations",
        "5",
        // More than can be on their way when the third fault is stored.
        "--games",
        "2000",
    ];
    let ends = [
        "--max-faults",
        "3",
        "--concurrency",
        "1",
        "--engine-log",
        &log,
    ];
    let (said, code) = failed(&with(&[&players[..], &ends].concat(), &place));
    assert_eq!(code, Some(1), "{said}");
    assert!(
        said.contains("games were lost by a fault, the last one: player: illegal: "),
        "{said}"
    );
    let games = json(&with(&["status", "--json"], &place)).remove(0)["games"].as_u64();
    assert!((3..2000).contains(&games.expect("a number")), "{games:?}");
    let log = std::fs::read_to_string(log).expect("the log");
    assert!(log.starts_with("bad: out of ideas\n"), "{log}");
}

/// What is wrong with a match is told before anything is stored.
#[test]
fn mistakes_are_told_before_anything_is_stored() {
    let folder = tempfile::tempdir().expect("a folder");
    let place = place(folder.path());
    let book = folder.path().join("book.txt").display().to_string();
    std::fs::write(&book, "a1 b2\na1 a1\n").expect("written");
    let cases: [(&[&str], &str); 7] = [
        (&["rave", "rave"], "two players are called rave"),
        (&["rave:rave", "uct"], "KEY=VALUE"),
        (&["rave", "alphago"], "alphago"),
        (&["rave", "uct", "--games", "3"], "even number"),
        (&["rave", "uct", "--sprt", "5"], "--sprt"),
        (&["rave", "uct", "--book", &book], "opening \"a1 a1\""),
        (
            &["dabs", "greedy", "--game", "konane", "--max-moves", "9"],
            "no draws",
        ),
    ];
    for (arguments, words) in cases {
        let (said, code) = failed(&with(&[&["match"], arguments].concat(), &place));
        assert_eq!(code, Some(2), "{said}");
        assert!(
            said.contains(words) && said.lines().count() == 1,
            "{words}: {said}"
        );
        assert!(!Path::new(&place).exists(), "{words}: stored");
    }
}

#[test]
fn a_book_of_balanced_openings_is_made_and_played() {
    let made = |more: &[&str]| {
        let openings = [
            "openings",
            "konane",
            "--size",
            "6",
            "--plies",
            "6",
            "--count",
            "4",
            "--simulations",
            "2000",
            "--margin",
            "10",
        ];
        text(&[&openings[..], more].concat())
    };
    let lines = |book: &str| -> Vec<String> {
        let lines = book.lines().filter(|line| !line.starts_with('#'));
        lines.map(str::to_owned).collect()
    };
    let book = made(&["--concurrency", "1"]);
    let openings = lines(&book);
    assert_eq!(openings.len(), 4, "{book}");
    for line in &openings {
        let (moves, percent) = line.split_once(" # ").expect("an expectation");
        assert_eq!(moves.split(' ').count(), 6, "{line}");
        let percent: f64 = percent.trim_end_matches(" %").parse().expect("a number");
        assert!((40.0..=60.0).contains(&percent), "{line}");
    }
    assert_eq!(lines(&made(&["--concurrency", "3"])), openings);
    assert_ne!(lines(&made(&["--seed", "2"])), openings);
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("book.txt").display().to_string();
    std::fs::write(&file, &book).expect("written");
    let place = place(folder.path());
    let played = text(&with(
        &[
            "match",
            "papamu",
            "random",
            "--game",
            "konane",
            "--size",
            "6",
            "--games",
            "8",
            "--simulations",
            "10",
            "--book",
            &file,
        ],
        &place,
    ));
    assert!(played.contains(": 8 games: "), "{played}");
}
