//! What a page and the server say to each other on the WebSocket: one JSON object a message.

use crate::experiments::{ExperimentReport, ExperimentView};
use crate::position::{GameName, GameState, Name, PositionView};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// What a page asks for. `id` is the page's own name for the request; every answer repeats it.
#[derive(Clone, Debug, Deserialize, ToSchema)]
#[serde(tag = "type", rename_all = "kebab-case", deny_unknown_fields)]
pub enum Ask {
    /// Search the position until told to stop, and tell what is found on the way.
    Analyse {
        /// The request.
        id: u32,
        /// The game.
        state: GameState,
        /// The player that searches; the default one where none is given.
        player: Option<String>,
        /// The random seed; 1 where nothing is said.
        seed: Option<u32>,
    },
    /// Find the move of a level of strength, or of a player.
    Move {
        /// The request.
        id: u32,
        /// The game.
        state: GameState,
        /// One of the levels of the game.
        level: Option<String>,
        /// One of the players, where no level is given; the default one where none is given either.
        player: Option<String>,
        /// The seconds that a player has, from 0.01 to 60; 1 where nothing is said.
        seconds: Option<f64>,
        /// The random seed; 1 where nothing is said.
        seed: Option<u32>,
    },
    /// Tell what the moves of the game were worth.
    Review {
        /// The request.
        id: u32,
        /// The game.
        state: GameState,
        /// Simulations for each position, from 1 to 1,000,000; where nothing is said 2,000 in Havannah, 10,000 in other games.
        simulations: Option<u64>,
        /// How many moves are passed over without a review; 0 where nothing is said.
        after: Option<usize>,
    },
    /// Find the exact value of the position.
    Solve {
        /// The request.
        id: u32,
        /// The game.
        state: GameState,
        /// One of the solvers of the game; the default one where none is given.
        solver: Option<String>,
        /// Whether to write a certificate, which only the default solver can.
        #[serde(default)]
        certificate: bool,
    },
    /// Tell of a puzzle: a position in which one move alone wins.
    Puzzle {
        /// The request.
        id: u32,
        /// The game.
        #[schema(value_type = Name)]
        game: GameName,
        /// The number of the puzzle, which is always the same one.
        seed: u32,
    },
    /// Tell what is in the store of experiments, now and whenever that changes.
    Watch {
        /// The request.
        id: u32,
        /// One of the experiments; the list of all where none is given.
        experiment: Option<String>,
    },
    /// Stop what was asked for under this name, and forget it.
    Stop {
        /// The request.
        id: u32,
    },
    /// Let what was asked for under this name rest, with all that it knows.
    Pause {
        /// The request.
        id: u32,
    },
    /// Let what rests go on.
    Resume {
        /// The request.
        id: u32,
    },
}

/// The name of a request that cannot be read, if it is one at all.
pub fn id_of(text: &str) -> Option<u32> {
    #[derive(Deserialize)]
    struct Named {
        id: u32,
    }
    let named: Named = serde_json::from_str(text).ok()?;
    Some(named.id)
}

impl Ask {
    /// The page's name for the request.
    pub fn id(&self) -> u32 {
        match self {
            Ask::Analyse { id, .. }
            | Ask::Move { id, .. }
            | Ask::Review { id, .. }
            | Ask::Solve { id, .. }
            | Ask::Puzzle { id, .. }
            | Ask::Watch { id, .. }
            | Ask::Stop { id }
            | Ask::Pause { id }
            | Ask::Resume { id } => *id,
        }
    }
}

/// What the server tells. Scores are expected results between 0 and 1 for the side that `side` names.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[serde(tag = "type", rename_all = "kebab-case")]
pub enum Tell {
    /// What an analysis has found so far.
    Analysis {
        /// The request.
        id: u32,
        /// What is known.
        found: Found,
    },
    /// The move of a player.
    Moved {
        /// The request.
        id: u32,
        /// The move; absent if the game is over.
        #[serde(rename = "move")]
        mv: Option<String>,
        /// The position after the move, or the present one if the game is over.
        position: Box<PositionView>,
        /// What is known.
        found: Found,
    },
    /// What a move of the game under review was worth.
    Reviewed {
        /// The request.
        id: u32,
        /// The move.
        reviewed: ReviewedView,
    },
    /// How far a solver is.
    Solving {
        /// The request.
        id: u32,
        /// What is known.
        progress: SolvingView,
    },
    /// What a solver has found.
    Solved {
        /// The request.
        id: u32,
        /// The answer.
        solved: SolvedView,
    },
    /// A puzzle.
    Puzzle {
        /// The request.
        id: u32,
        /// The puzzle.
        puzzle: PuzzleView,
    },
    /// What is in the store of experiments.
    Experiments {
        /// The request.
        id: u32,
        /// The experiments, the newest first.
        experiments: Vec<ExperimentView>,
    },
    /// What is known of one experiment.
    Experiment {
        /// The request.
        id: u32,
        /// The report.
        report: Box<ExperimentReport>,
    },
    /// What was asked for is done.
    Finished {
        /// The request.
        id: u32,
    },
    /// What was asked for cannot be done.
    Refused {
        /// The request; absent if the message could not be read.
        id: Option<u32>,
        /// Why, in words for a person.
        message: String,
    },
}

/// What a search knows. All scores are for the side to move.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct Found {
    /// The side to move: `white` or `black`.
    pub side: String,
    /// The expected score of the position.
    pub value: f64,
    /// `win`, `draw` or `loss` where the value is exact.
    pub proven: Option<String>,
    /// Simulations, or nodes in a search without simulations.
    pub work: u64,
    /// Work in a second.
    pub rate: f64,
    /// Plies.
    pub depth: u32,
    /// The line that the search expects.
    pub line: Vec<String>,
    /// The moves, the best first.
    pub moves: Vec<Candidate>,
}

/// A move and what is known of it. The score is for the side that makes it.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct Candidate {
    /// The move.
    #[serde(rename = "move")]
    pub mv: String,
    /// Playouts through it, or nodes of the last iteration.
    pub visits: u64,
    /// The expected score.
    pub value: f64,
    /// `win`, `draw` or `loss` where the value is exact.
    pub proven: Option<String>,
    /// The line that the search expects, with the move; empty where it has not looked.
    pub line: Vec<String>,
}

/// How far a solver is.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct SolvingView {
    /// The question is whether this side wins; absent for a solver that asks for the value itself.
    pub attacker: Option<String>,
    /// The proof number of the position for this question; 0 for a solver without proof numbers.
    pub proof: u32,
    /// The disproof number likewise.
    pub disproof: u32,
    /// Positions expanded.
    pub nodes: u64,
    /// How many of these an earlier search expanded, with which this one goes on.
    pub earlier: u64,
    /// Positions in the tree or table.
    pub entries: u64,
    /// Seconds since the start, those of an earlier search and those in which it rested included.
    pub seconds: f64,
    /// The seconds that the search may still take; absent where that cannot be told.
    pub left: Option<TimeLeft>,
    /// Whether a value is found and its certificate is being written.
    pub writing: bool,
}

/// How many seconds a search may still take, by other searches that ended.
#[derive(Clone, Copy, Debug, Serialize, ToSchema)]
pub struct TimeLeft {
    /// One search in ten takes less.
    pub low: f64,
    /// One in two takes less.
    pub likely: f64,
    /// One in ten takes more.
    pub high: f64,
}

/// What a solver has found.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct SolvedView {
    /// `white`, `black` or `draw`; absent if the solver gave up.
    pub outcome: Option<String>,
    /// A move that keeps the value.
    pub best: Option<String>,
    /// A line of play that keeps the value, as far as it is known.
    pub line: Vec<String>,
    /// Positions expanded.
    pub nodes: u64,
    /// Seconds until the value was known, those of an earlier search included.
    pub seconds: f64,
    /// Why the solver ended, in words.
    pub stop: String,
    /// The number of the certificate.
    pub certificate: Option<u64>,
    /// Why there is no certificate, in words.
    pub problem: Option<String>,
}

/// A position in which one move alone wins, as the solver has proven.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct PuzzleView {
    /// The game that led to it.
    pub state: GameState,
    /// Who is to move, and wins: `white` or `black`.
    pub side: String,
    /// The move.
    pub best: String,
}

/// A move under review. Scores are for the side that moved.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct ReviewedView {
    /// The number of the move, from 1.
    pub ply: usize,
    /// `white` or `black`.
    pub side: String,
    /// The move.
    #[serde(rename = "move")]
    pub mv: String,
    /// The expected score before the move, with best play.
    pub before: f64,
    /// The expected score after it.
    pub value: f64,
    /// What it lost, at least 0.
    pub loss: f64,
    /// How far the loss may be wrong by chance, with a probability of 95 %; a loss within it has no mark.
    pub margin: f64,
    /// `??`, `?`, `?!` or nothing.
    pub mark: String,
    /// What kind of mistake it was, in words; absent without a mark.
    pub mistake: Option<&'static str>,
    /// What the engine would have played.
    pub best: Option<String>,
    /// The line that it expected, with that move.
    pub line: Vec<String>,
    /// The line that it expects after the move that was played.
    pub reply: Vec<String>,
    /// `win`, `draw` or `loss` where the value after the move is exact.
    pub proven: Option<String>,
}
