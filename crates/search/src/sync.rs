//! Atomics: those of the standard library, or those of `loom`, which tries every order of events.

#[cfg(all(test, feature = "loom"))]
pub(crate) use loom::sync::atomic::{AtomicU32, AtomicU64, Ordering, fence};
#[cfg(not(all(test, feature = "loom")))]
pub(crate) use std::sync::atomic::{AtomicU32, AtomicU64, Ordering, fence};
#[cfg(not(all(test, feature = "loom")))]
use zerocopy::FromZeros;

/// A value in cache lines of its own, so that threads that write it do not disturb those that read what lies
/// beside it. Processors fetch lines in pairs.
#[derive(Debug, Default)]
#[repr(align(128))]
pub(crate) struct CachePadded<T>(pub T);

/// So many zeros, which take memory when they are written to; `None` if the system does not promise that
/// much.
#[cfg(not(all(test, feature = "loom")))]
pub(crate) fn zeros<T: FromZeros>(count: u32) -> Option<Box<[T]>> {
    FromZeros::new_box_zeroed_with_elems(count as usize).ok()
}

/// So many zeros.
#[cfg(all(test, feature = "loom"))]
#[expect(clippy::unnecessary_wraps, reason = "the real one may find no memory")]
pub(crate) fn zeros<T: Default>(count: u32) -> Option<Box<[T]>> {
    Some((0..count).map(|_| T::default()).collect())
}

/// An atomic word that is read and written without regard to the order of other memory, or like any other
/// memory by those who have it for themselves.
pub(crate) trait Word {
    /// What the word holds.
    type Value: Copy + Default;

    /// What it holds at some moment.
    fn load_relaxed(&self) -> Self::Value;

    /// What it holds. Nobody else can change it at the moment.
    fn read(&mut self) -> Self::Value;

    /// Puts a value in its place. Nobody else can look at it at the moment.
    fn write(&mut self, value: Self::Value);
}

macro_rules! word {
    ($atomic:ty, $value:ty) => {
        impl Word for $atomic {
            type Value = $value;

            #[inline(always)]
            fn load_relaxed(&self) -> $value {
                self.load(Ordering::Relaxed)
            }

            #[cfg(not(all(test, feature = "loom")))]
            #[inline(always)]
            fn read(&mut self) -> $value {
                *self.get_mut()
            }

            #[cfg(not(all(test, feature = "loom")))]
            #[inline(always)]
            fn write(&mut self, value: $value) {
                *self.get_mut() = value;
            }

            #[cfg(all(test, feature = "loom"))]
            fn read(&mut self) -> $value {
                self.with_mut(|word| *word)
            }

            #[cfg(all(test, feature = "loom"))]
            fn write(&mut self, value: $value) {
                self.with_mut(|word| *word = value);
            }
        }
    };
}

word!(AtomicU32, u32);
word!(AtomicU64, u64);
