//! A cache of evaluations: the same moves in another order lead to a position that was evaluated before.

use crate::rules::position::{Move, Position};
use game::Game;

/// The most positions: those that were evaluated longer ago are seldom asked about.
const MOST: usize = 1 << 14;

type Score = Option<(u64, f32)>;

/// The evaluations of one thread, of which a new one takes the place of an older one.
#[derive(Clone, Debug)]
pub(super) struct EvaluationCache {
    /// By place: of which position, and the expected score there.
    scores: Vec<Score>,
    /// By place: the probabilities of the cells, in their order.
    probabilities: Vec<f32>,
}

impl EvaluationCache {
    /// For boards with so many cells, with so many bytes at most.
    pub fn new(cells: usize, bytes: usize) -> EvaluationCache {
        let places = MOST.min(bytes / (size_of::<Score>() + cells * size_of::<f32>()));
        EvaluationCache {
            scores: vec![None; places],
            probabilities: vec![0.0; places * cells],
        }
    }

    /// Forgets all of them.
    pub fn clear(&mut self) {
        self.scores.fill(None);
    }

    /// The expected score of a position, which sets the probabilities of its empty cells: what is known, or else what
    /// `evaluate` says.
    pub fn get_or(
        &mut self,
        position: &Position,
        probabilities: &mut [f32],
        evaluate: impl FnOnce(&mut [f32]) -> f32,
    ) -> f32 {
        let key = key(position);
        let Some(place) = key.checked_rem(self.scores.len() as u64) else {
            return evaluate(probabilities);
        };
        let cells = position.geometry().cells();
        let place = place as usize;
        let entry = &mut self.scores[place];
        let known = cells
            .iter()
            .zip(&mut self.probabilities[place * cells.len()..]);
        if let Some((of, score)) = *entry
            && of == key
        {
            for (cell, known) in known.filter(|(cell, _)| position.board().is_empty(**cell)) {
                probabilities[cell.index()] = *known;
            }
            return score;
        }
        let score = evaluate(probabilities);
        *entry = Some((key, score));
        for (cell, known) in known {
            *known = probabilities[cell.index()];
        }
        score
    }
}

/// A hash of what the network sees: the stones, whose turn it is, and the last move. That is added and not combined by
/// exclusive or, by which a hash of a cell could take away that of a stone.
fn key(position: &Position) -> u64 {
    let last = match position.last_move() {
        Some(Move::Place(cell)) => cell.index() as u64 + 1,
        Some(Move::Swap) | None => 0,
    };
    position.hash().wrapping_add(last)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Shape;
    use crate::knowledge::network::{Network, Shipped};
    use crate::rules::geometry::Cell;
    use std::collections::HashMap;

    /// Three different cells of these, in all orders.
    fn orders(cells: &[Cell]) -> impl Iterator<Item = [Cell; 3]> {
        let pairs = cells
            .iter()
            .flat_map(move |&one| cells.iter().map(move |&two| (one, two)));
        let all =
            pairs.flat_map(move |(one, two)| cells.iter().map(move |&three| [one, two, three]));
        all.filter(|[one, two, three]| one != two && two != three && one != three)
    }

    /// The same stones come about with the same last move and with another one, which the network sees; in a small cache
    /// positions take each other's place.
    #[test]
    fn what_is_known_is_what_the_network_says() {
        let start = Position::new(Shape::regular(3).expect("a size"));
        let grid = start.geometry().grid();
        let mut network = Network::new(start.geometry(), Shipped::SmallBoards.weights());
        let all = start.geometry().cells();
        let cells = &all[..if cfg!(miri) { 3 } else { 5 }];
        for bytes in [0, 1000, 1 << 20] {
            let mut cache = EvaluationCache::new(all.len(), bytes);
            let mut asked = 0;
            for moves in orders(cells).chain(orders(cells)) {
                let mut position = start.clone();
                for cell in moves {
                    position.play(Move::Place(cell));
                }
                let (mut said, mut expected) = (vec![0.5; grid], vec![0.5; grid]);
                let other = network.judge(&position, &mut expected);
                let score = cache.get_or(&position, &mut said, |probabilities| {
                    asked += 1;
                    network.judge(&position, probabilities)
                });
                assert_eq!(score.to_bits(), other.to_bits());
                assert_eq!(said, expected);
            }
            let orders = orders(cells).count();
            match bytes {
                0 => assert_eq!(asked, 2 * orders),
                1000 => assert!(asked > orders / 2),
                // All of them are known the second time.
                _ => assert_eq!(asked, orders),
            }
        }
    }

    #[test]
    fn positions_that_the_network_tells_apart_have_different_keys() {
        let size = if cfg!(miri) { 2 } else { 4 };
        let start = Position::new(Shape::regular(size).expect("a size"));
        let mut keys = HashMap::new();
        for moves in orders(start.geometry().cells()) {
            let mut position = start.clone();
            for count in 1..=moves.len() {
                let last = moves[count - 1];
                position.play(Move::Place(last));
                let mut white: Vec<_> = moves[..count].iter().step_by(2).copied().collect();
                white.sort_unstable();
                let black = moves[..count].get(1).copied();
                let seen = (white, black, last);
                assert_eq!(
                    keys.entry(key(&position)).or_insert_with(|| seen.clone()),
                    &seen
                );
            }
        }
    }
}
