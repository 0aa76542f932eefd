//! How well lessons are predicted.

use serde::{Deserialize, Serialize};
use std::ops::AddAssign;

/// How well lessons were predicted: sums.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Loss {
    /// Searches of which the choice was predicted.
    pub choices: u64,
    /// The sum of the cross-entropies of these choices in nats.
    pub entropy: f64,
    /// How often the most visited move was the most likely.
    pub first: u64,
    /// Positions of which the result was predicted.
    pub scores: u64,
    /// The sum of the cross-entropies of these results in nats.
    pub surprise: f64,
    /// How often the winner was the more likely.
    pub right: u64,
}

impl Loss {
    /// The mean cross-entropy of moves, in nats.
    pub fn moves(&self) -> f64 {
        self.entropy / self.choices.max(1) as f64
    }

    /// The mean cross-entropy of results, in nats.
    pub fn results(&self) -> f64 {
        self.surprise / self.scores.max(1) as f64
    }

    /// The share of the searches whose most visited move was the most likely.
    pub fn first_share(&self) -> f64 {
        self.first as f64 / self.choices.max(1) as f64
    }

    /// The share of the positions whose winner was the more likely.
    pub fn right_share(&self) -> f64 {
        self.right as f64 / self.scores.max(1) as f64
    }

    /// The bytes from which [`Loss::from_bytes`] reads it.
    pub fn to_bytes(self) -> [u8; 48] {
        let numbers = [
            self.choices,
            self.entropy.to_bits(),
            self.first,
            self.scores,
            self.surprise.to_bits(),
            self.right,
        ];
        let mut bytes = [0; 48];
        for (bytes, number) in bytes.as_chunks_mut().0.iter_mut().zip(numbers) {
            *bytes = number.to_le_bytes();
        }
        bytes
    }

    /// A loss from its bytes.
    pub fn from_bytes(bytes: &[u8; 48]) -> Loss {
        let number = |place: usize| u64::from_le_bytes(bytes.as_chunks().0[place]);
        Loss {
            choices: number(0),
            entropy: f64::from_bits(number(1)),
            first: number(2),
            scores: number(3),
            surprise: f64::from_bits(number(4)),
            right: number(5),
        }
    }
}

impl AddAssign for Loss {
    fn add_assign(&mut self, more: Loss) {
        self.choices += more.choices;
        self.entropy += more.entropy;
        self.first += more.first;
        self.scores += more.scores;
        self.surprise += more.surprise;
        self.right += more.right;
    }
}
