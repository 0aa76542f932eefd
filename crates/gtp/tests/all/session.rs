//! What commands change, and what they do not.

use engine::{BoardOptions, Playable, Setting};
use gtp::{Respond, Session, SessionError, SessionOptions, parse_line};
use proptest::prelude::*;
use std::time::Instant;

type Havannah = Session<havannah::Position>;
type Konane = Session<konane::Position>;

fn options(simulations: u64) -> SessionOptions {
    SessionOptions {
        simulations: Some(simulations),
        ..SessionOptions::default()
    }
}

fn sized(size: &str) -> BoardOptions {
    BoardOptions::sized(size)
}

fn havannah(size: &str, simulations: u64) -> Havannah {
    Session::new(sized(size), &options(simulations)).expect("a session")
}

/// Gives a session no more time than it needs.
fn settle(session: &mut impl Respond) {
    let next = search::StopFlag::new();
    next.raise();
    session.settle(&next);
}

/// What a session answers to a line, and then settles.
fn ask(session: &mut impl Respond, line: &str) -> Result<String, String> {
    let command = parse_line(line.as_bytes()).expect("a command");
    let response = session.respond(&command.expect("not a comment"), Instant::now());
    settle(session);
    response.result
}

fn told(session: &mut impl Respond, line: &str) -> String {
    ask(session, line).unwrap_or_else(|why| panic!("{line}: {why}"))
}

/// All that a session shows of itself.
fn shown(session: &mut impl Respond) -> Vec<Result<String, String>> {
    [
        "showboard",
        "history",
        "all_legal",
        "winner",
        "final_score",
        "pv",
        "move_stats",
        "time",
        "params",
        "player",
        "seed",
        "swap",
        "dialect",
        "setup",
        "opening",
    ]
    .map(|line| ask(session, line))
    .to_vec()
}

#[test]
fn the_player_can_change_in_the_middle_of_a_game() {
    let mut session = havannah("3", 50);
    told(&mut session, "playgame a1 c3 a2 c2");
    for player in havannah::Position::players() {
        told(&mut session, &format!("player {}", player.name));
        let listed = told(&mut session, "player");
        assert!(
            listed.contains(&format!("* {}: {}", player.name, player.summary)),
            "{listed}"
        );
        let params = told(&mut session, "params");
        for parameter in &player.parameters {
            let line = format!("\n{}={}: ", parameter.name, parameter.default);
            assert!(params.contains(&line), "{params}");
        }
        assert_eq!(told(&mut session, "history"), "a1 c3 a2 c2");
        told(&mut session, "genmove white");
        told(&mut session, "undo");
    }
}

#[test]
fn parameters_keep_their_values_until_the_player_changes() {
    let mut session = havannah("3", 10);
    told(&mut session, "set exploration=0.5 memory=7");
    told(&mut session, "set exploration=0.25");
    let params = told(&mut session, "params");
    assert!(
        params.contains("exploration=0.25: ") && params.contains("memory=7: "),
        "{params}"
    );
    assert!(ask(&mut session, "set exploration=0.1 memory=much").is_err());
    assert!(ask(&mut session, "set nonsense=1").is_err());
    assert!(ask(&mut session, "player uct nonsense=1").is_err());
    assert!(ask(&mut session, "player nobody").is_err());
    assert_eq!(told(&mut session, "params"), params);
    told(&mut session, "player uct memory=9");
    let params = told(&mut session, "params");
    assert!(
        params.contains("exploration=0.9: ") && params.contains("memory=9: "),
        "{params}"
    );
}

#[test]
fn statistics_are_those_of_the_last_search() {
    let mut session = havannah("3", 50);
    told(&mut session, "playgame a1 c3 a2 c2");
    assert_eq!(told(&mut session, "reg_genmove white"), "a3");
    let stats = told(&mut session, "move_stats");
    let first = stats.trim_start().lines().next().expect("a line");
    assert!(
        first.starts_with("a3 ") && first.ends_with(" 1.0000 win"),
        "{first}"
    );
    assert_eq!(stats.trim_start().lines().count(), 15);
    assert_eq!(told(&mut session, "history"), "a1 c3 a2 c2");
    told(&mut session, "clear_board");
    assert!(ask(&mut session, "move_stats").is_err());
}

#[test]
fn a_seed_and_a_number_of_simulations_make_a_game() {
    let game = |seed: u64| {
        let mut session = havannah("4", 200);
        told(&mut session, &format!("seed {seed}"));
        while told(&mut session, "winner") == "none" {
            told(&mut session, "genmove");
        }
        told(&mut session, "history")
    };
    assert_eq!(game(3), game(3));
    assert_ne!(game(3), game(4));
}

#[test]
fn games_one_after_another_differ() {
    let mut session = havannah("4", 50);
    let mut game = || {
        told(&mut session, "clear_board");
        for _ in 0..6 {
            told(&mut session, "genmove");
        }
        told(&mut session, "history")
    };
    assert_ne!(game(), game());
}

#[test]
fn the_player_follows_a_game_that_goes_back_and_to_other_boards() {
    // Whatever happened before, what is played is legal.
    let mut session = havannah("3", 20);
    for line in [
        "genmove",
        "genmove",
        "undo 2",
        "playgame a1 b2",
        "genmove",
        "undo",
        "genmove",
        "boardsize 5",
        "genmove",
        "play black i9",
        "undo 2",
        "genmove",
        "boardsize 4x4x5",
        "swap on",
        "playgame d4 swap",
        "genmove",
        "undo 3",
        "genmove",
        "clear_board",
        "genmove",
        "boardsize 2",
    ] {
        told(&mut session, line);
    }
    while told(&mut session, "winner") == "none" {
        told(&mut session, "genmove");
    }
}

#[test]
fn a_konane_board_can_become_large_and_small_again() {
    let mut session = Konane::new(BoardOptions::default(), &options(20)).expect("a session");
    told(&mut session, "player uct exploration=0.5");
    told(&mut session, "seed 9");
    told(&mut session, "time -m 3 -g 60");
    told(&mut session, "setup centre");
    told(&mut session, "genmove black");
    for size in ["14 17", "20 20", "6 8", "8 8"] {
        let before: Vec<String> = ["params", "time", "seed", "setup"]
            .map(|line| told(&mut session, line))
            .to_vec();
        told(&mut session, &format!("boardsize {size}"));
        for (line, before) in ["params", "time", "seed", "setup"].into_iter().zip(before) {
            assert_eq!(
                told(&mut session, line),
                before,
                "{line} after boardsize {size}"
            );
        }
        assert_eq!(told(&mut session, "history"), "");
    }
    assert!(ask(&mut session, "boardsize 25 8").is_err());
    let mut large = Konane::new(sized("9"), &options(20)).expect("a session");
    told(&mut large, "genmove black");
}

#[test]
fn sessions_that_cannot_begin() {
    let error = |board, options: SessionOptions| {
        let error = Havannah::new(board, &options).err().expect("an error");
        assert!(!error.to_string().contains('\n'));
        error
    };
    let setting = |name: &str, value: &str| Setting {
        name: name.to_owned(),
        value: value.to_owned(),
    };
    assert!(matches!(
        error(sized("1"), options(1)),
        SessionError::Board(_)
    ));
    let player = SessionOptions {
        player: Some("nobody".to_owned()),
        ..options(1)
    };
    assert!(matches!(error(sized("4"), player), SessionError::Player(_)));
    for bad in [
        setting("resign-below", "NaN"),
        setting("memory", "0"),
        setting("x", "1"),
    ] {
        let settings = SessionOptions {
            settings: vec![bad],
            ..options(1)
        };
        assert!(matches!(
            error(sized("4"), settings),
            SessionError::Parameter(_)
        ));
    }
    let dialect = SessionOptions {
        dialect: Some("column".to_owned()),
        ..options(1)
    };
    let dialect = error(sized("4"), dialect);
    assert_eq!(dialect.to_string(), "havannah has no dialect \"column\"");
}

#[test]
fn options_are_what_the_session_begins_with() {
    let options = SessionOptions {
        player: Some("random".to_owned()),
        settings: vec!["resign-below=0.25".parse().expect("a setting")],
        seed: 77,
        dialect: Some("row".to_owned()),
        ..options(12)
    };
    let mut session = Havannah::new(sized("5"), &options).expect("a session");
    assert!(told(&mut session, "player").contains("* random: "));
    assert!(told(&mut session, "params").contains("resign-below=0.25: "));
    assert_eq!(told(&mut session, "seed"), "77");
    assert_eq!(told(&mut session, "dialect"), "row");
    assert!(told(&mut session, "time").contains("-i 12: "));
}

/// Words of which some make sense together. None of them makes a search long.
fn word() -> impl Strategy<Value = &'static str> {
    proptest::sample::select(vec![
        "a1",
        "A1",
        "b1",
        "b2",
        "c3",
        "d4",
        "e5",
        "c2-c4",
        "c4",
        "d6-d4",
        "swap",
        "z99",
        "w",
        "white",
        "b",
        "BLACK",
        "pink",
        "0",
        "1",
        "2",
        "3",
        "5",
        "8",
        "9",
        "20",
        "99",
        "-1",
        "0.5",
        "nan",
        "4x4x5",
        "on",
        "off",
        "grid",
        "row",
        "centre",
        "corner",
        "none",
        "any",
        "traditional",
        "-m",
        "-g",
        "-r",
        "-f",
        "-x",
        "uct",
        "random",
        "nobody",
        "memory=3",
        "exploration=2",
        "exploration=x",
        "resign-below=0.7",
        "=",
        "é",
        "genmove",
        "quit",
    ])
}

fn line() -> impl Strategy<Value = String> {
    let name = proptest::sample::select(vec![
        "boardsize",
        "clear_board",
        "komi",
        "swap",
        "setup",
        "opening",
        "dialect",
        "hguicoords",
        "gridcoords",
        "play",
        "play",
        "play",
        "playgame",
        "playgame",
        "playgame",
        "genmove",
        "genmove",
        "reg_genmove",
        "undo",
        "time_settings",
        "time_left",
        "time",
        "player",
        "set",
        "seed",
        "help",
        "known_command",
        "nonsense",
        "pv",
    ]);
    (name, proptest::collection::vec(word(), 0..5))
        .prop_map(|(name, words)| format!("{name} {}", words.join(" ")))
}

/// Checks that a command that is answered with an error changes nothing that is shown, and that a
/// session that hears only the others answers them in the same way.
fn errors_change_nothing<S: Respond>(
    new_session: impl Fn() -> S,
    lines: &[String],
    times_are_shown: bool,
) -> Result<(), TestCaseError> {
    let (mut session, mut twin) = (new_session(), new_session());
    for line in lines {
        let before = shown(&mut session);
        let answer = ask(&mut session, line);
        match answer {
            Err(_) => prop_assert_eq!(shown(&mut session), before, "{}", line),
            Ok(_) if times_are_shown => {}
            Ok(_) => prop_assert_eq!(&answer, &ask(&mut twin, line), "{}", line),
        }
    }
    if !times_are_shown {
        for line in ["genmove", "clear_board", "genmove", "showboard"] {
            prop_assert_eq!(ask(&mut session, line), ask(&mut twin, line), "{}", line);
        }
    }
    Ok(())
}

/// Whether the time that a move takes shows, or even decides what is played.
fn depends_on_time(line: &str) -> bool {
    line.starts_with("time") || line.starts_with("genmove") && line.contains(' ')
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(256))]

    #[test]
    fn errors_change_nothing_in_havannah(lines in proptest::collection::vec(line(), 1..25)) {
        errors_change_nothing(|| havannah("3", 5), &lines, true)?;
    }

    #[test]
    fn errors_change_nothing_in_konane(lines in proptest::collection::vec(line(), 1..25)) {
        let new = || Konane::new(sized("6"), &options(5)).expect("a session");
        errors_change_nothing(new, &lines, true)?;
    }

    #[test]
    fn errors_do_not_touch_the_player(lines in proptest::collection::vec(line(), 1..25)) {
        let mut lines = lines;
        lines.retain(|line| !depends_on_time(line));
        errors_change_nothing(|| havannah("3", 5), &lines, false)?;
    }
}
