//! A board of up to 64 cells: the stones of both sides in one word, and all jumps at once.

use crate::{Board, Shape};
use game::Side;

/// What follows from the shape of a board of at most 64 cells.
#[derive(Clone, Copy, Debug)]
pub(crate) struct BoardGeometry {
    cols: u32,
    inside: u64,
    /// The cells of each colour, by [`Side::index`].
    colours: [u64; 2],
    /// The cells with two more to the east, and to the west.
    east: u64,
    west: u64,
}

/// The cells from which stones jump once, by direction: east, north, west, south.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Jumps([u64; 4]);

impl BoardGeometry {
    /// `None` if the board has more than 64 cells.
    pub fn new(shape: Shape) -> Option<BoardGeometry> {
        if shape.area() > 64 {
            return None;
        }
        let set = |property: &dyn Fn(crate::Cell) -> bool| {
            let cells = shape.cells().filter(|&cell| property(cell));
            cells.fold(0, |set, cell| set | 1 << shape.index(cell))
        };
        Some(BoardGeometry {
            cols: shape.cols() as u32,
            inside: set(&|_| true),
            colours: Side::BOTH.map(|side| set(&|cell| cell.colour() == side)),
            east: set(&|cell| cell.col() + 2 < shape.cols()),
            west: set(&|cell| cell.col() >= 2),
        })
    }

    /// The same board with walls everywhere but on these cells: nothing stands or lands elsewhere.
    #[must_use]
    pub fn within(self, cells: u64) -> BoardGeometry {
        BoardGeometry {
            inside: self.inside & cells,
            ..self
        }
    }

    /// The stones of a side.
    #[inline(always)]
    pub fn stones_of(&self, stones: u64, side: Side) -> u64 {
        stones & self.colours[side.index()]
    }

    /// The empty cells.
    #[inline(always)]
    pub fn empty(&self, stones: u64) -> u64 {
        self.inside & !stones
    }

    /// Where `from` holds stones, `over` the stones that they may capture and `to` the cells where they may
    /// land: the cells from which they can jump once. (A board has at most 24 columns, so no shift is by 64.)
    #[inline(always)]
    pub fn jumps(&self, from: u64, over: u64, to: u64) -> Jumps {
        let cols = self.cols;
        Jumps([
            from & over >> 1 & to >> 2 & self.east,
            from & over >> cols & to >> (2 * cols),
            from & over << 1 & to << 2 & self.west,
            from & over << cols & to << (2 * cols),
        ])
    }

    /// The single jumps of a side.
    #[inline(always)]
    pub fn jumps_of(&self, stones: u64, side: Side) -> Jumps {
        let own = self.stones_of(stones, side);
        self.jumps(own, stones & !own, self.empty(stones))
    }

    /// The cells that the jumps pass over.
    #[inline(always)]
    pub fn overs(&self, Jumps([east, north, west, south]): Jumps) -> u64 {
        let cols = self.cols;
        east << 1 | north << cols | west >> 1 | south >> cols
    }

    /// The cells on which the jumps land.
    #[inline(always)]
    pub fn landings(&self, Jumps([east, north, west, south]): Jumps) -> u64 {
        let cols = self.cols;
        east << 2 | north << (2 * cols) | west >> 2 | south >> (2 * cols)
    }

    /// Calls `visit` with the stones after each move of a side.
    #[inline(always)]
    pub fn for_each_child(&self, stones: u64, side: Side, mut visit: impl FnMut(u64)) {
        let own = self.stones_of(stones, side);
        // From any cell, for a stone that has landed goes on.
        let Jumps(launching) = self.jumps(u64::MAX, stones & !own, self.empty(stones));
        let cols = self.cols;
        let line = Line { stones, own };
        line.for_each_jump(launching[0], |cell| cell << 1, &mut visit);
        line.for_each_jump(launching[1], |cell| cell << cols, &mut visit);
        line.for_each_jump(launching[2], |cell| cell >> 1, &mut visit);
        line.for_each_jump(launching[3], |cell| cell >> cols, &mut visit);
    }

    /// The cells that jumps can ever concern, as far as a closure tells, in parts that no jump joins.
    ///
    /// Let `full` hold the stones and `open` the empty cells. Whenever a jump fits, from `full` over `full`
    /// of the other colour to `open`, its source and the cell under it are added to `open` and its landing
    /// cell to `full`, until nothing changes. By induction over the moves, in every position that can be
    /// reached the stones are within `full` and the empty cells within `open`; so every jump that is ever
    /// possible is among those of the closure. The three cells of each are joined; what is not joined never
    /// meets. A cell in no jump never changes, and is a wall.
    pub fn parts(&self, stones: u64) -> Vec<u64> {
        let (mut full, mut open) = (stones, self.empty(stones));
        let jumps = loop {
            let jumps = self.jumps(full, full, open);
            let more_full = full | self.landings(jumps);
            let more_open = open | jumps.sources() | self.overs(jumps);
            if (more_full, more_open) == (full, open) {
                break jumps;
            }
            (full, open) = (more_full, more_open);
        };
        let cols = self.cols;
        let Jumps([east, north, west, south]) = jumps;
        // The cells that are joined to the next in their row, and in their column.
        let along = east | east << 1 | west >> 1 | west >> 2;
        let across = north | north << cols | south >> cols | south >> (2 * cols);
        let mut left = jumps.sources() | self.overs(jumps) | self.landings(jumps);
        let mut parts = Vec::new();
        while left != 0 {
            let mut part = left & left.wrapping_neg();
            loop {
                let more = part
                    | (part & along) << 1
                    | part >> 1 & along
                    | (part & across) << cols
                    | part >> cols & across;
                if more == part {
                    break;
                }
                part = more;
            }
            left &= !part;
            parts.push(part);
        }
        parts
    }

    /// All that the jumps of one side can come to while the other side's stones stand still: `from` are
    /// its stones, `over` the stones it may capture and `to` the cells where it may land. Captured stones
    /// are still there, and cells that were left are empty from then on, so that nothing that can happen
    /// is missed.
    #[inline(always)]
    pub fn alone(&self, mut from: u64, over: u64, mut to: u64) -> Alone {
        loop {
            let jumps = self.jumps(from, over, to);
            let (sources, landings) = (jumps.sources(), self.landings(jumps));
            let (more_from, more_to) = (from | landings, to | sources);
            if more_from == from && more_to == to {
                return Alone {
                    sources,
                    captured: self.overs(jumps),
                };
            }
            (from, to) = (more_from, more_to);
        }
    }
}

/// The stones of a position, and those that are to move, for the jumps in one direction.
#[derive(Clone, Copy)]
struct Line {
    stones: u64,
    own: u64,
}

impl Line {
    /// Calls `visit` with the stones after each jump in the direction in which `next` steps, where a stone can jump
    /// from the cells of `launching`.
    #[inline(always)]
    fn for_each_jump(self, launching: u64, next: impl Fn(u64) -> u64, visit: &mut impl FnMut(u64)) {
        let mut left = launching & self.own;
        while left != 0 {
            let mut at = left & left.wrapping_neg();
            left ^= at;
            let mut after = self.stones ^ at;
            loop {
                let over = next(at);
                after ^= over;
                at = next(over);
                visit(after | at);
                if launching & at == 0 {
                    break;
                }
            }
        }
    }
}

impl Jumps {
    /// How many single jumps there are.
    #[inline(always)]
    pub fn count(self) -> u32 {
        self.0.iter().map(|from| from.count_ones()).sum()
    }

    /// The cells from which there is one.
    #[inline(always)]
    pub fn sources(self) -> u64 {
        let [east, north, west, south] = self.0;
        east | north | west | south
    }

    /// Whether there are none.
    #[inline(always)]
    pub fn is_empty(self) -> bool {
        self.sources() == 0
    }
}

/// What one side can do while the other stands still.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Alone {
    /// The cells from which it can jump.
    pub sources: u64,
    /// The cells whose stones it can capture.
    pub captured: u64,
}

impl BoardGeometry {
    /// Calls `visit` with the source, the cell passed over and the landing cell of each single jump.
    #[inline(always)]
    pub fn for_each_jump(&self, Jumps(jumps): Jumps, mut visit: impl FnMut(u64, u64, u64)) {
        let cols = self.cols;
        for (direction, mut left) in jumps.into_iter().enumerate() {
            while left != 0 {
                let from = left & left.wrapping_neg();
                left ^= from;
                match direction {
                    0 => visit(from, from << 1, from << 2),
                    1 => visit(from, from << cols, from << (2 * cols)),
                    2 => visit(from, from >> 1, from >> 2),
                    _ => visit(from, from >> cols, from >> (2 * cols)),
                }
            }
        }
    }
}

/// The occupied cells of a board of up to 64 cells.
pub(crate) fn stones<B: Board>(board: &B) -> u64 {
    let shape = board.shape();
    let occupied = shape.cells().filter(|&cell| board.stone(cell).is_some());
    occupied.fold(0, |stones, cell| stones | 1 << shape.index(cell))
}
