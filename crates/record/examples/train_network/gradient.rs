//! The network in floating point, with its gradient.

use super::samples::{Lesson, Sample};
use game::random::{self, Rng};
use havannah::knowledge::network::{CHANNELS, HIDDEN, LAYERS, MIDDLE, NEAR, PLANES, Part, WEIGHTS};
use havannah::{Position, Shape};
use ndarray::{Array1, Array2, ArrayView1, ArrayView2, ArrayViewMut1, ArrayViewMut2, Axis, s};
use std::collections::HashMap;
use std::fmt;
use std::ops::{AddAssign, Range};

/// How well lessons were predicted.
#[derive(Default)]
pub struct Loss {
    choices: u32,
    /// Of the searches' choices: the sum of the cross-entropies in nats, and how often the most visited move was the
    /// most likely.
    entropy: f64,
    first: u32,
    scores: u32,
    /// Of the results: the sum of the cross-entropies in nats, and how often the winner was the more likely.
    surprise: f64,
    right: u32,
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

impl fmt::Display for Loss {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mean = |sum: f64, count: u32| sum / f64::from(count.max(1));
        write!(
            f,
            "moves {:.3} ({:.1} % first), results {:.4} ({:.1} % right)",
            mean(self.entropy, self.choices),
            100.0 * mean(self.first.into(), self.choices),
            mean(self.surprise, self.scores),
            100.0 * mean(self.right.into(), self.scores)
        )
    }
}

/// Some positions together: a row for each cell.
pub struct Batch {
    boards: Vec<Range<usize>>,
    /// By row: those of the cell itself and of its neighbours.
    near: Vec<[Option<usize>; NEAR]>,
    inputs: Array2<f32>,
}

impl Batch {
    /// Samples as symmetries show them, which are numbers from 0 to 11.
    pub fn new(samples: &[(&Sample, usize)]) -> Batch {
        let mut boards = Vec::new();
        let mut near = Vec::new();
        let mut inputs = Vec::new();
        let mut neighbours: HashMap<usize, Vec<[Option<usize>; NEAR]>> = HashMap::new();
        for &(sample, symmetry) in samples {
            let start = near.len();
            let known = neighbours.entry(sample.size);
            let board = known.or_insert_with(|| neighbours_of(sample.size));
            for row in board.iter() {
                near.push(std::array::from_fn(|place| {
                    let shown = match (place, symmetry) {
                        (0, _) => 0,
                        (_, 0..6) => 1 + (place - 1 + symmetry) % 6,
                        _ => 1 + (symmetry + 7 - place) % 6,
                    };
                    row[shown].map(|other| start + other)
                }));
            }
            inputs.extend(
                sample
                    .planes
                    .iter()
                    .flatten()
                    .map(|&number| f32::from(number)),
            );
            boards.push(start..near.len());
        }
        Batch {
            boards,
            inputs: Array2::from_shape_vec((near.len(), PLANES), inputs).expect("a row a cell"),
            near,
        }
    }

    /// What a layer's matrix is multiplied with: of each cell the numbers of those near it.
    fn gather(&self, numbers: &Array2<f32>) -> Array2<f32> {
        let width = numbers.ncols();
        let numbers = numbers.as_slice().expect("row by row");
        let mut gathered = Vec::with_capacity(self.near.len() * NEAR * width);
        for near in self.near.iter().flatten() {
            match *near {
                Some(row) => gathered.extend_from_slice(&numbers[row * width..(row + 1) * width]),
                None => gathered.resize(gathered.len() + width, 0.0),
            }
        }
        Array2::from_shape_vec((self.near.len(), NEAR * width), gathered).expect("a row a cell")
    }

    /// The other way: slopes of what was gathered are added to those of where it came from.
    fn scatter(&self, gathered: &Array2<f32>, slopes: &mut Array2<f32>) {
        let width = slopes.ncols();
        let gathered = gathered.as_slice().expect("row by row").chunks_exact(width);
        let slopes = slopes.as_slice_mut().expect("row by row");
        for (near, part) in self.near.iter().flatten().zip(gathered) {
            if let &Some(row) = near {
                for (slope, more) in slopes[row * width..(row + 1) * width].iter_mut().zip(part) {
                    *slope += more;
                }
            }
        }
    }

    /// The means of the boards.
    fn means(&self, numbers: &Array2<f32>) -> Array2<f32> {
        let mut means = Array2::zeros((self.boards.len(), numbers.ncols()));
        for (board, mut mean) in self.boards.iter().zip(means.rows_mut()) {
            for row in numbers.slice(s![board.clone(), ..]).rows() {
                mean += &row;
            }
            mean /= board.len() as f32;
        }
        means
    }

    /// Adds the row of a board to each of its cells' rows.
    fn add_to_cells(&self, of_boards: &Array2<f32>, numbers: &mut Array2<f32>) {
        for (board, added) in self.boards.iter().zip(of_boards.rows()) {
            let mut cells = numbers.slice_mut(s![board.clone(), ..]);
            cells += &added;
        }
    }
}

/// For each cell of a board of this size, in the order of its cells: its own place and those of its neighbours.
fn neighbours_of(size: usize) -> Vec<[Option<usize>; NEAR]> {
    let shape = Shape::regular(size as u32).expect("the size of a sample");
    let position = Position::new(shape);
    let geometry = position.geometry();
    let place = |cell| geometry.cells().binary_search(&cell).ok();
    let near = |&cell: &_| {
        std::array::from_fn(|near| match near {
            0 => place(cell),
            _ => geometry.neighbour(cell, near - 1).and_then(place),
        })
    };
    geometry.cells().iter().map(near).collect()
}

/// What the model makes of a batch, with what its gradient needs.
pub struct Prediction<'a> {
    model: &'a Model,
    batch: &'a Batch,
    /// The gathered inputs of each layer, and its channels.
    gathered: Vec<Array2<f32>>,
    channels: Vec<Array2<f32>>,
    middle_means: Array2<f32>,
    last_means: Array2<f32>,
    hidden: Array2<f32>,
    /// By board: the expected score of the side to move.
    scores: Array1<f32>,
}

pub struct Model {
    pub weights: Vec<f32>,
}

fn relu(numbers: &mut Array2<f32>) {
    numbers.mapv_inplace(|number| number.max(0.0));
}

impl Model {
    /// Random weights: layers begin by changing little of what comes to them.
    pub fn random(rng: &mut Rng) -> Model {
        let mut weights = vec![0.0; WEIGHTS];
        let mut fill = |part: Part, deviation: f32| {
            for weight in &mut weights[part.range()] {
                let uniform = || f64::from(random::below(1 << 24, rng)) / f64::from(1 << 24) - 0.5;
                // The sum of four has the deviation 1/√3.
                let sum: f64 = std::iter::repeat_with(uniform).take(4).sum();
                *weight = deviation * 3f32.sqrt() * sum as f32;
            }
        };
        let inputs = (NEAR * CHANNELS) as f32;
        fill(Part::First, 0.15);
        for layer in 0..LAYERS {
            fill(Part::Layer(layer), 0.5 * (2.0 / inputs).sqrt());
        }
        fill(Part::Whole, 0.2 / (CHANNELS as f32).sqrt());
        fill(Part::Policy, 0.3 / (CHANNELS as f32).sqrt());
        fill(Part::Hidden, (2.0 / CHANNELS as f32).sqrt());
        fill(Part::Value, 0.3 / (HIDDEN as f32).sqrt());
        Model { weights }
    }

    fn matrix(&self, part: Part, columns: usize) -> ArrayView2<'_, f32> {
        let weights = &self.weights[part.range()];
        ArrayView2::from_shape((weights.len() / columns, columns), weights).expect("full rows")
    }

    fn vector(&self, part: Part) -> ArrayView1<'_, f32> {
        ArrayView1::from(&self.weights[part.range()])
    }

    /// What the model makes of a batch.
    pub fn predict<'a>(&'a self, batch: &'a Batch) -> Prediction<'a> {
        let mut gathered = vec![batch.gather(&batch.inputs)];
        let mut first = gathered[0].dot(&self.matrix(Part::First, CHANNELS));
        first += &self.vector(Part::FirstBias);
        relu(&mut first);
        let mut channels = vec![first];
        let mut middle_means = Array2::zeros((0, 0));
        for layer in 0..LAYERS {
            let before = &channels[layer];
            let near = batch.gather(before);
            let mut after = near.dot(&self.matrix(Part::Layer(layer), CHANNELS));
            after += &self.vector(Part::LayerBias(layer));
            after += before;
            if layer == MIDDLE {
                middle_means = batch.means(before);
                let added = middle_means.dot(&self.matrix(Part::Whole, CHANNELS));
                batch.add_to_cells(&added, &mut after);
            }
            relu(&mut after);
            gathered.push(near);
            channels.push(after);
        }
        let last_means = batch.means(&channels[LAYERS]);
        let mut hidden = last_means.dot(&self.matrix(Part::Hidden, HIDDEN));
        hidden += &self.vector(Part::HiddenBias);
        relu(&mut hidden);
        let logits =
            hidden.dot(&self.vector(Part::Value)) + self.weights[Part::ValueBias.range().start];
        Prediction {
            model: self,
            batch,
            gathered,
            channels,
            middle_means,
            last_means,
            hidden,
            scores: logits.mapv(|logit| 1.0 / (1.0 + (-logit).exp())),
        }
    }

    /// How well the samples are predicted, and the sum of their gradients.
    pub fn learn(&self, samples: &[(&Sample, usize)]) -> (Loss, Vec<f32>) {
        let batch = Batch::new(samples);
        let prediction = self.predict(&batch);
        (prediction.loss(samples), prediction.gradient(samples))
    }
}

impl Prediction<'_> {
    /// The probabilities of moves on the empty cells of a board.
    fn probabilities(&self, board: &Range<usize>, empty: &[usize]) -> Vec<f32> {
        let policy = self.model.vector(Part::Policy);
        let last = &self.channels[LAYERS];
        let logit = |&place: &usize| last.row(board.start + place).dot(&policy);
        let logits: Vec<f32> = empty.iter().map(logit).collect();
        let most = logits.iter().copied().fold(f32::NEG_INFINITY, f32::max);
        let powers: Vec<f32> = logits.iter().map(|logit| (logit - most).exp()).collect();
        let sum: f32 = powers.iter().sum();
        powers.into_iter().map(|power| power / sum).collect()
    }

    pub fn loss(&self, samples: &[(&Sample, usize)]) -> Loss {
        const LEAST: f32 = 1e-6;
        let mut loss = Loss::default();
        for (number, (sample, _)) in samples.iter().enumerate() {
            match &sample.lesson {
                &Lesson::Score(score) => {
                    let expected = self.scores[number].clamp(LEAST, 1.0 - LEAST);
                    let surprise = -score * expected.ln() - (1.0 - score) * (1.0 - expected).ln();
                    loss.scores += 1;
                    loss.surprise += f64::from(surprise);
                    loss.right += u32::from((expected > 0.5) == (score > 0.5));
                }
                Lesson::Choice { shares, empty } => {
                    let probabilities = self.probabilities(&self.batch.boards[number], empty);
                    let of = |place: usize| {
                        let index = empty.iter().position(|&other| other == place);
                        index.map_or(0.0, |index| probabilities[index])
                    };
                    let entropy =
                        |&(place, share): &(usize, f32)| -share * of(place).max(LEAST).ln();
                    let most = shares.iter().max_by(|one, other| one.1.total_cmp(&other.1));
                    let is_first = |&(place, _): &(usize, f32)| {
                        probabilities.iter().all(|&other| other <= of(place))
                    };
                    loss.choices += 1;
                    loss.entropy += f64::from(shares.iter().map(entropy).sum::<f32>());
                    loss.first += u32::from(most.is_some_and(is_first));
                }
            }
        }
        loss
    }

    /// The sum of the gradients of the samples' losses.
    fn gradient(&self, samples: &[(&Sample, usize)]) -> Vec<f32> {
        let mut gradient = Gradient(vec![0.0; WEIGHTS]);
        let (model, batch) = (self.model, self.batch);
        let mut slopes = Array2::zeros(self.channels[LAYERS].raw_dim());
        let mut of_logits = Array2::zeros((samples.len(), 1));
        for (number, (sample, _)) in samples.iter().enumerate() {
            match &sample.lesson {
                &Lesson::Score(score) => of_logits[(number, 0)] = self.scores[number] - score,
                Lesson::Choice { shares, empty } => {
                    let board = &batch.boards[number];
                    let probabilities = self.probabilities(board, empty);
                    let policy = model.vector(Part::Policy);
                    for (&place, probability) in empty.iter().zip(probabilities) {
                        let share = shares.iter().find(|&&(other, _)| other == place);
                        let slope = probability - share.map_or(0.0, |&(_, share)| share);
                        let row = board.start + place;
                        gradient
                            .vector(Part::Policy)
                            .scaled_add(slope, &self.channels[LAYERS].row(row));
                        slopes.row_mut(row).scaled_add(slope, &policy);
                    }
                }
            }
        }
        gradient
            .matrix(Part::ValueBias, 1)
            .assign(&of_logits.sum_axis(Axis(0)).insert_axis(Axis(0)));
        gradient
            .matrix(Part::Value, 1)
            .assign(&self.hidden.t().dot(&of_logits));
        let mut of_hidden = of_logits.dot(&model.matrix(Part::Value, 1).t());
        stop_at_zero(&mut of_hidden, &self.hidden);
        gradient
            .vector(Part::HiddenBias)
            .assign(&of_hidden.sum_axis(Axis(0)));
        gradient
            .matrix(Part::Hidden, HIDDEN)
            .assign(&self.last_means.t().dot(&of_hidden));
        let of_means = of_hidden.dot(&model.matrix(Part::Hidden, HIDDEN).t());
        self.spread(of_means, &mut slopes);
        for layer in (0..LAYERS).rev() {
            stop_at_zero(&mut slopes, &self.channels[layer + 1]);
            let part = Part::Layer(layer);
            gradient
                .vector(Part::LayerBias(layer))
                .assign(&slopes.sum_axis(Axis(0)));
            gradient
                .matrix(part, CHANNELS)
                .assign(&self.gathered[layer + 1].t().dot(&slopes));
            let of_gathered = slopes.dot(&model.matrix(part, CHANNELS).t());
            let of_whole = (layer == MIDDLE).then(|| {
                let mut of_boards = batch.means(&slopes);
                for (board, mut row) in batch.boards.iter().zip(of_boards.rows_mut()) {
                    row *= board.len() as f32;
                }
                let slopes = self.middle_means.t().dot(&of_boards);
                gradient.matrix(Part::Whole, CHANNELS).assign(&slopes);
                of_boards.dot(&model.matrix(Part::Whole, CHANNELS).t())
            });
            batch.scatter(&of_gathered, &mut slopes);
            if let Some(of_means) = of_whole {
                self.spread(of_means, &mut slopes);
            }
        }
        stop_at_zero(&mut slopes, &self.channels[0]);
        gradient
            .vector(Part::FirstBias)
            .assign(&slopes.sum_axis(Axis(0)));
        gradient
            .matrix(Part::First, CHANNELS)
            .assign(&self.gathered[0].t().dot(&slopes));
        gradient.0
    }

    /// Slopes of the boards' means are shared by their cells.
    fn spread(&self, mut of_means: Array2<f32>, slopes: &mut Array2<f32>) {
        for (board, mut row) in self.batch.boards.iter().zip(of_means.rows_mut()) {
            row /= board.len() as f32;
        }
        self.batch.add_to_cells(&of_means, slopes);
    }
}

/// Where a number was cut off at 0 it has no slope.
fn stop_at_zero(slopes: &mut Array2<f32>, numbers: &Array2<f32>) {
    slopes.zip_mut_with(numbers, |slope, &number| {
        if number <= 0.0 {
            *slope = 0.0;
        }
    });
}

/// By weight.
struct Gradient(Vec<f32>);

impl Gradient {
    fn matrix(&mut self, part: Part, columns: usize) -> ArrayViewMut2<'_, f32> {
        let slopes = &mut self.0[part.range()];
        ArrayViewMut2::from_shape((slopes.len() / columns, columns), slopes).expect("full rows")
    }

    fn vector(&mut self, part: Part) -> ArrayViewMut1<'_, f32> {
        ArrayViewMut1::from(&mut self.0[part.range()])
    }
}
