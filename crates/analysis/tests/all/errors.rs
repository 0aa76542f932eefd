//! What is answered to queries that are wrong.

use crate::serve::one;
use analysis::{Defaults, Job, Query};
use engine::Setting;
use serde_json::{Map, Value, json};

/// Queries that have no answer, the field that is wrong, and a part of the reason.
const WRONG: &[(&str, &str, &str)] = &[
    (r#"{"size": 4}"#, "", "missing field `game`"),
    (r#"{"game": "chess"}"#, "game", "expected havannah"),
    (r#"{"game": 7}"#, "game", "expected a string"),
    (
        r#"{"game": "havannah", "size": 99}"#,
        "size",
        "not a board size",
    ),
    (
        r#"{"game": "havannah", "size": "4x4"}"#,
        "size",
        "not a board size",
    ),
    (
        r#"{"game": "havannah", "size": []}"#,
        "size",
        "a number such as 8",
    ),
    (r#"{"game": "hex", "size": 2}"#, "size", "from 3 to 19"),
    (
        r#"{"game": "konane", "size": "small"}"#,
        "size",
        "not a size",
    ),
    (r#"{"game": "konane", "size": 25}"#, "size", "25"),
    (
        r#"{"game": "konane", "size": 6, "rows": 8}"#,
        "size",
        "or rows and cols",
    ),
    (r#"{"game": "konane", "rows": 99}"#, "rows", "99"),
    (
        r#"{"game": "konane", "rows": "six", "cols": 8}"#,
        "rows",
        "six",
    ),
    (r#"{"game": "konane", "rows": 6, "cols": 99}"#, "cols", "99"),
    (r#"{"game": "konane", "cols": 0}"#, "cols", "0"),
    (
        r#"{"game": "konane", "cols": 1.5}"#,
        "cols",
        "a whole number",
    ),
    (
        r#"{"game": "konane", "rows": 24, "cols": 24}"#,
        "rows",
        "24",
    ),
    (
        r#"{"game": "konane", "setup": "middle"}"#,
        "setup",
        "a setup is",
    ),
    (
        r#"{"game": "konane", "size": 6, "setup": "h8,h7"}"#,
        "setup",
        "h8",
    ),
    (
        r#"{"game": "konane", "opening": "queen"}"#,
        "opening",
        "not an opening",
    ),
    (
        r#"{"game": "konane", "setup": "centre", "opening": "any"}"#,
        "opening",
        "removed already",
    ),
    (
        r#"{"game": "konane", "swap": true}"#,
        "swap",
        "no option swap",
    ),
    (
        r#"{"game": "havannah", "rows": 6}"#,
        "rows",
        "no option rows",
    ),
    (
        r#"{"game": "havannah", "swap": "perhaps"}"#,
        "swap",
        "yes or no",
    ),
    (
        r#"{"game": "havannah", "swap": 1}"#,
        "swap",
        "true or false",
    ),
    (
        r#"{"game": "havannah", "stones": "a1 b2"}"#,
        "stones",
        "white or black before",
    ),
    (
        r#"{"game": "havannah", "stones": "white z9"}"#,
        "stones",
        "z9",
    ),
    (
        r#"{"game": "hex", "stones": "white swap"}"#,
        "stones",
        "not a cell",
    ),
    (
        r#"{"game": "konane", "stones": "white a1"}"#,
        "stones",
        "cell of black",
    ),
    (
        r#"{"game": "havannah", "swap": true, "stones": "white a1"}"#,
        "stones",
        "no swap rule",
    ),
    (
        r#"{"game": "havannah", "size": 2, "stones": "white a1 a2 black c3"}"#,
        "stones",
        "the game is over",
    ),
    (
        r#"{"game": "havannah", "turn": "white"}"#,
        "turn",
        "stones are missing",
    ),
    (
        r#"{"game": "havannah", "stones": "white a1", "turn": "red"}"#,
        "turn",
        "expected white or black",
    ),
    (
        r#"{"game": "havannah", "moves": "a1 a1"}"#,
        "moves",
        "move 2 (a1)",
    ),
    (
        r#"{"game": "havannah", "moves": ["a1", 2]}"#,
        "moves",
        "a list of moves",
    ),
    (
        r#"{"game": "havannah", "moves": 7}"#,
        "moves",
        "a list of moves",
    ),
    (
        r#"{"game": "havannah", "turns": [1]}"#,
        "turns",
        "the game has 0 moves",
    ),
    (
        r#"{"game": "havannah", "turns": []}"#,
        "turns",
        "at least one",
    ),
    (
        r#"{"game": "havannah", "turns": "some"}"#,
        "turns",
        "a list of numbers",
    ),
    (
        r#"{"game": "havannah", "player": "nobody"}"#,
        "player",
        "there are",
    ),
    (
        r#"{"game": "havannah", "player": []}"#,
        "player",
        "expected a string",
    ),
    (
        r#"{"game": "havannah", "set": {"colour": 1}}"#,
        "set",
        "no parameter",
    ),
    (
        r#"{"game": "havannah", "set": {"memory": [1]}}"#,
        "set",
        "expected a number",
    ),
    (
        r#"{"game": "havannah", "set": {"memory": -1}}"#,
        "set",
        "expected",
    ),
    (
        r#"{"game": "havannah", "set": "memory=64"}"#,
        "set",
        "expected a map",
    ),
    (
        r#"{"game": "havannah", "seed": -1}"#,
        "seed",
        "expected u64",
    ),
    (r#"{"game": "havannah", "time": -1.0}"#, "time", "from 0"),
    (
        r#"{"game": "havannah", "time": "long"}"#,
        "time",
        "expected f64",
    ),
    (
        r#"{"game": "havannah", "simulations": 0}"#,
        "simulations",
        "from 1",
    ),
    (
        r#"{"game": "havannah", "simulations": "many"}"#,
        "simulations",
        "invalid type",
    ),
    (r#"{"game": "havannah", "nodes": 0}"#, "nodes", "from 1"),
    (
        r#"{"game": "havannah", "nodes": 1.5}"#,
        "nodes",
        "expected u64",
    ),
    (r#"{"game": "havannah", "depth": 0}"#, "depth", "from 1"),
    (
        r#"{"game": "havannah", "depth": 5000000000}"#,
        "depth",
        "expected u32",
    ),
    (
        r#"{"game": "havannah", "priority": "high"}"#,
        "priority",
        "expected i64",
    ),
    (
        r#"{"game": "havannah", "every": 0.0}"#,
        "every",
        "from 0.01",
    ),
    (
        r#"{"game": "havannah", "report": ["score"]}"#,
        "report",
        "unknown variant",
    ),
    (
        r#"{"game": "havannah", "report": "moves"}"#,
        "report",
        "a sequence",
    ),
    (
        r#"{"game": "havannah", "most_moves": -1}"#,
        "most_moves",
        "expected usize",
    ),
    (
        r#"{"game": "havannah", "dialect": "morse"}"#,
        "dialect",
        "no dialect",
    ),
    (
        r#"{"game": "hex", "dialect": "grid"}"#,
        "dialect",
        "no dialect",
    ),
    (
        r#"{"game": "havannah", "komi": 7}"#,
        "komi",
        "unknown field",
    ),
    (
        r#"{"game": "havannah", "schema": 2}"#,
        "schema",
        "expected 1",
    ),
    (
        r#"{"game": "havannah", "schema": "1"}"#,
        "schema",
        "expected u32",
    ),
    (r#"{"action": "sing"}"#, "action", "expected analyse"),
    (r#"{"action": 1}"#, "action", "expected analyse"),
    (r#"{"action": "cancel"}"#, "", "missing field `of`"),
    (
        r#"{"action": "cancel", "of": 1}"#,
        "of",
        "expected a string",
    ),
    (
        r#"{"action": "cancel", "of": "x"}"#,
        "of",
        r#"no query "x" is open"#,
    ),
    (r#"{"action": "version", "of": "x"}"#, "of", "unknown field"),
];

#[test]
fn what_is_wrong_is_told_with_the_id_and_the_field() {
    let mut other = Vec::new();
    for &(query, field, why) in WRONG {
        let mut query: Value = serde_json::from_str(query).expect("JSON");
        query["id"] = json!("q");
        assert!(field.is_empty() || query.get(field).is_some(), "{query}");
        let answer = one(&query);
        let named = answer["field"].as_str().unwrap_or_default();
        let error = answer["error"].as_str().unwrap_or_default();
        let is_told = answer["type"] == "error" && answer["id"] == "q";
        if !is_told || named != field || !error.contains(why) {
            other.push(format!("{query}: {answer}"));
        }
    }
    assert!(other.is_empty(), "{}", other.join("\n"));
}

#[test]
fn an_id_that_is_no_text_is_told_as_it_is() {
    let answer = one(&json!({"id": 7, "game": "havannah"}));
    assert_eq!(
        (&answer["id"], &answer["field"]),
        (&json!("7"), &json!("id"))
    );
    let answer = one(&json!({"game": "havannah"}));
    assert_eq!((&answer["id"], answer.get("field")), (&Value::Null, None));
}

/// The defaults are those of the command line, so that a query cannot be blamed for them.
#[test]
fn what_is_wrong_with_the_defaults_is_no_field() {
    let setting = |name: &str| Setting {
        name: name.to_owned(),
        value: "1".to_owned(),
    };
    let field = |query: Value, player: &str, settings: &[&str]| {
        let query: Query = query.to_string().parse().expect("a query");
        let defaults = Defaults {
            player: (!player.is_empty()).then(|| player.to_owned()),
            settings: settings.iter().map(|name| setting(name)).collect(),
            ..Defaults::default()
        };
        Job::new(query, &defaults).err().expect("refused").field
    };
    let konane = json!({"id": "q", "game": "konane"});
    assert_eq!(field(konane.clone(), "rave", &[]), None);
    assert_eq!(field(konane.clone(), "", &["colour"]), None);
    let mut own = konane;
    own["set"] = json!(Map::from_iter([("taste".to_owned(), json!(1))]));
    assert_eq!(field(own, "", &[]).as_deref(), Some("set"));
}

#[test]
fn a_text_is_a_query_or_names_its_field() {
    let read = |text: &str| text.parse::<Query>().map(|query| query.id);
    assert_eq!(read(r#"{"id": "a", "game": "hex"}"#).as_deref(), Ok("a"));
    let refused = read(r#"{"id": "a", "game": "go"}"#).expect_err("no such game");
    assert_eq!(refused.field.as_deref(), Some("game"));
    assert_eq!(read("[]").expect_err("a list").field, None);
}
