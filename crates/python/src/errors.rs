//! What goes wrong, as exceptions of the package: `papamu/_errors.py` has their classes.

use pyo3::prelude::*;
use pyo3::types::PyType;
use std::any::Any;
use std::fmt::Display;
use std::panic::{AssertUnwindSafe, catch_unwind};

/// An exception of the package, before it is raised.
#[derive(Clone, Debug)]
pub struct Fault {
    class: &'static str,
    reason: String,
}

impl Fault {
    /// A value that an argument cannot have.
    pub fn argument(reason: impl Display) -> Fault {
        Fault::new("ArgumentError", reason)
    }

    /// An argument of the wrong type.
    pub fn wrong_type(reason: impl Display) -> Fault {
        Fault::new("ArgumentTypeError", reason)
    }

    /// A game or a board that there is not.
    pub fn game(reason: impl Display) -> Fault {
        Fault::new("GameError", reason)
    }

    /// A text that is no move, or a move that is not legal.
    pub fn illegal(reason: impl Display) -> Fault {
        Fault::new("IllegalMoveError", reason)
    }

    /// A player or a setting that there is not.
    pub fn player(reason: impl Display) -> Fault {
        Fault::new("PlayerError", reason)
    }

    /// A solver that there is not, or that cannot solve this.
    pub fn solver(reason: impl Display) -> Fault {
        Fault::new("SolveError", reason)
    }

    /// A proof that was not found within its limits.
    pub fn limits(reason: impl Display) -> Fault {
        Fault::new("LimitError", reason)
    }

    /// A certificate that shows nothing.
    pub fn certificate(reason: impl Display) -> Fault {
        Fault::new("CertificateError", reason)
    }

    /// A file with no games that can be read.
    pub fn record(reason: impl Display) -> Fault {
        Fault::new("RecordError", reason)
    }

    /// A store of experiments that cannot be read.
    pub fn store(reason: impl Display) -> Fault {
        Fault::new("StoreError", reason)
    }

    /// A file that is no experiment that can be played here.
    pub fn experiment(reason: impl Display) -> Fault {
        Fault::new("ExperimentError", reason)
    }

    /// A player that is searching already.
    pub fn busy(reason: impl Display) -> Fault {
        Fault::new("BusyError", reason)
    }

    fn new(class: &'static str, reason: impl Display) -> Fault {
        Fault {
            class,
            reason: reason.to_string(),
        }
    }

    /// A bug of this library: a thread panicked.
    pub fn panicked(payload: &(dyn Any + Send)) -> Fault {
        let text = payload
            .downcast_ref::<&str>()
            .map(|text| (*text).to_owned());
        let text = text.or_else(|| payload.downcast_ref::<String>().cloned());
        Fault::new(
            "InternalError",
            format!(
                "a fault of papamu itself, please report it: {}",
                text.as_deref().unwrap_or("it panicked")
            ),
        )
    }
}

impl From<Fault> for PyErr {
    fn from(fault: Fault) -> PyErr {
        Python::attach(|py| match class(py, fault.class) {
            Ok(class) => PyErr::from_type(class, (fault.reason,)),
            Err(error) => error,
        })
    }
}

fn class<'py>(py: Python<'py>, name: &str) -> PyResult<Bound<'py, PyType>> {
    let class = py.import("papamu._errors")?.getattr(name)?;
    Ok(class.cast_into::<PyType>()?)
}

/// Does some work; a panic becomes an exception that `except Exception` catches, as that of `PyO3` is not.
pub fn guarded<R>(work: impl FnOnce() -> PyResult<R>) -> PyResult<R> {
    match catch_unwind(AssertUnwindSafe(work)) {
        Ok(result) => result,
        Err(payload) => Err(Fault::panicked(&*payload).into()),
    }
}
