//! What can be seen in a position without a search: mobility, and the values of independent regions.

use crate::cgt::{Outcome, Region, Valuer};
use crate::{Cell, Move, Position, PositionOn, Stage};
use engine::Insight;
use game::Game;

/// As much as is remembered to find the values of regions: some tens of milliseconds.
const BUDGET: usize = 20_000;

pub(crate) fn insight(position: &Position) -> Insight {
    if position.stage() != Stage::Jumping {
        return Insight::default();
    }
    let side = position.to_move();
    let mut seen = Insight {
        movable: movable(position),
        movable_later: movable(&PositionOn::from_board(position.board().clone(), !side)),
        ..Insight::default()
    };
    let Some(regions) = Region::of(position) else {
        return seen;
    };
    let mut valuer = Valuer::new(BUDGET);
    for region in &regions {
        let value = valuer.region(region).ok();
        let value = value.map(|value| valuer.games.write(value));
        seen.regions.push((region.cell_names(), value));
    }
    if let Ok(sum) = valuer.sum(&regions) {
        seen.value = Some(valuer.games.write(sum));
        seen.verdict = Some(match valuer.games.outcome(sum) {
            Outcome::Left => "Black wins, whoever moves first",
            Outcome::Right => "White wins, whoever moves first",
            Outcome::First => "whoever moves first wins",
            Outcome::Second => "whoever moves second wins",
        });
    }
    seen
}

/// The stones that the side to move can jump with.
fn movable(position: &Position) -> Vec<String> {
    let mut moves = Vec::new();
    position.legal_moves(&mut moves);
    let mut from: Vec<Cell> = moves
        .into_iter()
        .filter_map(|mv| match mv {
            Move::Jump { from, .. } => Some(from),
            Move::Remove(_) => None,
        })
        .collect();
    from.sort_unstable();
    from.dedup();
    from.iter().map(ToString::to_string).collect()
}
