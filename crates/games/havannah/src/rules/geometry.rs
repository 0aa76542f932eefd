//! The shape of a board, and what can be computed from it once and for all.
//!
//! A board is a hexagon of cells with three side lengths `a`, `b`, `c`, in order round half the board;
//! opposite sides are equal. A board of size n has all three equal to n. Cells have coordinates: the
//! row `y`, written as a letter, and `x`, written as a number, both from 0. Seen with the row of `a1` on
//! top, side `a` is that row, `b` goes down on the right from its end, and `c` goes on from there:
//!
//! ```text
//!      a1  a2  a3            a = 3: a1 … a3
//!    b1  b2  b3  b4          b = 3: a3, b4, c5
//!  c1  c2  c3  c4  c5        c = 3: c5, d5, e5
//!    d2  d3  d4  d5
//!      e3  e4  e5
//! ```

use super::rings::Runs;
use super::symmetry::Symmetries;
use std::collections::HashMap;
use std::fmt;
use std::str::FromStr;
use std::sync::{LazyLock, Mutex, PoisonError};
use thiserror::Error;

/// The side lengths of a board, each from [`Shape::MIN_SIDE`] to [`Shape::MAX_SIDE`], in order round
/// half the board.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Shape {
    sides: [u8; 3],
}

/// Side lengths that are no board.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error(
    "{0:?} is not a board size: expected one side such as 8, or three such as 4x4x5, each from {min} to {max}",
    min = Shape::MIN_SIDE,
    max = Shape::MAX_SIDE
)]
pub struct ShapeError(String);

impl Shape {
    /// The shortest side.
    pub const MIN_SIDE: u32 = 2;
    /// The longest side.
    pub const MAX_SIDE: u32 = 20;

    /// The regular board of a size.
    ///
    /// # Errors
    /// If the size is out of range.
    pub fn regular(size: u32) -> Result<Shape, ShapeError> {
        Shape::new(size, size, size)
    }

    /// A board with three side lengths, in order round half the board.
    ///
    /// # Errors
    /// If a side is out of range.
    pub fn new(a: u32, b: u32, c: u32) -> Result<Shape, ShapeError> {
        let range = Shape::MIN_SIDE..=Shape::MAX_SIDE;
        if [a, b, c].iter().all(|side| range.contains(side)) {
            Ok(Shape {
                sides: [a as u8, b as u8, c as u8],
            })
        } else {
            Err(ShapeError(format!("{a}x{b}x{c}")))
        }
    }

    /// The three side lengths.
    pub fn sides(self) -> [usize; 3] {
        self.sides.map(usize::from)
    }

    /// The size of a regular board; the longest side of another.
    pub fn size(self) -> usize {
        self.sides().into_iter().max().unwrap_or_default()
    }

    /// Whether the three sides are equal.
    pub fn is_regular(self) -> bool {
        self.sides[0] == self.sides[1] && self.sides[1] == self.sides[2]
    }

    /// The number of cells: 3n(n − 1) + 1 on a board of size n.
    pub fn cells(self) -> usize {
        let [a, b, c] = self.sides();
        a * b + b * c + c * a - a - b - c + 1
    }

    /// The number of rows.
    pub fn rows(self) -> usize {
        let [_, b, c] = self.sides();
        b + c - 1
    }

    /// The range of `x` in row `y`.
    pub fn columns(self, y: usize) -> std::ops::Range<usize> {
        let [a, b, c] = self.sides();
        (y + 1).saturating_sub(c)..(a + y).min(a + b - 1)
    }

    /// Whether there is a cell at these coordinates.
    pub fn contains(self, x: usize, y: usize) -> bool {
        y < self.rows() && self.columns(y).contains(&x)
    }
}

/// `8`, or `4x4x5` where the sides differ.
impl fmt::Display for Shape {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [a, b, c] = self.sides;
        if self.is_regular() {
            write!(f, "{a}")
        } else {
            write!(f, "{a}x{b}x{c}")
        }
    }
}

impl FromStr for Shape {
    type Err = ShapeError;

    fn from_str(text: &str) -> Result<Shape, ShapeError> {
        let error = || ShapeError(text.chars().take(40).collect());
        let sides: Vec<u32> = text
            .split(['x', 'X', '×'])
            .map(|side| side.trim().parse().map_err(|_| error()))
            .collect::<Result<_, _>>()?;
        match sides[..] {
            [size] => Shape::regular(size).map_err(|_| error()),
            [a, b, c] => Shape::new(a, b, c).map_err(|_| error()),
            _ => Err(error()),
        }
    }
}

/// A place in a board's grid, which is the board with a margin of one cell around it: an index into
/// tables of [`Geometry::grid`] entries. Only [`Geometry`] makes cells, so a cell is on its board.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Cell(pub(super) u16);

impl Cell {
    /// The index into tables of [`Geometry::grid`] entries.
    #[inline]
    pub const fn index(self) -> usize {
        self.0 as usize
    }
}

/// The six directions, clockwise, as steps in (x, y): neighbours in this list are neighbours on the
/// board.
pub const DIRECTIONS: [(isize, isize); 6] = [(-1, -1), (0, -1), (1, 0), (1, 1), (0, 1), (-1, 0)];

/// The edges and corners that a cell or a group touches: bits 0 to 5 for the corners, 6 to 11 for the
/// edges, both clockwise from `a1`. A corner belongs to no edge.
pub type Rim = u16;

/// The bits of [`Rim`] that stand for corners.
pub const CORNERS: Rim = 0b11_1111;
/// The bits of [`Rim`] that stand for edges.
pub const EDGES: Rim = CORNERS << 6;

/// What follows from the shape of a board: made once for each shape and shared by all its positions.
pub struct Geometry {
    shape: Shape,
    stride: usize,
    steps: [isize; 6],
    runs: [Runs; 64],
    cells: Box<[Cell]>,
    /// By grid index: the coordinates, or `None` in the margin.
    coordinates: Box<[Option<(u8, u8)>]>,
    /// By grid index: the edge or corner that the cell lies on.
    rim: Box<[Rim]>,
    /// The six corners, in the order of their bits in [`Rim`].
    corners: [Cell; 6],
    symmetries: Symmetries,
}

impl Geometry {
    /// The geometry of a shape. It lives as long as the program: there are few shapes.
    pub fn of(shape: Shape) -> &'static Geometry {
        static KNOWN: LazyLock<Mutex<HashMap<Shape, &'static Geometry>>> =
            LazyLock::new(Mutex::default);
        let mut known = KNOWN.lock().unwrap_or_else(PoisonError::into_inner);
        known
            .entry(shape)
            .or_insert_with(|| Box::leak(Box::new(Geometry::new(shape))))
    }

    fn new(shape: Shape) -> Geometry {
        let [a, b, c] = shape.sides();
        let rows = shape.rows();
        // One column of margin serves as the right margin of a row and the left one of the next.
        let stride = a + b;
        let grid = stride * (rows + 2) + 1;
        let at = |x: usize, y: usize| Cell(((y + 1) * stride + x + 1) as u16);

        let corner_at = [
            (0, 0),
            (a - 1, 0),
            (a + b - 2, b - 1),
            (a + b - 2, b + c - 2),
            (b - 1, b + c - 2),
            (0, c - 1),
        ];
        let mut cells = Vec::with_capacity(shape.cells());
        let mut coordinates = vec![None; grid];
        let mut rim = vec![0; grid];
        for y in 0..rows {
            for x in shape.columns(y) {
                let cell = at(x, y);
                cells.push(cell);
                coordinates[cell.index()] = Some((x as u8, y as u8));
                let edges = [
                    y == 0,
                    x + 1 == a + y,
                    x == a + b - 2,
                    y == b + c - 2,
                    y + 1 == c + x,
                    x == 0,
                ];
                let corner = corner_at.iter().position(|&corner| corner == (x, y));
                let edge = edges.iter().position(|&on_edge| on_edge);
                rim[cell.index()] = match (corner, edge) {
                    (Some(corner), _) => 1 << corner,
                    (None, Some(edge)) => 1 << (6 + edge),
                    (None, None) => 0,
                };
            }
        }
        let mut steps = [0; 6];
        for (step, (dx, dy)) in steps.iter_mut().zip(DIRECTIONS) {
            *step = dx + dy * stride as isize;
        }
        Geometry {
            shape,
            stride,
            steps,
            runs: Runs::of_patterns(&steps),
            cells: cells.into(),
            coordinates: coordinates.into(),
            rim: rim.into(),
            corners: corner_at.map(|(x, y)| at(x, y)),
            symmetries: Symmetries::new(shape, grid, at),
        }
    }

    /// The shape.
    pub fn shape(&self) -> Shape {
        self.shape
    }

    /// The number of entries that a table indexed by [`Cell::index`] needs.
    #[inline]
    pub fn grid(&self) -> usize {
        self.rim.len()
    }

    /// The distance in the grid between a cell and the one below it with the same `x`.
    #[inline]
    pub(super) fn stride(&self) -> usize {
        self.stride
    }

    /// Every cell, row by row.
    #[inline]
    pub fn cells(&self) -> &[Cell] {
        &self.cells
    }

    /// The cell with a grid index, if there is one.
    #[inline]
    pub fn cell(&self, index: usize) -> Option<Cell> {
        self.coordinates.get(index)?.map(|_| Cell(index as u16))
    }

    /// Whether a cell is one of this board.
    #[inline]
    pub fn contains(&self, cell: Cell) -> bool {
        self.cell(cell.index()).is_some()
    }

    /// The cell at coordinates, if there is one.
    pub fn cell_at(&self, x: usize, y: usize) -> Option<Cell> {
        let inside = self.shape.contains(x, y);
        inside.then(|| Cell(((y + 1) * self.stride + x + 1) as u16))
    }

    /// The coordinates (x, y) of a cell.
    ///
    /// # Panics
    /// If the cell is of another board and not on this one.
    pub fn coordinates(&self, cell: Cell) -> (usize, usize) {
        let (x, y) = self.coordinates[cell.index()].expect("a cell of this board");
        (x.into(), y.into())
    }

    /// The neighbour of a cell in a direction from 0 to 5, if there is one.
    pub fn neighbour(&self, cell: Cell, direction: usize) -> Option<Cell> {
        self.cell(self.step(cell.index(), direction))
    }

    /// The neighbours of a cell.
    pub fn neighbours(&self, cell: Cell) -> impl Iterator<Item = Cell> + '_ {
        (0..6).filter_map(move |direction| self.neighbour(cell, direction))
    }

    /// The grid index one step from that of a cell, which may lie in the margin.
    #[inline]
    pub(crate) fn step(&self, index: usize, direction: usize) -> usize {
        index.wrapping_add_signed(self.steps[direction])
    }

    /// By pattern of own neighbours: the runs that these form.
    #[inline]
    pub(super) fn runs(&self) -> &[Runs; 64] {
        &self.runs
    }

    /// The corner or edge that a cell lies on: one bit, or none.
    #[inline]
    pub fn rim(&self, cell: Cell) -> Rim {
        self.rim[cell.index()]
    }

    /// By grid index: what [`rim`](Geometry::rim) gives, 0 in the margin.
    #[inline]
    pub(super) fn rim_table(&self) -> &[Rim] {
        &self.rim
    }

    /// The six corners, clockwise from `a1`.
    pub fn corners(&self) -> [Cell; 6] {
        self.corners
    }

    /// The symmetries of the board, and the keys of its hashes.
    #[inline]
    pub(super) fn symmetries(&self) -> &Symmetries {
        &self.symmetries
    }

    /// The number of steps between two cells.
    pub fn distance(&self, from: Cell, to: Cell) -> usize {
        let (x0, y0) = self.coordinates(from);
        let (x1, y1) = self.coordinates(to);
        let (dx, dy) = (x1 as isize - x0 as isize, y1 as isize - y0 as isize);
        dx.abs().max(dy.abs()).max((dx - dy).abs()) as usize
    }
}

/// Only the shape, from which all else follows.
impl fmt::Debug for Geometry {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Geometry({})", self.shape)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shape(text: &str) -> Shape {
        text.parse().expect("a shape")
    }

    #[test]
    fn the_number_of_cells_is_that_of_the_formula() {
        for size in 2..=20 {
            let regular = Shape::regular(size).expect("a size");
            assert_eq!(regular.cells(), (3 * size * (size - 1) + 1) as usize);
            assert_eq!(Geometry::of(regular).cells().len(), regular.cells());
        }
        assert_eq!(shape("3x4x4").cells(), 30);
        assert_eq!(shape("4x4x5").cells(), 44);
        assert_eq!(Geometry::of(shape("4x4x5")).cells().len(), 44);
        assert_eq!(
            Geometry::of(shape("2x5x7")).cells().len(),
            shape("2x5x7").cells()
        );
    }

    #[test]
    fn shapes_are_read_and_written() {
        assert_eq!(shape("8").to_string(), "8");
        assert_eq!(shape("4x4x5").to_string(), "4x4x5");
        assert_eq!(shape(" 4 x 4 x 4 ").to_string(), "4");
        for bad in [
            "", "1", "21", "4x4", "4x4x4x4", "4x4x99", "-3", "four", "4x4x",
        ] {
            assert!(bad.parse::<Shape>().is_err(), "{bad}");
        }
    }

    #[test]
    fn every_edge_has_its_side_length_without_the_corners() {
        for text in ["2", "3", "5", "4x4x5", "3x4x4", "2x3x7", "10"] {
            let geometry = Geometry::of(shape(text));
            let sides = geometry.shape().sides();
            for corner in 0..6 {
                let with = |bit: Rim| {
                    let cells = geometry.cells().iter();
                    cells.filter(|&&cell| geometry.rim(cell) == bit).count()
                };
                assert_eq!(with(1 << corner), 1, "corner {corner} of {text}");
                assert_eq!(
                    with(1 << (6 + corner)),
                    sides[corner % 3] - 2,
                    "edge of {text}"
                );
                assert_eq!(geometry.rim(geometry.corners()[corner]), 1 << corner);
            }
        }
    }

    #[test]
    fn neighbours_are_the_cells_at_distance_one() {
        for text in ["2", "4", "3x4x4", "2x5x3"] {
            let geometry = Geometry::of(shape(text));
            for &cell in geometry.cells() {
                let mut near: Vec<Cell> = geometry.neighbours(cell).collect();
                near.sort_unstable();
                let at_one = |&&other: &&Cell| geometry.distance(cell, other) == 1;
                let expected: Vec<Cell> = geometry.cells().iter().filter(at_one).copied().collect();
                assert_eq!(near, expected);
            }
        }
    }

    #[test]
    fn corners_are_as_far_apart_as_the_sides_say() {
        let geometry = Geometry::of(shape("4x5x6"));
        let corners = geometry.corners();
        assert_eq!(geometry.distance(corners[0], corners[3]), 5 + 6 - 2);
        assert_eq!(geometry.distance(corners[0], corners[1]), 3);
        assert_eq!(geometry.distance(corners[1], corners[2]), 4);
        assert_eq!(geometry.distance(corners[2], corners[3]), 5);
    }
}
