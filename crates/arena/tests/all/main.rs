//! Experiments: what their files may say, what is played, what the store keeps, and what goes wrong.

mod experiments;
mod faults;
mod files;
mod postgres;
mod store;
mod tune;
mod versions;
mod weights;
mod work;
