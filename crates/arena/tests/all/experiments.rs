//! The file of an experiment, and the schedule that follows from it.

use arena::experiment::{Budget, Kind, Openings, Stop, Time, Value};
use arena::schedule::{Colour, pair, pairs};
use arena::{Experiment, Loaded, Scale, Tables, check};

const FILE: &str = r#"
name = "grid"
game = "havannah"
games = 10

[grid]
size = [3, 4]
level = [{ k = 50, who = "a" }, { k = 100.5, who = "b" }]

[budget]
simulations = 20

[players.rave]
player = "rave"
set = { rave = "{k}" }
[players.uct]
player = "uct"
budget = { reference-seconds = 0.5 }
[players.random]
player = "random"
budget = {}

[[match]]
player = "rave"
against = ["uct", "random"]

[openings]
random = 2

[quick]
games = 4
[quick.grid]
size = [2]
[quick.budget]
simulations = 5

[[figure]]
x = "size"
line = "{against} {k} {who}"
[[figure.published]]
line = "uct 50 a"
points = [[4, 36.54], [5, 69.66]]
"#;

fn read(text: &str) -> Experiment {
    Experiment::read(text, Scale::Full).expect("an experiment")
}

fn error(text: &str) -> String {
    let read = Experiment::read(text, Scale::Full).and_then(|experiment| check(&experiment));
    read.expect_err("an error").to_string()
}

#[test]
fn the_grid_becomes_points() {
    let experiment = read(FILE);
    check(&experiment).expect("it can be played");
    assert_eq!(experiment.points.len(), 2 * 2 * 2);
    let point = &experiment.points[1];
    assert_eq!(
        point.to_string(),
        "rave against uct, size 3, k 100.5, who b"
    );
    assert_eq!(point.value("k"), Some(&Value::Number(100.5)));
    assert_eq!(point.board.get("size"), Some("3"));
    assert_eq!(point.openings, Openings::Random(2));
    let Kind::Own { player, settings } = &point.player.kind else {
        panic!("one of ours")
    };
    assert_eq!(
        (player.as_str(), settings[0].value.as_str()),
        ("rave", "100.5")
    );
    assert_eq!(point.player.budget.simulations, Some(20));
    assert_eq!(point.against.budget.time, Some(Time::Reference(0.5)));
    assert_eq!(
        point.fill("{against} {k} {who}").expect("filled"),
        "uct 100.5 b"
    );
    assert_eq!(
        experiment.points[4].against.budget,
        Budget {
            margin: 0.5,
            ..Budget::default()
        }
    );
    assert_eq!(experiment.stop, Stop::Fixed);

    let quick = Experiment::read(FILE, Scale::Quick).expect("an experiment");
    assert_eq!((quick.points.len(), quick.pairs), (4, Some(2)));
    assert_eq!(quick.points[0].player.budget.simulations, Some(5));
    assert_ne!(quick.id, experiment.id);
}

#[test]
fn the_name_follows_from_what_decides_the_games() {
    let id = read(FILE).id;
    let same = [
        FILE.replace("games = 10", "games = 500"),
        FILE.replace("size\"\nline", "size\"\ntitle = \"another\"\nline"),
        FILE.replace(
            "name = \"grid\"",
            "name = \"other\"\ndescription = \"words\"",
        ),
        format!("{FILE}\n# a comment"),
    ];
    for text in same {
        assert_eq!(read(&text).id, id, "{text}");
    }
    let other = [
        FILE.replace("[openings]", "[adjudication]\nmax-moves = 30\n[openings]"),
        FILE.replace("games = 10", "games = 10\nseed = 2"),
        FILE.replace("k = 50", "k = 51"),
        FILE.replace("simulations = 20", "simulations = 21"),
        FILE.replace("random = 2", "random = 3"),
    ];
    for text in other {
        assert_ne!(read(&text).id, id, "{text}");
    }
}

#[test]
fn mistakes_are_told_in_words() {
    let cases = [
        (
            FILE.replace("games = 10", "games = 10\ngame-count = 3"),
            "game-count",
        ),
        (FILE.replace("[budget]", "[budget]\nminutes = 3"), "minutes"),
        (FILE.replace("games = 10", "games = 9"), "even number"),
        (FILE.replace("games = 10", "games = 0"), "at least 2"),
        (FILE.replace("games = 10", ""), "games is missing"),
        (FILE.replace("\"{k}\"", "\"{z}\""), "\"z\""),
        (
            FILE.replace("against = [\"uct\"", "against = [\"xyz\""),
            "[players.xyz]",
        ),
        (
            FILE.replace("player = \"uct\"", "player = \"alphago\""),
            "alphago",
        ),
        (FILE.replace("rave = \"{k}\"", "rage = \"{k}\""), "rage"),
        (FILE.replace("rave = \"{k}\"", "rave = \"x{k}\""), "rave"),
        (FILE.replace("size = [3, 4]", "size = [3, 99]"), "99"),
        (
            FILE.replace("[grid]", "[grid]\nnoise = [1, 2]"),
            "grid.noise: nothing that decides games uses {noise}",
        ),
        (
            FILE.replace("[grid]", "[grid]\nnoise = [{ a = 1 }, { a = 2 }]"),
            "grid.noise",
        ),
        // The axis that the players do not use any more is only shown.
        (FILE.replace("rave = \"{k}\"", "rave = 50"), "grid.level"),
        // The last opening of a list, the game that is over too soon.
        (
            FILE.replace("random = 2", "moves = [\"a1 b2\", \"a1 a1\"]"),
            "opening \"a1 a1\", a1: ",
        ),
        (FILE.replace("random = 2", "moves = [\"z9\"]"), "z9"),
        (
            FILE.replace("random = 2", "random = 99"),
            "over before 99 random moves",
        ),
        (
            FILE.replace("random = 2", "file = \"book.txt\""),
            "has not been read",
        ),
        (
            FILE.replace(
                "[openings]",
                "[adjudication]\nresign = { score = 0.5, moves = 1 }\n[openings]",
            ),
            "adjudication.resign",
        ),
        (
            FILE.replace("[openings]", "[adjudication]\nmax-moves = 0\n[openings]"),
            "adjudication.max-moves",
        ),
        (FILE.replace("x = \"size\"", "x = \"width\""), "width"),
        (
            FILE.replace("budget = {}", "budget = { seconds = 1, game-seconds = 2 }"),
            "exclude each other",
        ),
        (
            FILE.replace("budget = {}", "budget = { seconds = -1 }"),
            "from 0",
        ),
        (
            FILE.replace("random = 2", "random = 2\nevery = 1"),
            "exclude each other",
        ),
        (FILE.replace("random = 2", "once = true"), "games"),
        (
            FILE.replace("game = \"havannah\"", "game = \"chess\""),
            "chess",
        ),
        (
            FILE.replace(
                "player = \"random\"",
                "player = \"random\"\nsetup = [\"x\"]",
            ),
            "other programs",
        ),
        ("name = 3".to_owned(), "name"),
        (String::new(), "name"),
    ];
    for (text, word) in cases {
        let error = error(&text);
        assert!(error.contains(word), "{word}: {error}");
    }
}

#[test]
fn pairs_are_numbered_through_the_points() {
    let experiment = read(FILE);
    let all: Vec<_> = pairs(&experiment, |_| 0).collect();
    assert_eq!(all.len(), 5 * 8);
    for (place, &(number, point)) in all.iter().enumerate() {
        let pair = pair(&experiment, number);
        assert_eq!(
            (pair.number, pair.point, pair.round),
            (place as u64, point, place as u64 / 8)
        );
    }
    let mut seeds: Vec<u64> = all
        .iter()
        .map(|&(number, _)| pair(&experiment, number).seed)
        .collect();
    // Fixed for good: another seed is another game.
    assert_eq!(seeds[0], pair(&read(FILE), 0).seed);
    seeds.sort_unstable();
    seeds.dedup();
    assert_eq!(seeds.len(), all.len());
    // More games keep the pairs that there are; a point keeps its seeds beside other points.
    let more = read(&FILE.replace("games = 10", "games = 20"));
    assert_eq!(pairs(&more, |_| 0).take(all.len()).collect::<Vec<_>>(), all);
    let fewer = read(&FILE.replace("size = [3, 4]", "size = [4]"));
    assert_eq!(pair(&fewer, 0).seed, pair(&experiment, 2).seed);
}

#[test]
fn every_opening_once() {
    let text = FILE
        .replace("games = 10", "")
        .replace("random = 2", "every = 1\nonce = true");
    let text = text.replace("[quick]\ngames = 4", "[quick]");
    let loaded = Loaded::new(read(&text), 1).expect("its players");
    // 19 first moves on size 3, 37 on size 4; four points of each size.
    let all = loaded.pairs().expect("pairs");
    assert_eq!(all.len(), 4 * (19 + 37));
    let lists = FILE.replace("random = 2", "moves = [\"a1 b2\", \"c3\"]");
    let loaded = Loaded::new(read(&lists), 1).expect("its players");
    let pairs = [0, 8, 16].map(|number| pair(&loaded.experiment, number));
    let begin = |which: usize| {
        let game = Tables::default()
            .play(&loaded, pairs[which], Colour::First, &|_| {})
            .expect("a game");
        game.moves[..game.opening].join(" ")
    };
    assert_eq!([begin(0), begin(1), begin(2)], ["a1 b2", "c3", "a1 b2"]);
}

#[test]
fn both_games_of_a_pair_have_the_same_opening_and_the_colours_swapped() {
    // A busy machine takes no game from the player that plays by the clock.
    let patient = FILE.replace(
        "reference-seconds = 0.5",
        "reference-seconds = 0.05, margin-seconds = 1000",
    );
    let loaded = Loaded::new(read(&patient), 1).expect("its players");
    for number in 4..12 {
        let pair = pair(&loaded.experiment, number);
        let mut tables = Tables::default();
        let games =
            Colour::BOTH.map(|colour| tables.play(&loaded, pair, colour, &|_| {}).expect("a game"));
        assert_eq!(games[0].opening, 2);
        assert_eq!(games[0].moves[..2], games[1].moves[..2]);
        let white = |game: &arena::Game| game.sgf.contains("PW[rave");
        assert_ne!(white(&games[0]), white(&games[1]));
        for game in &games {
            let games = record::read(game.sgf.as_bytes()).expect("a game file");
            let record: record::Record<havannah::Position> =
                games[0].replay(None).expect("a game of Havannah");
            assert!(record.fault.is_none());
            assert_eq!(record.moves.len(), game.moves.len());
            assert_eq!(record.winner(), record.claimed);
        }
        // Again: the same game, move by move (but for one that plays by the clock).
        if pair.point >= 4 {
            for (game, colour) in games.iter().zip(Colour::BOTH) {
                let again = Tables::default()
                    .play(&loaded, pair, colour, &|_| {})
                    .expect("a game");
                assert_eq!((&again.moves, again.score), (&game.moves, game.score));
            }
        }
    }
}

#[test]
fn konane_is_played_on_rectangles_and_from_setups() {
    let text = r#"
        name = "konane"
        game = "konane"
        games = 4
        [grid]
        depth = [1, 2]
        [board]
        rows = 6
        cols = 12
        [budget]
        [players.dabs]
        player = "dabs"
        set = { depth = "{depth}" }
        [players.greedy]
        player = "greedy-mobility"
        [[match]]
        player = "dabs"
        against = "greedy"
        [openings]
        setups = ["corner", "centre"]
    "#;
    let experiment = read(text);
    check(&experiment).expect("it can be played");
    let loaded = Loaded::new(experiment, 1).expect("its players");
    for (number, setup) in [(0, "corner"), (2, "centre")] {
        let pair = pair(&loaded.experiment, number);
        let game = Tables::default()
            .play(&loaded, pair, Colour::Second, &|_| {})
            .expect("a game");
        assert_eq!(game.reason, "no-moves");
        assert!(
            game.sgf.contains(&format!("SU[{setup}]")) && game.sgf.contains("SZ[12:6]"),
            "{}",
            game.sgf
        );
    }
}

#[test]
fn a_book_becomes_a_list_of_openings() {
    let folder = tempfile::tempdir().expect("a folder");
    let write = |name: &str, text: &str| {
        std::fs::write(folder.path().join(name), text).expect("written");
    };
    write(
        "lines.txt",
        "# a comment\na1 b2 c3\n\na1, b2, d4 # the same for two plies\nc3\n",
    );
    write(
        "games.sgf",
        "(;GM[havannah]SZ[4];W[a1];B[b2];W[c3])(;GM[havannah]SZ[4];W[c3];B[b2])",
    );
    let with = |book: &str| {
        let text = FILE.replace("random = 2", book);
        arena::experiment::with_books(&text, folder.path()).map_err(|error| error.to_string())
    };
    let openings = |book: &str| {
        let experiment = read(&with(book).expect("a book"));
        check(&experiment).expect("it can be played");
        let Openings::Moves(moves) = &experiment.points[0].openings else {
            panic!("a list: {:?}", experiment.points[0].openings)
        };
        moves.join("; ")
    };
    assert_eq!(openings("file = \"lines.txt\""), "a1 b2 c3; a1 b2 d4; c3");
    assert_eq!(openings("file = \"lines.txt\"\nplies = 2"), "a1 b2; c3");
    assert_eq!(openings("file = \"games.sgf\"\nplies = 2"), "a1 b2; c3 b2");
    assert_eq!(with("random = 2"), Ok(FILE.to_owned()), "nothing to do");
    // The experiment is the same as one with the list in its place.
    let listed = FILE.replace("random = 2", "moves = [\"a1 b2\", \"c3\"]");
    let booked = with("file = \"lines.txt\"\nplies = 2").expect("a book");
    assert_eq!(read(&booked).id, read(&listed).id);
    write("none.txt", "# nothing\n");
    write("konane.sgf", "(;GM[konane]SZ[6];B[a1])");
    for (book, word) in [
        ("file = \"absent.txt\"", "absent.txt"),
        ("file = \"none.txt\"", "no openings"),
        ("file = \"konane.sgf\"", "game of konane"),
        ("file = \"lines.txt\"\nplies = 0", "from 1"),
        ("file = \"lines.txt\"\nevery = 2", "exclude each other"),
    ] {
        let error = with(book).expect_err(word);
        assert!(error.contains(word), "{word}: {error}");
    }
}

/// A player that expects to lose is believed where the file says so, and long games end.
#[test]
fn games_are_adjudicated() {
    let text = FILE.replace(
        "[openings]",
        "[adjudication]\nmax-moves = 9\nresign = { score = 0.49, moves = 2 }\n[openings]",
    );
    let text = text.replace("budget = { reference-seconds = 0.5 }", "");
    let loaded = Loaded::new(read(&text), 1).expect("its players");
    let mut ends = std::collections::BTreeSet::new();
    for number in 0..24 {
        let pair = pair(&loaded.experiment, number);
        let game = Tables::default().play(&loaded, pair, Colour::First, &|_| {});
        let game = game.expect("a game");
        assert!(game.moves.len() <= 9, "{:?}", game.moves);
        let result = match (&*game.reason, game.score) {
            ("max-moves", 1) => "RE[0]",
            ("adjudicated", 2) if game.sgf.contains("PW[rave") => "RE[W+]",
            ("adjudicated", 2) => "RE[B+]",
            ("adjudicated", 0) if game.sgf.contains("PW[rave") => "RE[B+]",
            ("adjudicated", 0) => "RE[W+]",
            // The rules were faster.
            _ => continue,
        };
        assert!(game.sgf.contains(result), "{result}: {}", game.sgf);
        ends.insert(game.reason);
    }
    assert_eq!(ends.len(), 2, "{ends:?}");
    let konane = text.replace("\"havannah\"", "\"konane\"");
    assert!(error(&konane).contains("no draws"));
}
