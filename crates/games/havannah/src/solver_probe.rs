//! A closer look at nodes of Monte Carlo tree search: the solver, with a limit.

use crate::rules::position::{Move, Position};
use crate::solver::{Look, Params, Solver};
use ::certificate::Promise;
use game::{Game, Outcome};
use search::Limits;
use search::clock::Instant;
use search::mcts::{Probe, ProbeResult};
use std::time::Duration;

/// Probes positions on boards of one shape. Effort is counted in nodes of the solver.
#[derive(Debug)]
pub(crate) struct SolverProbe {
    memory: usize,
    /// Made when it is needed; there is none for boards that are too large.
    solver: Option<Solver>,
}

impl SolverProbe {
    /// With a table of so many bytes.
    pub(crate) fn new(memory: usize) -> SolverProbe {
        SolverProbe {
            memory,
            solver: None,
        }
    }

    /// Asks whether the side wins that is expected to.
    pub(crate) fn probe(&mut self, position: &Position, probe: &Probe) -> ProbeResult<Move> {
        if position.swap_rule() && position.ply() < 2 {
            return ProbeResult::Nothing;
        }
        if self.solver.is_none() {
            let params = Params {
                memory: self.memory,
                ..Params::default()
            };
            self.solver = Solver::new(position.geometry().shape(), &params).ok();
        }
        let Some(solver) = &mut self.solver else {
            return ProbeResult::Nothing;
        };
        let mover = position.to_move();
        let attacker = if probe.expects_win { mover } else { !mover };
        let started = Instant::now();
        match solver.look(position, attacker, &probe.limits) {
            Look::Value(outcome) if probe.wants_move && outcome == Outcome::Win(mover) => {
                let left = |time: Duration| time.saturating_sub(started.elapsed());
                let limits = Limits {
                    time: probe.limits.time.map(left),
                    ..probe.limits.clone()
                };
                let kept = solver.keep(position, Promise::Wins(mover), &limits);
                kept.map_or(ProbeResult::Nothing, ProbeResult::WinningMove)
            }
            Look::Value(outcome) => ProbeResult::Value(outcome),
            Look::Only(moves) => ProbeResult::Only(moves),
            Look::Unknown => ProbeResult::Nothing,
        }
    }
}

/// With a table of its own, which is empty.
impl Clone for SolverProbe {
    fn clone(&self) -> SolverProbe {
        SolverProbe::new(self.memory)
    }
}
