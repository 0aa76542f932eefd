//! Positions as a page is told of them: the page knows no rules, and has to be told all.

use crate::support::Running;
use serde_json::{Value, json};

async fn view(server: &Running, state: Value) -> Value {
    let answer = server.post("/api/position", &state).await;
    assert_eq!(answer.status, 200, "{}", answer.body);
    answer.json()
}

/// The numbers of the stones by their cells.
fn numbers(view: &Value) -> Vec<(String, u64)> {
    let cells = view["cells"].as_array().unwrap().iter();
    let numbered =
        cells.filter_map(|cell| Some((cell["name"].as_str()?, cell["number"].as_u64()?)));
    let mut numbers: Vec<_> = numbered
        .map(|(name, number)| (name.to_owned(), number))
        .collect();
    numbers.sort();
    numbers
}

#[tokio::test]
async fn moves_say_what_they_do_and_who_made_them() {
    let server = Running::start(None).await;
    let swap = json!({"game": "havannah", "board": {"size": "4", "swap": true}, "moves": ["d4"]});
    let told = view(&server, swap.clone()).await;
    let kinds = |view: &Value, kind: &str| {
        let legal = view["legal"].as_array().unwrap().iter();
        legal
            .filter(|mv| mv["kind"] == kind)
            .cloned()
            .collect::<Vec<_>>()
    };
    assert_eq!(
        kinds(&told, "swap"),
        [json!({"move": "swap", "kind": "swap", "cells": []})]
    );
    assert_eq!(kinds(&told, "place").len(), 36);
    let mut swapped = swap;
    swapped["moves"] = json!(["d4", "swap", "a1"]);
    let told = view(&server, swapped).await;
    let sides = [("white", "place"), ("black", "swap"), ("white", "place")];
    let played = sides.map(|(side, kind)| json!({"side": side, "kind": kind}));
    assert_eq!(told["played"], json!(played));
    assert_eq!(numbers(&told), [("a1".to_owned(), 3), ("d4".to_owned(), 1)]);
}

#[tokio::test]
async fn a_stone_that_jumps_takes_its_number_along() {
    let server = Running::start(None).await;
    let moves = ["a1", "b1", "a3-a1", "d1-b1"];
    let state = |count: usize| json!({"game": "konane", "board": {"rows": 4, "cols": 4}, "moves": moves[..count]});
    let opening = view(&server, state(0)).await;
    assert!(
        opening["legal"]
            .as_array()
            .unwrap()
            .iter()
            .all(|mv| mv["kind"] == "remove")
    );
    let told = view(&server, state(3)).await;
    assert_eq!(numbers(&told), [("a1".to_owned(), 3)]);
    let jump = json!({"move": "d1-b1", "kind": "jump", "cells": ["d1", "b1"]});
    assert!(
        told["legal"].as_array().unwrap().contains(&jump),
        "{}",
        told["legal"]
    );
    let told = view(&server, state(4)).await;
    assert_eq!(numbers(&told), [("a1".to_owned(), 3), ("b1".to_owned(), 4)]);
    assert_eq!(
        told["played"][1],
        json!({"side": "white", "kind": "remove"})
    );
}

/// A ring that one stone completes is a distance of one, and of two before that.
#[tokio::test]
async fn distances_know_rings() {
    let server = Running::start(None).await;
    let moves = "a1 f6 a2 a5 b1 d8 c2 e3 b3 c3 c6 c7 b6 c5 d3 e6 c4 d4 e4 d1 d5 d6";
    let moves: Vec<&str> = moves.split(' ').collect();
    let distance = |threats: &Value, cell: &str| {
        let all = threats["distances"].as_array().unwrap();
        let found = all.iter().find(|one| one["cell"] == cell).unwrap();
        found["white"].clone()
    };
    // White swaps nothing: the moves are those of a game with the swap rule in which nobody did.
    let state = |count: usize| json!({"game": "havannah", "board": {"size": "5", "swap": true}, "moves": moves[..count]});
    let told = server.post("/api/threats", &state(22)).await.json();
    assert!(told["winning"].as_array().unwrap().contains(&json!("e5")));
    assert_eq!(distance(&told, "e5"), 1);
    let before = server.post("/api/threats", &state(20)).await.json();
    assert_eq!(distance(&before, "e5"), 2);
}

#[tokio::test]
async fn a_file_that_contradicts_itself_says_so() {
    let server = Running::start(None).await;
    let file = |result: &str| {
        let moves = "W[a1];B[d2];W[a2];B[d3];W[a3];B[e3];W[a4]";
        format!("(;FF[4]GM[havannah]SZ[4]RE[{result}]DT[2026-01-31]PW[Ann];{moves})")
    };
    let read = async |result: &str| {
        let answer = server.own("POST", "/api/files/read", &file(result)).await;
        answer.json()[0].clone()
    };
    assert_eq!(read("W+").await["faults"], Value::Null);
    let wrong = read("B+").await;
    let fault = wrong["faults"][0].as_str().unwrap();
    assert_eq!(
        fault,
        "the file says that black won, but by its moves white won"
    );
    let written = server.post("/api/files/sgf", &wrong).await.body;
    assert!(
        written.contains("DT[2026-01-31]") && written.contains("PW[Ann]"),
        "{written}"
    );
}

#[tokio::test]
async fn what_is_known_of_a_game_is_saved_with_it() {
    let server = Running::start(None).await;
    let game = json!({"title": "A game", "sgf": "(;FF[4]GM[havannah]SZ[4];W[a1])", "study": "{\"review\":1}"});
    let id = server.post("/api/saved", &game).await.json();
    let known = server
        .own("GET", &format!("/api/saved/{id}/study"), "")
        .await;
    assert_eq!(known.json(), "{\"review\":1}");
    let missing = server.own("GET", "/api/saved/999/study", "").await;
    assert_eq!(missing.status, 404);
}
