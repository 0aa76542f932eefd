use super::{Board, Cell, Move, PositionOn, Shape, Stage};
use game::{Game, Symmetric};

/// A way to lay the board on itself: mirrored or not along each axis, then perhaps rows and columns
/// exchanged.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Symmetry {
    mirror_cols: bool,
    mirror_rows: bool,
    transpose: bool,
}

impl Symmetry {
    /// The symmetries that keep the shape of the board and the colours of its cells, each once; the
    /// identity is the first.
    ///
    /// A mirror keeps the colours only if the mirrored side is odd, and is the identity if it is 1. Both
    /// mirrors together, half a turn, also keep them if both sides are even. Exchanging rows and columns
    /// keeps the colours of every square.
    pub(crate) fn of(shape: Shape) -> impl Iterator<Item = Symmetry> {
        (0..8)
            .map(|bits| Symmetry {
                mirror_cols: bits & 1 != 0,
                mirror_rows: bits & 2 != 0,
                transpose: bits & 4 != 0,
            })
            .filter(move |symmetry| symmetry.belongs_to(shape))
    }

    fn belongs_to(self, shape: Shape) -> bool {
        let is_square = shape.rows() == shape.cols();
        let keeps_shape = is_square || !self.transpose;
        let is_another = !(self.mirror_cols && shape.cols() == 1
            || self.mirror_rows && shape.rows() == 1
            || self.transpose && shape.area() == 1);
        // Two cells in line have the same colour if they are an even number of steps apart, so one cell
        // tells about all.
        let corner = Cell::at(0, 0);
        keeps_shape && is_another && self.place(shape, corner).colour() == corner.colour()
    }

    #[inline]
    pub(crate) fn place(self, shape: Shape, cell: Cell) -> Cell {
        let last = shape.last();
        let (mut col, mut row) = (cell.col(), cell.row());
        if self.mirror_cols {
            col = last.col() - col;
        }
        if self.mirror_rows {
            row = last.row() - row;
        }
        if self.transpose {
            (col, row) = (row, col);
        }
        Cell::at(col, row)
    }

    /// The symmetry that undoes this one: what was a mirror of the columns is one of the rows after the
    /// exchange.
    fn inverse(self) -> Symmetry {
        if self.transpose {
            Symmetry {
                mirror_cols: self.mirror_rows,
                mirror_rows: self.mirror_cols,
                transpose: true,
            }
        } else {
            self
        }
    }

    fn place_move(self, shape: Shape, mv: Move) -> Move {
        match mv {
            Move::Remove(cell) => Move::Remove(self.place(shape, cell)),
            Move::Jump { from, to } => Move::Jump {
                from: self.place(shape, from),
                to: self.place(shape, to),
            },
        }
    }
}

impl<B: Board> PositionOn<B> {
    fn symmetry(&self, number: usize) -> Symmetry {
        Symmetry::of(self.shape())
            .nth(number)
            .expect("a number below symmetries()")
    }
}

/// Mirrors, turns and, on squares, the exchange of rows and columns, as far as they keep the colours of
/// the cells: four on a square with an even side, eight with an odd one (fewer on the smallest boards).
impl<B: Board> Symmetric for PositionOn<B> {
    fn symmetries(&self) -> usize {
        Symmetry::of(self.shape()).count()
    }

    fn inverse(&self, symmetry: usize) -> usize {
        let inverse = self.symmetry(symmetry).inverse();
        Symmetry::of(self.shape())
            .position(|other| other == inverse)
            .expect("the symmetries are a group")
    }

    fn transformed(&self, symmetry: usize) -> Self {
        let shape = self.shape();
        let seen = self.symmetry(symmetry);
        let back = seen.inverse();
        let board = B::new(shape, |cell| {
            self.board().stone(back.place(shape, cell)).is_some()
        });
        let stage = match self.stage() {
            Stage::WhiteRemoves { beside } => Stage::WhiteRemoves {
                beside: seen.place(shape, beside),
            },
            stage => stage,
        };
        let last = self.last_move().map(|mv| seen.place_move(shape, mv));
        PositionOn::with(board, self.to_move(), stage).with_past(self.ply(), last)
    }

    fn transformed_move(&self, symmetry: usize, mv: Move) -> Move {
        self.symmetry(symmetry).place_move(self.shape(), mv)
    }

    fn representative_hash(&self) -> u64 {
        let shape = self.shape();
        Symmetry::of(shape)
            .map(|symmetry| self.hash_placed(|cell| symmetry.place(shape, cell)))
            .min()
            .unwrap_or_else(|| self.hash())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn as_many_as_keep_the_colours() {
        for (rows, cols, symmetries) in [
            (1, 1, 1),
            (1, 8, 1),
            (1, 9, 2),
            (2, 2, 4),
            (4, 5, 2),
            (5, 4, 2),
            (5, 7, 4),
            (6, 8, 2),
            (5, 5, 8),
            (8, 8, 4),
        ] {
            let shape = Shape::new(rows, cols).expect("a shape");
            let all: Vec<Symmetry> = Symmetry::of(shape).collect();
            assert_eq!(all.len(), symmetries, "{shape}");
            for symmetry in all {
                let keeps = |cell: Cell| symmetry.place(shape, cell).colour() == cell.colour();
                assert!(shape.cells().all(keeps), "{symmetry:?} of {shape}");
            }
        }
    }
}
