//! Finds the weights of `papamu`'s evaluation: it plays games against itself, and fits the weights to
//! who won by logistic regression (Newton's method).
//!
//! ```text
//! cargo run --release -p konane --example tune_evaluation -- [GAMES [NODES [SEED [SIZE]]]]
//! ```

use game::{Game, Side, random};
use konane::evaluation::{Evaluator, FEATURES, Features};
use konane::{Opening, Position, Shape, SmallBitBoard, Start};
use search::{Limits, Pvs, pvs};

/// The weights on the empty board, then what a full board adds: of the move, then of the features of the
/// side to move and of its opponent, in turns.
const WEIGHTS: usize = 2 * (2 * FEATURES + 1);

/// A position of a game, from the point of view of the side to move.
struct Sample {
    inputs: [f64; WEIGHTS],
    won: f64,
    stones: u32,
    plies_left: usize,
}

fn main() {
    let args: Vec<u64> = std::env::args()
        .skip(1)
        .map(|arg| arg.parse().expect("a number"))
        .collect();
    let arg = |index: usize, default: u64| args.get(index).copied().unwrap_or(default);
    let (games, nodes, seed) = (arg(0, 300), arg(1, 2000), arg(2, 1));
    let size = arg(3, 8) as usize;
    let mut samples = Vec::new();
    for game in 0..games {
        play(
            seed.wrapping_mul(1_000_003).wrapping_add(game),
            nodes,
            size,
            &mut samples,
        );
    }
    println!("{} positions of {games} games", samples.len());
    for stones in (4..size as u32 * size as u32).step_by(4) {
        let here: Vec<f64> = samples
            .iter()
            .filter(|sample| (stones..stones + 4).contains(&sample.stones))
            .map(|sample| sample.plies_left as f64)
            .collect();
        if here.len() > 20 {
            let mean = here.iter().sum::<f64>() / here.len() as f64;
            print!("{stones}: {mean:.0}  ");
        }
    }
    println!("plies left in the mean, by stones");
    let (fit, held_out): (Vec<_>, Vec<_>) = samples
        .into_iter()
        .enumerate()
        .partition(|(index, _)| index / 500 % 5 != 0);
    let mut weights = [0.0; WEIGHTS];
    for round in 0..8 {
        weights = newton(&weights, &fit);
        println!(
            "round {round}: loss {:.4}, held out {:.4}",
            loss(&weights, &fit),
            loss(&weights, &held_out)
        );
    }
    let rounded: Vec<[i64; 2]> = weights
        .chunks(2)
        .map(|pair| [pair[0], pair[1]].map(|weight| (100.0 * weight).round() as i64))
        .collect();
    let written = |[empty, full]: [i64; 2]| format!("weight({empty}, {full})");
    println!("TEMPO: {}", written(rounded[0]));
    for pair in rounded[1..].chunks(2) {
        println!("    [{}, {}],", written(pair[0]), written(pair[1]));
    }
}

fn play(seed: u64, nodes: u64, size: usize, samples: &mut Vec<Sample>) {
    let mut rng = random::seeded(seed);
    let start = Start {
        shape: Shape::new(size, size).expect("a shape"),
        opening: Opening::Traditional,
    };
    let mut position: Position<SmallBitBoard> = Position::new(&start).expect("a position");
    for _ in 0..4 + random::below(16, &mut rng) {
        if let Some(mv) = position.random_move(&mut rng) {
            position.play(mv);
        }
    }
    let evaluator = Evaluator::new(position.shape());
    let params = pvs::Params {
        memory: 1 << 20,
        ..pvs::Params::default()
    };
    let mut player = Pvs::new(position.clone(), evaluator.clone(), params);
    let limits = Limits {
        nodes: Some(nodes),
        ..Limits::default()
    };
    let mut seen = Vec::new();
    while position.outcome().is_none() {
        let mv = player.search(&limits, &mut |_| {}).best.expect("a move");
        position.play(mv);
        player.advance(mv).expect("a legal move");
        seen.push((evaluator.features(&position), position.to_move()));
    }
    let winner = !position.to_move();
    let plies = seen.len();
    for (ply, (features, to_move)) in seen.into_iter().enumerate() {
        samples.push(Sample {
            inputs: inputs(&features, to_move),
            won: f64::from(u8::from(winner == to_move)),
            stones: features.stones,
            plies_left: plies - 1 - ply,
        });
    }
}

fn inputs(features: &Features, to_move: Side) -> [f64; WEIGHTS] {
    let fullness = f64::from(features.stones) / f64::from(features.cells);
    let mut inputs = [0.0; WEIGHTS];
    for (index, pair) in inputs.chunks_mut(2).enumerate() {
        let more = match index.checked_sub(1) {
            None => 1.0,
            Some(index) => {
                let own = index % 2 == 0;
                let side = if own { to_move } else { !to_move };
                let count = f64::from(features.counts[side.index()][index / 2]);
                if own { count } else { -count }
            }
        };
        pair[0] = more;
        pair[1] = more * fullness;
    }
    inputs
}

fn probability(weights: &[f64; WEIGHTS], sample: &Sample) -> f64 {
    let value: f64 = weights.iter().zip(&sample.inputs).map(|(w, x)| w * x).sum();
    1.0 / (1.0 + (-value).exp())
}

fn loss(weights: &[f64; WEIGHTS], samples: &[(usize, Sample)]) -> f64 {
    let one = |(_, sample): &(usize, Sample)| {
        let p = probability(weights, sample).clamp(1e-9, 1.0 - 1e-9);
        -(sample.won * p.ln() + (1.0 - sample.won) * (1.0 - p).ln())
    };
    samples.iter().map(one).sum::<f64>() / samples.len() as f64
}

/// A step of Newton's method, held back a little towards 0.
fn newton(weights: &[f64; WEIGHTS], samples: &[(usize, Sample)]) -> [f64; WEIGHTS] {
    const RIDGE: f64 = 3.0;
    let mut gradient: Vec<f64> = weights.iter().map(|weight| -RIDGE * weight).collect();
    let mut hessian = vec![vec![0.0; WEIGHTS]; WEIGHTS];
    for (_, sample) in samples {
        let p = probability(weights, sample);
        for row in 0..WEIGHTS {
            gradient[row] += (sample.won - p) * sample.inputs[row];
            for (value, input) in hessian[row].iter_mut().zip(&sample.inputs) {
                *value += p * (1.0 - p) * sample.inputs[row] * input;
            }
        }
    }
    for (index, row) in hessian.iter_mut().enumerate() {
        row[index] += RIDGE;
    }
    let step = solved(hessian, gradient);
    std::array::from_fn(|index| weights[index] + step[index])
}

/// The solution of a system of linear equations, by elimination.
fn solved(mut matrix: Vec<Vec<f64>>, mut right: Vec<f64>) -> Vec<f64> {
    let size = right.len();
    for pivot in 0..size {
        let best = (pivot..size)
            .max_by(|&a, &b| matrix[a][pivot].abs().total_cmp(&matrix[b][pivot].abs()));
        let best = best.unwrap_or(pivot);
        matrix.swap(pivot, best);
        right.swap(pivot, best);
        let (row, value) = (matrix[pivot].clone(), right[pivot]);
        for below in pivot + 1..size {
            let factor = matrix[below][pivot] / row[pivot];
            for column in pivot..size {
                matrix[below][column] -= factor * row[column];
            }
            right[below] -= factor * value;
        }
    }
    for pivot in (0..size).rev() {
        let known: f64 = (pivot + 1..size)
            .map(|column| matrix[pivot][column] * right[column])
            .sum();
        right[pivot] = (right[pivot] - known) / matrix[pivot][pivot];
    }
    right
}
