//! What can be seen in a position without a search: threats and distances.

use crate::knowledge::distance::Distances;
use crate::{Dialect, Move, Position};
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
        empty().map(|cell| distances.to_win(cell)).collect()
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
