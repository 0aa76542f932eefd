//! The solvers of the Castro thesis (2012) on Havannah: those of [`search::castro`], and Monte Carlo tree search.

mod mcts;
mod state;

use super::TooLarge;
use super::layout::Layout;
use super::word::{Wide384, Word};
use crate::{Move, Position, Shape};
use game::Game;
use search::Limits;
use search::castro::{self, Method};
use search::proof::{SolveProgress, SolveReport};
use search::threads::with_deep_stack;
use std::fmt::Debug;
use std::sync::Arc;

pub use mcts::MctsSolver;
pub use state::Pruning;
pub(super) use state::SolverState;

/// A solver by one of the methods, for boards of one shape.
#[derive(Debug)]
pub struct CastroSolver {
    shape: Shape,
    core: Box<dyn Core>,
}

/// The solver, whatever the width of its words.
trait Core: Debug + Send {
    fn solve(
        &mut self,
        position: &Position,
        limits: &Limits,
        tell: &mut dyn FnMut(&SolveProgress),
    ) -> SolveReport<Move>;
}

#[derive(Debug)]
struct OfWidth<W: Word> {
    layout: Arc<Layout<W>>,
    pruning: Pruning,
    solver: castro::Solver<SolverState<W>>,
}

impl CastroSolver {
    /// A solver by one of the methods.
    ///
    /// # Errors
    /// If the board is too large.
    pub fn new(
        shape: Shape,
        method: Method,
        params: &castro::Params,
        pruning: Pruning,
    ) -> Result<CastroSolver, TooLarge> {
        fn core<W: Word>(
            shape: Shape,
            method: Method,
            params: &castro::Params,
            pruning: Pruning,
        ) -> Option<Box<dyn Core>> {
            Some(Box::new(OfWidth::<W> {
                layout: Arc::new(Layout::new(shape)?),
                pruning,
                solver: castro::Solver::new(method, params),
            }))
        }
        let core = with_deep_stack(|| {
            core::<u64>(shape, method, params, pruning)
                .or_else(|| core::<u128>(shape, method, params, pruning))
                .or_else(|| core::<Wide384>(shape, method, params, pruning))
        });
        core.map_or(Err(TooLarge(shape)), |core| {
            Ok(CastroSolver { shape, core })
        })
    }

    /// The value of a position of the solver's shape, without anything learnt from another; a search of
    /// the same position that was ended by its limits is gone on with. Of the limits, those on simulations
    /// and depth have no meaning here.
    ///
    /// # Panics
    /// If the position is of another shape.
    pub fn solve(
        &mut self,
        position: &Position,
        limits: &Limits,
        tell: &mut dyn FnMut(&SolveProgress),
    ) -> SolveReport<Move> {
        let shape = position.geometry().shape();
        assert_eq!(shape, self.shape, "the solver is for another board");
        with_deep_stack(|| self.core.solve(position, limits, tell))
    }
}

impl<W: Word> Core for OfWidth<W> {
    fn solve(
        &mut self,
        position: &Position,
        limits: &Limits,
        tell: &mut dyn FnMut(&SolveProgress),
    ) -> SolveReport<Move> {
        let root = SolverState::new(&self.layout, position, self.pruning);
        let report = self.solver.solve(&root, limits, tell);
        let best = report.best.and_then(|mv| root.move_of(mv));
        report.with_best(best.filter(|&mv| position.is_legal(mv)))
    }
}
