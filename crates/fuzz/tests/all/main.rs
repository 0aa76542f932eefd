//! The fuzz targets: a module each.

mod certificates;
mod gtp;
mod moves;
mod queries;
mod records;
mod sgf;
