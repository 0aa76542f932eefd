//! What is answered.

use engine::{ExpectedStructures, Mistake, MonteCarlo, Opinion, ReviewedMove};
use serde::Serialize;

/// A line of the output.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(tag = "type", rename_all = "lowercase")]
pub enum Answer {
    /// What is known of a position while it is searched.
    Partial(PositionAnalysis),
    /// What a search has found out of a position.
    Result(PositionAnalysis),
    /// A query was cancelled: nothing more comes of it.
    Cancelled {
        /// The query.
        id: String,
        /// Its turns without a result.
        turns: Vec<usize>,
    },
    /// A line was refused.
    Error {
        /// The query, as far as the line names one.
        id: Option<String>,
        /// The field that is wrong, if it is one.
        #[serde(skip_serializing_if = "Option::is_none")]
        field: Option<String>,
        /// What is wrong, and what is expected.
        error: String,
    },
    /// What answers here.
    Version {
        /// The query.
        id: String,
        /// The version of the description of queries and answers.
        schema: u32,
        /// The version of the program.
        program: &'static str,
    },
}

/// A position. Values are expected scores from 0 (loss) to 1 (win) of the side to move in it.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct PositionAnalysis {
    /// The query.
    pub id: String,
    /// The number of moves before the position.
    pub turn: usize,
    /// Whose turn it is.
    pub to_move: String,
    /// The expected score.
    pub value: f64,
    /// The exact value, where it is proven: `win`, `draw` or `loss`.
    pub proven: Option<String>,
    /// The best move; none if the game is over.
    pub best: Option<String>,
    /// The line of play that the search expects, the best move first.
    pub line: Vec<String>,
    /// Simulations of the search.
    pub simulations: u64,
    /// Nodes of the search.
    pub nodes: u64,
    /// Depth of the search in plies.
    pub depth: u32,
    /// Seconds since the search began.
    pub seconds: f64,
    /// Why the search ended; none in a partial answer.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub stop: Option<String>,
    /// The moves, the best first.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub moves: Option<Vec<MoveAnalysis>>,
    /// What the last move was worth.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub review: Option<Reviewed>,
    /// Counts of the search.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub statistics: Option<MonteCarlo>,
    /// What the game's network says.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub network: Option<Opinion>,
    /// The structures with which its games end; none in a partial answer.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub structures: Option<ExpectedStructures>,
}

/// A move in a position. The value is that of the side that makes it.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct MoveAnalysis {
    /// The move.
    #[serde(rename = "move")]
    pub mv: String,
    /// Simulations or nodes.
    pub visits: u64,
    /// The expected score.
    pub value: f64,
    /// The lower end of the 95 % interval of the expected score.
    pub lower_bound: f64,
    /// The exact value, where it is proven.
    pub proven: Option<String>,
    /// The line of play after it, itself first.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub line: Option<Vec<String>>,
}

/// A move of the game under review. Values are those of the side that moved.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Reviewed {
    /// The number of the move, from 1.
    pub ply: usize,
    /// Who moved.
    pub side: String,
    /// The move.
    #[serde(rename = "move")]
    pub mv: String,
    /// The expected score after the move.
    pub value: f64,
    /// The expected score before the move, with best play.
    pub before: f64,
    /// What the engine would have played.
    pub best: String,
    /// How much the move lost, at least 0.
    pub loss: f64,
    /// How far the loss may be wrong, with a probability of 95 %, as far as chance goes. A loss within it has no mark.
    pub margin: f64,
    /// How bad the move was: `??`, `?`, `?!` or nothing.
    pub mark: &'static str,
    /// What kind of mistake it was, in words; none without a mark.
    pub mistake: Option<&'static str>,
    /// The exact value after the move, where it is proven: `win`, `draw` or `loss`.
    pub proven: Option<String>,
}

impl Reviewed {
    /// In words.
    pub(crate) fn new<M: PartialEq + Copy>(
        of: &ReviewedMove<M>,
        write: impl Fn(M) -> String,
    ) -> Reviewed {
        Reviewed {
            ply: of.ply,
            side: of.side.to_string(),
            mv: write(of.mv),
            value: of.value.0,
            before: of.before.0,
            best: of.best.map(write).unwrap_or_default(),
            loss: of.loss(),
            margin: of.margin,
            mark: of.mark(),
            mistake: of.mistake().map(Mistake::name),
            proven: of.proven.map(|proven| proven.to_string()),
        }
    }
}
