use super::{
    AnyBitBoard, Board, Cell, Illegal, Known, LargeBitBoard, Move, Opening, Shape, SmallBitBoard,
    Start, StartError, zobrist,
};
use game::random::{self, Rng};
use game::{Game, Outcome, Side};
use std::fmt;

/// A position of Kōnane on a board of some kind.
///
/// Two positions are equal if the game goes on in the same way: the same stones, the same side to move,
/// the same stage. How many moves were played, and which was the last, does not matter.
#[derive(Clone)]
pub struct PositionOn<B> {
    board: B,
    state: State,
}

/// A position of Kōnane on a board of any size.
pub type Position = PositionOn<AnyBitBoard>;

/// All but the stones.
#[derive(Clone, Copy)]
struct State {
    hash: u64,
    ply: u16,
    to_move: Side,
    stage: Stage,
    last: Option<Move>,
}

/// What kind of move comes next.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Stage {
    /// Black removes a black stone.
    BlackRemoves {
        /// Any black stone; otherwise one in a corner or in the centre.
        anywhere: bool,
    },
    /// White removes a white stone beside the gap that Black made.
    WhiteRemoves {
        /// The gap.
        beside: Cell,
    },
    /// The side to move jumps.
    Jumping,
}

impl<B: Board> PositionOn<B> {
    /// The beginning of a game.
    ///
    /// # Errors
    /// If the setup does not belong on the board, or the board has too many cells for `B`.
    pub fn new(start: &Start) -> Result<Self, StartError> {
        let shape = start.shape;
        if shape.area() > B::CAPACITY {
            return Err(StartError::TooManyCells {
                shape,
                capacity: B::CAPACITY,
            });
        }
        let removes = |anywhere| {
            let board = B::new(shape, |_| true);
            Self::with(board, Side::Black, Stage::BlackRemoves { anywhere })
        };
        Ok(match start.opening {
            Opening::Traditional => removes(false),
            Opening::AnyStone => removes(true),
            Opening::Removed(setup) => {
                let removed = setup.removed(shape)?;
                let board = B::new(shape, |cell| !removed.contains(&cell));
                Self::from_board(board, Side::Black)
            }
        })
    }

    /// The position with these stones after the opening, as if no move had been played yet.
    pub fn from_board(board: B, to_move: Side) -> Self {
        Self::with(board, to_move, Stage::Jumping)
    }

    pub(crate) fn with(board: B, to_move: Side, stage: Stage) -> Self {
        let mut position = PositionOn {
            board,
            state: State {
                hash: 0,
                ply: 0,
                to_move,
                stage,
                last: None,
            },
        };
        position.state.hash = position.recomputed_hash();
        position
    }

    /// The same position, reached by another way.
    pub(super) fn with_past(mut self, ply: usize, last: Option<Move>) -> Self {
        self.state.ply = ply as u16;
        self.state.last = last;
        self
    }

    /// The stones.
    #[inline]
    pub fn board(&self) -> &B {
        &self.board
    }

    /// The rows and columns of the board.
    #[inline]
    pub fn shape(&self) -> Shape {
        self.board.shape()
    }

    /// What kind of move comes next.
    #[inline]
    pub fn stage(&self) -> Stage {
        self.state.stage
    }

    /// The move that led here; `None` at the start.
    #[inline]
    pub fn last_move(&self) -> Option<Move> {
        self.state.last
    }

    /// The stones that may be removed, while the game is in its opening.
    pub(super) fn removable(&self) -> impl Iterator<Item = Cell> {
        self.shape()
            .cells()
            .filter(|&cell| self.check_removal(cell).is_ok())
    }

    /// The exclusive or of the keys of the position with every stone where `place` puts it.
    pub(super) fn hash_placed(&self, place: impl Fn(Cell) -> Cell) -> u64 {
        let stones = self
            .shape()
            .cells()
            .filter(|&cell| self.board.stone(cell).is_some())
            .fold(0, |hash, cell| hash ^ zobrist::stone(place(cell)));
        stones
            ^ zobrist::shape(self.shape())
            ^ zobrist::side(self.state.to_move)
            ^ zobrist::stage(self.state.stage)
    }
}

impl<B: Board> Game for PositionOn<B> {
    type Move = Move;
    type Illegal = Illegal;
    const NAME: &'static str = "konane";

    #[inline]
    fn to_move(&self) -> Side {
        self.state.to_move
    }

    #[inline]
    fn outcome(&self) -> Option<Outcome> {
        let side = self.state.to_move;
        let can_move = match self.state.stage {
            Stage::Jumping => self.board.can_jump(side),
            _ => self.removable().next().is_some(),
        };
        (!can_move).then_some(Outcome::Win(!side))
    }

    #[inline]
    fn ply(&self) -> usize {
        usize::from(self.state.ply)
    }

    /// In the order of the board; removals row by row.
    #[inline]
    fn legal_moves(&self, moves: &mut Vec<Move>) {
        if self.state.stage == Stage::Jumping {
            self.board.for_each_jump(self.state.to_move, |from, to| {
                moves.push(Move::Jump { from, to });
            });
        } else {
            moves.extend(self.removable().map(Move::Remove));
        }
    }

    fn check(&self, mv: Move) -> Result<(), Illegal> {
        self.check_move(mv)
    }

    #[inline]
    fn play_unchecked(&mut self, mv: Move) {
        let state = &mut self.state;
        match mv {
            Move::Jump { from, to } => {
                self.board.jump(from, to);
                state.hash ^= zobrist::stone(from) ^ zobrist::stone(to);
                for cell in mv.captured() {
                    state.hash ^= zobrist::stone(cell);
                }
            }
            Move::Remove(cell) => {
                self.board.remove(cell);
                let next = match state.stage {
                    Stage::BlackRemoves { .. } => Stage::WhiteRemoves { beside: cell },
                    _ => Stage::Jumping,
                };
                state.hash ^=
                    zobrist::stone(cell) ^ zobrist::stage(state.stage) ^ zobrist::stage(next);
                state.stage = next;
            }
        }
        state.hash ^= zobrist::TURN;
        state.to_move = !state.to_move;
        state.ply += 1;
        state.last = Some(mv);
    }

    #[inline]
    fn hash(&self) -> u64 {
        self.state.hash
    }

    fn recomputed_hash(&self) -> u64 {
        self.hash_placed(|cell| cell)
    }

    /// Plays the move and takes it back, and with it whatever `visit` has played on.
    #[inline]
    fn explore<R>(&mut self, mv: Move, visit: impl FnOnce(&mut Self) -> R) -> R {
        let state = self.state;
        let mark = self.board.mark();
        self.play_unchecked(mv);
        let result = visit(self);
        self.board.rewind(mark);
        self.state = state;
        result
    }

    #[inline]
    fn random_move(&self, rng: &mut Rng) -> Option<Move> {
        if self.state.stage == Stage::Jumping {
            let (from, to) = self.board.random_jump(self.state.to_move, rng)?;
            return Some(Move::Jump { from, to });
        }
        let count = self.removable().count() as u32;
        if count == 0 {
            return None;
        }
        let chosen = random::below(count, rng) as usize;
        self.removable().nth(chosen).map(Move::Remove)
    }
}

impl PositionOn<AnyBitBoard> {
    /// The same position on a board whose number of words is in its type.
    pub(crate) fn known(&self) -> Known<PositionOn<SmallBitBoard>, PositionOn<LargeBitBoard>> {
        let state = self.state;
        match self.board.known() {
            Known::One(board) => Known::One(PositionOn {
                board: *board,
                state,
            }),
            Known::Seven(board) => Known::Seven(PositionOn {
                board: *board,
                state,
            }),
        }
    }
}

impl<B: Board> PartialEq for PositionOn<B> {
    fn eq(&self, other: &Self) -> bool {
        self.state.to_move == other.state.to_move
            && self.state.stage == other.state.stage
            && self.board == other.board
    }
}

impl<B: Board> Eq for PositionOn<B> {}

/// The picture of the position, for the reports of tests.
impl<B: Board> fmt::Debug for PositionOn<B> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        use game::Picture;
        let State {
            ply,
            to_move,
            stage,
            last,
            ..
        } = self.state;
        writeln!(f, "{to_move} to move, {stage:?}, ply {ply}, last {last:?}")?;
        f.write_str(&self.picture(()))
    }
}
