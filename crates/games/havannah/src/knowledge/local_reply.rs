//! Local reply: an answer near the opponent's last stone is worth more.

use crate::rules::geometry::{Cell, Geometry};

/// 3 for a neighbour of the opponent's last stone, 2 at distance two, 1 at distance three, 0 beyond.
#[inline]
pub fn points(geometry: &Geometry, cell: Cell, last: Cell) -> u32 {
    4u32.saturating_sub(geometry.distance(cell, last) as u32)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::geometry::Shape;

    #[test]
    fn points_fall_with_the_distance() {
        let geometry = Geometry::of(Shape::regular(5).expect("a size"));
        let last = geometry.cell_at(4, 4).expect("the centre");
        let with = |wanted| {
            let others = geometry.cells().iter().filter(|&&cell| cell != last);
            others
                .filter(|&&cell| points(geometry, cell, last) == wanted)
                .count()
        };
        // The rings around the centre have 6, 12, 18 and 24 cells.
        assert_eq!([3, 2, 1, 0].map(with), [6, 12, 18, 24]);
    }
}
