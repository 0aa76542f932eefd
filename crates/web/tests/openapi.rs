//! The description of the interface: it is the one that the browser app is built from, and the server
//! answers as it says.

mod support;

use proptest::prelude::*;
use proptest::test_runner::{Config, TestRunner};
use serde_json::{Value, json};
use std::path::Path;
use support::Running;

fn described() -> Value {
    serde_json::from_str(&web::openapi().to_json().unwrap()).unwrap()
}

/// `BLESS=1` writes it.
#[test]
fn the_description_in_the_sources_is_the_present_one() {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../ui/openapi.json");
    let now = web::openapi().to_pretty_json().unwrap() + "\n";
    if std::env::var_os("BLESS").is_some() {
        std::fs::write(&file, &now).unwrap();
    }
    let known = std::fs::read_to_string(&file).unwrap_or_default();
    assert!(known == now, "ui/openapi.json is not current: make bless");
}

/// A value of a schema now and then, and otherwise anything: what it may be is the server's to find out.
fn bodies() -> impl Strategy<Value = Value> {
    let word = prop_oneof![
        Just("havannah"),
        Just("konane"),
        Just("4"),
        Just("5"),
        Just("4x4x5"),
        Just("999999"),
        Just("a1"),
        Just("b2"),
        Just("c1-a1"),
        Just("swap"),
        Just("corner"),
        Just("grid"),
        Just("row"),
        Just("any"),
        Just(""),
        Just("ā\u{0}"),
        Just("-1"),
        Just("a99999999999"),
    ];
    let leaf = prop_oneof![
        word.prop_map(|word| json!(word)),
        any::<i64>().prop_map(|number| json!(number)),
        (0u32..20).prop_map(|number| json!(number)),
        any::<bool>().prop_map(|yes| json!(yes)),
        Just(Value::Null),
    ];
    let names = [
        "game", "board", "moves", "dialect", "size", "rows", "cols", "setup", "opening", "swap",
        "state", "nodes", "parent", "move", "comment", "title", "sgf",
    ];
    leaf.prop_recursive(4, 40, 6, move |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..5).prop_map(|list| json!(list)),
            prop::collection::hash_map(prop::sample::select(names.to_vec()), inner, 0..6)
                .prop_map(|map| json!(map)),
        ]
    })
}

/// Bodies of the right form whose values need not make sense.
fn games() -> impl Strategy<Value = Value> {
    let cell = "[a-k]([0-9]|1[0-9])(-[a-k][0-9])?";
    let moves = prop::collection::vec(cell, 0..6);
    let board = (
        prop::option::of(prop_oneof!["[0-9]{1,2}", "[1-6]x[1-6]x[1-6]"]),
        prop::option::of(0u32..40),
        prop::option::of(0u32..40),
        any::<bool>(),
    );
    let game = prop_oneof![Just("havannah"), Just("konane")];
    (game, board, moves).prop_map(|(game, (size, rows, cols, swap), moves)| {
        let board = json!({"size": size, "rows": rows, "cols": cols, "swap": swap});
        let state = json!({"game": game, "board": board, "moves": moves});
        let played = (0..moves.len()).map(|place| json!({"parent": place, "move": moves[place]}));
        let nodes: Vec<Value> = std::iter::once(json!({})).chain(played).collect();
        let tree = json!({"state": {"game": game, "board": board}, "nodes": nodes});
        json!({"tree": tree, "state": state})
    })
}

/// Every operation, asked with bodies of all kinds, answers with a status that it describes, or refuses
/// the form of the body, and what it answers has the form that is described.
#[test]
fn answers_are_as_described() {
    let runtime = tokio::runtime::Runtime::new().unwrap();
    let server = runtime.block_on(Running::start(None));
    let described = described();
    let paths = described["paths"].as_object().unwrap();
    let mut runner = TestRunner::new(Config {
        cases: 60,
        failure_persistence: None,
        ..Config::default()
    });
    for (path, operations) in paths {
        for (method, operation) in operations.as_object().unwrap() {
            let has_body = operation.get("requestBody").is_some();
            let cases = (bodies(), games(), any::<bool>(), "[a-z0-9./%]{1,8}");
            let run = runner.run(&cases, |(any, game, formed, word)| {
                let wanted = &operation["requestBody"]["content"]["application/json"]["schema"];
                let of_tree = wanted["$ref"] == "#/components/schemas/GameTree";
                let body = match (has_body, formed, of_tree) {
                    (false, _, _) => String::new(),
                    (_, false, _) => any.to_string(),
                    (_, true, true) => game["tree"].to_string(),
                    (_, true, false) => game["state"].to_string(),
                };
                let path = filled(path, &word);
                let method = method.to_uppercase();
                let answer = runtime.block_on(server.own(&method, &path, &body));
                let status = answer.status.to_string();
                let known = operation["responses"].get(&status);
                // The form of a body or a path is refused before the operation is asked.
                let refused = [400, 404, 415, 422].contains(&answer.status);
                prop_assert!(
                    known.is_some() || refused,
                    "{method} {path} {body}: {status} {}",
                    answer.body
                );
                let schema = known.map(|known| &known["content"]["application/json"]["schema"]);
                if let Some(schema) = schema.filter(|schema| schema.is_object() && !refused) {
                    let fault = fault(&described, schema, &answer.json());
                    prop_assert_eq!(fault, None, "{} {} {}", method, path, body);
                }
                Ok(())
            });
            run.unwrap_or_else(|why| panic!("{method} {path}: {why}"));
        }
    }
}

/// A path with something in the place of each parameter.
fn filled(path: &str, word: &str) -> String {
    let part = |part: &str| {
        if part.starts_with('{') {
            word.replace(['/', '.'], "").replace('%', "%25")
        } else {
            part.to_owned()
        }
    };
    path.split('/').map(part).collect::<Vec<_>>().join("/")
}

/// Where a value is not of a schema, as far as schemas are used here.
fn fault(described: &Value, schema: &Value, value: &Value) -> Option<String> {
    let wrong = || Some(format!("{value} is not {schema}"));
    if let Some(name) = schema["$ref"].as_str() {
        let pointer = name.trim_start_matches('#');
        return fault(described, described.pointer(pointer)?, value);
    }
    for kind in ["oneOf", "anyOf"] {
        if let Some(choices) = schema[kind].as_array() {
            let fits = |choice: &Value| fault(described, choice, value).is_none();
            return if choices.iter().any(fits) {
                None
            } else {
                wrong()
            };
        }
    }
    let kinds: Vec<&str> = match &schema["type"] {
        Value::String(kind) => vec![kind],
        Value::Array(kinds) => kinds.iter().filter_map(Value::as_str).collect(),
        _ => return None,
    };
    let kind = match value {
        Value::Null => "null",
        Value::Bool(_) => "boolean",
        Value::Number(number) if number.is_f64() => "number",
        Value::Number(_) => "integer",
        Value::String(_) => "string",
        Value::Array(_) => "array",
        Value::Object(_) => "object",
    };
    if !(kinds.contains(&kind) || kind == "integer" && kinds.contains(&"number")) {
        return wrong();
    }
    if let Value::Array(items) = value {
        return items
            .iter()
            .find_map(|item| fault(described, &schema["items"], item));
    }
    let Value::Object(fields) = value else {
        return None;
    };
    let required = schema["required"].as_array().into_iter().flatten();
    let lacks = required
        .filter_map(Value::as_str)
        .find(|name| !fields.contains_key(*name));
    if let Some(name) = lacks {
        return Some(format!("{value} lacks {name}"));
    }
    let of_field = |(name, field): (&String, &Value)| match schema["properties"].get(name) {
        Some(schema) => fault(described, schema, field),
        None => Some(format!("{name} is not described")),
    };
    fields.iter().find_map(of_field)
}
