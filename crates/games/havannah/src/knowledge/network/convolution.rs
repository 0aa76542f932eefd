//! What a layer makes of a board, in whole numbers: the same on every machine, however it computes.

#[cfg(target_arch = "aarch64")]
mod aarch64;
#[cfg(any(target_arch = "x86_64", target_arch = "aarch64"))]
mod by_fours;
#[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
mod simd128;
#[cfg(any(
    target_arch = "x86_64",
    all(target_arch = "wasm32", target_feature = "simd128")
))]
mod sparse;
#[cfg(target_arch = "x86_64")]
mod x86_64;

use super::layer::{ACTIVATION, Channels, Inputs, LARGEST_ACTIVATION, LARGEST_INPUT, Layer};
use super::layout::{CHANNELS, NEAR};

/// Cells that are computed together, so that a weight is read once for all of them.
pub(super) const TOGETHER: usize = 8;

/// Activations are cut off long before this.
const BEYOND: f32 = 4.0 * LARGEST_ACTIVATION as f32;

/// The indices of the inputs of some cells: of the cell itself first.
pub(super) type Near = [[usize; NEAR]; TOGETHER];
type Sums = [[i32; CHANNELS]; TOGETHER];

impl Layer {
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
                if x86_64::has_512() {
                    return x86_64::compute_512(self, bias, near, inputs, kept, channels);
                }
                if x86_64::has_fours() {
                    return x86_64::compute_fours(self, bias, near, inputs, kept, channels);
                }
                if x86_64::has_256() {
                    return x86_64::compute_256(self, bias, near, inputs, kept, channels);
                }
            }
        }
        #[cfg(target_arch = "aarch64")]
        if aarch64::has_dot() {
            let add_products = |layer: &Layer, inputs: &[Inputs], near: &Near, sums: &mut Sums| {
                // SAFETY: the processor has the instructions.
                unsafe { aarch64::add_products_by_dot(layer, inputs, near, sums) }
            };
            return self.compute_by(add_products, bias, near, inputs, kept, channels);
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
                if x86_64::has_512() {
                    return x86_64::read_512(self, channels, inputs);
                }
                if x86_64::has_fours() {
                    return x86_64::read_fours(self, channels, inputs);
                }
                if x86_64::has_256() {
                    return x86_64::read_256(self, channels, inputs);
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

/// Adds the products of inputs and weights.
#[cfg(any(test, not(all(target_arch = "wasm32", target_feature = "simd128"))))]
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
        #[cfg(target_arch = "aarch64")]
        if aarch64::has_dot() {
            check(aarch64::add_products_by_dot);
        }
        #[cfg(target_arch = "x86_64")]
        {
            if x86_64::has_256() {
                check(x86_64::add_products_256);
            }
            if x86_64::has_fours() {
                check(x86_64::add_products_by_fours);
            }
            if x86_64::has_512() {
                check(x86_64::add_products_512);
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
