//! The default solver of Kōnane, asked for strategies.

use super::Held;
use crate::{BoardError, BoardOptions, Resources, Solvable, SolveError, Tell};
use certificate::Promise;
use konane::solver::{Params, Solver};
use konane::{Move, Position};
use search::Limits;
use search::proof::{CheckpointError, SolveReport, Spent};
use std::io::{self, Read, Write};

impl<B: Held> Solvable for Position<B> {
    type Prover = Solver;

    fn prover(&self, resources: Resources) -> Result<Solver, SolveError> {
        let params = Params {
            memory: resources.memory,
        };
        let solver = Solver::new(self.shape(), &params);
        solver.map_err(|why| SolveError::TooLarge(why.to_string()))
    }

    fn value(&self, solver: &mut Solver, limits: &Limits, tell: Tell<'_>) -> SolveReport<Move> {
        solver.solve(self, limits, tell)
    }

    /// There are no draws: to hold is to win.
    fn keep(&self, solver: &mut Solver, _promise: Promise, limits: &Limits) -> Option<Move> {
        solver.winning(self, limits)
    }

    fn save(solver: &Solver, spent: Spent, output: impl Write) -> io::Result<()> {
        solver.save(spent, output)
    }

    fn load(solver: &mut Solver, input: impl Read) -> Result<Spent, CheckpointError> {
        solver.load(input)
    }

    fn certified_board(&self, options: &BoardOptions) -> Result<String, BoardError> {
        super::start(options).map(|start| certificate::konane::board_name(&start))
    }

    fn options_of_certified(board: &str) -> BoardOptions {
        let (size, opening) = board.split_once(' ').unwrap_or((board, "traditional"));
        let (rows, cols) = size.split_once('x').unwrap_or((size, size));
        let is_rule = matches!(opening, "traditional" | "any");
        let opening = opening.to_owned();
        let (setup, opening) = if is_rule {
            (None, Some(opening))
        } else {
            (Some(opening), None)
        };
        BoardOptions {
            rows: rows.parse().ok(),
            cols: cols.parse().ok(),
            setup,
            opening,
            ..BoardOptions::default()
        }
    }
}
