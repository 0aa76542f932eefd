//! A board with its stones as a picture needs them, whatever the game.

use crate::plane::Point;
use game::Side;

/// The distance between the centres of neighbouring cells, in the units of the picture, which are
/// pixels where nobody scales it.
pub const PITCH: f64 = 40.0;

/// How far a coordinate is from the cell it stands beside, in pitches.
pub const BESIDE: f64 = 0.85;

/// How far a board reaches beyond the centres of its outermost cells, in pitches.
pub const BORDER: f64 = 1.15;

/// A board with its stones.
pub struct Scene<C> {
    /// The game and the size of the board, in words.
    pub name: String,
    /// Whose turn it is, or how the game has ended, as a sentence.
    pub state: String,
    /// What the board is made of.
    pub material: Material,
    /// The corners of what the cells lie in: the centres of the outermost cells. The board reaches
    /// [`BORDER`] farther on all sides, and is round there.
    pub slab: Vec<Point>,
    /// The corners of a cell, relative to its centre.
    pub outline: Vec<Point>,
    /// The cells.
    pub tiles: Vec<Tile<C>>,
    /// Parts of the border that belong to one side, in games in which that matters.
    pub sides: Vec<(Side, Vec<Point>)>,
    /// What is written round the board, and where its middle is.
    pub coordinates: Vec<(Point, String)>,
    /// Where the last move began and ended: the same cell unless it is a jump.
    pub last: Option<(C, C)>,
}

/// A cell.
pub struct Tile<C> {
    /// Which one.
    pub cell: C,
    /// Its name in the notation of the game.
    pub name: String,
    /// Where its middle is.
    pub centre: Point,
    /// The stone on it.
    pub stone: Option<Side>,
    /// Where on the board it is, for players who count edges and corners.
    pub tone: Tone,
}

/// What a board is made of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Material {
    /// Tiles of wood in a wooden frame.
    Wood,
    /// A slab of lava with pits.
    Lava,
}

/// The shade of a cell.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Tone {
    /// As most cells are.
    Plain,
    /// A cell of one of Havannah's edges.
    Edge,
    /// A corner of Havannah's board.
    Corner,
}

impl<C: PartialEq> Scene<C> {
    /// The tile of a cell, if it is on the board.
    pub fn tile(&self, cell: &C) -> Option<&Tile<C>> {
        self.tiles.iter().find(|tile| tile.cell == *cell)
    }

    /// The names of those tiles that have a property, such as `a1, b2`; `none` where there are none.
    pub fn names(&self, property: impl Fn(&Tile<C>) -> bool) -> String {
        let tiles = self.tiles.iter().filter(|tile| property(tile));
        let names: Vec<&str> = tiles.map(|tile| tile.name.as_str()).collect();
        if names.is_empty() {
            return "none".to_owned();
        }
        names.join(", ")
    }
}

/// The name of a side, as the beginning of a sentence.
pub fn capitalised(side: Side) -> &'static str {
    match side {
        Side::White => "White",
        Side::Black => "Black",
    }
}
