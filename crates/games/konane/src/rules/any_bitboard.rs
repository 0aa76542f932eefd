use super::bitboard::{BitBoard, LargeBitBoard, SmallBitBoard};
use super::{Board, Cell, Shape};
use game::Side;
use game::random::Rng;

/// A [`BitBoard`] with as many words as its cells need; how many is its own business.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AnyBitBoard(Words);

/// A board of up to 64 cells takes a sixth of the room of the largest, and is what most games are
/// played on. The choice is made once for each call, outside all loops.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Words {
    One(SmallBitBoard),
    Seven(Box<LargeBitBoard>),
}

impl AnyBitBoard {
    /// The board for whoever goes on without asking at each call how many words it has.
    pub(crate) fn known(&self) -> Known<&SmallBitBoard, &LargeBitBoard> {
        match &self.0 {
            Words::One(board) => Known::One(board),
            Words::Seven(board) => Known::Seven(board),
        }
    }
}

/// Something on a board of one word or of seven.
pub(crate) enum Known<S, L> {
    One(S),
    Seven(L),
}

/// What takes a move back, by the words of the board.
pub enum Mark {
    /// Of a small board.
    One(<SmallBitBoard as Board>::Mark),
    /// Of a large board.
    Seven(<LargeBitBoard as Board>::Mark),
}

/// Evaluates an expression for whichever board there is.
macro_rules! with_board {
    ($self:expr, $board:ident => $value:expr) => {
        match $self {
            Words::One($board) => $value,
            Words::Seven($board) => $value,
        }
    };
}

impl Board for AnyBitBoard {
    type Mark = Mark;

    fn new(shape: Shape, has_stone: impl Fn(Cell) -> bool) -> Self {
        AnyBitBoard(if shape.area() <= SmallBitBoard::CAPACITY {
            Words::One(BitBoard::new(shape, has_stone))
        } else {
            Words::Seven(Box::new(BitBoard::new(shape, has_stone)))
        })
    }

    #[inline]
    fn shape(&self) -> Shape {
        with_board!(&self.0, board => board.shape())
    }

    #[inline]
    fn stone(&self, cell: Cell) -> Option<Side> {
        with_board!(&self.0, board => board.stone(cell))
    }

    #[inline]
    fn pieces(&self, side: Side) -> u32 {
        with_board!(&self.0, board => board.pieces(side))
    }

    #[inline]
    fn movable(&self, side: Side) -> u32 {
        with_board!(&self.0, board => board.movable(side))
    }

    #[inline]
    fn moves(&self, side: Side) -> u32 {
        with_board!(&self.0, board => board.moves(side))
    }

    #[inline]
    fn can_jump(&self, side: Side) -> bool {
        with_board!(&self.0, board => board.can_jump(side))
    }

    #[inline]
    fn for_each_jump(&self, side: Side, visit: impl FnMut(Cell, Cell)) {
        with_board!(&self.0, board => board.for_each_jump(side, visit));
    }

    #[inline]
    fn random_jump(&self, side: Side, rng: &mut Rng) -> Option<(Cell, Cell)> {
        with_board!(&self.0, board => board.random_jump(side, rng))
    }

    #[inline]
    fn remove(&mut self, cell: Cell) {
        with_board!(&mut self.0, board => board.remove(cell));
    }

    #[inline]
    fn jump(&mut self, from: Cell, to: Cell) {
        with_board!(&mut self.0, board => board.jump(from, to));
    }

    #[inline]
    fn mark(&mut self) -> Mark {
        match &mut self.0 {
            Words::One(board) => Mark::One(board.mark()),
            Words::Seven(board) => Mark::Seven(board.mark()),
        }
    }

    #[inline]
    fn rewind(&mut self, mark: Mark) {
        match (&mut self.0, mark) {
            (Words::One(board), Mark::One(mark)) => board.rewind(mark),
            (Words::Seven(board), Mark::Seven(mark)) => board.rewind(mark),
            _ => unreachable!("a mark of another board"),
        }
    }
}
