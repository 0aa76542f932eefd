//! The program: its command lines, what its long runs survive, and the invariants of the sources.

mod architecture;
mod arena;
mod commands;
mod containers;
mod examples;
mod explore;
mod files;
mod learn;
mod long_runs;
mod paths;
mod reference;
mod review;
mod signatures;
mod solving;
mod solving_through_a_server;
mod workflows;
