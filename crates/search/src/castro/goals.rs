//! From the value of a position to proof goals, and back: does the side to move win? Does the opponent?

use super::params::{Draws, Initial, Params};
use super::state::{Seen, State};
use crate::proof::{Bounds, Numbers, Run, Solution, SolveProgress, SolveReport};
use crate::{Limits, StopReason};
use game::Side;

/// Whether a side wins from the root, looking so far ahead and no farther.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct ProofGoal {
    /// The side.
    pub attacker: Side,
    /// The plies from the root to which the search is confined; 0 for no bound. What is not decided by
    /// then is taken for no win.
    pub bound: u32,
    /// Whether only wins of the attacker are told from the rest.
    pub boolean: bool,
}

impl ProofGoal {
    /// What a value that was seen says about the goal.
    #[inline]
    pub fn bounds(self, seen: Bounds) -> Bounds {
        if self.boolean {
            seen.only_wins_of(self.attacker)
        } else {
            seen
        }
    }

    /// The numbers of a position with these bounds at a depth, if it is not to be searched.
    #[inline]
    pub fn settled(self, bounds: Bounds, to_move: Side, depth: usize) -> Option<Numbers> {
        let beyond = || {
            let is_beyond = self.bound != 0 && depth >= self.bound as usize;
            is_beyond.then(|| Numbers::answered(false, self.attacker == to_move))
        };
        Numbers::of_bounds(bounds, self.attacker, to_move).or_else(beyond)
    }
}

impl Initial {
    /// The numbers of the position after a move before it is searched.
    #[inline]
    pub(super) fn numbers<S: State>(
        self,
        seen: Seen,
        state: &S,
        mv: u16,
        scratch: &mut S,
    ) -> Numbers {
        let replies = Numbers {
            phi: 1,
            delta: seen.replies.max(1),
        };
        match self {
            Initial::One => Numbers::UNKNOWN,
            Initial::Replies => replies,
            Initial::Distance => {
                scratch.clone_from(state);
                scratch.play(mv);
                let side = scratch.to_move();
                match (scratch.distance(side), scratch.distance(!side)) {
                    (Some(own), Some(other)) => Numbers {
                        phi: own.max(1),
                        delta: other.max(1),
                    },
                    _ => replies,
                }
            }
        }
    }
}

/// What a search has found out about a goal.
#[derive(Clone, Copy, Debug)]
pub(super) struct Answer {
    /// What is certain of the root.
    pub bounds: Bounds,
    /// The move of the root that looks best: one that settles the goal for the side to move, if
    /// there is one.
    pub best: Option<u16>,
}

/// A search for proof goals.
pub(super) trait GoalSolver<S: State> {
    /// Decides a goal as far as the run allows. What is known from goals before may be used if
    /// none of them is boolean.
    fn answer(&mut self, root: &S, goal: ProofGoal, run: &mut Run<'_>) -> Answer;

    /// Forgets all.
    fn forget(&mut self);

    /// The positions that it remembers, and their bytes.
    fn size(&self) -> (u64, usize);
}

/// A solver that asks such a search.
#[derive(Debug)]
pub(super) struct Goals<S: State, T> {
    params: Params,
    search: T,
    state: Option<GoalState<S::Key>>,
}

impl<S: State, T: GoalSolver<S>> Goals<S, T> {
    /// Nothing was asked yet.
    pub fn new(params: &Params, search: T) -> Goals<S, T> {
        Goals {
            params: params.clone(),
            search,
            state: None,
        }
    }

    /// See [`Solver::solve`](super::Solver::solve).
    pub fn solve(
        &mut self,
        root: &S,
        limits: &Limits,
        tell: &mut dyn FnMut(&SolveProgress),
    ) -> SolveReport<u16> {
        let mut run = Run::start(limits, tell);
        let same = self.state.take_if(|state| state.is_of(&root.key()));
        let mut state = same.unwrap_or_else(|| {
            self.search.forget();
            GoalState::new(root.key(), &self.params)
        });
        let solution = value(&mut self.search, root, &self.params, &mut state, &mut run);
        self.state = Some(state);
        let (entries, bytes) = self.search.size();
        run.report(solution, entries, bytes)
    }
}

/// How far the search for the value of a position has come, so that it can be gone on with.
#[derive(Clone, Copy, Debug)]
struct GoalState<K> {
    /// The position.
    root: K,
    /// What is certain of it.
    known: Bounds,
    /// Whether it is known that the side to move does not win, and the goal is about the opponent.
    is_second: bool,
    /// See [`ProofGoal::bound`].
    bound: u32,
}

impl<K> GoalState<K> {
    /// Nothing was asked yet.
    fn new(root: K, params: &Params) -> GoalState<K> {
        GoalState {
            root,
            known: Bounds::UNKNOWN,
            is_second: false,
            bound: params.depth_bound,
        }
    }

    /// Whether it is about a position.
    fn is_of(&self, root: &K) -> bool
    where
        K: Eq,
    {
        self.root == *root
    }
}

/// The value of a position.
fn value<S: State>(
    search: &mut impl GoalSolver<S>,
    root: &S,
    params: &Params,
    state: &mut GoalState<S::Key>,
    run: &mut Run<'_>,
) -> Option<Solution<u16>> {
    if let Some(outcome) = root.outcome() {
        return Some(Solution {
            outcome,
            best: None,
        });
    }
    let mover = root.to_move();
    loop {
        let attacker = if state.is_second { !mover } else { mover };
        let goal = ProofGoal {
            attacker,
            bound: state.bound,
            boolean: params.draws == Draws::TwoSearches,
        };
        let answer = search.answer(root, goal, run);
        state.known = state.known.and(answer.bounds);
        if let Some(outcome) = state.known.outcome() {
            let best = answer.best;
            return Some(Solution { outcome, best });
        }
        if state.known.wins(attacker).is_some() && !state.is_second {
            state.is_second = true;
            state.bound = params.depth_bound;
        } else if run.stopped.is_some() {
            return None;
        } else if params.depth_bound == 0 {
            // Cannot be: without a bound all that ends a search is an answer or the run.
            run.stopped = Some(StopReason::Stopped);
            return None;
        } else {
            state.bound = state.bound.saturating_add(params.depth_bound);
        }
    }
}
