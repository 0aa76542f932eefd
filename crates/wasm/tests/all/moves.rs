//! The moves of searches by seed and limit, in `tests/moves.json`: this is what the native program finds, and `moves.mjs`
//! asks the one in WebAssembly for the same.

use serde_json::{Value, json};
use std::path::Path;

/// What searches do that depend on no clock: the network on vectors, solvers beside a search, all three games.
fn queries() -> Vec<Value> {
    let havannah = |size: u32, moves: &str, seed: u32, simulations: u32| json!({"game": "havannah", "size": size, "moves": moves, "turns": "all", "seed": seed, "simulations": simulations});
    let konane = |size: &str, seed: u32, nodes: u32| json!({"game": "konane", "size": size, "setup": "corner", "seed": seed, "nodes": nodes});
    vec![
        havannah(4, "d4 c3 e5", 1, 2_000),
        havannah(5, "", 2, 2_000),
        havannah(6, "f6", 3, 1_000),
        havannah(8, "h8 g7", 4, 500),
        json!({"game": "havannah", "size": 5, "player": "uct", "seed": 5, "simulations": 500}),
        konane("8", 1, 50_000),
        konane("6x8", 2, 50_000),
        json!({"game": "konane", "size": "8", "player": "uct", "seed": 6, "simulations": 500}),
        json!({"game": "hex", "size": 7, "seed": 7, "simulations": 2_000}),
    ]
}

/// What a search is compared by.
const COMPARED: [&str; 5] = ["turn", "best", "value", "line", "simulations"];

#[test]
fn the_moves_are_those_in_the_file() {
    let found: Vec<Value> = queries()
        .into_iter()
        .map(|mut query| {
            query["id"] = "moves".into();
            let answers: Vec<Value> =
                serde_json::from_str(&papamu_wasm::analyse(&query.to_string())).unwrap();
            let results = answers.iter().map(|answer| {
                assert_eq!(answer["type"], "result", "{answer}");
                let compared = COMPARED.map(|name| (name.to_owned(), answer[name].clone()));
                Value::Object(compared.into_iter().collect())
            });
            json!({"query": query, "results": results.collect::<Vec<_>>()})
        })
        .collect();
    let lines: Vec<String> = found.iter().map(Value::to_string).collect();
    let now = format!("[\n{}\n]\n", lines.join(",\n"));
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/moves.json");
    if std::env::var_os("BLESS").is_some() {
        std::fs::write(&file, &now).unwrap();
    }
    let known = std::fs::read_to_string(&file).unwrap_or_default();
    assert!(
        known == now,
        "crates/wasm/tests/moves.json is not current: make bless"
    );
}
