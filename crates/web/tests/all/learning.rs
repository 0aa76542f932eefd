//! Learning runs of the store are shown beside its experiments.

use crate::support::{Running, config};
use learn::{Options, Shared, Written};
use search::StopFlag;
use std::path::Path;
use std::time::Duration;

/// A short learning run, in the store that a server of this folder shows.
fn learn(folder: &Path) {
    let tiny = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../learning/tiny.toml");
    let text = std::fs::read_to_string(tiny).unwrap();
    let options = Options {
        folder: folder.join("tiny.run"),
        beside: folder.to_owned(),
        threads: 1,
        shared: Some(Shared {
            place: config(folder, None).experiments,
            lease: Duration::from_mins(10),
            patience: Duration::from_mins(10),
        }),
        stop: StopFlag::new(),
    };
    let written = Written::read(&text).unwrap();
    learn::learn(&written, &text, &options, &mut |_| {}).unwrap();
}

#[tokio::test]
async fn a_learning_run_has_a_report_with_curves() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().to_owned();
    tokio::task::spawn_blocking(move || learn(&path))
        .await
        .unwrap();
    let server = Running::start_in(folder.path(), None).await;
    let list = server.own("GET", "/api/experiments", "").await.json();
    let run = &list[0];
    assert_eq!(run["name"], "tiny.run");
    assert_eq!(
        (&run["scale"], &run["games"]),
        (&"learning".into(), &48.into())
    );
    let id = run["id"].as_str().unwrap();
    let report = server
        .own("GET", &format!("/api/experiments/{id}"), "")
        .await
        .json();
    let figures: Vec<_> = report["parts"]
        .as_array()
        .unwrap()
        .iter()
        .map(|part| &part["figure"])
        .collect();
    assert_eq!(
        figures,
        [&"elo".into(), &"loss".into(), &serde_json::Value::Null]
    );
    let table = &report["parts"][2]["table"];
    assert_eq!(table["rows"].as_array().unwrap().len(), 2);
    let elo = server
        .own("GET", &format!("/api/experiments/{id}/figures/elo"), "")
        .await;
    assert!(elo.body.starts_with("<svg"), "{}", elo.body);
    let games = server
        .own(
            "GET",
            &format!("/api/experiments/{id}/games/after/-1/1"),
            "",
        )
        .await;
    assert_eq!(games.json(), serde_json::json!([]));
    let none = server.own("GET", "/api/experiments/learning-0", "").await;
    assert_eq!(none.json()["message"], "there is no learning run \"0\"");
}
