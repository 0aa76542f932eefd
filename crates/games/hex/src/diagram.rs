//! The board as a picture: each row half a cell further right than the one above.

use crate::notation::name;
use crate::{Move, Position};
use diagram::{
    BESIDE, Drawn, Material, Point, Scene, Tile, Tone, capitalised, hexagon, hexagon_centre, hull,
};
use game::{Game, Outcome, Side};

/// The border: Black joins the top with the bottom, White the left with the right.
fn sides(size: u8) -> Vec<(Side, Vec<Point>)> {
    let last = f64::from(size) - 1.0;
    let outline = hexagon();
    // Along a side, from cell to cell; of each cell two of its corners, and of the last one a third.
    let along = |of: &dyn Fn(f64) -> (f64, f64), corners: [usize; 3]| {
        let at = |place: f64, corner: usize| {
            let (x, y) = of(place);
            hexagon_centre(x, y, -0.5) + outline[corner]
        };
        let places = (0..size).map(f64::from);
        let most = places.flat_map(|place| [at(place, corners[0]), at(place, corners[1])]);
        most.chain([at(last, corners[2])]).collect::<Vec<Point>>()
    };
    vec![
        (Side::Black, along(&|x| (x, 0.0), [5, 0, 1])),
        (Side::Black, along(&|x| (x, last), [4, 3, 2])),
        (Side::White, along(&|y| (0.0, y), [5, 4, 4])),
        (Side::White, along(&|y| (last, y), [1, 2, 2])),
    ]
}

impl Drawn for Position {
    type Cell = (u8, u8);

    fn scene(&self, (): ()) -> Scene<(u8, u8)> {
        let tile = |(x, y): (u8, u8)| Tile {
            cell: (x, y),
            name: name(x, y),
            centre: hexagon_centre(x.into(), y.into(), -0.5),
            stone: self.stone(x, y),
            tone: Tone::Plain,
        };
        let tiles: Vec<Tile<(u8, u8)>> = self.cells().map(tile).collect();
        let letters = (0..self.size()).map(|x| {
            let above = hexagon_centre(f64::from(x), -BESIDE, -0.5);
            (above, char::from(b'a' + x).to_string())
        });
        let numbers = (0..self.size())
            .map(|y| (hexagon_centre(-BESIDE, y.into(), -0.5), (y + 1).to_string()));
        let last = match self.last_move() {
            Some(Move::Place(x, y)) => Some((x, y)),
            Some(Move::Swap) => self.cells().find(|&(x, y)| self.stone(x, y).is_some()),
            None => None,
        };
        Scene {
            name: format!("Hex, size {}", self.size()),
            state: match self.outcome() {
                Some(Outcome::Win(side)) => format!("{} has won with a chain.", capitalised(side)),
                _ => format!("{} to move.", capitalised(self.to_move())),
            },
            material: Material::Wood,
            slab: hull(tiles.iter().map(|tile| tile.centre).collect()),
            outline: hexagon(),
            sides: sides(self.size()),
            tiles,
            coordinates: letters.chain(numbers).collect(),
            last: last.map(|cell| (cell, cell)),
        }
    }

    fn winning_cells(&self) -> Vec<(u8, u8)> {
        self.winning_chain()
    }
}
