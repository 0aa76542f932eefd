//! The evaluation of the player `papamu`, and what else it adds to [`search::pvs`].
//!
//! A position is worth a weighted sum of what one side has more of than the other ([`Features`]), with
//! weights that change as the board empties ([`WEIGHTS`]), and of what fills the small windows of the
//! board ([`Pattern`]). The unit is a hundredth of what changes the odds by a factor of e. Who wins is
//! looked for by the [`Solver`] beside it.

mod features;
mod patterns;
mod weights;

pub use features::{FEATURES, Features};
pub use patterns::{PATTERN_WEIGHTS, Pattern};
pub use weights::{TEMPO, WEIGHTS, Weight};

use self::patterns::Patterns;
use crate::hops::{Ground, direction_of};
use crate::rules::Bits;
use crate::solver::{self, Solver};
use crate::{BitBoard, Move, Position, Shape, Stage};
use game::{Game, Side};
use search::Limits;
use search::pvs::{Guide, Solved};

/// The guide of `papamu`.
#[derive(Debug)]
pub struct Evaluator<const WORDS: usize> {
    ground: Ground<WORDS>,
    patterns: Patterns,
    /// Once it was needed.
    solver: Option<Solver>,
}

/// The most bytes for the table of the solver.
const SOLVER_MEMORY: usize = 64 << 20;
/// A node that the solver expands takes as long as so many nodes of principal-variation search.
const NODES_PER_EXPANSION: u64 = 8;

/// The copy has a solver of its own, which knows nothing yet.
impl<const WORDS: usize> Clone for Evaluator<WORDS> {
    fn clone(&self) -> Self {
        Evaluator {
            ground: self.ground.clone(),
            patterns: self.patterns.clone(),
            solver: None,
        }
    }
}

impl<const WORDS: usize> Evaluator<WORDS> {
    /// A guide for games on boards of this shape.
    ///
    /// # Panics
    /// If the board has more than 64 × `WORDS` cells.
    pub fn new(shape: Shape) -> Self {
        Evaluator {
            ground: Ground::new(shape),
            patterns: Patterns::new(shape),
            solver: None,
        }
    }

    /// The weights of windows that count in a position.
    pub fn patterns(&self, position: &Position<BitBoard<WORDS>>) -> Vec<Pattern> {
        self.patterns
            .patterns(position.board().occupied(), position.to_move())
    }

    /// What the evaluation counts in a position.
    pub fn features(&self, position: &Position<BitBoard<WORDS>>) -> Features {
        Features::of(&self.ground, position.board().occupied())
    }
}

impl<const WORDS: usize> Guide<Position<BitBoard<WORDS>>> for Evaluator<WORDS> {
    /// The stones, the side to move and the stage. (Beside which gap White removes a stone is clear: it is
    /// the only one.)
    type Key = (Bits<WORDS>, Side, u8);

    #[inline]
    fn key(&self, position: &Position<BitBoard<WORDS>>) -> Self::Key {
        let stage = match position.stage() {
            Stage::Jumping => 0,
            Stage::WhiteRemoves { .. } => 1,
            Stage::BlackRemoves { anywhere } => 2 + u8::from(anywhere),
        };
        (position.board().occupied(), position.to_move(), stage)
    }

    #[inline]
    fn evaluate(&mut self, position: &Position<BitBoard<WORDS>>) -> i32 {
        let stones = position.board().occupied();
        let side = position.to_move();
        Features::of(&self.ground, stones).value(side) + self.patterns.value(stones, side)
    }

    fn slots(&self) -> usize {
        8 * self.ground.shape.area()
    }

    /// The cell from which the stone jumps, the direction, and whether it jumps once or more often.
    #[inline]
    fn slot(&self, mv: Move) -> usize {
        match mv {
            Move::Remove(cell) => 8 * self.ground.index(cell),
            Move::Jump { from, to } => {
                let way = from.col().abs_diff(to.col()) + from.row().abs_diff(to.row());
                let direction = direction_of(from, to).index();
                8 * self.ground.index(from) + 2 * direction + usize::from(way > 2)
            }
        }
    }

    fn plies_left(&self, position: &Position<BitBoard<WORDS>>) -> u32 {
        let features = self.features(position);
        (7 * features.stones / 8).saturating_sub(6)
    }

    /// On boards of up to 64 cells by the solver.
    fn solve(
        &mut self,
        position: &Position<BitBoard<WORDS>>,
        limits: &Limits,
    ) -> Option<Solved<Move>> {
        let shape = self.ground.shape;
        let expansions = limits.nodes.map(|nodes| nodes / NODES_PER_EXPANSION);
        let solver = match &mut self.solver {
            Some(solver) => solver,
            none => {
                let params = solver::Params {
                    memory: SOLVER_MEMORY,
                };
                none.insert(Solver::new(shape, &params).ok()?)
            }
        };
        let stones = position.board().occupied().count();
        if expansions.is_some_and(|most| most < least_expansions(stones)) {
            return Some(Solved {
                proven: None,
                best: None,
                nodes: 0,
            });
        }
        let limits = Limits {
            nodes: expansions,
            ..limits.clone()
        };
        let report = solver.solve(position, &limits, &mut |_| {});
        let side = position.to_move();
        Some(Solved {
            proven: report.outcome.map(|outcome| outcome.seen_by(side)),
            best: report.best,
            nodes: NODES_PER_EXPANSION * report.nodes,
        })
    }
}

/// With fewer expanded nodes than this the solver hardly ever finds out who wins a position with so many
/// stones.
fn least_expansions(_stones: u32) -> u64 {
    20
}
