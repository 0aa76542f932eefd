//! Positions of any game behind one interface: what the binding needs of a game, and nothing that names one.

use crate::errors::Fault;
use crate::lattice::Lattice;
use papamu::engine::Setting;
use papamu::search::proof::SolveProgress;
use papamu::{GameName, Limits, Proof, Side};
use std::any::Any;
use std::collections::BTreeMap;
use std::sync::Arc;

/// A position that many may hold.
pub type Shared = Arc<dyn AnyPosition>;

/// A move as Python says it.
pub enum Said {
    /// In the notation of the position's dialect.
    Text(String),
    /// By its place in the list of all moves of the board.
    Action(usize),
}

/// What a picture shows besides the stones; cells are names.
#[derive(Default)]
pub struct Marks {
    pub title: Option<String>,
    pub coordinates: bool,
    pub last_move: bool,
    pub highlight: Option<Vec<String>>,
    pub labels: Vec<(String, String)>,
    pub arrows: Vec<(String, String)>,
}

/// What a search knows of a move.
pub struct MoveRow {
    pub mv: String,
    pub visits: u64,
    pub value: f64,
    pub lower_bound: f64,
    pub proven: Option<String>,
}

/// What a search knows, or has found when `stop` says why it ended. Values are those of the side to move.
pub struct Analysis {
    pub game: GameName,
    pub to_move: Side,
    pub best: Option<String>,
    pub value: f64,
    pub evaluation: Option<i32>,
    pub proven: Option<String>,
    pub principal_variation: Vec<String>,
    pub moves: Vec<MoveRow>,
    pub simulations: u64,
    pub playouts: u64,
    pub nodes: u64,
    pub depth: u32,
    pub seconds: f64,
    pub stop: Option<String>,
}

/// What a solver has found.
pub struct Solution {
    pub outcome: Option<&'static str>,
    pub best: Option<String>,
    pub nodes: u64,
    pub entries: u64,
    pub bytes: usize,
    pub seconds: f64,
    pub stop: String,
}

/// Which solver, and what it may use.
pub struct Solving {
    pub solver: Option<String>,
    pub memory: usize,
    pub threads: usize,
    pub settings: Vec<Setting>,
}

/// Hears of the progress of a solver.
pub type Tell<'a> = &'a mut dyn FnMut(SolveProgress);

/// A position with the moves that led to it, whatever the game.
pub trait AnyPosition: Any + Send + Sync {
    fn game(&self) -> GameName;
    fn options(&self) -> BTreeMap<String, String>;
    fn dialect(&self) -> Option<&'static str>;
    fn size(&self) -> String;
    fn to_move(&self) -> Side;
    fn outcome(&self) -> Option<&'static str>;
    fn structure(&self) -> Option<String>;
    fn ply(&self) -> usize;
    fn moves(&self) -> Vec<String>;
    fn legal_moves(&self) -> Vec<String>;
    fn legal_actions(&self) -> Vec<usize>;
    fn actions(&self) -> usize;
    /// The number of a move among all moves of the board.
    fn action(&self, text: &str) -> Result<usize, Fault>;
    /// The move with a number.
    fn move_of(&self, action: usize) -> Result<String, Fault>;
    /// The position after some moves, all of which must be legal.
    fn after(&self, moves: &[Said]) -> Result<Shared, Fault>;
    fn is_legal(&self, mv: &Said) -> bool;
    /// The position as many moves ago.
    fn before(&self, plies: usize) -> Result<Shared, Fault>;
    fn hash(&self) -> u64;
    fn equals(&self, other: &dyn AnyPosition) -> bool;
    fn picture(&self) -> String;
    fn svg(&self, marks: &Marks) -> Result<String, Fault>;
    fn lattice(&self) -> Lattice;
    fn sgf(&self) -> String;
    /// A player that has not thought yet.
    fn player(
        &self,
        name: Option<&str>,
        seed: u64,
        settings: &[Setting],
    ) -> Result<Box<dyn AnyEngine>, Fault>;
    fn solve(&self, how: &Solving, limits: &Limits, tell: Tell<'_>) -> Result<Solution, Fault>;
    fn prove(&self, limits: &Limits, tell: Tell<'_>) -> Result<Proof, Fault>;
    /// This very object, for those who know its type.
    fn as_any(&self) -> &dyn Any;
}

/// A player of any game.
pub trait AnyEngine: Send {
    /// Thinks about a position of its game. What it knows is kept if the position came about from the one before.
    fn think(
        &mut self,
        position: &dyn AnyPosition,
        limits: &Limits,
        tell: &mut dyn FnMut(Analysis),
    ) -> Result<Analysis, Fault>;
}
