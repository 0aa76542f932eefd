use super::Cell;
use std::fmt;
use thiserror::Error;

/// The shape of a board: its rows and columns, 1 to [`Shape::MAX_SIDE`] each, and no more than
/// [`Shape::MAX_CELLS`] cells.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Shape {
    rows: u8,
    cols: u8,
}

impl Shape {
    /// The most rows, and the most columns, that a board can have.
    pub const MAX_SIDE: usize = 24;

    /// The most cells that a board can have: those of 20×20.
    pub const MAX_CELLS: usize = 400;

    /// A rectangle with every cell of every board. No board is that large.
    pub(super) const LARGEST: Shape = Shape {
        rows: Shape::MAX_SIDE as u8,
        cols: Shape::MAX_SIDE as u8,
    };

    /// The shape with so many rows and columns.
    ///
    /// # Errors
    /// If one of them is 0 or more than [`Shape::MAX_SIDE`], or there are too many cells.
    pub const fn new(rows: usize, cols: usize) -> Result<Shape, ShapeError> {
        if !is_side(rows) || !is_side(cols) || rows * cols > Shape::MAX_CELLS {
            return Err(ShapeError { rows, cols });
        }
        Ok(Shape {
            rows: rows as u8,
            cols: cols as u8,
        })
    }

    /// The number of rows.
    #[inline]
    pub const fn rows(self) -> usize {
        self.rows as usize
    }

    /// The number of columns.
    #[inline]
    pub const fn cols(self) -> usize {
        self.cols as usize
    }

    /// The number of cells.
    #[inline]
    pub const fn area(self) -> usize {
        self.rows() * self.cols()
    }

    /// Whether a cell is on a board of this shape.
    #[inline]
    pub const fn contains(self, cell: Cell) -> bool {
        cell.row() < self.rows() && cell.col() < self.cols()
    }

    /// The cells, row by row, from `a1` to [`last`](Shape::last).
    pub fn cells(self) -> impl DoubleEndedIterator<Item = Cell> + Clone {
        (0..self.area()).map(move |index| self.cell(index))
    }

    /// The corner opposite to `a1`.
    pub const fn last(self) -> Cell {
        Cell::at(self.cols() - 1, self.rows() - 1)
    }

    /// The number of a cell in the order of [`cells`](Shape::cells).
    #[inline]
    pub const fn index(self, cell: Cell) -> usize {
        cell.row() * self.cols() + cell.col()
    }

    /// The cell with a number below [`area`](Shape::area).
    #[inline]
    pub(super) const fn cell(self, index: usize) -> Cell {
        let (index, cols) = (index as u16, self.cols as u16);
        Cell::at((index % cols) as usize, (index / cols) as usize)
    }

    /// Whether the cell is one of the corners.
    pub const fn is_corner(self, cell: Cell) -> bool {
        (cell.row() == 0 || cell.row() == self.rows() - 1)
            && (cell.col() == 0 || cell.col() == self.cols() - 1)
    }

    /// Whether the cell is one of the four in the middle, which are two or one where a side is odd.
    pub const fn is_centre(self, cell: Cell) -> bool {
        (cell.row() == self.rows() / 2 || cell.row() == (self.rows() - 1) / 2)
            && (cell.col() == self.cols() / 2 || cell.col() == (self.cols() - 1) / 2)
    }
}

const fn is_side(length: usize) -> bool {
    1 <= length && length <= Shape::MAX_SIDE
}

/// `6×8`: rows × columns.
impl fmt::Display for Shape {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}×{}", self.rows, self.cols)
    }
}

/// A board that is too small or too large.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error(
    "a board has 1 to {side} rows and 1 to {side} columns, and at most {cells} cells, not {rows}×{cols}",
    side = Shape::MAX_SIDE,
    cells = Shape::MAX_CELLS
)]
pub struct ShapeError {
    /// The rows asked for.
    pub rows: usize,
    /// The columns asked for.
    pub cols: usize,
}

#[cfg(test)]
mod tests {
    use super::*;

    fn named(shape: Shape, property: impl Fn(Cell) -> bool) -> String {
        let names: Vec<String> = shape
            .cells()
            .filter(|&cell| property(cell))
            .map(|cell| cell.to_string())
            .collect();
        names.join(" ")
    }

    #[test]
    fn corners_and_centres() {
        for (rows, cols, corners, centre) in [
            (1, 1, "a1", "a1"),
            (1, 4, "a1 d1", "b1 c1"),
            (3, 3, "a1 c1 a3 c3", "b2"),
            (4, 5, "a1 e1 a4 e4", "c2 c3"),
            (8, 8, "a1 h1 a8 h8", "d4 e4 d5 e5"),
        ] {
            let shape = Shape::new(rows, cols).expect("a shape");
            assert_eq!(named(shape, |cell| shape.is_corner(cell)), corners);
            assert_eq!(named(shape, |cell| shape.is_centre(cell)), centre);
        }
    }

    #[test]
    fn every_cell_has_its_number() {
        for rows in 1..=Shape::MAX_SIDE {
            for cols in 1..=Shape::MAX_SIDE {
                let Ok(shape) = Shape::new(rows, cols) else {
                    assert!(rows * cols > Shape::MAX_CELLS);
                    continue;
                };
                for (index, cell) in shape.cells().enumerate() {
                    assert!(shape.contains(cell));
                    assert_eq!(shape.index(cell), index);
                }
                assert_eq!(shape.cells().last(), Some(shape.last()));
            }
        }
    }

    #[test]
    fn shapes_that_are_refused() {
        for (rows, cols) in [
            (0, 5),
            (5, 0),
            (25, 5),
            (5, 25),
            (20, 21),
            (usize::MAX, 1),
            (usize::MAX, usize::MAX),
        ] {
            assert_eq!(Shape::new(rows, cols), Err(ShapeError { rows, cols }));
        }
        assert_eq!(
            Shape::new(0, 25).unwrap_err().to_string(),
            "a board has 1 to 24 rows and 1 to 24 columns, and at most 400 cells, not 0×25"
        );
    }
}
