//! Asking the memory, which is slow, for what is needed soon.

/// Asks for the line of the cache in which a value begins, if there is one. `read` is called, for what it reads there, where
/// there is no instruction for this.
#[inline(always)]
pub(crate) fn line<T, R>(value: *const T, read: impl FnOnce() -> R) {
    #[cfg(target_arch = "x86_64")]
    {
        let _ = read;
        // SAFETY: SSE is part of x86-64; this is a hint for any address, which neither reads nor writes.
        unsafe {
            use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
            _mm_prefetch::<_MM_HINT_T0>(value.cast());
        }
    }
    #[cfg(not(target_arch = "x86_64"))]
    {
        let _ = value;
        std::hint::black_box(read());
    }
}
