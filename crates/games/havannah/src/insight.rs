//! What can be seen in a position without a search: threats and distances.

use crate::knowledge::distance::Distances;
use crate::{Cell, Dialect, Move, Position};
use engine::Insight;
use game::{Game, Notation, Side};

pub(crate) fn insight(position: &Position, dialect: Dialect) -> Insight {
    if position.outcome().is_some() {
        return Insight::default();
    }
    let (board, side) = (position.board(), position.to_move());
    let name = |cell| position.write_move(Move::Place(cell), dialect);
    let cells = || position.geometry().cells().iter().copied();
    let empty = || cells().filter(|&cell| board.is_empty(cell));
    let completing = |side: Side| {
        let cells = empty().filter(move |&cell| board.completes(cell, side).is_some());
        cells.map(name).collect()
    };
    let mut distances = Distances::new(position.geometry());
    let mut of = |side: Side| -> Vec<Option<u32>> {
        distances.compute(board, side);
        let known = |cell| distances.to_win(cell);
        empty()
            .map(|cell| match stones_to_complete(position, side, cell) {
                Some(stones) => Some(known(cell).map_or(stones, |known| known.min(stones))),
                None => known(cell),
            })
            .collect()
    };
    let (white, black) = (of(Side::White), of(Side::Black));
    let both = empty().zip(white.into_iter().zip(black));
    Insight {
        winning: completing(side),
        must_block: completing(!side),
        distances: both
            .map(|(cell, (white, black))| (name(cell), white, black))
            .collect(),
        ..Insight::default()
    }
}

/// 1 if a stone on a cell completes something, 2 if one more stone after it does that could not before; rings
/// included, which [`Distances`] does not know.
fn stones_to_complete(position: &Position, side: Side, cell: Cell) -> Option<u32> {
    let board = position.board();
    if board.completes(cell, side).is_some() {
        return Some(1);
    }
    let mut after = board.clone();
    after.place(cell, side);
    let cells = position.geometry().cells().iter().copied();
    let mut empty = cells.filter(|&other| after.is_empty(other));
    empty
        .any(|other| {
            after.completes(other, side).is_some() && board.completes(other, side).is_none()
        })
        .then_some(2)
}
