//! Alpha-beta for solving: deepened ply by ply, it knows of values that are certain and of nothing else,
//! with a table of positions if wanted (Knuth and Moore, "An analysis of alpha-beta pruning", 1975).
//!
//! A position at the horizon can have any value. A move is good enough to leave out the others if the
//! least that is certain of it is as good as what the opponent can have elsewhere.

use super::params::Params;
use super::state::{State, grow};
use crate::Limits;
use crate::proof::{Bounds, Growth, Run, Solution, SolveProgress, SolveReport, Table, Tag, Value};
use game::Relative;

/// The solver `castro-ab`.
#[derive(Debug)]
pub struct AlphaBeta<S: State> {
    params: Params,
    table: Option<Table<S::Key, Known>>,
    /// The position in question, and the depth of the last iteration.
    reached: Option<(S::Key, u32)>,
}

/// What is known of a position. The window and the depth are those of the search that found no more.
#[derive(Clone, Copy, Debug)]
struct Known {
    bounds: Bounds,
    depth: u32,
    window: Window,
    best: u16,
}

/// What the side to move can have elsewhere, and the most that the opponent will let it have.
#[derive(Clone, Copy, Debug)]
struct Window {
    alpha: Relative,
    beta: Relative,
}

impl Window {
    const FULL: Window = Window {
        alpha: Relative::Loss,
        beta: Relative::Win,
    };

    /// Whether it does not matter any more what the value is, or the value is known.
    #[inline]
    fn is_left_by(self, (least, most): (Relative, Relative)) -> bool {
        least >= self.beta || most <= self.alpha || least == most
    }

    #[inline]
    fn contains(self, other: Window) -> bool {
        self.alpha <= other.alpha && self.beta >= other.beta
    }
}

impl Value for Known {
    const IS_LONG: bool = false;

    #[inline]
    fn pack(self) -> [u64; 2] {
        let window = self.window.alpha as u64 | (self.window.beta as u64) << 2;
        let small = u64::from(self.bounds.pack()) | window << Bounds::BITS;
        let wide = u64::from(self.best) << 7 | u64::from(self.depth) << 23;
        [small | wide, 0]
    }

    #[inline]
    fn unpack([packed, _]: [u64; 2]) -> Known {
        const VALUES: [Relative; 3] = [Relative::Loss, Relative::Draw, Relative::Win];
        let value = |shift: u32| VALUES[(packed >> shift & 3).min(2) as usize];
        Known {
            bounds: Bounds::unpack(packed as u8 & ((1 << Bounds::BITS) - 1)),
            window: Window {
                alpha: value(Bounds::BITS),
                beta: value(Bounds::BITS + 2),
            },
            best: (packed >> 7) as u16,
            depth: (packed >> 23) as u32,
        }
    }

    fn joined(self, _before: Known) -> Known {
        self
    }
}

impl<S: State> AlphaBeta<S> {
    /// A solver that knows nothing yet.
    pub fn new(params: &Params) -> AlphaBeta<S> {
        AlphaBeta {
            table: params
                .table
                .then(|| Table::new(params.memory, Growth::default())),
            params: params.clone(),
            reached: None,
        }
    }

    /// The value of a position, without anything learnt from another; a search of the same position that
    /// was ended by its limits resumes. Of the limits, those on simulations and depth have no
    /// meaning here. The best move is one of the state's numbers.
    pub fn solve(
        &mut self,
        root: &S,
        limits: &Limits,
        tell: &mut dyn FnMut(&SolveProgress),
    ) -> SolveReport<u16> {
        let depth = match self.reached {
            Some((key, depth)) if key == root.key() => depth - 1,
            _ => {
                if let Some(table) = &mut self.table
                    && table.used() > 0
                {
                    *table = Table::new(self.params.memory, Growth::default());
                }
                0
            }
        };
        let mut run = Run::start(limits, tell);
        let mut search = Search {
            table: self.table.as_mut(),
            params: &self.params,
            run: &mut run,
            depth,
            lists: Vec::new(),
            states: vec![root.clone()],
            best: None,
        };
        let solution = search.deepen();
        self.reached = (search.depth > 0).then(|| (root.key(), search.depth));
        let table = self.table.as_ref();
        run.report(
            solution,
            table.map_or(0, Table::used),
            table.map_or(0, Table::bytes),
        )
    }
}

/// A search under way.
struct Search<'a, 'r, S: State> {
    table: Option<&'a mut Table<S::Key, Known>>,
    params: &'a Params,
    run: &'a mut Run<'r>,
    /// Of this iteration.
    depth: u32,
    /// For each ply a list of moves to use again and again.
    lists: Vec<Vec<u16>>,
    /// The positions on the way from the root.
    states: Vec<S>,
    /// The best move of the root in this iteration.
    best: Option<u16>,
}

impl<S: State> Search<'_, '_, S> {
    /// Goes deeper until the value is certain.
    fn deepen(&mut self) -> Option<Solution<u16>> {
        if let Some(outcome) = self.states[0].outcome() {
            return Some(Solution {
                outcome,
                best: None,
            });
        }
        loop {
            self.depth += 1;
            let bounds = self.search(0, Window::FULL);
            if let Some(outcome) = bounds.outcome() {
                return Some(Solution {
                    outcome,
                    best: self.best,
                });
            }
            if self.run.stopped.is_some() {
                return None;
            }
        }
    }

    /// What is certain of a position so many plies from the root.
    fn search(&mut self, ply: usize, window: Window) -> Bounds {
        let mover = self.states[ply].to_move();
        let left = self.depth - ply as u32;
        let key = self.states[ply].key();
        let mut hint = None;
        let mut known = Bounds::UNKNOWN;
        if let Some(entry) = self
            .table
            .as_ref()
            .and_then(|table| table.get(key, Tag::NONE))
        {
            known = entry.bounds;
            hint = Some(entry.best);
            let enough = entry.depth >= left && entry.window.contains(window);
            if ply > 0 && (enough || window.is_left_by(known.seen_by(mover))) {
                return known;
            }
        }
        let before = self.run.nodes;
        self.count();
        if self.lists.len() <= ply {
            self.lists.push(Vec::new());
            grow(&mut self.states);
        }
        let mut moves = std::mem::take(&mut self.lists[ply]);
        moves.clear();
        let listed = self.states[ply].list_moves(self.params.lookahead, &mut moves);
        known = known.and(listed);
        let mut best = moves.first().copied();
        if !window.is_left_by(known.seen_by(mover)) {
            let hinted = moves.iter().position(|&mv| Some(mv) == hint);
            if let Some(place) = hinted {
                moves[..=place].rotate_right(1);
            }
            let found = self.try_moves(ply, &moves, window, &mut best);
            if self.run.stopped.is_some() {
                self.lists[ply] = moves;
                return known;
            }
            known = known.and(found);
        }
        if ply == 0 {
            self.best = best;
        }
        self.lists[ply] = moves;
        if let (Some(table), Some(best)) = (self.table.as_mut(), best) {
            let entry = Known {
                bounds: known,
                depth: left,
                window,
                best,
            };
            table.put(key, Tag::NONE, entry, self.run.nodes - before);
            table.grow_if_crowded();
        }
        known
    }

    /// What is certain of a side that can choose among these moves, as far as the window asks.
    fn try_moves(
        &mut self,
        ply: usize,
        moves: &[u16],
        mut window: Window,
        best: &mut Option<u16>,
    ) -> Bounds {
        let mover = self.states[ply].to_move();
        let mut found: Option<Bounds> = None;
        for (place, &mv) in moves.iter().enumerate() {
            let (above, below) = self.states.split_at_mut(ply + 1);
            let (state, after) = (&above[ply], &mut below[0]);
            let seen = state.look_after(mv, self.params.lookahead, after).bounds;
            let below = Window {
                alpha: window.beta.flipped(),
                beta: window.alpha.flipped(),
            };
            let is_horizon = ply as u32 + 1 >= self.depth;
            let bounds = if is_horizon || below.is_left_by(seen.seen_by(!mover)) {
                seen
            } else {
                after.clone_from(state);
                after.play(mv);
                self.search(ply + 1, below).and(seen)
            };
            if self.run.stopped.is_some() {
                return Bounds::UNKNOWN;
            }
            let least = found.map_or(Relative::Loss, |found| found.seen_by(mover).0);
            if found.is_none() || bounds.seen_by(mover).0 > least {
                *best = Some(mv);
            }
            let all = found.map_or(bounds, |found| found.or(bounds, mover));
            found = Some(all);
            let (least, _) = all.seen_by(mover);
            window.alpha = window.alpha.max(least);
            if window.alpha >= window.beta {
                let rest = place + 1 < moves.len();
                return if rest { all.or_more(mover) } else { all };
            }
        }
        found.unwrap_or(Bounds::UNKNOWN)
    }

    fn count(&mut self) {
        self.run.count_node(|| SolveProgress {
            depth: self.depth,
            ..self
                .table
                .as_ref()
                .map(|table| table.progress())
                .unwrap_or_default()
        });
    }
}
