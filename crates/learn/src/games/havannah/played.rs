//! Games that others have played.

use super::Havannah;
use crate::games::{Subject, start};
use crate::record::{End, Record};
use crate::self_play::points;
use game::Game;
use havannah::{Move, Position};

/// A game from its record: each move is what a search would have chosen. With a swap the sides have exchanged their
/// colours behind the first stone, which the game is written without. The first stone is not learned: under the swap rule it
/// is chosen to be neither good nor bad.
pub(super) fn record(game: &record::Record<Position>) -> Option<Record<Havannah>> {
    let geometry = game.start.geometry();
    let size = geometry.shape().size() as u32;
    let winner = game.winner()?.winner();
    let is_swapped = game.moves.contains(&Move::Swap);
    let winner = if is_swapped {
        winner.map(|side| !side)
    } else {
        winner
    };
    let mut position = start::<Havannah>(size).ok()?;
    let is_empty = geometry
        .cells()
        .iter()
        .all(|&cell| game.start.board().is_empty(cell));
    if position.geometry().shape() != geometry.shape() || !is_empty {
        return None;
    }
    let (mut moves, mut searched) = (Vec::new(), Vec::new());
    for &mv in game.moves.iter().filter(|&&mv| mv != Move::Swap) {
        let number = Havannah::number(&position, mv)?;
        position.try_play(mv).ok()?;
        searched.push(if moves.is_empty() {
            Vec::new()
        } else {
            vec![(number, 1)]
        });
        moves.push(number);
    }
    searched.push(Vec::new());
    let end = match position.outcome() {
        Some(_) => End::Rules,
        None => End::Resigned,
    };
    (moves.len() > 1).then_some(Record {
        size,
        random: 1,
        points: points(winner),
        end,
        moves,
        searched,
    })
}
