//! The learned weights of the evaluation.

use super::Tables;
use super::features::FEATURES;
use super::network::{FILTERS, Filters, ROWS};
use super::patterns::{PATTERN_UNIT, PATTERN_WEIGHTS};
use crate::Shape;
use std::collections::HashMap;
use std::ops::Range;
use std::sync::{Arc, LazyLock, Mutex, PoisonError};

/// What one more is worth: `empty + full · stones ÷ cells`, in hundredths of a logit.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Weight {
    /// On a board that has become empty.
    pub empty: i32,
    /// What the stones of a full board add to that.
    pub full: i32,
}

impl Weight {
    /// 256 times the weight at a fullness in 256ths.
    #[inline]
    pub(super) const fn at(self, fullness: i32) -> i32 {
        256 * self.empty + self.full * fullness
    }
}

/// A part of the learned numbers, all in logits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Part {
    /// For each feature, for the side to move and for its opponent, the weight on an empty board and what a full one adds;
    /// then the same for being the one to move.
    Features,
    /// For each pattern of a window the weights at the two knots.
    Windows,
    /// For each input of the network the weights of the filters.
    Rows,
    /// What is added to each filter.
    Added,
    /// What each filter counts on an empty board, then on a full one.
    Out,
}

impl Part {
    const ALL: [Part; 5] = [
        Part::Features,
        Part::Windows,
        Part::Rows,
        Part::Added,
        Part::Out,
    ];

    const fn len(self) -> usize {
        match self {
            Part::Features => 4 * FEATURES + 2,
            Part::Windows => 2 * PATTERN_WEIGHTS,
            Part::Rows => ROWS * FILTERS,
            Part::Added => FILTERS,
            Part::Out => 2 * FILTERS,
        }
    }

    /// Where it is among all numbers.
    pub fn range(self) -> Range<usize> {
        let before = Part::ALL.into_iter().take_while(|&part| part != self);
        let begin = before.map(Part::len).sum();
        begin..begin + self.len()
    }

    /// What one logit is as a whole number, and the largest whole number.
    const fn unit(self) -> (f32, f32) {
        match self {
            Part::Features => (100.0, 9_999.0),
            Part::Windows => (100.0 / PATTERN_UNIT as f32, 127.0),
            Part::Rows | Part::Added => (Filters::UNIT as f32, Filters::LARGEST as f32),
            Part::Out => (
                100.0 * Filters::OUT_UNIT as f32,
                Filters::LARGEST_OUT as f32,
            ),
        }
    }
}

/// How many numbers there are.
pub const NUMBERS: usize = Part::Features.len()
    + Part::Windows.len()
    + Part::Rows.len()
    + Part::Added.len()
    + Part::Out.len();

/// Weights in whole numbers, with the tables that were made of them for boards.
pub struct Weights {
    numbers: Box<[i16]>,
    /// By shape.
    tables: Mutex<HashMap<Shape, Arc<Tables>>>,
}

impl std::fmt::Debug for Weights {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Weights").finish_non_exhaustive()
    }
}

impl Weights {
    /// The nearest whole numbers to [`NUMBERS`] learned ones; what is too large becomes as large as it may be. `None` from
    /// another number of them, or if one is no number.
    pub fn rounded(learned: &[f32]) -> Option<Box<[i16]>> {
        if learned.len() != NUMBERS || !learned.iter().all(|number| number.is_finite()) {
            return None;
        }
        let mut rounded = vec![0; NUMBERS].into_boxed_slice();
        for part in Part::ALL {
            let (unit, most) = part.unit();
            let pairs = rounded[part.range()].iter_mut().zip(&learned[part.range()]);
            for (rounded, learned) in pairs {
                *rounded = libm::roundf((unit * learned).clamp(-most, most)) as i16;
            }
        }
        Some(rounded)
    }

    /// From whole numbers; `None` from another number of them, or if one is too large.
    pub fn new(numbers: Box<[i16]>) -> Option<Weights> {
        let fits = |part: Part| {
            let (_, most) = part.unit();
            let numbers = &numbers[part.range()];
            numbers
                .iter()
                .all(|&number| f32::from(number).abs() <= most)
        };
        if numbers.len() != NUMBERS || !Part::ALL.into_iter().all(fits) {
            return None;
        }
        Some(Weights {
            numbers,
            tables: Mutex::default(),
        })
    }

    /// The learned numbers that these whole ones stand for.
    pub fn learned_numbers(&self) -> Vec<f32> {
        let mut learned = vec![0.0; NUMBERS];
        for part in Part::ALL {
            let (unit, _) = part.unit();
            for (learned, &number) in learned[part.range()].iter_mut().zip(self.part(part)) {
                *learned = f32::from(number) / unit;
            }
        }
        learned
    }

    /// What is known without learning: the more stones can jump the better.
    ///
    /// # Panics
    /// Never: the weights are small.
    pub fn unlearned() -> Arc<Weights> {
        static UNLEARNED: LazyLock<Arc<Weights>> = LazyLock::new(|| {
            let mut numbers = vec![0; NUMBERS].into_boxed_slice();
            let of_features = &mut numbers[Part::Features.range()];
            // The first feature, of either side.
            of_features[0] = 30;
            of_features[2] = 30;
            Arc::new(Weights::new(numbers).expect("small weights"))
        });
        Arc::clone(&UNLEARNED)
    }

    /// Those of a part.
    pub(super) fn part(&self, part: Part) -> &[i16] {
        &self.numbers[part.range()]
    }

    /// What it is worth to be the one to move.
    pub(super) fn tempo(&self) -> Weight {
        weight(&self.part(Part::Features)[4 * FEATURES..])
    }

    /// What one more of each of [`Features::counts`](super::Features::counts) is worth to the side to move, and to its
    /// opponent.
    pub(super) fn of_features(&self) -> [[Weight; 2]; FEATURES] {
        let numbers = self.part(Part::Features);
        std::array::from_fn(|feature| [0, 2].map(|side| weight(&numbers[4 * feature + side..])))
    }

    /// What boards of a shape need of them.
    pub(super) fn tables(&self, shape: Shape) -> Arc<Tables> {
        let mut tables = self.tables.lock().unwrap_or_else(PoisonError::into_inner);
        let new = || Arc::new(Tables::new(shape, self));
        Arc::clone(tables.entry(shape).or_insert_with(new))
    }
}

fn weight(numbers: &[i16]) -> Weight {
    Weight {
        empty: numbers[0].into(),
        full: numbers[1].into(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_rounded_and_bounded() {
        let mut learned = vec![0.0; NUMBERS];
        let window = Part::Windows.range().start;
        learned[window] = 1.234;
        learned[window + 1] = -40.0;
        let rounded = Weights::rounded(&learned).expect("numbers");
        assert_eq!(rounded[window..window + 2], [62, -127]);
        let weights = Weights::new(rounded).expect("weights");
        assert!((weights.learned_numbers()[window] - 1.24).abs() < 1e-6);
        learned[7] = f32::NAN;
        assert!(Weights::rounded(&learned).is_none());
        assert!(Weights::rounded(&learned[1..]).is_none());
        let mut large = vec![0; NUMBERS].into_boxed_slice();
        large[window] = 128;
        assert!(Weights::new(large).is_none());
    }
}
