//! The board as a picture: each row half a cell further right than the one above.

use crate::notation::name;
use crate::{Move, Position};
use diagram::{
    BESIDE, Drawn, Material, Scene, Tile, Tone, capitalised, hexagon, hexagon_centre, hull,
};
use game::{Game, Outcome};

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
            tiles,
            coordinates: letters.chain(numbers).collect(),
            last: last.map(|cell| (cell, cell)),
        }
    }

    fn winning_cells(&self) -> Vec<(u8, u8)> {
        self.winning_chain()
    }
}
