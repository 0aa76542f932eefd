use super::{Cell, Shape};
use std::fmt;
use std::str::FromStr;
use thiserror::Error;

/// A pair of stones that is removed before the game begins, as people name it. It is raw: what it means,
/// and whether it means anything, depends on the board, and [`Setup::removed`] says.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Setup {
    /// `corner`: a1 and b1.
    Corner,
    /// `corner-vertical`: a1 and a2.
    CornerVertical,
    /// `centre`: the cell in column cols/2 and row rows/2, counted from 0, and its left neighbour.
    Centre,
    /// `centre-vertical`: the same cell and the one in the row before.
    CentreVertical,
    /// Two cells, such as `d4,e4`.
    Pair(Cell, Cell),
}

impl Setup {
    /// The two cells that are empty on a board of this shape: neighbours, hence of different colours.
    ///
    /// # Errors
    /// If the board lacks one of the cells, or they are not neighbours.
    pub fn removed(self, shape: Shape) -> Result<[Cell; 2], SetupError> {
        let (row, col) = (shape.rows() / 2, shape.cols() / 2);
        let (first, second) = match self {
            Setup::Corner => (Cell::new(0, 0), Cell::new(1, 0)),
            Setup::CornerVertical => (Cell::new(0, 0), Cell::new(0, 1)),
            Setup::Centre => (Cell::new(col, row), Cell::new(col.wrapping_sub(1), row)),
            Setup::CentreVertical => (Cell::new(col, row), Cell::new(col, row.wrapping_sub(1))),
            Setup::Pair(first, second) => (Some(first), Some(second)),
        };
        let on_board = |cell: Option<Cell>| {
            cell.filter(|&cell| shape.contains(cell))
                .ok_or(SetupError::DoesNotFit { setup: self, shape })
        };
        let (first, second) = (on_board(first)?, on_board(second)?);
        if !first.is_beside(second) {
            return Err(SetupError::NotNeighbours(first, second));
        }
        Ok([first, second])
    }
}

/// Why a setup is not the beginning of a game on some board.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum SetupError {
    /// The board has no such cell.
    #[error("the setup {setup} does not fit a {shape} board, whose cells are a1 to {}", shape.last())]
    DoesNotFit {
        /// What was asked for.
        setup: Setup,
        /// The board it was asked on.
        shape: Shape,
    },
    /// The two cells do not share a side.
    #[error(
        "{0} and {1} are not neighbours: the removed pair is a black stone and a white stone beside it"
    )]
    NotNeighbours(Cell, Cell),
}

/// A text that is not the name of a setup.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error(
    "a setup is corner, corner-vertical, centre, centre-vertical or two cells of a board such as d4,e4"
)]
pub struct ParseSetupError;

/// The name of a setup in letters of either case.
impl FromStr for Setup {
    type Err = ParseSetupError;

    fn from_str(text: &str) -> Result<Setup, ParseSetupError> {
        if let Some((first, second)) = text.split_once(',') {
            let cell = |part: &str| part.trim().parse().map_err(|_| ParseSetupError);
            return Ok(Setup::Pair(cell(first)?, cell(second)?));
        }
        match text.trim().to_ascii_lowercase().as_str() {
            "corner" => Ok(Setup::Corner),
            "corner-vertical" => Ok(Setup::CornerVertical),
            "centre" => Ok(Setup::Centre),
            "centre-vertical" => Ok(Setup::CentreVertical),
            _ => Err(ParseSetupError),
        }
    }
}

/// The name that is read back as the same setup.
impl fmt::Display for Setup {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Setup::Corner => f.pad("corner"),
            Setup::CornerVertical => f.pad("corner-vertical"),
            Setup::Centre => f.pad("centre"),
            Setup::CentreVertical => f.pad("centre-vertical"),
            Setup::Pair(first, second) => write!(f, "{first},{second}"),
        }
    }
}
