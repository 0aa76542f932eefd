//! The extension module `papamu._native`, on which the Python package `papamu` stands.
//!
//! A position of any game is an [`erased::AnyPosition`]; [`typed`] makes one of every game of the registry. What takes
//! time is a [`job::Job`]: a thread of its own, while the interpreter's lock is free, which Ctrl-C stops.
//! `python/papamu/_native.pyi` documents what Python sees.

mod arguments;
mod erased;
mod errors;
mod experiments;
mod games;
mod job;
mod lattice;
mod objects;
mod player;
mod position;
mod records;
mod solving;
mod typed;

/// The extension module.
#[pyo3::pymodule(name = "_native")]
mod native {
    #[pymodule_export]
    use crate::experiments::{arena_experiments, arena_games, arena_report, arena_run};
    #[pymodule_export]
    use crate::games::games;
    #[pymodule_export]
    use crate::player::{Player, Thinking};
    #[pymodule_export]
    use crate::position::Position;
    #[pymodule_export]
    use crate::records::read_games;
    #[pymodule_export]
    use crate::solving::{prove, solve, verify};
}
