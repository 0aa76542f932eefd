//! A closer look at nodes of Monte Carlo tree search: the solver, with a limit.

use crate::rules::position::{Move, Position};
use crate::solver::{Claim, Look, Params, Solver};
use game::{Game, Outcome};
use search::Limits;
use search::clock::Instant;
use search::mcts::{Examination, Finding};
use std::time::Duration;

/// Examines positions on boards of one shape. Effort is counted in nodes of the solver.
#[derive(Debug)]
pub(crate) struct Examiner {
    memory: usize,
    /// Made when it is needed; there is none for boards that are too large.
    solver: Option<Solver>,
}

impl Examiner {
    /// With a table of so many bytes.
    pub(crate) fn new(memory: usize) -> Examiner {
        Examiner {
            memory,
            solver: None,
        }
    }

    /// Asks whether the side wins that is expected to.
    pub(crate) fn examine(
        &mut self,
        position: &Position,
        examination: &Examination,
    ) -> Finding<Move> {
        if position.swap_rule() && position.ply() < 2 {
            return Finding::Nothing;
        }
        if self.solver.is_none() {
            let params = Params {
                memory: self.memory,
                ..Params::default()
            };
            self.solver = Solver::new(position.geometry().shape(), &params).ok();
        }
        let Some(solver) = &mut self.solver else {
            return Finding::Nothing;
        };
        let mover = position.to_move();
        let attacker = if examination.expects_win {
            mover
        } else {
            !mover
        };
        let started = Instant::now();
        match solver.look(position, attacker, &examination.limits) {
            Look::Value(outcome) if examination.wants_move && outcome == Outcome::Win(mover) => {
                let left = |time: Duration| time.saturating_sub(started.elapsed());
                let limits = Limits {
                    time: examination.limits.time.map(left),
                    ..examination.limits.clone()
                };
                let kept = solver.keep(position, Claim::Wins(mover), &limits);
                kept.map_or(Finding::Nothing, Finding::WinningMove)
            }
            Look::Value(outcome) => Finding::Value(outcome),
            Look::Only(moves) => Finding::Only(moves),
            Look::Unknown => Finding::Nothing,
        }
    }
}

/// With a table of its own, which is empty.
impl Clone for Examiner {
    fn clone(&self) -> Examiner {
        Examiner::new(self.memory)
    }
}
