//! Proofs of certificates, walked through over HTTP.

use crate::support::{Answer, Running, Socket};
use serde_json::{Value, json};

/// Solves a position, and gives the number of the certificate.
async fn solved(server: &Running, state: &Value) -> u64 {
    let mut page = Socket::open(server).await;
    let ask = json!({"type": "solve", "id": 1, "state": state, "certificate": true});
    page.ask(&ask).await;
    loop {
        let told = page.told().await.unwrap();
        if told["type"] == "solved" {
            return told["solved"]["certificate"].as_u64().unwrap();
        }
        assert_eq!(told["type"], "solving", "{told}");
    }
}

async fn explored(server: &Running, id: u64, state: &Value) -> Value {
    let path = format!("/api/certificates/{id}/explore");
    let answer = server.post(&path, &json!({"state": state})).await;
    assert_eq!(answer.status, 200, "{}", answer.body);
    answer.json()
}

fn after(state: &Value, moves: &[&Value]) -> Value {
    let mut after = state.clone();
    let played = after["moves"].as_array_mut().unwrap();
    played.extend(moves.iter().map(|&mv| mv.clone()));
    after
}

/// Every reply of the loser has an answer, after which the proof goes on as it was said to.
async fn walk(server: &Running, id: u64, state: &Value, depth: u32) {
    let place = explored(server, id, state).await;
    let plies = place["plies"].as_u64().unwrap();
    match place["state"].as_str().unwrap() {
        "plays" => {
            let next = after(state, &[&place["best"]]);
            let below = explored(server, id, &next).await;
            assert_eq!(below["plies"].as_u64().unwrap() + 1, plies);
            if depth > 0 {
                Box::pin(walk(server, id, &next, depth - 1)).await;
            }
        }
        "answers" => {
            let legal = server.post("/api/position", state).await.json()["legal"].clone();
            let replies = place["replies"].as_array().unwrap();
            let settled = place["settled"].as_u64().unwrap() as usize;
            assert_eq!(replies.len() + settled, legal.as_array().unwrap().len());
            for reply in replies {
                let next = after(state, &[&reply["move"]]);
                let below = explored(server, id, &next).await;
                assert_eq!(
                    (&below["state"], &below["best"]),
                    (&json!("plays"), &reply["answer"])
                );
                assert_eq!(below["positions"], reply["positions"]);
            }
            if let (Some(first), true) = (replies.first(), depth > 0) {
                let longest = replies
                    .iter()
                    .find(|reply| reply["move"] == place["line"][0]);
                assert_eq!(longest.unwrap()["plies"], first["plies"]);
                assert_eq!(first["plies"].as_u64().unwrap() + 1, plies);
                let next = after(state, &[&first["move"]]);
                Box::pin(walk(server, id, &next, depth - 1)).await;
            }
        }
        state => assert_eq!(state, "settled"),
    }
}

#[tokio::test]
async fn every_move_of_the_loser_has_a_refutation() {
    let server = Running::start(None).await;
    for state in [
        json!({"game": "havannah", "board": {"size": "3"}, "moves": ["a1"]}),
        json!({"game": "havannah", "board": {"size": "3"}, "moves": ["a1"], "dialect": "row"}),
        json!({"game": "konane", "board": {"size": "4", "setup": "corner"}, "moves": []}),
        json!({
            "game": "havannah", "moves": [],
            "board": {"size": "3", "stones": "white b2 d4 black c1", "turn": "black"},
        }),
    ] {
        let id = solved(&server, &state).await;
        walk(&server, id, &state, 6).await;
    }
}

#[tokio::test]
async fn what_is_not_in_the_proof_is_said_so() {
    let server = Running::start(None).await;
    let state = json!({"game": "konane", "board": {"size": "4", "setup": "corner"}, "moves": []});
    let id = solved(&server, &state).await;
    let ask = |id: u64, query: Value| {
        let server = &server;
        async move {
            let path = format!("/api/certificates/{id}/explore");
            let answer = server.post(&path, &query).await;
            (answer.status, answer.body)
        }
    };
    let other = json!({"game": "konane", "board": {"size": "5", "setup": "corner"}, "moves": []});
    let (status, said) = ask(id, json!({"state": other})).await;
    assert_eq!(status, 400);
    assert!(
        said.contains("the proof is about konane 4x4 corner"),
        "{said}"
    );
    assert_eq!(ask(id, json!({"state": state, "side": "red"})).await.0, 400);
    assert_eq!(ask(id + 1, json!({"state": state})).await.0, 404);
    // Where the strategy has one move, it does not come to the positions after the others.
    let place = explored(&server, id, &state).await;
    if place["state"] == "plays" {
        let legal = server.post("/api/position", &state).await.json()["legal"].clone();
        for mv in legal.as_array().unwrap() {
            let said = explored(&server, id, &after(&state, &[&mv["move"]])).await;
            assert_eq!(
                said["state"] == "nothing",
                mv["move"] != place["best"],
                "{said}"
            );
        }
    }
}

#[tokio::test]
async fn a_part_is_a_valid_certificate_of_its_position() {
    let server = Running::start(None).await;
    for state in [
        json!({"game": "havannah", "board": {"size": "3"}, "moves": ["a1"], "dialect": "row"}),
        json!({"game": "konane", "board": {"size": "4", "setup": "corner"}, "moves": []}),
    ] {
        let id = solved(&server, &state).await;
        let place = explored(&server, id, &state).await;
        let line = place["line"].as_array().unwrap();
        let at = after(&state, &[&line[0], &line[1]]);
        let path = format!("/api/certificates/{id}/part");
        let part = server.post(&path, &json!({"state": at})).await;
        assert_eq!(part.status, 200, "{}", part.body);
        let verify = "/api/certificates/verify";
        let verified = server.own_bytes("POST", verify, &part.bytes).await.json();
        assert_eq!(verified["valid"], true, "{verified}");
        assert_eq!(verified["claim"], place["claim"]);
        let legal = |position: &Answer| position.json()["legal"].as_array().unwrap().len();
        let found = server.post("/api/position", &verified["state"]).await;
        let asked = server.post("/api/position", &at).await;
        assert_eq!(legal(&found), legal(&asked), "{verified}");
        // It goes on as the whole proof does.
        let whole = explored(&server, id, &at).await;
        let number = verified["certificate"].as_u64().unwrap();
        let alone = explored(&server, number, &verified["state"]).await;
        for what in ["plies", "positions", "settled"] {
            assert_eq!(alone[what], whole[what]);
        }
        let unknown = format!("/api/certificates/{}/part", number + 9);
        assert_eq!(
            server.post(&unknown, &json!({"state": at})).await.status,
            404
        );
    }
}

#[tokio::test]
async fn there_is_no_part_where_the_strategy_does_not_come() {
    let server = Running::start(None).await;
    let state = json!({"game": "havannah", "board": {"size": "3"}, "moves": ["a1"]});
    let id = solved(&server, &state).await;
    let path = format!("/api/certificates/{id}/part");
    let place = explored(&server, id, &state).await;
    let reply = after(&state, &[&place["line"][0]]);
    let legal = server.post("/api/position", &reply).await.json()["legal"].clone();
    let mut refused = 0;
    for mv in legal.as_array().unwrap() {
        let elsewhere = after(&reply, &[&mv["move"]]);
        let answer = server.post(&path, &json!({"state": elsewhere})).await;
        if explored(&server, id, &elsewhere).await["state"] == "nothing" {
            assert_eq!(answer.status, 400);
            assert!(
                answer.body.contains("does not come to this position"),
                "{}",
                answer.body
            );
            refused += 1;
        }
    }
    assert!(refused > 0);
}
