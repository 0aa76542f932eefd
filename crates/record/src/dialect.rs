//! Finding the dialect that a game is written in.

use crate::record::{Record, Written, replay};
use engine::{BoardOptions, Playable};
use game::Outcome;

/// The start of a game as it reads in a dialect: where a position is set up, the cells of its stones are written in it.
pub(crate) struct Start<G: Playable> {
    pub dialect: G::Dialect,
    pub options: BoardOptions,
    pub position: G,
}

/// Replays a game in the dialect that fits it.
///
/// A dialect in which every move is on the board and legal beats one in which some move is not. Among
/// those that fit, one in which the game ends with its last move beats one in which it does not. What is
/// still open is decided by the order of the dialects. Where none fits, the one in which most moves are
/// legal shows the fault.
pub(crate) fn replay_in_best<G: Playable>(
    starts: &[Start<G>],
    moves: &[Written],
    claimed: Option<Outcome>,
) -> Option<Record<G>> {
    let records = starts.iter().map(|start| {
        let Start {
            dialect,
            options,
            position,
        } = start;
        replay(options, position, moves, *dialect, claimed)
    });
    let fit = |record: &Record<G>| {
        let ends = record.fault.is_none() && record.last.outcome().is_some();
        (record.fault.is_none(), ends, record.moves.len())
    };
    // `max_by_key` takes the last of equals: the likeliest comes last.
    records.rev().max_by_key(fit)
}
