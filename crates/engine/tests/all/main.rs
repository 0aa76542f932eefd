//! Players and solvers by their names and parameters.

mod konane_players;
mod solvers;
mod stack;
