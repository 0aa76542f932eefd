//! Single jumps, for all stones of both sides at once.

use crate::rules::Bits;
use crate::{Board, Cell, Direction, Shape};
use game::Side;

/// The direction of a jump in a straight line.
#[inline]
pub(crate) fn direction_of(from: Cell, to: Cell) -> Direction {
    match (from.row() == to.row(), from < to) {
        (true, true) => Direction::East,
        (false, true) => Direction::North,
        (true, false) => Direction::West,
        (false, false) => Direction::South,
    }
}

/// What follows from the shape of the board.
#[derive(Clone, Debug)]
pub(crate) struct JumpGeometry<const WORDS: usize> {
    pub shape: Shape,
    inside: Bits<WORDS>,
    /// The cells of each colour, by [`Side::index`].
    pub colours: [Bits<WORDS>; 2],
    /// The cells in the first and last row and column.
    pub edge: Bits<WORDS>,
    /// For each direction, by [`Direction::index`], the cells with at least one, and with at least two
    /// more cells in that direction.
    room: [[Bits<WORDS>; 2]; 4],
    /// By [`Shape::index`].
    cells: Vec<Cell>,
}

impl<const WORDS: usize> JumpGeometry<WORDS> {
    /// # Panics
    /// If the board has more than 64 × `WORDS` cells.
    pub fn new(shape: Shape) -> Self {
        assert!(shape.area() <= 64 * WORDS, "{shape} is too large");
        let set = |property: &dyn Fn(Cell) -> bool| -> Bits<WORDS> {
            let cells = shape.cells().filter(|&cell| property(cell));
            cells.map(|cell| shape.index(cell)).collect()
        };
        let reaches = |direction, steps| {
            set(&|cell: Cell| {
                let there = cell.step(direction, steps);
                there.is_some_and(|there| shape.contains(there))
            })
        };
        JumpGeometry {
            shape,
            inside: set(&|_| true),
            colours: Side::BOTH.map(|side| set(&|cell| cell.colour() == side)),
            edge: set(&|cell| {
                let (row, col) = (cell.row(), cell.col());
                row == 0 || col == 0 || row + 1 == shape.rows() || col + 1 == shape.cols()
            }),
            room: Direction::ALL.map(|direction| [1, 2].map(|steps| reaches(direction, steps))),
            cells: shape.cells().collect(),
        }
    }

    /// The stones on a board of this shape.
    pub fn stones<B: Board>(&self, board: &B) -> Bits<WORDS> {
        let is_occupied = |&index: &usize| board.stone(self.cell(index)).is_some();
        (0..self.cells.len()).filter(is_occupied).collect()
    }

    #[inline]
    pub fn cell(&self, index: usize) -> Cell {
        self.cells[index]
    }

    #[inline]
    pub fn index(&self, cell: Cell) -> usize {
        self.shape.index(cell)
    }

    /// The index of a cell some steps away, which is on the board.
    #[inline]
    pub fn stepped(&self, index: usize, direction: Direction, steps: usize) -> usize {
        let cols = self.shape.cols();
        match direction {
            Direction::East => index + steps,
            Direction::North => index + steps * cols,
            Direction::West => index - steps,
            Direction::South => index - steps * cols,
        }
    }

    /// The index of a cell one or two steps away, if it is on the board.
    #[inline]
    pub fn neighbour(&self, index: usize, direction: Direction, steps: usize) -> Option<usize> {
        self.room[direction.index()][steps - 1]
            .has(index)
            .then(|| self.stepped(index, direction, steps))
    }

    /// The cells from which the cell one or two steps in a direction is in the set.
    #[inline(always)]
    pub fn looking(&self, set: Bits<WORDS>, direction: Direction, steps: usize) -> Bits<WORDS> {
        let room = self.room[direction.index()][steps - 1];
        self.ahead(set, direction.opposite(), steps) & room
    }

    /// The cells one or two steps in a direction from those of a set, which are all on the board.
    #[inline(always)]
    pub fn ahead(&self, set: Bits<WORDS>, direction: Direction, steps: usize) -> Bits<WORDS> {
        let cols = self.shape.cols();
        match direction {
            Direction::East => set.raised(steps),
            Direction::North => set.raised(steps * cols),
            Direction::West => set.lowered(steps),
            Direction::South => set.lowered(steps * cols),
        }
    }

    /// The cells with at least two more in a direction.
    #[inline(always)]
    pub fn room_for_jump(&self, direction: Direction) -> Bits<WORDS> {
        self.room[direction.index()][1]
    }

    /// The cells without a stone.
    #[inline(always)]
    pub fn empty(&self, stones: Bits<WORDS>) -> Bits<WORDS> {
        self.inside & !stones
    }
}

/// What there is for each direction, in the order of [`Direction::ALL`]: written out, since the loop of a `map`
/// would be a call for each.
#[inline(always)]
pub(crate) fn each_direction<T>(of: impl Fn(Direction) -> T) -> [T; 4] {
    let [east, north, west, south] = Direction::ALL;
    [of(east), of(north), of(west), of(south)]
}

/// The single jumps of a position.
#[derive(Clone, Copy, Debug)]
pub(crate) struct JumpMasks<const WORDS: usize> {
    /// For each direction, by [`Direction::index`], the cells, empty or not, from which a stone could
    /// jump once: the next is occupied and the one behind it is empty.
    pub launching: [Bits<WORDS>; 4],
    /// The stones of both sides that can jump.
    pub movable: Bits<WORDS>,
}

impl<const WORDS: usize> JumpMasks<WORDS> {
    #[inline(always)]
    pub fn of(ground: &JumpGeometry<WORDS>, stones: Bits<WORDS>) -> Self {
        let empty = ground.empty(stones);
        let launching = each_direction(
            #[inline(always)]
            |direction| ground.looking(stones, direction, 1) & ground.looking(empty, direction, 2),
        );
        let [east, north, west, south] = launching;
        JumpMasks {
            launching,
            movable: stones & (east | north | west | south),
        }
    }

    /// How many moves begin with a jump of one of these stones.
    pub fn count_moves(&self, ground: &JumpGeometry<WORDS>, stones: Bits<WORDS>) -> u32 {
        let mut moves = 0;
        (stones & self.movable).for_each(|stone| {
            for direction in Direction::ALL {
                self.for_each_landing(ground, stone, direction, |_| moves += 1);
            }
        });
        moves
    }

    /// Calls `visit` with the cells on which a stone can come to rest in a direction, the nearest first.
    #[inline]
    pub fn for_each_landing(
        &self,
        ground: &JumpGeometry<WORDS>,
        stone: usize,
        direction: Direction,
        mut visit: impl FnMut(usize),
    ) {
        let launching = &self.launching[direction.index()];
        let mut at = stone;
        while launching.has(at) {
            at = ground.stepped(at, direction, 2);
            visit(at);
        }
    }
}
