use crate::field::BoardGeometry;
use crate::{Board, PositionOn, Shape};
use game::Side;
use thiserror::Error;

/// A part of a board on which play is independent of the rest: some cells, walls round them, and the
/// stones on them.
#[derive(Clone, Copy, Debug)]
pub struct Region {
    shape: Shape,
    field: BoardGeometry,
    cells: u64,
    stones: u64,
}

/// A region by its form alone: regions that are moved or turned have the same key, and so have, with the
/// sides exchanged, those whose colours are exchanged.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct RegionKey {
    /// The rows of the smallest rectangle that holds the region.
    pub rows: u8,
    /// The columns.
    pub cols: u8,
    /// The cells of the region, row by row from the corner; the corner's colour is black.
    pub cells: u64,
    /// Those with a stone.
    pub stones: u64,
}

impl RegionKey {
    /// The region itself: `None` if there is none with this key.
    pub fn region(self) -> Option<Region> {
        let shape = Shape::new(self.rows.into(), self.cols.into()).ok()?;
        let field = BoardGeometry::new(shape)?;
        let known = self.cells & !field.empty(0) == 0 && self.stones & !self.cells == 0;
        known.then(|| Region {
            shape,
            field: field.within(self.cells),
            cells: self.cells,
            stones: self.stones,
        })
    }
}

impl Region {
    /// The most cells of a board or a diagram that falls into regions.
    pub const MOST_CELLS: usize = 64;

    /// The regions into which a position falls, whoever is to move. Stones outside them never move and are
    /// never captured. `None` if the board has more than 64 cells.
    pub fn of<B: Board>(position: &PositionOn<B>) -> Option<Vec<Region>> {
        let shape = position.shape();
        let field = BoardGeometry::new(shape)?;
        let whole = Region {
            shape,
            field,
            cells: field.empty(0),
            stones: crate::field::stones(position.board()),
        };
        Some(whole.parts())
    }

    /// The region of some cells of a board, with stones on some of them and walls everywhere else.
    pub(crate) fn of_cells(shape: Shape, field: BoardGeometry, cells: u64, stones: u64) -> Region {
        Region {
            shape,
            field: field.within(cells),
            cells,
            stones,
        }
    }

    /// The independent parts, as [`Region::of`].
    pub fn parts(&self) -> Vec<Region> {
        let parts = self.field.parts(self.stones).into_iter();
        let part = |cells| Region {
            field: self.field.within(cells),
            cells,
            stones: self.stones & cells,
            ..*self
        };
        parts.map(part).collect()
    }

    /// How many cells it has.
    pub fn area(&self) -> u32 {
        self.cells.count_ones()
    }

    /// The same region after each move of a side.
    pub fn after_moves(&self, side: Side) -> Vec<Region> {
        let mut after = Vec::new();
        self.field.for_each_child(self.stones, side, |stones| {
            after.push(Region { stones, ..*self });
        });
        after
    }

    /// The cells of the region, by name, in order.
    pub fn cell_names(&self) -> Vec<String> {
        let inside = |cell: &crate::Cell| self.cells >> self.shape.index(*cell) & 1 == 1;
        let cells = self.shape.cells().filter(inside);
        cells.map(|cell| cell.to_string()).collect()
    }

    /// The key, and whether the sides are exchanged in it.
    pub fn key(&self) -> (RegionKey, bool) {
        let cells = self
            .shape
            .cells()
            .filter(|&cell| self.has(self.cells, cell));
        let places: Vec<(usize, usize, bool)> = cells
            .map(|cell| (cell.row(), cell.col(), self.has(self.stones, cell)))
            .collect();
        let images = (0..8).map(|symmetry| {
            let image: Vec<(usize, usize, bool)> = places
                .iter()
                .map(|&(row, col, stone)| {
                    let (row, col) = if symmetry & 4 == 0 {
                        (row, col)
                    } else {
                        (col, row)
                    };
                    let row = if symmetry & 1 == 0 {
                        row
                    } else {
                        Shape::MAX_SIDE - row
                    };
                    let col = if symmetry & 2 == 0 {
                        col
                    } else {
                        Shape::MAX_SIDE - col
                    };
                    (row, col, stone)
                })
                .collect();
            let first = |part: fn(&(usize, usize, bool)) -> usize| {
                let least = image.iter().map(part).min().unwrap_or(0);
                let most = image.iter().map(part).max().unwrap_or(0);
                (least, most - least + 1)
            };
            let (top, rows) = first(|place| place.0);
            let (edge, cols) = first(|place| place.1);
            let bits = |chosen: &dyn Fn(bool) -> bool| {
                let chosen = image.iter().filter(|place| chosen(place.2));
                chosen.fold(0, |bits, place| {
                    bits | 1_u64 << ((place.0 - top) * cols + place.1 - edge)
                })
            };
            let key = RegionKey {
                rows: rows as u8,
                cols: cols as u8,
                cells: bits(&|_| true),
                stones: bits(&|stone| stone),
            };
            // The mirrors are at an even width and so keep the colours: where the corner of the rectangle
            // has the colour of a1, it is black.
            (key, (top + edge) % 2 == 1)
        });
        images.min().unwrap_or((
            RegionKey {
                rows: 1,
                cols: 1,
                cells: 0,
                stones: 0,
            },
            false,
        ))
    }

    fn has(&self, set: u64, cell: crate::Cell) -> bool {
        set >> self.shape.index(cell) & 1 == 1
    }
}

/// Why a diagram is no region.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum DiagramError {
    /// A character without a meaning.
    #[error(
        "{0:?} has no meaning in a diagram: x is black, o is white, . is empty and # is a wall"
    )]
    Character(char),
    /// Rows of different lengths, or none.
    #[error("the rows of a diagram have the same length, at least 1")]
    Ragged,
    /// More cells than fit.
    #[error("a diagram has at most 64 cells, and at most 24 rows and columns")]
    TooLarge,
    /// Stones on cells of the wrong colour.
    #[error(
        "row {row}, column {col}: black and white stones stand on cells of different colours, as on a chequered board"
    )]
    Colours {
        /// The row of the first stone that is on the wrong colour, from the top, from 1.
        row: usize,
        /// Its column, from 1.
        col: usize,
    },
}

/// A diagram: rows from the top, with `/` between them; `x` is a black stone, `o` a white one, `.` an empty
/// cell and `#` a wall, on which nothing ever lands.
impl std::str::FromStr for Region {
    type Err = DiagramError;

    fn from_str(text: &str) -> Result<Region, DiagramError> {
        let rows: Vec<Vec<char>> = text
            .trim()
            .split('/')
            .map(|row| row.chars().collect())
            .collect();
        let cols = rows[0].len();
        if cols == 0 || rows.iter().any(|row| row.len() != cols) {
            return Err(DiagramError::Ragged);
        }
        // Whether black stones stand where a board has white ones: then a wall is put before each row.
        let mut shift = None;
        for (row, line) in rows.iter().enumerate() {
            for (col, &letter) in line.iter().enumerate() {
                let is_white = match letter.to_ascii_lowercase() {
                    'x' => false,
                    'o' => true,
                    '.' | '#' => continue,
                    _ => return Err(DiagramError::Character(letter)),
                };
                let moved = ((row + col) % 2 == 1) != is_white;
                if *shift.get_or_insert(moved) != moved {
                    let (row, col) = (row + 1, col + 1);
                    return Err(DiagramError::Colours { row, col });
                }
            }
        }
        let shift = usize::from(shift.unwrap_or(false));
        let shape = Shape::new(rows.len(), cols + shift).map_err(|_| DiagramError::TooLarge)?;
        let field = BoardGeometry::new(shape).ok_or(DiagramError::TooLarge)?;
        let set = |members: &str| {
            let mut set = 0;
            for (row, line) in rows.iter().enumerate() {
                for (col, letter) in line.iter().enumerate() {
                    let number = row * shape.cols() + col + shift;
                    set |= u64::from(members.contains(letter.to_ascii_lowercase())) << number;
                }
            }
            set
        };
        let cells = set("xo.");
        Ok(Region {
            shape,
            field: field.within(cells),
            cells,
            stones: set("xo"),
        })
    }
}

/// The diagram.
impl std::fmt::Display for Region {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        for row in 0..self.shape.rows() {
            if row > 0 {
                f.write_str("/")?;
            }
            for cell in self.shape.cells().filter(|cell| cell.row() == row) {
                f.write_str(match (self.has(self.stones, cell), cell.colour()) {
                    (true, Side::Black) => "x",
                    (true, Side::White) => "o",
                    (false, _) if self.has(self.cells, cell) => ".",
                    (false, _) => "#",
                })?;
            }
        }
        Ok(())
    }
}
