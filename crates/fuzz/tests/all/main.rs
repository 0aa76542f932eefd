//! The fuzz targets: a module each.

mod gtp;
mod moves;
mod records;
mod sgf;
