//! The default solver of Havannah, asked for strategies.

use crate::{BoardError, BoardOptions, Playable, Resources, Solvable, SolveError, Tell};
use certificate::Promise;
use havannah::solver::{Claim, Params, Solver};
use havannah::{Move, Position};
use search::Limits;
use search::proof::{CheckpointError, SolveReport, Spent};
use std::io::{self, Read, Write};

impl Solvable for Position {
    type Prover = Solver;

    fn prover(&self, resources: Resources) -> Result<Solver, SolveError> {
        let params = Params {
            memory: resources.memory,
            threads: resources.threads,
            ..Params::default()
        };
        let solver = Solver::new(self.geometry().shape(), &params);
        solver.map_err(|why| SolveError::TooLarge(why.to_string()))
    }

    fn value(&self, solver: &mut Solver, limits: &Limits, tell: Tell<'_>) -> SolveReport<Move> {
        solver.solve(self, limits, tell)
    }

    fn keep(&self, solver: &mut Solver, promise: Promise, limits: &Limits) -> Option<Move> {
        let claim = match promise {
            Promise::Wins(side) => Claim::Wins(side),
            Promise::Holds(side) => Claim::Holds(side),
        };
        solver.keep(self, claim, limits)
    }

    fn save(solver: &Solver, spent: Spent, output: impl Write) -> io::Result<()> {
        solver.save(spent, output)
    }

    fn load(solver: &mut Solver, input: impl Read) -> Result<Spent, CheckpointError> {
        solver.load(input)
    }

    fn certified_board(&self, _options: &BoardOptions) -> Result<String, BoardError> {
        if self.swap_rule() {
            return Err(BoardError::of(
                "certificates are about games without the swap rule",
            ));
        }
        Ok(self.size_name())
    }

    fn options_of_certified(board: &str) -> BoardOptions {
        BoardOptions {
            size: Some(board.to_owned()),
            ..BoardOptions::default()
        }
    }
}
