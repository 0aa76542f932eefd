//! Layers of the network, in whole numbers: the same on every machine, however it computes.
//!
//! Products are of inputs of 7 bits and weights of 8, which processors multiply and add four at a time; what is added up over
//! the layers has 16 bits. Each channel has a range of its own for its inputs, and one for its weights: without these
//! steps are too large (Jacob et al., "Quantization and training of neural networks for efficient integer-arithmetic-only
//! inference", 2018).

#[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
mod simd128;
#[cfg(any(
    target_arch = "x86_64",
    all(target_arch = "wasm32", target_feature = "simd128")
))]
mod sparse;

use super::layout::{CHANNELS, NEAR};
use super::planes::{ON_BOARD, PLANES, SIZE, USUAL_SIZE};

/// Cells that are computed together, so that a weight is read once for all of them.
pub(super) const TOGETHER: usize = 8;

/// What one of the channels' numbers is worth is `1 / ACTIVATION`.
pub(super) const ACTIVATION: f32 = 16.0;
/// The largest of these numbers, 2048, where training cuts them off too. With twelve layers some are there after 80 random stones on
/// sizes 8 and 10.
pub(super) const LARGEST_ACTIVATION: i32 = (1 << 15) - 1;
/// The largest input of a layer.
const LARGEST_INPUT: i32 = 127;
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
/// Activations are cut off long before this.
const BEYOND: f32 = 4.0 * LARGEST_ACTIVATION as f32;

/// The channels of a cell.
pub(super) type Channels = [i16; CHANNELS];
/// The inputs of a layer from a cell, up to 127.
pub(super) type Inputs = [u8; CHANNELS];
/// The weights of two inputs: for each channel one, then the other.
type Pair = [i16; 2 * CHANNELS];
/// The weights of four inputs: for each channel one after the other.
type Quad = [i8; 4 * CHANNELS];

/// A layer: from inputs of each cell and its neighbours to the channels of the cell.
#[derive(Clone, Debug)]
pub(super) struct Layer {
    /// What makes inputs of the channels, in units of 2⁻¹⁵.
    factors: Channels,
    /// For instructions that multiply two inputs, and for those that multiply four.
    pairs: Vec<Pair>,
    quads: Vec<Quad>,
    pub bias: [i32; CHANNELS],
    /// How many of the sums are worth 1.
    scales: [f32; CHANNELS],
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
        let factors = largest.map(|largest| {
            let range = RANGE * f32::from(largest.max(1));
            (32768.0 * LARGEST_INPUT as f32 / range).min(32767.0) as i16
        });
        // What an input of 1 is worth.
        let worth = factors.map(|factor| 32768.0 / ACTIVATION / f32::from(factor));
        let scaled: Vec<[f32; CHANNELS]> = (rows.iter().zip(worth.iter().cycle()))
            .map(|(row, worth)| row.map(|weight| weight * worth))
            .collect();
        if !are_below(LARGEST_WEIGHT, rows) || !are_below(LARGEST_WEIGHT, of_means) {
            return None;
        }
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
        let quad =
            |number| std::array::from_fn(|place| of(4 * number + place % 4, place / 4) as i8);
        Layer {
            factors,
            pairs: (0..NEAR * CHANNELS / 2).map(pair).collect(),
            quads: (0..NEAR * CHANNELS / 4).map(quad).collect(),
            bias: std::array::from_fn(|channel| (bias[channel] * scales[channel]).round() as i32),
            scales,
        }
    }

    /// What is added to a channel, in the unit of its sums.
    pub(super) fn addend(&self, channel: usize, value: f32) -> i32 {
        (value * self.scales[channel]) as i32
    }

    /// Computes the channels of all cells from the inputs `near` each, with the best instructions that there are. What is
    /// `kept`, one for each input, is added to them. `bias` stands for the layer's own.
    pub(super) fn compute(
        &self,
        bias: &[i32; CHANNELS],
        near: &[Near],
        inputs: &[Inputs],
        kept: Option<&[Channels]>,
        channels: &mut [Channels],
    ) {
        #[cfg(target_arch = "x86_64")]
        {
            // SAFETY: the processor has the instructions.
            unsafe {
                if vectors::has_512() {
                    return vectors::compute_512(self, bias, near, inputs, kept, channels);
                }
                if vectors::has_fours() {
                    return vectors::compute_fours(self, bias, near, inputs, kept, channels);
                }
                if vectors::has_256() {
                    return vectors::compute_256(self, bias, near, inputs, kept, channels);
                }
            }
        }
        #[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
        let add_products = simd128::add_products;
        #[cfg(not(all(target_arch = "wasm32", target_feature = "simd128")))]
        let add_products = add_products_plainly;
        self.compute_by(add_products, bias, near, inputs, kept, channels);
    }

    /// The same with a way to add products. It is compiled with the instructions of the function that calls it, which
    /// adapters of iterators are not: hence the loops.
    #[inline(always)]
    fn compute_by(
        &self,
        add_products: impl Fn(&Layer, &[Inputs], &Near, &mut Sums),
        bias: &[i32; CHANNELS],
        near: &[Near],
        inputs: &[Inputs],
        kept: Option<&[Channels]>,
        channels: &mut [Channels],
    ) {
        // Adding this rounds to whole numbers, the even one in the middle, and leaves them in the lowest bits.
        const ROUNDING: f32 = (3 << 22) as f32;
        let units = self.scales.map(|scale| ACTIVATION / scale);
        for near in near {
            let mut sums = [*bias; TOGETHER];
            add_products(self, inputs, near, &mut sums);
            for cell in 0..TOGETHER {
                let here = near[cell][0];
                let mut before = [0; CHANNELS];
                if let Some(kept) = kept {
                    before = kept[here];
                }
                let channels = &mut channels[here];
                for channel in 0..CHANNELS {
                    let exact = sums[cell][channel] as f32 * units[channel];
                    let exact = exact.clamp(-BEYOND, BEYOND);
                    let rounded = (exact + ROUNDING).to_bits() as i32 - ROUNDING.to_bits() as i32;
                    let activation = i32::from(before[channel]) + rounded;
                    channels[channel] = activation.clamp(0, LARGEST_ACTIVATION) as i16;
                }
            }
        }
    }

    /// Makes the layer's inputs of the channels before it.
    pub(super) fn read(&self, channels: &[Channels], inputs: &mut [Inputs]) {
        #[cfg(target_arch = "x86_64")]
        {
            // SAFETY: the processor has the instructions.
            unsafe {
                if vectors::has_512() {
                    return vectors::read_512(self, channels, inputs);
                }
                if vectors::has_256() {
                    return vectors::read_256(self, channels, inputs);
                }
            }
        }
        self.read_by_any(channels, inputs);
    }

    #[inline(always)]
    fn read_by_any(&self, channels: &[Channels], inputs: &mut [Inputs]) {
        let cells = channels.len().min(inputs.len());
        for cell in 0..cells {
            for channel in 0..CHANNELS {
                let product = i32::from(channels[cell][channel]) * i32::from(self.factors[channel]);
                let input = (product + (1 << 14)) >> 15;
                inputs[cell][channel] = input.min(LARGEST_INPUT) as u8;
            }
        }
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

/// The indices of the inputs of some cells: of the cell itself first.
pub(super) type Near = [[usize; NEAR]; TOGETHER];
type Sums = [[i32; CHANNELS]; TOGETHER];

#[cfg(any(test, not(all(target_arch = "wasm32", target_feature = "simd128"))))]
/// Adds the products of inputs and weights.
fn add_products_plainly(layer: &Layer, inputs: &[Inputs], near: &Near, sums: &mut Sums) {
    for (near, sums) in near.iter().zip(sums) {
        let inputs = near
            .iter()
            .flat_map(|&near| inputs[near].as_chunks::<2>().0);
        for (&[one, other], pair) in inputs.zip(&layer.pairs) {
            // Half of the activations are 0.
            if one == 0 && other == 0 {
                continue;
            }
            for (sum, weights) in sums.iter_mut().zip(pair.as_chunks::<2>().0) {
                *sum += i32::from(one) * i32::from(weights[0])
                    + i32::from(other) * i32::from(weights[1]);
            }
        }
    }
}

/// The same with instructions that multiply pairs and add the products. What is
/// called is not compiled for them: hence the loops.
#[cfg(target_arch = "x86_64")]
mod vectors {
    use super::sparse::Pairs;
    use super::{CHANNELS, Channels, Inputs, Layer, NEAR, Near, Sums, TOGETHER};
    use std::arch::x86_64::{
        _mm256_add_epi32, _mm256_castsi256_ps, _mm256_cmpeq_epi32, _mm256_dpbusd_avx_epi32,
        _mm256_loadu_si256, _mm256_madd_epi16, _mm256_movemask_ps, _mm256_set1_epi32,
        _mm256_setzero_si256, _mm256_storeu_si256, _mm512_dpbusd_epi32, _mm512_loadu_si512,
        _mm512_set1_epi32, _mm512_setzero_si512, _mm512_storeu_si512,
    };

    pub(super) fn has_256() -> bool {
        std::arch::is_x86_feature_detected!("avx2")
    }

    pub(super) fn has_512() -> bool {
        std::arch::is_x86_feature_detected!("avx512f")
            && std::arch::is_x86_feature_detected!("avx512bw")
            && std::arch::is_x86_feature_detected!("avx512vnni")
    }

    /// Whether four inputs are multiplied at a time with registers of 256 bits.
    pub(super) fn has_fours() -> bool {
        has_256() && std::arch::is_x86_feature_detected!("avxvnni")
    }

    #[target_feature(enable = "avx512f,avx512bw,avx512vnni")]
    pub(super) fn compute_512(
        layer: &Layer,
        bias: &[i32; CHANNELS],
        near: &[Near],
        inputs: &[Inputs],
        kept: Option<&[Channels]>,
        channels: &mut [Channels],
    ) {
        let add_products = |layer: &Layer, inputs: &[Inputs], near: &Near, sums: &mut Sums| {
            add_products_512(layer, inputs, near, sums);
        };
        layer.compute_by(add_products, bias, near, inputs, kept, channels);
    }

    #[target_feature(enable = "avx2,avxvnni")]
    pub(super) fn compute_fours(
        layer: &Layer,
        bias: &[i32; CHANNELS],
        near: &[Near],
        inputs: &[Inputs],
        kept: Option<&[Channels]>,
        channels: &mut [Channels],
    ) {
        let add_products = |layer: &Layer, inputs: &[Inputs], near: &Near, sums: &mut Sums| {
            add_products_by_fours(layer, inputs, near, sums);
        };
        layer.compute_by(add_products, bias, near, inputs, kept, channels);
    }

    #[target_feature(enable = "avx2")]
    pub(super) fn compute_256(
        layer: &Layer,
        bias: &[i32; CHANNELS],
        near: &[Near],
        inputs: &[Inputs],
        kept: Option<&[Channels]>,
        channels: &mut [Channels],
    ) {
        let add_products = |layer: &Layer, inputs: &[Inputs], near: &Near, sums: &mut Sums| {
            add_products_256(layer, inputs, near, sums);
        };
        layer.compute_by(add_products, bias, near, inputs, kept, channels);
    }

    #[target_feature(enable = "avx512f,avx512bw")]
    pub(super) fn read_512(layer: &Layer, channels: &[Channels], inputs: &mut [Inputs]) {
        layer.read_by_any(channels, inputs);
    }

    #[target_feature(enable = "avx2")]
    pub(super) fn read_256(layer: &Layer, channels: &[Channels], inputs: &mut [Inputs]) {
        layer.read_by_any(channels, inputs);
    }

    /// Two inputs as one word.
    #[inline(always)]
    fn word([one, other]: &[i16; 2]) -> i32 {
        i32::from(*one as u16) | i32::from(*other) << 16
    }

    /// Products of four inputs at a time, of `$cells` cells together: as many as there are registers for.
    macro_rules! by_fours {
        ($name:ident, $feature:literal, $lanes:literal, $cells:literal, $zero:ident, $load:ident, $store:ident,
         $splat:ident, $multiply:ident) => {
            #[target_feature(enable = $feature)]
            pub(super) fn $name(layer: &Layer, inputs: &[Inputs], near: &Near, sums: &mut Sums) {
                const REGISTERS: usize = CHANNELS / $lanes;
                const FOURS: usize = CHANNELS / 4;
                let quads = &layer.quads[..NEAR * FOURS];
                for first in (0..TOGETHER).step_by($cells) {
                    let mut totals = [[$zero(); REGISTERS]; $cells];
                    for cell in 0..$cells {
                        for part in 0..REGISTERS {
                            let sums = &sums[first + cell].as_chunks::<$lanes>().0[part];
                            // SAFETY: so many numbers of 32 bits are a register.
                            totals[cell][part] = unsafe { $load(sums.as_ptr().cast()) };
                        }
                    }
                    for direction in 0..NEAR {
                        let mut rows = [inputs[0].as_chunks().0; $cells];
                        for cell in 0..$cells {
                            rows[cell] = inputs[near[first + cell][direction]].as_chunks().0;
                        }
                        for place in 0..FOURS {
                            let quad = quads[direction * FOURS + place]
                                .as_chunks::<{ 4 * $lanes }>()
                                .0;
                            let mut weights = [$zero(); REGISTERS];
                            for part in 0..REGISTERS {
                                // SAFETY: four times so many numbers of 8 bits are a register.
                                weights[part] = unsafe { $load(quad[part].as_ptr().cast()) };
                            }
                            for cell in 0..$cells {
                                let input = $splat(i32::from_le_bytes(rows[cell][place]));
                                for part in 0..REGISTERS {
                                    totals[cell][part] =
                                        $multiply(totals[cell][part], input, weights[part]);
                                }
                            }
                        }
                    }
                    for cell in 0..$cells {
                        for part in 0..REGISTERS {
                            let sums = &mut sums[first + cell].as_chunks_mut::<$lanes>().0[part];
                            // SAFETY: as for reading them.
                            unsafe { $store(sums.as_mut_ptr().cast(), totals[cell][part]) };
                        }
                    }
                }
            }
        };
    }

    by_fours!(
        add_products_512,
        "avx512f,avx512bw,avx512vnni",
        16,
        8,
        _mm512_setzero_si512,
        _mm512_loadu_si512,
        _mm512_storeu_si512,
        _mm512_set1_epi32,
        _mm512_dpbusd_epi32
    );
    by_fours!(
        add_products_by_fours,
        "avx2,avxvnni",
        8,
        2,
        _mm256_setzero_si256,
        _mm256_loadu_si256,
        _mm256_storeu_si256,
        _mm256_set1_epi32,
        _mm256_dpbusd_avx_epi32
    );

    #[target_feature(enable = "avx2")]
    pub(super) fn add_products_256(layer: &Layer, inputs: &[Inputs], near: &Near, sums: &mut Sums) {
        const LANES: usize = 8;
        const REGISTERS: usize = CHANNELS / LANES;
        let mut found = Pairs::new();
        for cell in 0..TOGETHER {
            found.read(&near[cell], inputs, |pairs| {
                // SAFETY: 8 pairs of 16 bits are a register.
                let pairs = unsafe { _mm256_loadu_si256(pairs.as_ptr().cast()) };
                let zeros = _mm256_cmpeq_epi32(pairs, _mm256_setzero_si256());
                !(_mm256_movemask_ps(_mm256_castsi256_ps(zeros)) as u8)
            });
            let sums = sums[cell].as_chunks_mut::<LANES>().0;
            let mut totals = [_mm256_setzero_si256(); REGISTERS];
            for part in 0..REGISTERS {
                // SAFETY: 8 numbers of 32 bits are a register.
                totals[part] = unsafe { _mm256_loadu_si256(sums[part].as_ptr().cast()) };
            }
            for &place in found.places() {
                let input = _mm256_set1_epi32(word(found.at(place)));
                let weights = layer.pairs[usize::from(place)]
                    .as_chunks::<{ 2 * LANES }>()
                    .0;
                for part in 0..REGISTERS {
                    // SAFETY: 16 numbers of 16 bits are a register.
                    let weights = unsafe { _mm256_loadu_si256(weights[part].as_ptr().cast()) };
                    let products = _mm256_madd_epi16(input, weights);
                    totals[part] = _mm256_add_epi32(totals[part], products);
                }
            }
            for part in 0..REGISTERS {
                // SAFETY: as for reading them.
                unsafe { _mm256_storeu_si256(sums[part].as_mut_ptr().cast(), totals[part]) };
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use game::random::{self, Rng};

    /// Weights that are whole numbers already, or nearly so.
    fn layer(rng: &mut Rng) -> Layer {
        let mut number = |below: u32| random::below(below, rng) as f32;
        let weights: Vec<f32> = (0..NEAR * CHANNELS * CHANNELS)
            .map(|_| number(2001) / 1000.0 - 1.0)
            .collect();
        let bias: Vec<f32> = (0..CHANNELS).map(|_| number(2001) / 100.0 - 10.0).collect();
        let largest = std::array::from_fn(|_| number(1 << 15) as i16);
        Layer::inner(&weights, &bias, &[], &largest).expect("a layer")
    }

    /// However products are added, the sums are those that the definition gives.
    #[test]
    fn all_ways_to_add_products_agree() {
        let mut rng = random::seeded(5);
        for zeros_of_ten in [0, 5, 8, 10] {
            // Miri takes minutes for each.
            for _ in 0..if cfg!(miri) { 1 } else { 50 } {
                check(zeros_of_ten, &mut rng);
            }
        }
    }

    type AddProducts = unsafe fn(&Layer, &[Inputs], &Near, &mut Sums);

    fn check(zeros_of_ten: u32, rng: &mut Rng) {
        let layer = layer(rng);
        let mut input = || match random::below(10, rng) {
            lot if lot < zeros_of_ten => 0,
            _ => random::below(1 + LARGEST_INPUT as u32, rng) as u8,
        };
        let inputs: Vec<Inputs> = (0..TOGETHER * NEAR)
            .map(|_| std::array::from_fn(|_| input()))
            .collect();
        let near: Near =
            std::array::from_fn(|cell| std::array::from_fn(|place| cell * NEAR + place));
        let start: Sums = [layer.bias; TOGETHER];
        let mut expected = start;
        for (cell, sums) in expected.iter_mut().enumerate() {
            for (channel, sum) in sums.iter_mut().enumerate() {
                for input in 0..NEAR * CHANNELS {
                    let value = inputs[near[cell][input / CHANNELS]][input % CHANNELS];
                    let weight = layer.quads[input / 4][4 * channel + input % 4];
                    *sum += i32::from(value) * i32::from(weight);
                }
            }
        }
        let check = |add_products: AddProducts| {
            let mut sums = start;
            // SAFETY: the processor has the instructions.
            unsafe { add_products(&layer, &inputs, &near, &mut sums) };
            assert_eq!(sums, expected);
        };
        check(add_products_plainly);
        #[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
        check(simd128::add_products);
        #[cfg(target_arch = "x86_64")]
        {
            if vectors::has_256() {
                check(vectors::add_products_256);
            }
            if vectors::has_fours() {
                check(vectors::add_products_by_fours);
            }
            if vectors::has_512() {
                check(vectors::add_products_512);
            }
        }
    }

    /// What a layer computes, from its weights in single precision: within what rounding does to each of its products.
    #[test]
    fn a_layer_is_what_its_weights_say() {
        let mut rng = random::seeded(8);
        let layer = layer(&mut rng);
        let channels: Vec<Channels> = (0..TOGETHER * NEAR)
            .map(|_| std::array::from_fn(|_| random::below(1 << 15, &mut rng) as i16))
            .collect();
        let mut inputs = vec![[0; CHANNELS]; channels.len()];
        layer.read(&channels, &mut inputs);
        let mut plainly = inputs.clone();
        layer.read_by_any(&channels, &mut plainly);
        assert_eq!(inputs, plainly);
        let near: Near =
            std::array::from_fn(|cell| std::array::from_fn(|place| cell * NEAR + place));
        let mut after = vec![[0; CHANNELS]; channels.len()];
        layer.compute(&layer.bias, &[near], &inputs, Some(&channels), &mut after);
        let mut plainly = after.clone();
        layer.compute_by(
            add_products_plainly,
            &layer.bias,
            &[near],
            &inputs,
            Some(&channels),
            &mut plainly,
        );
        assert_eq!(after, plainly);
        for near in near {
            for channel in 0..CHANNELS {
                let product = |input: usize| {
                    let value = inputs[near[input / CHANNELS]][input % CHANNELS];
                    let weight = layer.quads[input / 4][4 * channel + input % 4];
                    f64::from(value) * f64::from(weight)
                };
                let sum: f64 = (0..NEAR * CHANNELS).map(product).sum();
                let sum = (sum + f64::from(layer.bias[channel])) * f64::from(ACTIVATION)
                    / f64::from(layer.scales[channel]);
                let expected = (f64::from(channels[near[0]][channel]) + sum)
                    .clamp(0.0, f64::from(LARGEST_ACTIVATION));
                let found = f64::from(after[near[0]][channel]);
                assert!((found - expected).abs() < 0.51, "{found} for {expected}");
            }
        }
    }
}
