//! What only the games together can show: certificates checked by name, and solvers.

mod book;
mod certificates_of_havannah;
mod certificates_of_konane;
mod headers;
mod parameters;
mod pieces;
mod proof;
mod review;
mod samples;
mod second_checker;
mod set_up;
mod solvers;
mod stack;
mod streams;
mod threats;
mod work;
