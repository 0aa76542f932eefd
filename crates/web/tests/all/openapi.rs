//! The description of the interface: it is the one that the browser app is built from, and the server
//! answers as it says, whatever is asked.

use crate::support::schema::{broken, fault, values};
use crate::support::{Answer, Running, Socket};
use proptest::prelude::*;
use proptest::test_runner::{Config, TestRunner};
use serde_json::{Value, json};
use std::path::Path;
use tokio::runtime::Runtime;

fn described() -> Value {
    serde_json::from_str(&web::openapi().to_json().unwrap()).unwrap()
}

/// Compares a file of the app's sources with what it has to be now. `BLESS=1` writes it.
fn is_current(name: &str, now: &str) {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../ui");
    let file = folder.join(name);
    if std::env::var_os("BLESS").is_some() {
        std::fs::write(&file, now).unwrap();
    }
    let known = std::fs::read_to_string(&file).unwrap_or_default();
    assert!(known == now, "ui/{name} is not current: make bless");
}

#[test]
fn the_description_in_the_sources_is_the_present_one() {
    let now = web::openapi().to_pretty_json().unwrap() + "\n";
    is_current("openapi.json", &now);
}

/// What the app asks about the game of a new page, letter by letter.
const FIRST: &str = r#"{"game":"havannah","board":{"size":"5","swap":true},"moves":[]}"#;

#[tokio::test]
async fn the_answers_in_the_sources_are_the_present_ones() {
    let server = Running::start(None).await;
    let games = server.own("GET", "/api/games", "").await;
    let position = server.own("POST", "/api/position", FIRST).await;
    let mut answers = serde_json::Map::new();
    answers.insert("/api/games".to_owned(), games.json());
    answers.insert(format!("/api/position{FIRST}"), position.json());
    // The pictures of the games.
    for game in games.json().as_array().unwrap() {
        let example = game["example"].to_string();
        let position = server.own("POST", "/api/position", &example).await;
        answers.insert(format!("/api/position{example}"), position.json());
    }
    let now = serde_json::to_string(&answers).unwrap() + "\n";
    is_current("answers.json", &now);
}

fn runner(cases: u32) -> TestRunner {
    TestRunner::new(Config {
        cases,
        failure_persistence: None,
        ..Config::default()
    })
}

/// What is wrong with an answer, by what is described of an operation.
fn wrong(described: &Value, operation: &Value, answer: &Answer) -> Option<String> {
    let status = answer.status.to_string();
    let Some(known) = operation["responses"].get(&status) else {
        return Some(format!("{status} is not described: {}", answer.body));
    };
    let (kind, content) = known["content"].as_object()?.iter().next()?;
    if !answer.header("content-type").starts_with(kind.as_str()) {
        return Some(format!("{:?} is not {kind}", answer.header("content-type")));
    }
    if kind != "application/json" {
        return None;
    }
    fault(described, &content["schema"], &answer.json())
}

/// What can be sent to an operation: bodies of its schema, which need not make sense, or bodies that are
/// not of it; and whether they are.
fn bodies(described: &Value, operation: &Value) -> BoxedStrategy<(String, bool)> {
    let Some(content) = operation["requestBody"]["content"].as_object() else {
        return Just((String::new(), true)).boxed();
    };
    let Some(json) = content.get("application/json") else {
        let files = prop_oneof![
            ".{0,80}",
            r"\(;FF\[4\]GM\[(havannah|konane)\]SZ\[[2-9]\](;[WB]\[[a-h][1-8]\]){0,6}\)",
            "(havannah|konane) [2-9]\n([a-h][1-8] ){0,9}",
            "papamu certificate 2\ngame (havannah|go)\nboard 4\nmoves a1\nclaim (white|x) wins\n\n.{0,9}",
        ];
        return files.prop_map(|file| (file, true)).boxed();
    };
    let schema = &json["schema"];
    prop_oneof![
        2 => values(described, schema, "").prop_map(|body| (body.to_string(), true)),
        1 => broken(described, schema).prop_map(|body| (body.to_string(), false)),
        1 => prop_oneof![Just(String::new()), "[{\\[\"a0]{1,5}"].prop_map(|body| (body, false)),
    ]
    .boxed()
}

/// Something for each parameter of a path.
fn paths(path: &str, operation: &Value) -> BoxedStrategy<String> {
    let mut filled = Just(path.to_owned()).boxed();
    for parameter in operation["parameters"].as_array().into_iter().flatten() {
        let name = format!("{{{}}}", parameter["name"].as_str().unwrap());
        let word = match parameter["schema"]["type"].as_str() {
            Some("integer") => "-?[0-9]{1,3}|99999999999999999999|[a-z]{1,3}",
            _ => "grid|row|[a-z0-9%]{1,8}",
        };
        let word = proptest::string::string_regex(word).unwrap();
        filled = (filled, word)
            .prop_map(move |(path, word)| path.replace(&name, &word.replace('%', "%25")))
            .boxed();
    }
    filled
}

/// Every operation, asked with what its schema allows and with what it forbids, answers with a status and
/// a body that it describes; and it refuses what the schema forbids.
#[test]
fn answers_are_as_described() {
    let runtime = Runtime::new().unwrap();
    let server = runtime.block_on(Running::start(None));
    let described = described();
    for (path, operations) in described["paths"].as_object().unwrap() {
        for (method, operation) in operations.as_object().unwrap() {
            let method = method.to_uppercase();
            let cases = (paths(path, operation), bodies(&described, operation));
            let run = runner(80).run(&cases, |(path, (body, formed))| {
                let answer = runtime.block_on(server.own(&method, &path, &body));
                let fault = wrong(&described, operation, &answer);
                prop_assert_eq!(fault, None, "{} {} {}", method, path, body);
                // What the path names and is not there is asked for first.
                let refused = [400, 404].contains(&answer.status);
                prop_assert!(formed || refused, "{} {} is taken", path, body);
                Ok(())
            });
            run.unwrap_or_else(|why| panic!("{method} {path}: {why}"));
        }
    }
}

#[test]
fn what_is_too_large_or_of_another_kind_is_refused_as_described() {
    let runtime = Runtime::new().unwrap();
    let server = runtime.block_on(Running::start(None));
    let described = described();
    let large = json!({"game": "havannah", "dialect": "x".repeat(5 << 20)}).to_string();
    for path in ["/api/position", "/api/files/sgf", "/api/files/read"] {
        let operation = &described["paths"][path]["post"];
        let answer = runtime.block_on(server.own("POST", path, &large));
        assert_eq!(wrong(&described, operation, &answer), None, "{path}");
        assert_eq!(answer.status, 413);
    }
    let host = server.address.to_string();
    let headers = [("host", host.as_str()), ("content-type", "text/plain")];
    let asked = server.request(
        "POST",
        "/api/position",
        &headers,
        b"{\"game\":\"havannah\"}",
    );
    let answer = runtime.block_on(asked);
    let operation = &described["paths"]["/api/position"]["post"];
    assert_eq!(wrong(&described, operation, &answer), None);
    assert_eq!(answer.status, 400);
}

/// The name under which the tests ask when all else is done.
const LAST: u32 = 1 << 30;

/// All that a page is told until what it asked last is done.
async fn heard(page: &mut Socket) -> Option<Vec<Value>> {
    let state = json!({"game": "havannah", "board": {"size": "2"}});
    let last = json!({"type": "move", "id": LAST, "state": state, "level": "beginner"});
    page.ask(&last).await;
    let mut all = Vec::new();
    loop {
        let told = page.told().await?;
        let done = told["id"] == LAST && told["type"] == "finished";
        all.push(told);
        if done {
            return Some(all);
        }
    }
}

/// A message of the schema never costs a page its socket, and what it is told is of the schema too.
#[test]
fn messages_are_as_described() {
    let runtime = Runtime::new().unwrap();
    let server = runtime.block_on(Running::start(None));
    let described = described();
    let schemas = &described["components"]["schemas"];
    let asks = prop::collection::vec(values(&described, &schemas["Ask"], ""), 1..6);
    let run = runner(40).run(&asks, |asks| {
        let told = runtime.block_on(async {
            let mut page = Socket::open(&server).await;
            for ask in &asks {
                page.ask(ask).await;
            }
            tokio::time::sleep(std::time::Duration::from_millis(20)).await;
            for ask in &asks {
                page.ask(&json!({"type": "stop", "id": ask["id"]})).await;
            }
            heard(&mut page).await
        });
        let Some(told) = told else {
            prop_assert!(false, "the socket was closed");
            return Ok(());
        };
        for tell in told {
            let fault = fault(&described, &schemas["Tell"], &tell);
            prop_assert_eq!(fault, None, "{}", tell);
        }
        Ok(())
    });
    run.unwrap_or_else(|why| panic!("{why}"));
}

/// A message that is not of the schema is refused with a reason. One that has a number is refused by it, and its socket
/// goes on; one without closes its socket, no other.
#[test]
fn broken_messages_are_refused_and_cost_nobody_else_a_socket() {
    let runtime = Runtime::new().unwrap();
    let server = runtime.block_on(Running::start(None));
    let described = described();
    let schemas = &described["components"]["schemas"];
    let mut other = runtime.block_on(Socket::open(&server));
    let messages = broken(&described, &schemas["Ask"]);
    let run = runner(60).run(&messages, |message| {
        let told = runtime.block_on(async {
            let mut page = Socket::open(&server).await;
            page.ask(&message).await;
            let refused = page.told().await;
            (refused, heard(&mut page).await.is_some())
        });
        let (Some(refused), goes_on) = told else {
            prop_assert!(false, "{} is taken: {:?}", message, told);
            return Ok(());
        };
        prop_assert_eq!(
            &refused["type"],
            "refused",
            "{} is taken: {}",
            message,
            refused
        );
        let id = message["id"]
            .as_u64()
            .filter(|&id| u32::try_from(id).is_ok());
        prop_assert_eq!(refused["id"].as_u64(), id, "{}", message);
        prop_assert_eq!(goes_on, id.is_some(), "{}", message);
        let fault = fault(&described, &schemas["Tell"], &refused);
        prop_assert_eq!(fault, None, "{}", refused);
        Ok(())
    });
    run.unwrap_or_else(|why| panic!("{why}"));
    assert!(runtime.block_on(heard(&mut other)).is_some());
}
