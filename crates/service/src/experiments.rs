//! What is told of experiments, by a server that has a store of them.

use serde::Serialize;
use utoipa::ToSchema;

/// An experiment in a list.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct ExperimentView {
    /// By which it is asked for.
    pub id: String,
    /// Its short name.
    pub name: String,
    /// `full` or `quick`; `learning` for a learning run.
    pub scale: String,
    /// What `done`, `leased` and `open` count: `pairs` of games, or `games`. Those of a learning run are of its present step.
    pub unit: String,
    /// Games that are stored.
    pub games: u64,
    /// What is done.
    pub done: u64,
    /// What is in progress.
    pub leased: u64,
    /// What is still to be played, including what is in progress.
    pub open: u64,
    /// Whether nothing is left to do.
    pub finished: bool,
    /// Seconds until all is played, at the rate of the last minute; absent where nothing is played.
    pub seconds_left: Option<f64>,
}

/// What is known of an experiment.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct ExperimentReport {
    /// How far it is.
    pub progress: ExperimentView,
    /// Its title.
    pub title: String,
    /// What it is about.
    pub description: String,
    /// Short facts by name.
    pub facts: Vec<Fact>,
    /// Its figures and tables, in order.
    pub parts: Vec<Part>,
    /// The points that are measured.
    pub points: Vec<PointView>,
}

/// A fact.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct Fact {
    /// What it is.
    pub name: String,
    /// The fact.
    pub value: String,
}

/// A figure or a table, or both.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct Part {
    /// The heading.
    pub title: String,
    /// What the reader should know.
    pub text: String,
    /// Where the published values are from.
    pub source: String,
    /// The name of its picture, if it has one.
    pub figure: Option<String>,
    /// A name for what the picture shows now: another one when it changes.
    pub version: Option<String>,
    /// The numbers.
    pub table: Option<TableView>,
}

/// A table.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct TableView {
    /// The headings of the columns.
    pub columns: Vec<String>,
    /// The columns that hold numbers, from 0.
    pub numbers: Vec<usize>,
    /// The rows.
    pub rows: Vec<Vec<String>>,
}

/// A point of an experiment.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct PointView {
    /// What is played there.
    pub name: String,
    /// Games won by its player.
    pub wins: u64,
    /// Games drawn.
    pub draws: u64,
    /// Games lost.
    pub losses: u64,
}

/// A stored game.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct PlayedView {
    /// The number of the pair.
    pub pair: u64,
    /// Which game of the pair: 0 or 1.
    pub colour: i64,
    /// What was played.
    pub point: String,
    /// 2 if the player won, 1 for a draw, 0 if it lost.
    pub score: i64,
    /// How it ended.
    pub reason: String,
    /// Moves.
    pub plies: u64,
    /// How long it took.
    pub seconds: f64,
}
