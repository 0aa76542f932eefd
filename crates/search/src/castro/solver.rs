//! The solvers under one roof.

use super::alphabeta::AlphaBeta;
use super::goals::Goals;
use super::params::Params;
use super::pns::Pns;
use super::pns_table::PnsTable;
use super::state::State;
use crate::Limits;
use crate::proof::{SolveProgress, SolveReport};
use crate::threads::with_deep_stack;

/// A way to solve.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Method {
    /// Alpha-beta, deepened ply by ply.
    AlphaBeta,
    /// Proof-number search on a tree.
    Pns,
    /// Proof-number search on a transposition table.
    PnsTable,
}

/// A solver by one of the methods.
#[derive(Debug)]
pub struct Solver<S: State>(Kind<S>);

#[derive(Debug)]
enum Kind<S: State> {
    AlphaBeta(AlphaBeta<S>),
    Pns(Goals<S, Pns>),
    PnsTable(Goals<S, PnsTable<S>>),
}

impl<S: State> Solver<S> {
    /// A solver that knows nothing yet.
    pub fn new(method: Method, params: &Params) -> Solver<S> {
        Solver(match method {
            Method::AlphaBeta => Kind::AlphaBeta(AlphaBeta::new(params)),
            Method::Pns => Kind::Pns(Goals::new(params, Pns::new(params))),
            Method::PnsTable => Kind::PnsTable(Goals::new(params, PnsTable::new(params))),
        })
    }

    /// The value of a position, without anything learnt from another; a search of the same position that
    /// was ended by its limits resumes. Of the limits, those on simulations and depth have no
    /// meaning here. The best move is one of the state's numbers.
    pub fn solve(
        &mut self,
        root: &S,
        limits: &Limits,
        tell: &mut dyn FnMut(&SolveProgress),
    ) -> SolveReport<u16> {
        with_deep_stack(|| match &mut self.0 {
            Kind::AlphaBeta(solver) => solver.solve(root, limits, tell),
            Kind::Pns(solver) => solver.solve(root, limits, tell),
            Kind::PnsTable(solver) => solver.solve(root, limits, tell),
        })
    }
}
