//! Learns the weights of `havannah::knowledge::network` from games that `havannah_self_play` wrote down.
//!
//! ```text
//! cargo run --release -p papamu-havannah --example havannah_self_play -- 5,6,6,7,8,8 120 40000 1 games.txt
//! RUSTFLAGS="-C target-cpu=native" cargo run --release -p papamu-record --example train_network -- weights.bin PASSES THREADS games.txt...
//! ```
//!
//! Stochastic gradient descent with Adam ("a method for stochastic optimization", Kingma and Ba, 2015) makes the moves
//! and the results of the games more likely, as one of the twelve symmetries shows each position. A fiftieth of the
//! games is kept out, to report how well what was never seen is predicted.

mod convolution;
mod gradient;
mod samples;

use convolution::{Near, neighbours};
use game::random;
use gradient::{Gradient, Loss, Model};
use havannah::Shape;
use havannah::knowledge::network::{WEIGHTS, Weights};
use samples::Sample;
use std::collections::{HashMap, HashSet};
use std::error::Error;
use std::time::Instant;
use std::{env, fs, thread};

const BATCH: usize = 128;
/// The largest step of a weight, when steps have grown to their full length.
const RATE: f32 = 4e-3;
const GROWING: usize = 200;
/// The share of the largest step that the last ones have.
const LAST: f32 = 0.005;
/// How much a weight shrinks towards 0, in steps.
const SHRINK: f32 = 1e-4;
const REPORT: usize = 500;

/// By shape and symmetry.
type Neighbours = HashMap<Shape, [Near; 12]>;

/// Means of the slopes and of their squares, by weight.
struct Adam {
    slopes: Vec<f32>,
    squares: Vec<f32>,
}

impl Adam {
    const SLOPES: f32 = 0.9;
    const SQUARES: f32 = 0.999;

    fn step(&mut self, weights: &mut [f32], gradient: &[f32], number: usize, rate: f32) {
        let age = number as i32 + 1;
        let known = (1.0 - Adam::SLOPES.powi(age), 1.0 - Adam::SQUARES.powi(age));
        let means = self.slopes.iter_mut().zip(&mut self.squares);
        for ((weight, &slope), (mean, square)) in weights.iter_mut().zip(gradient).zip(means) {
            *mean = Adam::SLOPES * *mean + (1.0 - Adam::SLOPES) * slope;
            *square = Adam::SQUARES * *square + (1.0 - Adam::SQUARES) * slope * slope;
            let step = *mean / known.0 / ((*square / known.1).sqrt() + 1e-8);
            *weight -= rate * (step + SHRINK * *weight);
        }
    }
}

/// The length of a step: growing, then along half a wave of a cosine down to its last.
fn rate(step: usize, steps: usize) -> f32 {
    let growing = (step as f32 / GROWING as f32).min(1.0);
    let wave = (std::f32::consts::PI * step as f32 / steps as f32).cos();
    RATE * growing * (0.5 + 0.5 * wave).max(LAST)
}

/// How well samples are predicted that were not learned from.
fn test(model: &Model, samples: &[Sample], neighbours: &Neighbours, threads: usize) -> Loss {
    let parts = on_threads(threads, samples, |part| {
        let mut loss = Loss::default();
        for sample in part {
            loss += model.test(sample, &neighbours[&sample.shape][0]);
        }
        loss
    });
    let mut loss = Loss::default();
    for part in parts {
        loss += part;
    }
    loss
}

/// What is made of equal parts of some things, each on a thread.
fn on_threads<T: Sync, R: Send>(
    threads: usize,
    things: &[T],
    make: impl Fn(&[T]) -> R + Sync,
) -> Vec<R> {
    thread::scope(|scope| {
        let parts = things.chunks(things.len().div_ceil(threads).max(1));
        let running: Vec<_> = parts.map(|part| scope.spawn(|| make(part))).collect();
        let join = |thread: thread::ScopedJoinHandle<'_, _>| thread.join().expect("a thread");
        running.into_iter().map(join).collect()
    })
}

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = env::args().skip(1).collect();
    let [out, passes, threads, files @ ..] = &arguments[..] else {
        return Err("usage: train_network WEIGHTS PASSES THREADS FILE...".into());
    };
    let (passes, threads): (f64, usize) = (passes.parse()?, threads.parse()?);
    let (learned, mut kept_out) = samples::read(files)?;
    kept_out.sort_by_key(|sample| sample.shape);
    println!("{} positions, {} kept out", learned.len(), kept_out.len());
    let shapes = learned.iter().chain(&kept_out).map(|sample| sample.shape);
    let shapes: HashSet<Shape> = shapes.collect();
    let near = |shape| (shape, neighbours(shape));
    let neighbours: Neighbours = shapes.into_iter().map(near).collect();
    let mut rng = random::seeded(1);
    let mut model = Model::random(&mut rng);
    let mut adam = Adam {
        slopes: vec![0.0; WEIGHTS],
        squares: vec![0.0; WEIGHTS],
    };
    let steps = (passes * learned.len() as f64 / BATCH as f64) as usize;
    let mut order: Vec<usize> = (0..learned.len()).collect();
    let mut next = order.len();
    let mut loss = Loss::default();
    let begin = Instant::now();
    for step in 0..steps {
        if next + BATCH > order.len() {
            random::shuffle(&mut order, &mut rng);
            next = 0;
        }
        let symmetric = |&index: &usize| (&learned[index], random::below(12, &mut rng) as usize);
        let batch: Vec<(&Sample, usize)> =
            order[next..next + BATCH].iter().map(symmetric).collect();
        next += BATCH;
        let learn = |part: &[(&Sample, usize)]| {
            let mut gradient = Gradient(vec![0.0; WEIGHTS]);
            let mut loss = Loss::default();
            for (sample, symmetry) in part {
                let near = &neighbours[&sample.shape][*symmetry];
                loss += model.learn(sample, near, &mut gradient);
            }
            (loss, gradient)
        };
        let parts = on_threads(threads, &batch, learn);
        let mut gradient = vec![0.0; WEIGHTS];
        for (part, slopes) in parts {
            loss += part;
            for (sum, slope) in gradient.iter_mut().zip(slopes.0) {
                *sum += slope / BATCH as f32;
            }
        }
        adam.step(&mut model.weights, &gradient, step, rate(step, steps));
        model.turn_back();
        if step % REPORT == REPORT - 1 || step + 1 == steps {
            let unseen = test(&model, &kept_out, &neighbours, threads);
            println!(
                "step {} of {steps}, {:.0} s: learned {loss}; kept out {unseen}",
                step + 1,
                begin.elapsed().as_secs_f64()
            );
            loss = Loss::default();
            let bytes = model.weights.iter().flat_map(|weight| weight.to_le_bytes());
            fs::write(out, bytes.collect::<Vec<u8>>())?;
        }
    }
    for samples in kept_out.chunk_by(|one, other| one.shape == other.shape) {
        let unseen = test(&model, samples, &neighbours, threads);
        println!("kept out, size {}: {unseen}", samples[0].shape);
    }
    if Weights::new(&model.weights).is_none() {
        return Err("the weights have grown too large for the network's whole numbers".into());
    }
    Ok(())
}
