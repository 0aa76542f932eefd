//! Havannah: rows of hexagons, row `a` on top, as in the text picture of `game::Picture`.

use crate::Options;
use crate::paint::paint;
use crate::plane::{Point, hull};
use crate::scene::{BESIDE, Material, PITCH, Scene, Tile, Tone, capitalised};
use game::{Game, Outcome};
use havannah::rules::geometry::{CORNERS, EDGES};
use havannah::rules::notation::write_cell;
use havannah::{Cell, Dialect, Geometry, Move, Position};

/// √3 / 2: the distance of two rows, where that of two cells in a row is 1.
const ROW: f64 = 0.866_025_403_784_438_6;

/// A position of Havannah as SVG.
///
/// The coordinates are those of the dialect: a number belongs to the line of cells that begins beside
/// it and runs down to the left. In the row dialect, the numbers of the lower half stand at the bottom,
/// and their lines run up to the left, as far as the longest row.
pub fn havannah(position: &Position, dialect: Dialect, options: &Options<Cell>) -> String {
    paint(&scene(position, dialect), options)
}

/// A position of Havannah as its painter needs it.
pub fn scene(position: &Position, dialect: Dialect) -> Scene<Cell> {
    let geometry = position.geometry();
    let tile = |&cell: &Cell| {
        let (x, y) = geometry.coordinates(cell);
        Tile {
            cell,
            name: write_cell(geometry, cell, dialect),
            centre: centre(x as f64, y as f64),
            stone: position.board().stone(cell),
            tone: tone(geometry, cell),
        }
    };
    let tiles: Vec<Tile<Cell>> = geometry.cells().iter().map(tile).collect();
    Scene {
        name: format!("Havannah, size {}", geometry.shape()),
        state: state(position),
        material: Material::Wood,
        slab: hull(tiles.iter().map(|tile| tile.centre).collect()),
        outline: outline(),
        tiles,
        coordinates: coordinates(geometry, dialect),
        last: last_stone(position).map(|cell| (cell, cell)),
    }
}

/// Labels that number the stones of a game in the order in which they were placed, counted from 1. A
/// swap counts as a move and places none.
pub fn move_numbers(moves: &[Move]) -> Vec<(Cell, String)> {
    let numbered = moves.iter().zip(1..);
    let label = |(mv, number): (&Move, u32)| match mv {
        Move::Place(cell) => Some((*cell, number.to_string())),
        Move::Swap => None,
    };
    numbered.filter_map(label).collect()
}

fn state(position: &Position) -> String {
    match (position.outcome(), position.structure()) {
        (Some(Outcome::Win(side)), Some(structure)) => {
            format!("{} has won with a {structure}.", capitalised(side))
        }
        (Some(Outcome::Win(side)), None) => format!("{} has won.", capitalised(side)),
        (Some(Outcome::Draw), _) => "The game is drawn.".to_owned(),
        (None, _) => format!("{} to move.", capitalised(position.to_move())),
    }
}

fn tone(geometry: &Geometry, cell: Cell) -> Tone {
    let rim = geometry.rim(cell);
    if rim & CORNERS != 0 {
        Tone::Corner
    } else if rim & EDGES != 0 {
        Tone::Edge
    } else {
        Tone::Plain
    }
}

/// The stone of the last move; after a swap, the only one there is.
fn last_stone(position: &Position) -> Option<Cell> {
    match position.last_move()? {
        Move::Place(cell) => Some(cell),
        Move::Swap => {
            let mut cells = position.geometry().cells().iter().copied();
            cells.find(|&cell| !position.board().is_empty(cell))
        }
    }
}

/// The centre of the cell (x, y), which may be beside the board.
fn centre(x: f64, y: f64) -> Point {
    Point {
        x: (x - y / 2.0) * PITCH,
        y: y * ROW * PITCH,
    }
}

/// A hexagon that stands on a corner and is one pitch wide.
fn outline() -> Vec<Point> {
    let (half, radius) = (PITCH / 2.0, PITCH / (2.0 * ROW));
    let corner = |(x, y)| Point {
        x: x * half,
        y: y * radius,
    };
    [
        (0.0, -1.0),
        (1.0, -0.5),
        (1.0, 0.5),
        (0.0, 1.0),
        (-1.0, 0.5),
        (-1.0, -0.5),
    ]
    .map(corner)
    .into()
}

/// The letters of the rows on the left, and the numbers at the ends of lines of cells.
fn coordinates(geometry: &Geometry, dialect: Dialect) -> Vec<(Point, String)> {
    let shape = geometry.shape();
    let [a, b, c] = shape.sides();
    let mut written = Vec::new();
    // Writes the letter or the number of a cell one step away from it.
    let mut write = |(x, y): (usize, usize), (dx, dy): (f64, f64), letter: bool| {
        let Some(cell) = geometry.cell_at(x, y) else {
            return;
        };
        let name = write_cell(geometry, cell, dialect);
        let digits = name.trim_start_matches(char::is_alphabetic);
        let letters = &name[..name.len() - digits.len()];
        let text = if letter { letters } else { digits };
        let place = centre(x as f64 + dx * BESIDE, y as f64 + dy * BESIDE);
        written.push((place, text.to_owned()));
    };
    for y in 0..shape.rows() {
        write((shape.columns(y).start, y), (-1.0, 0.0), true);
    }
    // Lines of cells with the same x, which begin in row 0 or on the right edge. In the row dialect
    // they keep their number down to row c − 1, the last one that begins with x = 0.
    for x in 0..a + b - 1 {
        let top = (x + 1).saturating_sub(a);
        if dialect == Dialect::Grid || top < c {
            write((x, top), (0.0, -1.0), false);
        }
    }
    if dialect == Dialect::Row {
        // The n-th cells of the rows below, which are diagonally under each other: the last of them.
        for n in 0.. {
            let has_it = |&y: &usize| n < shape.columns(y).len();
            let Some(y) = (c..shape.rows()).rev().find(has_it) else {
                break;
            };
            write((shape.columns(y).start + n, y), (1.0, 1.0), false);
        }
    }
    written
}
