//! What is found out, as the data classes of `papamu/_objects.py`.

use crate::arguments::side_name;
use crate::erased::{Analysis, MoveRow, Solution};
use papamu::certificate::Verdict;
use papamu::search::proof::SolveProgress;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList};

/// An object of a data class.
pub fn object<'py>(
    py: Python<'py>,
    class: &str,
    fields: &Bound<'py, PyDict>,
) -> PyResult<Bound<'py, PyAny>> {
    let class = py.import("papamu._objects")?.getattr(class)?;
    class.call((), Some(fields))
}

/// A dictionary with some fields.
macro_rules! fields {
    ($py:expr, { $($name:literal: $value:expr),* $(,)? }) => {{
        let fields = pyo3::types::PyDict::new($py);
        $(fields.set_item($name, $value)?;)*
        fields
    }};
}
pub(crate) use fields;

/// What a search knows.
pub fn analysis<'py>(py: Python<'py>, found: &Analysis) -> PyResult<Bound<'py, PyAny>> {
    let moves = PyList::empty(py);
    for row in &found.moves {
        moves.append(move_row(py, row)?)?;
    }
    let fields = fields!(py, {
        "game": found.game.name(),
        "to_move": side_name(found.to_move),
        "best": &found.best,
        "value": found.value,
        "proven": &found.proven,
        "principal_variation": &found.principal_variation,
        "moves": moves,
        "evaluation": found.evaluation,
        "simulations": found.simulations,
        "playouts": found.playouts,
        "nodes": found.nodes,
        "depth": found.depth,
        "seconds": found.seconds,
        "stop": &found.stop,
    });
    object(py, "Analysis", &fields)
}

fn move_row<'py>(py: Python<'py>, row: &MoveRow) -> PyResult<Bound<'py, PyAny>> {
    let fields = fields!(py, {
        "move": &row.mv,
        "visits": row.visits,
        "value": row.value,
        "lower_bound": row.lower_bound,
        "proven": &row.proven,
    });
    object(py, "MoveAnalysis", &fields)
}

/// What a solver has found.
pub fn solution<'py>(py: Python<'py>, found: &Solution) -> PyResult<Bound<'py, PyAny>> {
    let fields = fields!(py, {
        "outcome": found.outcome,
        "best": &found.best,
        "nodes": found.nodes,
        "entries": found.entries,
        "bytes": found.bytes,
        "seconds": found.seconds,
        "stop": &found.stop,
    });
    object(py, "Solution", &fields)
}

/// How far a solver is.
pub fn solve_progress<'py>(
    py: Python<'py>,
    progress: &SolveProgress,
) -> PyResult<Bound<'py, PyAny>> {
    let fields = fields!(py, {
        "attacker": progress.attacker.map(side_name),
        "proof": progress.proof,
        "disproof": progress.disproof,
        "depth": progress.depth,
        "nodes": progress.nodes,
        "entries": progress.entries,
        "bytes": progress.bytes,
        "seconds": progress.elapsed.as_secs_f64(),
    });
    object(py, "SolveProgress", &fields)
}

/// What a certificate shows.
pub fn verdict<'py>(py: Python<'py>, verdict: &Verdict) -> PyResult<Bound<'py, PyAny>> {
    let header = &verdict.header;
    let fields = fields!(py, {
        "game": &header.game,
        "board": &header.board,
        "moves": &header.moves,
        "claim": header.claim.to_string(),
        "positions": verdict.positions,
        "bytes": verdict.bytes,
    });
    object(py, "Verdict", &fields)
}
