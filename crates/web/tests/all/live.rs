//! The WebSocket: what a page is told, and what pages cannot do to each other.

use crate::support::{Running, Socket};
use serde_json::{Value, json};
use std::path::{Path, PathBuf};
use std::time::Duration;

fn position(moves: &[&str]) -> Value {
    json!({"game": "havannah", "board": {"size": "4"}, "moves": moves})
}

fn empty(size: &str) -> Value {
    json!({"game": "havannah", "board": {"size": size}})
}

#[tokio::test]
async fn a_malformed_message_closes_that_socket_alone() {
    let server = Running::start(None).await;
    let mut good = Socket::open(&server).await;
    for message in ["{", "[]", r#"{"type":"analyse"}"#, r#"{"id":-1}"#, "\0"] {
        let mut bad = Socket::open(&server).await;
        bad.send(message).await;
        assert_eq!(bad.told().await.unwrap()["type"], "refused");
        assert_eq!(bad.told().await, None, "{message}");
    }
    let mut long = Socket::open(&server).await;
    long.send(&"x".repeat(1 << 17)).await;
    assert_eq!(long.told().await, None);
    let ask = json!({"type": "move", "id": 1, "state": position(&[]), "level": "easy"});
    good.ask(&ask).await;
    assert_eq!(good.told().await.unwrap()["type"], "moved");
    assert_eq!(good.told().await.unwrap()["type"], "finished");
}

#[tokio::test]
async fn a_request_that_makes_no_sense_is_refused_by_its_name_and_the_page_goes_on() {
    let server = Running::start(None).await;
    let mut page = Socket::open(&server).await;
    let ask = |simulations: &str| {
        let state = position(&["a1"]);
        format!(r#"{{"type":"review","id":7,"state":{state},"simulations":{simulations}}}"#)
    };
    for simulations in ["12.5", "-5", "0", "1000001", "\"many\""] {
        page.send(&ask(simulations)).await;
        let told = page.told().await.unwrap();
        assert_eq!((&told["type"], &told["id"]), (&json!("refused"), &json!(7)));
    }
    page.send(&ask("20")).await;
    assert_eq!(page.told().await.unwrap()["type"], "reviewed");
}

#[tokio::test]
async fn a_review_may_begin_after_some_moves() {
    let server = Running::start(None).await;
    let mut page = Socket::open(&server).await;
    let state = position(&["a1", "b2", "c3"]);
    page.ask(&json!({"type": "review", "id": 1, "state": state, "simulations": 20, "after": 2}))
        .await;
    let reviewed = page.told().await.unwrap()["reviewed"].clone();
    assert_eq!(
        (&reviewed["ply"], &reviewed["move"]),
        (&json!(3), &json!("c3"))
    );
    assert_eq!(page.told().await.unwrap()["type"], "finished");
}

/// The move that a player found comes with the position after it, which is the one that the server gives.
#[tokio::test]
async fn a_move_comes_with_its_position() {
    let server = Running::start(None).await;
    let mut page = Socket::open(&server).await;
    let ask = json!({"type": "move", "id": 1, "state": position(&["a1"]), "level": "beginner"});
    page.ask(&ask).await;
    let told = page.told().await.unwrap();
    let after = position(&["a1", told["move"].as_str().unwrap()]);
    let known = server.post("/api/position", &after).await.json();
    assert_eq!(told["position"], known);
}

/// Each puzzle is the same whenever it is asked for, and one move alone wins in it: the solver is asked of every
/// move, which it was not told before.
#[tokio::test]
async fn one_move_alone_wins_a_puzzle() {
    let server = Running::start(None).await;
    for game in ["havannah", "konane"] {
        let mut puzzles = Vec::new();
        for _ in 0..2 {
            let mut page = Socket::open(&server).await;
            page.ask(&json!({"type": "puzzle", "id": 1, "game": game, "seed": 20_260_131}))
                .await;
            puzzles.push(page.told().await.unwrap()["puzzle"].clone());
        }
        assert_eq!(puzzles[0], puzzles[1]);
        let puzzle = &puzzles[0];
        let view = server.post("/api/position", &puzzle["state"]).await.json();
        assert_eq!(view["to_move"], puzzle["side"]);
        for legal in view["legal"].as_array().unwrap() {
            let mut state = puzzle["state"].clone();
            state["moves"]
                .as_array_mut()
                .unwrap()
                .push(legal["move"].clone());
            let after = server.post("/api/position", &state).await.json();
            let mut outcome = after["outcome"].clone();
            if outcome.is_null() {
                let mut page = Socket::open(&server).await;
                page.ask(&json!({"type": "solve", "id": 1, "state": state}))
                    .await;
                outcome = solved(&mut page, 1).await["outcome"].clone();
            }
            let wins = outcome == puzzle["side"];
            assert_eq!(wins, legal["move"] == puzzle["best"], "{game}: {legal}");
        }
    }
}

#[tokio::test]
async fn what_cannot_be_done_is_refused_with_the_reason() {
    let server = Running::start(None).await;
    let mut page = Socket::open(&server).await;
    let [none, twice] = [position(&[]), position(&["a1", "a1"])];
    for (mut ask, reason) in [
        (
            json!({"type": "move", "state": none, "level": "god"}),
            "no level",
        ),
        (json!({"type": "analyse", "state": twice}), "move 2"),
        (
            json!({"type": "analyse", "state": none, "player": "x"}),
            "no player",
        ),
        (
            json!({"type": "solve", "state": none, "solver": "x"}),
            "no solver",
        ),
        (json!({"type": "analyse", "state": empty("99")}), "size"),
    ] {
        ask["id"] = json!(5);
        page.ask(&ask).await;
        let told = page.told().await.unwrap();
        assert_eq!(told["type"], "refused");
        assert_eq!(told["id"], 5);
        let message = told["message"].as_str().unwrap();
        assert!(message.contains(reason), "{message}");
    }
}

#[tokio::test]
async fn an_analysis_streams_until_it_is_stopped() {
    let server = Running::start(None).await;
    let mut page = Socket::open(&server).await;
    page.ask(&json!({"type": "analyse", "id": 1, "state": empty("8")}))
        .await;
    let mut work = 0;
    for _ in 0..3 {
        let told = page.told().await.unwrap();
        assert_eq!(told["type"], "analysis");
        let now = told["found"]["work"].as_u64().unwrap();
        assert!(now > work);
        work = now;
        assert_eq!(told["found"]["moves"].as_array().unwrap().len(), 169);
    }
    page.ask(&json!({"type": "stop", "id": 1})).await;
    let ask = json!({"type": "move", "id": 2, "state": position(&[]), "level": "beginner"});
    page.ask(&ask).await;
    while page.told().await.unwrap()["type"] != "finished" {}
}

#[tokio::test]
async fn a_review_tells_of_each_move() {
    let server = Running::start(None).await;
    let mut page = Socket::open(&server).await;
    let state = position(&["a1", "b2", "c3"]);
    let ask = json!({"type": "review", "id": 1, "state": state, "simulations": 50});
    page.ask(&ask).await;
    for (ply, mv) in (1..).zip(["a1", "b2", "c3"]) {
        let told = page.told().await.unwrap();
        assert_eq!(told["type"], "reviewed");
        let reviewed = &told["reviewed"];
        assert_eq!(
            (&reviewed["ply"], &reviewed["move"]),
            (&json!(ply), &json!(mv))
        );
        assert_eq!(reviewed["line"][0], reviewed["best"]);
    }
    assert_eq!(page.told().await.unwrap()["type"], "finished");
}

/// What a solver has found under a name; what is told of other requests is passed over.
async fn solved(page: &mut Socket, id: u32) -> Value {
    loop {
        let told = page.told().await.unwrap();
        if told["id"] == id {
            assert_ne!(told["type"], "refused", "{told}");
            if told["type"] == "solved" {
                return told["solved"].clone();
            }
        }
    }
}

#[tokio::test]
async fn a_solver_rests_and_goes_on() {
    let server = Running::start(None).await;
    let mut page = Socket::open(&server).await;
    // This takes longer than anybody waits.
    page.ask(&json!({"type": "solve", "id": 1, "state": empty("5")}))
        .await;
    assert_eq!(page.told().await.unwrap()["type"], "solving");
    page.ask(&json!({"type": "pause", "id": 1})).await;
    // The only place is free for others while it rests.
    let late = position(&["b1", "d2", "a2", "e4", "c3", "d4"]);
    page.ask(&json!({"type": "solve", "id": 2, "state": late}))
        .await;
    solved(&mut page, 2).await;
    page.ask(&json!({"type": "resume", "id": 1})).await;
    while page.told().await.unwrap()["id"] != 1 {}
}

/// How far a solver says that it is: positions expanded, and how many of these in an earlier search.
async fn progress(page: &mut Socket) -> (u64, u64) {
    let told = page.told().await.unwrap();
    assert_eq!(told["type"], "solving", "{told}");
    let number = |name: &str| told["progress"][name].as_u64().unwrap();
    (number("nodes"), number("earlier"))
}

/// Asks a new server to solve a position, and gives its first words on how far it is, and the page.
async fn first_progress(folder: &Path, ask: &Value) -> (u64, u64, Socket, Running) {
    let server = Running::start_in(folder, None).await;
    let mut page = Socket::open(&server).await;
    page.ask(ask).await;
    let (nodes, earlier) = progress(&mut page).await;
    (nodes, earlier, page, server)
}

/// The file with what a solver knows, once it is there.
fn checkpoint(folder: &Path) -> Option<PathBuf> {
    let files = std::fs::read_dir(folder.join("games.solving")).ok()?;
    let mut paths = files.filter_map(|file| Some(file.ok()?.path()));
    paths.find(|path| path.extension().is_some_and(|end| end == "checkpoint"))
}

#[tokio::test]
async fn a_solver_goes_on_after_its_page_and_its_server_have_ended() {
    let hard = json!({"game": "konane", "board": {"rows": 8, "cols": 8, "setup": "corner"}});
    for state in [empty("5"), hard] {
        let [folder, other] = [(), ()].map(|()| tempfile::tempdir().unwrap());
        let ask = json!({"type": "solve", "id": 1, "state": state});
        let (nodes, earlier, mut page, server) = first_progress(folder.path(), &ask).await;
        assert!(nodes > 0 && earlier == 0);
        let file = loop {
            progress(&mut page).await;
            if let Some(file) = checkpoint(folder.path()) {
                break file;
            }
        };
        let mut bytes = std::fs::read(&file).unwrap();
        drop((page, server));
        let (nodes, earlier, ..) = first_progress(folder.path(), &ask).await;
        assert!(earlier > 0 && nodes >= earlier, "{nodes} {earlier}");
        // What is damaged counts as nothing: no value may rest on it.
        let middle = bytes.len() / 2;
        bytes[middle] ^= 1;
        let copy = other.path().join("games.solving");
        std::fs::create_dir(&copy).unwrap();
        std::fs::write(copy.join(file.file_name().unwrap()), bytes).unwrap();
        let (_, earlier, ..) = first_progress(other.path(), &ask).await;
        assert_eq!(earlier, 0);
    }
}

#[tokio::test]
async fn certificates_are_kept_and_verified() {
    let server = Running::start(None).await;
    let mut page = Socket::open(&server).await;
    let early = position(&["b1", "d2", "a2", "e4"]);
    let ask = json!({"type": "solve", "id": 2, "state": early, "certificate": true});
    page.ask(&ask).await;
    let found = solved(&mut page, 2).await;
    assert_eq!(found["outcome"], "white");
    assert!(found["line"].as_array().unwrap().len() > 1);
    let path = format!("/api/certificates/{}", found["certificate"]);
    let certificate = server.own_bytes("GET", &path, &[]).await;
    assert_eq!(certificate.status, 200);
    let path = "/api/certificates/verify";
    let whole = &certificate.bytes;
    let verified = server.own_bytes("POST", path, whole).await.json();
    assert_eq!(verified["valid"], true, "{verified}");
    assert_eq!(verified["claim"], "white wins");
    // Whoever brings a certificate can explore it, from its own position. It is kept once.
    assert_eq!(verified["certificate"], found["certificate"]);
    assert_eq!(verified["is_draw"], false);
    assert_eq!(verified["state"]["moves"], early["moves"]);
    let explore = format!("/api/certificates/{}/explore", verified["certificate"]);
    let query = json!({"state": verified["state"]}).to_string();
    let place = server.own("POST", &explore, &query).await.json();
    assert_eq!(place["state"], "plays", "{place}");
    assert_eq!(place["best"], found["best"]);
    let cut = &whole[..whole.len() - 9];
    let verified = server.own_bytes("POST", path, cut).await.json();
    assert_eq!(verified["valid"], false);
    assert!(verified["certificate"].is_null() && verified["state"].is_null());

    let konane = json!({"game": "konane", "board": {"rows": 4, "cols": 4, "setup": "centre"}});
    let ask = json!({"type": "solve", "id": 4, "state": konane, "certificate": true});
    page.ask(&ask).await;
    let found = solved(&mut page, 4).await;
    assert_eq!(found["outcome"], "white");
    assert!(found["certificate"].is_u64(), "{found}");
}

#[tokio::test]
async fn every_solver_can_be_asked() {
    let server = Running::start(None).await;
    let mut page = Socket::open(&server).await;
    let games = server.own("GET", "/api/games", "").await.json();
    for (game, state) in [
        (0, json!({"game": "havannah", "board": {"size": "2"}})),
        (
            1,
            json!({"game": "konane", "board": {"rows": 3, "cols": 4, "setup": "corner"}}),
        ),
    ] {
        let mut outcomes = Vec::new();
        for solver in games[game]["solvers"].as_array().unwrap() {
            let ask = json!({"type": "solve", "id": 1, "state": state, "solver": solver["name"]});
            page.ask(&ask).await;
            outcomes.push(solved(&mut page, 1).await["outcome"].clone());
        }
        assert!(outcomes[0].is_string());
        assert!(outcomes.iter().all(|outcome| *outcome == outcomes[0]));
    }
}

#[tokio::test]
async fn a_page_that_closes_frees_its_searches() {
    let server = Running::start(None).await;
    let mut first = Socket::open(&server).await;
    // Eight pages with as much as the server can hold.
    let mut pages = Vec::new();
    for _ in 0..8 {
        let mut page = Socket::open(&server).await;
        for id in 0..8 {
            page.ask(&json!({"type": "analyse", "id": id, "state": empty("10")}))
                .await;
        }
        pages.push(page);
    }
    for page in &mut pages {
        page.told().await.unwrap();
    }
    let ask = json!({"type": "move", "id": 1, "state": position(&[]), "level": "beginner"});
    first.ask(&ask).await;
    assert_eq!(first.told().await.unwrap()["type"], "refused");
    drop(pages);
    loop {
        first.ask(&ask).await;
        if first.told().await.unwrap()["type"] == "moved" {
            break;
        }
        // How long that takes depends on the machine: without an end here it would go on for ever.
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
}

#[tokio::test]
async fn two_hundred_pages_and_fifty_searches_get_fair_shares() {
    let server = Running::start(None).await;
    let mut idle = Vec::new();
    for _ in 0..150 {
        idle.push(Socket::open(&server).await);
    }
    let mut busy = Vec::new();
    for _ in 0..50 {
        let mut page = Socket::open(&server).await;
        page.ask(&json!({"type": "analyse", "id": 1, "state": empty("6")}))
            .await;
        busy.push(page);
    }
    // Each is heard of, in whatever order they are asked, and the server still answers.
    for page in busy.iter_mut().rev() {
        assert_eq!(page.told().await.unwrap()["type"], "analysis");
    }
    assert_eq!(server.own("GET", "/api/games", "").await.status, 200);
}
