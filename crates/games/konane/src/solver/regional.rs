//! A second solver, which knows of independent regions: alpha-beta with a table, to which small regions are
//! nothing but their values.
//!
//! After each move the stones are taken apart into regions (`BoardGeometry::parts`). Small ones are valued
//! ([`Valuer`]), and from then on a side moves in them by choosing an option of the canonical form. Values
//! whose sum is 0 are left out, numbers are added up, and when no large region is left, the sum says who
//! wins. Positions with the same large regions and the same values are one.
//!
//! Moves are tried by how much is at stake: in values by their temperature, in large regions by how many
//! jumps the mover gains.

use super::{TooLarge, by_moves, stones};
use crate::cgt::{Outcome as Winner, Region, Value, Valuer};
use crate::field::BoardGeometry;
use crate::{Board, Move, PositionOn, Shape, Stage};
use ::search::proof::{Run, Solution, SolveProgress, SolveReport};
use ::search::threads::with_deep_stack;
use ::search::{Limits, StopReason};
use game::{Game, Outcome, Side};
use std::collections::HashMap;
use std::mem::size_of;

/// The parameters of the solver by regions.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RegionalParams {
    /// Regions of at most so many cells are valued; 0 for none.
    pub largest: u32,
    /// The most values, comparisons and sums to remember. Where there are more, regions are searched.
    pub values: usize,
    /// The most bytes for the table of positions. When it is full, the solver gives up.
    pub memory: usize,
}

impl Default for RegionalParams {
    fn default() -> Self {
        RegionalParams {
            largest: 14,
            values: 1 << 22,
            memory: 1 << 30,
        }
    }
}

/// A solver for boards of one shape that takes positions apart into regions.
#[derive(Clone, Debug)]
pub struct RegionalSolver {
    shape: Shape,
    field: BoardGeometry,
    valuer: Valuer,
    known: HashMap<State, bool>,
    params: RegionalParams,
}

/// All that decides how the game goes on.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct State {
    side: Side,
    /// The cells of large regions, and those of them that are occupied.
    cells: u64,
    stones: u64,
    /// The values of the small ones, sorted.
    values: Vec<Value>,
}

impl RegionalSolver {
    /// A solver that knows nothing yet.
    ///
    /// # Errors
    /// If the board has more than 64 cells.
    pub fn new(shape: Shape, params: &RegionalParams) -> Result<RegionalSolver, TooLarge> {
        Ok(RegionalSolver {
            shape,
            field: BoardGeometry::new(shape).ok_or(TooLarge(shape))?,
            valuer: Valuer::new(params.values),
            known: HashMap::new(),
            params: params.clone(),
        })
    }

    /// The values of regions that it knows, for a [`Database`](crate::cgt::Database).
    pub fn valuer_mut(&mut self) -> &mut Valuer {
        &mut self.valuer
    }

    /// The value of a position of the solver's shape. Of the limits, those on simulations and depth have no
    /// meaning here.
    ///
    /// # Panics
    /// If the position is of another shape.
    pub fn solve<B: Board>(
        &mut self,
        position: &PositionOn<B>,
        limits: &Limits,
        tell: &mut dyn FnMut(&SolveProgress),
    ) -> SolveReport<Move> {
        assert_eq!(
            position.shape(),
            self.shape,
            "the solver is for another board"
        );
        let mut run = Run::start(limits, tell);
        let side = position.to_move();
        let (wins, winning) = match position.outcome() {
            Some(outcome) => (Some(outcome == Outcome::Win(side)), None),
            None => by_moves(position, |after| self.wins(after, &mut run)),
        };
        let solution = wins.map(|wins| {
            let mut moves = Vec::new();
            position.legal_moves(&mut moves);
            Solution {
                outcome: Outcome::Win(if wins { side } else { !side }),
                best: winning.or(moves.first().copied()),
            }
        });
        run.report(solution, self.known.len() as u64, self.bytes())
    }

    /// Bytes of the table of positions.
    fn bytes(&self) -> usize {
        // A hash table has eight places for seven entries, and a byte more for each.
        self.known.capacity() / 7 * 8 * (size_of::<(State, bool)>() + 1)
    }

    /// Whether the table is full and may not grow: while it doubles, it takes three times as much.
    fn is_full(&self) -> bool {
        let is_crowded = self.known.len() == self.known.capacity();
        is_crowded && 3 * self.bytes() > self.params.memory
    }

    fn wins<B: Board>(&mut self, position: &PositionOn<B>, run: &mut Run<'_>) -> Option<bool> {
        if let Some(outcome) = position.outcome() {
            return Some(outcome == Outcome::Win(position.to_move()));
        }
        if position.stage() == Stage::Jumping {
            let cells = self.field.empty(0);
            let side = position.to_move();
            let state = self.state(side, cells, stones(position), Vec::new(), run);
            return with_deep_stack(|| self.search(state, run));
        }
        by_moves(position, |after| self.wins(after, run)).0
    }

    /// The state with these stones on these cells and these values beside them. When the run has to end, what is not
    /// valued yet is left as if it were large.
    fn state(
        &mut self,
        side: Side,
        cells: u64,
        stones: u64,
        mut values: Vec<Value>,
        run: &mut Run<'_>,
    ) -> State {
        let (mut large, zero) = (0, self.valuer.games.zero());
        for part in self.field.within(cells).parts(stones & cells) {
            let is_small = part.count_ones() <= self.params.largest;
            let region = Region::of_cells(self.shape, self.field, part, stones & part);
            let mut goes_on = || run.goes_on();
            match is_small.then(|| self.valuer.region_while(&region, &mut goes_on)) {
                Some(Ok(value)) if value == zero => {}
                Some(Ok(value)) => values.push(value),
                _ => large |= part,
            }
        }
        self.simplify(&mut values);
        State {
            side,
            cells: large,
            stones: stones & large,
            values,
        }
    }

    /// Leaves out pairs whose sum is 0, and adds up numbers.
    fn simplify(&mut self, values: &mut Vec<Value>) {
        let games = &mut self.valuer.games;
        let mut number = games.zero();
        let mut left: Vec<Value> = Vec::with_capacity(values.len());
        for &value in values.iter() {
            if games.as_number(value).is_some() {
                number = games.add(number, value);
                continue;
            }
            let negative = games.negative(value);
            match left.iter().position(|&other| other == negative) {
                Some(place) => {
                    left.swap_remove(place);
                }
                None => left.push(value),
            }
        }
        if number != games.zero() {
            left.push(number);
        }
        left.sort_unstable();
        *values = left;
    }

    /// Whether the side to move wins; `None` if the run has to end first.
    fn search(&mut self, state: State, run: &mut Run<'_>) -> Option<bool> {
        if let Some(known) = self.outcome(&state) {
            return Some(known);
        }
        if let Some(&known) = self.known.get(&state) {
            return Some(known);
        }
        run.count_node(|| SolveProgress {
            entries: self.known.len() as u64,
            bytes: self.bytes(),
            ..SolveProgress::default()
        });
        if run.stopped.is_some() {
            return None;
        }
        let mut wins = false;
        for child in self.children(&state, run) {
            if !self.search(child, run)? {
                wins = true;
                break;
            }
        }
        if self.is_full() {
            run.stopped = Some(StopReason::MemoryLimit);
        } else {
            self.known.insert(state, wins);
        }
        Some(wins)
    }

    /// Whether the side to move wins where no large region is left and the sum is not too complex.
    fn outcome(&mut self, state: &State) -> Option<bool> {
        let games = &mut self.valuer.games;
        if state.cells != 0 || games.size() > self.params.values {
            return None;
        }
        let zero = games.zero();
        let sum = state
            .values
            .iter()
            .fold(zero, |sum, &value| games.add(sum, value));
        Some(match games.outcome(sum) {
            Winner::Left => state.side == Side::Black,
            Winner::Right => state.side == Side::White,
            Winner::First => true,
            Winner::Second => false,
        })
    }

    /// The states after each move, those first in which most was at stake.
    fn children(&mut self, state: &State, run: &mut Run<'_>) -> Vec<State> {
        let State {
            side,
            cells,
            stones,
            ref values,
        } = *state;
        let field = self.field.within(cells);
        let count = |stones, side| field.jumps_of(stones, side).count() as i32;
        let gain = |stones| count(stones, side) - count(stones, !side);
        let before = gain(stones);
        let mut ranked: Vec<(i32, State)> = Vec::new();
        let mut after = Vec::new();
        field.for_each_child(stones, side, |stones| after.push(stones));
        for stones in after {
            let child = self.state(!side, cells, stones, values.clone(), run);
            ranked.push((4 * (gain(stones) - before), child));
        }
        for (place, &value) in values.iter().enumerate() {
            if place > 0 && values[place - 1] == value {
                continue;
            }
            let games = &mut self.valuer.games;
            let heat = games.thermograph(value).temperature;
            // In quarters; below 0 for numbers.
            let rank = (8 * heat.numerator()) >> heat.exponent().min(40);
            let options = match side {
                Side::Black => games.left(value).to_vec(),
                Side::White => games.right(value).to_vec(),
            };
            for option in options {
                let mut values = values.clone();
                values[place] = option;
                if option == self.valuer.games.zero() {
                    values.swap_remove(place);
                }
                self.simplify(&mut values);
                let child = State {
                    side: !side,
                    cells,
                    stones,
                    values,
                };
                ranked.push((rank as i32, child));
            }
        }
        ranked.sort_by_key(|&(rank, _)| std::cmp::Reverse(rank));
        ranked.into_iter().map(|(_, child)| child).collect()
    }
}
