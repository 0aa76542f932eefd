//! Havannah positions as the checker tells them apart.

mod judge;

use crate::{Dialect, Move, Position};
use ::certificate::{Judgement, Promise, Provable};
use game::{Game, Notation, Symmetric};

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

impl Provable for Position {
    type Key = Key;

    fn key(&self) -> Key {
        if !self.shares_key() {
            return key(self);
        }
        let shown = (1..self.views()).map(|view| key(&self.in_view(view)));
        shown.fold(key(self), Ord::min)
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
