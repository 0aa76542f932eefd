//! Havannah positions as the checker tells them apart.

mod judge;

use crate::{Cell, Dialect, Move, Position};
use ::certificate::{Candidate, Judgement, Promise, Provable, Record};
use game::{Game, Notation, Side, Symmetric};

/// All stones of a board, the turn, and whether a swap is possible.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Key {
    /// Boards up to 62 cells: two bits a cell.
    Small(u128),
    /// Larger boards: a byte a cell.
    Large(Box<[u8]>),
}

/// With so few stones, symmetric positions share a key.
const SYMMETRIC_STONES: usize = 5;

impl Record for Key {
    fn put(&self, bytes: &mut Vec<u8>) {
        match self {
            Key::Small(stones) => bytes.extend(stones.to_be_bytes()),
            Key::Large(stones) => bytes.extend(stones),
        }
    }

    fn take(bytes: &[u8]) -> Key {
        // A board with so few cells has a small key.
        match bytes.try_into() {
            Ok(stones) => Key::Small(u128::from_be_bytes(stones)),
            Err(_) => Key::Large(bytes.into()),
        }
    }
}

impl Provable for Position {
    type Key = Key;

    fn key(&self) -> Key {
        if !self.shares_key() {
            return key(self);
        }
        let shown = (1..self.views()).map(|view| key(&self.in_view(view)));
        shown.fold(key(self), Ord::min)
    }

    fn of_key(&self, key: &Key) -> Position {
        let cells = self.geometry().cells();
        let part = |place: usize| match key {
            Key::Small(parts) => (parts >> (2 * (cells.len() - place)) & 3) as u8,
            Key::Large(parts) => parts.get(place).copied().unwrap_or(0),
        };
        let side = |part| match part {
            1 => Some(Side::White),
            2 => Some(Side::Black),
            _ => None,
        };
        let stones = cells.iter().zip(0..);
        let stones = stones.filter_map(|(&cell, place)| Some((side(part(place))?, cell)));
        let stones: Vec<(Side, Cell)> = stones.collect();
        let turn = part(cells.len());
        let is_odd = usize::from(turn & 1);
        let plies = stones.len() + usize::from(stones.len() % 2 != is_odd);
        let of_key = Position::of_stones(self.geometry().shape(), &stones, plies);
        if turn & 2 == 0 {
            of_key
        } else {
            of_key.under_swap_rule()
        }
    }

    fn progress(&self) -> u32 {
        (self.geometry().cells().len() - self.empty_cells()) as u32
    }

    fn described(&self) -> String {
        let cells = self.geometry().cells().iter().copied();
        let of = |side: Side| {
            let own = cells
                .clone()
                .filter(|&cell| self.board().stone(cell) == Some(side));
            own.fold(side.to_string(), |text, cell| {
                text + " " + &self.name(Move::Place(cell))
            })
        };
        let [white, black] = Side::BOTH.map(of);
        format!("{white}, {black} and {} to move", self.to_move())
    }

    fn candidates(&self) -> Vec<Candidate<Position>> {
        judge::candidates(self)
    }

    fn judge_and_list(&self, promise: Promise) -> (Judgement<Move>, Vec<Candidate<Position>>) {
        judge::judge_and_list(self, promise)
    }

    fn shares_key(&self) -> bool {
        self.geometry().cells().len() - self.empty_cells() <= SYMMETRIC_STONES
    }

    fn is_same(&self, other: &Position) -> bool {
        key(self) == key(other)
    }

    fn views(&self) -> usize {
        self.symmetries()
    }

    fn in_view(&self, view: usize) -> Position {
        self.transformed(view)
    }

    fn move_from_view(&self, view: usize, mv: Move) -> Move {
        self.transformed_move(self.inverse(view), mv)
    }

    fn name(&self, mv: Move) -> String {
        self.write_move(mv, Dialect::Grid)
    }

    fn judge(&self, promise: Promise) -> Judgement<Move> {
        judge::judge(self, promise)
    }
}

fn key(position: &Position) -> Key {
    let cells = position.geometry().cells();
    let stone = |&cell| {
        position
            .board()
            .stone(cell)
            .map_or(0, |side| side as u8 + 1)
    };
    let turn = position.to_move() as u8 | u8::from(position.can_swap()) << 1;
    let parts = cells.iter().map(stone).chain([turn]);
    if cells.len() <= 62 {
        Key::Small(parts.fold(0, |key, part| key << 2 | u128::from(part)))
    } else {
        Key::Large(parts.collect())
    }
}
