//! An experiment as it is written: the TOML file, nothing resolved yet. `docs/arena.md` describes each key.

use super::template::Text;
use serde::Deserialize;
use std::collections::BTreeMap;

/// A whole file.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub(super) struct File {
    pub name: String,
    pub game: super::GameName,
    #[serde(default)]
    pub title: String,
    #[serde(default)]
    pub description: String,
    #[serde(default)]
    pub source: String,
    #[serde(default)]
    pub remark: String,
    #[serde(default = "one")]
    pub seed: u64,
    pub games: Option<u32>,
    #[serde(default)]
    pub grid: toml::Table,
    #[serde(default)]
    pub board: Board,
    pub budget: Option<Budget>,
    pub players: BTreeMap<String, Player>,
    #[serde(default, rename = "match")]
    pub matches: Vec<Match>,
    #[serde(default)]
    pub round_robin: Vec<String>,
    pub anchor: Option<String>,
    #[serde(default)]
    pub openings: Openings,
    #[serde(default)]
    pub stop: Stop,
    #[serde(default)]
    pub adjudication: super::Adjudication,
    #[serde(default)]
    pub quick: Quick,
    #[serde(default)]
    pub figure: Vec<super::Figure>,
}

fn one() -> u64 {
    1
}

/// `[quick]`: what the quick scale replaces.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub(super) struct Quick {
    #[serde(default)]
    pub remark: String,
    pub games: Option<u32>,
    #[serde(default)]
    pub grid: toml::Table,
    pub budget: Option<Budget>,
    pub openings: Option<Openings>,
    pub stop: Option<Stop>,
}

/// `[board]`: values by the names of the game's options.
pub(super) type Board = BTreeMap<String, Text>;

/// `[budget]`
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub(super) struct Budget {
    pub simulations: Option<Text>,
    pub nodes: Option<Text>,
    pub depth: Option<Text>,
    pub seconds: Option<Text>,
    pub reference_seconds: Option<Text>,
    pub game_seconds: Option<Text>,
    pub increment_seconds: Option<Text>,
    pub opponent_times: Option<Text>,
    pub first_seconds: Option<Text>,
    pub margin_seconds: Option<Text>,
}

/// `[players.NAME]`
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub(super) struct Player {
    #[serde(rename = "player")]
    pub name: Option<Text>,
    #[serde(default)]
    pub set: BTreeMap<String, Text>,
    pub command: Option<Vec<Text>>,
    #[serde(default)]
    pub setup: Vec<Text>,
    #[serde(default)]
    pub each_game: Vec<Text>,
    pub genmove: Option<Text>,
    pub dialect: Option<String>,
    pub start_seconds: Option<f64>,
    pub answer_seconds: Option<f64>,
    pub budget: Option<Budget>,
}

/// `[[match]]`
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub(super) struct Match {
    pub player: String,
    pub against: OneOrMore,
}

/// A name or a list of names.
#[derive(Clone, Debug, Deserialize)]
#[serde(untagged)]
pub(super) enum OneOrMore {
    One(String),
    More(Vec<String>),
}

/// `[openings]`
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub(super) struct Openings {
    /// A book: see [`super::book`]. What is read here has its moves in its place.
    pub file: Option<String>,
    pub plies: Option<u32>,
    pub random: Option<Text>,
    pub moves: Option<Vec<Text>>,
    pub every: Option<Text>,
    pub setups: Option<Vec<Text>>,
    #[serde(default)]
    pub once: bool,
}

/// `[stop]`
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case", tag = "rule")]
pub(super) enum Stop {
    #[default]
    Fixed,
    Sprt {
        elo0: f64,
        elo1: f64,
        #[serde(default = "five_percent")]
        alpha: f64,
        #[serde(default = "five_percent")]
        beta: f64,
    },
}

fn five_percent() -> f64 {
    0.05
}
