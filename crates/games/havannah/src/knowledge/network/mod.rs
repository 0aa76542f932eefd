//! A small network that has seen many games: how likely a strong search is to make a move, and who will win
//! (Silver et al., "Mastering the game of Go with deep neural networks and tree search", 2016; the shape is that of
//! its successors, much smaller, on hexagonal cells).
//!
//! Layers of [`CHANNELS`] numbers for each cell, each computed from the cell and its six neighbours and added to what
//! was there before; one of them also sees the mean of the whole board. A move's probability is a softmax over the
//! cells, the value a logistic of hidden numbers computed from the mean of the board. Weights do not depend on the
//! size of the board. All but the last steps is done in whole numbers, so that it is the same on every machine.
//!
//! The weights that the program brings are in `havannah.weights`, which says what made it; `papamu learn` makes others.

mod convolution;
mod file;
mod layout;
mod planes;

pub use file::{from_bytes, to_bytes};
pub use layout::{CHANNELS, HIDDEN, Layout, MOST_LAYERS, NEAR, Part};
pub use planes::{PLANES, planes};

use crate::rules::geometry::{Cell, Geometry};
use crate::rules::position::Position;
use convolution::{ACTIVATION, Channels, LARGEST_ACTIVATION, Layer, Near, TOGETHER};
use engine::weights::sha256;
use std::sync::{Arc, LazyLock};

/// The largest number that a layer gives; larger ones are cut off.
pub const LARGEST: f32 = LARGEST_ACTIVATION as f32 / ACTIVATION;

/// The files of the weights that come with the program.
const LEARNED: &[u8] = include_bytes!("havannah.weights");
const PEOPLE: &[u8] = include_bytes!("people.weights");

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
    /// From numbers, as [`Part`] says; `None` if there is no network with so many, or where they are so large that sums of
    /// whole numbers could overflow: 64 for one, 128 for all of a channel together.
    pub fn new(weights: &[f32]) -> Option<Weights> {
        let layout = Layout::of(weights.len())?;
        let part = |part: Part| &weights[layout.range(part)];
        let (whole, _) = part(Part::Whole).as_chunks();
        let layer = |number| {
            let of_means = if number == layout.middle() {
                whole
            } else {
                &[]
            };
            Layer::inner(
                part(Part::Layer(number)),
                part(Part::LayerBias(number)),
                of_means,
            )
        };
        Some(Weights {
            first: Layer::first(part(Part::First), part(Part::FirstBias))?,
            layers: (0..layout.layers()).map(layer).collect::<Option<_>>()?,
            middle: layout.middle(),
            whole: whole.to_vec(),
            policy: part(Part::Policy).to_vec(),
            hidden: part(Part::Hidden).as_chunks().0.to_vec(),
            hidden_bias: part(Part::HiddenBias).to_vec(),
            value: part(Part::Value).to_vec(),
            value_bias: part(Part::ValueBias)[0],
        })
    }

    /// The SHA-256 of the file of the weights that come with the program.
    pub fn learned_sha256() -> &'static str {
        static HASH: LazyLock<String> = LazyLock::new(|| sha256(LEARNED));
        &HASH
    }

    /// The numbers of the weights that come with the program.
    ///
    /// # Panics
    /// Never: a test reads them.
    pub fn learned_numbers() -> Vec<f32> {
        let file = from_bytes(LEARNED);
        file.expect("the weights of the program are whole").0
    }

    /// The weights that come with the program.
    ///
    /// # Panics
    /// Never: a test reads them.
    pub fn learned() -> Arc<Weights> {
        static LEARNED: LazyLock<Arc<Weights>> =
            LazyLock::new(|| of_program(&Weights::learned_numbers()));
        Arc::clone(&LEARNED)
    }

    /// Other weights that come with the program: learned from games of people, whose moves they expect.
    ///
    /// # Panics
    /// Never: a test reads them.
    pub fn of_people() -> Arc<Weights> {
        static OF_PEOPLE: LazyLock<Arc<Weights>> = LazyLock::new(|| {
            let file = from_bytes(PEOPLE);
            of_program(&file.expect("the weights of the program are whole").0)
        });
        Arc::clone(&OF_PEOPLE)
    }

    /// The SHA-256 of their file.
    pub fn of_people_sha256() -> &'static str {
        static HASH: LazyLock<String> = LazyLock::new(|| sha256(PEOPLE));
        &HASH
    }
}

fn of_program(numbers: &[f32]) -> Arc<Weights> {
    Arc::new(Weights::new(numbers).expect("the weights of the network are complete"))
}

/// Judges positions, on boards of one shape.
#[derive(Clone, Debug)]
pub struct Network {
    weights: Arc<Weights>,
    geometry: &'static Geometry,
    /// For all cells, some together: the grid indices of what counts for them. The last is there again where there are
    /// fewer.
    near: Vec<Near>,
    /// By grid index, 0 in the margin.
    inputs: Vec<[i16; PLANES]>,
    /// By grid index, 0 in the margin: of the layer before and of the one under way.
    channels: [Vec<Channels>; 2],
}

impl Network {
    /// For boards of one geometry.
    pub fn new(geometry: &'static Geometry, weights: Arc<Weights>) -> Network {
        let grid = geometry.grid();
        let near = |cell: Cell| {
            std::array::from_fn(|place| match place {
                0 => cell.index(),
                _ => geometry.step(cell.index(), place - 1),
            })
        };
        let near_all =
            |cells: &[Cell]| std::array::from_fn(|place| near(cells[place.min(cells.len() - 1)]));
        Network {
            weights,
            geometry,
            near: geometry.cells().chunks(TOGETHER).map(near_all).collect(),
            inputs: vec![[0; PLANES]; grid],
            channels: [vec![[0; CHANNELS]; grid], vec![[0; CHANNELS]; grid]],
        }
    }

    /// Judges a position in which the game is not over: gives the probability of a move on each empty cell, by grid
    /// index, leaving other entries as they are, and returns the expected score of the side to move, from 0 to 1.
    pub fn judge(&mut self, position: &Position, probabilities: &mut [f32]) -> f32 {
        let cells = self.geometry.cells();
        for (cell, planes) in cells.iter().zip(planes(position)) {
            self.inputs[cell.index()] = planes;
        }
        let weights = &*self.weights;
        let [before, after] = &mut self.channels;
        let first = &weights.first;
        first.compute(&first.bias, &self.near, &self.inputs, None, before);
        for (number, layer) in weights.layers.iter().enumerate() {
            let mut bias = layer.bias;
            if number == weights.middle {
                let added = times(&mean(cells, before), &weights.whole, [0.0; CHANNELS]);
                for (bias, added) in bias.iter_mut().zip(added) {
                    *bias += layer.addend(added);
                }
            }
            layer.compute(&bias, &self.near, before, Some(before), after);
            std::mem::swap(before, after);
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
            let products = self.channels[0][cell.index()]
                .iter()
                .zip(&self.weights.policy);
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
        let mean = mean(self.geometry.cells(), &self.channels[0]);
        let hidden = times(&mean, &weights.hidden, bias);
        let products = hidden.iter().zip(&weights.value);
        let sum: f32 = products
            .map(|(hidden, weight)| hidden.max(0.0) * weight)
            .sum();
        1.0 / (1.0 + libm::expf(-(sum + weights.value_bias)))
    }
}

/// The mean of each channel.
fn mean(cells: &[Cell], channels: &[Channels]) -> [f32; CHANNELS] {
    let mut sums = [0; CHANNELS];
    for cell in cells {
        for (sum, &channel) in sums.iter_mut().zip(&channels[cell.index()]) {
            *sum += i32::from(channel);
        }
    }
    sums.map(|sum| sum as f32 / (cells.len() as f32 * ACTIVATION))
}

/// A vector times a matrix, and a vector added.
fn times<const OUTPUTS: usize>(
    vector: &[f32],
    matrix: &[[f32; OUTPUTS]],
    mut sums: [f32; OUTPUTS],
) -> [f32; OUTPUTS] {
    for (number, row) in vector.iter().zip(matrix) {
        for (sum, weight) in sums.iter_mut().zip(row) {
            *sum += number * weight;
        }
    }
    sums
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Shape;
    use game::{Game, random};

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

    /// What rounding may do to a probability.
    const ROUNDED: f32 = 0.06;
    /// What it may do to all probabilities of a position together, in the mean of the positions of some games.
    const ROUNDED_TOGETHER: f32 = 0.02;
    /// So many random games on each size.
    const GAMES: usize = 5;

    #[test]
    fn whole_numbers_give_what_the_formula_gives() {
        let weights = Weights::learned_numbers();
        let mut rng = random::seeded(11);
        for size in [4, 5, 6, 10] {
            let (mut differences, mut positions) = (0.0, 0);
            let shape = Shape::regular(size).expect("a size");
            let geometry = Geometry::of(shape);
            let mut network = Network::new(geometry, Weights::learned());
            let mut probabilities = vec![0.0; geometry.grid()];
            for _ in 0..GAMES {
                let mut position = Position::new(shape);
                while position.outcome().is_none() {
                    let value = network.judge(&position, &mut probabilities);
                    let (powers, expected) = by_the_formula(&weights, &position);
                    assert!((value - expected).abs() < ROUNDED, "{value} for {expected}");
                    let cells = geometry.cells().iter().zip(powers);
                    let empty = cells.filter(|&(&cell, _)| position.board().is_empty(cell));
                    let sum: f32 = empty.clone().map(|(_, power)| power).sum();
                    for (cell, power) in empty {
                        let found = probabilities[cell.index()];
                        let difference = (found - power / sum).abs();
                        assert!(difference < ROUNDED, "{found} for {}", power / sum);
                        differences += difference;
                    }
                    positions += 1;
                    let mv = position.random_move(&mut rng).expect("a move");
                    position.play(mv);
                }
            }
            let mean = differences / positions as f32;
            assert!(mean < ROUNDED_TOGETHER, "{mean} on size {size}");
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
        let numbers = Weights::learned_numbers();
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
    fn weights_whose_sums_could_overflow_are_refused() {
        let with = |part: Part, weight: f32, count: usize| {
            let mut weights = vec![0.0; four_layers().weights()];
            for row in 0..count {
                weights[four_layers().range(part)][row * CHANNELS] = weight;
            }
            Weights::new(&weights).is_some()
        };
        for part in [Part::First, Part::Layer(1)] {
            assert!(with(part, -63.0, 2));
            assert!(!with(part, 64.0, 1));
            assert!(!with(part, -43.0, 3));
        }
        assert!(with(Part::Whole, 2.0, 31));
        assert!(!with(Part::Whole, -2.0, 32));
        assert!(!with(Part::Whole, f32::NAN, 1));
        assert!(!with(Part::First, f32::NAN, 1));
        assert!(!with(Part::FirstBias, f32::NAN, 1));
    }
}
