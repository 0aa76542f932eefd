//! The fuzz targets: a module each.

mod certificates;
mod gtp;
mod moves;
mod records;
mod sgf;
