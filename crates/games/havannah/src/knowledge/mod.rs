//! What players know about the game before they look ahead, one heuristic a file (Castro thesis, 2012,
//! "Heuristic Knowledge").
//!
//! Each heuristic gives points to a move. [`Knowledge`] adds them up, each times its weight. What is learned from games
//! counts in the same way: [`patterns`], and a [`network`], which is asked apart from the others.

pub mod connectivity;
pub mod distance;
mod evaluation_cache;
pub mod first_stones;
pub mod group_size;
pub mod local_reply;
pub mod locality;
mod neighbourhood;
pub mod network;
pub mod patterns;
pub mod virtual_connection;
mod weigh;

pub use weigh::{Knowledge, Weights};
