//! How people write cells: a letter for the row and a number in the row.
//!
//! In the **grid** dialect, that of Castro and the default here, the number is the column of the grid,
//! so that the lower rows of a board do not begin with 1: size 4 has cells from `a1` to `g7`. In the
//! **row** dialect, that of Little Golem, every row begins with 1, and the same corner is `g4`.
//!
//! Rows after `z`, on boards of more than 26, are `aa`, `ab` and so on.

use super::geometry::{Cell, Geometry, Shape};
use super::position::{Move, Position};
use game::{Notation, ParseMoveError};
use std::fmt;
use std::str::FromStr;

/// A way of numbering the cells of a row.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Dialect {
    /// The number is the column of the grid: Castro, and OpenSpiel with the two axes exchanged.
    #[default]
    Grid,
    /// The number begins with 1 in every row: Little Golem.
    Row,
}

impl Dialect {
    /// Both dialects.
    pub const ALL: [Dialect; 2] = [Dialect::Grid, Dialect::Row];

    /// What is added to `x` to give the number that is written.
    fn first_number(self, shape: Shape, y: usize) -> usize {
        match self {
            Dialect::Grid => shape.columns(y).start + 1,
            Dialect::Row => 1,
        }
    }
}

/// `grid` or `row`.
impl fmt::Display for Dialect {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Dialect::Grid => "grid",
            Dialect::Row => "row",
        })
    }
}

impl FromStr for Dialect {
    type Err = ParseMoveError;

    fn from_str(text: &str) -> Result<Dialect, ParseMoveError> {
        match text.to_ascii_lowercase().as_str() {
            "grid" => Ok(Dialect::Grid),
            "row" => Ok(Dialect::Row),
            _ => Err(ParseMoveError::new(text, "a dialect is grid or row")),
        }
    }
}

/// The name of row `y`: `a` for 0.
pub(super) fn row_name(y: usize) -> String {
    let letter = |number: usize| char::from(b'a' + (number % 26) as u8);
    match y / 26 {
        0 => letter(y).to_string(),
        times => format!("{}{}", letter(times - 1), letter(y)),
    }
}

/// The row with a name.
fn row_named(name: &str) -> Option<usize> {
    let value = |byte: &u8| usize::from(byte.to_ascii_lowercase() - b'a');
    match name.as_bytes() {
        [one] => Some(value(one)),
        [times, one] => Some((value(times) + 1) * 26 + value(one)),
        _ => None,
    }
}

/// Writes a cell of a board.
pub fn write_cell(geometry: &Geometry, cell: Cell, dialect: Dialect) -> String {
    let (x, y) = geometry.coordinates(cell);
    let shape = geometry.shape();
    let number = x - shape.columns(y).start + dialect.first_number(shape, y);
    format!("{}{number}", row_name(y))
}

/// Reads a cell of a board; case does not matter.
///
/// # Errors
/// If the text is no cell, or one that this board does not have.
pub fn parse_cell(
    geometry: &Geometry,
    text: &str,
    dialect: Dialect,
) -> Result<Cell, ParseMoveError> {
    let shape = geometry.shape();
    let letters = text.bytes().take_while(u8::is_ascii_alphabetic).count();
    let (row, number) = text.split_at(letters);
    let digits = number.bytes().all(|byte| byte.is_ascii_digit());
    let number = number.parse::<usize>().ok().filter(|_| digits);
    let (Some(y), Some(number)) = (row_named(row), number) else {
        let expected = "expected a letter for the row and a number, such as d4";
        return Err(ParseMoveError::new(text, expected));
    };
    if y >= shape.rows() {
        let rows = row_name(shape.rows() - 1);
        let reason = format!("the rows of a board of size {shape} are a to {rows}");
        return Err(ParseMoveError::new(text, reason));
    }
    let columns = shape.columns(y);
    let first = dialect.first_number(shape, y);
    let cell = number
        .checked_sub(first)
        .and_then(|offset| geometry.cell_at(columns.start + offset, y));
    cell.ok_or_else(|| {
        let last = first + columns.len() - 1;
        let reason = format!(
            "in the {dialect} dialect row {} of size {shape} has numbers {first} to {last}",
            row_name(y)
        );
        ParseMoveError::new(text, reason)
    })
}

impl Notation for Position {
    type Dialect = Dialect;

    fn parse_move(&self, text: &str, dialect: Dialect) -> Result<Move, ParseMoveError> {
        if text.eq_ignore_ascii_case("swap") {
            return Ok(Move::Swap);
        }
        parse_cell(self.geometry(), text, dialect).map(Move::Place)
    }

    fn write_move(&self, mv: Move, dialect: Dialect) -> String {
        match mv {
            Move::Place(cell) => write_cell(self.geometry(), cell, dialect),
            Move::Swap => "swap".to_owned(),
        }
    }

    fn every_move(&self) -> Vec<Move> {
        let cells = self.geometry().cells().iter().copied();
        cells.map(Move::Place).chain([Move::Swap]).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn geometry(shape: &str) -> &'static Geometry {
        Geometry::of(shape.parse().expect("a shape"))
    }

    fn in_other_dialect(shape: &str, text: &str) -> String {
        let cell = parse_cell(geometry(shape), text, Dialect::Grid).expect("a cell");
        write_cell(geometry(shape), cell, Dialect::Row)
    }

    #[test]
    fn the_dialects_differ_in_the_lower_half() {
        assert_eq!(in_other_dialect("4", "d7"), "d7");
        assert_eq!(in_other_dialect("4", "g7"), "g4");
        assert_eq!(in_other_dialect("4", "e2"), "e1");
        assert_eq!(in_other_dialect("10", "s19"), "s10");
    }

    #[test]
    fn long_boards_have_rows_after_z() {
        let geometry = geometry("15");
        let cell = parse_cell(geometry, "AC29", Dialect::Grid).expect("a corner");
        assert_eq!(cell, geometry.corners()[3]);
        assert_eq!(write_cell(geometry, cell, Dialect::Row), "ac15");
    }

    #[test]
    fn errors_say_what_the_board_has() {
        let error = |text| {
            let read = parse_cell(geometry("4"), text, Dialect::Grid);
            read.expect_err("no cell").to_string()
        };
        assert_eq!(
            error("h1"),
            "\"h1\" is not a move: the rows of a board of size 4 are a to g"
        );
        assert_eq!(
            error("g1"),
            "\"g1\" is not a move: in the grid dialect row g of size 4 has numbers 4 to 7"
        );
        for bad in [
            "",
            "4",
            "d",
            "d+4",
            "d 4",
            "d4x",
            "ddd4",
            "d99999999999999999999",
            "é4",
            "d٤",
        ] {
            error(bad);
        }
    }

    proptest! {
        #[test]
        fn any_text_is_a_cell_or_an_error(text in "\\PC{0,6}", size in 2u32..=15) {
            let geometry = Geometry::of(Shape::regular(size).expect("a size"));
            for dialect in Dialect::ALL {
                if let Ok(cell) = parse_cell(geometry, &text, dialect) {
                    let written = write_cell(geometry, cell, dialect);
                    prop_assert_eq!(parse_cell(geometry, &written, dialect), Ok(cell));
                }
            }
        }
    }
}
