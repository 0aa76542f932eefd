//! `papamu arena` as processes: what it survives, and what it tells.
#![cfg(target_os = "linux")]

mod matches;
#[path = "../../../../arena/tests/all/postgres.rs"]
pub mod postgres;
mod reliability;
mod support;
mod watching;
mod weights;
