//! Who may talk to the server, and what nobody may do.

use crate::support::Running;
use serde_json::json;

#[tokio::test]
async fn other_pages_and_other_names_are_refused() {
    let server = Running::start(None).await;
    let host = server.address.to_string();
    let port = server.address.port();
    let own = format!("http://{host}");
    let local = format!("localhost:{port}");
    for (headers, expected) in [
        (vec![("host", host.as_str())], 200),
        (vec![("host", &local)], 200),
        (vec![("host", &host), ("origin", &own)], 200),
        (vec![("host", "papamu.example")], 403),
        (vec![("host", "papamu.example:80")], 403),
        (
            vec![("host", &host), ("origin", "http://evil.example")],
            403,
        ),
        (vec![("host", &host), ("origin", "null")], 403),
        (vec![], 403),
    ] {
        let answer = server.get("/api/games", &headers).await;
        assert_eq!(answer.status, expected, "{headers:?}");
    }
}

#[tokio::test]
async fn answers_forbid_inline_scripts_and_foreign_frames() {
    let server = Running::start(None).await;
    for path in ["/", "/api/games", "/nothing"] {
        let answer = server.own("GET", path, "").await;
        let policy = answer.header("content-security-policy");
        assert!(policy.contains("default-src 'self'"), "{policy}");
        assert!(policy.contains("frame-ancestors 'none'"), "{policy}");
        assert!(!policy.contains("unsafe"), "{policy}");
        assert_eq!(answer.header("x-content-type-options"), "nosniff");
    }
}

#[tokio::test]
async fn with_a_token_nothing_is_answered_without_it() {
    let server = Running::start(Some("secret")).await;
    let host = server.address.to_string();
    let with = |cookie| vec![("host", host.as_str()), ("cookie", cookie)];
    let status = async |cookie| server.get("/api/games", &with(cookie)).await.status;
    assert_eq!(status("").await, 403);
    assert_eq!(status("papamu_token=secreT").await, 403);
    assert_eq!(status("papamu_token=secrets").await, 403);
    assert_eq!(status("other=1; papamu_token=secret").await, 200);
    let welcome = server.get("/?token=secret", &with("")).await;
    assert_eq!(welcome.status, 303);
    let cookie = welcome.header("set-cookie");
    assert!(cookie.contains("papamu_token=secret"), "{cookie}");
    assert!(cookie.contains("HttpOnly; SameSite=Strict"), "{cookie}");
}

#[tokio::test]
async fn a_server_for_others_needs_a_token() {
    let folder = tempfile::tempdir().unwrap();
    let mut config = crate::support::config(folder.path(), None);
    config.address = "0.0.0.0:0".parse().unwrap();
    let refused = web::Server::start(config).await.err().unwrap();
    assert!(refused.to_string().contains("needs a token"), "{refused}");
}

#[tokio::test]
async fn a_server_for_others_says_where_they_reach_it_and_with_what() {
    let folder = tempfile::tempdir().unwrap();
    let mut config = crate::support::config(folder.path(), Some("secret"));
    config.address = "0.0.0.0:0".parse().unwrap();
    let server = web::Server::start(config).await.unwrap();
    let port = server.address().port();
    let link = server.link();
    assert!(link.ends_with(&format!(":{port}/?token=secret")), "{link}");
}

#[tokio::test]
async fn too_large_requests_and_paths_are_refused() {
    let server = Running::start(None).await;
    let large = "x".repeat(5 << 20);
    let answer = server.own("POST", "/api/files/read", &large).await;
    assert_eq!(answer.status, 413);
    assert!(answer.body.contains("at most 4 MiB"), "{}", answer.body);
    for path in [
        "/../Cargo.toml",
        "/%2e%2e/Cargo.toml",
        "//etc/passwd",
        "/assets/../../x",
    ] {
        assert_eq!(server.own("GET", path, "").await.status, 404, "{path}");
    }
}

#[tokio::test]
async fn saved_games_outlive_the_server() {
    let folder = tempfile::tempdir().unwrap();
    let server = Running::start_in(folder.path(), None).await;
    let sgf = "(;FF[4]GM[havannah]SZ[4];W[a1];B[b2]C[why?])";
    let game = json!({"title": "A game", "sgf": sgf});
    let saved = server.post("/api/saved", &game).await;
    assert_eq!(saved.status, 200, "{}", saved.body);
    let broken = json!({"title": "No game", "sgf": "hello"});
    assert_eq!(server.post("/api/saved", &broken).await.status, 400);
    drop(server);
    let server = Running::start_in(folder.path(), None).await;
    let list = server.own("GET", "/api/saved", "").await.json();
    assert_eq!(list.as_array().unwrap().len(), 1);
    let path = format!("/api/saved/{}", list[0]["id"]);
    let sgf = server.own("GET", &path, "").await.body;
    let trees = server.own("POST", "/api/files/read", &sgf).await.json();
    assert_eq!(trees[0]["nodes"][2]["comment"], "why?");
    assert_eq!(server.own("DELETE", &path, "").await.status, 200);
    assert_eq!(server.own("GET", &path, "").await.status, 404);
}

#[tokio::test]
async fn trees_are_written_read_and_translated() {
    let server = Running::start(None).await;
    let tree = json!({
        "state": {"game": "havannah", "board": {"size": "4"}},
        "nodes": [
            {},
            {"parent": 0, "move": "e4"},
            {"parent": 0, "move": "a1", "comment": "or ]this"},
            {"parent": 1, "move": "b2"},
        ],
    });
    let sgf = server.post("/api/files/sgf", &tree).await.body;
    let read = server.own("POST", "/api/files/read", &sgf).await.json();
    let nodes = read[0]["nodes"].as_array().unwrap()[1..].iter();
    let mut moves: Vec<&str> = nodes.map(|node| node["move"].as_str().unwrap()).collect();
    moves.sort_unstable();
    assert_eq!(moves, ["a1", "b2", "e4"]);
    let row = server.post("/api/files/dialect/row", &tree).await.json();
    // Row e of size 4 begins in column 2 of the grid.
    assert_eq!(row["nodes"][1]["move"], "e3");
    let back = server.post("/api/files/dialect/grid", &row).await.json();
    assert_eq!(back["nodes"], tree["nodes"]);
    for (place, wrong) in [
        (1, json!({"parent": 7, "move": "a1"})),
        (2, json!({"move": "a1"})),
    ] {
        let mut broken = tree.clone();
        broken["nodes"][place] = wrong;
        assert_eq!(server.post("/api/files/sgf", &broken).await.status, 400);
    }
}

#[tokio::test]
async fn threats_of_both_games() {
    let server = Running::start(None).await;
    // White lacks one stone of a bridge from a1 to a4.
    let bridge = json!({
        "game": "havannah", "board": {"size": "4"},
        "moves": ["a1", "g6", "a2", "g5", "a3"],
    });
    let seen = server.post("/api/threats", &bridge).await.json();
    assert_eq!(seen["winning"], json!([]));
    assert_eq!(seen["must_block"], json!(["a4"]));
    let expected = server.post("/api/structures", &bridge).await.json();
    assert!(expected["games"].as_u64() > Some(7), "{expected}");
    let konane = json!({
        "game": "konane", "board": {"rows": 4, "cols": 4, "setup": "corner"},
        "moves": ["a3-a1"],
    });
    let none = server.post("/api/structures", &konane).await.json();
    assert_eq!(none, json!({"games": 0, "ends": [], "cells": []}));
    let seen = server.post("/api/threats", &konane).await.json();
    assert!(seen["value"].is_string(), "{seen}");
}

#[tokio::test]
async fn what_a_file_says_besides_is_kept() {
    let server = Running::start(None).await;
    let sgf = "(;FF[4]EV[Cup\\]1]DT[2009-01-02]PB[Ann]PW[Bob]SZ[4]RU[LG]RE[B]XY[1][2]\
               ;W[F3]WL[59];B[swap];W[B4]TR[G1][B4]LB[G1:x]N[a node];C[more](;B[D2];W[resign])(;B[G1]))";
    let read = server.own("POST", "/api/files/read", sgf).await.json();
    let written = server.post("/api/files/sgf", &read[0]).await.body;
    let kept = [
        "EV[Cup\\]1]",
        "DT[2009-01-02]",
        "RU[LG]",
        "RE[B]",
        "XY[1][2]",
        "WL[59]",
        "TR[g1][b4]",
        "N[a node]",
        "C[more]",
        "W[resign]",
    ];
    let same = |value: &str| value.to_lowercase();
    for property in kept {
        assert!(
            same(&written).contains(&same(property)),
            "{property}: {written}"
        );
    }
    let again = server.own("POST", "/api/files/read", &written).await.json();
    for key in ["state", "nodes", "white", "black", "result", "faults"] {
        assert_eq!(again[0][key], read[0][key], "{key}");
    }
    let grid = server
        .post("/api/files/dialect/grid", &read[0])
        .await
        .json();
    let written = server.post("/api/files/sgf", &grid).await.body;
    assert!(written.contains("TR[g4][b4]LB[g4:x]"), "{written}");
    let mut broken = read[0].clone();
    for wrong in [
        json!({"name": "B[", "values": ["a1"]}),
        json!({"name": "XX", "values": ["]"]}),
        json!({"name": "XX", "values": []}),
    ] {
        broken["properties"] = json!([wrong]);
        assert_eq!(server.post("/api/files/sgf", &broken).await.status, 400);
    }
}
