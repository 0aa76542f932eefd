//! A board as text, with its coordinates.

use super::geometry::Cell;
use super::notation::{Dialect, row_name, write_cell};
use super::position::{Move, Position};
use game::{Picture, Side};

/// The sign of a side's stones in text.
const fn stone_sign(side: Side) -> &'static str {
    match side {
        Side::White => "O",
        Side::Black => "X",
    }
}

impl Picture for Position {
    /// `O` is White, `X` is Black, and the last stone stands in brackets. Each row is shifted so that
    /// neighbours touch. The numbers of the upper rows run down to the left from the two upper edges;
    /// the lower rows say the first and last of theirs.
    ///
    /// ```
    /// use game::{Game, Notation, Picture};
    /// use havannah::{Dialect, Position, Shape};
    ///
    /// let mut position = Position::new(Shape::regular(3).unwrap());
    /// for text in ["c3", "b2", "d4"] {
    ///     position.play(position.parse_move(text, Dialect::Grid).unwrap());
    /// }
    /// assert_eq!(position.picture(Dialect::Grid), "
    ///      1 2 3
    ///   a . . . 4
    ///  b . X . . 5
    /// c . . O . .
    ///  d . .(O). 2-5
    ///   e . . . 3-5
    /// "[1..]);
    /// ```
    fn draw(&self, dialect: Dialect, paint: &dyn Fn(Side, &str, bool) -> String) -> String {
        let geometry = self.geometry();
        let shape = geometry.shape();
        let [a, b, c] = shape.sides();
        // In half cells: row y is shifted by y to the left, so that cell (x, y) stands at 2x − y.
        let indent = |y: usize| shape.columns(y).start * 2 + c - 1 - y;
        let names = row_name(shape.rows() - 1).len();
        let last = match self.last_move() {
            Some(Move::Place(cell)) => Some(cell),
            _ => None,
        };
        let number = |x: usize| format!("{:<2}", x + 1);

        let above: String = (0..a).map(number).collect();
        let mut picture = format!(
            "{}{}\n",
            " ".repeat(indent(0) + names + 2),
            above.trim_end()
        );
        for y in 0..shape.rows() {
            let cells: Vec<Cell> = shape
                .columns(y)
                .filter_map(|x| geometry.cell_at(x, y))
                .collect();
            picture += &" ".repeat(indent(y));
            picture += &format!("{:>names$}", row_name(y));
            picture += if last.is_some() && last == cells.first().copied() {
                "("
            } else {
                " "
            };
            for (place, &cell) in cells.iter().enumerate() {
                let is_last = last == Some(cell);
                picture += &match self.board().stone(cell) {
                    Some(side) => paint(side, stone_sign(side), is_last),
                    None => ".".to_owned(),
                };
                let before_last = last.is_some() && last == cells.get(place + 1).copied();
                picture += match (is_last, before_last) {
                    (true, _) => ")",
                    (_, true) => "(",
                    _ => " ",
                };
            }
            if y + 1 < b {
                picture += number(a + y).trim_end();
            } else if let (true, [first, .., end]) = (y >= c, &cells[..]) {
                let first = write_cell(geometry, *first, dialect);
                let end = write_cell(geometry, *end, dialect);
                let digits = |cell: &str| cell.trim_start_matches(char::is_alphabetic).to_owned();
                picture += &format!("{}-{}", digits(&first), digits(&end));
            }
            picture.truncate(picture.trim_end().len());
            picture.push('\n');
        }
        picture
    }
}
