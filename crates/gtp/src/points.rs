//! Boards of hexagons as GoGui has them: in a lattice of points with a letter and a number each.

use diagram::{PITCH, Tile};
use engine::Playable;
use game::Side;
use std::fmt::Write;

/// GoGui has no letter I.
const LETTERS: &[u8; 25] = b"ABCDEFGHJKLMNOPQRSTUVWXYZ";

/// A cell of the board.
struct Point {
    /// Its name in the default dialect.
    cell: String,
    /// From the left, and from the bottom; the point above another one stands half a cell left of it.
    place: (usize, usize),
    stone: Option<Side>,
}

/// The cells of a position as points.
pub(crate) struct Points(Vec<Point>);

impl Points {
    /// The letter of a cell's name says how far to the right its point is, the number how far up: or down, where the
    /// lines that cells with one number form lean to the other side.
    pub(crate) fn of<G: Playable>(position: &G) -> Points {
        let tiles = position.scene(G::Dialect::default()).tiles;
        let place = |name: &str| {
            let (letter, number) = name.split_at_checked(1)?;
            let column = usize::from(
                letter
                    .bytes()
                    .next()?
                    .to_ascii_lowercase()
                    .checked_sub(b'a')?,
            );
            Some((column, number.parse::<usize>().ok()?.checked_sub(1)?))
        };
        let point = |tile: &Tile<G::Cell>| {
            Some(Point {
                place: place(&tile.name)?,
                cell: tile.name.clone(),
                stone: tile.stone,
            })
        };
        let mut points: Vec<Point> = tiles.iter().filter_map(point).collect();
        let centre = |name: &str| tiles.iter().find(|tile| tile.name == name);
        let are_neighbours = match (centre("a1"), centre("b2")) {
            (Some(one), Some(other)) => {
                let (x, y) = (one.centre.x - other.centre.x, one.centre.y - other.centre.y);
                x.hypot(y) < 1.5 * PITCH
            }
            _ => true,
        };
        if !are_neighbours {
            let last = points.iter().map(|point| point.place.1).max().unwrap_or(0);
            for point in &mut points {
                point.place.1 = last - point.place.1;
            }
        }
        Points(points)
    }

    /// The number of columns, and of rows.
    pub(crate) fn size(&self) -> (usize, usize) {
        let places = self.0.iter().map(|point| point.place);
        places.fold((0, 0), |(width, height), (x, y)| {
            (width.max(x + 1), height.max(y + 1))
        })
    }

    /// The point of a cell, such as `J3`; what is not a cell stays as it is.
    pub(crate) fn written(&self, cell: &str) -> String {
        let point = self.0.iter().find(|point| point.cell == cell);
        let name = point.and_then(|Point { place: (x, y), .. }| {
            let letter = char::from(*LETTERS.get(*x)?);
            Some(format!("{letter}{}", y + 1))
        });
        name.unwrap_or_else(|| cell.to_owned())
    }

    /// The cell of a point; what is not a point stays as it is.
    pub(crate) fn read(&self, text: &str) -> String {
        let found = self
            .0
            .iter()
            .find(|point| self.written(&point.cell).eq_ignore_ascii_case(text));
        found.map_or(text, |point| &point.cell).to_owned()
    }

    /// The rows of the board, the upper one first: `X` is Black, `O` White, `?` no cell of the board.
    pub(crate) fn picture(&self) -> String {
        let (width, height) = self.size();
        let mut rows = vec![vec!['?'; width]; height];
        for Point {
            place: (x, y),
            stone,
            ..
        } in &self.0
        {
            rows[height - 1 - y][*x] = match stone {
                Some(Side::Black) => 'X',
                Some(Side::White) => 'O',
                None => '.',
            };
        }
        let mut picture = String::new();
        for row in rows {
            for cell in row {
                let _ = write!(picture, "{cell} ");
            }
            picture.pop();
            picture.push('\n');
        }
        picture.pop();
        picture
    }
}
