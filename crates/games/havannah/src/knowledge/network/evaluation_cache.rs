//! A cache of evaluations: the same moves in another order lead to a position that was evaluated before.

use crate::rules::position::{Move, Position};
use game::Game;

/// The most positions.
const MOST: usize = 1 << 14;
/// The most bytes for their probabilities.
const MEMORY: usize = 8 << 20;

/// The evaluations of one network, of which a new one takes the place of an older one.
#[derive(Clone, Debug)]
pub(super) struct EvaluationCache {
    /// By place: of which position, and the expected score there.
    scores: Vec<Option<(u64, f32)>>,
    /// By place: the probabilities of the cells, in their order.
    probabilities: Vec<f32>,
}

impl EvaluationCache {
    /// For boards with so many cells.
    pub fn new(cells: usize) -> EvaluationCache {
        let places = MOST.min(MEMORY / (cells * size_of::<f32>()));
        EvaluationCache {
            scores: vec![None; places],
            probabilities: vec![0.0; places * cells],
        }
    }

    /// The expected score of a position, if it is known. The probabilities are set where cells are empty.
    pub fn get(&self, position: &Position, probabilities: &mut [f32]) -> Option<f32> {
        let key = key(position);
        let place = self.place(key);
        let (_, score) = self.scores[place].filter(|&(known, _)| known == key)?;
        let cells = position.geometry().cells();
        let known = &self.probabilities[place * cells.len()..];
        for (cell, &probability) in cells.iter().zip(known) {
            if position.board().is_empty(*cell) {
                probabilities[cell.index()] = probability;
            }
        }
        Some(score)
    }

    /// Keeps what was said of a position.
    pub fn put(&mut self, position: &Position, score: f32, probabilities: &[f32]) {
        let key = key(position);
        let place = self.place(key);
        self.scores[place] = Some((key, score));
        let cells = position.geometry().cells();
        let known = &mut self.probabilities[place * cells.len()..];
        for (cell, known) in cells.iter().zip(known) {
            *known = probabilities[cell.index()];
        }
    }

    fn place(&self, key: u64) -> usize {
        (key % self.scores.len() as u64) as usize
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
    use crate::knowledge::network::{Network, Weights};
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

    /// The same stones come about with the same last move and with another one, which the network sees.
    #[test]
    fn what_is_known_is_what_a_new_network_says() {
        let start = Position::new(Shape::regular(3).expect("a size"));
        let new = || Network::new(start.geometry(), Weights::learned());
        let mut network = new();
        let cells = &start.geometry().cells()[..if cfg!(miri) { 3 } else { 4 }];
        for moves in orders(cells).chain(orders(cells)) {
            let mut position = start.clone();
            for cell in moves {
                position.play(Move::Place(cell));
            }
            let grid = position.geometry().grid();
            let (mut said, mut expected) = (vec![0.5; grid], vec![0.5; grid]);
            let score = network.judge(&position, &mut said);
            let other = new().judge(&position, &mut expected);
            assert_eq!(score.to_bits(), other.to_bits());
            assert_eq!(said, expected);
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
