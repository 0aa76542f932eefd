//! Finds the weights of the network in `papamu`'s evaluation on 8×8: fits what it adds to all else, which is left as it
//! is, to games that `self_play` wrote, as `tune_evaluation` does (Kingma and Ba, "Adam: a method for stochastic
//! optimization", 2015).
//!
//! ```text
//! cargo run --release -p papamu-konane --example tune_network -- ROUNDS RATE OUT FILE…
//! ```
//!
//! `OUT` gets the weights (`src/evaluation/network.bin`). A tenth of the games is held out: before the first round and
//! after each it says how well their labels are foretold, as the mean logarithmic loss in nats, and which part of their
//! winners.

mod labelled;

use game::random;
use konane::Shape;
use konane::evaluation::{
    Evaluator, NETWORK_FILTERS, NETWORK_INPUTS, NETWORK_OUT_UNIT, NETWORK_TURNS, NETWORK_UNIT,
    Seen, turned_input,
};
use labelled::Labelled;
use std::fs;

/// Positions a step.
const BATCH: usize = 1024;
/// How fast the means of gradients and of their squares forget.
const FORGETS: f32 = 0.9;
const SQUARES_FORGET: f32 = 0.999;

const NEURONS: usize = NETWORK_FILTERS * NETWORK_TURNS;
/// After the inputs: what is added to each filter, what it counts on an empty board and on a full one.
const ADDED: usize = NETWORK_INPUTS;
const OUT: [usize; 2] = [ADDED + 1, ADDED + 2];
const ROWS: usize = ADDED + 3;

/// A position of a game, from the point of view of the side to move.
struct Sample {
    seen: Seen,
    /// What all but the network says, in logits.
    base: f32,
    /// The probability to win that the weights are fitted to.
    target: f32,
    won: f32,
    /// The part of the cells that is full.
    fullness: f32,
}

/// A number for each filter in each row, or for each neuron.
type Rows<const COLUMNS: usize> = Vec<[f32; COLUMNS]>;

/// The weights of a row for each neuron are those of its filter for the row as it is turned.
fn turned(turn: usize, row: usize) -> usize {
    if row < NETWORK_INPUTS {
        turned_input(turn, row)
    } else {
        row
    }
}

fn for_neurons(weights: &Rows<NETWORK_FILTERS>) -> Rows<NEURONS> {
    let of_row = |row| {
        std::array::from_fn(|neuron| {
            weights[turned(neuron / NETWORK_FILTERS, row)][neuron % NETWORK_FILTERS]
        })
    };
    (0..ROWS).map(of_row).collect()
}

fn of_filters(gradients: &Rows<NEURONS>) -> Rows<NETWORK_FILTERS> {
    let mut sums = vec![[0.0; NETWORK_FILTERS]; ROWS];
    for (row, gradients) in gradients.iter().enumerate() {
        for (turn, gradients) in gradients.chunks(NETWORK_FILTERS).enumerate() {
            for (sum, gradient) in sums[turned(turn, row)].iter_mut().zip(gradients) {
                *sum += gradient;
            }
        }
    }
    sums
}

impl Sample {
    fn for_each_input(&self, mut visit: impl FnMut(usize)) {
        let Seen(sets) = self.seen;
        for (number, &set) in sets.iter().enumerate() {
            let mut left = set;
            while left != 0 {
                visit(64 * number + left.trailing_zeros() as usize);
                left &= left - 1;
            }
        }
    }

    /// What the neurons say, and what each counts.
    fn neurons(&self, weights: &Rows<NEURONS>) -> ([f32; NEURONS], [f32; NEURONS]) {
        let mut sums = weights[ADDED];
        self.for_each_input(|input| {
            for (sum, weight) in sums.iter_mut().zip(&weights[input]) {
                *sum += weight;
            }
        });
        let [empty, full] = OUT.map(|row| &weights[row]);
        let counts = |neuron| (1.0 - self.fullness) * empty[neuron] + self.fullness * full[neuron];
        (
            sums.map(|sum: f32| sum.max(0.0)),
            std::array::from_fn(counts),
        )
    }

    fn probability(&self, active: &[f32; NEURONS], counts: &[f32; NEURONS]) -> f32 {
        let pairs = active.iter().zip(counts);
        let added: f32 = pairs.map(|(active, count)| active * count).sum();
        1.0 / (1.0 + (-self.base - added).exp())
    }

    /// Adds to the gradients of the loss.
    fn learn(&self, weights: &Rows<NEURONS>, gradients: &mut Rows<NEURONS>) {
        let (active, counts) = self.neurons(weights);
        let error = self.probability(&active, &counts) - self.target;
        let mut behind = [0.0; NEURONS];
        for neuron in 0..NEURONS {
            let [empty, full] = OUT;
            gradients[empty][neuron] += error * active[neuron] * (1.0 - self.fullness);
            gradients[full][neuron] += error * active[neuron] * self.fullness;
            if active[neuron] > 0.0 {
                behind[neuron] = error * counts[neuron];
            }
        }
        let mut add = |row: usize| {
            for (gradient, behind) in gradients[row].iter_mut().zip(&behind) {
                *gradient += behind;
            }
        };
        add(ADDED);
        self.for_each_input(add);
    }
}

/// The steps of Adam.
struct Adam {
    means: Vec<f32>,
    squares: Vec<f32>,
    step: i32,
}

impl Adam {
    fn step(&mut self, weights: &mut [f32], gradients: &[f32], rate: f32) {
        self.step += 1;
        let seen = [FORGETS, SQUARES_FORGET].map(|forgets| 1.0 - forgets.powi(self.step));
        let known = self.means.iter_mut().zip(&mut self.squares);
        for ((weight, gradient), (mean, square)) in weights.iter_mut().zip(gradients).zip(known) {
            let gradient = gradient / BATCH as f32;
            *mean += (1.0 - FORGETS) * (gradient - *mean);
            *square += (1.0 - SQUARES_FORGET) * (gradient * gradient - *square);
            *weight -= rate * (*mean / seen[0]) / ((*square / seen[1]).sqrt() + 1e-8);
        }
    }
}

fn main() {
    let mut args = std::env::args().skip(1);
    let mut number = || args.next().and_then(|arg| arg.parse::<f32>().ok());
    let rounds = number().expect("a number of rounds") as usize;
    let rate = number().expect("a rate");
    let out = args.next().expect("a file");
    let shape = Shape::new(8, 8).expect("a shape");
    let evaluator = Evaluator::<1>::new(shape).without_network();
    let (mut fit, held_out) = labelled::read(args, shape, |labelled| sample(labelled, &evaluator));
    let mut rng = random::seeded(1);
    let mut small = || (random::below(1 << 20, &mut rng) as f32 / (1 << 20) as f32 - 0.5) / 5.0;
    let mut weights: Rows<NETWORK_FILTERS> = (0..ROWS)
        .map(|_| std::array::from_fn(|_| small()))
        .collect();
    weights[ADDED] = [0.1; NETWORK_FILTERS];
    let nothing = vec![[0.0; NETWORK_FILTERS]; ROWS];
    tell("without the network", &nothing, &held_out);
    let mut adam = Adam {
        means: vec![0.0; ROWS * NETWORK_FILTERS],
        squares: vec![0.0; ROWS * NETWORK_FILTERS],
        step: 0,
    };
    let steps = rounds * (fit.len() / BATCH);
    for round in 0..rounds {
        random::shuffle(&mut fit, &mut rng);
        for batch in fit.chunks_exact(BATCH) {
            let expanded = for_neurons(&weights);
            let mut gradients = vec![[0.0; NEURONS]; ROWS];
            for sample in batch {
                sample.learn(&expanded, &mut gradients);
            }
            let fall = 1.0 - adam.step as f32 / steps as f32;
            let gradients = of_filters(&gradients);
            adam.step(
                weights.as_flattened_mut(),
                gradients.as_flattened(),
                rate * fall,
            );
        }
        tell(&format!("round {round}"), &weights, &held_out);
    }
    let whole = |(row, weights): (usize, &[f32; NETWORK_FILTERS])| {
        let unit = if OUT.contains(&row) {
            100.0 * NETWORK_OUT_UNIT
        } else {
            NETWORK_UNIT
        };
        weights.map(|weight| (unit * weight).round() as i16)
    };
    let numbers = weights.iter().enumerate().flat_map(whole);
    let bytes: Vec<u8> = numbers.flat_map(i16::to_le_bytes).collect();
    fs::write(out, bytes).expect("a file");
}

fn tell(what: &str, weights: &Rows<NETWORK_FILTERS>, samples: &[Sample]) {
    let weights = for_neurons(weights);
    let (mut loss, mut right) = (0.0, 0);
    for sample in samples {
        let (active, counts) = sample.neurons(&weights);
        let p = sample.probability(&active, &counts).clamp(1e-7, 1.0 - 1e-7);
        loss -= f64::from(sample.target * p.ln() + (1.0 - sample.target) * (1.0 - p).ln());
        right += usize::from((p > 0.5) == (sample.won > 0.5));
    }
    let count = samples.len() as f64;
    println!("{what}: {:.4} {:.3}", loss / count, right as f64 / count);
}

fn sample(labelled: Labelled, evaluator: &Evaluator<1>) -> Sample {
    let Labelled {
        position,
        won,
        target,
        ..
    } = labelled;
    Sample {
        seen: evaluator.seen(&position),
        base: evaluator.value(&position) as f32 / 100.0,
        target,
        won,
        fullness: evaluator.features(&position).stones as f32 / 64.0,
    }
}
