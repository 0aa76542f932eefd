use crate::loops::{options, run_plan};
use learn::{Ended, Options, Plan, Promotion, Written, status};
use sha2::Digest;
use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

fn repository() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn tiny() -> String {
    fs::read_to_string(repository().join("learning/tiny.toml")).expect("the plan")
}

/// A plan with one generation of few and short games on its smallest board, and a small batch, whose records, if any, are
/// those of a folder; all else is as it was.
fn small(text: &str, games: &str) -> String {
    let mut plan: toml::Table = text.parse().expect("a plan");
    let sizes = plan["sizes"].as_array().expect("sizes");
    let sizes = sizes.iter().filter_map(toml::Value::as_integer);
    let least = sizes.min().expect("a size");
    plan.insert("sizes".to_owned(), vec![least].into());
    plan.insert("generations".to_owned(), 1.into());
    for (part, key, most) in [
        ("self-play", "games", 6),
        ("self-play", "simulations", 24),
        ("self-play", "quick-simulations", 12),
        ("training", "batch", 16),
        ("match", "games", 2),
        ("match", "simulations", 12),
    ] {
        let part = plan.get_mut(part).and_then(toml::Value::as_table_mut);
        if let Some(number) = part.and_then(|part| part.get_mut(key)) {
            let own = number.as_integer().expect("a number");
            *number = own.min(most).into();
        }
    }
    if let Some(records) = plan.get_mut("records") {
        records["folder"] = games.into();
    }
    toml::to_string(&plan).expect("a plan")
}

/// The whole loop of every plan runs, from the weights that it names by their hash.
#[test]
fn a_small_run_of_every_plan_of_the_repository() {
    let folder = tempfile::tempdir().expect("a folder");
    let games = folder.path().join("games");
    fs::create_dir(&games).expect("a folder");
    let game = "(;GM[havannah]SZ[4];W[a1];B[d4];W[a2];B[d5];W[a3];B[e4];W[a4])";
    for name in ["first", "second", "third", "fourth"] {
        fs::write(games.join(name).with_extension("sgf"), game).expect("written");
    }
    let games = games.to_str().expect("a name in Unicode");
    let learning = repository().join("learning");
    let mut plans = 0;
    for entry in fs::read_dir(&learning).expect("a folder") {
        let path = entry.expect("an entry").path();
        if path.extension().is_none_or(|ending| ending != "toml") {
            continue;
        }
        let shown = path.display();
        let text = fs::read_to_string(&path).expect("a file");
        let read = Written::read(&text);
        assert!(read.is_ok(), "{shown}: {:?}", read.err());
        let own = folder.path().join(path.file_stem().expect("a name"));
        let options = Options {
            beside: learning.clone(),
            ..options(&own, 2)
        };
        let ended = run_plan(&small(&text, games), &options, |_| false);
        let ended = ended.unwrap_or_else(|why| panic!("{shown}: {why}"));
        assert_eq!(ended, Ended::Done, "{shown}");
        let row = status(&own).expect("a journal").remove(0);
        let trained = row.trained.expect("weights");
        assert!(trained.positions > 0 && row.matched.is_some(), "{shown}");
        plans += 1;
    }
    assert!(plans > 9, "{plans}");
}

fn fault(from: &str, to: &str) -> String {
    let text = tiny();
    assert!(text.contains(from), "{from}");
    let why = Written::read(&text.replacen(from, to, 1)).expect_err("refused");
    why.to_string()
}

/// What is wrong is told with the line.
#[test]
fn faults_are_told_with_their_lines() {
    let text = tiny();
    let line = |of: &str| {
        text.lines()
            .position(|line| line.starts_with(of))
            .map(|line| line + 1)
    };
    for (from, to, of, why) in [
        ("seed = 1", "sead = 1", "seed", "unknown field `sead`"),
        (
            "games = 24",
            "games = 0",
            "games = 24",
            "0: expected a whole number from 1 to 10000000",
        ),
        (
            "games = 24",
            "games = -3",
            "games = 24",
            "-3: expected a whole number",
        ),
        (
            "games = 24",
            "games = \"24\"",
            "games = 24",
            "invalid type: string",
        ),
        (
            "sizes = [3, 4]",
            "sizes = [3, 44]",
            "sizes",
            "expected a list of sizes from 2 to 20",
        ),
        (
            "sizes = [3, 4]",
            "sizes = []",
            "sizes",
            "expected a list of sizes from 2 to 20",
        ),
        (
            "full-share = 0.5",
            "full-share = 1.5",
            "full-share",
            "1.5: expected a number from 0 to 1",
        ),
        (
            "game = \"havannah\"",
            "game = \"go\"",
            "game",
            "unknown variant `go`, expected `havannah` or `konane`",
        ),
        (
            "promotion.score = 0.5",
            "promotion.score = 2.0",
            "promotion",
            "2: expected a number from 0 to 1",
        ),
        (
            "know-network = 15",
            "know-network = [1]",
            "",
            "expected a text or a number",
        ),
    ] {
        let found = fault(from, to);
        assert!(found.contains(why), "{to}: {found}");
        if let Some(line) = line(of).filter(|_| !of.is_empty()) {
            assert!(found.contains(&format!("line {line}, ")), "{to}: {found}");
        }
    }
    assert!(fault("batch = 16\n", "").contains("missing field `batch`"));
    assert!(
        fault("quick-simulations = 10", "quick-simulations = 90")
            .contains("quick-simulations is more")
    );
    assert!(fault("least = 1", "least = 3").contains("least is more than most"));
    assert!(
        fault("know-network = 15", "network = \"x\"").contains("network is what the run learns")
    );
    assert!(
        fault(
            "[openings]",
            "[player.without-network]\nthreads = 2\n[openings]"
        )
        .contains("player.without-network: each game has one thread")
    );
    let searched = "held-out = 0.2\nsearched = 0.5";
    assert!(fault("held-out = 0.2", searched).contains("searched is for games"));
    assert!(fault("game = \"havannah\"", "game = \"konane\"").contains("drawn-moves must be 0"));
    let test = "promotion.sprt = { elo0 = 5.0, elo1 = 0.0, error = 0.05 }";
    assert!(fault("promotion.score = 0.5", test).contains("elo0 must be below elo1"));
}

#[test]
fn both_limits_of_a_rate_are_told() {
    for rate in ["nan", "0", "1e30"] {
        let why = fault("rate = 0.004", &format!("rate = {rate}"));
        let expected = "expected a number above 0 and at most 1000000";
        assert!(why.contains(expected), "{why}");
    }
}

#[test]
fn a_network_of_another_shape_is_refused() {
    let why = fault("seed = 1", "seed = 1\nnetwork.layers = 40");
    let range = "40: expected a whole number from 1 to 32";
    assert!(why.contains(range), "{why}");
    let konane = fs::read_to_string(repository().join("learning/konane-tiny.toml"));
    let deep = format!("network.layers = 4\n{}", konane.expect("the plan"));
    let why = Written::read(&deep).expect_err("refused").to_string();
    assert!(why.contains("network: is for havannah"), "{why}");
}

#[test]
fn what_decides_the_weights_makes_the_name() {
    let text = tiny();
    let name = |text: &str| Written::read(text).expect("a plan").plan.identity();
    assert_eq!(
        name(&text),
        name(&text.replace("generations = 2", "generations = 9 # more"))
    );
    assert_ne!(name(&text), name(&text.replace("seed = 1", "seed = 2")));
}

/// Keys with the parameters of a player.
const SETTINGS: [&str; 2] = ["player.settings", "player.without-network"];

/// Every key of a plan, as `self-play.games`.
fn keys(plan: &Plan) -> BTreeSet<String> {
    fn walk(prefix: &str, table: &toml::Table, keys: &mut BTreeSet<String>) {
        for (name, value) in table {
            let key = if prefix.is_empty() {
                name.clone()
            } else {
                format!("{prefix}.{name}")
            };
            match value {
                toml::Value::Table(inner) if !SETTINGS.contains(&key.as_str()) => {
                    walk(&key, inner, keys);
                }
                _ => {
                    keys.insert(key);
                }
            }
        }
    }
    let mut keys = BTreeSet::new();
    let table = toml::Table::try_from(plan).expect("a table");
    walk("", &table, &mut keys);
    keys
}

/// The table of keys in `docs/learning.md` has all that there are, and no other.
#[test]
fn every_key_is_described() {
    let mut plan = Written::read(&tiny()).expect("a plan").plan;
    let mut all = keys(&plan);
    for (file, has_test) in [
        ("havannah-5.toml", true),
        ("havannah.toml", false),
        ("havannah-deep.toml", false),
        ("human-like.toml", false),
        ("konane.toml", false),
    ] {
        let text = fs::read_to_string(repository().join("learning").join(file)).expect("a plan");
        plan = Written::read(&text).expect("a plan").plan;
        assert_eq!(
            matches!(plan.matches.promotion, Promotion::Sprt(_)),
            has_test
        );
        all.extend(keys(&plan));
    }
    let docs =
        fs::read_to_string(repository().join("docs/learning.md")).expect("the documentation");
    let rows = docs
        .lines()
        .filter_map(|line| line.strip_prefix("| `")?.split('`').next());
    let described: BTreeSet<String> = rows.map(str::to_owned).collect();
    assert_eq!(described, all);
}

/// What `learning/README.md` says of each file of weights holds: its hash, and that the file of the command, unless it names
/// an earlier one, the generation and the number of games are those that the weights name.
#[test]
fn shipped_weights_are_what_made_them() {
    let readme = fs::read_to_string(repository().join("learning/README.md")).expect("the page");
    let hash_of = |bytes: &[u8]| -> String {
        let digest = sha2::Sha256::digest(bytes);
        let digits: Vec<String> = digest.iter().map(|byte| format!("{byte:02x}")).collect();
        digits.concat()
    };
    let (mut rows, mut traced, mut size) = (0, 0, 0);
    for row in readme.lines().filter(|line| line.contains(", SHA-256 `")) {
        let mut quoted = row.split('`').skip(1).step_by(2);
        let mut next = || quoted.next().expect("a name");
        let (path, hash, command) = (next(), next(), next());
        let bytes = fs::read(repository().join(path)).expect("weights");
        assert_eq!(hash_of(&bytes), hash, "{path}");
        rows += 1;
        size += bytes.len();
        let Some(file) = command.strip_prefix("papamu learn ") else {
            continue;
        };
        let head = String::from_utf8_lossy(&bytes[..bytes.len().min(1000)]).into_owned();
        let says = |name: &str| {
            let line = head.lines().find_map(|line| line.strip_prefix(name));
            line.expect("a line").trim().to_owned()
        };
        let generation = format!("generation {} ", says("generation "));
        let games = format!(" {} games", says("games "));
        assert!(row.contains(&generation), "{path}: {generation}");
        assert!(row.replace(',', "").contains(&games), "{path}:{games}");
        if !row.contains("file of commit ") {
            let plan = fs::read(repository().join(file)).expect("a plan");
            assert_eq!(says("learning "), hash_of(&plan), "{path}");
            traced += 1;
        }
    }
    assert!(traced > 5 && rows == 12, "{traced} of {rows}");
    // As much as the repository is meant to hold.
    assert!(size < 4 << 20, "{size} bytes");
}
