//! What learning sees of a position: which weights count, and how much.

use super::features::{FEATURES, Features, fullness};
use super::jumps::Jumps;
use super::network::{self, Seen, VIEWS};
use super::patterns::{Pattern, Windows, parts};
use crate::jump_masks::JumpGeometry;
use crate::rules::{Bits, Known};
use crate::{Position, Shape};
use game::{Game, Side};

/// The words of the largest board.
const WORDS: usize = 7;

/// What counts in a position, from the point of view of the side to move.
#[derive(Clone, Debug, PartialEq)]
pub struct Inputs {
    /// The part of the cells that is full.
    pub fullness: f32,
    /// [`Features::counts`] of the side to move and of its opponent.
    pub counts: [[u32; FEATURES]; 2],
    /// The patterns of the windows.
    pub patterns: Vec<Pattern>,
    /// How much the two weights of each pattern count.
    pub parts: [f32; 2],
    /// The rows of the network that are added up, in each view.
    pub rows: Vec<[u16; VIEWS]>,
}

/// Finds the inputs of positions on boards of one shape.
#[derive(Debug)]
pub struct Reader {
    ground: JumpGeometry<WORDS>,
    windows: Windows,
    /// By [`Side::index`] of the side to move, then set and cell.
    rows: [Vec<[u16; VIEWS]>; 2],
}

impl Reader {
    /// For boards of this shape.
    pub fn new(shape: Shape) -> Reader {
        Reader {
            ground: JumpGeometry::new(shape),
            windows: Windows::new(shape),
            rows: Side::BOTH.map(|side| network::rows(shape, side)),
        }
    }

    /// The inputs of a position.
    pub fn inputs(&self, position: &Position) -> Inputs {
        let side = position.to_move();
        let mut words = [0; WORDS];
        match position.board().known() {
            Known::One(board) => words[..1].copy_from_slice(&board.occupied().words()),
            Known::Seven(board) => words.copy_from_slice(&board.occupied().words()),
        }
        let stones = Bits::from_words(words);
        let jumps = Jumps::of(&self.ground, stones);
        let features = Features::of(&self.ground, stones, &jumps);
        let cells = self.ground.shape.area();
        let fullness = fullness(features.stones, features.cells);
        let Seen(sets) = Seen::of(stones, &jumps);
        let mut rows = Vec::new();
        for (set, of_set) in sets.iter().zip(self.rows[side.index()].chunks(cells)) {
            set.for_each(|cell| rows.push(of_set[cell]));
        }
        Inputs {
            fullness: fullness as f32 / 256.0,
            counts: [side, !side].map(|side| features.counts[side.index()]),
            patterns: self.windows.patterns(stones, side),
            parts: parts(fullness),
            rows,
        }
    }
}
