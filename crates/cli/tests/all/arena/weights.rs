//! Which weights the players of an experiment have, as the program tells it.

use super::support::{LONG, json, papamu, start, text};
use arena::{Experiment, Loaded, Scale, Store, publish};
use engine::weights::sha256;
use serde_json::Value;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, Instant};

/// A store, and a file of weights of the player `net`.
struct Place {
    folder: tempfile::TempDir,
}

impl Place {
    fn new() -> Place {
        let folder = tempfile::tempdir().expect("a folder");
        Place { folder }
    }

    fn store(&self) -> String {
        self.folder.path().join("a.db").display().to_string()
    }

    fn net(&self) -> String {
        self.folder.path().join("net.weights").display().to_string()
    }

    /// Puts a network into the file, and returns its hash.
    fn put(&self, name: &str) -> String {
        let learning = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../learning");
        let network: PathBuf = learning.join(name);
        std::fs::copy(&network, self.net()).expect("copied");
        sha256(std::fs::read(network).expect("weights"))
    }

    /// A player with the file.
    fn player(&self) -> String {
        format!("net@human-like:network={}", self.net())
    }

    /// What a match with the file says, and its exit code.
    fn play(&self, games: &str) -> (String, Option<i32>) {
        let (net, store) = (self.player(), self.store());
        let a_match = ["match", &net, "random", "--size", "3", "--games", games];
        let mut runner = papamu(&[&a_match[..], &["--store", &store]].concat());
        let said: Vec<String> = runner.messages().collect();
        (said.join("\n"), runner.status().code())
    }

    /// Puts a match of four games into the store, of which none is played, and returns its identifier.
    fn publish(&self, player: &str) -> String {
        let a_match = ["match", player, "random", "--size", "3", "--games", "4"];
        let printed = text(&[&a_match[..], &["--print"]].concat());
        let experiment = Experiment::read(&printed, Scale::Full).expect("an experiment");
        let loaded = Loaded::new(experiment, 1).expect("its players");
        let runtime = tokio::runtime::Runtime::new().expect("a runtime");
        runtime.block_on(async {
            let store = Store::open(&self.store()).await.expect("a store");
            publish(&store, &loaded).await.expect("published");
            store.close().await;
        });
        loaded.experiment.id
    }

    /// The games of an experiment that are stored.
    fn games(&self, id: &str) -> u64 {
        let shown = json(&["status", "--json", "--store", &self.store()]);
        let shown = shown.iter().find(|shown| shown["experiment"] == *id);
        shown.expect("it")["games"].as_u64().expect("a number")
    }

    fn status(&self) -> Value {
        json(&["status", "--json", "--store", &self.store()]).remove(0)
    }
}

#[test]
fn a_match_with_other_weights_is_refused() {
    let place = Place::new();
    let before = place.put("havannah-5.weights");
    assert_eq!(place.play("4").1, Some(0));
    let shown = place.status();
    assert_eq!(shown["weights"]["net"], *before, "{shown}");
    let told = |command: &str| text(&[command, "--store", &place.store()]);
    let short = &before[..12];
    for (command, words) in [
        ("status", format!("\n  weights: net {short}\n")),
        ("report", format!("net     {short}\n")),
        ("export", format!("SHA-256 {short}.")),
    ] {
        let told = told(command);
        assert!(told.contains(&words), "{words}: {told}");
    }
    let now = place.put("havannah-15.weights");
    let (said, code) = place.play("8");
    assert_eq!(code, Some(2), "{said}");
    for words in [&*before, &*now, "net began with", "--store"] {
        assert!(said.contains(words), "{words}: {said}");
    }
    assert_eq!(place.status(), shown, "nothing has changed");
    place.put("havannah-5.weights");
    assert_eq!(place.play("8").1, Some(0));
    assert_eq!(place.status()["games"], 8);
}

#[test]
fn a_game_that_is_played_again_with_other_weights_says_so() {
    let place = Place::new();
    let before = place.put("havannah-5.weights");
    assert_eq!(place.play("2").1, Some(0));
    let game = format!("{}-0-0", place.status()["experiment"].as_str().expect("id"));
    let again = |more: &[&str]| {
        let output = Command::new(env!("CARGO_BIN_EXE_papamu"))
            .args(["arena", "reproduce", &game, "--store", &place.store()])
            .args(more)
            .output();
        let output = output.expect("the program");
        [output.stdout, output.stderr].map(|text| String::from_utf8(text).expect("text"))
    };
    let compared = |text: &str| -> Value { serde_json::from_str(text).expect("JSON") };
    let [told, said] = again(&[]);
    assert!(told.starts_with("the same ") && said.is_empty(), "{said}");
    let [told, _] = again(&["--json"]);
    assert_eq!(compared(&told)["other_weights"], Value::Null);
    let now = place.put("havannah-15.weights");
    let [_, said] = again(&[]);
    let words = format!("net has other weights than in the stored game: {now}, not {before}");
    assert!(said.contains(&words), "{said}");
    let [told, _] = again(&["--json"]);
    let other = &compared(&told)["other_weights"];
    assert_eq!(other["player"], "net", "{told}");
    assert_eq!([&other["begun"], &other["found"]], [&*before, &*now]);
}

/// Workers of both kinds leave it to others, and end in order.
#[test]
fn a_worker_with_other_weights_says_so() {
    let place = Place::new();
    place.put("havannah-5.weights");
    place.publish(&place.player());
    place.put("havannah-15.weights");
    let worker = || papamu(&["worker", "--exit-when-idle", "--store", &place.store()]);
    for mut worker in [
        worker(),
        start(&["worker", &place.store(), "--exit-when-idle"]),
    ] {
        let said: Vec<String> = worker.messages().collect();
        assert!(worker.status().success(), "{said:?}");
        let words = "is not played here: net began with the weights";
        let warnings = said.iter().filter(|line| line.contains(words));
        assert_eq!(warnings.count(), 1, "{said:?}");
    }
    assert_eq!(place.status()["games"], 0);
    place.put("havannah-5.weights");
    worker().end();
    assert_eq!(place.status()["games"], 4);
}

/// A worker that waits for more looks into the store again and again.
#[test]
fn a_worker_that_waits_says_so_once() {
    let place = Place::new();
    place.put("havannah-5.weights");
    place.publish(&place.player());
    place.put("havannah-15.weights");
    let mut worker = start(&["worker", &place.store()]);
    let mut messages = worker.messages();
    let is_warning = |line: &String| line.contains("is not played here: net began");
    assert!(messages.by_ref().any(|line| is_warning(&line)));
    // It plays what comes later, one after the other: it has looked again.
    for player in ["a@random", "b@random", "c@random"] {
        let id = place.publish(player);
        let deadline = Instant::now() + LONG;
        while place.games(&id) < 4 {
            assert!(Instant::now() < deadline, "it is not played");
            std::thread::sleep(Duration::from_millis(20));
        }
    }
    worker.signal("-INT");
    let rest: Vec<String> = messages.collect();
    assert!(worker.status().success(), "{rest:?}");
    assert_eq!(rest.iter().filter(|line| is_warning(line)).count(), 0);
}
