//! How likely a good player is to make a move: a softmax over the features of the moves of a position,
//! with weights learned from games (Coulom, "Computing Elo ratings of move patterns in the game of Go",
//! 2007; Huang, Arneson, Hayward, Müller and Pawlewicz, "`MoHex` 2.0", 2013).
//!
//! The weights are in `weights.tsv`, one a line; `crates/record/examples/train_patterns.rs` makes them.

mod features;

pub use features::{
    Features, NEAR, NEAREST, PLAIN, PLAIN_COUNT, SHAPE, ShapeCode, canonical, symmetric,
};

use crate::rules::geometry::{Cell, Geometry};
use crate::rules::position::Position;
use std::sync::{Arc, LazyLock};

/// Learned weights. Of a shape the largest part that was frequent enough has a weight that includes the
/// smaller ones'.
#[derive(Clone, Debug)]
pub struct Weights {
    plain: Vec<f32>,
    nearest: Vec<f32>,
    near: Codes,
    whole: Codes,
}

/// Weights by code: an open table whose size is a power of two, at most half full.
#[derive(Clone, Debug)]
struct Codes {
    entries: Vec<(ShapeCode, f32)>,
}

/// No shape has this code: it would be an own stone everywhere and more.
const VACANT: ShapeCode = ShapeCode::MAX;

impl Codes {
    fn new(known: &[(ShapeCode, f32)]) -> Codes {
        let size = (2 * known.len()).next_power_of_two().max(2);
        let mut codes = Codes {
            entries: vec![(VACANT, 0.0); size],
        };
        for &(code, weight) in known {
            let place = codes.place(code);
            codes.entries[place] = (code, weight);
        }
        codes
    }

    #[inline]
    fn place(&self, code: ShapeCode) -> usize {
        let mask = self.entries.len() - 1;
        let mut place = (code.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 32) as usize & mask;
        while self.entries[place].0 != VACANT && self.entries[place].0 != code {
            place = (place + 1) & mask;
        }
        place
    }

    #[inline]
    fn get(&self, code: ShapeCode) -> Option<f32> {
        let (known, weight) = self.entries[self.place(code)];
        (known == code).then_some(weight)
    }
}

impl Weights {
    /// Reads weights: lines of a kind (`plain`, `6`, `12` or `18`), a number, and a weight in thousandths.
    /// Lines that are not of this form are passed over.
    pub fn read(text: &str) -> Weights {
        let mut weights = Weights {
            plain: vec![0.0; PLAIN_COUNT],
            nearest: vec![0.0; NEAREST as usize + 1],
            near: Codes::new(&[]),
            whole: Codes::new(&[]),
        };
        let (mut near, mut whole) = (Vec::new(), Vec::new());
        for line in text.lines() {
            let mut words = line.split('\t');
            let (Some(kind), Some(code), Some(weight)) = (words.next(), words.next(), words.next())
            else {
                continue;
            };
            let (Ok(code), Ok(weight)) =
                (ShapeCode::from_str_radix(code, 16), weight.parse::<f32>())
            else {
                continue;
            };
            let weight = weight / 1000.0;
            match kind {
                "plain" => {
                    if let Some(known) = weights.plain.get_mut(code as usize) {
                        *known = weight;
                    }
                }
                "6" => {
                    for code in symmetric(code) {
                        weights.nearest[(code & NEAREST) as usize] = weight;
                    }
                }
                "12" => near.extend(symmetric(code).map(|code| (code, weight))),
                "18" => whole.extend(symmetric(code).map(|code| (code, weight))),
                _ => {}
            }
        }
        for (code, weight) in &mut near {
            *weight += weights.nearest[(*code & NEAREST) as usize];
        }
        weights.near = Codes::new(&near);
        for (code, weight) in &mut whole {
            *weight += weights.shape(*code & NEAR);
        }
        weights.whole = Codes::new(&whole);
        weights
    }

    /// The weights that come with the program.
    pub fn learned() -> Arc<Weights> {
        static LEARNED: LazyLock<Arc<Weights>> =
            LazyLock::new(|| Arc::new(Weights::read(include_str!("weights.tsv"))));
        Arc::clone(&LEARNED)
    }

    /// The weight of a shape.
    #[inline]
    pub fn shape(&self, code: ShapeCode) -> f32 {
        let whole = self.whole.get(code);
        let known = whole.or_else(|| self.near.get(code & NEAR));
        known.unwrap_or_else(|| self.nearest[(code & NEAREST) as usize])
    }
}

/// Judges moves by learned weights, on boards of one shape.
#[derive(Clone, Debug)]
pub struct Patterns {
    weights: Arc<Weights>,
    features: Features,
}

impl Patterns {
    /// For boards of one geometry.
    pub fn new(geometry: &'static Geometry) -> Patterns {
        Patterns {
            weights: Weights::learned(),
            features: Features::new(geometry),
        }
    }

    /// The probability of each move of a position that is not over, by grid index; entries of cells that
    /// are not empty are left as they are.
    pub fn probabilities(&mut self, position: &Position, probabilities: &mut [f32]) {
        self.features.prepare(position);
        let mut sum = 0.0;
        let cells = position.geometry().cells().iter();
        for &cell in cells
            .clone()
            .filter(|&&cell| position.board().is_empty(cell))
        {
            // Far from what a float can hold: weights are a few units each.
            let power = libm::expf(self.weight(position, cell));
            probabilities[cell.index()] = power;
            sum += power;
        }
        for &cell in cells {
            probabilities[cell.index()] /= sum;
        }
    }

    /// The logarithm of how likely a move is, but for a number that is the same for all moves.
    #[inline]
    fn weight(&self, position: &Position, cell: Cell) -> f32 {
        let plain = self.features.plain(position, cell);
        let plain: f32 = plain
            .iter()
            .map(|&feature| self.weights.plain[usize::from(feature)])
            .sum();
        plain + self.weights.shape(self.features.shape(cell))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::geometry::Shape;
    use crate::rules::position::Move;
    use game::{Game, random};

    #[test]
    fn the_largest_part_that_is_known_counts_and_includes_the_smaller() {
        let text =
            "6\t1\t100\n12\t1001\t20\n18\t4001001\t3\nplain\t2\t-500\nnot a weight\n12\tx\t1\n";
        let weights = Weights::read(text);
        let close = |code: ShapeCode, expected: f32| {
            for code in symmetric(code) {
                assert!((weights.shape(code) - expected).abs() < 1e-6, "{code:x}");
            }
        };
        close(0, 0.0);
        close(0x1, 0.1);
        close(0x1001, 0.12);
        close(0x400_1001, 0.123);
        close(0x800_1001, 0.12);
        close(0x2001, 0.1);
        assert!((weights.plain[2] + 0.5).abs() < 1e-6);
    }

    #[test]
    fn probabilities_of_a_position_make_one() {
        let mut position = Position::new(Shape::regular(5).expect("a size"));
        let mut patterns = Patterns::new(position.geometry());
        let mut rng = random::seeded(2);
        let mut probabilities = vec![0.0; position.geometry().grid()];
        for _ in 0..12 {
            patterns.probabilities(&position, &mut probabilities);
            let mut moves = Vec::new();
            position.legal_moves(&mut moves);
            let sum: f32 = moves
                .iter()
                .map(|mv| match mv {
                    Move::Place(cell) => probabilities[cell.index()],
                    Move::Swap => 0.0,
                })
                .sum();
            assert!((sum - 1.0).abs() < 1e-4, "{sum}");
            let mv = position.random_move(&mut rng).expect("a move");
            position.play(mv);
        }
    }

    #[test]
    fn weights_were_learned() {
        let weights = Weights::learned();
        assert!(weights.whole.entries.len() > 1_000);
        assert!(weights.plain.iter().any(|&weight| weight != 0.0));
    }
}
