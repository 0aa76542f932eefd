//! The default solver of Kōnane, asked for strategies.

use crate::solver::{Params, Solver};
use crate::{Move, Position};
use ::certificate::Promise;
use engine::memory::for_tables;
use engine::{Prover, Resources, SolveError, Tell};
use game::Side;
use search::Limits;
use search::proof::{CheckpointError, ProofNumbers, SolveReport, Spent};
use std::io::{self, Read, Write};

pub(crate) fn prover(
    position: &Position,
    resources: Resources,
) -> Result<Box<dyn Prover<Position>>, SolveError> {
    if resources.threads > 1 {
        return Err(SolveError::OneThread { solver: "papamu" });
    }
    let params = Params {
        memory: for_tables(resources.memory),
    };
    match Solver::new(position.shape(), &params) {
        Ok(mut solver) => {
            solver.take_root(position);
            Ok(Box::new(solver))
        }
        Err(why) => Err(SolveError::TooLarge(why.to_string())),
    }
}

impl Prover<Position> for Solver {
    fn value(&mut self, position: &Position, limits: &Limits, tell: Tell<'_>) -> SolveReport<Move> {
        self.solve(position, limits, tell)
    }

    /// There are no draws: to hold is to win.
    fn keep(&mut self, position: &Position, _promise: Promise, limits: &Limits) -> Option<Move> {
        self.winning(position, limits)
    }

    fn search(
        &mut self,
        position: &Position,
        attacker: Side,
        bounds: ProofNumbers,
        limits: &Limits,
    ) -> (ProofNumbers, u64) {
        Solver::search(self, position, attacker, bounds, limits)
    }

    fn learn(&mut self, position: &Position, attacker: Side, answer: ProofNumbers, nodes: u64) {
        Solver::learn(self, position, attacker, answer, nodes);
    }

    fn save(&self, spent: Spent, output: &mut dyn Write) -> io::Result<()> {
        Solver::save(self, spent, output)
    }

    fn load(&mut self, input: &mut dyn Read) -> Result<Spent, CheckpointError> {
        Solver::load(self, input)
    }
}
