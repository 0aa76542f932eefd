use super::{Cell, Direction, Shape};
use game::Side;

/// The numbers of the cells of a board that has a frame around it, so that a step in any direction is an
/// addition, and what is found there says where the board ends.
///
/// The rows follow each other with one place of the frame between them, which closes the one to the east
/// and the other to the west; a row of the frame lies before the first and after the last.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Frame {
    shape: Shape,
}

/// What a place of the frame or the board holds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Content {
    /// The place belongs to the frame.
    #[default]
    Frame,
    /// An empty cell.
    Empty,
    /// A cell with a stone of this side.
    Stone(Side),
}

impl Content {
    /// The side of the stone, if there is one.
    #[inline]
    pub fn stone(self) -> Option<Side> {
        match self {
            Content::Stone(side) => Some(side),
            Content::Frame | Content::Empty => None,
        }
    }
}

impl Frame {
    /// The number of places of the largest board and its frame.
    pub const MAX_PLACES: usize = (Shape::MAX_SIDE + 2) * (Shape::MAX_SIDE + 1);

    pub fn around(shape: Shape) -> Frame {
        Frame { shape }
    }

    #[inline]
    pub fn shape(self) -> Shape {
        self.shape
    }

    /// The number of places, the frame included.
    pub fn places(self) -> usize {
        (self.shape.rows() + 2) * self.row()
    }

    /// How far apart two places are of which one is north of the other.
    #[inline]
    fn row(self) -> usize {
        self.shape.cols() + 1
    }

    /// The place of a cell of the board.
    #[inline]
    pub fn place(self, cell: Cell) -> usize {
        (cell.row() + 1) * self.row() + cell.col()
    }

    /// The cell at a place that is not on the frame.
    #[inline]
    pub fn cell(self, place: usize) -> Cell {
        let (place, row) = (place as u16, self.row() as u16);
        Cell::at((place % row) as usize, (place / row - 1) as usize)
    }

    /// What a step in a direction adds to a place, for [`usize::wrapping_add_signed`].
    #[inline]
    pub fn step(self, direction: Direction) -> isize {
        match direction {
            Direction::East => 1,
            Direction::North => self.row() as isize,
            Direction::West => -1,
            Direction::South => -(self.row() as isize),
        }
    }
}
