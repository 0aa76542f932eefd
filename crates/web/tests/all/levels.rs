//! The levels of strength: they are those that an experiment has rated, and the document has its ratings.

use crate::support::Running;
use arena::experiment::{Contestant, Kind};
use arena::{Experiment, Scale};
use serde_json::{Value, json};
use std::path::{Path, PathBuf};

fn file(path: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../..")
        .join(path)
}

async fn games() -> Vec<Value> {
    let server = Running::start(None).await;
    let games = server.own("GET", "/api/games", "").await.json();
    games.as_array().unwrap().clone()
}

/// What the experiment has under the name of a level, as the server tells of levels.
fn rated(experiment: &Experiment, name: &Value) -> Value {
    let contestants = experiment
        .points
        .iter()
        .flat_map(|point| [&point.player, &point.against]);
    let mut named = contestants.filter(|one| one.name == *name);
    let Contestant { kind, budget, .. } = named.next().unwrap();
    let Kind::Own { player, settings } = kind else {
        panic!("{name} is another program");
    };
    // By the name of today.
    let player = arena::name_today(experiment.game, player);
    // Each move of the web app begins with an empty tree.
    let mut settings = settings.iter().filter(|one| one.name != "keep-tree");
    let setting = settings
        .next()
        .map(|one| format!("{}={}", one.name, one.value));
    json!({"player": player, "setting": setting, "simulations": budget.simulations.or(budget.nodes)})
}

#[tokio::test]
async fn levels_are_those_that_were_rated_and_each_is_stronger_than_the_one_before() {
    for game in games().await {
        let name = game["game"].as_str().unwrap();
        let levels = game["levels"].as_array().unwrap();
        if levels.iter().all(|level| level["rating"].is_null()) {
            continue; // Nobody has rated them.
        }
        let path = file(&format!("experiments/levels/levels-{name}.toml"));
        let text = std::fs::read_to_string(path).unwrap();
        let experiment = Experiment::read(&text, Scale::Full).unwrap();
        arena::check(&experiment).unwrap();
        let mut before = -1;
        for level in levels {
            let mut rated = rated(&experiment, &level["name"]);
            if level["seconds"].is_f64() {
                // Too long for an experiment: it was rated with less.
                rated["simulations"] = Value::Null;
            }
            for key in ["player", "setting", "simulations"] {
                assert_eq!(level[key], rated[key], "{level}");
            }
            let elo = level["rating"]["elo"].as_i64().unwrap();
            assert!(elo > before, "{level}");
            before = elo;
        }
    }
}

fn row(game: &Value, level: &Value) -> String {
    let text = |key: &str| level[key].as_str().unwrap_or_default().to_owned();
    let mut words = format!("`{}`", text("player"));
    if level["setting"].is_string() {
        words += &format!(", {}", text("setting").replace('=', " "));
    }
    let unit = if game["game"] == "konane" {
        "nodes"
    } else {
        "simulations"
    };
    if level["simulations"].is_u64() {
        words += &format!(", {} {unit}", level["simulations"]);
    }
    if level["seconds"].is_f64() {
        words += &format!(", {} s", level["seconds"].as_f64().unwrap_or_default());
    }
    let rating = &level["rating"];
    let rated = match (rating["elo"].as_i64(), rating["margin"].as_i64()) {
        (Some(elo), Some(0)) => elo.to_string(),
        (Some(elo), Some(margin)) => format!("{elo} ± {margin}"),
        _ => "not rated".to_owned(),
    };
    format!("| {} | {words} | {rated} |\n", text("title"))
}

/// `BLESS=1` writes them.
#[tokio::test]
async fn the_document_has_the_levels() {
    let path = file("docs/web.md");
    let text = std::fs::read_to_string(&path).unwrap();
    let mut tables = String::new();
    for game in games().await {
        let title = game["title"].as_str().unwrap();
        tables += &format!("| {title} | player, for each move | Elo |\n|---|---|---:|\n");
        let levels = game["levels"].as_array().unwrap();
        tables.extend(levels.iter().map(|level| row(&game, level)));
        tables += "\n";
    }
    let (before, rest) = text.split_once("<!-- levels -->\n").unwrap();
    let (_, after) = rest.split_once("<!-- end of levels -->\n").unwrap();
    let now = format!("{before}<!-- levels -->\n{tables}<!-- end of levels -->\n{after}");
    if std::env::var_os("BLESS").is_some() {
        std::fs::write(&path, &now).unwrap();
    } else {
        assert!(now == text, "docs/web.md is not current: make bless");
    }
}
