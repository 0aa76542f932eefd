use super::bits::Bits;
use super::moves::captured;
use super::{Board, Cell, Direction, Shape};
use game::Side;
use game::random::{self, Rng};

/// The fast board: the occupied cells as one set of bits, and jumps found for all stones at once by
/// shifting it. It is a plain value of a few words; nothing allocates.
///
/// Since stones stay on cells of their own colour ([`Cell::colour`]), the stones of a side are the
/// occupied cells of its colour, and a jump is the same operation for both sides.
///
/// Jumps are listed from the shortest to the longest, those of one length by direction in the order of
/// [`Direction::ALL`], and those in one direction row by row.
///
/// `WORDS` is the number of 64-bit words that hold the cells: 1 for boards of up to 64 cells, 7 for all
/// boards ([`SmallBitBoard`], [`LargeBitBoard`]).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BitBoard<const WORDS: usize> {
    stones: Bits<WORDS>,
    geometry: Geometry<WORDS>,
}

/// The board for up to 64 cells.
pub type SmallBitBoard = BitBoard<1>;

/// The board for every shape.
pub type LargeBitBoard = BitBoard<7>;

/// What follows from the shape of the board.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Geometry<const WORDS: usize> {
    shape: Shape,
    /// The cells of the board.
    inside: Bits<WORDS>,
    /// The cells of each colour, by [`Side::index`].
    colours: [Bits<WORDS>; 2],
    /// The cells with two more to the east of them.
    east: Bits<WORDS>,
    /// The cells with two more to the west of them.
    west: Bits<WORDS>,
}

impl<const WORDS: usize> Geometry<WORDS> {
    fn new(shape: Shape) -> Self {
        let set = |property: &dyn Fn(Cell) -> bool| {
            let cells = shape.cells().filter(|&cell| property(cell));
            cells.map(|cell| shape.index(cell)).collect()
        };
        Geometry {
            shape,
            inside: set(&|_| true),
            colours: Side::BOTH.map(|side| set(&|cell| cell.colour() == side)),
            east: set(&|cell| cell.col() + 2 < shape.cols()),
            west: set(&|cell| cell.col() >= 2),
        }
    }
}

/// The jumps of a side that capture the same number of stones, at least one jump.
#[derive(Clone, Copy)]
struct Jumps<const WORDS: usize> {
    shape: Shape,
    /// For each direction, by [`Direction::index`], the cells from which a stone could jump once.
    launching: [Bits<WORDS>; 4],
    /// For each direction the cells on which stones are about to make their last jump.
    at: [Bits<WORDS>; 4],
    /// How many jumps are behind these stones.
    behind: usize,
}

impl<const WORDS: usize> Jumps<WORDS> {
    /// Whether there are none.
    #[inline]
    fn is_empty(&self) -> bool {
        let [east, north, west, south] = self.at;
        (east | north | west | south).is_empty()
    }

    /// Goes over to the jumps that capture one stone more.
    #[inline]
    fn lengthen(&mut self) {
        let row = self.shape.cols();
        let [east, north, west, south] = self.at;
        let landed = [
            east.raised(2),
            north.raised(2 * row),
            west.lowered(2),
            south.lowered(2 * row),
        ];
        for (index, landed) in landed.into_iter().enumerate() {
            self.at[index] = landed & self.launching[index];
        }
        self.behind += 1;
    }

    /// How many there are of this length and all greater ones.
    #[inline]
    fn count_all(mut self) -> u32 {
        let mut count = 0;
        while !self.is_empty() {
            count += self.at.iter().map(|at| at.count()).sum::<u32>();
            self.lengthen();
        }
        count
    }

    /// The first and the last cell of the jump of the stone that is about to make its last jump from the
    /// cell with this number.
    #[inline]
    fn whole(&self, direction: Direction, number: usize) -> (Cell, Cell) {
        let at = self.shape.cell(number);
        let from = at.stepped(direction.opposite(), 2 * self.behind);
        (from, at.stepped(direction, 2))
    }
}

impl<const WORDS: usize> BitBoard<WORDS> {
    /// The occupied cells, by [`Shape::index`].
    #[inline]
    pub(crate) fn occupied(&self) -> Bits<WORDS> {
        self.stones
    }

    #[inline]
    fn stones_of(&self, side: Side) -> Bits<WORDS> {
        self.stones & self.geometry.colours[side.index()]
    }

    /// The cells from which a stone could jump once: in each direction, those where the next cell is
    /// occupied and the one behind it is empty.
    #[inline]
    fn launching(&self) -> [Bits<WORDS>; 4] {
        let Geometry {
            shape,
            inside,
            east,
            west,
            ..
        } = self.geometry;
        let (stones, empty) = (self.stones, inside & !self.stones);
        let row = shape.cols();
        [
            stones.lowered(1) & empty.lowered(2) & east,
            stones.lowered(row) & empty.lowered(2 * row),
            stones.raised(1) & empty.raised(2) & west,
            stones.raised(row) & empty.raised(2 * row),
        ]
    }

    /// The jumps of a side that capture one stone.
    #[inline]
    fn single_jumps(&self, side: Side) -> Jumps<WORDS> {
        let own = self.stones_of(side);
        let launching = self.launching();
        Jumps {
            shape: self.geometry.shape,
            launching,
            at: launching.map(|launching| launching & own),
            behind: 0,
        }
    }

    /// The stones of a side that can jump.
    #[inline]
    fn movable_stones(&self, side: Side) -> Bits<WORDS> {
        let [east, north, west, south] = self.launching();
        self.stones_of(side) & (east | north | west | south)
    }
}

impl<const WORDS: usize> Board for BitBoard<WORDS> {
    const CAPACITY: usize = if Bits::<WORDS>::CAPACITY < Shape::MAX_CELLS {
        Bits::<WORDS>::CAPACITY
    } else {
        Shape::MAX_CELLS
    };

    type Mark = Bits<WORDS>;

    fn new(shape: Shape, has_stone: impl Fn(Cell) -> bool) -> Self {
        assert!(
            shape.area() <= Self::CAPACITY,
            "{shape} has more than {} cells",
            Self::CAPACITY
        );
        let stones = shape.cells().filter(|&cell| has_stone(cell));
        BitBoard {
            stones: stones.map(|cell| shape.index(cell)).collect(),
            geometry: Geometry::new(shape),
        }
    }

    #[inline]
    fn shape(&self) -> Shape {
        self.geometry.shape
    }

    #[inline]
    fn stone(&self, cell: Cell) -> Option<Side> {
        let shape = self.shape();
        (shape.contains(cell) && self.stones.has(shape.index(cell))).then(|| cell.colour())
    }

    #[inline]
    fn pieces(&self, side: Side) -> u32 {
        self.stones_of(side).count()
    }

    #[inline]
    fn movable(&self, side: Side) -> u32 {
        self.movable_stones(side).count()
    }

    #[inline]
    fn moves(&self, side: Side) -> u32 {
        self.single_jumps(side).count_all()
    }

    #[inline]
    fn can_jump(&self, side: Side) -> bool {
        !self.movable_stones(side).is_empty()
    }

    #[inline]
    fn for_each_jump(&self, side: Side, mut visit: impl FnMut(Cell, Cell)) {
        let mut jumps = self.single_jumps(side);
        while !jumps.is_empty() {
            for direction in Direction::ALL {
                jumps.at[direction.index()].for_each(|number| {
                    let (from, to) = jumps.whole(direction, number);
                    visit(from, to);
                });
            }
            jumps.lengthen();
        }
    }

    #[inline]
    fn random_jump(&self, side: Side, rng: &mut Rng) -> Option<(Cell, Cell)> {
        let mut jumps = self.single_jumps(side);
        let moves = jumps.count_all();
        if moves == 0 {
            return None;
        }
        let mut left = random::below(moves, rng);
        while !jumps.is_empty() {
            for direction in Direction::ALL {
                let at = jumps.at[direction.index()];
                let here = at.count();
                if left < here {
                    return at.nth(left).map(|number| jumps.whole(direction, number));
                }
                left -= here;
            }
            jumps.lengthen();
        }
        None
    }

    #[inline]
    fn remove(&mut self, cell: Cell) {
        self.stones.toggle(self.geometry.shape.index(cell));
    }

    #[inline]
    fn jump(&mut self, from: Cell, to: Cell) {
        let shape = self.geometry.shape;
        self.stones.toggle(shape.index(from));
        for cell in captured(from, to) {
            self.stones.toggle(shape.index(cell));
        }
        self.stones.toggle(shape.index(to));
    }

    #[inline]
    fn mark(&mut self) -> Bits<WORDS> {
        self.stones
    }

    #[inline]
    fn rewind(&mut self, mark: Bits<WORDS>) {
        self.stones = mark;
    }
}
