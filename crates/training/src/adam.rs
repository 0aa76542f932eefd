//! Stochastic gradient descent with Adam (Kingma and Ba, "Adam: a method for stochastic optimization", 2015) and an
//! exponential moving average of the weights (Polyak and Juditsky, 1992).

/// How fast weights move.
#[derive(Clone, Copy, Debug)]
pub struct Rates {
    /// How far a step goes.
    pub rate: f64,
    /// The steps in which the rate grows from nothing.
    pub warm_up: u32,
    /// The share of the rate by which a step shrinks weights.
    pub shrink: f64,
    /// How much of the moving average a step keeps, from 0 to 1.
    pub average: f64,
}

/// Weights, and what steps need to know of earlier ones.
#[derive(Clone, Debug, PartialEq)]
pub struct Adam {
    /// The weights.
    pub weights: Vec<f32>,
    /// Means of the slopes, by weight.
    pub slopes: Vec<f32>,
    /// Means of their squares.
    pub squares: Vec<f32>,
    /// The moving average of the weights.
    pub average: Vec<f32>,
}

impl Adam {
    /// Before the first step.
    pub fn new(weights: Vec<f32>) -> Adam {
        Adam {
            average: weights.clone(),
            slopes: vec![0.0; weights.len()],
            squares: vec![0.0; weights.len()],
            weights,
        }
    }

    /// The step with a number, the first of which is 1, along a gradient.
    pub fn descend(&mut self, rates: &Rates, number: u64, gradient: &[f32]) {
        const SLOPES: f32 = 0.9;
        const SQUARES: f32 = 0.999;
        let age = number as f64;
        let known = |kept: f32| (1.0 - libm::pow(f64::from(kept), age)) as f32;
        let (slopes_known, squares_known) = (known(SLOPES), known(SQUARES));
        let growing = (age / f64::from(rates.warm_up.max(1))).min(1.0);
        let rate = (rates.rate * growing) as f32;
        let shrink = rates.shrink as f32;
        // A mean of few weights is that of all so far.
        let kept = rates.average.min(1.0 - 1.0 / age) as f32;
        for (number, &slope) in gradient.iter().enumerate() {
            let mean = &mut self.slopes[number];
            let square = &mut self.squares[number];
            let weight = &mut self.weights[number];
            *mean = SLOPES * *mean + (1.0 - SLOPES) * slope;
            *square = SQUARES * *square + (1.0 - SQUARES) * slope * slope;
            let step = *mean / slopes_known / ((*square / squares_known).sqrt() + 1e-8);
            *weight -= rate * (step + shrink * *weight);
            let average = &mut self.average[number];
            *average = kept * *average + (1.0 - kept) * *weight;
        }
    }

    /// Whether all weights are numbers.
    pub fn is_finite(&self) -> bool {
        let mut weights = self.weights.iter().chain(&self.average);
        weights.all(|weight| weight.is_finite())
    }
}

/// Adds the gradient of a part of a batch to the mean of this many lessons.
pub fn add_to_mean(mean: &mut [f32], part: &[f32], lessons: usize) {
    for (sum, slope) in mean.iter_mut().zip(part) {
        *sum += slope / lessons as f32;
    }
}
