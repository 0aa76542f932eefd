//! Layers of the network as whole numbers.
//!
//! Inputs have 7 bits and weights 8, which processors multiply and add four at a time; what is added up over the layers has
//! 16 bits. Each channel has a range of its own for its inputs, and one for its weights: without these steps are too large
//! (Jacob et al., "Quantization and training of neural networks for efficient integer-arithmetic-only inference", 2018).

use super::layout::{CHANNELS, NEAR};
use super::planes::{ON_BOARD, PLANES, SIZE, USUAL_SIZE};

/// What one of the channels' numbers is worth is `1 / ACTIVATION`.
pub(super) const ACTIVATION: f32 = 16.0;
/// The largest of these numbers, 2048, where training cuts them off too. With twelve layers some are there after 80 random stones on
/// sizes 8 and 10.
pub(super) const LARGEST_ACTIVATION: i32 = (1 << 15) - 1;
/// The largest input of a layer.
pub(super) const LARGEST_INPUT: i32 = 127;
/// The largest of its weights.
const LARGEST_WHOLE_WEIGHT: f32 = 127.0;
/// What a weight must be less than.
const LARGEST_WEIGHT: f32 = 64.0;
/// What is added to the products of a layer is at most this, and so are their sums: single precision has all whole numbers up
/// to four times this one.
const LARGEST_ADDEND: f32 = (1 << 22) as f32;
/// The range of inputs, as a part of the largest that were seen: to cut some off costs more than larger steps.
const RANGE: f32 = 1.25;
/// A plane is an input of the first layer twice, the first time so many times as large: its weights have more bits then.
const COARSE: i16 = 6;

/// The channels of a cell.
pub(super) type Channels = [i16; CHANNELS];
/// The inputs of a layer from a cell, up to 127.
pub(super) type Inputs = [u8; CHANNELS];
/// The weights of two inputs: for each channel one, then the other.
pub(super) type Pair = [i16; 2 * CHANNELS];
/// The weights of four inputs: for each channel one after the other.
#[cfg(any(test, target_arch = "x86_64", target_arch = "aarch64"))]
pub(super) type Quad = [i8; 4 * CHANNELS];

/// A layer: from inputs of each cell and its neighbours to the channels of the cell.
#[derive(Clone, Debug)]
pub(super) struct Layer {
    /// What makes inputs of the channels, in units of 2⁻¹⁵.
    pub factors: Channels,
    /// The weights for instructions that multiply two inputs.
    pub pairs: Vec<Pair>,
    /// The same for those that multiply four.
    #[cfg(any(test, target_arch = "x86_64", target_arch = "aarch64"))]
    pub quads: Vec<Quad>,
    pub bias: [i32; CHANNELS],
    /// How many of the sums are worth 1.
    pub scales: [f32; CHANNELS],
}

/// The inputs of the first layer for the planes of a cell of the board.
pub(super) fn inputs_of_planes(planes: &[i16; PLANES]) -> Inputs {
    const { assert!(2 * PLANES == CHANNELS) };
    let mut planes = *planes;
    planes[SIZE] += USUAL_SIZE;
    std::array::from_fn(|input| {
        let plane = planes[input % PLANES];
        (if input < PLANES {
            COARSE * plane
        } else {
            plane
        }) as u8
    })
}

impl Layer {
    /// The first layer; `None` if weights are too large. Its inputs are the [planes](inputs_of_planes).
    pub(super) fn first(weights: &[f32], bias: &[f32]) -> Option<Layer> {
        const LARGEST: f32 = LARGEST_WHOLE_WEIGHT * COARSE as f32;
        let mut rows = weights.as_chunks::<CHANNELS>().0.to_vec();
        if !are_below(LARGEST_WEIGHT, &rows) {
            return None;
        }
        // The size as an input is larger than the plane.
        for of_direction in rows.chunks_mut(PLANES) {
            let of_size = of_direction[SIZE];
            for (weight, of_size) in of_direction[ON_BOARD].iter_mut().zip(of_size) {
                *weight -= f32::from(USUAL_SIZE) * of_size;
            }
        }
        let scales = scales(&rows, bias, LARGEST)?;
        let whole = |direction: usize, input: usize, channel: usize| {
            let row = &rows[direction * PLANES + input % PLANES];
            let weight = (row[channel] * scales[channel]).round() as i16;
            let coarse = (weight + COARSE / 2).div_euclid(COARSE);
            if input < PLANES {
                coarse
            } else {
                weight - COARSE * coarse
            }
        };
        Some(Layer::new([0; CHANNELS], whole, bias, scales))
    }

    /// A layer whose inputs are made of channels that hold at most about these numbers, and which means are added to with these
    /// weights, if any; `None` if weights are too large.
    pub(super) fn inner(
        weights: &[f32],
        bias: &[f32],
        of_means: &[[f32; CHANNELS]],
        largest: &Channels,
    ) -> Option<Layer> {
        let (rows, _) = weights.as_chunks::<CHANNELS>();
        if !are_below(LARGEST_WEIGHT, rows) || !are_below(LARGEST_WEIGHT, of_means) {
            return None;
        }
        let factors = largest.map(|largest| {
            let range = RANGE * f32::from(largest.max(1));
            (32768.0 * LARGEST_INPUT as f32 / range).min(32767.0) as i16
        });
        // What an input of 1 is worth.
        let worth = factors.map(|factor| 32768.0 / ACTIVATION / f32::from(factor));
        let scaled: Vec<[f32; CHANNELS]> = (rows.iter().zip(worth.iter().cycle()))
            .map(|(row, worth)| row.map(|weight| weight * worth))
            .collect();
        let added = |channel: usize| {
            let means = of_means.iter().map(|row| row[channel].abs()).sum::<f32>();
            bias[channel].abs() + means * LARGEST_ACTIVATION as f32 / ACTIVATION
        };
        let added: [f32; CHANNELS] = std::array::from_fn(added);
        let scales = scales(&scaled, &added, LARGEST_WHOLE_WEIGHT)?;
        let whole = |direction: usize, input: usize, channel: usize| {
            let weight = scaled[direction * CHANNELS + input][channel];
            (weight * scales[channel]).round() as i16
        };
        Some(Layer::new(factors, whole, bias, scales))
    }

    /// With whole weights for each direction, input and channel.
    fn new(
        factors: Channels,
        whole: impl Fn(usize, usize, usize) -> i16,
        bias: &[f32],
        scales: [f32; CHANNELS],
    ) -> Layer {
        let of = |input: usize, channel: usize| whole(input / CHANNELS, input % CHANNELS, channel);
        let pair = |number| std::array::from_fn(|place| of(2 * number + place % 2, place / 2));
        #[cfg(any(test, target_arch = "x86_64", target_arch = "aarch64"))]
        let quad =
            |number| std::array::from_fn(|place| of(4 * number + place % 4, place / 4) as i8);
        Layer {
            factors,
            pairs: (0..NEAR * CHANNELS / 2).map(pair).collect(),
            #[cfg(any(test, target_arch = "x86_64", target_arch = "aarch64"))]
            quads: (0..NEAR * CHANNELS / 4).map(quad).collect(),
            bias: std::array::from_fn(|channel| (bias[channel] * scales[channel]).round() as i32),
            scales,
        }
    }

    /// What is added to a channel, in the unit of its sums.
    pub(super) fn addend(&self, channel: usize, value: f32) -> i32 {
        (value * self.scales[channel]) as i32
    }
}

/// By what the weights of each channel are multiplied so that the largest is as large as a whole one can be, unless what
/// is `added` would be too large; `None` if they are too large, or not numbers.
fn scales(rows: &[[f32; CHANNELS]], added: &[f32], largest: f32) -> Option<[f32; CHANNELS]> {
    /// Channels without weights have a scale too.
    const LEAST: f32 = 1e-3;
    let mut scales = [0.0; CHANNELS];
    for (channel, scale) in scales.iter_mut().enumerate() {
        let weights = rows.iter().map(|row| row[channel].abs());
        let most = weights.fold(LEAST, f32::max);
        *scale = (largest / most).min(LARGEST_ADDEND / added[channel].abs().max(LEAST));
    }
    let numbers = rows.as_flattened().iter().chain(added);
    let is_finite = numbers.chain(&scales).all(|number| number.is_finite());
    is_finite.then_some(scales)
}

/// Whether the magnitude of each weight is less than a limit.
fn are_below(limit: f32, rows: &[[f32; CHANNELS]]) -> bool {
    rows.as_flattened()
        .iter()
        .all(|weight| weight.abs() < limit)
}
