//! What can be seen in a position without a search: threats and distances.

use crate::knowledge::distance::Distances;
use crate::knowledge::first_stones::first_stones;
use crate::knowledge::network::{Network, Shipped, Weights};
use crate::{Cell, Dialect, Move, Position};
use engine::{FirstStone, Insight, LikelyMove, Opinion};
use game::{Game, Notation, Side};
use std::sync::Arc;

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
    let weights = shipped_for(position).weights();
    Insight {
        winning: completing(side),
        must_block: completing(!side),
        distances: both
            .map(|(cell, (white, black))| (name(cell), white, black))
            .collect(),
        network: Some(opinion(position, weights, dialect)),
        first_stones: first_stones_of(position, dialect),
        ..Insight::default()
    }
}

/// What first stones are worth, before the first and after it.
fn first_stones_of(position: &Position, dialect: Dialect) -> Vec<FirstStone> {
    let geometry = position.geometry();
    if geometry.cells().len() > position.empty_cells() + 1 {
        return Vec::new();
    }
    let known = first_stones(&Position::new(geometry.shape()));
    let told = known.into_iter().map(|stone| FirstStone {
        cell: position.write_move(Move::Place(stone.cell), dialect),
        score: stone.score,
        evidence: stone.evidence,
    });
    told.collect()
}

/// The weights that the program brings for the board of a position; one evaluation may take long.
pub(crate) fn shipped_for(position: &Position) -> Shipped {
    Shipped::for_long_searches(position.geometry().shape().size())
}

/// What a network says of a position, which is not over.
pub(crate) fn opinion(position: &Position, weights: Arc<Weights>, dialect: Dialect) -> Opinion {
    let geometry = position.geometry();
    let mut probabilities = vec![0.0; geometry.grid()];
    let value = Network::new(geometry, weights).judge(position, &mut probabilities);
    let cells = geometry.cells().iter().copied();
    let empty = cells.filter(|&cell| position.board().is_empty(cell));
    let mut moves: Vec<LikelyMove> = empty
        .map(|cell| LikelyMove {
            mv: position.write_move(Move::Place(cell), dialect),
            probability: probabilities[cell.index()].into(),
        })
        .collect();
    moves.sort_by(|one, other| other.probability.total_cmp(&one.probability));
    Opinion {
        value: value.into(),
        moves,
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

#[cfg(test)]
mod tests {
    use super::*;
    use engine::{BoardOptions, Playable};
    use game::random;
    use std::path::Path;

    #[test]
    fn a_network_tells_of_each_cell_once() {
        let mut rng = random::seeded(1);
        for size in ["2", "3x4x4", "5", "10", "20"] {
            let mut position = Position::start(&BoardOptions::sized(size)).expect("a board");
            for _ in 0..5 {
                if position.outcome().is_some() {
                    break;
                }
                let opinion = position.opinion(None, Dialect::Row);
                let opinion = opinion.expect("weights").expect("a network");
                assert!((0.0..=1.0).contains(&opinion.value), "{size}: {opinion:?}");
                let sum: f64 = opinion.moves.iter().map(|likely| likely.probability).sum();
                assert!((sum - 1.0).abs() < 1e-4, "{size}: {sum}");
                assert!(
                    opinion
                        .moves
                        .is_sorted_by(|one, other| one.probability >= other.probability)
                );
                let mut told: Vec<_> = opinion.moves.into_iter().map(|likely| likely.mv).collect();
                told.sort();
                let cells = position.geometry().cells().iter();
                let empty = cells.filter(|&&cell| position.board().is_empty(cell));
                let mut names: Vec<_> = empty
                    .map(|&cell| position.write_move(Move::Place(cell), Dialect::Row))
                    .collect();
                names.sort();
                assert_eq!(told, names);
                let mv = position.random_move(&mut rng).expect("a move");
                position.play(mv);
            }
        }
    }

    #[test]
    fn weights_that_are_not_there_are_named() {
        let start = Position::start(&BoardOptions::sized("3")).expect("a board");
        let refused = start.opinion(Some(Path::new("no/such.weights")), Dialect::Grid);
        assert!(
            refused
                .expect_err("no file")
                .starts_with("no/such.weights cannot be read: ")
        );
    }

    #[test]
    fn weights_have_the_names_of_the_parameter() {
        let start = Position::start(&BoardOptions::sized("5")).expect("a board");
        let told = |weights: Option<&str>| {
            let opinion = start.opinion(weights.map(Path::new), Dialect::Grid);
            opinion
                .expect("weights")
                .expect("a network")
                .value
                .to_bits()
        };
        assert_eq!(told(Some("shipped")), told(None));
        assert_eq!(told(Some("small-boards")), told(None));
        assert_ne!(told(Some("large-boards")), told(None));
    }
}
