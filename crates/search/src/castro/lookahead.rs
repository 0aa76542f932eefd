//! A look a few plies ahead by alpha-beta, for games that have no quicker way.

use super::State;
use crate::Lookahead;
use crate::proof::Bounds;
use game::Relative;

/// What is certain of a position from all that can happen within so many plies.
pub fn look_ahead<S: State>(state: &S, plies: Lookahead) -> Bounds {
    descend(state, plies as u32)
}

fn descend<S: State>(state: &S, plies: u32) -> Bounds {
    if let Some(outcome) = state.outcome() {
        return Bounds::exact(outcome);
    }
    if plies == 0 {
        return Bounds::UNKNOWN;
    }
    let mut moves = Vec::new();
    let listed = state.list_moves(Lookahead::None, &mut moves);
    let mover = state.to_move();
    let mut best: Option<Bounds> = None;
    for mv in moves {
        let mut after = state.clone();
        after.play(mv);
        let bounds = descend(&after, plies - 1);
        if bounds.seen_by(mover).0 == Relative::Win {
            return bounds;
        }
        // One move of which nothing is certain leaves nothing certain, unless another wins, which two
        // plies cannot show: no more is looked for than ends.
        best = Some(best.map_or(bounds, |best| best.or(bounds, mover)));
    }
    best.map_or(listed, |best| best.and(listed))
}
