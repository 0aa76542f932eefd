//! What an experiment is: which players meet on which boards with which budgets, and what is shown of it.
//!
//! [`Experiment::read`] reads the TOML file and resolves it: the grid becomes a list of [`Point`]s in
//! which nothing is open any more.

mod axes;
mod book;
mod file;
mod hashed;
mod resolve;
mod template;

pub use book::with_books;

use engine::{BoardOptions, Setting};
pub use registry::GameName;
use serde::{Deserialize, Serialize};
use std::fmt;
use thiserror::Error;

/// Why a file is no experiment, in words for the person who wrote it.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("{0}")]
pub struct ExperimentError(String);

impl ExperimentError {
    pub(crate) fn new(why: impl Into<String>) -> ExperimentError {
        ExperimentError(why.into())
    }

    pub(crate) fn within(&self, place: impl fmt::Display) -> ExperimentError {
        ExperimentError(format!("{place}: {}", self.0))
    }
}

/// How large the experiment is run.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Scale {
    /// As the file says.
    #[default]
    Full,
    /// With what its `[quick]` table replaces.
    Quick,
}

/// `full` or `quick`.
impl fmt::Display for Scale {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Scale::Full => "full",
            Scale::Quick => "quick",
        })
    }
}

impl std::str::FromStr for Scale {
    type Err = ExperimentError;

    fn from_str(text: &str) -> Result<Scale, ExperimentError> {
        match text {
            "full" => Ok(Scale::Full),
            "quick" => Ok(Scale::Quick),
            _ => Err(ExperimentError::new(format!(
                "{text:?} is not a scale: expected full or quick"
            ))),
        }
    }
}

/// A value of the grid.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum Value {
    /// A truth value.
    Truth(bool),
    /// A whole number.
    Integer(i64),
    /// A number.
    Number(f64),
    /// A text.
    Text(String),
}

impl Value {
    fn of_toml(value: &toml::Value) -> Option<Value> {
        Some(match value {
            toml::Value::Boolean(truth) => Value::Truth(*truth),
            toml::Value::Integer(number) => Value::Integer(*number),
            toml::Value::Float(number) => Value::Number(*number),
            toml::Value::String(text) => Value::Text(text.clone()),
            _ => return None,
        })
    }

    /// The number that it is.
    pub fn as_number(&self) -> Option<f64> {
        match self {
            Value::Integer(number) => Some(*number as f64),
            Value::Number(number) => Some(*number),
            Value::Truth(_) | Value::Text(_) => None,
        }
    }
}

/// As players' parameters are written: `50`, `0.9`, `yes`.
impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Value::Truth(true) => f.pad("yes"),
            Value::Truth(false) => f.pad("no"),
            Value::Integer(number) => number.fmt(f),
            Value::Number(number) => number.fmt(f),
            Value::Text(text) => f.pad(text),
        }
    }
}

/// A name with its value at a point of the grid.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Binding {
    /// The name of an axis, or of a linked value.
    pub name: String,
    /// The value.
    pub value: Value,
}

/// An experiment in which everything is said.
#[derive(Clone, Debug)]
pub struct Experiment {
    /// The hash of all that decides the games: the same file has the same name on every machine. The
    /// number of games, when to stop and what to show are not part of it: an experiment can be given
    /// more games and continues.
    pub id: String,
    /// The short name.
    pub name: String,
    /// The heading of a report.
    pub title: String,
    /// What it is about.
    pub description: String,
    /// Where it is from.
    pub source: String,
    /// What there is to say of the results.
    pub remark: String,
    /// The game.
    pub game: GameName,
    /// What all chance follows from.
    pub seed: u64,
    /// Pairs of games for each point; `None` if every opening is played once.
    pub pairs: Option<u32>,
    /// When a point needs no more games.
    pub stop: Stop,
    /// When a game ends before the rules end it.
    pub adjudication: Adjudication,
    /// The points: every combination of a match and the values of the grid.
    pub points: Vec<Point>,
    /// The axes of the grid that nothing uses which decides games: they would play the same again.
    pub unused_axes: Vec<String>,
    /// What to show.
    pub figures: Vec<Figure>,
    /// The player above whom the others are rated; the mean of all if there is none.
    pub anchor: Option<String>,
    /// The file.
    pub text: String,
    /// At which scale the file was read.
    pub scale: Scale,
}

/// Two players that meet under the same conditions again and again.
#[derive(Clone, Debug, Serialize)]
pub struct Point {
    /// The values of the grid, and the names of both players as `player` and `against`.
    pub bindings: Vec<Binding>,
    /// The player whose score is counted.
    pub player: Contestant,
    /// Its opponent.
    pub against: Contestant,
    /// The board.
    #[serde(with = "hashed::board")]
    pub board: BoardOptions,
    /// How games begin.
    pub openings: Openings,
}

/// One of the two players of a point.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Contestant {
    /// Its name in the file.
    pub name: String,
    /// What plays.
    pub kind: Kind,
    /// What it may use.
    pub budget: Budget,
}

/// What plays.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Kind {
    /// A player of this program.
    Own {
        /// Its name.
        player: String,
        /// Its parameters.
        #[serde(with = "hashed::settings")]
        settings: Vec<Setting>,
    },
    /// Another program.
    External(External),
}

/// Another program that speaks the Go Text Protocol.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct External {
    /// The command line.
    pub command: Vec<String>,
    /// Commands at the start of the program. `{simulations}` and `{seconds}` stand for its budget.
    pub setup: Vec<String>,
    /// Commands before each game; `{seed}` stands for the seed of the game.
    pub each_game: Vec<String>,
    /// The command that asks for a move: `{colour}` and `{seconds}` have their values.
    pub genmove: String,
    /// How it writes moves.
    pub dialect: Option<String>,
    /// The longest it may take to start, and for any command but that for a move, in seconds.
    pub start_seconds: f64,
    /// The longest it may take for a move where its budget is no time, in seconds.
    pub answer_seconds: f64,
}

/// What a player may use for a move.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Budget {
    /// Simulations for a move.
    pub simulations: Option<u64>,
    /// Nodes for a move.
    pub nodes: Option<u64>,
    /// Plies of depth.
    pub depth: Option<u32>,
    /// Time.
    pub time: Option<Time>,
    /// What a move may take beyond its time, in seconds.
    pub margin: f64,
}

/// Kinds of clocks; all in seconds.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Time {
    /// The same for each move.
    PerMove(f64),
    /// The same for each move, of the reference machine: see [`crate::reference`].
    Reference(f64),
    /// So much for the whole game, and more with each move.
    PerGame {
        /// For the whole game.
        main: f64,
        /// Added with each move.
        increment: f64,
    },
    /// A multiple of what the opponent's last move took.
    Opponent {
        /// The multiple.
        times: f64,
        /// Before the opponent has made a move.
        first: f64,
    },
}

/// How games begin.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Openings {
    /// From the start of the board.
    None,
    /// With so many random moves, other ones for each pair.
    Random(u32),
    /// With one of these lists of moves, in turn.
    Moves(Vec<String>),
    /// With every sequence of so many plies, in turn.
    Every(u32),
    /// With one of these pairs removed (Kōnane), in turn.
    Setups(Vec<String>),
}

/// When a point needs no more games.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[serde(rename_all = "kebab-case", tag = "rule")]
pub enum Stop {
    /// When all are played.
    Fixed,
    /// When a sequential probability ratio test on pairs has decided, or all are played.
    Sprt {
        /// The hypothesis to be rejected, in normalised Elo.
        elo0: f64,
        /// The hypothesis to be accepted, in normalised Elo.
        elo1: f64,
        /// The probability of accepting what is not so.
        alpha: f64,
        /// The probability of rejecting what is so.
        beta: f64,
    },
}

/// When a game ends before the rules end it. A value is a player's expected score, from 0 to 1; programs of
/// others tell none.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Adjudication {
    /// When a player has lost.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub resign: Option<ResignRule>,
    /// When a game is drawn.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub draw: Option<DrawRule>,
    /// A game with so many moves, the opening's and both players' together, is drawn.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub max_moves: Option<u32>,
}

/// A player has lost that expected at most `score` at each of its last `moves` moves.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct ResignRule {
    /// An expected score, above 0 and below ½.
    pub score: f64,
    /// Moves in a row.
    pub moves: u32,
    /// Whether its opponent must have expected at least 1 − `score` at each of its own last `moves` moves.
    #[serde(default)]
    pub both: bool,
}

/// A game is drawn in which both players expected ½ ± `margin` at each of their last `moves` moves.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct DrawRule {
    /// From 0, below ½.
    pub margin: f64,
    /// Moves in a row of each player.
    pub moves: u32,
    /// Not before the game has so many moves of both players together.
    #[serde(default)]
    pub from: u32,
}

/// Something shown of the results.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Figure {
    /// The heading.
    #[serde(default)]
    pub title: String,
    /// What is said below.
    #[serde(default)]
    pub caption: String,
    /// Where the original is: "figure 4.5".
    #[serde(default)]
    pub source: String,
    /// What else there is to say.
    #[serde(default)]
    pub note: String,
    /// A chart or a table.
    #[serde(default)]
    pub form: Form,
    /// The scale at which it is shown; both where none is named.
    pub scale: Option<Scale>,
    /// The name on the x axis: of the grid, or `turn`, or `plies`.
    pub x: String,
    /// What is written at the x axis.
    pub x_label: Option<String>,
    /// What is written at the y axis.
    pub y_label: Option<String>,
    /// A text with places; each different one is a line.
    #[serde(default)]
    pub line: String,
    /// Only points with these values. A name that has one value in the whole grid is not asked.
    #[serde(default, rename = "where")]
    pub only: std::collections::BTreeMap<String, Value>,
    /// What is measured.
    #[serde(default)]
    pub measure: Measure,
    /// Whose moves are measured.
    #[serde(default)]
    pub of: Role,
    /// The numbers of the source.
    #[serde(default)]
    pub published: Vec<Published>,
}

/// A chart or a table.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Form {
    /// A chart.
    #[default]
    Chart,
    /// A table.
    Table,
}

/// What a figure shows.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Measure {
    /// The score of the player in percent, a draw being half a win.
    #[default]
    Score,
    /// Seconds a move.
    Seconds,
    /// Nodes a move.
    Nodes,
    /// Legal moves.
    Branching,
    /// The place of the chosen move in the list as generated.
    BestIndex,
    /// Simulations a move.
    Iterations,
    /// The estimated win rate of the chosen move.
    WinRate,
    /// The value of the chosen move in the units of the evaluation.
    Evaluation,
    /// Cut-offs a move.
    Cutoffs,
    /// Moves left out by the window.
    WindowCutoffs,
    /// Visits that the root had from earlier turns.
    InheritedVisits,
    /// The mean over games of each game's slowest move, in seconds.
    MaxSeconds,
    /// The share of games, in percent.
    Games,
}

/// One of the two players of a point.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Role {
    /// The one whose score is counted.
    #[default]
    Player,
    /// Its opponent.
    Against,
}

impl Role {
    /// The other one.
    #[must_use]
    pub const fn other(self) -> Role {
        match self {
            Role::Player => Role::Against,
            Role::Against => Role::Player,
        }
    }
}

/// `player` or `against`.
impl fmt::Display for Role {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Role::Player => "player",
            Role::Against => "against",
        })
    }
}

/// A line of the source's own numbers.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Published {
    /// The line of ours that it belongs to.
    #[serde(default)]
    pub line: String,
    /// Each x with its y (percent for scores).
    pub points: Vec<(Value, f64)>,
    /// What there is to say.
    #[serde(default)]
    pub note: String,
}

impl Point {
    /// The value of a name.
    pub fn value(&self, name: &str) -> Option<&Value> {
        let mut bindings = self.bindings.iter();
        bindings
            .find(|binding| binding.name == name)
            .map(|binding| &binding.value)
    }

    /// A text with the point's values in place.
    ///
    /// # Errors
    /// If it names something that the point has no value for.
    pub fn fill(&self, template: &str) -> Result<String, ExperimentError> {
        template::fill(template, &self.bindings, &[])
    }

    /// One of the two players.
    pub fn contestant(&self, role: Role) -> &Contestant {
        match role {
            Role::Player => &self.player,
            Role::Against => &self.against,
        }
    }

    /// All that decides the games of the point, as text: its seeds follow from it.
    pub(crate) fn key(&self) -> String {
        // A structure of numbers and texts can always be written.
        serde_json::to_string(self).unwrap_or_default()
    }
}

/// The players and the values of the grid: `rave against uct, size 4, k 50`.
impl fmt::Display for Point {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.named(|_| true))
    }
}

impl Point {
    /// The players and those values of the grid whose name is wanted.
    fn named(&self, wanted: impl Fn(&str) -> bool) -> String {
        let mut text = format!("{} against {}", self.player.name, self.against.name);
        let others = |binding: &&Binding| binding.name != "player" && binding.name != "against";
        for Binding { name, value } in self.bindings.iter().filter(others) {
            if wanted(name) {
                text += &format!(", {name} {value}");
            }
        }
        text
    }
}

/// What may be used: `1000 simulations a move`, `0.02 s a move`.
impl fmt::Display for Budget {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut parts = Vec::new();
        parts.extend(
            self.simulations
                .map(|count| format!("{count} simulations a move")),
        );
        parts.extend(self.nodes.map(|count| format!("{count} nodes a move")));
        parts.extend(self.depth.map(|depth| format!("depth {depth}")));
        parts.extend(self.time.map(|time| match time {
            Time::PerMove(seconds) => format!("{seconds} s a move"),
            Time::Reference(seconds) => format!("{seconds} s a move of the reference machine"),
            Time::PerGame { main, increment } => {
                format!("{main} s a game and {increment} s a move")
            }
            Time::Opponent { times, .. } => format!("{times} times the opponent's last move"),
        }));
        if parts.is_empty() {
            parts.push("none but the players' own".to_owned());
        }
        f.pad(&parts.join(", "))
    }
}

impl Experiment {
    /// A point's players and those values of the grid in which points differ.
    pub(crate) fn short_name(&self, point: &Point) -> String {
        point.named(|name| !self.has_one_value(name))
    }

    /// Whether all points have the same value of a name.
    pub(crate) fn has_one_value(&self, name: &str) -> bool {
        let mut values = self.points.iter().map(|point| point.value(name));
        let first = values.next();
        values.all(|value| Some(value) == first)
    }

    /// Reads a file and resolves it at a scale.
    ///
    /// # Errors
    /// If a key is unknown, a value is none, or a name is not known. Whether players have the parameters
    /// that they are given is for [`check`](crate::check) to say.
    pub fn read(text: &str, scale: Scale) -> Result<Experiment, ExperimentError> {
        resolve::read(text, scale)
    }
}
