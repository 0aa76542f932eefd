//! Ring detection, in both ways of the Castro thesis ("Rings").
//!
//! **By pattern**, in constant time, before the groups are joined: a stone closes a ring if it joins one
//! group twice, with something else between the two on both sides. What lies between on the one side is
//! then enclosed. The margin counts as something else; since the margin around a cell is one stretch, it
//! never lies on both sides. The exception is a ring that is filled: all six neighbours of an own stone
//! are own stones. The new stone is then on the rim of such a six, with its two neighbours on that rim
//! beside the stone in the middle, so that three neighbours in a row are own. A larger ring full of own
//! stones contains such a six, and one that runs through the new stone and encloses nothing but own
//! stones without such a six was a ring before.
//!
//! **By search**, which knows the stones of the ring, so that rings can be asked for that are long
//! enough or have enough stones that were there before a playout began ("Ring Rule Variations").

use super::board::Board;
use super::geometry::Cell;
use game::Side;

/// The runs of own neighbours in a pattern of six bits, neighbours round a cell being in a circle.
#[derive(Clone, Copy, Debug)]
pub(super) struct Runs {
    /// The step to a neighbour in each run, as a difference of grid indices; 0 for runs that are not
    /// there.
    steps: [i16; 3],
    /// The number of runs.
    pub count: u8,
    /// Whether three neighbours in a row are own, so that a ring may be closed around one of them.
    pub may_fill_ring: bool,
}

impl Runs {
    /// The runs of a pattern on a grid where a step in each direction is this difference of indices.
    fn new(pattern: u8, steps: &[isize; 6]) -> Runs {
        let mut runs = Runs {
            steps: [0; 3],
            count: 0,
            may_fill_ring: pattern & turned(pattern, 1) & turned(pattern, 2) != 0,
        };
        // The first of each run in clockwise order; a full circle has none, and is one run.
        let starts = if pattern == 0b11_1111 {
            1
        } else {
            pattern & !turned(pattern, 1)
        };
        for (direction, &step) in steps.iter().enumerate() {
            if starts >> direction & 1 == 1 {
                runs.steps[usize::from(runs.count)] = step as i16;
                runs.count += 1;
            }
        }
        runs
    }

    /// The runs of each pattern.
    pub fn of_patterns(steps: &[isize; 6]) -> [Runs; 64] {
        std::array::from_fn(|pattern| Runs::new(pattern as u8, steps))
    }

    /// The place of a neighbour in a run, or `index` itself if there is no such run.
    #[inline(always)]
    pub fn place(self, index: usize, run: usize) -> usize {
        index.wrapping_add_signed(self.steps[run].into())
    }
}

/// Bit d of the result is bit d − `by` of the pattern, round the circle.
const fn turned(pattern: u8, by: u32) -> u8 {
    (pattern << by | pattern >> (6 - by)) & 0b11_1111
}

/// The shortest ring.
pub const SHORTEST_RING: usize = 6;

/// The search for rings. It keeps its scratch space from one search to the next.
///
/// A ring is a closed chain of stones, none twice, without sharp turns: each step goes on in the
/// direction of the one before or 60° to either side of it. Any closed loop around a cell can be
/// shortened to such a chain by cutting its sharp corners off, and any such chain encloses a cell.
#[derive(Clone, Debug, Default)]
pub struct RingSearch {
    chain: Vec<Cell>,
    /// For each stone of the chain after the first: the direction of the step to it, and how many of the
    /// directions from it were tried.
    steps: Vec<(usize, usize)>,
    /// By grid index.
    in_chain: Vec<bool>,
    permanent_in_chain: usize,
}

/// The rings that a search looks for.
#[derive(Clone, Copy)]
pub struct WantedRing<'a> {
    /// The least number of stones.
    pub stones: usize,
    /// The least number of permanent stones among them.
    pub permanent: usize,
    /// Which stones are permanent. Not called when none need be.
    pub is_permanent: &'a dyn Fn(Cell) -> bool,
}

impl WantedRing<'_> {
    /// Any ring.
    pub const ANY: WantedRing<'static> = WantedRing {
        stones: SHORTEST_RING,
        permanent: 0,
        is_permanent: &|_| false,
    };
}

/// The steps of a search were spent before it was known whether there is such a ring.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Undecided;

impl RingSearch {
    /// A ring through `last`, the stone placed most recently, that is as wanted: its stones in order,
    /// beginning with `last`. `None` if there is none.
    ///
    /// A depth-first search from the stone in four adjacent directions, then always in the three
    /// forward ones. Two directions of a ring at its stone are at least 120° apart, so that one of them
    /// is among any four adjacent ones. The search is skipped where the group has fewer stones than are
    /// wanted, or does not lie on two sides of the stone. It is exact; its time can grow exponentially
    /// with the number of chains that are no ring as wanted, and so it takes no more than so many steps from stone to
    /// stone, of which those taken are subtracted.
    ///
    /// # Errors
    /// If the steps are spent before the answer is known.
    pub fn find(
        &mut self,
        board: &Board,
        last: Cell,
        wanted: WantedRing<'_>,
        steps: &mut u64,
    ) -> Result<Option<&[Cell]>, Undecided> {
        let Some(side) = board.stone(last) else {
            return Ok(None);
        };
        let pattern = board.pattern(last, side);
        let on_two_sides = pattern & (turned(pattern, 2) | turned(pattern, 3)) != 0;
        if !on_two_sides || (board.group_size(last) as usize) < wanted.stones.max(SHORTEST_RING) {
            return Ok(None);
        }
        self.chain.clear();
        self.steps.clear();
        self.in_chain.clear();
        self.in_chain.resize(board.geometry().grid(), false);
        self.permanent_in_chain = 0;
        let search = Search {
            board,
            side,
            last,
            wanted,
        };
        self.push(&search, last);
        for direction in 0..4 {
            if self.follow(&search, direction, steps)? {
                return Ok(Some(self.chain.as_slice()));
            }
        }
        Ok(None)
    }

    /// Whether a chain that begins with a step in this direction closes to a ring as wanted.
    fn follow(
        &mut self,
        search: &Search<'_>,
        first: usize,
        steps: &mut u64,
    ) -> Result<bool, Undecided> {
        let mut direction = first;
        loop {
            *steps = steps.checked_sub(1).ok_or(Undecided)?;
            let end = self.chain[self.chain.len() - 1];
            match search.board.geometry().neighbour(end, direction) {
                // A ring must not turn sharply where it closes either.
                Some(next)
                    if next == search.last
                        && is_forward(direction, first)
                        && self.chain.len() >= search.wanted.stones
                        && self.permanent_in_chain >= search.wanted.permanent =>
                {
                    return Ok(true);
                }
                Some(next)
                    if !self.in_chain[next.index()]
                        && search.board.holds(next.index(), search.side) =>
                {
                    self.push(search, next);
                    self.steps.push((direction, 0));
                }
                _ => {}
            }
            // The next direction from the end of the chain, or from where another is left.
            direction = loop {
                let Some((step, tried)) = self.steps.last_mut() else {
                    return Ok(false);
                };
                if let Some(turn) = FORWARD.get(*tried) {
                    *tried += 1;
                    break (*step + turn) % 6;
                }
                self.steps.pop();
                self.pop(search);
            };
        }
    }

    fn push(&mut self, search: &Search<'_>, cell: Cell) {
        self.chain.push(cell);
        self.in_chain[cell.index()] = true;
        self.permanent_in_chain += usize::from(search.counts(cell));
    }

    fn pop(&mut self, search: &Search<'_>) {
        if let Some(cell) = self.chain.pop() {
            self.in_chain[cell.index()] = false;
            self.permanent_in_chain -= usize::from(search.counts(cell));
        }
    }
}

/// The directions of a step after another one without a sharp turn, as differences.
const FORWARD: [usize; 3] = [5, 0, 1];

/// What does not change during a search.
struct Search<'a> {
    board: &'a Board,
    side: Side,
    last: Cell,
    wanted: WantedRing<'a>,
}

impl Search<'_> {
    fn counts(&self, cell: Cell) -> bool {
        self.wanted.permanent > 0 && (self.wanted.is_permanent)(cell)
    }
}

/// Whether a step in one direction after a step in another is no sharp turn.
const fn is_forward(before: usize, after: usize) -> bool {
    matches!((after + 6 - before) % 6, 0 | 1 | 5)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::geometry::{Geometry, Shape};
    use game::random;

    #[test]
    fn runs_are_counted_round_the_circle() {
        let runs = Runs::of_patterns(&[-9, -8, 1, 9, 8, -1]);
        assert_eq!(runs[0b00_0000].count, 0);
        assert_eq!(runs[0b11_1111].count, 1);
        assert_eq!(runs[0b10_0001].count, 1);
        assert_eq!(runs[0b01_0101].count, 3);
        assert_eq!(runs[0b10_0101].count, 2);
        assert!(runs[0b10_0011].may_fill_ring && !runs[0b10_0110].may_fill_ring);
        let with_three = runs.iter().filter(|runs| runs.count == 3).count();
        assert_eq!(with_three, 2);
        assert_eq!(runs[0b00_1000].place(50, 0), 59);
        assert_eq!(runs[0b00_1000].place(50, 1), 50);
    }

    /// Every simple closed chain without sharp turns through a stone, by brute force from the
    /// coordinates: (stones, permanent stones).
    fn chains(board: &Board, last: Cell, permanent: &[Cell]) -> Vec<(usize, usize)> {
        fn extend(
            board: &Board,
            chain: &mut Vec<Cell>,
            permanent: &[Cell],
            found: &mut Vec<(usize, usize)>,
        ) {
            let geometry = board.geometry();
            let side = board.stone(chain[0]);
            let no_sharp_turn = |before: Cell, after: Cell| geometry.distance(before, after) == 2;
            let end = chain[chain.len() - 1];
            for next in geometry.neighbours(end).collect::<Vec<_>>() {
                if board.stone(next) != side {
                    continue;
                }
                if chain.len() > 1 && !no_sharp_turn(chain[chain.len() - 2], next) {
                    continue;
                }
                if next == chain[0] {
                    if chain.len() > 2 && no_sharp_turn(end, chain[1]) {
                        let count = chain.iter().filter(|cell| permanent.contains(cell)).count();
                        found.push((chain.len(), count));
                    }
                } else if !chain.contains(&next) {
                    chain.push(next);
                    extend(board, chain, permanent, found);
                    chain.pop();
                }
            }
        }
        let mut found = Vec::new();
        extend(board, &mut vec![last], permanent, &mut found);
        found
    }

    #[test]
    fn the_search_finds_a_wanted_ring_exactly_where_there_is_one() {
        let geometry = Geometry::of(Shape::regular(4).expect("a size"));
        let mut rng = random::seeded(11);
        let mut search = RingSearch::default();
        let mut rings = 0;
        let mut undecided = [0; 2];
        for _ in 0..400 {
            // A dense board on which rings do not end the game.
            let mut board = Board::new(geometry);
            let mut cells = geometry.cells().to_vec();
            random::shuffle(&mut cells, &mut rng);
            let (stones, _) = cells.split_at(20);
            let permanent = &stones[..8];
            for &cell in stones {
                board.place(cell, Side::White);
            }
            let last = stones[19];
            let all = chains(&board, last, permanent);
            rings += usize::from(!all.is_empty());
            for wanted_stones in 6..=12 {
                for wanted_permanent in 0..=5 {
                    let wanted = WantedRing {
                        stones: wanted_stones,
                        permanent: wanted_permanent,
                        is_permanent: &|cell| permanent.contains(&cell),
                    };
                    let expected = all.iter().any(|&(stones, permanent)| {
                        stones >= wanted_stones && permanent >= wanted_permanent
                    });
                    let found = search.find(&board, last, wanted, &mut { u64::MAX });
                    let found = found.expect("an answer");
                    assert_eq!(
                        found.is_some(),
                        expected,
                        "{wanted_stones} {wanted_permanent}"
                    );
                    if let Some(ring) = found {
                        let count = ring.iter().filter(|cell| permanent.contains(cell)).count();
                        assert!(all.contains(&(ring.len(), count)));
                    }
                    // With fewer steps the answer is the same, or there is none.
                    for most in [1, 30, 1000] {
                        let mut steps = most;
                        if let Ok(found) = search.find(&board, last, wanted, &mut steps) {
                            assert_eq!(found.is_some(), expected);
                        } else {
                            assert_eq!(steps, 0);
                            undecided[usize::from(expected)] += 1;
                        }
                    }
                }
            }
        }
        assert!(rings > 50, "{rings} boards with a ring test nothing");
        assert!(undecided.iter().all(|&count| count > 50), "{undecided:?}");
    }
}
