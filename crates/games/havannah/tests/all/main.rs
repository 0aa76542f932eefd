//! Havannah against a slow referee, published results and real games.

mod against_referee;
mod board_properties;
mod conformance;
mod judge;
mod known_results;
mod mcts;
mod openspiel;
mod playouts;
mod uneven_boards;
mod win_kinds;
