//! The default solver of Kōnane, asked for strategies.

use crate::Position;
use crate::solver::{Params, Solver};
use engine::memory::for_tables;
use engine::{Prover, Resources, SolveError};

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
