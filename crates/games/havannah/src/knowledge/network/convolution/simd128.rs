//! The products of a layer with the vectors of WebAssembly, which have four numbers of 32 bits.

use super::{CHANNELS, NEAR, Near, Pair, Sums, TOGETHER};
use std::arch::wasm32::{
    i32x4_add, i32x4_dot_i16x8, i32x4_splat, v128_load, v128_load32_splat, v128_store,
};

const LANES: usize = 4;
/// As many sums of a cell as are computed together, in registers: 16 of 32 channels.
const REGISTERS: usize = 4;
const AT_ONCE: usize = LANES * REGISTERS;
/// With their weights and inputs, the sums of more cells do not fit the sixteen registers that most processors have.
const CELLS: usize = 2;

/// Adds the products of inputs and weights.
pub(super) fn add_products<const INPUTS: usize>(
    pairs: &[Pair],
    inputs: &[[i16; INPUTS]],
    near: &Near,
    sums: &mut Sums,
) {
    assert_eq!(pairs.len(), NEAR * INPUTS / 2);
    for first in (0..TOGETHER).step_by(CELLS) {
        for channel in (0..CHANNELS).step_by(AT_ONCE) {
            let mut totals = [[i32x4_splat(0); REGISTERS]; CELLS];
            for cell in 0..CELLS {
                let sums = sums[first + cell][channel..][..AT_ONCE]
                    .as_chunks::<LANES>()
                    .0;
                for part in 0..REGISTERS {
                    // SAFETY: 4 numbers of 32 bits are a register.
                    totals[cell][part] = unsafe { v128_load(sums[part].as_ptr().cast()) };
                }
            }
            for direction in 0..NEAR {
                let rows: [_; CELLS] = std::array::from_fn(|cell| {
                    inputs[near[first + cell][direction]].as_chunks::<2>().0
                });
                let pairs = &pairs[direction * INPUTS / 2..][..INPUTS / 2];
                for (place, pair) in pairs.iter().enumerate() {
                    let weights = pair[2 * channel..][..2 * AT_ONCE]
                        .as_chunks::<{ 2 * LANES }>()
                        .0;
                    for cell in 0..CELLS {
                        // SAFETY: two inputs are 32 bits.
                        let input = unsafe { v128_load32_splat(rows[cell][place].as_ptr().cast()) };
                        for part in 0..REGISTERS {
                            // SAFETY: 8 numbers of 16 bits are a register.
                            let weights = unsafe { v128_load(weights[part].as_ptr().cast()) };
                            let products = i32x4_dot_i16x8(input, weights);
                            totals[cell][part] = i32x4_add(totals[cell][part], products);
                        }
                    }
                }
            }
            for cell in 0..CELLS {
                let sums = sums[first + cell][channel..][..AT_ONCE]
                    .as_chunks_mut::<LANES>()
                    .0;
                for part in 0..REGISTERS {
                    // SAFETY: as for reading them.
                    unsafe { v128_store(sums[part].as_mut_ptr().cast(), totals[cell][part]) };
                }
            }
        }
    }
}
