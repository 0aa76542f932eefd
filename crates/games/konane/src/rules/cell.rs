//! Cells and directions, which mean the same on every board.

use super::Shape;
use game::Side;
use std::fmt;
use std::str::FromStr;
use thiserror::Error;

/// A cell: a column and a row, each below [`Shape::MAX_SIDE`]. Written as a column letter and a row
/// number counted from 1, such as `d4`. Cells are ordered row by row.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Cell(
    /// Row × [`ROW`] + column, so that a step in any direction is an addition.
    u16,
);

/// How far apart the numbers of two cells are that are one row apart: a power of two above the columns
/// of the largest board.
const ROW: u16 = 32;

impl Cell {
    /// More than the [`number`](Cell::number) of any cell.
    pub(super) const NUMBERS: usize = Shape::MAX_SIDE * ROW as usize;

    /// The cell in a column and a row, both counted from 0; `None` beyond the largest board.
    #[inline]
    pub const fn new(col: usize, row: usize) -> Option<Cell> {
        if col < Shape::MAX_SIDE && row < Shape::MAX_SIDE {
            Some(Cell::at(col, row))
        } else {
            None
        }
    }

    /// The cell in a column and a row that are known to be on some board.
    #[inline]
    pub(super) const fn at(col: usize, row: usize) -> Cell {
        debug_assert!(col < Shape::MAX_SIDE && row < Shape::MAX_SIDE);
        Cell(row as u16 * ROW + col as u16)
    }

    /// The column, counted from 0.
    #[inline]
    pub const fn col(self) -> usize {
        (self.0 % ROW) as usize
    }

    /// The row, counted from 0.
    #[inline]
    pub const fn row(self) -> usize {
        (self.0 / ROW) as usize
    }

    /// A number below [`NUMBERS`](Cell::NUMBERS) that is the same on every board.
    #[inline]
    pub(super) const fn number(self) -> usize {
        self.0 as usize
    }

    /// The cell with a number, wrapped round to those that there are.
    #[inline]
    pub(super) const fn numbered(number: u16) -> Cell {
        Cell(number % Cell::NUMBERS as u16)
    }

    /// The colour of the cell, which is that of every stone that ever stands on it: black on `a1`.
    #[inline]
    pub const fn colour(self) -> Side {
        if (self.col() + self.row()).is_multiple_of(2) {
            Side::Black
        } else {
            Side::White
        }
    }

    /// The cell some steps away; `None` beyond the largest board.
    #[inline]
    pub const fn step(self, direction: Direction, steps: usize) -> Option<Cell> {
        let (col, row) = (self.col(), self.row());
        match direction {
            Direction::East => Cell::new(col.saturating_add(steps), row),
            Direction::North => Cell::new(col, row.saturating_add(steps)),
            // Below column `a` and row 1 the difference wraps round to a number beyond any board.
            Direction::West => Cell::new(col.wrapping_sub(steps), row),
            Direction::South => Cell::new(col, row.wrapping_sub(steps)),
        }
    }

    /// The cell some steps away, which is known to be on some board.
    #[inline]
    pub(crate) const fn stepped(self, direction: Direction, steps: usize) -> Cell {
        let way = steps as u16;
        Cell(match direction {
            Direction::East => self.0 + way,
            Direction::North => self.0 + way * ROW,
            Direction::West => self.0 - way,
            Direction::South => self.0 - way * ROW,
        })
    }

    /// The single jumps that make up a jump in a straight line: the cell under each and the one it lands
    /// on. For two cells that are not in line the answer is finite, and means nothing.
    #[inline]
    pub(super) fn hops_to(self, to: Cell) -> impl Iterator<Item = (Cell, Cell)> {
        let way = self.0.abs_diff(to.0);
        let step = if way < ROW { 1 } else { ROW };
        let back = to < self;
        let cell = move |steps| {
            Cell(if back {
                self.0 - steps * step
            } else {
                self.0 + steps * step
            })
        };
        (0..way / step / 2).map(move |hop| (cell(2 * hop + 1), cell(2 * hop + 2)))
    }

    /// Whether the two cells share a side.
    pub const fn is_beside(self, other: Cell) -> bool {
        self.col().abs_diff(other.col()) + self.row().abs_diff(other.row()) == 1
    }
}

/// `d4`
impl fmt::Display for Cell {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "{}{}",
            char::from(b'a' + self.col() as u8),
            self.row() + 1
        )
    }
}

/// `d4`, for the reports of tests.
impl fmt::Debug for Cell {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// A text that is not a cell of any board.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum ParseCellError {
    /// Not one letter followed by a number.
    #[error("a cell is a column letter and a row number, such as d4")]
    Malformed,
    /// A letter and a number, but no board is that large.
    #[error("the cells of the largest boards are a1 to x24")]
    TooFar,
}

/// One letter of either case and a row number.
impl FromStr for Cell {
    type Err = ParseCellError;

    fn from_str(text: &str) -> Result<Cell, ParseCellError> {
        let (&letter, digits) = text
            .as_bytes()
            .split_first()
            .ok_or(ParseCellError::Malformed)?;
        let is_number = !digits.is_empty() && digits.iter().all(u8::is_ascii_digit);
        if !letter.is_ascii_alphabetic() || !is_number {
            return Err(ParseCellError::Malformed);
        }
        let col = usize::from(letter.to_ascii_lowercase() - b'a');
        let number = text[1..].parse::<usize>().unwrap_or(usize::MAX);
        number
            .checked_sub(1)
            .and_then(|row| Cell::new(col, row))
            .ok_or(ParseCellError::TooFar)
    }
}

/// One of the four directions in which stones jump.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Direction {
    /// Towards the next column letter.
    East,
    /// Towards the next row number.
    North,
    /// Towards column `a`.
    West,
    /// Towards row 1.
    South,
}

impl Direction {
    /// All four, in the order of [`Direction::index`].
    pub const ALL: [Direction; 4] = [
        Direction::East,
        Direction::North,
        Direction::West,
        Direction::South,
    ];

    /// The direction of a jump in a straight line. For two cells that are not in line the answer means
    /// nothing.
    #[inline]
    pub(crate) fn of_jump(from: Cell, to: Cell) -> Direction {
        match (from.row() == to.row(), from < to) {
            (true, true) => Direction::East,
            (false, true) => Direction::North,
            (true, false) => Direction::West,
            (false, false) => Direction::South,
        }
    }

    /// Whether the direction is along a column for one along a row, or the other way round.
    #[inline]
    pub(crate) const fn is_across(self, other: Direction) -> bool {
        self.index() % 2 != other.index() % 2
    }

    /// An index into tables with one entry a direction.
    #[inline]
    pub const fn index(self) -> usize {
        self as usize
    }

    /// The way back.
    #[inline]
    #[must_use]
    pub const fn opposite(self) -> Direction {
        match self {
            Direction::East => Direction::West,
            Direction::North => Direction::South,
            Direction::West => Direction::East,
            Direction::South => Direction::North,
        }
    }
}
