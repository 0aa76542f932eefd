//! Finds the weights of `papamu`'s evaluation: fits them to who won in games that `self_play` wrote, and to what
//! searches say of the positions, by logistic regression (stochastic gradient descent with a rate for each weight:
//! Duchi, Hazan and Singer, "Adaptive subgradient methods", 2011).
//!
//! ```text
//! cargo run --release -p papamu-konane --example tune_evaluation -- ROUNDS RATE OUT FILE…
//! ```
//!
//! `RATE` is for the patterns; the less often they were seen, the smaller it should be. `OUT` gets their
//! weights (`src/evaluation/patterns.bin`); the others are printed. A tenth of the games is held out: after
//! each round it says how well their winners are foretold, as the mean logarithmic loss and as the part that
//! was foretold rightly, by eighths of the stones and for all.

mod labelled;

use game::{Game, random};
use konane::Shape;
use konane::evaluation::{Evaluator, FEATURES, PATTERN_KNOTS, PATTERN_UNIT, PATTERN_WEIGHTS};
use labelled::Labelled;
use std::fs;

/// The move, then each count of the side to move and of its opponent; each on the empty board, and what
/// a full board adds.
const COUNTED: usize = 2 + 4 * FEATURES;
const RATE: f32 = 0.1;
const DECAY: f32 = 2e-4;

/// A position of a game, from the point of view of the side to move.
struct Sample {
    patterns: Vec<(u32, bool)>,
    /// How much the two weights of a pattern count.
    parts: [f32; 2],
    counts: [f32; COUNTED],
    won: f32,
    /// The probability to win that the weights are fitted to.
    target: f32,
    stones: u32,
}

/// Weights with the sums of the squares of their gradients.
struct Model {
    patterns: Vec<[[f32; 2]; 2]>,
    counts: [[f32; 2]; COUNTED],
}

impl Model {
    fn probability(&self, sample: &Sample) -> f32 {
        let counts = self.counts.iter().zip(&sample.counts);
        let counts: f32 = counts.map(|([weight, _], count)| weight * count).sum();
        let pattern = |&(index, is_opponents): &(u32, bool)| {
            let [[empty, _], [full, _]] = self.patterns[index as usize];
            let weight = sample.parts[0] * empty + sample.parts[1] * full;
            if is_opponents { -weight } else { weight }
        };
        let patterns: f32 = sample.patterns.iter().map(pattern).sum();
        1.0 / (1.0 + (-counts - patterns).exp())
    }

    fn learn(&mut self, sample: &Sample, rate: f32, pattern_rate: f32) {
        let error = sample.target - self.probability(sample);
        let step = |[weight, squares]: &mut [f32; 2], gradient: f32, rate: f32| {
            *squares += gradient * gradient;
            *weight += rate * gradient / squares.sqrt();
        };
        for &(index, is_opponents) in &sample.patterns {
            let gradient = if is_opponents { -error } else { error };
            for (weight, part) in self.patterns[index as usize].iter_mut().zip(sample.parts) {
                if part > 0.0 {
                    step(weight, part * gradient - DECAY * weight[0], pattern_rate);
                }
            }
        }
        for (weight, count) in self.counts.iter_mut().zip(&sample.counts) {
            step(weight, error * count, rate);
        }
    }
}

fn main() {
    let mut args = std::env::args().skip(1);
    let mut number = || args.next().and_then(|arg| arg.parse::<f32>().ok());
    let rounds = number().expect("a number of rounds");
    let pattern_rate = number().expect("a rate");
    let out = args.next().expect("a file");
    let shape = Shape::new(8, 8).expect("a shape");
    let evaluator = Evaluator::<1>::new(shape);
    let (mut fit, held_out) = labelled::read(args, shape, |labelled| sample(labelled, &evaluator));
    let mut rng = random::seeded(1);
    let mut model = Model {
        patterns: vec![[[0.0, 1.0]; 2]; PATTERN_WEIGHTS],
        counts: [[0.0, 1.0]; COUNTED],
    };
    for round in 0..rounds as u32 {
        random::shuffle(&mut fit, &mut rng);
        let fall = 1.0 - round as f32 / rounds;
        for sample in &fit {
            model.learn(sample, RATE * fall, pattern_rate * fall);
        }
        tell(round, &model, &held_out);
    }
    let hundredths = |weight: f32| (100.0 * weight).round();
    let written = |pair: &[[f32; 2]]| {
        let [empty, full] = [pair[0][0], pair[1][0]].map(hundredths);
        format!("weight({empty}, {full})")
    };
    println!("TEMPO: {}", written(&model.counts[..2]));
    for four in model.counts[2..].chunks(4) {
        println!("    [{}, {}],", written(&four[..2]), written(&four[2..]));
    }
    let bytes = model.patterns.iter().flatten().map(|[weight, _]| {
        let weight = (100.0 * weight / PATTERN_UNIT as f32).round();
        weight.clamp(-127.0, 127.0) as i8 as u8
    });
    fs::write(out, bytes.collect::<Vec<u8>>()).expect("a file");
}

fn tell(round: u32, model: &Model, samples: &[Sample]) {
    const ALL: usize = 8;
    let mut sums = [(0.0_f64, 0.0_f64, 0.0_f64); ALL + 1];
    for sample in samples {
        let p = model.probability(sample).clamp(1e-9, 1.0 - 1e-7);
        let target = sample.target;
        let is_right = (p > 0.5) == (sample.won > 0.5);
        for place in [sample.stones as usize / 8, ALL] {
            let (loss, right, count) = &mut sums[place];
            *loss -= f64::from(target * p.ln() + (1.0 - target) * (1.0 - p).ln());
            *right += f64::from(u8::from(is_right));
            *count += 1.0;
        }
    }
    print!("round {round}:");
    for (loss, right, count) in sums.iter().filter(|(_, _, count)| *count > 100.0) {
        print!("  {:.4} {:.3}", loss / count, right / count);
    }
    println!();
}

fn sample(labelled: Labelled, evaluator: &Evaluator<1>) -> Sample {
    let Labelled {
        position,
        won,
        target,
        ..
    } = labelled;
    let side = position.to_move();
    let features = evaluator.features(&position);
    let fullness = features.stones as f32 / features.cells as f32;
    let [first, last] = PATTERN_KNOTS.map(|knot| knot as f32 / 256.0);
    let past = ((fullness - first) / (last - first)).clamp(0.0, 1.0);
    let [own, other] = [side, !side].map(|side| features.counts[side.index()]);
    let pairs = own.iter().zip(&other);
    let counts = pairs.flat_map(|(&own, &other)| [own as f32, -(other as f32)]);
    let mut filled = [0.0; COUNTED];
    let all = std::iter::once(1.0).chain(counts);
    for (place, count) in filled.chunks_mut(2).zip(all) {
        place[0] = count;
        place[1] = count * fullness;
    }
    let patterns = evaluator.patterns(&position).into_iter();
    Sample {
        patterns: patterns
            .map(|pattern| (pattern.weight as u32, pattern.is_opponents))
            .collect(),
        parts: [1.0 - past, past],
        counts: filled,
        won,
        target,
        stones: features.stones,
    }
}
