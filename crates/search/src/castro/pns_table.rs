//! Proof-number search on a transposition table, depth-first (Nagai, 2002) or from the root again for each new
//! position, with proofs copied to siblings.

use super::goals::{Answer, GoalSolver, ProofGoal};
use super::params::Params;
use super::state::State;
use crate::proof::{
    self, Bounds, Child, Choice, DepthFirst, Frame, FrameOf, FramesOf, Growth, Numbers, Problem,
    Rule, Run, SolveProgress, Table, Tag, Value,
};
use game::Side;
use std::cmp::Reverse;
use std::iter::empty;

/// The search of `castro-pns-tt`.
#[derive(Debug)]
pub struct PnsTable<S: State> {
    params: Params,
    table: Table<S::Key, Known>,
    goal: Option<ProofGoal>,
}

/// What is known of a position.
#[derive(Clone, Copy, Debug)]
pub(super) struct Known {
    bounds: Bounds,
    /// For one goal, with so many plies left to its bound.
    numbers: Numbers,
    attacker: Side,
    left: u32,
    /// The move that looked best.
    best: u16,
}

impl Value for Known {
    const IS_LONG: bool = true;

    #[inline]
    fn pack(self) -> [u64; 2] {
        let [numbers, _] = self.numbers.pack();
        let attacker = u64::from(self.attacker as u8);
        let small = u64::from(self.bounds.pack()) | attacker << Bounds::BITS;
        [
            numbers,
            small | u64::from(self.best) << 16 | u64::from(self.left) << 32,
        ]
    }

    #[inline]
    fn unpack(words: [u64; 2]) -> Known {
        let [_, more] = words;
        Known {
            numbers: Numbers::unpack(words),
            bounds: Bounds::unpack(more as u8 & ((1 << Bounds::BITS) - 1)),
            attacker: Side::BOTH[(more >> Bounds::BITS & 1) as usize],
            best: (more >> 16) as u16,
            left: (more >> 32) as u32,
        }
    }

    /// What is certain stays certain.
    #[inline]
    fn joined(self, before: Known) -> Known {
        Known {
            bounds: self.bounds.and(before.bounds),
            ..self
        }
    }
}

impl<S: State> PnsTable<S> {
    /// A search that knows nothing yet.
    pub fn new(params: &Params) -> PnsTable<S> {
        PnsTable {
            params: params.clone(),
            table: Table::new(params.memory, Growth::default()),
            goal: None,
        }
    }
}

impl<S: State> GoalSolver<S> for PnsTable<S> {
    fn forget(&mut self) {
        if self.table.used() > 0 {
            self.table = Table::new(self.params.memory, Growth::default());
        }
    }

    fn size(&self) -> (u64, usize) {
        (self.table.used(), self.table.bytes())
    }

    fn answer(&mut self, root: &S, goal: ProofGoal, run: &mut Run<'_>) -> Answer {
        let is_new = self.goal.replace(goal) != Some(goal);
        if goal.boolean && is_new {
            self.forget();
        }
        let problem = Positions {
            table: &mut self.table,
            params: &self.params,
            goal,
            scratch: root.clone(),
            moves: Vec::new(),
        };
        let mut frames = vec![Frame::new(root.clone())];
        let found = proof::search((problem, &mut frames), empty(), Numbers::NEVER, 0, run);
        Answer {
            bounds: found.bounds,
            best: Some(found.best),
        }
    }
}

/// What is found out about a position.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Found {
    pub numbers: Numbers,
    pub bounds: Bounds,
    /// The move that looks best.
    pub best: u16,
}

/// What is asked of positions on a table.
pub(super) struct Positions<'a, S: State> {
    table: &'a mut Table<S::Key, Known>,
    pub params: &'a Params,
    pub goal: ProofGoal,
    scratch: S,
    moves: Vec<u16>,
}

/// A search for an answer.
pub(super) type Search<'a, 'r, 'p, S> = DepthFirst<'a, 'r, Positions<'p, S>>;

impl<S: State> Problem for Positions<'_, S> {
    type Position = S;
    type Move = u16;
    type Value = Found;

    /// There is one thread.
    const BURDEN: [u64; 2] = [0, 0];

    #[inline]
    fn to_move(&self, state: &S) -> Side {
        state.to_move()
    }

    #[inline(always)]
    fn numbers(&self, found: Found, _: Side) -> Numbers {
        found.numbers
    }

    #[inline]
    fn rule(&self) -> Rule {
        self.params.rule()
    }

    fn expand(&mut self, frames: &mut FramesOf<Self>, depth: usize) -> Option<Found> {
        let goal = self.goal;
        let Frame {
            position: state,
            children,
        } = &mut frames[depth];
        let mover = state.to_move();
        self.moves.clear();
        let listed = state.list_moves(self.params.lookahead, &mut self.moves);
        let bounds = goal.bounds(listed);
        if let Some(numbers) = goal.settled(bounds, mover, depth) {
            return Some(Found {
                numbers,
                bounds,
                best: self.moves.first().copied().unwrap_or_default(),
            });
        }
        children.clear();
        for place in 0..self.moves.len() {
            let mv = self.moves[place];
            let key = state.key_after(mv, &mut self.scratch);
            let known = self.get(key, depth + 1);
            let mut value = known.unwrap_or_else(|| self.first_look(state, mv));
            if let Some(numbers) = goal.settled(value.bounds, !mover, depth + 1) {
                value.numbers = numbers;
            }
            if value.numbers.delta == 0 {
                return Some(Found {
                    numbers: Numbers::ACHIEVED,
                    bounds: value.bounds.or_more(mover).and(bounds),
                    best: mv,
                });
            }
            children.push(Child { mv, value });
        }
        None
    }

    fn reach(&mut self, frames: &mut FramesOf<Self>, depth: usize, mv: u16) -> Option<Found> {
        let (above, below) = frames.split_at_mut(depth + 1);
        let state = &mut below[0].position;
        state.clone_from(&above[depth].position);
        state.play(mv);
        None
    }

    fn value(&self, frame: &FrameOf<Self>, numbers: Numbers, choice: &Choice) -> Found {
        let mover = frame.position.to_move();
        let bounds = frame.children.iter().map(|child| child.value.bounds);
        let best = if numbers.delta == 0 {
            // Refuted: of these moves the best may still draw.
            let hopes = bounds.clone().map(|bounds| bounds.seen_by(mover).0);
            let most = hopes
                .enumerate()
                .max_by_key(|&(place, least)| (least, Reverse(place)));
            most.map_or(choice.best, |(place, _)| place)
        } else {
            choice.best
        };
        let bounds = bounds.reduce(|all, bounds| all.or(bounds, mover));
        Found {
            numbers,
            bounds: bounds.unwrap_or(Bounds::UNKNOWN),
            best: frame.children.get(best).map_or(0, |child| child.mv),
        }
    }

    fn put(&mut self, state: &S, depth: usize, found: Found, nodes: u64) {
        let known = Known {
            bounds: found.bounds,
            numbers: found.numbers,
            attacker: self.goal.attacker,
            left: self.left(depth),
            best: found.best,
        };
        self.table.put(state.key(), Tag::NONE, known, nodes);
        self.table.grow_if_crowded();
    }

    fn progress(&self) -> SolveProgress {
        SolveProgress {
            attacker: Some(self.goal.attacker),
            depth: self.goal.bound,
            ..self.table.progress()
        }
    }

    #[inline]
    fn searched(search: &mut DepthFirst<'_, '_, Self>, depth: usize, place: usize) {
        let refuted = search.frames[depth].children[place].value.numbers.phi == 0;
        if refuted && search.problem.params.copy_proofs > 0 {
            search.copy_proofs(depth, place);
        }
    }

    /// Without depth-first thresholds only one position that is not in the table is added, except at the root.
    #[inline]
    fn most_descents(&self, state: &S, depth: usize) -> usize {
        if self.params.depth_first || depth == 0 {
            usize::MAX
        } else {
            usize::from(self.get(state.key(), depth).is_some())
        }
    }
}

impl<S: State> Positions<'_, S> {
    /// What is known of the position after a move before it is searched.
    fn first_look(&mut self, state: &S, mv: u16) -> Found {
        let seen = state.look_after(mv, self.params.lookahead, &mut self.scratch);
        let initial = self.params.initial;
        Found {
            numbers: initial.numbers(seen, state, mv, &mut self.scratch),
            bounds: self.goal.bounds(seen.bounds),
            best: 0,
        }
    }

    /// Plies to the bound of the goal.
    fn left(&self, depth: usize) -> u32 {
        self.goal.bound.saturating_sub(depth as u32)
    }

    /// What is known of a position at a depth.
    pub fn get(&self, key: S::Key, depth: usize) -> Option<Found> {
        let known = self.table.get(key, Tag::NONE)?;
        let answers = known.attacker == self.goal.attacker && known.left == self.left(depth);
        let numbers = if answers {
            known.numbers
        } else if known.bounds == Bounds::UNKNOWN {
            return None;
        } else {
            Numbers::UNKNOWN
        };
        Some(Found {
            numbers,
            bounds: known.bounds,
            best: known.best,
        })
    }
}
