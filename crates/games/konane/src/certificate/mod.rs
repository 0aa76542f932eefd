//! Kōnane positions as the checker tells them apart, and how a certificate names their start.

use crate::{Board, Move, Opening, Position, Setup, Shape, Stage, Start};
use ::certificate::Provable;
use game::{Game, Side};

/// The stones row by row, the side to move and the stage of the game.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Key {
    /// Boards of up to 64 cells.
    Small(u64, u16),
    /// Larger boards.
    Large(Box<[u64]>, u16),
}

impl Provable for Position {
    type Key = Key;

    fn key(&self) -> Key {
        let shape = self.shape();
        let mut words = vec![0; shape.area().div_ceil(64)];
        for (index, cell) in shape.cells().enumerate() {
            if self.board().stone(cell).is_some() {
                words[index / 64] |= 1 << (index % 64);
            }
        }
        let stage = match self.stage() {
            Stage::Jumping => 0,
            Stage::BlackRemoves { anywhere: false } => 1,
            Stage::BlackRemoves { anywhere: true } => 2,
            Stage::WhiteRemoves { beside } => 3 + shape.index(beside) as u16,
        };
        let state = stage << 1 | u16::from(self.to_move() == Side::Black);
        match words[..] {
            [word] => Key::Small(word, state),
            _ => Key::Large(words.into_boxed_slice(), state),
        }
    }

    fn name(&self, mv: Move) -> String {
        mv.to_string()
    }
}

/// A start as the line `board` of a certificate names it: rows, columns, and the opening, which is
/// `traditional`, `any` or a pair that is removed already: `6x7 corner`, `8x8 any`.
pub fn board_name(start: &Start) -> String {
    let opening = match start.opening {
        Opening::Traditional => "traditional".to_owned(),
        Opening::AnyStone => "any".to_owned(),
        Opening::Removed(setup) => setup.to_string(),
    };
    format!("{}x{} {opening}", start.shape.rows(), start.shape.cols())
}

/// The start of a name; `None` if it is no name. The name of a start may be another one: `06x7 Any` is a name of
/// that of `6x7 any`.
pub fn named_start(name: &str) -> Option<Start> {
    let (shape, opening) = name.split_once(' ')?;
    let (rows, cols) = shape.split_once('x')?;
    let shape = Shape::new(rows.parse().ok()?, cols.parse().ok()?).ok()?;
    let opening = match opening {
        "traditional" => Opening::Traditional,
        "any" => Opening::AnyStone,
        setup => Opening::Removed(setup.parse::<Setup>().ok()?),
    };
    Some(Start { shape, opening })
}
