//! The rules.

use crate::notation::name;
use game::random::mix;
use game::{Game, Outcome, Packed, Side};
use thiserror::Error;

/// The cells of the largest board, and behind them its edges: top, bottom, left, right.
const CELLS: usize = 19 * 19;

/// A move. A cell is its column and its row, both from 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Move {
    /// Puts a stone on a cell.
    Place(u8, u8),
    /// Takes over Black's first stone, mirrored on the long diagonal: there it is for White what it was
    /// for Black.
    Swap,
}

impl Packed for Move {
    fn pack(self) -> u32 {
        match self {
            Move::Place(x, y) => (x, y).pack(),
            Move::Swap => (u8::MAX, 0).pack(),
        }
    }

    fn unpack(packed: u32) -> Move {
        match Packed::unpack(packed) {
            (u8::MAX, _) => Move::Swap,
            (x, y) => Move::Place(x, y),
        }
    }
}

/// Why a move is not legal.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum Illegal {
    /// The game is over.
    #[error("the game is over")]
    Over,
    /// There is no such cell.
    #[error("the board has no such cell")]
    NoCell,
    /// There is a stone.
    #[error("the cell holds a {0} stone already")]
    Occupied(Side),
    /// The swap rule does not hold, or it is not the second move.
    #[error("a swap is only possible under the swap rule, as the second move")]
    NoSwap,
}

/// A position of Hex.
#[derive(Clone, Debug)]
pub struct Position {
    size: u8,
    swap_rule: bool,
    to_move: Side,
    ply: u16,
    last: Option<Move>,
    winner: Option<Side>,
    hash: u64,
    stones: [Option<Side>; CELLS],
    /// Stones of one chain lead to one of them, and chains that touch their own edges to the edge.
    chains: [u16; CELLS + 4],
}

impl Position {
    /// The empty board of a size, with or without the swap rule; `None` if a side is not from 3 to 19.
    pub fn new(size: u8, swap_rule: bool) -> Option<Position> {
        if !(3..=19).contains(&size) {
            return None;
        }
        let mut position = Position {
            size,
            swap_rule,
            to_move: Side::Black,
            ply: 0,
            last: None,
            winner: None,
            hash: 0,
            stones: [None; CELLS],
            chains: std::array::from_fn(|index| index as u16),
        };
        position.hash = position.recomputed_hash();
        Some(position)
    }

    /// The same board with these stones, as if that many moves had been played.
    ///
    /// # Errors
    /// If two stones are on one cell, a side has joined its edges, or the swap rule holds; the message says which.
    pub(crate) fn with_stones(
        &self,
        stones: &[(Side, (u8, u8))],
        turn: Side,
        plies: usize,
    ) -> Result<Position, String> {
        if self.swap_rule {
            return Err(
                "a position that is set up has no swap rule: it is about the first stone of a game"
                    .to_owned(),
            );
        }
        let mut position = Position::new(self.size, false).ok_or("no such board")?;
        for &(side, (x, y)) in stones {
            if position.stone(x, y).is_some() {
                return Err(format!("there are two stones on {}", name(x, y)));
            }
            position.to_move = side;
            position.place(x, y);
            if let Some(winner) = position.winner {
                return Err(format!(
                    "{winner} has joined its edges already, with the stone on {}: the game is over",
                    name(x, y)
                ));
            }
        }
        position.to_move = turn;
        position.ply = plies as u16;
        position.hash = position.recomputed_hash();
        Ok(position)
    }

    /// Rows and columns.
    pub fn size(&self) -> u8 {
        self.size
    }

    /// The stone on a cell of the board.
    pub fn stone(&self, x: u8, y: u8) -> Option<Side> {
        self.stones[self.index(x, y)]
    }

    /// The move that led here.
    pub fn last_move(&self) -> Option<Move> {
        self.last
    }

    /// Every cell, row by row.
    pub fn cells(&self) -> impl Iterator<Item = (u8, u8)> + use<> {
        let size = self.size;
        (0..size).flat_map(move |y| (0..size).map(move |x| (x, y)))
    }

    /// The cells of the chain that has won.
    pub fn winning_chain(&self) -> Vec<(u8, u8)> {
        let Some(winner) = self.winner else {
            return Vec::new();
        };
        let root = self.root(edges(winner)[0]);
        let in_chain = |&(x, y): &(u8, u8)| self.root(self.index(x, y)) == root;
        self.cells().filter(in_chain).collect()
    }

    /// Whether a swap is or will be possible.
    fn swaps(&self) -> bool {
        self.swap_rule && self.ply <= 1
    }

    pub(crate) fn can_swap(&self) -> bool {
        self.swap_rule && self.ply == 1
    }

    pub(crate) fn index(&self, x: u8, y: u8) -> usize {
        usize::from(y) * usize::from(self.size) + usize::from(x)
    }

    fn root(&self, mut index: usize) -> usize {
        while usize::from(self.chains[index]) != index {
            index = self.chains[index].into();
        }
        index
    }

    fn join(&mut self, first: usize, second: usize) {
        let (first, second) = (self.root(first), self.root(second));
        // The larger number stays, so that edges are where chains lead to and ways are short.
        self.chains[first.min(second)] = first.max(second) as u16;
    }

    fn place(&mut self, x: u8, y: u8) {
        let (side, here, last) = (self.to_move, self.index(x, y), self.size - 1);
        self.stones[here] = Some(side);
        self.hash ^= key(x, y, side);
        for (dx, dy) in [(-1, 0), (1, 0), (0, -1), (0, 1), (1, -1), (-1, 1)] {
            let (Some(x), Some(y)) = (x.checked_add_signed(dx), y.checked_add_signed(dy)) else {
                continue;
            };
            if x <= last && y <= last && self.stone(x, y) == Some(side) {
                self.join(here, self.index(x, y));
            }
        }
        let [begin, end] = edges(side);
        let along = if side == Side::Black { y } else { x };
        if along == 0 {
            self.join(here, begin);
        }
        if along == last {
            self.join(here, end);
        }
        if self.root(begin) == self.root(end) {
            self.winner = Some(side);
        }
    }

    pub(crate) fn empty(&self) -> impl Iterator<Item = (u8, u8)> {
        self.cells().filter(|&(x, y)| self.stone(x, y).is_none())
    }

    fn placed(&self) -> impl Iterator<Item = (u8, u8, Side)> {
        self.cells()
            .filter_map(|(x, y)| Some((x, y, self.stone(x, y)?)))
    }
}

/// The edges that a side joins.
const fn edges(side: Side) -> [usize; 2] {
    match side {
        Side::Black => [CELLS, CELLS + 1],
        Side::White => [CELLS + 2, CELLS + 3],
    }
}

fn key(x: u8, y: u8, side: Side) -> u64 {
    mix(u64::from(x) << 16 | u64::from(y) << 8 | (side as u64 + 1))
}

impl Game for Position {
    type Move = Move;
    type Illegal = Illegal;
    const NAME: &'static str = "hex";

    fn to_move(&self) -> Side {
        self.to_move
    }

    fn outcome(&self) -> Option<Outcome> {
        self.winner.map(Outcome::Win)
    }

    fn ply(&self) -> usize {
        self.ply.into()
    }

    fn legal_moves(&self, moves: &mut Vec<Move>) {
        if self.winner.is_some() {
            return;
        }
        moves.extend(self.empty().map(|(x, y)| Move::Place(x, y)));
        moves.extend(self.can_swap().then_some(Move::Swap));
    }

    fn check(&self, mv: Move) -> Result<(), Illegal> {
        match mv {
            _ if self.winner.is_some() => Err(Illegal::Over),
            Move::Swap if self.can_swap() => Ok(()),
            Move::Swap => Err(Illegal::NoSwap),
            Move::Place(x, y) if x.max(y) >= self.size => Err(Illegal::NoCell),
            Move::Place(x, y) => self
                .stone(x, y)
                .map_or(Ok(()), |side| Err(Illegal::Occupied(side))),
        }
    }

    fn play_unchecked(&mut self, mv: Move) {
        match mv {
            Move::Place(x, y) => self.place(x, y),
            Move::Swap => {
                let first = self.placed().next();
                if let Some((x, y, _)) = first {
                    self.stones[self.index(x, y)] = None;
                    self.chains = std::array::from_fn(|index| index as u16);
                    self.place(y, x);
                }
            }
        }
        self.to_move = !self.to_move;
        self.ply += 1;
        self.last = Some(mv);
        self.hash = if self.ply <= 2 {
            self.recomputed_hash()
        } else {
            self.hash ^ mix(0)
        };
    }

    fn hash(&self) -> u64 {
        self.hash
    }

    fn recomputed_hash(&self) -> u64 {
        let stones = self
            .placed()
            .fold(0, |hash, (x, y, side)| hash ^ key(x, y, side));
        let turn = u64::from(self.to_move != Side::Black) * mix(0);
        let swap = u64::from(self.swaps()) * mix(1 << 24);
        stones ^ turn ^ swap ^ mix(u64::from(self.size) << 32)
    }
}

/// Positions are equal if the game goes on in the same way.
impl PartialEq for Position {
    fn eq(&self, other: &Position) -> bool {
        (self.size, self.to_move, self.swaps()) == (other.size, other.to_move, other.swaps())
            && self.stones == other.stones
    }
}
