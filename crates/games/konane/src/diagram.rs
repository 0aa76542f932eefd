//! Kōnane: a rectangle of pits, `a1` at the bottom left, as in the text picture of `game::Picture`.

use crate::{Board, Cell, Move, Position, Shape, Stage};
use diagram::{BESIDE, Drawn, Material, PITCH, Point, Scene, Tile, Tone, capitalised, hull};
use game::{Game, Outcome};

/// A papamū, the slab of stone with a pit for each pebble.
impl Drawn for Position {
    type Cell = Cell;

    fn scene(&self, (): ()) -> Scene<Cell> {
        scene(self)
    }
}

fn scene(position: &Position) -> Scene<Cell> {
    let shape = position.shape();
    let tile = |cell: Cell| Tile {
        cell,
        name: cell.to_string(),
        centre: centre(cell.col() as f64, cell.row() as f64),
        stone: position.board().stone(cell),
        tone: Tone::Plain,
    };
    let tiles: Vec<Tile<Cell>> = shape.cells().map(tile).collect();
    Scene {
        name: format!("Kōnane, {shape}"),
        state: state(position),
        material: Material::Lava,
        slab: hull(tiles.iter().map(|tile| tile.centre).collect()),
        outline: outline(),
        tiles,
        sides: Vec::new(),
        coordinates: coordinates(shape),
        last: position.last_move().map(|mv| match mv {
            Move::Remove(cell) => (cell, cell),
            Move::Jump { from, to } => (from, to),
        }),
    }
}

fn state(position: &Position) -> String {
    let side = capitalised(position.to_move());
    match (position.outcome(), position.stage()) {
        (Some(Outcome::Win(winner)), _) => {
            format!("{side} cannot move: {} has won.", capitalised(winner))
        }
        (Some(Outcome::Draw), _) => "The game is drawn.".to_owned(),
        (None, Stage::Jumping) => format!("{side} to jump."),
        (None, _) => format!("{side} to remove a stone."),
    }
}

/// The centre of the cell in a column and a row, which may be beside the board.
fn centre(col: f64, row: f64) -> Point {
    Point {
        x: col * PITCH,
        y: -row * PITCH,
    }
}

fn outline() -> Vec<Point> {
    let corner = |(x, y)| Point {
        x: x * PITCH / 2.0,
        y: y * PITCH / 2.0,
    };
    [(-1.0, -1.0), (1.0, -1.0), (1.0, 1.0), (-1.0, 1.0)]
        .map(corner)
        .into()
}

/// The numbers of the rows on the left, the letters of the columns below.
fn coordinates(shape: Shape) -> Vec<(Point, String)> {
    let numbers = (0..shape.rows()).map(|row| {
        let beside = centre(-BESIDE, row as f64);
        (beside, (row + 1).to_string())
    });
    let letters = ('a'..).zip(0..shape.cols()).map(|(letter, col)| {
        let below = centre(col as f64, -BESIDE);
        (below, letter.to_string())
    });
    numbers.chain(letters).collect()
}
