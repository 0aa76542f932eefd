//! Games in files.

mod conversion;
mod little_golem;
mod records;
