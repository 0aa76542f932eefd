//! Certificates of both games: what is written is valid, and what was changed is not.

mod havannah;
mod judge;
mod konane;
mod proof;
mod samples;
mod second_checker;
mod threats;
mod work;
