//! The engine as another program meets it: lines in, lines out.

mod errors;
mod fields;
mod serve;
