//! The windows of Window Subgame Pruning (Shokry's thesis, 2023, section 2.4.5): below a move of the root
//! only the stones near its line move.

use crate::{Cell, Move};

/// A rectangle of cells, which may reach beyond the board.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Window {
    first_col: usize,
    last_col: usize,
    first_row: usize,
    last_row: usize,
}

impl Window {
    /// The most padding: with it every window covers the largest board.
    pub const MAX_PADDING: usize = crate::Shape::MAX_SIDE;

    /// The window round the straight line of a move, with so many more cells on each side. A removal is
    /// a line of one cell.
    pub fn around(mv: Move, padding: usize) -> Window {
        let (from, to) = match mv {
            Move::Remove(cell) => (cell, cell),
            Move::Jump { from, to } => (from, to),
        };
        Window {
            first_col: from.col().min(to.col()).saturating_sub(padding),
            last_col: from.col().max(to.col()).saturating_add(padding),
            first_row: from.row().min(to.row()).saturating_sub(padding),
            last_row: from.row().max(to.row()).saturating_add(padding),
        }
    }

    /// Whether a cell is in the window.
    #[inline]
    pub fn contains(&self, cell: Cell) -> bool {
        (self.first_col..=self.last_col).contains(&cell.col())
            && (self.first_row..=self.last_row).contains(&cell.row())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Shape;

    fn cells(mv: &str, padding: usize) -> Vec<String> {
        let shape = Shape::new(6, 8).expect("a shape");
        let window = Window::around(mv.parse().expect("a move"), padding);
        let inside = shape.cells().filter(|&cell| window.contains(cell));
        inside.map(|cell| cell.to_string()).collect()
    }

    #[test]
    fn a_window_is_the_line_and_its_padding() {
        assert_eq!(cells("c3-e3", 0), ["c3", "d3", "e3"]);
        assert_eq!(cells("e3-c3", 0), ["c3", "d3", "e3"]);
        assert_eq!(
            cells("a2-a4", 1),
            ["a1", "b1", "a2", "b2", "a3", "b3", "a4", "b4", "a5", "b5"]
        );
        assert_eq!(cells("h6", 1), ["g5", "h5", "g6", "h6"]);
        assert_eq!(cells("a1-c1", Window::MAX_PADDING).len(), 48);
    }
}
