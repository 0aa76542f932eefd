//! The default solver of Havannah, asked for strategies.

use crate::solver::{Claim, Params, Solver};
use crate::{Move, Position};
use ::certificate::Promise;
use engine::memory::for_tables;
use engine::{Prover, Resources, SolveError, Tell};
use game::{Outcome, Side};
use search::Limits;
use search::proof::{CheckpointError, ProofNumbers, SolveReport, Spent};
use std::io::{self, Read, Write};

pub(crate) fn prover(
    position: &Position,
    resources: Resources,
) -> Result<Box<dyn Prover<Position>>, SolveError> {
    let params = Params {
        memory: for_tables(resources.memory),
        threads: resources.threads,
        ..Params::default()
    };
    match Solver::new(position.geometry().shape(), &params) {
        Ok(solver) => Ok(Box::new(solver)),
        Err(why) => Err(SolveError::TooLarge(why.to_string())),
    }
}

impl Prover<Position> for Solver {
    fn value(&mut self, position: &Position, limits: &Limits, tell: Tell<'_>) -> SolveReport<Move> {
        self.solve(position, limits, tell)
    }

    fn keep(&mut self, position: &Position, promise: Promise, limits: &Limits) -> Option<Move> {
        let claim = match promise {
            Promise::Wins(side) => Claim::Wins(side),
            Promise::Holds(side) => Claim::Holds(side),
        };
        Solver::keep(self, position, claim, limits)
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

    fn known(&mut self, position: &Position) -> Option<(u64, Option<Outcome>)> {
        let known = Solver::known(self, position);
        Some((known.nodes, known.outcome))
    }
}
