//! The products of a layer with the vectors of WebAssembly, which have four numbers of 32 bits.

use super::super::layer::{Inputs, Layer};
use super::super::layout::CHANNELS;
use super::sparse::{EIGHT, Pairs};
use super::{Near, Sums};
use std::arch::wasm32::{
    i16x8_bitmask, i16x8_eq, i16x8_splat, i32x4_add, i32x4_dot_i16x8, i32x4_splat, v128_load,
    v128_load32_splat, v128_store,
};

const LANES: usize = 4;
/// As many sums of a cell as are computed together: more do not fit the sixteen registers that most processors have.
const REGISTERS: usize = 4;
const AT_ONCE: usize = LANES * REGISTERS;

/// Adds the products of inputs and weights.
pub(super) fn add_products(layer: &Layer, inputs: &[Inputs], near: &Near, sums: &mut Sums) {
    let mut found = Pairs::new();
    for (near, sums) in near.iter().zip(sums) {
        found.read(near, inputs, not_zero);
        for channel in (0..CHANNELS).step_by(AT_ONCE) {
            let sums = sums[channel..][..AT_ONCE].as_chunks_mut::<LANES>().0;
            let mut totals = [i32x4_splat(0); REGISTERS];
            for part in 0..REGISTERS {
                // SAFETY: 4 numbers of 32 bits are a register.
                totals[part] = unsafe { v128_load(sums[part].as_ptr().cast()) };
            }
            for &place in found.places() {
                // SAFETY: two inputs are 32 bits.
                let input = unsafe { v128_load32_splat(found.at(place).as_ptr().cast()) };
                let weights = layer.pairs[usize::from(place)][2 * channel..][..2 * AT_ONCE]
                    .as_chunks::<{ 2 * LANES }>()
                    .0;
                for part in 0..REGISTERS {
                    // SAFETY: 8 numbers of 16 bits are a register.
                    let weights = unsafe { v128_load(weights[part].as_ptr().cast()) };
                    totals[part] = i32x4_add(totals[part], i32x4_dot_i16x8(input, weights));
                }
            }
            for part in 0..REGISTERS {
                // SAFETY: as for reading them.
                unsafe { v128_store(sums[part].as_mut_ptr().cast(), totals[part]) };
            }
        }
    }
}

fn not_zero(pairs: &[[u8; 2]; EIGHT]) -> u8 {
    // SAFETY: 8 pairs of 8 bits are a register.
    let pairs = unsafe { v128_load(pairs.as_ptr().cast()) };
    !i16x8_bitmask(i16x8_eq(pairs, i16x8_splat(0)))
}
