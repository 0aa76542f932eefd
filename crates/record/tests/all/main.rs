//! Games in files.

mod little_golem;
mod records;
