//! The form of SGF files: what is read, what is refused, and that nothing is lost.

mod charsets;
mod depth;
mod files;
mod mistakes;
mod round_trip;
