//! What can be seen in a position without a search: mobility, and the values of independent regions.

use crate::cgt::{Outcome, Region, Valuer};
use crate::evaluation::{Evaluator, Weights};
use crate::rules::Known;
use crate::{Cell, Move, Position, PositionOn, Stage};
use engine::{Insight, Opinion};
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

/// The evaluation as an expected score. It values positions and not moves, and has learned from positions behind the opening
/// alone.
pub(crate) fn opinion(position: &Position, weights: &Weights) -> Result<Opinion, String> {
    if position.stage() != Stage::Jumping {
        return Err(
            "the network of Kōnane values positions after the opening, when both sides have removed a stone"
                .to_owned(),
        );
    }
    let shape = position.shape();
    let hundredths = match position.known() {
        Known::One(position) => Evaluator::with_weights(shape, weights).value(&position),
        Known::Seven(position) => Evaluator::with_weights(shape, weights).value(&position),
    };
    Ok(Opinion {
        value: 1.0 / (1.0 + libm::exp(-f64::from(hundredths) / 100.0)),
        moves: Vec::new(),
    })
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{AnyBitBoard, Board, Shape};
    use engine::{BoardOptions, Playable};
    use std::path::Path;

    fn position(size: &str, moves: &str) -> Position {
        let options = BoardOptions::sized(size);
        let start: Position = Playable::start(&options).expect("a board");
        start.play_list(moves, ()).expect("moves")
    }

    /// The expected score of the side to move: what the other side expects is the rest, and who can hardly move expects little.
    #[test]
    fn the_network_says_who_is_ahead() {
        let value = |position: &Position| {
            let opinion = position.opinion(None, ()).expect("an opinion");
            let opinion = opinion.expect("a network");
            assert_eq!(opinion.moves, []);
            opinion.value
        };
        let start = position("8", "d4 d5");
        assert!((0.2..0.8).contains(&value(&start)), "{}", value(&start));
        // One side can jump from a1, a3 and a5, and the other from the corner above alone.
        for side in [8, 12] {
            let shape = Shape::new(side, side).expect("a shape");
            let corner = [format!("a{side}"), format!("b{side}")];
            let cells = ["a1", "b1", "a3", "b3", "a5", "b5"].map(str::to_owned);
            let cells = [&cells[..], &corner].concat();
            let stones: Vec<Cell> = cells
                .iter()
                .map(|cell| cell.parse().expect("a cell"))
                .collect();
            let set_up = |to_move| {
                let board = AnyBitBoard::new(shape, |cell| stones.contains(&cell));
                Position::from_board(board, to_move)
            };
            let ahead = stones[0].colour();
            let [ahead, behind] = [ahead, !ahead].map(|side| value(&set_up(side)));
            assert!(ahead > 0.6 && behind < 0.4, "{ahead} {behind}");
        }
        let why = position("8", "d4").opinion(None, ()).expect_err("refused");
        assert!(why.contains("after the opening"), "{why}");
        let missing = Some(Path::new("no/such.weights"));
        let why = start.opinion(missing, ()).expect_err("refused");
        assert!(why.starts_with("no/such.weights cannot be read: "), "{why}");
        let [shipped, unlearned] = ["shipped", "none"].map(|name| {
            let opinion = start.opinion(Some(Path::new(name)), ());
            opinion
                .expect("weights")
                .expect("an evaluation")
                .value
                .to_bits()
        });
        assert_eq!(shipped, value(&start).to_bits());
        assert_ne!(unlearned, shipped);
    }
}
