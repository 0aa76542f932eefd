//! Which stones have won a game of Havannah.

use havannah::rules::rings::{RingSearch, WantedRing};
use havannah::{Cell, Move, Position, Structure};

/// The stones of the structure that the last move completed: of a ring the closed chain, of a fork or
/// a bridge the whole group. None while the game goes on or if it is drawn.
pub fn winning_stones(position: &Position) -> Vec<Cell> {
    let board = position.board();
    let (Some(structure), Some(Move::Place(last))) = (position.structure(), position.last_move())
    else {
        return Vec::new();
    };
    if structure == Structure::Ring {
        let mut search = RingSearch::default();
        if let Some(ring) = search.find(board, last, WantedRing::ANY) {
            return ring.to_vec();
        }
    }
    let cells = position.geometry().cells().iter().copied();
    cells.filter(|&cell| board.same_group(cell, last)).collect()
}
