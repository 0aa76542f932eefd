//! Layers of the network, in whole numbers: the same on every machine, however it computes.

#[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
mod simd128;
#[cfg(any(
    target_arch = "x86_64",
    all(target_arch = "wasm32", target_feature = "simd128")
))]
mod sparse;

use super::layout::{CHANNELS, NEAR};

/// Cells that are computed together, so that a weight is read once for all of them.
pub(super) const TOGETHER: usize = 8;

/// What one of these numbers is worth is `1 / ACTIVATION`.
pub(super) const ACTIVATION: f32 = 16.0;
/// The largest of these numbers, 2048, where training cuts them off too. With twelve layers some are there after 80 random stones on
/// sizes 8 and 10.
pub(super) const LARGEST_ACTIVATION: i32 = (1 << 15) - 1;
/// What one of the weights is worth is `1 / 2^bits`, with so many bits at least and at most, as many as a layer has room for.
const WEIGHT_BITS: std::ops::RangeInclusive<u32> = 8..=12;
/// What a weight must be less than, well within 16 bits with the fewest.
const LARGEST_WEIGHT: f32 = 64.0;
/// What the magnitudes of the weights of a channel must add up to less than: their products with the largest activations
/// then take half of 32 bits with the fewest bits of a weight, and leave room for what is added.
const LARGEST_SUM: f32 = 128.0;
/// The same for weights of means, which are added.
const LARGEST_SUM_OF_MEANS: f32 = 64.0;

/// The channels of a cell.
pub(super) type Channels = [i16; CHANNELS];
/// The weights of two inputs: for each channel one, then the other.
type Pair = [i16; 2 * CHANNELS];

/// A layer: from numbers of each cell and its neighbours to the channels of the cell.
#[derive(Clone, Debug)]
pub(super) struct Layer {
    pairs: Vec<Pair>,
    pub bias: [i32; CHANNELS],
    /// The bits of a weight behind the point.
    weight_bits: u32,
    /// The bits by which sums are longer than activations.
    shift: u32,
}

impl Layer {
    /// The first layer, whose inputs are small whole numbers; `None` if weights are too large.
    pub(super) fn first(weights: &[f32], bias: &[f32]) -> Option<Layer> {
        let (rows, _) = weights.as_chunks();
        let weight_bits = most_bits(|factor| {
            weights_are_below(LARGEST_WEIGHT / factor, rows)
                && sums_are_below(LARGEST_SUM, rows, bias)
        })?;
        Some(Layer::new(rows, bias, 1.0, weight_bits))
    }

    /// A layer whose inputs are activations, and which means are added to with these weights, if any; `None` if weights are
    /// too large.
    pub(super) fn inner(
        weights: &[f32],
        bias: &[f32],
        of_means: &[[f32; CHANNELS]],
    ) -> Option<Layer> {
        let (rows, _) = weights.as_chunks();
        let weight_bits = most_bits(|factor| {
            weights_are_below(LARGEST_WEIGHT / factor, rows)
                && sums_are_below(LARGEST_SUM / factor, rows, bias)
                && sums_are_below(LARGEST_SUM_OF_MEANS / factor, of_means, &[0.0; CHANNELS])
        })?;
        Some(Layer::new(rows, bias, ACTIVATION, weight_bits))
    }

    fn new(rows: &[[f32; CHANNELS]], bias: &[f32], input: f32, weight_bits: u32) -> Layer {
        let weight_unit = (1 << weight_bits) as f32;
        let pair = |rows: &[[f32; CHANNELS]; 2]| {
            let weight = |place: usize| rows[place % 2][place / 2];
            std::array::from_fn(|place| (weight(place) * weight_unit).round() as i16)
        };
        let (pairs, _) = rows.as_chunks::<2>();
        let unit = weight_unit * input;
        Layer {
            pairs: pairs.iter().map(pair).collect(),
            bias: std::array::from_fn(|channel| (bias[channel] * unit).round() as i32),
            weight_bits,
            shift: (unit / ACTIVATION).log2() as u32,
        }
    }

    /// What is added to a channel, in the unit of the sums.
    pub(super) fn addend(&self, value: f32) -> i32 {
        (value * (1 << self.weight_bits) as f32 * ACTIVATION) as i32
    }

    /// Computes the channels of all cells from the inputs `near` each, with the best instructions that there are. What is
    /// `kept`, one for each input, is added to them. `bias` stands for the layer's own.
    pub(super) fn compute<const INPUTS: usize>(
        &self,
        bias: &[i32; CHANNELS],
        near: &[Near],
        inputs: &[[i16; INPUTS]],
        kept: Option<&[Channels]>,
        channels: &mut [Channels],
    ) {
        #[cfg(target_arch = "x86_64")]
        {
            if vectors::has_512() {
                // SAFETY: the processor has these instructions.
                return unsafe { vectors::compute_512(self, bias, near, inputs, kept, channels) };
            }
            if vectors::has_256() {
                // SAFETY: the processor has these instructions.
                return unsafe { vectors::compute_256(self, bias, near, inputs, kept, channels) };
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
    fn compute_by<const INPUTS: usize>(
        &self,
        add_products: impl Fn(&[Pair], &[[i16; INPUTS]], &Near, &mut Sums),
        bias: &[i32; CHANNELS],
        near: &[Near],
        inputs: &[[i16; INPUTS]],
        kept: Option<&[Channels]>,
        channels: &mut [Channels],
    ) {
        let half = 1 << (self.shift - 1);
        for near in near {
            let mut sums = [*bias; TOGETHER];
            if let Some(kept) = kept {
                for cell in 0..TOGETHER {
                    let kept = &kept[near[cell][0]];
                    for channel in 0..CHANNELS {
                        sums[cell][channel] += i32::from(kept[channel]) << self.weight_bits;
                    }
                }
            }
            add_products(&self.pairs, inputs, near, &mut sums);
            for cell in 0..TOGETHER {
                let channels = &mut channels[near[cell][0]];
                for channel in 0..CHANNELS {
                    let activation = (sums[cell][channel] + half) >> self.shift;
                    channels[channel] = activation.clamp(0, LARGEST_ACTIVATION) as i16;
                }
            }
        }
    }
}

/// The most bits for which weights fit that are so many times as large as with the fewest.
fn most_bits(fit: impl Fn(f32) -> bool) -> Option<u32> {
    let factor = |bits: u32| (1 << (bits - WEIGHT_BITS.start())) as f32;
    WEIGHT_BITS.rev().find(|&bits| fit(factor(bits)))
}

/// Whether the magnitude of each weight is less than a limit.
fn weights_are_below(limit: f32, rows: &[[f32; CHANNELS]]) -> bool {
    rows.as_flattened()
        .iter()
        .all(|weight| weight.abs() < limit)
}

/// Whether the magnitudes of each channel's weights and bias add up to less than a limit.
fn sums_are_below(limit: f32, rows: &[[f32; CHANNELS]], bias: &[f32]) -> bool {
    (0..CHANNELS).all(|channel| {
        let weights: f32 = rows.iter().map(|row| row[channel].abs()).sum();
        weights + bias[channel].abs() < limit
    })
}

/// The indices of the inputs of some cells: of the cell itself first.
pub(super) type Near = [[usize; NEAR]; TOGETHER];
type Sums = [[i32; CHANNELS]; TOGETHER];

#[cfg(any(test, not(all(target_arch = "wasm32", target_feature = "simd128"))))]
/// Adds the products of inputs and weights.
fn add_products_plainly<const INPUTS: usize>(
    pairs: &[Pair],
    inputs: &[[i16; INPUTS]],
    near: &Near,
    sums: &mut Sums,
) {
    for (near, sums) in near.iter().zip(sums) {
        let inputs = near
            .iter()
            .flat_map(|&near| inputs[near].as_chunks::<2>().0);
        for (&[one, other], pair) in inputs.zip(pairs) {
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
    use super::{CHANNELS, Channels, Layer, NEAR, Near, Pair, Sums, TOGETHER};
    use std::arch::x86_64::{
        _mm256_add_epi32, _mm256_castsi256_ps, _mm256_cmpeq_epi32, _mm256_loadu_si256,
        _mm256_madd_epi16, _mm256_movemask_ps, _mm256_set1_epi32, _mm256_setzero_si256,
        _mm256_storeu_si256, _mm512_dpwssd_epi32, _mm512_loadu_si512, _mm512_set1_epi32,
        _mm512_setzero_si512, _mm512_storeu_si512,
    };

    pub(super) fn has_256() -> bool {
        std::arch::is_x86_feature_detected!("avx2")
    }

    pub(super) fn has_512() -> bool {
        std::arch::is_x86_feature_detected!("avx512f")
            && std::arch::is_x86_feature_detected!("avx512bw")
            && std::arch::is_x86_feature_detected!("avx512vnni")
    }

    #[target_feature(enable = "avx512f,avx512bw,avx512vnni")]
    pub(super) fn compute_512<const INPUTS: usize>(
        layer: &Layer,
        bias: &[i32; CHANNELS],
        near: &[Near],
        inputs: &[[i16; INPUTS]],
        kept: Option<&[Channels]>,
        channels: &mut [Channels],
    ) {
        let add_products =
            |pairs: &[Pair], inputs: &[[i16; INPUTS]], near: &Near, sums: &mut Sums| {
                add_products_512(pairs, inputs, near, sums);
            };
        layer.compute_by(add_products, bias, near, inputs, kept, channels);
    }

    #[target_feature(enable = "avx2")]
    pub(super) fn compute_256<const INPUTS: usize>(
        layer: &Layer,
        bias: &[i32; CHANNELS],
        near: &[Near],
        inputs: &[[i16; INPUTS]],
        kept: Option<&[Channels]>,
        channels: &mut [Channels],
    ) {
        let add_products =
            |pairs: &[Pair], inputs: &[[i16; INPUTS]], near: &Near, sums: &mut Sums| {
                add_products_256(pairs, inputs, near, sums);
            };
        layer.compute_by(add_products, bias, near, inputs, kept, channels);
    }

    /// Two inputs as one word.
    #[inline(always)]
    fn word([one, other]: &[i16; 2]) -> i32 {
        i32::from(*one as u16) | i32::from(*other) << 16
    }

    #[target_feature(enable = "avx512f,avx512bw,avx512vnni")]
    #[expect(
        clippy::needless_range_loop,
        reason = "adapters of iterators would be called"
    )]
    pub(super) fn add_products_512<const INPUTS: usize>(
        pairs: &[Pair],
        inputs: &[[i16; INPUTS]],
        near: &Near,
        sums: &mut Sums,
    ) {
        const LANES: usize = 16;
        const REGISTERS: usize = CHANNELS / LANES;
        assert_eq!(pairs.len(), NEAR * INPUTS / 2);
        let mut totals = [[_mm512_setzero_si512(); REGISTERS]; TOGETHER];
        for cell in 0..TOGETHER {
            for part in 0..REGISTERS {
                let sums = &sums[cell].as_chunks::<LANES>().0[part];
                // SAFETY: 16 numbers of 32 bits are a register.
                totals[cell][part] = unsafe { _mm512_loadu_si512(sums.as_ptr().cast()) };
            }
        }
        for direction in 0..NEAR {
            let mut rows = [inputs[0].as_chunks().0; TOGETHER];
            for cell in 0..TOGETHER {
                rows[cell] = inputs[near[cell][direction]].as_chunks().0;
            }
            for place in 0..INPUTS / 2 {
                let pair = pairs[direction * INPUTS / 2 + place]
                    .as_chunks::<{ 2 * LANES }>()
                    .0;
                let mut weights = [_mm512_setzero_si512(); REGISTERS];
                for part in 0..REGISTERS {
                    // SAFETY: 32 numbers of 16 bits are a register.
                    weights[part] = unsafe { _mm512_loadu_si512(pair[part].as_ptr().cast()) };
                }
                for cell in 0..TOGETHER {
                    let input = _mm512_set1_epi32(word(&rows[cell][place]));
                    for part in 0..REGISTERS {
                        totals[cell][part] =
                            _mm512_dpwssd_epi32(totals[cell][part], input, weights[part]);
                    }
                }
            }
        }
        for cell in 0..TOGETHER {
            for part in 0..REGISTERS {
                let sums = &mut sums[cell].as_chunks_mut::<LANES>().0[part];
                // SAFETY: as for reading them.
                unsafe { _mm512_storeu_si512(sums.as_mut_ptr().cast(), totals[cell][part]) };
            }
        }
    }

    #[target_feature(enable = "avx2")]
    pub(super) fn add_products_256<const INPUTS: usize>(
        pairs: &[Pair],
        inputs: &[[i16; INPUTS]],
        near: &Near,
        sums: &mut Sums,
    ) {
        const LANES: usize = 8;
        const REGISTERS: usize = CHANNELS / LANES;
        assert_eq!(pairs.len(), NEAR * INPUTS / 2);
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
                let weights = pairs[usize::from(place)].as_chunks::<{ 2 * LANES }>().0;
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
    use game::random;

    /// However products are added, the sums are those that the definition gives.
    #[test]
    fn all_ways_to_add_products_agree() {
        for zeros_of_ten in [0, 5, 8, 10] {
            check::<16>(zeros_of_ten);
            check::<32>(zeros_of_ten);
        }
    }

    fn check<const INPUTS: usize>(zeros_of_ten: i16) {
        let mut rng = random::seeded(5);
        let mut number = |below: u32| random::below(below, &mut rng) as i16;
        // Miri takes minutes for each.
        let rounds = if cfg!(miri) { 1 } else { 50 };
        for _ in 0..rounds {
            let pairs: Vec<Pair> = (0..NEAR * INPUTS / 2)
                .map(|_| std::array::from_fn(|_| number(2001) - 1000))
                .collect();
            let inputs: Vec<[i16; INPUTS]> = (0..TOGETHER * NEAR)
                .map(|_| {
                    std::array::from_fn(|_| {
                        if number(10) < zeros_of_ten {
                            0
                        } else {
                            number(1 << 15)
                        }
                    })
                })
                .collect();
            let near: Near =
                std::array::from_fn(|cell| std::array::from_fn(|place| cell * NEAR + place));
            let start: Sums = std::array::from_fn(|_| std::array::from_fn(|_| number(1000).into()));
            let mut expected = start;
            for (cell, sums) in expected.iter_mut().enumerate() {
                for (channel, sum) in sums.iter_mut().enumerate() {
                    for input in 0..NEAR * INPUTS {
                        let value = inputs[near[cell][input / INPUTS]][input % INPUTS];
                        let weight = pairs[input / 2][2 * channel + input % 2];
                        *sum += i32::from(value) * i32::from(weight);
                    }
                }
            }
            let mut sums = start;
            add_products_plainly(&pairs, &inputs, &near, &mut sums);
            assert_eq!(sums, expected);
            #[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
            {
                let mut sums = start;
                simd128::add_products(&pairs, &inputs, &near, &mut sums);
                assert_eq!(sums, expected);
            }
            #[cfg(target_arch = "x86_64")]
            {
                if vectors::has_256() {
                    let mut sums = start;
                    // SAFETY: the processor has these instructions.
                    unsafe { vectors::add_products_256(&pairs, &inputs, &near, &mut sums) };
                    assert_eq!(sums, expected);
                }
                if vectors::has_512() {
                    let mut sums = start;
                    // SAFETY: the processor has these instructions.
                    unsafe { vectors::add_products_512(&pairs, &inputs, &near, &mut sums) };
                    assert_eq!(sums, expected);
                }
            }
        }
    }
}
