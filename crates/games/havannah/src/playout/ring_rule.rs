//! Which rings end a playout (Castro thesis, 2012, "Ring Rule Variations"): rings come about by chance
//! far more often than in play. In the tree every ring wins.

use crate::rules::board::Board;
use crate::rules::geometry::Cell;
use crate::rules::rings::{RingSearch, SHORTEST_RING, WantedRing};
use game::Side;
use game::random::{self, Rng};

/// The conditions on a ring, all of which must hold. By default every ring counts.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RingRule {
    /// The share of the playouts in which rings count at all, from 0 to 1. Default 1.
    pub share: f64,
    /// Until when rings count: a fraction of the cells that are empty when a playout begins, counted in
    /// stones. From 0; 1 is the whole playout. Default 1.
    pub depth: f64,
    /// How soon rings must be longer: the shortest ring that counts has one stone more after every so many
    /// stones, given as a fraction of the cells that are empty when a playout begins. From 0; 0 for no
    /// growth. Default 0.
    ///
    /// A stone that lies beside three in a row closes rings that are not looked for, because without it
    /// they are closed already, if with another number of stones.
    pub growth: f64,
    /// The number of stones of a ring, at least, that were on the board when the playout began. Default 0.
    pub permanent: u32,
}

impl Default for RingRule {
    fn default() -> Self {
        RingRule {
            share: 1.0,
            depth: 1.0,
            growth: 0.0,
            permanent: 0,
        }
    }
}

impl RingRule {
    /// The steps from stone to stone that searches for rings with enough stones may take in one playout, some
    /// hundred microseconds. Up to size 9 none needs as many. On larger boards large groups can close so many
    /// rings that a search would take hours; a ring that is not found within these steps does not count.
    pub const MOST_STEPS: u64 = 1 << 16;
}

/// The rule in one playout.
#[derive(Clone, Debug, Default)]
pub(super) struct RingJudge {
    /// Stones after which rings do not count.
    until: usize,
    /// Stones after which a ring needs one stone more; 0 for never.
    grows_every: usize,
    permanent: usize,
    search: RingSearch,
    /// Steps that the search may still take in this playout.
    steps_left: u64,
}

/// The stones that were there when a playout began.
#[derive(Clone, Debug, Default)]
pub(super) struct Permanent {
    of_side: [Vec<Cell>; 2],
    /// By grid index.
    is_permanent: Vec<bool>,
}

impl Permanent {
    /// The stones of a board.
    pub(super) fn set(&mut self, board: &Board) {
        self.of_side.iter_mut().for_each(Vec::clear);
        self.is_permanent.clear();
        self.is_permanent.resize(board.geometry().grid(), false);
        for &cell in board.geometry().cells() {
            if let Some(side) = board.stone(cell) {
                self.of_side[side.index()].push(cell);
                self.is_permanent[cell.index()] = true;
            }
        }
    }
}

impl RingJudge {
    /// A playout begins, with so many empty cells.
    pub(super) fn begin(&mut self, rule: &RingRule, empty_cells: usize, rng: &mut Rng) {
        let of_empty = |fraction: f64| (fraction * empty_cells as f64) as usize;
        let counts = rule.share >= 1.0 || random::unit(rng) < rule.share;
        self.until = if counts { of_empty(rule.depth) } else { 0 };
        self.grows_every = if rule.growth > 0.0 {
            of_empty(rule.growth).max(1)
        } else {
            0
        };
        self.permanent = rule.permanent as usize;
        self.steps_left = RingRule::MOST_STEPS;
    }

    /// The steps that searches for rings have taken in this playout.
    #[cfg(test)]
    pub(super) fn steps_taken(&self) -> u64 {
        RingRule::MOST_STEPS - self.steps_left
    }

    /// The fewest stones that a ring needs after so many stones of the playout.
    fn shortest(&self, stones: usize) -> usize {
        SHORTEST_RING + stones.checked_div(self.grows_every).unwrap_or(0)
    }

    /// Whether a ring through `last`, the stone of a side that was placed when `stones` had been placed
    /// before it, counts; it is known that there is one.
    pub(super) fn counts(
        &mut self,
        board: &Board,
        permanent: &Permanent,
        last: Cell,
        side: Side,
        stones: usize,
    ) -> bool {
        let own = &permanent.of_side[side.index()];
        if stones >= self.until || own.len() < self.permanent {
            return false;
        }
        let shortest = self.shortest(stones);
        if shortest == SHORTEST_RING && self.permanent == 0 {
            return true;
        }
        // The search takes long, above all where it finds nothing: most of these cases are seen here.
        let may_be_in_ring = |&&stone: &&Cell| {
            lies_on_two_sides(board.pattern(stone, side)) && board.same_group(stone, last)
        };
        if self.permanent > 0 && own.iter().filter(may_be_in_ring).count() < self.permanent {
            return false;
        }
        let wanted = WantedRing {
            stones: shortest,
            permanent: self.permanent,
            is_permanent: &|cell| permanent.is_permanent[cell.index()],
        };
        let found = self.search.find(board, last, wanted, &mut self.steps_left);
        matches!(found, Ok(Some(_)))
    }
}

/// Whether two of the neighbours of a pattern are at least two directions apart, as those of a stone of a
/// ring are.
#[inline]
fn lies_on_two_sides(pattern: u8) -> bool {
    let two_apart = pattern << 2 | pattern >> 4;
    let three_apart = pattern << 3 | pattern >> 3;
    pattern & (two_apart | three_apart) & 0b11_1111 != 0
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::geometry::{Geometry, Shape};

    fn judge(rule: RingRule) -> RingJudge {
        let mut judge = RingJudge::default();
        judge.begin(&rule, 50, &mut random::seeded(1));
        judge
    }

    /// A ring of six around the centre, the last stone missing; four of them are on the start board.
    fn six() -> (Board, Permanent, Cell) {
        let geometry = Geometry::of(Shape::regular(4).expect("a size"));
        let centre = geometry.cell_at(3, 3).expect("the centre");
        let around: Vec<Cell> = geometry.neighbours(centre).collect();
        let mut board = Board::new(geometry);
        for &cell in &around {
            board.place(cell, Side::White);
        }
        let mut start = Board::new(geometry);
        for &cell in &around[..4] {
            start.place(cell, Side::White);
        }
        let mut permanent = Permanent::default();
        permanent.set(&start);
        (board, permanent, around[5])
    }

    #[test]
    fn each_condition_holds_as_long_as_it_says() {
        let (board, permanent, last) = six();
        let counts = |rule: RingRule, stones| {
            judge(rule).counts(&board, &permanent, last, Side::White, stones)
        };
        let any = RingRule::default();
        assert!(counts(any, 0) && counts(any, 49));
        let depth = RingRule { depth: 0.7, ..any };
        assert!(counts(depth, 34) && !counts(depth, 35));
        let growth = RingRule { growth: 0.1, ..any };
        assert!(counts(growth, 4) && !counts(growth, 5));
        assert_eq!(judge(growth).shortest(25), 11);
        for wanted in 0..=6 {
            let rule = RingRule {
                permanent: wanted,
                ..any
            };
            assert_eq!(counts(rule, 0), wanted <= 4, "{wanted}");
        }
    }

    #[test]
    fn rings_count_in_a_share_of_the_playouts() {
        let (board, permanent, last) = six();
        let mut rng = random::seeded(2);
        let mut judge = RingJudge::default();
        let rule = RingRule {
            share: 0.3,
            ..RingRule::default()
        };
        let count = (0..10_000)
            .filter(|_| {
                judge.begin(&rule, 50, &mut rng);
                judge.counts(&board, &permanent, last, Side::White, 0)
            })
            .count();
        assert!((2_800..3_200).contains(&count), "{count}");
    }

    /// On dense boards: what is seen without the search is what the search finds.
    #[test]
    fn rings_count_where_the_search_finds_them() {
        let geometry = Geometry::of(Shape::regular(4).expect("a size"));
        let mut rng = random::seeded(4);
        let mut search = RingSearch::default();
        let mut found = [0; 2];
        for round in 0..3_000 {
            let mut board = Board::new(geometry);
            let mut permanent = Permanent::default();
            let mut cells = geometry.cells().to_vec();
            random::shuffle(&mut cells, &mut rng);
            for (number, &cell) in cells[..22].iter().enumerate() {
                board.place(cell, Side::Black);
                if number == 5 {
                    permanent.set(&board);
                }
            }
            let rule = RingRule {
                permanent: 1 + round % 4,
                ..RingRule::default()
            };
            let wanted = WantedRing {
                stones: SHORTEST_RING,
                permanent: rule.permanent as usize,
                is_permanent: &|cell| cells[..6].contains(&cell),
            };
            let last = cells[21];
            let expected = search.find(&board, last, wanted, &mut { u64::MAX });
            let expected = expected.expect("an answer").is_some();
            let counts = judge(rule).counts(&board, &permanent, last, Side::Black, 0);
            assert_eq!(counts, expected);
            found[usize::from(expected)] += 1;
        }
        assert!(found.iter().all(|&count| count > 300), "{found:?}");
    }
}
