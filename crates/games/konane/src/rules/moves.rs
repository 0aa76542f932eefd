use super::{Cell, ParseCellError, Shape};
use game::{Packed, ParseMoveError};
use std::fmt;
use std::str::FromStr;

/// A move. Whether it is legal, or even on the board, is for the position to say.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Move {
    /// A stone is taken off the board: the first move of each player. Written `d4`.
    Remove(Cell),
    /// A stone jumps in a straight line over one or more stones of the opponent. Written `d4-d6`.
    Jump {
        /// The cell that the stone leaves.
        from: Cell,
        /// The cell on which it comes to rest.
        to: Cell,
    },
}

/// The upper half of a packed removal: more than the number of any cell.
const REMOVAL: u32 = 0xffff;

impl Packed for Move {
    #[inline]
    fn pack(self) -> u32 {
        let (from, to) = match self {
            Move::Remove(cell) => (cell.number() as u32, REMOVAL),
            Move::Jump { from, to } => (from.number() as u32, to.number() as u32),
        };
        from | to << 16
    }

    #[inline]
    fn unpack(packed: u32) -> Move {
        let from = Cell::numbered(packed as u16);
        match packed >> 16 {
            REMOVAL => Move::Remove(from),
            to => Move::Jump {
                from,
                to: Cell::numbered(to as u16),
            },
        }
    }
}

impl Move {
    /// The cells whose stones a legal move captures, in the order of the jump. A removal captures none.
    #[inline]
    pub fn captured(self) -> impl Iterator<Item = Cell> {
        let (from, to) = match self {
            Move::Remove(cell) => (cell, cell),
            Move::Jump { from, to } => (from, to),
        };
        captured(from, to)
    }

    /// Reads a move on a board of the given shape.
    pub(super) fn parse(text: &str, shape: Shape) -> Result<Move, ParseMoveError> {
        let cell = |part: &str| match part.trim().parse::<Cell>() {
            Ok(cell) if shape.contains(cell) => Ok(cell),
            Err(ParseCellError::Malformed) => Err(ParseMoveError::new(
                text,
                "expected a cell such as d4, or a jump such as d4-d6",
            )),
            Ok(_) | Err(ParseCellError::TooFar) => Err(ParseMoveError::new(
                text,
                format!("the cells of a {shape} board are a1 to {}", shape.last()),
            )),
        };
        match text.split_once('-') {
            None => Ok(Move::Remove(cell(text)?)),
            Some((from, to)) => Ok(Move::Jump {
                from: cell(from)?,
                to: cell(to)?,
            }),
        }
    }
}

/// A move on the largest board, in letters of either case.
impl FromStr for Move {
    type Err = ParseMoveError;

    fn from_str(text: &str) -> Result<Move, ParseMoveError> {
        Move::parse(text, Shape::LARGEST)
    }
}

/// `d4` or `d4-d6`
impl fmt::Display for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Move::Remove(cell) => write!(f, "{cell}"),
            Move::Jump { from, to } => write!(f, "{from}-{to}"),
        }
    }
}

/// As it is written, for the reports of tests.
impl fmt::Debug for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// The cells that a jump in a straight line passes over, in order.
#[inline]
pub(crate) fn captured(from: Cell, to: Cell) -> impl Iterator<Item = Cell> {
    from.hops_to(to).map(|(over, _)| over)
}

/// Whether two cells are an even number of steps apart in a straight line.
pub(super) fn in_line(from: Cell, to: Cell) -> bool {
    let across = from.col().abs_diff(to.col());
    let up = from.row().abs_diff(to.row());
    from != to && (across == 0 || up == 0) && (across + up).is_multiple_of(2)
}
