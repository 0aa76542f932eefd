//! `papamu.solve`, `papamu.prove` and `papamu.verify`.

use crate::arguments::{Any, Asked, optional_number, optional_text, outcome_name, path, settings};
use crate::erased::{Solution, Solving};
use crate::errors::{Fault, guarded};
use crate::job::Job;
use crate::objects::{self, fields, object};
use crate::player::{callable, hear};
use crate::position::position;
use papamu::search::StopFlag;
use papamu::search::proof::SolveProgress;
use papamu::{Proof, Verdict, registry};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict};
use std::fs::File;
use std::io::{Cursor, Read};

/// Bytes for a table where nobody says.
const MEMORY: usize = 1 << 30;

/// Bytes in the unit of the argument `memory`.
const MEBIBYTE: u64 = 1 << 20;

/// The most memory that can be asked for, in MiB, as for players.
const MOST_MEMORY: u64 = 1 << 20;

/// The exact value of a position, if the limits allow it. `memory` is in MiB, 1024 by default. `progress` is as in
/// `Player.think`.
#[pyfunction]
#[pyo3(signature = (position, *, solver=None, seconds=None, nodes=None, memory=None, threads=None, progress=None, every=None, **settings))]
#[expect(clippy::too_many_arguments, reason = "keyword arguments of Python")]
pub fn solve<'py>(
    py: Python<'py>,
    position: Any<'_, 'py>,
    solver: Option<Any<'_, 'py>>,
    seconds: Option<Any<'_, 'py>>,
    nodes: Option<Any<'_, 'py>>,
    memory: Option<Any<'_, 'py>>,
    threads: Option<Any<'_, 'py>>,
    progress: Option<Any<'_, 'py>>,
    every: Option<Any<'_, 'py>>,
    settings: Option<&Bound<'py, PyDict>>,
) -> PyResult<Bound<'py, PyAny>> {
    guarded(|| {
        let position = self::position(position)?;
        let asked = Asked {
            seconds,
            nodes,
            every,
            ..Asked::default()
        };
        let limits = asked.limits()?;
        let memory = optional_number("memory", memory, 1)?;
        if memory.is_some_and(|memory| memory > MOST_MEMORY) {
            let why = format!("memory is too much: expected MiB from 1 to {MOST_MEMORY}");
            return Err(Fault::argument(why).into());
        }
        let threads = optional_number("threads", threads, 1)?.unwrap_or(1);
        if threads > 256 {
            return Err(Fault::argument("threads is too many: expected 1 to 256").into());
        }
        let how = Solving {
            solver: optional_text("solver", solver)?,
            memory: memory.map_or(MEMORY, |memory| (memory * MEBIBYTE) as usize),
            threads: threads as usize,
            settings: self::settings(settings)?,
        };
        let progress = callable(progress)?;
        let mut job: Job<SolveProgress, Solution> = Job::start(limits.stop.clone(), move |tell| {
            position.solve(&how, &limits, tell)
        });
        let found = job.wait(py, |known| {
            hear(progress, || objects::solve_progress(py, &known))
        })?;
        objects::solution(py, &found)
    })
}

/// Solves a position, and writes the certificate of its value. The limits are for each of the searches. `progress` is as
/// in `Player.think`, and reports the search for the value.
#[pyfunction]
#[pyo3(signature = (position, *, seconds=None, nodes=None, progress=None, every=None))]
pub fn prove<'py>(
    py: Python<'py>,
    position: Any<'_, 'py>,
    seconds: Option<Any<'_, 'py>>,
    nodes: Option<Any<'_, 'py>>,
    progress: Option<Any<'_, 'py>>,
    every: Option<Any<'_, 'py>>,
) -> PyResult<Bound<'py, PyAny>> {
    guarded(|| {
        let position = self::position(position)?;
        let asked = Asked {
            seconds,
            nodes,
            every,
            ..Asked::default()
        };
        let limits = asked.limits()?;
        let progress = callable(progress)?;
        let mut job: Job<SolveProgress, Proof> = Job::start(limits.stop.clone(), move |tell| {
            position.prove(&limits, tell)
        });
        let proof = job.wait(py, |known| {
            hear(progress, || objects::solve_progress(py, &known))
        })?;
        let fields = fields!(py, {
            "outcome": outcome_name(proof.outcome),
            "certificate": PyBytes::new(py, &proof.certificate),
        });
        object(py, "Proof", &fields)
    })
}

/// Checks a certificate, given as bytes or as the path of a file, with the rules alone. Raises
/// `papamu.CertificateError` if it is not valid.
#[pyfunction]
pub fn verify<'py>(py: Python<'py>, certificate: Any<'_, 'py>) -> PyResult<Bound<'py, PyAny>> {
    guarded(|| {
        let input: Box<dyn Read + Send> = match certificate.cast::<PyBytes>() {
            Ok(bytes) => Box::new(Cursor::new(bytes.as_bytes().to_vec())),
            Err(_) => Box::new(File::open(path("certificate", certificate)?)?),
        };
        let stop = StopFlag::new();
        let mut job: Job<(), Verdict> = Job::start(stop.clone(), move |_| {
            registry::verify_while(input, |_| !stop.is_raised()).map_err(Fault::certificate)
        });
        let verdict = job.wait(py, |()| Ok(true))?;
        objects::verdict(py, &verdict)
    })
}
