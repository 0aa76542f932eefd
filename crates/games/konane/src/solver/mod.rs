//! The solver of Kōnane: who wins a position, and a move that does it.
//!
//! The depth-first search of [`search::proof`](::search::proof) on one word of stones (`search`), with a table of full keys
//! ([`Table`]), positions evaluated by safe moves and by what each side could still do alone (`evaluator`), a small
//! alpha-beta search at the leaves (`leaf`), and the symmetries of the root (`symmetry`).
//!
//! ```
//! use game::{Outcome, Side};
//! use konane::solver::{Params, Solver};
//! use konane::{Opening, Position, Setup, Shape, Start};
//! use search::Limits;
//!
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! let shape = Shape::new(5, 5)?;
//! let opening = Opening::Removed(Setup::Centre);
//! let position = Position::new(&Start { shape, opening })?;
//! let mut solver = Solver::new(shape, &Params::default())?;
//! let report = solver.solve(&position, &Limits::default(), &mut |_| {});
//! assert_eq!(report.outcome, Some(Outcome::Win(Side::Black)));
//! # Ok(())
//! # }
//! ```

mod evaluator;
mod leaf;
mod regional;
mod search;
mod symmetry;

use self::evaluator::Evaluator;
use self::search::Search;
use self::symmetry::Stabiliser;
use crate::field::BoardGeometry;
use crate::{Board, Move, Position, PositionOn, Shape, Stage};
use ::certificate::Promise;
use ::search::Limits;
use ::search::proof::{
    CheckpointError, Crew, Notes, ProofNumbers, Run, Solution, SolveProgress, SolveReport, Spent,
    Table,
};
use engine::{Prover, Tell};
use game::{Game, Outcome, Side};
pub use regional::{RegionalParams, RegionalSolver};
pub(crate) use search::COMBINATION;
use std::io::{self, Read, Write};
use thiserror::Error;

/// A board that the solver has no room for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error("the solver takes boards of at most 64 cells, and a {0} board has {cells}", cells = .0.area())]
pub struct TooLarge(Shape);

/// The parameters of the solver.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Params {
    /// The most bytes for the transposition table, of which it takes the largest power of two.
    pub memory: usize,
    /// Threads that search for the value of a position together.
    pub threads: usize,
}

impl Default for Params {
    fn default() -> Self {
        Params {
            memory: 1 << 30,
            threads: 1,
        }
    }
}

/// A solver for boards of one shape. What it learns of one position helps it with the next.
#[derive(Debug)]
pub struct Solver {
    shape: Shape,
    /// The most bytes for the table.
    memory: usize,
    /// The threads that search for values.
    crew: Crew,
    search: Search,
}

impl Solver {
    /// A solver that knows nothing yet.
    ///
    /// # Errors
    /// If the board has more than 64 cells.
    pub fn new(shape: Shape, params: &Params) -> Result<Solver, TooLarge> {
        let field = BoardGeometry::new(shape).ok_or(TooLarge(shape))?;
        let search = Search {
            evaluator: Evaluator::new(field),
            table: Table::new(params.memory, search::GROWTH),
            stabiliser: Stabiliser::of(shape, 0),
            notes: Notes::new(None),
        };
        Ok(Solver {
            shape,
            memory: params.memory,
            crew: Crew::new(params.threads),
            search,
        })
    }

    /// The value of a position of the solver's shape. Of the limits, those on simulations and depth have no
    /// meaning here. `tell` hears of the progress as often as the limits say.
    ///
    /// # Panics
    /// If the position is of another shape.
    pub fn solve<B: Board>(
        &mut self,
        position: &PositionOn<B>,
        limits: &Limits,
        tell: &mut dyn FnMut(&SolveProgress),
    ) -> SolveReport<Move> {
        self.take_root(position);
        let mut run = Run::start(limits, tell);
        let side = position.to_move();
        let crew = self.crew.clone();
        let wins = self.wins(Some(&crew), position, &mut run);
        let best = match wins {
            Some(true) => self.winning_move(position, &mut run),
            Some(false) => {
                let mut moves = Vec::new();
                position.legal_moves(&mut moves);
                moves.first().copied()
            }
            None => None,
        };
        let solution = wins.map(|wins| Solution {
            outcome: Outcome::Win(if wins { side } else { !side }),
            best,
        });
        let table = &self.search.table;
        run.report(solution, table.used(), table.bytes())
    }

    /// A move with which the side to move wins. `None` if it has none, or the limits are reached.
    ///
    /// # Panics
    /// If the position is of another shape.
    pub fn winning<B: Board>(&mut self, position: &PositionOn<B>, limits: &Limits) -> Option<Move> {
        self.check_shape(position);
        let mut quiet = |_: &SolveProgress| {};
        let mut run = Run::start(limits, &mut quiet);
        self.winning_move(position, &mut run)
    }

    /// Looks at positions from now on as ones below this root: those that the symmetries of the root tell apart no more
    /// are searched once.
    ///
    /// # Panics
    /// If the position is of another shape.
    pub fn take_root<B: Board>(&mut self, position: &PositionOn<B>) {
        self.check_shape(position);
        self.search.stabiliser = Stabiliser::of(self.shape, stones(position));
    }

    fn check_shape<B: Board>(&self, position: &PositionOn<B>) {
        assert_eq!(
            position.shape(),
            self.shape,
            "the solver is for another board"
        );
    }

    /// What the table is of: it may hold any positions of the board.
    fn what(&self) -> String {
        format!("konane {}", self.shape)
    }

    /// Whether the side to move wins. The removals of the opening are tried one by one.
    fn wins<B: Board>(
        &mut self,
        crew: Option<&Crew>,
        position: &PositionOn<B>,
        run: &mut Run<'_>,
    ) -> Option<bool> {
        if let Some(outcome) = position.outcome() {
            return Some(outcome == Outcome::Win(position.to_move()));
        }
        if position.stage() == Stage::Jumping {
            let side = position.to_move();
            return self.search.wins(crew, stones(position), side, run);
        }
        by_moves(position, |after| self.wins(crew, after, run)).0
    }

    /// By one thread: most of what it asks takes less than to start another.
    fn winning_move<B: Board>(
        &mut self,
        position: &PositionOn<B>,
        run: &mut Run<'_>,
    ) -> Option<Move> {
        let mut moves = Vec::new();
        position.legal_moves(&mut moves);
        let mut children: Vec<(Move, PositionOn<B>)> = Vec::with_capacity(moves.len());
        for mv in moves {
            let mut after = position.clone();
            after.play(mv);
            children.push((mv, after));
        }
        if position.stage() == Stage::Jumping {
            let side = position.to_move();
            if let Some(mv) = self.known_to_win(&children, side) {
                return Some(mv);
            }
            // Of a position that is only known to be won, the search finds the move sooner than one move after the other.
            self.search.again(stones(position), side, run);
            if let Some(mv) = self.known_to_win(&children, side) {
                return Some(mv);
            }
        }
        let found = children
            .iter()
            .find(|(_, after)| self.wins(None, after, run) == Some(false));
        found.map(|&(mv, _)| mv)
    }

    /// A move of a side after which the other is seen to lose.
    fn known_to_win<B: Board>(
        &mut self,
        children: &[(Move, PositionOn<B>)],
        side: Side,
    ) -> Option<Move> {
        let found = children.iter().find(|(_, after)| {
            let stones = self.search.stabiliser.representative(stones(after));
            self.search.look(stones, !side).delta == 0
        });
        found.map(|&(mv, _)| mv)
    }
}

/// All positions must be of the solver's shape. Of one of the opening nothing is known before its moves are.
impl Prover<Position> for Solver {
    fn value(&mut self, position: &Position, limits: &Limits, tell: Tell<'_>) -> SolveReport<Move> {
        self.solve(position, limits, tell)
    }

    /// There are no draws: to hold is to win.
    fn keep(&mut self, position: &Position, _: Promise, limits: &Limits) -> Option<Move> {
        self.winning(position, limits)
    }

    fn search(
        &mut self,
        position: &Position,
        attacker: Side,
        bounds: ProofNumbers,
        limits: &Limits,
    ) -> (ProofNumbers, u64) {
        self.check_shape(position);
        if let Some(outcome) = position.outcome() {
            return (ProofNumbers::of_outcome(outcome, attacker), 0);
        }
        if position.stage() != Stage::Jumping {
            return (ProofNumbers::UNKNOWN, 0);
        }
        let mut quiet = |_: &SolveProgress| {};
        let mut run = Run::start(limits, &mut quiet);
        let side = position.to_move();
        let attacking = side == attacker;
        let limit = bounds.seen_by(attacking);
        let crew = self.crew.clone();
        let asked = (stones(position), side);
        let numbers = self.search.within(Some(&crew), asked, limit, &mut run);
        let mut answer = numbers.both(attacking);
        // There are no draws.
        answer.lost = answer.disproof == 0;
        (answer, run.nodes)
    }

    fn learn(&mut self, position: &Position, attacker: Side, answer: ProofNumbers, nodes: u64) {
        self.check_shape(position);
        let is_open = position.outcome().is_none() && position.stage() == Stage::Jumping;
        if is_open && answer.is_solved() {
            let side = position.to_move();
            let numbers = answer.seen_by(side == attacker);
            let stones = self.search.stabiliser.representative(stones(position));
            self.search.remember(stones, side, numbers, nodes);
        }
    }

    fn note(&mut self, least: Option<u64>) -> bool {
        self.search.notes = Notes::new(least);
        true
    }

    fn noted(&mut self) -> Option<Vec<u8>> {
        let what = self.what();
        let Search { table, notes, .. } = &mut self.search;
        table.noted(&what, notes)
    }

    fn take_noted(&mut self, noted: &[u8]) -> Result<(), CheckpointError> {
        self.search.table.take_noted(&self.what(), noted)
    }

    fn crew(&self) -> Option<Crew> {
        Some(self.crew.clone())
    }

    fn save(&self, spent: Spent, output: &mut dyn Write) -> io::Result<()> {
        self.search.table.save(&self.what(), spent, output)
    }

    fn load(&mut self, input: &mut dyn Read) -> Result<Spent, CheckpointError> {
        let (table, spent) = Table::load(&self.what(), self.memory, search::GROWTH, input)?;
        self.search.table = table;
        Ok(spent)
    }
}

/// Whether the side to move wins, and by which move, from who wins after each: `wins` speaks for the side
/// that is to move then. `None` if that is not known of a move that matters.
fn by_moves<B: Board>(
    position: &PositionOn<B>,
    mut wins: impl FnMut(&PositionOn<B>) -> Option<bool>,
) -> (Option<bool>, Option<Move>) {
    let mut moves = Vec::new();
    position.legal_moves(&mut moves);
    let mut answer = Some(false);
    for mv in moves {
        let mut after = position.clone();
        after.play(mv);
        match wins(&after) {
            Some(false) => return (Some(true), Some(mv)),
            Some(true) => {}
            None => answer = None,
        }
    }
    (answer, None)
}

/// The occupied cells.
fn stones<B: Board>(position: &PositionOn<B>) -> u64 {
    crate::field::stones(position.board())
}
