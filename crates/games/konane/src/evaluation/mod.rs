//! The evaluation of the player `papamu`, and what else it adds to [`search::pvs`].
//!
//! A position is worth a weighted sum of what one side has more of than the other ([`Features`]), of what fills the small
//! windows of the board ([`Pattern`]), and of what a hidden layer makes of the jumps on the whole board; all these change
//! as the board empties. The [`Weights`] are learned together, by `papamu learn`, and are the same for boards of all
//! sizes. The unit is a hundredth of what changes the odds by a factor of e. Who wins is looked for by the [`Solver`]
//! beside it.

mod features;
mod file;
mod inputs;
mod jumps;
mod network;
mod patterns;
#[cfg(target_arch = "x86_64")]
mod squares;
mod state;
mod weights;

pub use features::{FEATURES, Features};
use features::{Worth, fullness};
pub(crate) use file::load;
pub use file::{from_bytes, shipped, shipped_sha256, to_bytes};
pub use inputs::{Inputs, Reader};
pub use network::{CEILING, FILTERS, ROWS, VIEWS};
pub use patterns::{PATTERN_WEIGHTS, Pattern};
pub use state::{Hop, State};
pub use weights::{NUMBERS, Part, Weight, Weights};

use self::jumps::Jumps;
use self::network::{Network, Seen};
use self::patterns::{Patterns, extract_plainly};
use crate::jump_masks::JumpGeometry;
use crate::processor::has_bit_instructions;
use crate::rules::Bits;
use crate::solver::{self, Solver};
use crate::{BitBoard, Move, PositionOn, Shape};
use game::{Game, Relative, Side};
use search::Limits;
use search::pvs::{Domain, Evaluation, Solved};
use std::sync::Arc;

/// The evaluator of `papamu`.
#[derive(Debug)]
pub struct Evaluator<const WORDS: usize> {
    ground: JumpGeometry<WORDS>,
    tables: Arc<Tables>,
    /// Whether there are instructions for what the evaluation does on this board.
    has_bit_instructions: bool,
    /// Once it was needed.
    solver: Option<Solver>,
    /// The most bytes for its table.
    solver_memory: usize,
}

/// What the weights are on boards of one shape.
#[derive(Debug)]
struct Tables {
    worth: Worth,
    patterns: Patterns,
    network: Network,
}

impl Tables {
    fn new(shape: Shape, weights: &Weights) -> Tables {
        Tables {
            worth: Worth::new(shape.area(), weights),
            patterns: Patterns::new(shape, weights),
            network: Network::new(shape, weights),
        }
    }
}

/// The most bytes for the table of the solver, unless they are set.
const SOLVER_MEMORY: usize = 64 << 20;
/// A node that the solver expands takes as long as so many nodes of principal-variation search.
const NODES_PER_EXPANSION: u64 = 8;

/// The copy has a solver of its own, which knows nothing yet.
impl<const WORDS: usize> Clone for Evaluator<WORDS> {
    fn clone(&self) -> Self {
        Evaluator {
            ground: self.ground.clone(),
            tables: Arc::clone(&self.tables),
            has_bit_instructions: self.has_bit_instructions,
            solver: None,
            solver_memory: self.solver_memory,
        }
    }
}

impl<const WORDS: usize> Evaluator<WORDS> {
    /// An evaluator for games on boards of this shape, with the weights that the program brings.
    ///
    /// # Panics
    /// If the board has more than 64 × `WORDS` cells.
    pub fn new(shape: Shape) -> Self {
        Self::with_weights(shape, &shipped())
    }

    /// The same with other weights.
    ///
    /// # Panics
    /// If the board has more than 64 × `WORDS` cells.
    pub fn with_weights(shape: Shape, weights: &Weights) -> Self {
        Evaluator {
            ground: JumpGeometry::new(shape),
            tables: weights.tables(shape),
            has_bit_instructions: has_bit_instructions(),
            solver: None,
            solver_memory: SOLVER_MEMORY,
        }
    }

    /// The same with so many bytes at most for the table of the solver, by default 64 MiB.
    #[must_use]
    pub fn with_solver_memory(self, solver_memory: usize) -> Self {
        Evaluator {
            solver: None,
            solver_memory,
            ..self
        }
    }

    /// How good a position in which the game goes on is for the side to move, in hundredths of a logit.
    pub fn value(&self, position: &PositionOn<BitBoard<WORDS>>) -> i32 {
        let (stones, side) = (position.board().occupied(), position.to_move());
        let jumps = Jumps::of(&self.ground, stones);
        let features = Features::of(&self.ground, stones, &jumps);
        self.worth(&features, &jumps, stones, side)
            + self.tables.patterns.value(stones, side, extract_plainly)
    }

    /// What all but the windows is worth to a side.
    #[inline(always)]
    fn worth(
        &self,
        features: &Features,
        jumps: &Jumps<WORDS>,
        stones: Bits<WORDS>,
        side: Side,
    ) -> i32 {
        let Tables { worth, network, .. } = &*self.tables;
        let fullness = fullness(features.stones, features.cells);
        worth.of(features, side) + network.value(&Seen::of(stones, jumps), side, fullness)
    }

    /// The evaluation with the instructions that count and gather bits and add vectors, which a program for any
    /// processor of its kind cannot take for granted.
    #[cfg(target_arch = "x86_64")]
    #[target_feature(enable = "popcnt,bmi1,bmi2,avx2")]
    fn evaluate_by_bit_instructions(&self, state: &State<WORDS>) -> Evaluation {
        use std::arch::x86_64::{_pdep_u64, _pext_u64};
        let patterns = &self.tables.patterns;
        self.evaluate_by(state, |stones, side| {
            let extract = |bits, mask| _pext_u64(bits, mask);
            let ([word, ..], Some(squares)) = (&stones.words()[..], patterns.squares()) else {
                return patterns.value(stones, side, extract);
            };
            let deposit = |bits, mask| _pdep_u64(bits, mask);
            let sums = squares.sums(*word, side, extract, deposit);
            sums.worth(stones.count(), self.ground.shape.area() as u32)
        })
    }

    /// The evaluation, where `patterns` says what the windows are worth to a side.
    #[inline(always)]
    fn evaluate_by(
        &self,
        state: &State<WORDS>,
        patterns: impl Fn(Bits<WORDS>, Side) -> i32,
    ) -> Evaluation {
        let jumps = Jumps::of(&self.ground, state.stones);
        let features = Features::of(&self.ground, state.stones, &jumps);
        let [movable, ..] = features.counts[state.to_move.index()];
        if movable == 0 && state.has_ended(&self.ground) {
            return Evaluation::Over(Relative::Loss);
        }
        let worth = self.worth(&features, &jumps, state.stones, state.to_move);
        Evaluation::Open(worth + patterns(state.stones, state.to_move))
    }

    /// What the evaluation counts in a position.
    pub fn features(&self, position: &PositionOn<BitBoard<WORDS>>) -> Features {
        let stones = position.board().occupied();
        Features::of(&self.ground, stones, &Jumps::of(&self.ground, stones))
    }
}

impl<const WORDS: usize> Domain<PositionOn<BitBoard<WORDS>>> for Evaluator<WORDS> {
    type State = State<WORDS>;
    type Move = Hop;
    type Key = State<WORDS>;

    fn state(&self, position: &PositionOn<BitBoard<WORDS>>) -> State<WORDS> {
        State::of(position)
    }

    fn game_move(&self, hop: Hop) -> Move {
        hop.as_move(&self.ground)
    }

    #[inline]
    fn to_move(&self, state: &State<WORDS>) -> Side {
        state.to_move
    }

    #[inline]
    fn key(&self, state: &State<WORDS>) -> State<WORDS> {
        *state
    }

    #[inline]
    fn hash(key: &State<WORDS>) -> u64 {
        key.hash()
    }

    #[inline]
    fn for_each_move(&self, state: &State<WORDS>, visit: impl FnMut(Hop, State<WORDS>)) {
        state.for_each_move(&self.ground, visit);
    }

    #[inline]
    fn evaluate(&mut self, state: &State<WORDS>) -> Evaluation {
        #[cfg(target_arch = "x86_64")]
        if self.has_bit_instructions {
            // SAFETY: the processor was asked for all of these instructions.
            return unsafe { self.evaluate_by_bit_instructions(state) };
        }
        self.evaluate_by(state, |stones, side| {
            self.tables.patterns.value(stones, side, extract_plainly)
        })
    }

    fn slots(&self) -> usize {
        8 * self.ground.shape.area()
    }

    #[inline]
    fn slot(&self, hop: Hop) -> usize {
        hop.slot()
    }

    fn plies_left(&self, position: &PositionOn<BitBoard<WORDS>>) -> u32 {
        let features = self.features(position);
        (7 * features.stones / 8).saturating_sub(6)
    }

    /// On boards of up to 64 cells by the solver.
    fn solve(
        &mut self,
        position: &PositionOn<BitBoard<WORDS>>,
        limits: &Limits,
    ) -> Option<Solved<Move>> {
        let shape = self.ground.shape;
        let features = self.features(position);
        let expansions = limits.nodes.map(|nodes| nodes / NODES_PER_EXPANSION);
        let solver = match &mut self.solver {
            Some(solver) => solver,
            none => {
                let params = solver::Params {
                    memory: self.solver_memory,
                    ..solver::Params::default()
                };
                none.insert(Solver::new(shape, &params).ok()?)
            }
        };
        if expansions.is_some_and(|most| most < least_expansions(&features)) {
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

/// With fewer expanded nodes than this the solver hardly ever finds out who wins: each cell more on which a side
/// could capture if the other stood still makes them 1.7 times as many. (Of the positions of eight games, half
/// were solved with eight times as many.)
fn least_expansions(features: &Features) -> u64 {
    let [white, black] = features.counts.map(|counts| counts[6]);
    let doublings = 0.8 * f64::from(white + black) - 11.0;
    libm::exp2(doublings.clamp(4.0, 60.0)) as u64
}
