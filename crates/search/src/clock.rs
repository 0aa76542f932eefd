//! The clock of searches: the system's, and the browser's where the program is compiled to WebAssembly, whose standard
//! library has no clock.

pub use web_time::Instant;
