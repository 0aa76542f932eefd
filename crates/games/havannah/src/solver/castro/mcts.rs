//! The solver `mcts`: the player's search, whose expansions see what the other solvers see.
//!
//! Threats, symmetric moves and positions that nobody can win any more are those of [`SolverState`];
//! playouts and knowledge are the player's. What is proven is backed up until the root is.

use super::state::{Pruning, SolverState};
use crate::solver::TooLarge;
use crate::solver::layout::Layout;
use crate::solver::word::{Wide384, Word};
use crate::{Move, Position, TreePolicy, TreePolicyParams};
use game::random::Rng;
use game::{Game, Outcome, Relative, Side, random};
use search::castro::State;
use search::mcts::{Expansion, Leaf, Lookahead, Params};
use search::proof::{Bounds, SolveProgress, SolveReport};
use search::threads::with_deep_stack;
use search::{Limits, Mcts, Progress, Report};
use std::sync::Arc;

/// The solver `mcts` at work on a position: each call goes on from where the last one ended. The nodes of
/// its reports are simulations.
pub struct MctsSolver(Box<Work>);

type Work = dyn FnMut(&Limits, &mut dyn FnMut(&SolveProgress)) -> SolveReport<Move> + Send;

impl MctsSolver {
    /// A solver of a position that knows nothing yet.
    ///
    /// # Errors
    /// If the board is too large.
    pub fn new(
        position: &Position,
        params: &Params,
        policy: &TreePolicyParams,
        pruning: Pruning,
    ) -> Result<MctsSolver, TooLarge> {
        let shape = position.geometry().shape();
        let inner = || TreePolicy::new(position.geometry(), policy);
        let work = with_deep_stack(|| {
            if let Some(layout) = Layout::<u64>::new(shape) {
                Ok(work(
                    position,
                    params,
                    ProvingPolicy::new(layout, inner(), pruning),
                ))
            } else if let Some(layout) = Layout::<u128>::new(shape) {
                Ok(work(
                    position,
                    params,
                    ProvingPolicy::new(layout, inner(), pruning),
                ))
            } else if let Some(layout) = Layout::<Wide384>::new(shape) {
                Ok(work(
                    position,
                    params,
                    ProvingPolicy::new(layout, inner(), pruning),
                ))
            } else {
                Err(TooLarge(shape))
            }
        });
        work.map(MctsSolver)
    }

    /// The value of the position. Of the limits, that on depth has no meaning here.
    pub fn solve(
        &mut self,
        limits: &Limits,
        tell: &mut dyn FnMut(&SolveProgress),
    ) -> SolveReport<Move> {
        with_deep_stack(|| (self.0)(limits, tell))
    }
}

/// Solutions do not depend on chance, and a search is the same every time.
const SEED: u64 = 1;

fn work<W: Word>(position: &Position, params: &Params, policy: ProvingPolicy<W>) -> Box<Work> {
    let mut search = Mcts::with_policy(position.clone(), params.clone(), SEED, policy);
    Box::new(move |limits, tell| {
        let report = search.search(limits, &mut |progress| tell(&told(progress)));
        let (entries, bytes) = (search.tree_nodes() as u64, search.tree_bytes());
        found(&report, search.position().to_move(), entries, bytes)
    })
}

/// What a Monte Carlo search tells, as a solver tells it.
fn told(progress: &Progress<Move>) -> SolveProgress {
    SolveProgress {
        depth: progress.depth,
        nodes: progress.simulations,
        entries: progress.nodes,
        elapsed: progress.elapsed,
        ..SolveProgress::default()
    }
}

fn found(report: &Report<Move>, mover: Side, entries: u64, bytes: usize) -> SolveReport<Move> {
    let outcome = report.proven.map(|proven| proven.for_side(mover));
    SolveReport {
        outcome,
        best: report.best.filter(|_| outcome.is_some()),
        nodes: report.simulations,
        entries,
        bytes,
        elapsed: report.elapsed,
        stop: report.stop,
    }
}

/// A policy that expands by what a [`SolverState`] sees.
#[derive(Clone, Debug)]
struct ProvingPolicy<W: Word> {
    layout: Arc<Layout<W>>,
    inner: TreePolicy,
    pruning: Pruning,
    moves: Vec<u16>,
}

impl<W: Word> ProvingPolicy<W> {
    fn new(layout: Layout<W>, inner: TreePolicy, pruning: Pruning) -> Self {
        ProvingPolicy {
            layout: Arc::new(layout),
            inner,
            pruning,
            moves: Vec::new(),
        }
    }
}

impl<W: Word> ProvingPolicy<W> {
    /// A listed move after which it is certain that nobody wins.
    fn draws_at_once(&self, state: &SolverState<W>) -> Option<Move> {
        let draws = |&&mv: &&u16| {
            let mut after = state.clone();
            after.play(mv);
            let bounds = match after.outcome() {
                Some(outcome) => Bounds::exact(outcome),
                None => after.list_moves(Lookahead::None, &mut Vec::new()),
            };
            bounds.outcome() == Some(Outcome::Draw)
        };
        let mv = self.moves.iter().find(draws)?;
        state.move_of(*mv)
    }
}

impl<W: Word> search::TreePolicy<Position> for ProvingPolicy<W> {
    fn prepare(&mut self, position: &Position) {
        self.inner.prepare(position);
    }

    fn playout(&mut self, position: &Position, rng: &mut Rng) -> Outcome {
        self.inner.playout(position, rng)
    }

    fn expand(
        &mut self,
        position: &mut Position,
        expansion: Expansion,
        leaf: &mut Leaf<Move>,
        rng: &mut Rng,
    ) {
        if expansion.lookahead == Lookahead::None {
            return self.inner.expand(position, expansion, leaf, rng);
        }
        let state = SolverState::new(&self.layout, position, self.pruning);
        self.moves.clear();
        let bounds = state.list_moves(expansion.lookahead, &mut self.moves);
        let side = position.to_move();
        if let Some(outcome) = bounds.outcome() {
            let best = self.moves.first().and_then(|&mv| state.move_of(mv));
            match best {
                Some(mv) if outcome == Outcome::Win(side) => leaf.only_win(mv, side),
                Some(mv) if outcome == Outcome::Draw => leaf.push_end(mv, outcome),
                Some(mv) => leaf.no_answer(&[mv], side),
                None => {}
            }
            return;
        }
        let (_, most) = bounds.seen_by(side);
        if most == Relative::Draw
            && let Some(mv) = self.draws_at_once(&state)
        {
            // A side that cannot win any more asks for no better.
            return leaf.push_end(mv, Outcome::Draw);
        }
        let begin = random::below(self.moves.len().max(1) as u32, rng) as usize;
        let (behind, ahead) = self.moves.split_at(begin);
        let is_last = position.empty_cells() == 1;
        for mv in ahead
            .iter()
            .chain(behind)
            .filter_map(|&mv| state.move_of(mv))
        {
            // No win is in sight, so that the last cell fills the board.
            match mv {
                Move::Place(_) if is_last => leaf.push_end(mv, Outcome::Draw),
                mv => leaf.push(mv),
            }
        }
        self.inner.judge(position, leaf);
    }

    fn has_evaluation(&self) -> bool {
        self.inner.has_evaluation()
    }

    fn evaluate(&mut self, position: &Position, leaf: &mut Leaf<Move>) {
        self.inner.evaluate(position, leaf);
    }

    fn cells(&self, position: &Position) -> usize {
        self.inner.cells(position)
    }

    #[inline]
    fn cell_of(&self, position: &Position, mv: Move) -> Option<usize> {
        self.inner.cell_of(position, mv)
    }

    #[inline]
    fn empty_cells(&self, position: &Position) -> usize {
        self.inner.empty_cells(position)
    }

    #[inline]
    fn played(&self, visit: impl FnMut(Side, usize)) {
        self.inner.played(visit);
    }
}
