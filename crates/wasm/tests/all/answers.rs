//! The answers to the requests of the app: those of the functions that a server answers with too, and refusals of anything else.

use papamu_wasm::answer;
use serde_json::{Value, json};

fn asked(path: &str, body: &str) -> (u16, Value) {
    let answered = answer(path, body.as_bytes());
    let body = answered.body();
    let text = String::from_utf8_lossy(&body).into_owned();
    (
        answered.status(),
        serde_json::from_slice(&body).unwrap_or(Value::String(text)),
    )
}

const GAME: &str = r#"{"game":"havannah","board":{"size":"5","swap":true},"moves":["c3"]}"#;

#[test]
fn a_game_goes_through_all_requests() {
    let (status, games) = asked("/api/games", "");
    assert_eq!((status, games[0]["game"].as_str()), (200, Some("havannah")));
    assert_eq!(asked("/api/link", ""), (200, Value::Null));
    let (status, position) = asked("/api/position", GAME);
    assert_eq!((status, &position["to_move"]), (200, &json!("black")));
    assert_eq!(position["played"].as_array().map(Vec::len), Some(1));
    let (status, picture) = asked("/api/picture", GAME);
    assert!(status == 200 && picture.as_str().is_some_and(|svg| svg.starts_with("<svg")));
    assert_eq!(asked("/api/threats", GAME).0, 200);
    let (status, expected) = asked("/api/structures", GAME);
    assert!(status == 200 && expected["games"].as_u64() > Some(7));
    let (status, read) = asked("/api/files/read", "havannah 5\nc3 d4");
    assert_eq!(
        (status, read[0]["nodes"].as_array().map(Vec::len)),
        (200, Some(3))
    );
    let tree = read[0].to_string();
    let (status, sgf) = asked("/api/files/sgf", &tree);
    assert!(status == 200 && sgf.as_str().is_some_and(|sgf| sgf.starts_with("(;")));
    let (status, other) = asked("/api/files/dialect/row", &tree);
    assert_eq!((status, &other["state"]["dialect"]), (200, &json!("row")));
    let (status, verdict) = asked("/api/certificates/verify", "no certificate");
    assert_eq!((status, &verdict["valid"]), (200, &json!(false)));
}

#[test]
fn what_makes_no_sense_is_refused_in_words() {
    for (path, body, status) in [
        ("/api/position", "{", 400),
        (
            "/api/position",
            r#"{"game":"havannah","moves":["z99"]}"#,
            400,
        ),
        ("/api/position", r#"{"game":"chess"}"#, 400),
        (
            "/api/files/dialect/none",
            r#"{"state":{"game":"hex"},"nodes":[{}]}"#,
            400,
        ),
        ("/api/experiments", "", 404),
    ] {
        let (given, problem) = asked(path, body);
        assert_eq!(given, status, "{path} {body}: {problem}");
        assert!(
            problem["message"]
                .as_str()
                .is_some_and(|why| !why.is_empty()),
            "{problem}"
        );
    }
}
