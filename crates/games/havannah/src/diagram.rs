//! Havannah: rows of hexagons, row `a` on top, as in the text picture of `game::Picture`.

use crate::rules::geometry::{CORNERS, EDGES, Rim};
use crate::rules::notation::write_cell;
use crate::rules::rings::{RingSearch, WantedRing};
use crate::{Cell, Dialect, Geometry, Move, Position, Structure};
use diagram::{
    BESIDE, Drawn, Material, Point, Scene, Tile, Tone, capitalised, hexagon, hexagon_centre, hull,
};
use game::{Game, Outcome};
use std::collections::{HashMap, HashSet, VecDeque};

/// The coordinates are those of the dialect: a number belongs to the line of cells that begins beside
/// it and runs down to the left. In the row dialect, the numbers of the lower half stand at the bottom,
/// and their lines run up to the left, as far as the longest row.
impl Drawn for Position {
    type Cell = Cell;

    fn scene(&self, dialect: Dialect) -> Scene<Cell> {
        scene(self, dialect)
    }

    fn winning_cells(&self) -> Vec<Cell> {
        winning_stones(self)
    }
}

fn scene(position: &Position, dialect: Dialect) -> Scene<Cell> {
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
        outline: hexagon(),
        tiles,
        sides: Vec::new(),
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
    hexagon_centre(x, y, 0.5)
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

/// The steps from stone to stone in which a ring is looked for: some milliseconds.
const MOST_STEPS: u64 = 1_000_000;

/// The stones of the structure that the last move completed, without any that it would stand without:
/// of a ring the closed chain, or the whole group in the rare case that it has so many chains that the ring is not found
/// among them in reasonable time; of a fork or a bridge as few stones of the group as join three edges or
/// two corners. None while the game goes on or if it is drawn.
pub(crate) fn winning_stones(position: &Position) -> Vec<Cell> {
    let board = position.board();
    let (Some(structure), Some(Move::Place(last))) = (position.structure(), position.last_move())
    else {
        return Vec::new();
    };
    let geometry = position.geometry();
    let cells = geometry.cells().iter().copied();
    let group = cells.filter(|&cell| board.same_group(cell, last));
    let (ends, wanted) = match structure {
        Structure::Ring => {
            let mut search = RingSearch::default();
            let ring = search.find(board, last, WantedRing::ANY, &mut { MOST_STEPS });
            return match ring {
                Ok(Some(ring)) => ring.to_vec(),
                _ => group.collect(),
            };
        }
        Structure::Bridge => (CORNERS, 2),
        Structure::Fork => (EDGES, 3),
    };
    skeleton(geometry, &group.collect(), ends, wanted)
}

/// The fewest stones of a group that join so many of the corners or edges in `ends`.
///
/// Three ways to three ends meet in one stone, so the best meeting place is the stone from which the
/// ways are shortest together; two ways make one.
fn skeleton(geometry: &Geometry, group: &HashSet<Cell>, ends: Rim, wanted: usize) -> Vec<Cell> {
    let distances: Vec<HashMap<Cell, usize>> = (0..Rim::BITS)
        .map(|bit| ends & (1 << bit))
        .map(|end| distances(geometry, group, |cell| geometry.rim(cell) & end != 0))
        .filter(|reached| !reached.is_empty())
        .collect();
    let nearest = |cell: Cell| {
        let mut ways: Vec<&HashMap<Cell, usize>> = distances.iter().collect();
        ways.sort_by_key(|way| way[&cell]);
        ways.truncate(wanted);
        ways
    };
    // Cells in the order of the board, so that the answer does not depend on that of a set.
    let stones = geometry.cells().iter().filter(|cell| group.contains(cell));
    let length = |&&cell: &&Cell| -> usize { nearest(cell).iter().map(|way| way[&cell]).sum() };
    let Some(&meeting) = stones.min_by_key(length) else {
        return Vec::new();
    };
    let mut taken = vec![meeting];
    for way in nearest(meeting) {
        let mut at = meeting;
        while let Some(next) = geometry
            .neighbours(at)
            .find(|next| way.get(next).is_some_and(|&far| far + 1 == way[&at]))
        {
            taken.push(next);
            at = next;
        }
    }
    taken
}

/// How many steps each stone of a group is away from those that fit; nothing if none fits.
fn distances(
    geometry: &Geometry,
    group: &HashSet<Cell>,
    fits: impl Fn(Cell) -> bool,
) -> HashMap<Cell, usize> {
    let mut reached: HashMap<Cell, usize> = HashMap::new();
    let mut waiting = VecDeque::new();
    for &cell in group.iter().filter(|&&cell| fits(cell)) {
        reached.insert(cell, 0);
        waiting.push_back(cell);
    }
    while let Some(cell) = waiting.pop_front() {
        let far = reached[&cell] + 1;
        for next in geometry.neighbours(cell) {
            if group.contains(&next) && !reached.contains_key(&next) {
                reached.insert(next, far);
                waiting.push_back(next);
            }
        }
    }
    reached
}
