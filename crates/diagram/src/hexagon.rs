//! Cells that are hexagons standing on a corner, in rows of which each is half a cell further right.

use crate::plane::Point;
use crate::scene::PITCH;

/// √3 / 2: the distance of two rows, where that of two cells in a row is 1.
const ROW: f64 = 0.866_025_403_784_438_6;

/// The centre of a cell whose row `y` begins `slant · y` cells left of row 0; it may be beside the board.
pub fn hexagon_centre(x: f64, y: f64, slant: f64) -> Point {
    Point {
        x: (x - slant * y) * PITCH,
        y: y * ROW * PITCH,
    }
}

/// A hexagon that stands on a corner and is one pitch wide.
pub fn hexagon() -> Vec<Point> {
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
