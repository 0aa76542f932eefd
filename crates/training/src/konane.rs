//! Kōnane: the values that searches find and the results of games, by the weights of the evaluation.

use crate::Loss;
use game::random::{self, Rng};
use konane::evaluation::{CEILING, FILTERS, Inputs, NUMBERS, Part, Pattern, ROWS, VIEWS};

/// A number for each filter.
type Filters = [f32; FILTERS];

/// What is to be learned of a position.
pub struct Lesson {
    /// What the evaluation is given.
    pub inputs: Inputs,
    /// The expected score of the side to move that the weights are fitted to, from 0 to 1.
    pub label: f32,
    /// What the side to move scored, from 0 to 1.
    pub score: f32,
}

/// The weights.
pub struct Model {
    weights: Vec<f32>,
}

/// What the model makes of a position, with what its gradient needs.
struct Prediction {
    /// What each neuron says, by view.
    active: [Filters; VIEWS],
    /// What each filter counts.
    out: Filters,
    /// The expected score of the side to move.
    score: f32,
}

/// The expected score of a value, which is its logit.
pub fn logistic(logit: f32) -> f32 {
    1.0 / (1.0 + libm::expf(-logit))
}

/// Filters begin as random numbers, all else at nothing.
pub fn random(rng: &mut Rng) -> Vec<f32> {
    let mut weights = vec![0.0; NUMBERS];
    let mut uniform = |most: f32| {
        let unit = random::below(1 << 20, rng) as f32 / (1 << 20) as f32;
        most * (2.0 * unit - 1.0)
    };
    for (part, most) in [(Part::Rows, 0.1), (Part::Out, 0.1)] {
        weights[part.range()].fill_with(|| uniform(most));
    }
    weights[Part::Added.range()].fill(0.1);
    weights
}

/// What a feature is multiplied by: for the side to move, then for its opponent, on an empty board and as a full one adds.
fn of_features(inputs: &Inputs) -> impl Iterator<Item = f32> {
    let [own, opponents] = inputs.counts;
    let fullness = inputs.fullness;
    let pairs = own.into_iter().zip(opponents);
    let counts = pairs.flat_map(|(own, opponents)| [own as f32, -(opponents as f32)]);
    let counts = counts.chain([1.0]);
    counts.flat_map(move |count| [count, count * fullness])
}

/// What the two weights of a pattern are multiplied by.
fn of_pattern(inputs: &Inputs, pattern: &Pattern) -> [f32; 2] {
    let sign = if pattern.is_opponents { -1.0 } else { 1.0 };
    inputs.parts.map(|part| sign * part)
}

impl Model {
    /// With these weights, of which there are [`NUMBERS`].
    pub fn new(weights: Vec<f32>) -> Model {
        Model { weights }
    }

    /// Takes other weights.
    pub fn set(&mut self, weights: &[f32]) {
        self.weights.copy_from_slice(weights);
    }

    /// How well a lesson is predicted.
    pub fn test(&self, lesson: &Lesson) -> Loss {
        Model::loss(lesson, &self.predict(&lesson.inputs))
    }

    /// The same; the gradient of the loss is added.
    pub fn learn(&self, lesson: &Lesson, gradient: &mut [f32]) -> Loss {
        let prediction = self.predict(&lesson.inputs);
        Model::descend(lesson, &prediction, gradient);
        Model::loss(lesson, &prediction)
    }

    fn part(&self, part: Part) -> &[f32] {
        &self.weights[part.range()]
    }

    fn filters(&self, part: Part) -> &[Filters] {
        self.part(part).as_chunks().0
    }

    fn predict(&self, inputs: &Inputs) -> Prediction {
        let mut logit = 0.0;
        for (weight, factor) in self.part(Part::Features).iter().zip(of_features(inputs)) {
            logit += weight * factor;
        }
        let windows = self.part(Part::Windows).as_chunks::<2>().0;
        for pattern in &inputs.patterns {
            let [first, second] = windows[pattern.weight];
            let [of_first, of_second] = of_pattern(inputs, pattern);
            logit += of_first * first + of_second * second;
        }
        let mut active = [self.filters(Part::Added)[0]; VIEWS];
        let rows = self.filters(Part::Rows);
        for views in &inputs.rows {
            for (sums, &row) in active.iter_mut().zip(views) {
                for (sum, weight) in sums.iter_mut().zip(&rows[usize::from(row)]) {
                    *sum += weight;
                }
            }
        }
        for sum in active.as_flattened_mut() {
            *sum = sum.clamp(0.0, CEILING);
        }
        let [empty, full] = [0, 1].map(|knot| self.filters(Part::Out)[knot]);
        let out = std::array::from_fn(|filter| {
            (1.0 - inputs.fullness) * empty[filter] + inputs.fullness * full[filter]
        });
        for sums in &active {
            for (sum, out) in sums.iter().zip(&out) {
                logit += sum * out;
            }
        }
        Prediction {
            active,
            out,
            score: logistic(logit),
        }
    }

    fn loss(lesson: &Lesson, prediction: &Prediction) -> Loss {
        const LEAST: f32 = 1e-6;
        let expected = prediction.score.clamp(LEAST, 1.0 - LEAST);
        let Lesson { label, score, .. } = lesson;
        let surprise = -label * libm::logf(expected) - (1.0 - label) * libm::logf(1.0 - expected);
        Loss {
            scores: 1,
            surprise: f64::from(surprise),
            right: u64::from((expected > 0.5) == (*score > 0.5)),
            ..Loss::default()
        }
    }

    fn descend(lesson: &Lesson, prediction: &Prediction, gradient: &mut [f32]) {
        let inputs = &lesson.inputs;
        let slope = prediction.score - lesson.label;
        let of_part = &mut gradient[Part::Features.range()];
        for (sum, factor) in of_part.iter_mut().zip(of_features(inputs)) {
            *sum += slope * factor;
        }
        let windows = gradient[Part::Windows.range()].as_chunks_mut::<2>().0;
        for pattern in &inputs.patterns {
            let sums = &mut windows[pattern.weight];
            for (sum, factor) in sums.iter_mut().zip(of_pattern(inputs, pattern)) {
                *sum += slope * factor;
            }
        }
        let of_part = gradient[Part::Out.range()].as_chunks_mut::<FILTERS>().0;
        for (sums, part) in of_part
            .iter_mut()
            .zip([1.0 - inputs.fullness, inputs.fullness])
        {
            for active in &prediction.active {
                for (sum, active) in sums.iter_mut().zip(active) {
                    *sum += slope * part * active;
                }
            }
        }
        let behind = prediction.active.map(|active| -> Filters {
            std::array::from_fn(|filter| {
                let is_free = active[filter] > 0.0 && active[filter] < CEILING;
                if is_free {
                    slope * prediction.out[filter]
                } else {
                    0.0
                }
            })
        });
        let added = &mut gradient[Part::Added.range()];
        for slopes in &behind {
            add(added, slopes);
        }
        let rows = gradient[Part::Rows.range()].as_chunks_mut::<FILTERS>().0;
        for views in &inputs.rows {
            for (slopes, &row) in behind.iter().zip(views) {
                add(&mut rows[usize::from(row)], slopes);
            }
        }
    }
}

fn add(sums: &mut [f32], more: &Filters) {
    for (sum, more) in sums.iter_mut().zip(more) {
        *sum += more;
    }
}

const _: () = assert!(ROWS * FILTERS < NUMBERS);

#[cfg(test)]
mod tests {
    use super::*;
    use engine::weights::Origin;
    use engine::{BoardOptions, Playable};
    use game::Game;
    use konane::evaluation::{Evaluator, Reader, from_bytes, to_bytes};
    use konane::{LargeBitBoard, Position, transferred};

    /// Random weights that all count.
    fn weights() -> Vec<f32> {
        let mut rng = random::seeded(5);
        let mut weights = random(&mut rng);
        for part in [Part::Features, Part::Windows] {
            for weight in &mut weights[part.range()] {
                *weight = random::below(200, &mut rng) as f32 / 1000.0 - 0.1;
            }
        }
        weights
    }

    fn positions(size: u32) -> impl Iterator<Item = Position> {
        let start = Position::start(&BoardOptions::sized(size)).expect("a board");
        (0..40).filter_map(move |seed| {
            let mut rng = random::seeded(seed);
            let mut position = start.clone();
            for _ in 0..2 + seed {
                position.play(position.random_move(&mut rng)?);
            }
            position.outcome().is_none().then_some(position)
        })
    }

    fn lesson(position: &Position) -> Lesson {
        Lesson {
            inputs: Reader::new(position.shape()).inputs(position),
            label: 0.3,
            score: 0.0,
        }
    }

    /// Against the difference that a small step of a weight makes, for some weights of each part.
    #[test]
    fn the_gradient_is_the_slope_of_the_loss() {
        let mut checked = 0;
        for position in positions(6).step_by(5) {
            let lesson = lesson(&position);
            let mut model = Model { weights: weights() };
            let mut gradient = vec![0.0; NUMBERS];
            model.learn(&lesson, &mut gradient);
            for part in [
                Part::Features,
                Part::Windows,
                Part::Rows,
                Part::Added,
                Part::Out,
            ] {
                let counting = part.range().filter(|&number| gradient[number] != 0.0);
                for number in counting.step_by(7).take(6) {
                    const STEP: f32 = 0.01;
                    let before = model.weights[number];
                    let mut at = |weight: f32| {
                        model.weights[number] = weight;
                        model.test(&lesson).surprise
                    };
                    let slope = (at(before + STEP) - at(before - STEP)) / f64::from(2.0 * STEP);
                    model.weights[number] = before;
                    let found = f64::from(gradient[number]);
                    assert!(
                        (found - slope).abs() < 0.01 + 0.02 * slope.abs(),
                        "{part:?} {number}: {found} {slope}"
                    );
                    checked += 1;
                }
            }
        }
        assert!(checked > 100, "{checked}");
    }

    /// What the player makes of the weights in whole numbers is what was learned.
    #[test]
    fn the_player_evaluates_what_was_learned() {
        let file = to_bytes(&Origin::default(), &weights()).expect("numbers");
        let (rounded, _) = from_bytes(&file).expect("weights");
        let model = Model {
            weights: rounded.learned_numbers(),
        };
        for size in [4, 7, 8, 12, 20] {
            for position in positions(size) {
                let evaluator = Evaluator::<7>::with_weights(position.shape(), &rounded);
                let on_bits = transferred::<_, LargeBitBoard>(&position).expect("a board");
                let value = evaluator.value(&on_bits) as f32 / 100.0;
                let expected = model.predict(&lesson(&position).inputs).score;
                let found = logistic(value);
                assert!(
                    (found - expected).abs() < 0.02,
                    "{size}: {found} {expected}"
                );
            }
        }
    }
}
