//! Kōnane against a slow referee, published results and exhaustive search.

mod against_referee;
mod cgt;
mod conformance;
mod known_results;
mod notation;
mod papamu;
mod players;
mod rules;
mod solver;
mod solvers;
mod thesis;
