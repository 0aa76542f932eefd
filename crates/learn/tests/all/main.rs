//! The loop as a whole, on the small plan of `learning/tiny.toml`.

mod loops;
mod plans;
mod records;
mod shared;
