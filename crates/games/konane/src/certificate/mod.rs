//! Kōnane positions as the checker tells them apart, and how a certificate names their start.

use crate::{AnyBitBoard, Board, Move, Opening, Position, Setup, Shape, Stage, Start};
use ::certificate::{Candidate, Provable, Record};
use game::{Game, Side};
use std::slice;

/// The stones row by row, the side to move and the stage of the game.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Key {
    /// Boards of up to 64 cells.
    Small(u64, u16),
    /// Larger boards.
    Large(Box<[u64]>, u16),
}

impl Record for Key {
    fn put(&self, bytes: &mut Vec<u8>) {
        let (words, state) = match self {
            Key::Small(word, state) => (slice::from_ref(word), state),
            Key::Large(words, state) => (&words[..], state),
        };
        bytes.extend(words.iter().flat_map(|word| word.to_be_bytes()));
        bytes.extend(state.to_be_bytes());
    }

    fn take(bytes: &[u8]) -> Key {
        let (words, state) = bytes.split_at(bytes.len().saturating_sub(2));
        let number = |bytes: &[u8]| {
            bytes
                .iter()
                .fold(0, |all, &byte| all << 8 | u64::from(byte))
        };
        let words: Vec<u64> = words.chunks(8).map(number).collect();
        let state = number(state) as u16;
        match words[..] {
            [word] => Key::Small(word, state),
            _ => Key::Large(words.into_boxed_slice(), state),
        }
    }
}

impl Provable for Position {
    type Key = Key;

    fn key(&self) -> Key {
        let shape = self.shape();
        let mut words = vec![0; shape.area().div_ceil(64)];
        for (index, cell) in shape.cells().enumerate() {
            if self.board().stone(cell).is_some() {
                words[index / 64] |= bit(index);
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

    fn of_key(&self, key: &Key) -> Position {
        let (words, state) = match key {
            Key::Small(word, state) => (slice::from_ref(word), state),
            Key::Large(words, state) => (&words[..], state),
        };
        let shape = self.shape();
        let has_stone = |cell| {
            let index = shape.index(cell);
            words[index / 64] & bit(index) != 0
        };
        let to_move = if state & 1 == 1 {
            Side::Black
        } else {
            Side::White
        };
        let stage = match state >> 1 {
            0 => Stage::Jumping,
            1 => Stage::BlackRemoves { anywhere: false },
            2 => Stage::BlackRemoves { anywhere: true },
            beside => {
                let mut cells = shape.cells();
                let beside = cells.nth(usize::from(beside) - 3);
                beside.map_or(Stage::Jumping, |beside| Stage::WhiteRemoves { beside })
            }
        };
        Position::with(AnyBitBoard::new(shape, has_stone), to_move, stage)
    }

    fn progress(&self) -> u32 {
        let stones: u32 = Side::BOTH
            .map(|side| self.board().pieces(side))
            .iter()
            .sum();
        self.shape().area() as u32 - stones
    }

    fn described(&self) -> String {
        let of = |side: Side| {
            let own = self
                .shape()
                .cells()
                .filter(|&cell| self.board().stone(cell) == Some(side));
            own.fold(side.to_string(), |text, cell| format!("{text} {cell}"))
        };
        let [white, black] = Side::BOTH.map(of);
        format!("{white}, {black} and {} to move", self.to_move())
    }

    /// The fewer jumps the other side has after a move, the likelier the move.
    fn candidates(&self) -> Vec<Candidate<Position>> {
        let mut legal = Vec::new();
        self.legal_moves(&mut legal);
        legal.sort_unstable();
        let own = self.to_move();
        let candidate = |mv| {
            let mut after = self.clone();
            after.play_unchecked(mv);
            (after.board().moves(!own).min(u32::from(u8::MAX)) as u8, mv)
        };
        legal.into_iter().map(candidate).collect()
    }

    fn name(&self, mv: Move) -> String {
        mv.to_string()
    }
}

/// The bit of a cell in its word: keys are in the order of their first cells.
const fn bit(index: usize) -> u64 {
    1 << (63 - index % 64)
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
