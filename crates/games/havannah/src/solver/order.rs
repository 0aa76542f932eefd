//! In which order moves are tried that look alike: those first that have settled most positions.
//!
//! It is the history heuristic (Schaeffer, "The history heuristic", 1983), for each side alone. It decides
//! nothing but which of several children with equal numbers is searched first.

use super::word::Word;

/// The cells in the order in which they are tried.
#[derive(Clone, Debug)]
pub struct Order<W: Word> {
    cells: Vec<u16>,
    /// By cell: its place among these.
    places: W::Table<u16>,
    /// By cell: how many positions a stone there has settled.
    settled: W::Table<u32>,
}

impl<W: Word> Order<W> {
    /// Nothing was settled yet.
    pub fn new(board: W) -> Order<W> {
        let cells: Vec<u16> = board.indices().map(|cell| cell as u16).collect();
        let mut places = W::table(0);
        for (place, &cell) in cells.iter().enumerate() {
            places.as_mut()[usize::from(cell)] = place as u16;
        }
        Order {
            cells,
            places,
            settled: W::table(0),
        }
    }

    /// The cells of a set. Their places are sorted as bits, which takes no branch for each cell of the board.
    #[inline(always)]
    pub fn of(&self, set: W) -> impl Iterator<Item = usize> {
        let place = |cell: usize| usize::from(self.places.as_ref()[W::within(cell)]);
        let places = set
            .indices()
            .fold(W::NONE, |places, cell| places | W::bit(place(cell)));
        places.indices().map(|place| usize::from(self.cells[place]))
    }

    /// A stone on a cell has settled a position.
    #[inline]
    pub fn note(&mut self, cell: usize) {
        let cell = W::within(cell);
        let settled = self.settled.as_ref()[cell].saturating_add(1);
        self.settled.as_mut()[cell] = settled;
        let mut place = usize::from(self.places.as_ref()[cell]);
        while let Some(before) = place.checked_sub(1) {
            let other = usize::from(self.cells[before]);
            if self.settled.as_ref()[W::within(other)] >= settled {
                break;
            }
            self.cells.swap(before, place);
            self.places.as_mut()[W::within(other)] = place as u16;
            place = before;
        }
        self.places.as_mut()[cell] = place as u16;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_settled_most_comes_first() {
        let mut order = Order::<u64>::new(0b11_0110);
        let all = |order: &Order<u64>| order.of(u64::MAX).collect::<Vec<usize>>();
        assert_eq!(all(&order), [1, 2, 4, 5]);
        for cell in [5, 4, 5, 2, 2, 2] {
            order.note(cell);
        }
        assert_eq!(all(&order), [2, 5, 4, 1]);
        assert_eq!(order.of(0b01_0010).collect::<Vec<usize>>(), [4, 1]);
    }
}
