//! The default solver of Havannah, asked for strategies.

use crate::Position;
use crate::solver::{Params, Solver};
use engine::memory::for_tables;
use engine::{Prover, Resources, SolveError};

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
