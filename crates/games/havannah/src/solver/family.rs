//! The solvers of [`search::proof`] on Havannah.

use super::TooLarge;
use super::layout::Layout;
use super::state::{Pruning, SolverState};
use super::word::{Wide384, Word};
use crate::{Move, Position, Shape};
use game::Game;
use search::Limits;
use search::proof::{self, Method, SolveProgress, SolveReport};
use search::threads::with_deep_stack;
use std::fmt::Debug;
use std::sync::Arc;

/// A solver of the family of the Castro thesis (2012), for boards of one shape.
#[derive(Debug)]
pub struct FamilySolver {
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
    solver: proof::Solver<SolverState<W>>,
}

impl FamilySolver {
    /// A solver by one of the methods.
    ///
    /// # Errors
    /// If the board is too large.
    pub fn new(
        shape: Shape,
        method: Method,
        params: &proof::Params,
        pruning: Pruning,
    ) -> Result<FamilySolver, TooLarge> {
        fn core<W: Word>(
            shape: Shape,
            method: Method,
            params: &proof::Params,
            pruning: Pruning,
        ) -> Option<Box<dyn Core>> {
            Some(Box::new(OfWidth::<W> {
                layout: Arc::new(Layout::new(shape)?),
                pruning,
                solver: proof::Solver::new(method, params),
            }))
        }
        let core = with_deep_stack(|| {
            core::<u64>(shape, method, params, pruning)
                .or_else(|| core::<u128>(shape, method, params, pruning))
                .or_else(|| core::<Wide384>(shape, method, params, pruning))
        });
        core.map_or(Err(TooLarge(shape)), |core| {
            Ok(FamilySolver { shape, core })
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
