//! Pictures of boards, read back, and those of the documentation.

mod diagrams;
mod rules;
mod support;
