//! What the network said of positions: they come about again by the same moves in another order.

use crate::rules::position::{Move, Position};
use game::Game;

/// The memory of one network for probabilities, in bytes. A place in it is taken when it is used for the first time.
const MEMORY: usize = 8 << 20;
/// The most positions.
const MOST: usize = 1 << 14;

/// The judgements of a network, of which a later one may take the place of an earlier one.
#[derive(Clone, Debug)]
pub(super) struct Remembered {
    /// By place: of which position, and the expected score there.
    known: Vec<Option<(u64, f32)>>,
    /// By place: the probabilities of the cells, in their order.
    probabilities: Vec<f32>,
}

impl Remembered {
    /// For boards with so many cells.
    pub fn new(cells: usize) -> Remembered {
        let places = MOST.min(MEMORY / (cells * size_of::<f32>()));
        Remembered {
            known: vec![None; places],
            probabilities: vec![0.0; places * cells],
        }
    }

    /// What was said of a position: the expected score, and the probabilities, which are set where cells are empty.
    pub fn recall(&self, position: &Position, probabilities: &mut [f32]) -> Option<f32> {
        let key = key(position);
        let place = self.place(key);
        let (_, score) = self.known[place].filter(|&(known, _)| known == key)?;
        let cells = position.geometry().cells();
        let remembered = self.probabilities.chunks_exact(cells.len()).nth(place)?;
        for (cell, &probability) in cells.iter().zip(remembered) {
            if position.board().is_empty(*cell) {
                probabilities[cell.index()] = probability;
            }
        }
        Some(score)
    }

    /// Remembers what was said of a position.
    pub fn keep(&mut self, position: &Position, score: f32, probabilities: &[f32]) {
        let key = key(position);
        let place = self.place(key);
        self.known[place] = Some((key, score));
        let cells = position.geometry().cells();
        let remembered = self.probabilities.chunks_exact_mut(cells.len()).nth(place);
        for (kept, cell) in remembered.into_iter().flatten().zip(cells) {
            *kept = probabilities[cell.index()];
        }
    }

    fn place(&self, key: u64) -> usize {
        (key % self.known.len() as u64) as usize
    }
}

/// What the network sees: the stones, whose turn it is, and the last move. Hashes of positions are sums of random numbers for the
/// stones without carries, which another such number for the last move might cancel.
fn key(position: &Position) -> u64 {
    let last = match position.last_move() {
        Some(Move::Place(cell)) => cell.index() as u64 + 1,
        Some(Move::Swap) | None => 0,
    };
    position.hash().wrapping_add(last)
}

#[cfg(test)]
mod tests {
    use super::key;
    use crate::knowledge::network::{Network, Weights};
    use crate::rules::position::{Move, Position};
    use crate::{Dialect, Shape};
    use game::{Game, Notation};

    /// The same stones come about with the same last move and with another one, which the network sees.
    #[test]
    fn what_is_remembered_is_what_a_new_network_says() {
        let shape = Shape::regular(3).expect("a size");
        let start = Position::new(shape);
        let new = || Network::new(start.geometry(), Weights::learned());
        let mut network = new();
        let cells = if cfg!(miri) { 2 } else { 4 };
        for round in 0..2 {
            for moves in orders(cells) {
                let mut position = start.clone();
                for text in moves {
                    let mv = position.parse_move(text, Dialect::Grid).expect("a cell");
                    position.play(mv);
                }
                let grid = position.geometry().grid();
                let (mut said, mut expected) = (vec![0.5; grid], vec![0.5; grid]);
                let score = network.judge(&position, &mut said);
                let other = new().judge(&position, &mut expected);
                assert_eq!(score.to_bits(), other.to_bits(), "{round}");
                assert_eq!(said, expected);
            }
        }
    }

    #[test]
    fn positions_that_the_network_tells_apart_have_different_keys() {
        let start = Position::new(Shape::regular(if cfg!(miri) { 2 } else { 4 }).expect("a size"));
        let cells = start.geometry().cells();
        let mut keys = std::collections::HashMap::new();
        for &one in cells {
            for &two in cells {
                for &three in cells {
                    if one == two || two == three || one == three {
                        continue;
                    }
                    let mut position = start.clone();
                    for (cell, seen) in [
                        (one, [None, None, Some(one)]),
                        (two, [Some(one), None, Some(two)]),
                        (
                            three,
                            [Some(one.min(three)), Some(one.max(three)), Some(three)],
                        ),
                    ] {
                        position.play(Move::Place(cell));
                        let black = (position.ply() > 1).then_some(two);
                        let seen = (seen, black);
                        assert_eq!(*keys.entry(key(&position)).or_insert(seen), seen);
                    }
                }
            }
        }
    }

    /// Three different cells of so many, in all orders.
    fn orders(cells: usize) -> Vec<[&'static str; 3]> {
        let cells = &["a1", "c3", "b2", "d4"][..cells.max(3)];
        let mut all = Vec::new();
        for one in cells {
            for two in cells {
                for three in cells {
                    if one != two && two != three && one != three {
                        all.push([*one, *two, *three]);
                    }
                }
            }
        }
        all
    }
}
