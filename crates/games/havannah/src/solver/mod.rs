//! The solver `papamu`: the exact value of a position, and a strategy that achieves it.
//!
//! The depth-first search of [`search::proof`](::search::proof) (`problem`, `search`) on words of cells (`word`, `layout`)
//! with threats seen two plies ahead (`stones`, `rings`, `node`), full keys (`key`), and early draw detection
//! (`draw_detection`).
//!
//! ```
//! use havannah::solver::{Params, Solver};
//! use havannah::{Position, Shape};
//! use game::{Outcome, Side};
//! use search::Limits;
//!
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! let shape = Shape::regular(3)?;
//! let mut solver = Solver::new(shape, &Params::default())?;
//! let report = solver.solve(&Position::new(shape), &Limits::default(), &mut |_| {});
//! assert_eq!(report.outcome, Some(Outcome::Win(Side::White)));
//! # Ok(())
//! # }
//! ```

mod base;
mod castro;
mod completing;
mod core;
mod draw_detection;
mod key;
mod layout;
mod node;
mod nodes_left;
mod order;
mod params;
mod problem;
mod rings;
mod search;
mod stones;
#[cfg(test)]
mod tests;
mod trail;
mod word;

use self::core::Core;
use self::key::{Keys, Masks, Ternary};
use self::layout::Layout;
use self::search::Search;
use self::word::{Wide256, Wide384, Word};
use crate::{Move, Position, Shape};
use ::certificate::Promise;
use ::search::Limits;
use ::search::proof::{
    CheckpointError, Crew, ProofNumbers, Run, Solution, SolveProgress, SolveReport, Spent,
};
use ::search::threads::with_deep_stack;
pub use castro::{CastroSolver, MctsSolver, Pruning};
use engine::{Prover, Tell};
use game::{Game, Outcome, Side};
pub(crate) use nodes_left::nodes_left;
pub use params::Params;
use std::io::{self, Read, Write};
use thiserror::Error;

/// A board that the solver has no room for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error("the solver takes boards up to size 10, or 19 rows and columns; not {0}")]
pub struct TooLarge(Shape);

/// What the table of a solver holds of a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Known {
    /// The value, if it is proven.
    pub outcome: Option<Outcome>,
    /// The nodes below the position in the longest visit, of each question, rounded down to a power of
    /// two; 0 if it was not searched.
    pub nodes: u64,
}

/// What a [look](Solver::look) found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Look {
    /// The value under the rules.
    Value(Outcome),
    /// All moves but these lose.
    Only(Vec<Move>),
    /// Nothing.
    Unknown,
}

/// A solver for boards of one shape. What it learns of one position helps it with the next.
#[derive(Debug)]
pub struct Solver {
    shape: Shape,
    core: Box<dyn Core>,
}

impl Solver {
    /// A solver that knows nothing yet.
    ///
    /// # Errors
    /// If the board is too large.
    pub fn new(shape: Shape, params: &Params) -> Result<Solver, TooLarge> {
        fn core<W: Word, S: Keys<W> + 'static>(
            shape: Shape,
            params: &Params,
        ) -> Option<Box<dyn Core>> {
            let layout = Layout::<W>::new(shape)?;
            Some(Box::new(Search::<W, S>::new(layout, params)))
        }
        // Positions and tables of large boards take 100 KiB each.
        let core = with_deep_stack(|| {
            let narrow = if shape.cells() <= Ternary::CELLS {
                core::<u64, Ternary>(shape, params)
            } else {
                core::<u64, Masks>(shape, params)
            };
            narrow
                .or_else(|| core::<u128, Masks>(shape, params))
                .or_else(|| core::<Wide256, Masks>(shape, params))
                .or_else(|| core::<Wide384, Masks>(shape, params))
        });
        core.map_or(Err(TooLarge(shape)), |core| Ok(Solver { shape, core }))
    }

    /// The value of a position of the solver's shape. A search that was ended by its limits is gone on
    /// with, since the table keeps what it found. Of the limits, those on simulations and depth
    /// have no meaning here. `tell` hears of the progress as often as the limits say.
    ///
    /// # Panics
    /// If the position is of another shape.
    pub fn solve(
        &mut self,
        position: &Position,
        limits: &Limits,
        tell: &mut dyn FnMut(&SolveProgress),
    ) -> SolveReport<Move> {
        self.check_shape(position);
        let mut run = Run::start(limits, tell);
        let solution = match position.outcome() {
            Some(outcome) => Some(Solution {
                outcome,
                best: None,
            }),
            None => with_deep_stack(|| self.value(position, &mut run)),
        };
        run.report(solution, self.core.entries(), self.core.bytes())
    }

    /// A move of the side to move with which it keeps a promise. `None` if the position is
    /// over, the promise is the other side's or cannot be kept, or the limits are reached. The
    /// position must be one in which nobody can swap any more, or a game without the swap rule.
    ///
    /// # Panics
    /// If the position is of another shape.
    pub fn keep(&mut self, position: &Position, promise: Promise, limits: &Limits) -> Option<Move> {
        self.check_shape(position);
        let swaps = position.swap_rule() && position.ply() < 2;
        if position.outcome().is_some() || swaps {
            return None;
        }
        let mut quiet = |_: &SolveProgress| {};
        let mut run = Run::start(limits, &mut quiet);
        with_deep_stack(|| self.core.keep(position, promise, &mut run))
    }

    /// What is known of a position, without a search. The swap rule is not looked at.
    ///
    /// # Panics
    /// If the position is of another shape.
    pub fn known(&self, position: &Position) -> Known {
        self.check_shape(position);
        match position.outcome() {
            None => with_deep_stack(|| self.core.known_of(position)),
            outcome => Known { outcome, nodes: 0 },
        }
    }

    /// What the table is of: it may hold any positions of the board.
    fn what(&self) -> String {
        format!("havannah {}", self.shape)
    }

    /// A look of limited effort at a position that is not over: whether `attacker` wins, asked within limits, and
    /// which moves are left otherwise. The position must be one in which nobody can
    /// swap any more, or a game without the swap rule.
    ///
    /// # Panics
    /// If the position is of another shape.
    pub fn look(&mut self, position: &Position, attacker: Side, limits: &Limits) -> Look {
        self.check_shape(position);
        let mut quiet = |_: &SolveProgress| {};
        let mut run = Run::start(limits, &mut quiet);
        with_deep_stack(|| self.core.look(position, attacker, &mut run))
    }

    fn check_shape(&self, position: &Position) {
        let shape = position.geometry().shape();
        assert_eq!(shape, self.shape, "the solver is for another board");
    }

    /// The value of a position that is not over, with the swap rule.
    fn value(&mut self, position: &Position, run: &mut Run<'_>) -> Option<Solution<Move>> {
        let before_first = position.swap_rule() && position.ply() == 0;
        if !before_first && !position.can_swap() {
            return self.core.value(position, run);
        }
        // Under the swap rule each of the first two plies is looked at move by move; after a swap,
        // and after Black's other answers, play goes on without it.
        let to_move = position.to_move();
        let mut answers: Vec<Move> = Vec::new();
        if position.can_swap() {
            answers.push(Move::Swap);
        } else {
            position.legal_moves(&mut answers);
        }
        let mut best: Option<Solution<Move>> = None;
        if position.can_swap() {
            best = self.core.value(position, run);
            best?;
        }
        for mv in answers {
            let mut after = position.clone();
            after.play(mv);
            let outcome = match after.outcome() {
                Some(outcome) => outcome,
                None => self.value(&after, run)?.outcome,
            };
            let better =
                |known: Solution<Move>| outcome.seen_by(to_move) > known.outcome.seen_by(to_move);
            if best.is_none_or(better) {
                best = Some(Solution {
                    outcome,
                    best: Some(mv),
                });
            }
        }
        best
    }
}

/// Positions to search or to learn of are ones in which nobody can swap any more, or of a game without the swap rule. All must
/// be of the solver's shape.
impl Prover<Position> for Solver {
    fn value(&mut self, position: &Position, limits: &Limits, tell: Tell<'_>) -> SolveReport<Move> {
        self.solve(position, limits, tell)
    }

    fn keep(&mut self, position: &Position, promise: Promise, limits: &Limits) -> Option<Move> {
        Solver::keep(self, position, promise, limits)
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
        let mut quiet = |_: &SolveProgress| {};
        let mut run = Run::start(limits, &mut quiet);
        let numbers = with_deep_stack(|| self.core.search(position, attacker, bounds, &mut run));
        (numbers, run.nodes)
    }

    fn learn(&mut self, position: &Position, attacker: Side, answer: ProofNumbers, nodes: u64) {
        self.check_shape(position);
        if position.outcome().is_none() {
            with_deep_stack(|| self.core.learn(position, attacker, answer, nodes));
        }
    }

    fn crew(&self) -> Option<Crew> {
        Some(self.core.crew())
    }

    fn save(&self, spent: Spent, output: &mut dyn Write) -> io::Result<()> {
        self.core.save(&self.what(), spent, output)
    }

    fn load(&mut self, input: &mut dyn Read) -> Result<Spent, CheckpointError> {
        self.core.load(&self.what(), input)
    }

    fn known(&mut self, position: &Position) -> Option<(u64, Option<Outcome>)> {
        let known = Solver::known(self, position);
        Some((known.nodes, known.outcome))
    }
}
