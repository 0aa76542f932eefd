//! The tests of the program in WebAssembly that run natively.

mod answers;
mod moves;
