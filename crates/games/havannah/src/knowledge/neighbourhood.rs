//! The cells at distance two from a cell, looked up once for each board.

use crate::rules::geometry::{Cell, DIRECTIONS, Geometry};

/// A table by grid index of the cells at distance two from each cell.
#[derive(Clone, Debug)]
pub(super) struct Neighbourhoods {
    by_cell: Box<[Neighbourhood]>,
}

/// The cells at distance two from one cell, `None` where they are off the board.
#[derive(Clone, Debug, Default)]
pub(super) struct Neighbourhood {
    /// By direction: the cells straight on behind the neighbours.
    pub straight: [Option<Cell>; 6],
    /// By direction: the cells that have the neighbours in this direction and the next in common with
    /// the one in the middle, so that stones on both form a virtual connection.
    pub bridged: [Option<Cell>; 6],
}

impl Neighbourhoods {
    pub(super) fn new(geometry: &Geometry) -> Neighbourhoods {
        let mut by_cell = vec![Neighbourhood::default(); geometry.grid()];
        for &cell in geometry.cells() {
            let (x, y) = geometry.coordinates(cell);
            let at = |(dx, dy): (isize, isize)| {
                geometry.cell_at(x.checked_add_signed(dx)?, y.checked_add_signed(dy)?)
            };
            let sum = |a: (isize, isize), b: (isize, isize)| (a.0 + b.0, a.1 + b.1);
            by_cell[cell.index()] = Neighbourhood {
                straight: DIRECTIONS.map(|step| at(sum(step, step))),
                bridged: std::array::from_fn(|direction| {
                    at(sum(DIRECTIONS[direction], DIRECTIONS[(direction + 1) % 6]))
                }),
            };
        }
        Neighbourhoods {
            by_cell: by_cell.into(),
        }
    }

    #[inline]
    pub(super) fn of(&self, cell: Cell) -> &Neighbourhood {
        &self.by_cell[cell.index()]
    }
}
