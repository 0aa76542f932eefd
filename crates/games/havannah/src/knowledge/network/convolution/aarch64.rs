//! The products of a layer with the vectors of ARM, which have four numbers of 32 bits.

use super::super::layer::{Inputs, Layer};
use super::super::layout::{CHANNELS, NEAR};
use super::by_fours::by_fours;
use super::{Near, Sums, TOGETHER};
use std::arch::aarch64::{int32x4_t, vdupq_n_s32, vld1q_s32, vst1q_s32};
use std::arch::asm;

/// Whether one instruction multiplies four inputs and adds the products. Without it vectors are no faster than the plain loops.
pub(super) fn has_dot() -> bool {
    std::arch::is_aarch64_feature_detected!("dotprod")
}

by_fours!(
    add_products_by_dot,
    "neon,dotprod",
    4,
    2,
    zero,
    vld1q_s32,
    vst1q_s32,
    vdupq_n_s32,
    dot
);

#[inline]
#[target_feature(enable = "neon")]
fn zero() -> int32x4_t {
    vdupq_n_s32(0)
}

/// Adds the products of four inputs and their weights for each of four channels.
#[inline]
#[target_feature(enable = "neon,dotprod")]
fn dot(mut total: int32x4_t, input: int32x4_t, weights: int32x4_t) -> int32x4_t {
    // SAFETY: the instruction changes nothing but the total. No stable function stands for it.
    unsafe {
        asm!(
            "sdot {total:v}.4s, {weights:v}.16b, {input:v}.16b",
            total = inout(vreg) total,
            weights = in(vreg) weights,
            input = in(vreg) input,
            options(pure, nomem, nostack, preserves_flags),
        );
    }
    total
}
