//! The keys of the incremental hash (Zobrist, "A new hashing method with application for game playing",
//! 1970): the hash of a position is the exclusive or of the keys of all that decides how the game goes on.
//! They do not depend on the kind of board, so equal positions have the same hash on all boards.

use super::{Cell, Shape, Stage};
use game::Side;
use game::random::mix;

/// What the numbers of the keys begin with, so that no two kinds of key share a number.
const SHAPES: u64 = 1 << 32;
const STAGES: u64 = 2 << 32;
const SIDES: u64 = 3 << 32;
const STONES: u64 = 4 << 32;

/// The key of a stone; which colour it has follows from its cell.
#[inline]
pub(super) fn stone(cell: Cell) -> u64 {
    STONE_KEYS[cell.number()]
}

static STONE_KEYS: [u64; Cell::NUMBERS] = {
    let mut keys = [0; Cell::NUMBERS];
    let mut index = 0;
    while index < keys.len() {
        keys[index] = mix(STONES + index as u64);
        index += 1;
    }
    keys
};

/// What a change of turn changes.
pub(super) const TURN: u64 = mix(SIDES);

/// The key of the side to move.
pub(super) fn side(to_move: Side) -> u64 {
    match to_move {
        Side::White => TURN,
        Side::Black => 0,
    }
}

/// The key of the stage of the game. Where Black removed a stone is the only empty cell then, and needs
/// no key of its own.
pub(super) fn stage(stage: Stage) -> u64 {
    match stage {
        Stage::BlackRemoves { anywhere: false } => mix(STAGES),
        Stage::BlackRemoves { anywhere: true } => mix(STAGES + 1),
        Stage::WhiteRemoves { .. } => mix(STAGES + 2),
        Stage::Jumping => 0,
    }
}

/// The key of the shape.
pub(super) fn shape(shape: Shape) -> u64 {
    mix(SHAPES + shape.last().number() as u64)
}
