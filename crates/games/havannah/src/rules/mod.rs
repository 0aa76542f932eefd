//! The rules of Havannah (Castro thesis, section "Havannah Rules Implementation").

pub mod board;
pub mod geometry;
mod groups;
pub mod notation;
mod picture;
pub mod position;
pub mod rings;
mod symmetry;
