//! The tables of `docs/analysis.md` have the fields that the program has, and no others.

use crate::serve::{answers, one};
use analysis::Query;
use serde_json::{Value, json};
use std::collections::BTreeSet;
use std::fs;

fn page() -> String {
    let page = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/analysis.md");
    fs::read_to_string(page).expect("the page")
}

type Names = BTreeSet<String>;

/// What is between backquotes in a text.
fn names(text: &str) -> impl Iterator<Item = String> {
    text.split('`').skip(1).step_by(2).map(str::to_owned)
}

/// The rows of the first table after some words, by their cells.
fn rows(page: &str, after: &str) -> Vec<Vec<String>> {
    let (_, rest) = page
        .split_once(after)
        .unwrap_or_else(|| panic!("{after:?} is not on the page"));
    let lines = rest.lines().skip_while(|line| !line.starts_with('|'));
    let table = lines.take_while(|line| line.starts_with('|')).skip(2);
    let cells = |line: &str| line.split('|').skip(1).map(str::to_owned).collect();
    table.map(cells).collect()
}

/// The names in the first column of a table.
fn fields(page: &str, after: &str) -> Names {
    let rows = rows(page, after);
    rows.iter().flat_map(|row| names(&row[0])).collect()
}

/// The names in the meaning of a field.
fn below(page: &str, after: &str, field: &str) -> Names {
    let rows = rows(page, after);
    let row = rows
        .iter()
        .find(|row| row[0].contains(&format!("`{field}`")));
    names(&row.expect("the field")[1]).collect()
}

fn keys<'a>(objects: impl IntoIterator<Item = &'a Value>) -> Names {
    let objects = objects
        .into_iter()
        .map(|object| object.as_object().expect("an object"));
    objects.flat_map(|object| object.keys().cloned()).collect()
}

fn set(names: &[&str]) -> Names {
    names.iter().map(|&name| name.to_owned()).collect()
}

/// The fields of a query, but for the options of boards. One that is new does not compile here.
fn own_fields() -> Names {
    macro_rules! names {
        ($($name:ident),*) => {{
            let _ = |Query { options: _, $($name: _),* }: Query| ();
            set(&[$(stringify!($name)),*])
        }};
    }
    names!(
        id,
        schema,
        game,
        dialect,
        moves,
        turns,
        player,
        set,
        seed,
        time,
        simulations,
        nodes,
        depth,
        priority,
        every,
        report,
        most_moves
    )
}

#[test]
fn the_fields_of_queries_are_on_the_page() {
    let options = registry::options();
    let options = options.iter().map(|(option, _)| option.name.to_owned());
    let known = own_fields().into_iter().chain(set(&["action"]));
    let known: Names = known.chain(options).collect();
    assert_eq!(fields(&page(), "## Queries"), known);
}

#[test]
fn the_fields_on_the_page_are_accepted_and_others_are_not() {
    for field in fields(&page(), "## Queries") {
        let mut query = match field.as_str() {
            "rows" | "cols" => json!({"game": "konane", "rows": 6, "cols": 6}),
            "setup" => json!({"game": "konane", "setup": "centre"}),
            "opening" => json!({"game": "konane", "opening": "any"}),
            _ => json!({
                "action": "analyse", "game": "havannah", "schema": 1, "size": 4, "dialect": "grid", "moves": "d4", "turns": [1],
                "player": "uct", "set": {"exploration": 0.5}, "seed": 2, "time": 60, "simulations": 5,
                "nodes": 1000, "depth": 100, "priority": 1, "every": 3600, "report": ["moves"], "most_moves": 3,
            }),
        };
        match field.as_str() {
            "swap" => query["swap"] = json!(true),
            "stones" | "turn" => {
                query["stones"] = json!("white a1 a2 black b2");
                query["turn"] = json!("black");
            }
            _ => {}
        }
        query["id"] = json!("q");
        assert!(query.get(&field).is_some(), "no query has {field}");
        assert_eq!(one(&query)["type"], "result", "{query}");
        let other = format!("{field}_");
        query[&other] = query[&field].clone();
        assert_eq!(one(&query)["field"], other.as_str(), "{query}");
    }
}

#[test]
fn the_items_of_reports_are_on_the_page() {
    let page = page();
    let (_, list) = page.split_once("`report` can have").expect("the list");
    let items = list
        .lines()
        .skip(2)
        .map_while(|line| line.strip_prefix("- "));
    let items: Names = items.filter_map(|line| names(line).next()).collect();
    let refused = one(&json!({"id": "q", "game": "hex", "report": ["all"]}));
    let error = refused["error"].as_str().unwrap_or_default();
    let (_, known) = error.split_once("expected one of ").expect("a list");
    let known: Names = names(known).map(|item| format!("{item:?}")).collect();
    assert_eq!(items, known);
}

/// All kinds of answers, with all that a position can have.
fn all_answers() -> Vec<Value> {
    let all = [
        "moves",
        "lines",
        "review",
        "statistics",
        "network",
        "structures",
    ];
    let lines = [
        json!({"id": "p", "game": "havannah", "size": 4, "moves": "d4 c3", "turns": "all", "report": all,
               "simulations": 500, "player": "all", "every": 0.01}),
        json!({"id": "wait", "game": "hex", "priority": -1, "time": 1e6}),
        json!({"id": "cancel", "action": "cancel", "of": "wait"}),
        json!({"id": "v", "action": "version"}),
        json!({"id": "e", "game": "hex", "komi": 7}),
    ];
    answers(&lines.map(|line| line.to_string()), 1)
}

#[test]
fn the_fields_of_answers_are_on_the_page() {
    let (page, answers) = (page(), all_answers());
    let of = |kind: &'static str| answers.iter().filter(move |answer| answer["type"] == kind);
    let position = fields(&page, "**of the side to move**");
    let types = rows(&page, "## Answers");
    for row in &types {
        let kind = names(&row[0]).next().expect("a type");
        let known = if row[2].contains("those of a position") {
            position.clone()
        } else {
            names(&row[2]).collect()
        };
        let found = answers
            .iter()
            .filter(|answer| answer["type"] == kind.as_str());
        let mut found = keys(found);
        if kind == "partial" {
            // None may have come, and it has less than a result.
            assert!(found.is_subset(&known.into_iter().chain(set(&["type"])).collect()));
            continue;
        }
        assert!(
            found.remove("type"),
            "no answer of type {kind}: {answers:?}"
        );
        assert_eq!(found, known, "{kind}");
    }
    let types: Names = types.iter().flat_map(|row| names(&row[0])).collect();
    let unknown = answers
        .iter()
        .filter(|answer| !types.contains(answer["type"].as_str().unwrap_or_default()));
    assert_eq!(unknown.count(), 0);

    let list = |field: &'static str| {
        of("result").flat_map(move |answer| answer[field].as_array().into_iter().flatten())
    };
    assert_eq!(
        fields(&page, "Each of the `moves` has"),
        keys(list("moves"))
    );
    let inside = |field: &'static str| of("result").filter_map(move |answer| answer.get(field));
    for field in ["review", "statistics", "network", "structures"] {
        assert_eq!(
            fields(&page, &format!("\n`{field}` has")),
            keys(inside(field)),
            "{field}"
        );
    }
    let statistics = "\n`statistics` has";
    let phases = inside("statistics").map(|found| &found["phases"]);
    assert_eq!(below(&page, statistics, "phases"), keys(phases));
    let ends =
        inside("statistics").flat_map(|found| found["ends"].as_array().into_iter().flatten());
    assert_eq!(below(&page, statistics, "ends"), keys(ends));
    let likely =
        inside("network").flat_map(|found| found["moves"].as_array().into_iter().flatten());
    assert_eq!(below(&page, "\n`network` has", "moves"), keys(likely));
    for list in ["ends", "cells"] {
        let told =
            inside("structures").flat_map(|found| found[list].as_array().into_iter().flatten());
        assert_eq!(below(&page, "\n`structures` has", list), keys(told));
    }
}
