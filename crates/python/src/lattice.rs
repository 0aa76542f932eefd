//! The cells of a board as rows and columns of an array.

use papamu::Side;
use papamu::diagram::{PITCH, Point, Scene};

/// The cells of a board in an array, in the order of the picture: row 0 is on top. On a board of hexagons a column
/// runs down to the left or to the right, whichever takes fewer columns.
pub struct Lattice {
    pub rows: usize,
    pub cols: usize,
    pub cells: Vec<Cell>,
}

/// A cell of the board.
pub struct Cell {
    pub name: String,
    pub row: usize,
    pub col: usize,
    pub stone: Option<Side>,
    /// Whether the last move ended here.
    pub last: bool,
}

impl Lattice {
    /// The cells of a board as it is drawn.
    pub fn of<C: Copy + PartialEq>(scene: &Scene<C>) -> Lattice {
        let centres: Vec<Point> = scene.tiles.iter().map(|tile| tile.centre).collect();
        // What a row is further down, and how much further right, in columns, it may begin.
        let hexagons = scene.outline.len() == 6;
        let row = if hexagons {
            PITCH * 3f64.sqrt() / 2.0
        } else {
            PITCH
        };
        let slants: &[f64] = if hexagons { &[0.5, -0.5] } else { &[0.0] };
        let layouts = slants.iter().map(|slant| places(&centres, row, *slant));
        // Of those with as many columns, the first.
        let (rows, cols, places) = layouts.min_by_key(|&(_, cols, _)| cols).unwrap_or_default();
        let last = scene.last.map(|(_, end)| end);
        let cells = scene.tiles.iter().zip(places);
        let cells = cells.map(|(tile, (row, col))| Cell {
            name: tile.name.clone(),
            row,
            col,
            stone: tile.stone,
            last: last == Some(tile.cell),
        });
        Lattice {
            rows,
            cols,
            cells: cells.collect(),
        }
    }
}

/// The number of rows and columns, and those of each point.
type Places = (usize, usize, Vec<(usize, usize)>);

fn places(centres: &[Point], row: f64, slant: f64) -> Places {
    let least = |values: &mut dyn Iterator<Item = f64>| values.fold(f64::INFINITY, f64::min);
    let top = least(&mut centres.iter().map(|point| point.y));
    let places: Vec<(f64, f64)> = centres
        .iter()
        .map(|point| {
            let row = ((point.y - top) / row).round();
            (row, point.x / PITCH + slant * row)
        })
        .collect();
    let left = least(&mut places.iter().map(|&(_, col)| col));
    let places: Vec<(usize, usize)> = places
        .into_iter()
        .map(|(row, col)| (row as usize, (col - left).round() as usize))
        .collect();
    let rows = places.iter().map(|place| place.0 + 1).max();
    let cols = places.iter().map(|place| place.1 + 1).max();
    (rows.unwrap_or(0), cols.unwrap_or(0), places)
}
