//! A learning run as it is written: the TOML file. `docs/learning.md` describes each key.

use crate::games::{Subject, with_subject};
use engine::weights::sha256;
use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize};
use std::collections::BTreeMap;
use std::path::PathBuf;
use thiserror::Error;

/// The file cannot be used: what is wrong, and in which line.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("{0}")]
pub struct PlanError(String);

/// A learning run.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Plan {
    /// The game.
    pub game: LearnedGame,
    /// The sizes of the boards: each game is on one of them, with equal chances.
    #[serde(deserialize_with = "sizes")]
    pub sizes: Vec<u32>,
    /// The random seed, from which everything follows.
    pub seed: u64,
    /// How often games, training and a match follow each other.
    #[serde(deserialize_with = "whole::<_, 1, 100_000>")]
    pub generations: u32,
    /// What the first generation begins with.
    #[serde(default)]
    pub start: Start,
    /// The network, where its shape can be chosen.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub network: Option<Network>,
    /// Who plays.
    #[serde(default)]
    pub player: Player,
    /// How games begin.
    #[serde(default)]
    pub openings: Openings,
    /// The games to learn from that it plays.
    #[serde(default)]
    pub self_play: SelfPlay,
    /// The games to learn from that others have played, in place of its own.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub records: Option<Records>,
    /// How weights are learned.
    pub training: Training,
    /// How new weights are tested; without it the last are the best.
    #[serde(rename = "match", default)]
    pub matches: Match,
}

/// The games that can be learned.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum LearnedGame {
    /// Havannah.
    Havannah,
    /// Kōnane.
    Konane,
}

/// What the first generation begins with.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Start {
    /// No network plays, and training begins with random weights.
    #[default]
    Nothing,
    /// The network that the program brings plays and is trained further.
    Shipped,
    /// The network of a file plays and is trained further.
    Weights(Weights),
}

/// A file of weights.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Weights {
    /// Its path, from the folder of the run's file.
    pub file: PathBuf,
    /// Its SHA-256, in hexadecimal digits.
    pub sha256: String,
}

/// The shape of a network.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Network {
    /// The layers behind the first.
    #[serde(deserialize_with = "whole::<_, 1, MOST_LAYERS>")]
    pub layers: u32,
}

/// The most layers of a network behind the first.
const MOST_LAYERS: u32 = havannah::knowledge::network::MOST_LAYERS as u32;

/// Who plays, in self-play and in matches.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case", default)]
pub struct Player {
    /// The name of the player.
    pub name: String,
    /// Its parameters, as `--set` has them.
    #[serde(deserialize_with = "settings")]
    pub settings: BTreeMap<String, String>,
    /// Its parameters as long as no network plays, if they are others.
    #[serde(
        deserialize_with = "some_settings",
        skip_serializing_if = "Option::is_none"
    )]
    pub without_network: Option<BTreeMap<String, String>>,
}

impl Default for Player {
    fn default() -> Player {
        Player {
            name: "papamu".to_owned(),
            settings: BTreeMap::new(),
            without_network: None,
        }
    }
}

/// How games begin.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case", default)]
pub struct Openings {
    /// The least number of random moves at the beginning.
    #[serde(deserialize_with = "whole::<_, 0, 20>")]
    pub least: u32,
    /// The largest number of them.
    #[serde(deserialize_with = "whole::<_, 0, 20>")]
    pub most: u32,
    /// How far from ½ a quick search may value an opening, or another is drawn, eight times at most.
    #[serde(deserialize_with = "share")]
    pub even: f64,
}

impl Default for Openings {
    fn default() -> Openings {
        Openings {
            least: 1,
            most: 4,
            even: 0.5,
        }
    }
}

/// Games that others have played.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Records {
    /// The path of a folder of SGF or HGF files, from the folder of the run's file.
    pub folder: PathBuf,
}

/// The games to learn from that a run plays; by default none.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct SelfPlay {
    /// Games of a generation.
    #[serde(deserialize_with = "whole::<_, 1, 10_000_000>")]
    pub games: u32,
    /// Simulations of a full search, from which moves are learned.
    #[serde(deserialize_with = "whole::<_, 1, 10_000_000>")]
    pub simulations: u32,
    /// Simulations of a quick search, which only continues the game.
    #[serde(deserialize_with = "whole::<_, 1, 10_000_000>")]
    pub quick_simulations: u32,
    /// The share of the moves for which the search is a full one.
    #[serde(deserialize_with = "share")]
    pub full_share: f64,
    /// Moves are drawn with chances of visits to the power 1 / temperature.
    #[serde(deserialize_with = "positive")]
    pub temperature: f64,
    /// The moves of a game, random stones among them, that are drawn; later the best one is played.
    #[serde(deserialize_with = "whole::<_, 0, 1_000>")]
    pub drawn_moves: u32,
    /// Visits that say nothing of a move and do not count for what is learned: all moves get about so many.
    #[serde(default, deserialize_with = "whole::<_, 0, 10_000>")]
    pub tried: u32,
    /// When a side gives up. Without it, never.
    #[serde(default)]
    pub resign: Option<Resign>,
}

/// When a side gives up.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Resign {
    /// The expected score below which a position counts as lost.
    #[serde(deserialize_with = "share")]
    pub below: f64,
    /// So many of a side's positions in a row must be.
    #[serde(deserialize_with = "whole::<_, 1, 100>")]
    pub moves: u32,
    /// The share of the games that are played on, to see how often giving up was wrong.
    #[serde(deserialize_with = "share")]
    pub controls: f64,
}

/// How weights are learned.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Training {
    /// The last generations whose games are learned from.
    #[serde(deserialize_with = "whole::<_, 1, 1_000>")]
    pub window: u32,
    /// How often a generation's training goes through the positions of the window.
    #[serde(deserialize_with = "positive")]
    pub epochs: f64,
    /// Positions of a step.
    #[serde(deserialize_with = "whole::<_, 1, 65_536>")]
    pub batch: u32,
    /// The largest change of a weight in a step (Adam).
    #[serde(deserialize_with = "positive")]
    pub rate: f64,
    /// The first steps of the run, in which the rate grows from 0.
    #[serde(default, deserialize_with = "whole::<_, 0, 1_000_000>")]
    pub warm_up: u32,
    /// How much a weight shrinks in a step, as a share of the rate.
    #[serde(default, deserialize_with = "share")]
    pub shrink: f64,
    /// The share of the mean of weights that a step keeps; the mean plays. 0 for the last weights themselves.
    #[serde(deserialize_with = "share")]
    pub average: f64,
    /// Whether each position is seen as one of the board's symmetries shows it.
    pub symmetries: bool,
    /// The share of what a search found in what is learned of a position; the rest is the result of its game.
    #[serde(
        default,
        deserialize_with = "share",
        skip_serializing_if = "is_nothing"
    )]
    pub searched: f64,
    /// The share of the games that are not learned from, to test with.
    #[serde(deserialize_with = "share")]
    pub held_out: f64,
}

/// How new weights are tested; by default not.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Match {
    /// Games against the best weights so far, at most: pairs with an opening and both colours.
    #[serde(deserialize_with = "whole::<_, 2, 1_000_000>")]
    pub games: u32,
    /// Simulations of a move.
    #[serde(deserialize_with = "whole::<_, 1, 10_000_000>")]
    pub simulations: u32,
    /// What new weights must do to be the best.
    pub promotion: Promotion,
}

/// What new weights must do to be the best.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub enum Promotion {
    /// Score at least so much, from 0 to 1, in all games.
    #[serde(deserialize_with = "share")]
    Score(f64),
    /// A sequential probability ratio test accepts `elo1` against `elo0`.
    Sprt(Sprt),
}

impl Default for Promotion {
    fn default() -> Promotion {
        Promotion::Score(0.0)
    }
}

/// A sequential probability ratio test, in logistic Elo. The match ends when it decides.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Sprt {
    /// The lesser difference.
    pub elo0: f64,
    /// The greater difference.
    pub elo1: f64,
    /// The chance of either error, above 0 and below ½.
    #[serde(deserialize_with = "share")]
    pub error: f64,
}

impl Sprt {
    /// The test.
    pub(crate) fn test(&self) -> Result<statistics::Sprt, statistics::sprt::Unusable> {
        let test = statistics::Sprt {
            elo0: self.elo0,
            elo1: self.elo1,
            alpha: self.error,
            beta: self.error,
            scale: statistics::Scale::Logistic,
        };
        test.checked()
    }
}

/// A plan, and the file that it was read from.
#[derive(Clone, Debug, PartialEq)]
pub struct Written {
    /// The plan.
    pub plan: Plan,
    /// The SHA-256 of the file, in hexadecimal digits.
    pub hash: String,
}

impl Written {
    /// Reads a file's text.
    ///
    /// # Errors
    /// If a key is missing, unknown or has a value that it cannot have; the error says where.
    pub fn read(text: &str) -> Result<Written, PlanError> {
        let plan: Plan = toml::from_str(text).map_err(|error| PlanError(error.to_string()))?;
        plan.check()?;
        Ok(Written {
            plan,
            hash: sha256(text),
        })
    }
}

impl Plan {
    /// What no key alone can tell.
    fn check(&self) -> Result<(), PlanError> {
        let fault = |text: &str| Err(PlanError(text.to_owned()));
        match &self.records {
            None if self.self_play.games == 0 => {
                return fault("there are no games to learn from: say [self-play], or [records]");
            }
            None if self.matches.games == 0 => {
                return fault("new weights are not tested: say [match]");
            }
            Some(_) if self.self_play.games > 0 || self.matches.games > 0 => {
                return fault(
                    "records: what is learned from them has no [self-play] and no [match]",
                );
            }
            Some(_) if self.training.window < self.generations => {
                return fault(
                    "training: window must be at least generations with [records], which are the games of the first",
                );
            }
            _ => {}
        }
        if self.openings.least > self.openings.most {
            return fault("openings: least is more than most");
        }
        if self.self_play.quick_simulations > self.self_play.simulations {
            return fault("self-play: quick-simulations is more than simulations");
        }
        if let Some(why) = with_subject!(self.game, S => S::check(self)) {
            return fault(why);
        }
        let player = &self.player;
        for (key, settings) in [
            ("settings", Some(&player.settings)),
            ("without-network", player.without_network.as_ref()),
        ] {
            let has = |name| settings.is_some_and(|settings| settings.contains_key(name));
            if has("network") {
                return Err(PlanError(format!(
                    "player.{key}: network is what the run learns; start says what it begins with"
                )));
            }
            if has("threads") {
                return Err(PlanError(format!(
                    "player.{key}: each game has one thread; --threads says how many games there are at a time"
                )));
            }
        }
        if self.training.held_out >= 1.0 || self.training.average >= 1.0 {
            return fault("training: held-out and average must be below 1");
        }
        if let Promotion::Sprt(test) = &self.matches.promotion
            && let Err(why) = test.test()
        {
            return Err(PlanError(format!(
                "match.promotion.sprt: {why} (both errors are `error`)"
            )));
        }
        Ok(())
    }

    /// What decides the weights of a generation: two plans with the same name of this kind make the same. How many
    /// generations there are is no part of it, so that a run can go on for longer.
    pub fn identity(&self) -> String {
        let plan = Plan {
            generations: 0,
            ..self.clone()
        };
        // A plan has only texts, numbers and tables with names.
        let text = serde_json::to_string(&plan).unwrap_or_default();
        sha256(text)
    }
}

fn whole<'de, D: Deserializer<'de>, const LEAST: u32, const MOST: u32>(
    deserializer: D,
) -> Result<u32, D::Error> {
    let number = i64::deserialize(deserializer)?;
    let found = u32::try_from(number).ok();
    let found = found.filter(|number| (LEAST..=MOST).contains(number));
    found.ok_or_else(|| {
        D::Error::custom(format!(
            "{number}: expected a whole number from {LEAST} to {MOST}"
        ))
    })
}

fn share<'de, D: Deserializer<'de>>(deserializer: D) -> Result<f64, D::Error> {
    let number = f64::deserialize(deserializer)?;
    if (0.0..=1.0).contains(&number) {
        return Ok(number);
    }
    Err(D::Error::custom(format!(
        "{number}: expected a number from 0 to 1"
    )))
}

/// So that plans without a share are named as they were before there was one.
#[expect(
    clippy::trivially_copy_pass_by_ref,
    reason = "serde hands over a reference"
)]
fn is_nothing(share: &f64) -> bool {
    *share == 0.0
}

/// More than any rate, temperature or number of passes that is meant.
const MOST: f64 = 1e6;

fn positive<'de, D: Deserializer<'de>>(deserializer: D) -> Result<f64, D::Error> {
    let number = f64::deserialize(deserializer)?;
    if number > 0.0 && number <= MOST {
        return Ok(number);
    }
    Err(D::Error::custom(format!(
        "{number}: expected a number above 0 and at most {MOST}"
    )))
}

fn sizes<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<u32>, D::Error> {
    let sizes = Vec::<i64>::deserialize(deserializer)?;
    let found: Option<Vec<u32>> = sizes.iter().map(|&size| u32::try_from(size).ok()).collect();
    let fit =
        |sizes: &Vec<u32>| !sizes.is_empty() && sizes.iter().all(|size| (2..=20).contains(size));
    found.filter(fit).ok_or_else(|| {
        D::Error::custom(format!("{sizes:?}: expected a list of sizes from 2 to 20"))
    })
}

fn some_settings<'de, D: Deserializer<'de>>(
    deserializer: D,
) -> Result<Option<BTreeMap<String, String>>, D::Error> {
    settings(deserializer).map(Some)
}

/// Values of parameters: texts, numbers, or yes and no.
fn settings<'de, D: Deserializer<'de>>(
    deserializer: D,
) -> Result<BTreeMap<String, String>, D::Error> {
    let table = toml::Table::deserialize(deserializer)?;
    let entry = |(name, value): (String, toml::Value)| {
        let text = match value {
            toml::Value::String(text) => text,
            toml::Value::Integer(number) => number.to_string(),
            toml::Value::Float(number) => number.to_string(),
            toml::Value::Boolean(yes) => if yes { "yes" } else { "no" }.to_owned(),
            _ => {
                return Err(D::Error::custom(format!(
                    "{name}: expected a text or a number"
                )));
            }
        };
        Ok((name, text))
    };
    table.into_iter().map(entry).collect()
}
