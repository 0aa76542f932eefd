//! Players and solvers by their names and parameters.

mod konane_players;
mod review;
mod solvers;
mod stack;
