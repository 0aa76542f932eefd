//! A small network that has seen many games: how likely a strong search is to make a move, and who will win
//! (Silver et al., "Mastering the game of Go with deep neural networks and tree search", 2016; the shape is that of
//! its successors, much smaller, on hexagonal cells).
//!
//! Layers of [`CHANNELS`] numbers for each cell, each computed from the cell and its six neighbours and added to what
//! was there before; one of them also sees the mean of the whole board. A move's probability is a softmax over the
//! cells, the value a logistic of hidden numbers computed from the mean of the board. Weights do not depend on the
//! size of the board. All but the last steps is done in whole numbers, so that it is the same on every machine.
//!
//! The program brings weights for small and for large boards, in files that say what made them ([`Shipped`]); `papamu learn` makes
//! others.

mod activations;
mod choice;
mod convolution;
mod file;
mod layer;
mod layout;
mod planes;
mod shipped;

pub use choice::{ByLength, Choice};
pub use file::{from_bytes, to_bytes};
pub use layout::{CHANNELS, HIDDEN, Layout, MOST_LAYERS, NEAR, Part};
pub use planes::{PLANES, planes};
pub use shipped::Shipped;

use crate::Shape;
use crate::rules::geometry::Geometry;
use crate::rules::position::Position;
use activations::{Activations, times};
use game::{Game, random};
use layer::{ACTIVATION, LARGEST_ACTIVATION, Layer};
use std::sync::Arc;

/// The largest number that a layer gives; larger ones are cut off.
pub const LARGEST: f32 = LARGEST_ACTIVATION as f32 / ACTIVATION;

/// Learned weights.
#[derive(Debug)]
pub struct Weights {
    first: Layer,
    layers: Vec<Layer>,
    /// The layer that also sees the mean of the whole board.
    middle: usize,
    whole: Vec<[f32; CHANNELS]>,
    policy: Vec<f32>,
    hidden: Vec<[f32; HIDDEN]>,
    hidden_bias: Vec<f32>,
    value: Vec<f32>,
    value_bias: f32,
}

impl Weights {
    /// From numbers, as [`Part`] says; `None` if there is no network with so many, or where a weight of a layer is not less
    /// than 64. The ranges of the channels are those in positions of random games.
    pub fn new(weights: &[f32]) -> Option<Weights> {
        let layout = Layout::of(weights.len())?;
        let part = |part: Part| &weights[layout.range(part)];
        let (whole, _) = part(Part::Whole).as_chunks();
        let first = Layer::first(part(Part::First), part(Part::FirstBias))?;
        let mut seen = random_games(&first);
        let mut layers = Vec::new();
        for number in 0..layout.layers() {
            let whole = (number == layout.middle()).then_some(whole);
            let mut largest = [0; CHANNELS];
            for of_position in seen.iter().map(Activations::largest) {
                for (largest, of_position) in largest.iter_mut().zip(of_position) {
                    *largest = of_position.max(*largest);
                }
            }
            let layer = Layer::inner(
                part(Part::Layer(number)),
                part(Part::LayerBias(number)),
                whole.unwrap_or(&[]),
                &largest,
            )?;
            for activations in &mut seen {
                activations.pass(&layer, whole);
            }
            layers.push(layer);
        }
        Some(Weights {
            first,
            layers,
            middle: layout.middle(),
            whole: whole.to_vec(),
            policy: part(Part::Policy).to_vec(),
            hidden: part(Part::Hidden).as_chunks().0.to_vec(),
            hidden_bias: part(Part::HiddenBias).to_vec(),
            value: part(Part::Value).to_vec(),
            value_bias: part(Part::ValueBias)[0],
        })
    }
}

/// What the first layer makes of positions of random games.
fn random_games(first: &Layer) -> Vec<Activations> {
    /// The size of the board of each game, and after how many moves each a position is taken.
    const SIZES: [u32; 8] = [4, 5, 5, 6, 7, 8, 8, 10];
    const EACH: usize = 8;
    let mut rng = random::seeded(1);
    let mut seen = Vec::new();
    for size in SIZES {
        let Ok(shape) = Shape::regular(size) else {
            continue;
        };
        let mut position = Position::new(shape);
        let mut moves = 0;
        while let Some(mv) = position.random_move(&mut rng)
            && position.outcome().is_none()
        {
            if moves % EACH == 0 {
                let mut activations = Activations::new(position.geometry());
                activations.begin(first, &position);
                seen.push(activations);
            }
            position.play(mv);
            moves += 1;
        }
    }
    seen
}

/// Judges positions, on boards of one shape.
#[derive(Clone, Debug)]
pub struct Network {
    weights: Arc<Weights>,
    geometry: &'static Geometry,
    activations: Activations,
}

impl Network {
    /// For boards of one geometry.
    pub fn new(geometry: &'static Geometry, weights: Arc<Weights>) -> Network {
        Network {
            weights,
            geometry,
            activations: Activations::new(geometry),
        }
    }

    /// Its boards.
    pub fn geometry(&self) -> &'static Geometry {
        self.geometry
    }

    /// The weights.
    pub fn weights(&self) -> &Arc<Weights> {
        &self.weights
    }

    /// Judges a position in which the game is not over: gives the probability of a move on each empty cell, by grid
    /// index, leaving other entries as they are, and returns the expected score of the side to move, from 0 to 1.
    pub fn judge(&mut self, position: &Position, probabilities: &mut [f32]) -> f32 {
        let weights = &*self.weights;
        self.activations.begin(&weights.first, position);
        for (number, layer) in weights.layers.iter().enumerate() {
            let whole = (number == weights.middle).then_some(&*weights.whole);
            self.activations.pass(layer, whole);
        }
        self.tell_moves(position, probabilities);
        self.value()
    }

    /// The softmax over the empty cells.
    fn tell_moves(&self, position: &Position, probabilities: &mut [f32]) {
        let cells = self.geometry.cells().iter();
        let empty = cells.filter(|&&cell| position.board().is_empty(cell));
        let mut most = f32::NEG_INFINITY;
        for cell in empty.clone() {
            let products = self.activations.of(*cell).iter();
            let products = products.zip(&self.weights.policy);
            let logit: f32 = products
                .map(|(&channel, weight)| f32::from(channel) * weight)
                .sum();
            probabilities[cell.index()] = logit / ACTIVATION;
            most = most.max(logit / ACTIVATION);
        }
        let mut sum = 0.0;
        for cell in empty.clone() {
            let power = libm::expf(probabilities[cell.index()] - most);
            probabilities[cell.index()] = power;
            sum += power;
        }
        for cell in empty {
            probabilities[cell.index()] /= sum;
        }
    }

    fn value(&self) -> f32 {
        let weights = &*self.weights;
        let mut bias = [0.0; HIDDEN];
        bias.copy_from_slice(&weights.hidden_bias);
        let hidden = times(&self.activations.mean(), &weights.hidden, bias);
        let products = hidden.iter().zip(&weights.value);
        let sum: f32 = products
            .map(|(hidden, weight)| hidden.max(0.0) * weight)
            .sum();
        1.0 / (1.0 + libm::expf(-(sum + weights.value_bias)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::geometry::Cell;

    /// The formula in floating point, cell by cell, from the weights as they are stored: the probabilities of moves on
    /// all cells before those that are not empty are left out, and the value.
    fn by_the_formula(weights: &[f32], position: &Position) -> (Vec<f32>, f32) {
        let geometry = position.geometry();
        let cells = geometry.cells();
        let layout = Layout::of(weights.len()).expect("a network");
        let part = |part: Part| &weights[layout.range(part)];
        let place = |cell: Cell| cells.iter().position(|&other| other == cell);
        let near: Vec<Vec<Option<usize>>> = cells
            .iter()
            .map(|&cell| {
                let around = (0..6).map(|d| geometry.neighbour(cell, d).and_then(place));
                std::iter::once(place(cell)).chain(around).collect()
            })
            .collect();
        let layer =
            |inputs: &[Vec<f32>], matrix: &[f32], bias: &[f32], kept: bool| -> Vec<Vec<f32>> {
                let channels = |cell: usize| {
                    let channel = |channel: usize| {
                        let mut sum = bias[channel];
                        for (d, other) in near[cell].iter().enumerate() {
                            let Some(other) = other else { continue };
                            for (number, input) in inputs[*other].iter().enumerate() {
                                let row = d * inputs[*other].len() + number;
                                sum += input * matrix[row * CHANNELS + channel];
                            }
                        }
                        let before = if kept { inputs[cell][channel] } else { 0.0 };
                        (sum + before).clamp(0.0, LARGEST)
                    };
                    (0..CHANNELS).map(channel).collect()
                };
                (0..cells.len()).map(channels).collect()
            };
        let mean = |numbers: &[Vec<f32>], channel: usize| {
            numbers.iter().map(|row| row[channel]).sum::<f32>() / cells.len() as f32
        };
        let inputs: Vec<Vec<f32>> = planes(position)
            .iter()
            .map(|row| row.iter().map(|&number| f32::from(number)).collect())
            .collect();
        let mut now = layer(&inputs, part(Part::First), part(Part::FirstBias), false);
        for number in 0..layout.layers() {
            let mut bias = part(Part::LayerBias(number)).to_vec();
            if number == layout.middle() {
                for (channel, bias) in bias.iter_mut().enumerate() {
                    for input in 0..CHANNELS {
                        *bias += mean(&now, input) * part(Part::Whole)[input * CHANNELS + channel];
                    }
                }
            }
            now = layer(&now, part(Part::Layer(number)), &bias, true);
        }
        let powers = now.iter().map(|row| {
            let products = row.iter().zip(part(Part::Policy));
            products
                .map(|(channel, weight)| channel * weight)
                .sum::<f32>()
                .exp()
        });
        let mut value = part(Part::ValueBias)[0];
        for hidden in 0..HIDDEN {
            let mut sum = part(Part::HiddenBias)[hidden];
            for channel in 0..CHANNELS {
                sum += mean(&now, channel) * part(Part::Hidden)[channel * HIDDEN + hidden];
            }
            value += sum.max(0.0) * part(Part::Value)[hidden];
        }
        (powers.collect(), 1.0 / (1.0 + (-value).exp()))
    }

    fn four_layers() -> Layout {
        Layout::new(4).expect("a layout")
    }

    /// What rounding may do to a value or a probability of a position.
    const ROUNDED: f32 = 0.4;
    /// What it may do to all probabilities of a position together, and to its value, in the mean of the positions of some games.
    const ROUNDED_TOGETHER: f32 = 0.13;
    const ROUNDED_VALUE: f32 = 0.03;
    /// With twenty layers the last positions of a random game may differ by more, and values by less in the mean.
    const ROUNDED_DEEP: f32 = 0.45;
    const ROUNDED_VALUE_DEEP: f32 = 0.02;
    /// So many random games on each size.
    const GAMES: usize = 5;

    #[test]
    fn whole_numbers_give_what_the_formula_gives() {
        let mut rng = random::seeded(11);
        for (size, shipped, most, most_of_values) in [
            (4, Shipped::SmallBoards, ROUNDED, ROUNDED_VALUE),
            (5, Shipped::SmallBoards, ROUNDED, ROUNDED_VALUE),
            (6, Shipped::SmallBoards, ROUNDED, ROUNDED_VALUE),
            (10, Shipped::LargeBoards, ROUNDED, ROUNDED_VALUE),
            (8, Shipped::Deep, ROUNDED_DEEP, ROUNDED_VALUE_DEEP),
        ] {
            let weights = shipped.numbers();
            let (mut differences, mut of_values, mut positions) = (0.0, 0.0, 0);
            let shape = Shape::regular(size).expect("a size");
            let geometry = Geometry::of(shape);
            let mut network = Network::new(geometry, shipped.weights());
            let mut probabilities = vec![0.0; geometry.grid()];
            for _ in 0..GAMES {
                let mut position = Position::new(shape);
                while position.outcome().is_none() {
                    let value = network.judge(&position, &mut probabilities);
                    let (powers, expected) = by_the_formula(&weights, &position);
                    assert!((value - expected).abs() < most, "{value} for {expected}");
                    of_values += (value - expected).abs();
                    let cells = geometry.cells().iter().zip(powers);
                    let empty = cells.filter(|&(&cell, _)| position.board().is_empty(cell));
                    let sum: f32 = empty.clone().map(|(_, power)| power).sum();
                    for (cell, power) in empty {
                        let found = probabilities[cell.index()];
                        let difference = (found - power / sum).abs();
                        assert!(difference < most, "{found} for {}", power / sum);
                        differences += difference;
                    }
                    positions += 1;
                    let mv = position.random_move(&mut rng).expect("a move");
                    position.play(mv);
                }
            }
            let mean = |differences: f32| differences / positions as f32;
            let (together, value) = (mean(differences), mean(of_values));
            assert!(
                together < ROUNDED_TOGETHER,
                "{together} of {shipped:?} on size {size}"
            );
            assert!(
                value < most_of_values,
                "{value} of {shipped:?} on size {size}"
            );
        }
    }

    #[test]
    fn another_number_of_weights_is_refused() {
        let count = four_layers().weights();
        assert!(Weights::new(&vec![0.0; count]).is_some());
        assert!(Weights::new(&vec![0.0; count - 1]).is_none());
    }

    #[test]
    fn layers_that_change_nothing_change_nothing() {
        let numbers = Shipped::SmallBoards.numbers();
        let mut position = Position::new(Shape::regular(5).expect("a size"));
        let mut rng = random::seeded(2);
        for _ in 0..12 {
            let mv = position.random_move(&mut rng).expect("a move");
            position.play(mv);
        }
        let judged = |weights: &[f32]| {
            let weights = Arc::new(Weights::new(weights).expect("weights"));
            let mut network = Network::new(position.geometry(), weights);
            let mut probabilities = vec![0.0; position.geometry().grid()];
            let value = network.judge(&position, &mut probabilities);
            (value, probabilities)
        };
        let layers = Layout::of(numbers.len()).expect("a network").layers();
        for more in 0..4 {
            let deeper = Layout::new(layers + more).expect("a layout");
            let deepened = deeper.deepened(&numbers).expect("fewer layers");
            assert_eq!(judged(&deepened), judged(&numbers));
        }
    }

    #[test]
    fn weights_that_are_too_large_are_refused() {
        let with = |part: Part, weight: f32, count: usize| {
            let mut weights = vec![0.0; four_layers().weights()];
            for row in 0..count {
                weights[four_layers().range(part)][row * CHANNELS] = weight;
            }
            Weights::new(&weights).is_some()
        };
        for part in [Part::First, Part::Layer(1), Part::Whole] {
            assert!(with(part, -63.0, 32));
            assert!(!with(part, 64.0, 1));
            assert!(!with(part, f32::NAN, 1));
        }
        assert!(with(Part::FirstBias, 1e9, 1));
        assert!(!with(Part::FirstBias, f32::NAN, 1));
        assert!(!with(Part::LayerBias(2), f32::INFINITY, 1));
    }
}
