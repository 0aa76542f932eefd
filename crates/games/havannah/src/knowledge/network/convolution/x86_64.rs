//! The products of a layer with the vectors of x86-64. What is called is not compiled for their instructions: hence the loops.

use super::super::layer::{Channels, Inputs, Layer};
use super::super::layout::{CHANNELS, NEAR};
use super::by_fours::by_fours;
use super::sparse::Pairs;
use super::{Near, Sums, TOGETHER};
use std::arch::x86_64::{
    _mm_cmpeq_epi16, _mm_loadu_si128, _mm_movemask_epi8, _mm_packs_epi16, _mm_setzero_si128,
    _mm256_add_epi32, _mm256_dpbusd_avx_epi32, _mm256_loadu_si256, _mm256_madd_epi16,
    _mm256_set1_epi32, _mm256_setzero_si256, _mm256_storeu_si256, _mm512_dpbusd_epi32,
    _mm512_loadu_si512, _mm512_set1_epi32, _mm512_setzero_si512, _mm512_storeu_si512,
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

/// A layer's loops compiled with some instructions, and one of the ways below to add products.
macro_rules! compiled_with {
    ($compute:ident, $read:ident, $feature:literal, $add_products:ident) => {
        #[target_feature(enable = $feature)]
        pub(super) fn $compute(
            layer: &Layer,
            bias: &[i32; CHANNELS],
            near: &[Near],
            inputs: &[Inputs],
            kept: Option<&[Channels]>,
            channels: &mut [Channels],
        ) {
            let add_products = |layer: &Layer, inputs: &[Inputs], near: &Near, sums: &mut Sums| {
                $add_products(layer, inputs, near, sums);
            };
            layer.compute_by(add_products, bias, near, inputs, kept, channels);
        }

        #[target_feature(enable = $feature)]
        pub(super) fn $read(layer: &Layer, channels: &[Channels], inputs: &mut [Inputs]) {
            layer.read_by_any(channels, inputs);
        }
    };
}

compiled_with!(
    compute_512,
    read_512,
    "avx512f,avx512bw,avx512vnni",
    add_products_512
);
compiled_with!(
    compute_fours,
    read_fours,
    "avx2,avxvnni",
    add_products_by_fours
);
compiled_with!(compute_256, read_256, "avx2", add_products_256);

/// Two inputs as one word.
#[inline(always)]
fn word([one, other]: &[i16; 2]) -> i32 {
    i32::from(*one as u16) | i32::from(*other) << 16
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
            // SAFETY: 8 pairs of 8 bits are a register.
            let pairs = unsafe { _mm_loadu_si128(pairs.as_ptr().cast()) };
            let zeros = _mm_cmpeq_epi16(pairs, _mm_setzero_si128());
            !(_mm_movemask_epi8(_mm_packs_epi16(zeros, zeros)) as u8)
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
