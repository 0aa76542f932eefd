//! Large pages for tables that fit no cache.
//!
//! A lookup goes to a page at random. With pages of 4 KiB nearly each one also misses the processor's table of pages,
//! which costs as much as the entry itself, in virtual machines more.

use std::mem::MaybeUninit;

/// Asks the system to use large pages for memory that is not yet used. Where it has none, nothing happens.
#[cfg(target_os = "linux")]
pub fn ask_for<T>(spare: &mut [MaybeUninit<T>]) {
    use rustix::mm::{Advice, madvise};
    /// Advice is for whole pages.
    const PAGE: usize = 4096;
    /// Smaller pieces contain no large page.
    const LARGE_PAGE: usize = 2 << 20;

    let start = spare.as_mut_ptr().cast::<u8>();
    let before = start.align_offset(PAGE);
    let bytes = size_of_val(spare).saturating_sub(before) / PAGE * PAGE;
    if bytes >= LARGE_PAGE {
        // Kernels without large pages refuse, which changes nothing.
        // SAFETY: the bytes from `before` on are part of `spare`, which is borrowed exclusively, and this advice changes
        // how they are mapped, not what they hold.
        let _ = unsafe { madvise(start.add(before).cast(), bytes, Advice::LinuxHugepage) };
    }
}

/// Asks for nothing.
#[cfg(not(target_os = "linux"))]
pub fn ask_for<T>(_: &mut [MaybeUninit<T>]) {}
