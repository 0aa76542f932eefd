//! Where the cells of a board are in a word, and what follows from the shape.

use super::word::Word;
use crate::rules::geometry::Rim;
use crate::{Cell, Geometry, Move, Position, Shape};
use game::{Side, Symmetric};

/// The cells of a board as bits of words.
#[derive(Clone, Debug)]
pub struct Layout<W: Word> {
    /// Every cell.
    pub board: W,
    /// By bit: the edge or corner that the cell lies on.
    pub rim: W::Table<Rim>,
    /// The cells on no edge and in no corner.
    pub interior: W,
    geometry: &'static Geometry,
    /// By bit.
    cells: W::Table<Option<Cell>>,
    /// By symmetry, then by bit: the bit that shows the cell. The identity is left out.
    symmetries: Vec<W::Table<u16>>,
}

impl<W: Word> Layout<W> {
    /// The layout of a shape; `None` if the board does not fit the word.
    pub fn new(shape: Shape) -> Option<Layout<W>> {
        if !W::holds(shape) {
            return None;
        }
        let geometry = Geometry::of(shape);
        let mut layout = Layout {
            board: W::NONE,
            rim: W::table(0),
            interior: W::NONE,
            geometry,
            cells: W::table(None),
            symmetries: Vec::new(),
        };
        for &cell in geometry.cells() {
            let index = layout.index(cell);
            let rim = geometry.rim(cell);
            layout.board = layout.board | W::bit(index);
            layout.rim.as_mut()[index] = rim;
            layout.cells.as_mut()[index] = Some(cell);
            if rim == 0 {
                layout.interior = layout.interior | W::bit(index);
            }
        }
        let empty = Position::new(shape);
        for symmetry in 1..empty.symmetries() {
            let mut shown = W::table(0);
            for &cell in geometry.cells() {
                let mv = empty.transformed_move(symmetry, Move::Place(cell));
                if let Move::Place(to) = mv {
                    shown.as_mut()[layout.index(cell)] = layout.index(to) as u16;
                }
            }
            layout.symmetries.push(shown);
        }
        Some(layout)
    }

    /// The geometry of the shape.
    pub fn geometry(&self) -> &'static Geometry {
        self.geometry
    }

    /// The bit of a cell.
    pub fn index(&self, cell: Cell) -> usize {
        let (x, y) = self.geometry.coordinates(cell);
        y * W::STRIDE + x
    }

    /// The cell of a bit, if it has one.
    pub fn cell(&self, index: usize) -> Option<Cell> {
        self.cells.as_ref().get(index).copied().flatten()
    }

    /// The stones of both sides, by [`Side::index`].
    pub fn stones_of_both(&self, position: &Position) -> [W; 2] {
        Side::BOTH.map(|side| self.stones(position, side))
    }

    /// The stones of a side.
    pub fn stones(&self, position: &Position, side: Side) -> W {
        let cells = self.geometry.cells().iter();
        let own = cells.filter(|&&cell| position.board().stone(cell) == Some(side));
        own.fold(W::NONE, |stones, &cell| stones | W::bit(self.index(cell)))
    }

    /// The cells of a set and their neighbours.
    #[inline(always)]
    pub fn grown(&self, set: W) -> W {
        let right = set | set.up(1);
        let left = set | set.down(1);
        (right | left | right.up(W::STRIDE) | left.down(W::STRIDE)) & self.board
    }

    /// By direction, in circular order: the cells whose neighbour in this direction is in the set.
    /// The order is that of [`crate::rules::geometry::DIRECTIONS`].
    #[inline(always)]
    pub fn beside(set: W) -> [W; 6] {
        [
            set.up(W::STRIDE + 1),
            set.up(W::STRIDE),
            set.down(1),
            set.down(W::STRIDE + 1),
            set.down(W::STRIDE),
            set.up(1),
        ]
    }

    /// The connected part of `within` that holds the cells of `seed`, which must lie in it.
    #[inline]
    pub fn flood(&self, seed: W, within: W) -> W {
        let mut reached = seed;
        loop {
            let next = self.grown(reached) & within;
            if next == reached {
                return reached;
            }
            reached = next;
        }
    }

    /// Of each class of empty cells that a symmetry of the position exchanges, the first. Playing on
    /// the others gives positions that are symmetric to those, hence of the same value.
    pub fn distinct(&self, stones: [W; 2], empty: W) -> W {
        let image = |shown: &W::Table<u16>, set: W| {
            let to = |index: usize| W::bit(usize::from(shown.as_ref()[index]));
            set.indices()
                .fold(W::NONE, |image, index| image | to(index))
        };
        let mut distinct = empty;
        for shown in &self.symmetries {
            if stones.iter().all(|&set| image(shown, set) == set) {
                let later = |&index: &usize| usize::from(shown.as_ref()[index]) < index;
                for index in empty.indices().filter(later) {
                    distinct = distinct.minus(W::bit(index));
                }
            }
        }
        distinct
    }
}

#[cfg(test)]
mod tests {
    use super::super::word::{Wide256, Wide384};
    use super::*;

    fn check<W: Word>(text: &str) {
        let layout = Layout::<W>::new(text.parse().expect("a shape")).expect("a board that fits");
        let geometry = layout.geometry;
        assert_eq!(layout.board.count() as usize, geometry.cells().len());
        for &cell in geometry.cells() {
            let index = layout.index(cell);
            assert_eq!(layout.cell(index), Some(cell));
            let near = geometry
                .neighbours(cell)
                .map(|near| W::bit(layout.index(near)));
            let near = near.fold(W::bit(index), |set, bit| set | bit);
            assert_eq!(layout.grown(W::bit(index)), near, "{text}");
            let beside = Layout::<W>::beside(W::bit(index));
            for (direction, &set) in beside.iter().enumerate() {
                let opposite = geometry.neighbour(cell, (direction + 3) % 6);
                let expected = opposite.map_or(W::NONE, |near| W::bit(layout.index(near)));
                assert_eq!(set & layout.board, expected, "{text}");
            }
        }
    }

    #[test]
    fn neighbours_are_those_of_the_board() {
        for text in ["2", "3", "4", "3x4x4", "4x3x4", "4x4x3", "4x4x5", "2x3x6"] {
            check::<u64>(text);
            check::<u128>(text);
            check::<Wide384>(text);
        }
        for text in ["5", "6", "4x5x5", "5x4x5"] {
            check::<u128>(text);
            check::<Wide384>(text);
        }
        check::<Wide256>("4");
        check::<Wide256>("8");
        check::<Wide384>("10");
        check::<Wide384>("7x8x11");
    }

    #[test]
    fn distinct_openings() {
        let count = |text: &str| {
            let layout = Layout::<u128>::new(text.parse().expect("a shape")).expect("fits");
            layout.distinct([0, 0], layout.board).count()
        };
        assert_eq!(count("2"), 2);
        assert_eq!(count("3"), 4);
        assert_eq!(count("4"), 6);
        assert_eq!(count("5"), 9);
    }
}
