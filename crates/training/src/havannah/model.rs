//! The network in floating point, with its gradient.

use super::convolution::{Near, Row, add_slopes, convolve, transposed};
use super::lesson::{Choice, Lesson};
use crate::Loss;
use game::random::{self, Rng};
use havannah::knowledge::network::{CHANNELS, HIDDEN, LARGEST, Layout, NEAR, PLANES, Part};

fn add(to: &mut [f32], more: &[f32]) {
    for (number, more) in to.iter_mut().zip(more) {
        *number += more;
    }
}

fn add_scaled(to: &mut [f32], more: &[f32], factor: f32) {
    for (number, more) in to.iter_mut().zip(more) {
        *number += factor * more;
    }
}

fn dot(one: &[f32], other: &[f32]) -> f32 {
    one.iter().zip(other).map(|(one, other)| one * other).sum()
}

/// Cuts numbers off below 0, and above where the player does.
fn cut_off(numbers: &mut [f32], most: f32) {
    for number in numbers {
        *number = number.clamp(0.0, most);
    }
}

/// Where a number was cut off it has no slope.
fn stop_where_cut_off(slopes: &mut [f32], numbers: &[f32], most: f32) {
    for (slope, &number) in slopes.iter_mut().zip(numbers) {
        if number <= 0.0 || number >= most {
            *slope = 0.0;
        }
    }
}

fn sum(rows: &[Row]) -> Row {
    let mut sum = [0.0; CHANNELS];
    for row in rows {
        add(&mut sum, row);
    }
    sum
}

fn mean(rows: &[Row]) -> Row {
    sum(rows).map(|sum| sum / rows.len() as f32)
}

/// The weights, and each layer's for the way back.
pub struct Model {
    layout: Layout,
    weights: Vec<f32>,
    backwards: Vec<Vec<Row>>,
}

/// What the model makes of a position, with what its gradient needs.
struct Prediction {
    inputs: Vec<[f32; PLANES]>,
    /// Behind each layer, beginning with a row for what lies off the board.
    channels: Vec<Vec<Row>>,
    middle_mean: Row,
    last_mean: Row,
    hidden: [f32; HIDDEN],
    /// The expected score of the side to move.
    score: f32,
}

impl Model {
    /// Random weights: layers begin by changing little of what comes to them.
    pub fn random(layout: Layout, rng: &mut Rng) -> Model {
        let mut weights = vec![0.0; layout.weights()];
        let mut fill = |part: Part, deviation: f32| {
            for weight in &mut weights[layout.range(part)] {
                let uniform = || f64::from(random::below(1 << 24, rng)) / f64::from(1 << 24) - 0.5;
                // The sum of four has the deviation 1/√3.
                let sum: f64 = std::iter::repeat_with(uniform).take(4).sum();
                *weight = deviation * 3f32.sqrt() * sum as f32;
            }
        };
        let inputs = (NEAR * CHANNELS) as f32;
        fill(Part::First, 0.15);
        for layer in 0..layout.layers() {
            fill(Part::Layer(layer), 0.5 * (2.0 / inputs).sqrt());
        }
        fill(Part::Whole, 0.2 / (CHANNELS as f32).sqrt());
        fill(Part::Policy, 0.3 / (CHANNELS as f32).sqrt());
        fill(Part::Hidden, (2.0 / CHANNELS as f32).sqrt());
        fill(Part::Value, 0.3 / (HIDDEN as f32).sqrt());
        Model::new(layout, weights)
    }

    /// With these weights, of which there are [`Layout::weights`].
    pub fn new(layout: Layout, weights: Vec<f32>) -> Model {
        let mut model = Model {
            layout,
            weights,
            backwards: Vec::new(),
        };
        model.turn_back();
        model
    }

    /// The weights, in the order of the layout.
    pub fn weights(&self) -> &[f32] {
        &self.weights
    }

    /// Takes other weights.
    pub fn set(&mut self, weights: &[f32]) {
        self.weights.copy_from_slice(weights);
        self.turn_back();
    }

    /// How well a lesson is predicted.
    pub fn test(&self, lesson: &Lesson, near: &Near) -> Loss {
        self.loss(lesson, &self.predict(lesson, near))
    }

    /// The same; the gradient of the loss is added.
    pub fn learn(&self, lesson: &Lesson, near: &Near, gradient: &mut [f32]) -> Loss {
        let prediction = self.predict(lesson, near);
        let mut gradient = Gradient {
            layout: self.layout,
            slopes: gradient,
        };
        self.descend(lesson, near, &prediction, &mut gradient);
        self.loss(lesson, &prediction)
    }

    fn turn_back(&mut self) {
        let backwards = |layer| transposed(self.matrix(Part::Layer(layer)));
        self.backwards = (0..self.layout.layers()).map(backwards).collect();
    }

    fn vector(&self, part: Part) -> &[f32] {
        &self.weights[self.layout.range(part)]
    }

    fn matrix(&self, part: Part) -> &[Row] {
        self.vector(part).as_chunks().0
    }

    fn predict(&self, lesson: &Lesson, near: &[[usize; NEAR]]) -> Prediction {
        let mut inputs = vec![[0.0; PLANES]];
        inputs.extend(lesson.planes.iter().map(|planes| planes.map(f32::from)));
        let mut first = vec![[0.0; CHANNELS]; inputs.len()];
        for row in &mut first[1..] {
            row.copy_from_slice(self.vector(Part::FirstBias));
        }
        convolve(self.matrix(Part::First), near, &inputs, &mut first[1..]);
        cut_off(first[1..].as_flattened_mut(), LARGEST);
        let mut channels = vec![first];
        let mut middle_mean = [0.0; CHANNELS];
        for layer in 0..self.layout.layers() {
            let before = &channels[layer];
            let mut bias = [0.0; CHANNELS];
            bias.copy_from_slice(self.vector(Part::LayerBias(layer)));
            if layer == self.layout.middle() {
                middle_mean = mean(&before[1..]);
                for (mean, weights) in middle_mean.iter().zip(self.matrix(Part::Whole)) {
                    add_scaled(&mut bias, weights, *mean);
                }
            }
            let mut after = before.clone();
            for row in &mut after[1..] {
                add(row, &bias);
            }
            convolve(
                self.matrix(Part::Layer(layer)),
                near,
                before,
                &mut after[1..],
            );
            cut_off(after[1..].as_flattened_mut(), LARGEST);
            channels.push(after);
        }
        let last_mean = mean(&channels[self.layout.layers()][1..]);
        let mut hidden = [0.0; HIDDEN];
        hidden.copy_from_slice(self.vector(Part::HiddenBias));
        let of_hidden = self.vector(Part::Hidden).as_chunks::<HIDDEN>().0;
        for (mean, weights) in last_mean.iter().zip(of_hidden) {
            add_scaled(&mut hidden, weights, *mean);
        }
        cut_off(&mut hidden, f32::INFINITY);
        let logit = dot(&hidden, self.vector(Part::Value)) + self.vector(Part::ValueBias)[0];
        Prediction {
            inputs,
            channels,
            middle_mean,
            last_mean,
            hidden,
            score: 1.0 / (1.0 + libm::expf(-logit)),
        }
    }

    /// The probabilities of moves on the empty cells.
    fn probabilities(&self, prediction: &Prediction, empty: &[usize]) -> Vec<f32> {
        let policy = self.vector(Part::Policy);
        let last = &prediction.channels[self.layout.layers()];
        let logits: Vec<f32> = empty
            .iter()
            .map(|&place| dot(&last[1 + place], policy))
            .collect();
        let most = logits.iter().copied().fold(f32::NEG_INFINITY, f32::max);
        let powers: Vec<f32> = logits
            .iter()
            .map(|logit| libm::expf(logit - most))
            .collect();
        let sum: f32 = powers.iter().sum();
        powers.into_iter().map(|power| power / sum).collect()
    }

    fn loss(&self, lesson: &Lesson, prediction: &Prediction) -> Loss {
        const LEAST: f32 = 1e-6;
        let mut loss = Loss::default();
        let score = lesson.score;
        let expected = prediction.score.clamp(LEAST, 1.0 - LEAST);
        let surprise = -score * libm::logf(expected) - (1.0 - score) * libm::logf(1.0 - expected);
        loss.scores = 1;
        loss.surprise = f64::from(surprise);
        loss.right = u64::from((expected > 0.5) == (score > 0.5));
        if let Some(Choice { shares, empty }) = &lesson.choice {
            let probabilities = self.probabilities(prediction, empty);
            let of = |place: usize| {
                let index = empty.iter().position(|&other| other == place);
                index.map_or(0.0, |index| probabilities[index])
            };
            let entropy =
                |&(place, share): &(usize, f32)| -share * libm::logf(of(place).max(LEAST));
            let most = shares.iter().max_by(|one, other| one.1.total_cmp(&other.1));
            let is_first =
                |&(place, _): &(usize, f32)| probabilities.iter().all(|&other| other <= of(place));
            loss.choices = 1;
            loss.entropy = f64::from(shares.iter().map(entropy).sum::<f32>());
            loss.first = u64::from(most.is_some_and(is_first));
        }
        loss
    }

    fn descend(
        &self,
        lesson: &Lesson,
        near: &[[usize; NEAR]],
        prediction: &Prediction,
        gradient: &mut Gradient<'_>,
    ) {
        let channels = &prediction.channels;
        let cells = near.len() as f32;
        // The first is off the board, where nothing has a slope.
        let mut slopes = vec![[0.0; CHANNELS]; 1 + near.len()];
        if let Some(Choice { shares, empty }) = &lesson.choice {
            let probabilities = self.probabilities(prediction, empty);
            let policy = self.vector(Part::Policy);
            for (&place, probability) in empty.iter().zip(probabilities) {
                let share = shares.iter().find(|&&(other, _)| other == place);
                let slope = probability - share.map_or(0.0, |&(_, share)| share);
                let last = &channels[self.layout.layers()][1 + place];
                add_scaled(gradient.vector(Part::Policy), last, slope);
                add_scaled(&mut slopes[1 + place], policy, slope);
            }
        }
        let slope = prediction.score - lesson.score;
        gradient.vector(Part::ValueBias)[0] += slope;
        add_scaled(gradient.vector(Part::Value), &prediction.hidden, slope);
        let mut of_hidden = [0.0; HIDDEN];
        add_scaled(&mut of_hidden, self.vector(Part::Value), slope);
        stop_where_cut_off(&mut of_hidden, &prediction.hidden, f32::INFINITY);
        add(gradient.vector(Part::HiddenBias), &of_hidden);
        let mut of_mean = [0.0; CHANNELS];
        let rows = gradient.vector(Part::Hidden).as_chunks_mut::<HIDDEN>().0;
        let matrix = self.vector(Part::Hidden).as_chunks::<HIDDEN>().0;
        for (channel, (row, weights)) in rows.iter_mut().zip(matrix).enumerate() {
            of_mean[channel] = dot(weights, &of_hidden) / cells;
            add_scaled(row, &of_hidden, prediction.last_mean[channel]);
        }
        for row in &mut slopes[1..] {
            add(row, &of_mean);
        }
        for layer in (0..self.layout.layers()).rev() {
            stop_where_cut_off(
                slopes.as_flattened_mut(),
                channels[layer + 1].as_flattened(),
                LARGEST,
            );
            let sum = sum(&slopes[1..]);
            add(gradient.vector(Part::LayerBias(layer)), &sum);
            let of_layer = gradient.matrix(Part::Layer(layer));
            add_slopes(&slopes[1..], near, &channels[layer], of_layer);
            let mut before = slopes.clone();
            convolve(&self.backwards[layer], near, &slopes, &mut before[1..]);
            if layer == self.layout.middle() {
                let mut of_mean = [0.0; CHANNELS];
                for (channel, weights) in self.matrix(Part::Whole).iter().enumerate() {
                    of_mean[channel] = dot(weights, &sum) / cells;
                    let row = &mut gradient.matrix(Part::Whole)[channel];
                    add_scaled(row, &sum, prediction.middle_mean[channel]);
                }
                for row in &mut before[1..] {
                    add(row, &of_mean);
                }
            }
            slopes = before;
        }
        stop_where_cut_off(
            slopes.as_flattened_mut(),
            channels[0].as_flattened(),
            LARGEST,
        );
        add(gradient.vector(Part::FirstBias), &sum(&slopes[1..]));
        let of_first = gradient.matrix(Part::First);
        add_slopes(&slopes[1..], near, &prediction.inputs, of_first);
    }
}

/// By weight.
struct Gradient<'a> {
    layout: Layout,
    slopes: &'a mut [f32],
}

impl Gradient<'_> {
    fn vector(&mut self, part: Part) -> &mut [f32] {
        &mut self.slopes[self.layout.range(part)]
    }

    fn matrix(&mut self, part: Part) -> &mut [Row] {
        self.vector(part).as_chunks_mut().0
    }
}

#[cfg(test)]
mod tests {
    use super::super::convolution::neighbours;
    use super::*;
    use game::Game;
    use havannah::{Position, Shape};

    /// Against the difference that a small step of a weight makes, for some weights of each part.
    #[test]
    fn the_gradient_is_the_slope_of_the_loss() {
        const STEP: f32 = 2e-3;
        let shape = Shape::regular(3).expect("a size");
        let mut position = Position::new(shape);
        let mut rng = random::seeded(1);
        for _ in 0..4 {
            position.play(position.random_move(&mut rng).expect("a move"));
        }
        let cells = position.geometry().cells().iter().enumerate();
        let empty = cells.filter(|&(_, &cell)| position.board().is_empty(cell));
        let visits = empty.map(|(place, _)| place as u16).zip([20, 10]).collect();
        let lesson = Lesson::new(&position, &visits, 1.0);
        assert_eq!(
            lesson.choice.as_ref().map(|choice| choice.empty.len()),
            Some(15)
        );
        let near = &neighbours(shape)[7];
        let layout = Layout::new(5).expect("a layout");
        let mut model = Model::random(layout, &mut random::seeded(5));
        let mut gradient = vec![0.0; layout.weights()];
        model.learn(&lesson, near, &mut gradient);
        let mut parts: Vec<Part> = (0..layout.layers())
            .flat_map(|layer| [Part::Layer(layer), Part::LayerBias(layer)])
            .collect();
        parts.extend([Part::First, Part::FirstBias, Part::Whole, Part::Policy]);
        parts.extend([Part::Hidden, Part::HiddenBias, Part::Value, Part::ValueBias]);
        for part in parts {
            let steepest = |&one: &usize, &other: &usize| {
                f32::abs(gradient[one]).total_cmp(&f32::abs(gradient[other]))
            };
            let mut weights: Vec<usize> = layout.range(part).collect();
            weights.sort_by(steepest);
            for &weight in weights.iter().rev().step_by(weights.len().div_ceil(5)) {
                let before = model.weights[weight];
                let mut loss = |step: f32| {
                    model.weights[weight] = before + step;
                    let loss = model.test(&lesson, near);
                    loss.entropy + loss.surprise
                };
                let slope = (loss(STEP) - loss(-STEP)) / f64::from(2.0 * STEP);
                loss(0.0);
                let expected = f64::from(gradient[weight]);
                assert!(
                    (slope - expected).abs() < 0.002 + 0.02 * expected.abs(),
                    "{part:?}, weight {weight}: {slope} for {expected}"
                );
            }
        }
    }
}
