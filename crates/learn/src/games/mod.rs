//! The games that can be learned.

mod havannah;
mod konane;

pub(crate) use havannah::Havannah;
pub(crate) use konane::Konane;

use crate::error::LearnError;
use crate::plan::{Plan, SelfPlay};
use crate::record::{Reader, Record, Writer};
use crate::self_play::Network;
use engine::weights::{Origin, WeightsError};
use engine::{BoardOptions, Playable, Setting};
use game::Game;
use game::random::Rng;
use search::Report;
use std::fmt::Debug;
use std::path::Path;
use training::Loss;

/// The moves of a game that is learned.
pub(crate) type MoveOf<S> = <<S as Subject>::Position as Game>::Move;

/// What a game brings to be learned.
pub(crate) trait Subject: Clone + Debug + PartialEq + Send + Sync + 'static {
    type Position: Playable;
    /// What is kept of a search, and learned from; the default is kept where there is nothing to keep.
    type Searched: Clone + Debug + Default + PartialEq + Send + Sync;
    /// What lessons and the model need of boards of one size.
    type Board: Send + Sync;
    type Lesson;
    type Model: Model<Self>;

    /// The parts into which a batch is cut, whatever the number of threads, so that sums are added in the same order. Each
    /// has a gradient of its own.
    const PARTS: usize;
    /// The symmetries of a board, as which a position can be seen.
    const SYMMETRIES: u32;

    /// What is wrong with a plan for this game.
    fn check(plan: &Plan) -> Option<&'static str>;

    /// The parameters with which a player asks a network, whose weights are in a folder.
    fn settings(network: &Network, weights: &Path) -> Vec<Setting>;

    /// Whether numbers of moves take two bytes.
    fn is_wide(start: &Self::Position) -> bool;
    /// The number of a move in a record.
    fn number(position: &Self::Position, mv: MoveOf<Self>) -> Option<u16>;
    /// The move with a number, which need not be legal.
    fn numbered(position: &Self::Position, number: u16) -> Option<MoveOf<Self>>;

    /// What is kept of a full search that has not proven the result.
    fn searched(
        position: &Self::Position,
        report: &Report<MoveOf<Self>>,
        rules: &SelfPlay,
    ) -> Self::Searched;
    /// What is kept of a search that has.
    fn proven(position: &Self::Position, report: &Report<MoveOf<Self>>) -> Self::Searched;
    fn write(searched: &Self::Searched, to: &mut Writer);
    /// `None` if it is not what a search of this position can have found.
    fn read(position: &Self::Position, from: &mut Reader<'_>) -> Option<Self::Searched>;

    /// What can be learned of a game that others have played: each move as if a search had chosen it. `None` if it has no
    /// moves or no winner.
    fn of_record(game: &record::Record<Self::Position>) -> Option<Record<Self>>;

    fn board(start: &Self::Position) -> Self::Board;
    /// What is to be learned of a position, given the points of the side to move, from 0 to 1.
    fn lesson(
        plan: &Plan,
        position: &Self::Position,
        searched: &Self::Searched,
        score: f32,
        board: &Self::Board,
    ) -> Self::Lesson;

    /// How many numbers a plan learns.
    fn numbers(plan: &Plan) -> usize;
    /// What a run that begins from nothing begins with.
    fn random(plan: &Plan, rng: &mut Rng) -> Vec<f32>;
    /// What the program brings for the boards of a plan, and the SHA-256 of its file.
    fn shipped(plan: &Plan) -> Vec<f32>;
    fn shipped_sha256(plan: &Plan) -> &'static str;
    /// The numbers of a file of weights.
    fn from_file(bytes: &[u8]) -> Result<Vec<f32>, WeightsError>;
    /// As many as a plan learns, from weights that it begins with; `None` if these are too many.
    fn enlarged(plan: &Plan, weights: Vec<f32>) -> Option<Vec<f32>>;
    /// The file with weights; `None` if the player could not use them.
    fn file(origin: &Origin, learned: &[f32]) -> Option<Vec<u8>>;
}

/// What is learned: a function of weights.
pub(crate) trait Model<S: Subject>: Sync {
    fn new(plan: &Plan, weights: Vec<f32>) -> Self;
    /// Takes other weights.
    fn set(&mut self, weights: &[f32]);
    /// How well a lesson is predicted.
    fn test(&self, lesson: &S::Lesson, board: &S::Board) -> Loss;
    /// The same where the board is seen as one of its symmetries shows it; the gradient of the loss is added.
    fn learn(
        &self,
        lesson: &S::Lesson,
        board: &S::Board,
        symmetry: usize,
        gradient: &mut [f32],
    ) -> Loss;
}

/// The empty board of a size.
pub(crate) fn start<S: Subject>(size: u32) -> Result<S::Position, LearnError> {
    let start = S::Position::start(&BoardOptions::sized(size));
    start.map_err(|why| LearnError::Player(why.to_string()))
}

/// The path of the weights with a hash, as a parameter.
fn network_file(weights: &Path, hash: &str) -> String {
    let path = weights.join(format!("{hash}.weights"));
    path.to_string_lossy().into_owned()
}

/// Evaluates an expression for the game of a plan.
macro_rules! with_subject {
    ($game:expr, $subject:ident => $value:expr) => {
        match $game {
            crate::plan::LearnedGame::Havannah => {
                type $subject = crate::games::Havannah;
                $value
            }
            crate::plan::LearnedGame::Konane => {
                type $subject = crate::games::Konane;
                $value
            }
        }
    };
}
pub(crate) use with_subject;
