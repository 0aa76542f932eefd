//! What is asked.

use crate::{SCHEMA, lines};
use engine::{BoardError, BoardOptions, Setting};
use registry::GameName;
use search::Limits;
use serde::Deserialize;
use serde_json::{Map, Value};
use std::fmt;
use std::str::FromStr;
use std::time::Duration;

/// A question about positions of one game. What is not given has the default of the game or of the program.
#[derive(Clone, Debug, Deserialize)]
pub struct Query {
    /// The name of the query, which all of its answers repeat.
    pub id: String,
    /// The version of the description that the query follows.
    #[serde(default = "current")]
    pub schema: u32,
    /// Which game.
    pub game: GameName,
    /// The dialect of all moves, in the query and in its answers.
    pub dialect: Option<String>,
    /// The moves of the game from the start.
    #[serde(default)]
    pub moves: Moves,
    /// After how many of the moves to analyse.
    #[serde(default)]
    pub turns: Turns,
    /// The player that searches.
    pub player: Option<String>,
    /// Parameters of the player.
    #[serde(default)]
    pub set: Map<String, Value>,
    /// The random seed.
    pub seed: Option<u64>,
    /// Seconds per position.
    pub time: Option<f64>,
    /// Simulations per position.
    pub simulations: Option<u64>,
    /// Nodes per position.
    pub nodes: Option<u64>,
    /// Depth of the search in plies.
    pub depth: Option<u32>,
    /// Queries with a larger number come first.
    #[serde(default)]
    pub priority: i64,
    /// Seconds between partial answers; without it there are none.
    pub every: Option<f64>,
    /// What to report besides the value, the best move and the line of play.
    #[serde(default = "moves_alone")]
    pub report: Vec<Item>,
    /// The most moves that an answer lists.
    pub most_moves: Option<usize>,
    /// The board and the rules, by the names of the game's options. What is no option is refused where it is
    /// [read](Query::board).
    #[serde(flatten)]
    pub options: Map<String, Value>,
}

/// The moves of a game.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(untagged, expecting = "a list of moves, or one text with all of them")]
pub enum Moves {
    /// Move by move.
    List(Vec<String>),
    /// Separated by white space, commas or semicolons.
    Text(String),
}

impl Default for Moves {
    fn default() -> Moves {
        Moves::List(Vec::new())
    }
}

/// Turns to analyse: 0 is the start, n the position after n moves.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(untagged, expecting = "a list of numbers of moves, or \"all\"")]
pub enum Turns {
    /// These.
    List(Vec<usize>),
    /// Every position of the game.
    All(All),
    /// The position after all moves.
    #[default]
    #[serde(skip)]
    Last,
}

/// The word `all`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum All {
    /// It.
    All,
}

/// What an answer can report.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Item {
    /// Every move that was searched, the best first.
    Moves,
    /// The line of play after each of these moves.
    Lines,
    /// What the last move was worth, where the turn before is analysed too.
    Review,
    /// Counts of the search: phases, depth, how playouts ended.
    Statistics,
    /// What the game's network says of the position, before any search.
    Network,
    /// The structures with which games of the network end from the position, not in partial answers.
    Structures,
}

fn current() -> u32 {
    SCHEMA
}

fn moves_alone() -> Vec<Item> {
    vec![Item::Moves]
}

/// Why a query gets no answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refused {
    /// The field that is wrong, if it is one.
    pub field: Option<String>,
    /// What is wrong, and what is expected.
    pub error: String,
}

impl Refused {
    pub(crate) fn of(field: &str, why: impl fmt::Display) -> Refused {
        Refused {
            field: Some(field.to_owned()),
            error: why.to_string(),
        }
    }

    /// That of a field, if the query has it.
    pub(crate) fn of_field(field: &str, has: bool, why: impl fmt::Display) -> Refused {
        Refused {
            field: has.then(|| field.to_owned()),
            error: why.to_string(),
        }
    }

    /// That of a board: each of its options is a field.
    pub(crate) fn board(why: &BoardError) -> Refused {
        Refused {
            field: why.option().map(str::to_owned),
            error: why.to_string(),
        }
    }
}

impl fmt::Display for Refused {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.field {
            Some(field) => write!(f, "{field}: {}", self.error),
            None => f.write_str(&self.error),
        }
    }
}

impl std::error::Error for Refused {}

impl FromStr for Query {
    type Err = Refused;

    fn from_str(text: &str) -> Result<Query, Refused> {
        lines::typed(lines::json(text)?)
    }
}

impl Query {
    /// A query for every position of a game, with the moves in a dialect.
    pub fn of_game(
        id: &str,
        game: GameName,
        board: &BoardOptions,
        moves: Vec<String>,
        dialect: Option<String>,
    ) -> Query {
        Query {
            id: id.to_owned(),
            schema: SCHEMA,
            game,
            dialect,
            moves: Moves::List(moves),
            turns: Turns::All(All::All),
            player: None,
            set: Map::new(),
            seed: None,
            time: None,
            simulations: None,
            nodes: None,
            depth: None,
            priority: 0,
            every: None,
            report: moves_alone(),
            most_moves: None,
            options: board
                .iter()
                .map(|(name, value)| (name.to_owned(), value.into()))
                .collect(),
        }
    }

    /// The board and the rules.
    ///
    /// # Errors
    /// If a field is no option of any game, or has a value that it cannot have.
    pub fn board(&self) -> Result<BoardOptions, Refused> {
        let mut options = BoardOptions::default();
        for (name, value) in &self.options {
            let read = registry::option_value(name, value);
            if let Some(value) = read.map_err(|why| Refused::of(name, why))? {
                options = options.with(name, value);
            }
        }
        Ok(options)
    }

    /// The moves, one by one.
    pub fn moves(&self) -> Vec<&str> {
        match &self.moves {
            Moves::List(moves) => moves.iter().map(String::as_str).collect(),
            Moves::Text(text) => engine::list_items(text).collect(),
        }
    }

    /// The turns in order, each once.
    pub(crate) fn turns(&self, moves: usize) -> Result<Vec<usize>, Refused> {
        let mut turns = match &self.turns {
            Turns::Last => vec![moves],
            Turns::All(_) => (0..=moves).collect(),
            Turns::List(turns) => turns.clone(),
        };
        turns.sort_unstable();
        turns.dedup();
        if turns.is_empty() {
            return Err(Refused::of("turns", "expected at least one turn"));
        }
        match turns.last() {
            Some(&last) if last > moves => Err(Refused::of(
                "turns",
                format!("there is no turn {last}: the game has {moves} moves"),
            )),
            _ => Ok(turns),
        }
    }

    /// The parameters of the player as text.
    pub(crate) fn settings(&self) -> Result<Vec<Setting>, Refused> {
        let setting = |(name, value): (&String, &Value)| {
            let value = match value {
                Value::String(text) => text.clone(),
                Value::Number(number) => number.to_string(),
                Value::Bool(yes) => if *yes { "yes" } else { "no" }.to_owned(),
                _ => {
                    let expected = format!("{name}: expected a number, a text, true or false");
                    return Err(Refused::of("set", expected));
                }
            };
            let name = name.clone();
            Ok(Setting { name, value })
        };
        self.set.iter().map(setting).collect()
    }

    /// The limits that the query sets; `None` if it sets none.
    pub(crate) fn limits(&self) -> Result<Option<Limits>, Refused> {
        let positive = |field: &str, number: Option<u64>| match number {
            Some(0) => Err(Refused::of(field, "expected a number from 1")),
            number => Ok(number),
        };
        let limits = Limits {
            time: seconds("time", self.time, 0.0)?,
            simulations: positive("simulations", self.simulations)?,
            nodes: positive("nodes", self.nodes)?,
            depth: positive("depth", self.depth.map(u64::from))?.map(|depth| depth as u32),
            ..Limits::default()
        };
        let set = limits.time.is_some()
            || limits.simulations.is_some()
            || limits.nodes.is_some()
            || limits.depth.is_some();
        Ok(set.then_some(limits))
    }

    /// The time between partial answers.
    pub(crate) fn interval(&self) -> Result<Option<Duration>, Refused> {
        seconds("every", self.every, 0.01)
    }
}

/// A number of seconds, at most a year.
fn seconds(field: &str, number: Option<f64>, least: f64) -> Result<Option<Duration>, Refused> {
    let Some(number) = number else {
        return Ok(None);
    };
    if !(least..=31_536_000.0).contains(&number) {
        let why = format!("expected seconds from {least} to a year");
        return Err(Refused::of(field, why));
    }
    Ok(Some(Duration::from_secs_f64(number)))
}
