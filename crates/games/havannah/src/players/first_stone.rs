//! The first stone under the swap rule, and the answer to it, by what first stones are worth.

use crate::knowledge::first_stones::{FirstStone, first_stones};
use crate::{Move, Position};
use engine::Engine;
use game::Game;
use game::random::{self, Rng};
use search::{Limits, Progress, Report, mcts};

/// A first stone is fair that scored so near to a half.
const FAIR: f64 = 0.05;

/// A player that searches, but decides by the table where the swap rule is about the first stone.
pub(super) struct ByTable {
    engine: Box<dyn Engine<Position>>,
    rng: Rng,
}

impl ByTable {
    pub fn new(engine: Box<dyn Engine<Position>>, seed: u64) -> ByTable {
        ByTable {
            engine,
            rng: random::seeded(seed),
        }
    }

    /// The move of the table, if the position is about the first stone. `found` is the search's order of all moves.
    fn of_table(&mut self, found: &[Move]) -> Option<Move> {
        let position = self.engine.position();
        if !position.swap_rule() {
            return None;
        }
        let empty = Position::new(position.geometry().shape()).under_swap_rule();
        let stones = first_stones(&empty);
        if *position == empty {
            let is_fair = |stone: &&FirstStone| (stone.score - 0.5).abs() <= FAIR;
            let fair: Vec<Move> = stones
                .iter()
                .filter(is_fair)
                .map(|stone| Move::Place(stone.cell))
                .collect();
            return random::choose(&fair, &mut self.rng);
        }
        if !position.can_swap() {
            return None;
        }
        let board = position.board();
        let first = stones
            .iter()
            .find(|stone| board.stone(stone.cell).is_some())?;
        if first.score > 0.5 {
            Some(Move::Swap)
        } else {
            found.iter().copied().find(|&mv| mv != Move::Swap)
        }
    }
}

impl Engine<Position> for ByTable {
    fn position(&self) -> &Position {
        self.engine.position()
    }

    fn set_position(&mut self, position: Position) {
        self.engine.set_position(position);
    }

    fn advance(&mut self, mv: Move) -> Result<(), <Position as Game>::Illegal> {
        self.engine.advance(mv)
    }

    fn search(
        &mut self,
        limits: &Limits,
        progress: &mut dyn FnMut(&Progress<Move>),
    ) -> Report<Move> {
        self.engine.search(limits, progress)
    }

    fn choose(
        &mut self,
        limits: &Limits,
        progress: &mut dyn FnMut(&Progress<Move>),
    ) -> Report<Move> {
        let mut report = self.engine.choose(limits, progress);
        if report.proven.is_some() {
            return report;
        }
        let found: Vec<Move> = report.moves.iter().map(|stats| stats.mv).collect();
        let chosen = self.of_table(&found);
        if let Some(mv) = chosen
            && report.best != chosen
        {
            report.progress.best = chosen;
            report.progress.principal_variation = vec![mv];
            // The best first.
            if let Some(at) = found.iter().position(|&other| other == mv) {
                report.progress.moves[..=at].rotate_right(1);
            }
        }
        report
    }

    fn statistics(&self) -> Option<mcts::Statistics> {
        self.engine.statistics()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::players::papamu;
    use crate::{Dialect, Shape};
    use game::Notation;

    fn chosen(position: &Position, seed: u64) -> Move {
        let mut engine = papamu::player()
            .build(position.clone(), seed, &[])
            .expect("settings");
        let limits = Limits {
            simulations: Some(20),
            ..Limits::default()
        };
        let report = engine.choose(&limits, &mut |_| {});
        let best = report.best.expect("a move");
        assert_eq!(report.principal_variation.first(), Some(&best));
        assert_eq!(report.moves[0].mv, best);
        best
    }

    #[test]
    fn the_table_chooses_a_fair_stone_and_takes_a_strong_one_over() {
        for size in [6, 8] {
            let start = Position::new(Shape::regular(size).expect("a size"));
            let swapping = start.clone().under_swap_rule();
            let stones = first_stones(&start);
            for seed in 0..5 {
                let Move::Place(cell) = chosen(&swapping, seed) else {
                    panic!("nothing can be taken over yet");
                };
                let stone = stones.iter().find(|stone| stone.cell == cell);
                let score = stone.expect("a cell").score;
                assert!((0.45..=0.55).contains(&score), "{score}");
            }
            for (first, swaps) in [("a1", true), ("b3", true), ("e5", false)] {
                let mut position = swapping.clone();
                position.play(position.parse_move(first, Dialect::Grid).expect("a cell"));
                assert_eq!(chosen(&position, 1) == Move::Swap, swaps, "{first}");
            }
        }
    }
}
