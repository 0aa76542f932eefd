//! What a page and the server say to each other on the WebSocket: one JSON object a message.

use crate::position::GameState;
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
        /// What all that happens by chance follows from; 1 where nothing is said.
        seed: Option<u32>,
    },
    /// Tell what each move of the game was worth.
    Review {
        /// The request.
        id: u32,
        /// The game.
        state: GameState,
        /// Simulations for each position.
        simulations: Option<u64>,
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
    /// Tell when something has changed in the store of experiments.
    Watch {
        /// The request.
        id: u32,
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

impl Ask {
    /// The page's name for the request.
    pub fn id(&self) -> u32 {
        match self {
            Ask::Analyse { id, .. }
            | Ask::Move { id, .. }
            | Ask::Review { id, .. }
            | Ask::Solve { id, .. }
            | Ask::Watch { id }
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
    /// Something has changed in the store of experiments.
    Played {
        /// The request.
        id: u32,
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
    /// Whether a value is found and its certificate is being written.
    pub writing: bool,
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
    /// `??`, `?`, `?!` or nothing.
    pub mark: String,
    /// What the engine would have played.
    pub best: Option<String>,
    /// The line that it expected.
    pub line: Vec<String>,
    /// `win`, `draw` or `loss` where the value after the move is exact.
    pub proven: Option<String>,
}
