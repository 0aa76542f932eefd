//! In which order moves are tried that look alike: those first that have settled most positions.
//!
//! It is the history heuristic (Schaeffer, "The history heuristic", 1983), for each side alone. It decides
//! nothing but which of several children with equal numbers is searched first. Threads share it: where they try the same move
//! in positions that resemble each other, their proofs meet in the table.

use super::word::Word;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

/// By cell: how many positions a stone there has settled, for all threads of a search.
#[derive(Clone, Debug)]
pub struct Settled(Arc<[AtomicU64]>);

impl Settled {
    /// Nothing was settled yet.
    pub fn new<W: Word>() -> Settled {
        Settled((0..W::BITS).map(|_| AtomicU64::new(0)).collect())
    }
}

/// A thread tells the others each time that it has settled so many positions with a stone on a cell: at each, they would
/// take the memory of the counts from each other.
const UNTOLD: u8 = 4;

/// The cells in the order in which a thread tries them.
#[derive(Clone, Debug)]
pub struct Order<W: Word> {
    /// By place; the last entries have no meaning.
    cells: W::Table<u16>,
    /// How many there are.
    count: usize,
    /// By cell: its place among these.
    places: W::Table<u16>,
    /// What this thread has seen of what all have settled.
    seen: W::Table<u64>,
    /// By cell: what this thread has settled and not told the others.
    untold: W::Table<u8>,
    settled: Settled,
    /// The places of the empty cells, which most nodes ask for: kept up to date, since to sort them takes longer.
    empty: W,
    /// The place to look at next for what others have settled.
    next: usize,
}

impl<W: Word> Order<W> {
    /// Of the cells of a board.
    pub fn new(board: W, settled: Settled) -> Order<W> {
        let (mut cells, mut places) = (W::table(0), W::table(0));
        for (place, cell) in board.indices().enumerate() {
            cells.as_mut()[place] = cell as u16;
            places.as_mut()[cell] = place as u16;
        }
        Order {
            cells,
            count: board.count() as usize,
            places,
            seen: W::table(0),
            untold: W::table(0),
            settled,
            empty: W::NONE,
            next: 0,
        }
    }

    /// Begins with a position that has these empty cells.
    pub fn restart(&mut self, empty: W) {
        self.empty = self.places(empty);
    }

    /// Hears that a stone was placed on a cell, or taken back.
    #[inline(always)]
    pub fn turn(&mut self, cell: usize) {
        let place = W::bit(usize::from(self.places.as_ref()[W::within(cell)]));
        self.empty = (self.empty | place).minus(self.empty & place);
    }

    /// The places of the empty cells.
    #[inline(always)]
    pub fn of_empty(&self) -> W {
        self.empty
    }

    /// The places of a set of cells. To sort them as bits takes no branch for each cell of the board.
    #[inline(always)]
    pub fn places(&self, set: W) -> W {
        let place = |cell: usize| usize::from(self.places.as_ref()[W::within(cell)]);
        let cells = set.indices();
        cells.fold(W::NONE, |places, cell| places | W::bit(place(cell)))
    }

    /// The cell at a place.
    #[inline(always)]
    pub fn cell(&self, place: usize) -> usize {
        usize::from(self.cells.as_ref()[W::within(place)])
    }

    /// A stone on a cell has settled a position.
    #[inline]
    pub fn note(&mut self, cell: usize) {
        let seen = self.seen.as_ref()[W::within(cell)] + 1;
        self.raise(cell, seen);
        let untold = &mut self.untold.as_mut()[W::within(cell)];
        *untold += 1;
        if *untold < UNTOLD {
            return;
        }
        let told = u64::from(std::mem::take(untold));
        let count = self.settled.0[cell].fetch_add(told, Ordering::Relaxed) + told;
        self.raise(cell, count);
        for _ in 0..UNTOLD {
            self.next = (self.next + 1) % self.count;
            let other = self.cell(self.next);
            let count = self.settled.0[other].load(Ordering::Relaxed);
            if count > self.seen.as_ref()[W::within(other)] {
                self.raise(other, count);
            }
        }
    }

    #[inline(always)]
    fn set_empty(&mut self, place: usize, is_empty: bool) {
        self.empty = self.empty.minus(W::bit(place)) | W::bit_if(place, is_empty);
    }

    #[inline]
    fn raise(&mut self, cell: usize, settled: u64) {
        let cell = W::within(cell);
        self.seen.as_mut()[cell] = settled;
        let mut place = usize::from(self.places.as_ref()[cell]);
        let is_empty = self.empty.has(place);
        while let Some(before) = place.checked_sub(1) {
            let other = self.cell(before);
            if self.seen.as_ref()[W::within(other)] >= settled {
                break;
            }
            self.cells.as_mut().swap(before, place);
            self.places.as_mut()[W::within(other)] = place as u16;
            self.set_empty(place, self.empty.has(before));
            place = before;
        }
        self.set_empty(place, is_empty);
        self.places.as_mut()[cell] = place as u16;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sorted(order: &Order<u64>, set: u64) -> Vec<usize> {
        let places = order.places(set).indices();
        places.map(|place| order.cell(place)).collect()
    }

    #[test]
    fn what_settled_most_comes_first() {
        let mut order = Order::<u64>::new(0b11_0110, Settled::new::<u64>());
        assert_eq!(sorted(&order, 0b11_0110), [1, 2, 4, 5]);
        for cell in [5, 4, 5, 2, 2, 2] {
            order.note(cell);
        }
        assert_eq!(sorted(&order, 0b11_0110), [2, 5, 4, 1]);
        assert_eq!(sorted(&order, 0b01_0010), [4, 1]);
    }

    #[test]
    fn empty_cells_are_known_by_their_places() {
        let mut order = Order::<u64>::new(0b11_0110, Settled::new::<u64>());
        order.restart(0b11_0010);
        for (cell, empty) in [
            (5, 0b01_0010),
            (2, 0b01_0110),
            (5, 0b11_0110),
            (4, 0b10_0110),
        ] {
            order.turn(cell);
            for settled in [1, cell] {
                order.note(settled);
                assert_eq!(order.of_empty(), order.places(empty));
            }
        }
    }

    #[test]
    fn threads_see_what_others_have_settled() {
        let settled = Settled::new::<u64>();
        let [mut one, mut other] = [(); 2].map(|()| Order::<u64>::new(0b11_0110, settled.clone()));
        for _ in 0..9 {
            one.note(5);
        }
        for _ in 0..4 {
            other.note(4);
        }
        assert_eq!(sorted(&other, 0b11_0110), [5, 4, 1, 2]);
    }
}
