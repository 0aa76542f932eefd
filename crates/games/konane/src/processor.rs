//! What the processor can do that a program for any of its kind cannot take for granted.

/// Whether the processor counts bits, gathers them and shifts by any number in one instruction each, and adds vectors of
/// 256 bits: on `x86_64` the extensions POPCNT, BMI1, BMI2 and AVX2, which came to most processors together.
pub(crate) fn has_bit_instructions() -> bool {
    #[cfg(target_arch = "x86_64")]
    return std::arch::is_x86_feature_detected!("popcnt")
        && std::arch::is_x86_feature_detected!("bmi1")
        && std::arch::is_x86_feature_detected!("bmi2")
        && std::arch::is_x86_feature_detected!("avx2");
    #[cfg(not(target_arch = "x86_64"))]
    false
}
