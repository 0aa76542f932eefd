//! Players that fail: each loses its game with the reason, and is there again in the next one.
#![cfg(unix)]

use arena::schedule::{Colour, pair};
use arena::{Experiment, Game, Loaded, Scale, Tables, Unplayed};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

/// Seconds for what is expected to happen, on the busiest machine.
const LONG: f64 = 300.0;
/// Seconds for what is expected not to.
const SHORT: f64 = 0.3;

/// An experiment in which a shell script plays against random moves.
fn experiment(script: &str, budget: &str) -> Loaded {
    patient(script, budget, LONG)
}

/// The same with so many seconds for an answer.
fn patient(script: &str, budget: &str, seconds: f64) -> Loaded {
    let text = format!(
        r#"
        name = "faults"
        game = "havannah"
        games = 4
        [board]
        size = 3
        [budget]
        simulations = 10
        [players.script]
        command = ["sh", "-c", '''{script}''']
        start-seconds = {LONG}
        answer-seconds = {seconds}
        budget = {budget}
        [players.random]
        player = "random"
        [[match]]
        player = "script"
        against = "random"
        "#
    );
    let experiment = Experiment::read(&text, Scale::Full).expect("an experiment");
    arena::check(&experiment).expect("it can be played");
    Loaded::new(experiment, 1).expect("its players")
}

/// Plays both games of the first pair at one table.
fn games(loaded: &Loaded) -> [Game; 2] {
    let mut tables = Tables::default();
    let pair = pair(&loaded.experiment, 0);
    Colour::BOTH.map(|colour| tables.play(loaded, pair, colour, &|_| {}).expect("a game"))
}

/// Answers every command, and `genmove` in a way of its own; `$id` is the number of the command.
fn answering(genmove: &str) -> String {
    format!(
        r#"while read -r id command; do case $command in genmove*) {genmove} ;; *) printf "=%s\n\n" "$id" ;; esac; done"#
    )
}

#[track_caller]
fn loses(script: &str, budget: &str, kind: &str, words: &str) {
    loses_in(&experiment(script, budget), kind, words);
}

#[track_caller]
fn loses_in(loaded: &Loaded, kind: &str, words: &str) {
    for game in games(loaded) {
        assert_eq!(
            (game.score, game.reason.as_str()),
            (0, kind),
            "{}",
            game.fault
        );
        assert!(
            game.fault.starts_with(&format!("player: {kind}: ")),
            "{}",
            game.fault
        );
        assert!(game.fault.contains(words), "{}", game.fault);
        assert!(
            game.sgf
                .contains(words.split('"').next().unwrap_or_default()),
            "{}",
            game.sgf
        );
    }
}

/// A program that never comes up, for whatever reason, loses nothing: it cannot play here, and says why itself.
#[test]
fn one_that_cannot_start() {
    let refuses = r#"while read -r id command; do
        case $command in set*) printf "?%s no such option\\n\\n" "$id" ;; *) printf "=%s\\n\\n" "$id" ;; esac
    done"#;
    let cases = [
        (
            "echo missing libfoo.so >&2; exit 127",
            "",
            "missing libfoo.so",
        ),
        ("exit 3", "", "exit status: 3"),
        ("echo starting up >&2; exec sleep 100", "", "starting up"),
        ("echo usage: engine FILE", "", "usage: engine FILE"),
        (refuses, "set x 1", "no such option"),
    ];
    for (script, setup, words) in cases {
        let loaded = experiment(script, "{}");
        let mut experiment = loaded.experiment.clone();
        let arena::experiment::Kind::External(program) = &mut experiment.points[0].player.kind
        else {
            panic!("another program")
        };
        program.start_seconds = if script.contains("sleep") { 3.0 } else { 20.0 };
        program.setup = (!setup.is_empty())
            .then(|| setup.to_owned())
            .into_iter()
            .collect();
        let loaded = Loaded::new(experiment, 1).expect("its players");
        let pair = pair(&loaded.experiment, 0);
        let error = Tables::default().play(&loaded, pair, Colour::First, &|_| {});
        let Err(Unplayed::NotHere(error)) = error else {
            panic!("no game: {error:?}")
        };
        assert!(error.to_string().contains(words), "{error}");
    }
}

/// One that was there once and does not come back loses its games, one by one.
#[test]
fn one_that_does_not_start_again() {
    let folder = tempfile::tempdir().expect("a folder");
    let once = folder.path().join("once").display().to_string();
    let script = format!("mkdir {once} || exit 5; {}", answering("exit 4"));
    let [first, second] = games(&experiment(&script, "{}"));
    assert!(first.fault.contains("exit status: 4"), "{}", first.fault);
    assert!(second.fault.contains("exit status: 5"), "{}", second.fault);
}

#[test]
fn its_last_words_are_in_the_fault_and_in_the_log() {
    let script = answering("echo out of memory >&2; exit 4");
    loses(&script, "{}", "crash", "its last words: out of memory");
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("engines.log");
    let log = arena::EngineLog::open(&path).expect("a log");
    let loaded = experiment(&script, "{}");
    let pair = pair(&loaded.experiment, 0);
    let mut tables = Tables::new(log, Arc::default());
    let game = tables
        .play(&loaded, pair, Colour::First, &|_| {})
        .expect("a game");
    assert!(game.fault.contains("out of memory"), "{}", game.fault);
    let text = std::fs::read_to_string(path).expect("the log");
    assert_eq!(text, "script: out of memory\n");
}

/// A mistake of this program ends one game, which nobody wins, and is told like a fault.
#[test]
fn a_panic_outside_of_the_players_ends_one_game() {
    let loaded = experiment(&answering(r#"printf "=%s resign\n\n" "$id""#), "{}");
    let mut tables = Tables::default();
    let good = pair(&loaded.experiment, 0);
    let bad = arena::schedule::Pair { point: 7, ..good };
    let game = tables
        .play(&loaded, bad, Colour::First, &|_| {})
        .expect("a game");
    assert_eq!((game.score, &*game.reason), (1, "crash"), "{}", game.fault);
    assert!(
        game.fault.starts_with("arena: crash: index out of bounds"),
        "{}",
        game.fault
    );
    assert!(game.sgf.contains("index out of bounds"), "{}", game.sgf);
    let game = tables
        .play(&loaded, good, Colour::First, &|_| {})
        .expect("a game");
    assert_eq!(game.reason, "resign");
}

/// What could not be stored is given up at the next move.
#[test]
fn a_game_that_is_not_wanted_is_given_up() {
    let mut two = experiment("", "{}").experiment;
    two.points[0].player.kind = two.points[0].against.kind.clone();
    let loaded = Loaded::new(two, 1).expect("its players");
    let is_abandoned = Arc::new(AtomicBool::new(false));
    let mut tables = Tables::new(arena::EngineLog::default(), is_abandoned.clone());
    let moves = AtomicU64::new(0);
    let pair = pair(&loaded.experiment, 0);
    let played = tables.play(&loaded, pair, Colour::First, &|_| {
        if moves.fetch_add(1, Ordering::Relaxed) == 2 {
            is_abandoned.store(true, Ordering::Relaxed);
        }
    });
    assert_eq!(played, Err(Unplayed::Abandoned));
    assert_eq!(moves.into_inner(), 3);
}

#[test]
fn one_that_dies_in_the_game() {
    loses(&answering("exit 4"), "{}", "crash", "exit status: 4");
}

#[test]
fn one_that_writes_garbage() {
    loses(&answering("echo what?"), "{}", "garbage", "what?");
}

#[test]
fn one_that_writes_ten_megabytes_in_a_line() {
    let script = answering("head -c 10000000 /dev/zero | tr '\\\\0' x; echo").replace('\'', "\"");
    loses(&script, "{}", "garbage", "mebibyte");
    let script =
        answering("printf =; head -c 10000000 /dev/zero | tr '\\\\0' x; echo").replace('\'', "\"");
    loses(&script, "{}", "garbage", "mebibyte");
}

#[test]
fn one_that_never_answers() {
    let script = answering("exec sleep 1000");
    loses_in(&patient(&script, "{}", SHORT), "no-answer", "0.3 s");
    loses(
        &script,
        "{ seconds = 0.1, margin-seconds = 0.1 }",
        "time",
        "0.2 s",
    );
}

/// Plays the first cell of a list that is empty, twice, and then nothing more; the first seven touch no other.
const HANGS: &str = r#"used=" "
moves=0
while read -r id command colour cell; do
    case $command in
    clear_board) used=" "; printf "=%s\n\n" "$id" ;;
    play) used="$used$cell "; printf "=%s\n\n" "$id" ;;
    genmove) moves=$((moves + 1))
        if [ $moves -gt 2 ]; then exec sleep 1000; fi
        for cell in c3 a1 a3 c1 c5 e3 e5 b2 d4 a2 b1 b3 b4 c2 c4 d2 d3 d5 e4; do
            case $used in *" $cell "*) ;; *) break ;; esac
        done
        used="$used$cell "; printf "=%s %s\n\n" "$id" "$cell" ;;
    *) printf "=%s\n\n" "$id" ;;
    esac
done"#;

#[test]
fn one_that_oversteps_the_clock_of_the_game() {
    let budget = "{ game-seconds = 8, increment-seconds = 0.1, margin-seconds = 0.1 }";
    for game in games(&experiment(HANGS, budget)) {
        assert_eq!((game.score, &*game.reason), (0, "time"), "{}", game.fault);
        assert!(game.moves.len() > 2, "it has played: {:?}", game.moves);
    }
}

#[test]
fn one_that_plays_what_is_not_legal() {
    loses(
        &answering(r#"printf "=%s z9\n\n" "$id""#),
        "{}",
        "illegal",
        "z9",
    );
    // The first game begins with a legal a1, the second move is on the same cell.
    loses(
        &answering(r#"printf "=%s a1\n\n" "$id""#),
        "{}",
        "illegal",
        "a1",
    );
}

#[test]
fn one_that_refuses() {
    loses(
        &answering(r#"printf "?%s not today\n\n" "$id""#),
        "{}",
        "refused",
        "not today",
    );
}

#[test]
fn one_that_resigns_does_nothing_wrong() {
    let loaded = experiment(&answering(r#"printf "=%s resign\n\n" "$id""#), "{}");
    for game in games(&loaded) {
        assert_eq!(
            (game.score, game.reason.as_str(), game.fault.as_str()),
            (0, "resign", "")
        );
        assert!(game.sgf.contains("+R]"), "{}", game.sgf);
    }
}

#[test]
fn one_that_is_not_there_loses_nothing() {
    let loaded = experiment("", "{}");
    let mut experiment = loaded.experiment.clone();
    let arena::experiment::Kind::External(program) = &mut experiment.points[0].player.kind else {
        panic!("another program")
    };
    program.command = vec!["/nonexistent/engine".to_owned()];
    let loaded = Loaded::new(experiment, 1).expect("its players");
    let error =
        Tables::default().play(&loaded, pair(&loaded.experiment, 0), Colour::First, &|_| {});
    let Err(Unplayed::NotHere(error)) = error else {
        panic!("no game: {error:?}")
    };
    assert!(error.to_string().contains("/nonexistent/engine"), "{error}");
}
