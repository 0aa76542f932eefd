//! A position: a board, whose turn it is, the swap rule, and the result.

use super::board::{Board, Structure};
use super::geometry::{Cell, Geometry, Shape};
use super::notation::{Dialect, write_cell};
use super::symmetry::Hashes;
use game::random::{self, Rng};
use game::{Game, Outcome, Packed, Side, Symmetric};
use thiserror::Error;

/// A move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Move {
    /// A stone on a cell.
    Place(Cell),
    /// Black's answer to White's first stone, under the swap rule: the stone becomes Black's, and White
    /// moves next.
    Swap,
}

/// A swap in the tables of those who pack moves: more than the index of any cell.
const SWAP: u32 = u32::MAX;

impl Packed for Move {
    #[inline]
    fn pack(self) -> u32 {
        match self {
            Move::Place(cell) => cell.index() as u32,
            Move::Swap => SWAP,
        }
    }

    #[inline]
    fn unpack(packed: u32) -> Move {
        if packed == SWAP {
            Move::Swap
        } else {
            Move::Place(Cell(packed as u16))
        }
    }
}

/// Why a move is not legal.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum Illegal {
    /// The game has ended.
    #[error("the game is over")]
    Over,
    /// There is a stone already.
    #[error("the cell holds a {0} stone already")]
    Occupied(Side),
    /// The cell belongs to a board of another shape.
    #[error("the cell is not on this board")]
    OffBoard,
    /// The game is played without the swap rule.
    #[error("this game is played without the swap rule")]
    NoSwapRule,
    /// Swapping is Black's first move or none.
    #[error("only Black's first move can be a swap")]
    TooLateToSwap,
}

/// A position of a game of Havannah.
///
/// ```
/// use game::{Game, Notation, Outcome, Side};
/// use havannah::{Dialect, Position, Shape, Structure};
///
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let mut position = Position::new(Shape::regular(3)?);
/// for text in ["a1", "c3", "a2", "c2", "a3"] {
///     let mv = position.parse_move(text, Dialect::Grid)?;
///     position.try_play(mv)?;
/// }
/// assert_eq!(position.outcome(), Some(Outcome::Win(Side::White)));
/// assert_eq!(position.structure(), Some(Structure::Bridge));
/// # Ok(())
/// # }
/// ```
#[derive(Debug)]
pub struct Position {
    board: Board,
    state: State,
}

/// All but the stones.
#[derive(Clone, Copy, Debug, Default)]
struct State {
    /// Moves played, a swap included.
    ply: u16,
    /// Stones on the board.
    stones: u16,
    swap_rule: bool,
    last: Option<Move>,
    outcome: Option<Outcome>,
    structure: Option<Structure>,
    hashes: Hashes,
}

impl Position {
    /// The empty board, White to move, without the swap rule.
    pub fn new(shape: Shape) -> Position {
        Position {
            board: Board::new(Geometry::of(shape)),
            state: State::default(),
        }
    }

    /// A board with these stones, as if that many moves had been played: White is to move after an even number.
    ///
    /// # Errors
    /// If two stones are on one cell, or some of them have won; the message says which.
    pub fn with_stones(
        shape: Shape,
        stones: &[(Side, Cell)],
        plies: usize,
    ) -> Result<Position, String> {
        let mut position = Position::new(shape);
        let name = |cell| write_cell(Geometry::of(shape), cell, Dialect::Grid);
        for &(side, cell) in stones {
            if position.board.stone(cell).is_some() {
                return Err(format!("there are two stones on {}", name(cell)));
            }
            if let Some(structure) = position.board.place(cell, side) {
                let cell = name(cell);
                return Err(format!(
                    "{side} has a {structure} already, with the stone on {cell}: the game is over"
                ));
            }
        }
        position.complete(stones.len(), plies);
        Ok(position)
    }

    /// The same for stones that are known to be those of a position.
    pub(crate) fn of_stones(shape: Shape, stones: &[(Side, Cell)], plies: usize) -> Position {
        let mut position = Position::new(shape);
        for &(side, cell) in stones {
            position.board.place(cell, side);
        }
        position.complete(stones.len(), plies);
        position
    }

    /// Sets what follows from the stones.
    fn complete(&mut self, stones: usize, plies: usize) {
        self.state.hashes = self.recomputed_hashes();
        self.state.stones = stones as u16;
        self.state.ply = plies as u16;
        if self.empty_cells() == 0 {
            self.state.outcome = Some(Outcome::Draw);
        }
    }

    /// The same position under the swap rule: Black may answer White's first stone by taking it over.
    #[must_use]
    pub fn under_swap_rule(mut self) -> Position {
        self.state.swap_rule = true;
        self
    }

    /// The stones and their groups.
    #[inline]
    pub fn board(&self) -> &Board {
        &self.board
    }

    /// The board's geometry.
    #[inline]
    pub fn geometry(&self) -> &'static Geometry {
        self.board.geometry()
    }

    /// The move that led here.
    #[inline]
    pub fn last_move(&self) -> Option<Move> {
        self.state.last
    }

    /// What the last stone completed, in a game that is won.
    #[inline]
    pub fn structure(&self) -> Option<Structure> {
        self.state.structure
    }

    /// Whether the game is played with the swap rule.
    #[inline]
    pub fn swap_rule(&self) -> bool {
        self.state.swap_rule
    }

    /// Whether Black may swap now.
    #[inline]
    pub fn can_swap(&self) -> bool {
        self.state.swap_rule && self.state.ply == 1
    }

    /// The number of cells without a stone.
    #[inline]
    pub fn empty_cells(&self) -> usize {
        self.geometry().cells().len() - usize::from(self.state.stones)
    }

    /// What the position's stones do not tell: whose turn it is, and whether a swap is possible.
    fn hash_of_turn(&self) -> u64 {
        let turn = match self.to_move() {
            Side::White => 0,
            Side::Black => random::mix(u64::MAX),
        };
        turn ^ if self.can_swap() {
            random::mix(u64::MAX - 1)
        } else {
            0
        }
    }

    /// Gives the only stone to Black.
    fn swap(&mut self) {
        let mut board = Board::new(self.geometry());
        if let Some(Move::Place(first)) = self.state.last {
            board.place(first, Side::Black);
            self.state
                .hashes
                .toggle(self.geometry(), first, Side::White);
            self.state
                .hashes
                .toggle(self.geometry(), first, Side::Black);
        }
        self.board = board;
    }

    /// The hashes of the stones under each symmetry, computed anew.
    fn recomputed_hashes(&self) -> Hashes {
        let mut hashes = Hashes::default();
        for &cell in self.geometry().cells() {
            if let Some(side) = self.board.stone(cell) {
                hashes.toggle(self.geometry(), cell, side);
            }
        }
        hashes
    }
}

impl Game for Position {
    type Move = Move;
    type Illegal = Illegal;
    const NAME: &'static str = "havannah";

    #[inline]
    fn to_move(&self) -> Side {
        Side::BOTH[usize::from(self.state.ply % 2)]
    }

    #[inline]
    fn outcome(&self) -> Option<Outcome> {
        self.state.outcome
    }

    #[inline]
    fn ply(&self) -> usize {
        self.state.ply.into()
    }

    fn legal_moves(&self, moves: &mut Vec<Move>) {
        if self.state.outcome.is_some() {
            return;
        }
        let cells = self.geometry().cells().iter().copied();
        moves.extend(
            cells
                .filter(|&cell| self.board.is_empty(cell))
                .map(Move::Place),
        );
        if self.can_swap() {
            moves.push(Move::Swap);
        }
    }

    fn check(&self, mv: Move) -> Result<(), Illegal> {
        if self.state.outcome.is_some() {
            return Err(Illegal::Over);
        }
        match mv {
            Move::Place(cell) if !self.geometry().contains(cell) => Err(Illegal::OffBoard),
            Move::Place(cell) => match self.board.stone(cell) {
                Some(side) => Err(Illegal::Occupied(side)),
                None => Ok(()),
            },
            Move::Swap if !self.state.swap_rule => Err(Illegal::NoSwapRule),
            Move::Swap if self.state.ply != 1 => Err(Illegal::TooLateToSwap),
            Move::Swap => Ok(()),
        }
    }

    fn play_unchecked(&mut self, mv: Move) {
        let side = self.to_move();
        match mv {
            Move::Swap => self.swap(),
            Move::Place(cell) => {
                self.state.structure = self.board.place(cell, side);
                self.state.hashes.toggle(self.geometry(), cell, side);
                self.state.stones += 1;
                if self.state.structure.is_some() {
                    self.state.outcome = Some(Outcome::Win(side));
                } else if self.empty_cells() == 0 {
                    self.state.outcome = Some(Outcome::Draw);
                }
            }
        }
        self.state.last = Some(mv);
        self.state.ply += 1;
    }

    #[inline]
    fn hash(&self) -> u64 {
        self.state.hashes.identity() ^ self.hash_of_turn()
    }

    fn recomputed_hash(&self) -> u64 {
        self.recomputed_hashes().identity() ^ self.hash_of_turn()
    }

    /// Draws cells until one is empty: a board is rarely so full that this takes long.
    fn random_move(&self, rng: &mut Rng) -> Option<Move> {
        if self.state.outcome.is_some() {
            return None;
        }
        let cells = self.geometry().cells();
        let swaps = u32::from(self.can_swap());
        loop {
            let drawn = random::below(cells.len() as u32 + swaps, rng) as usize;
            match cells.get(drawn) {
                None => return Some(Move::Swap),
                Some(&cell) if self.board.is_empty(cell) => return Some(Move::Place(cell)),
                Some(_) => {}
            }
        }
    }
}

impl Symmetric for Position {
    fn symmetries(&self) -> usize {
        self.geometry().symmetries().count()
    }

    fn inverse(&self, symmetry: usize) -> usize {
        self.geometry().symmetries().inverse(symmetry)
    }

    fn transformed(&self, symmetry: usize) -> Position {
        let mut board = Board::new(self.geometry());
        for &cell in self.geometry().cells() {
            if let Some(side) = self.board.stone(cell) {
                board.place(self.geometry().symmetries().shown(symmetry, cell), side);
            }
        }
        let mut shown = Position {
            board,
            state: self.state,
        };
        shown.state.last = self
            .state
            .last
            .map(|mv| self.transformed_move(symmetry, mv));
        shown.state.hashes = shown.recomputed_hashes();
        shown
    }

    fn transformed_move(&self, symmetry: usize, mv: Move) -> Move {
        match mv {
            Move::Place(cell) => Move::Place(self.geometry().symmetries().shown(symmetry, cell)),
            Move::Swap => Move::Swap,
        }
    }

    fn representative_hash(&self) -> u64 {
        self.state.hashes.smallest() ^ self.hash_of_turn()
    }
}

impl Clone for Position {
    fn clone(&self) -> Position {
        Position {
            board: self.board.clone(),
            state: self.state,
        }
    }

    /// Does not allocate if both boards have the same shape.
    #[inline]
    fn clone_from(&mut self, source: &Position) {
        self.board.clone_from(&source.board);
        self.state = source.state;
    }
}

/// Positions are equal if they go on in the same way: the same stones, turn, and right to swap.
impl PartialEq for Position {
    fn eq(&self, other: &Position) -> bool {
        self.board == other.board
            && self.to_move() == other.to_move()
            && self.can_swap() == other.can_swap()
            && self.state.outcome == other.state.outcome
    }
}

impl Eq for Position {}
