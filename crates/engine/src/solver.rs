//! Named solvers.

use crate::parameter::{Field, Parameter, ParameterError, Setting, apply, describe};
use game::Game;
use search::Limits;
use search::proof::{SolveProgress, SolveReport};
use thiserror::Error;

/// What a solver may use.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Resources {
    /// The most bytes for its tree or table; all else takes a few megabytes, on the largest boards tens.
    pub memory: usize,
    /// Threads.
    pub threads: usize,
}

/// Why a solver did not begin.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum SolveError {
    /// A setting is none of this solver's.
    #[error(transparent)]
    Parameter(#[from] ParameterError),
    /// More threads than the solver can use.
    #[error("the solver {solver} has one thread")]
    OneThread {
        /// Its name.
        solver: &'static str,
    },
    /// The board is too large, in words.
    #[error("{0}")]
    TooLarge(String),
    /// A file of the solver cannot be used, in words.
    #[error("{0}")]
    File(String),
}

/// No solver has this name.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("no solver {name:?} of {game}; there are: {known}")]
pub struct UnknownSolver {
    /// What was asked for.
    pub name: String,
    /// The game.
    pub game: &'static str,
    /// The names that exist.
    pub known: String,
}

/// What is asked of a solver.
pub struct Task<'a, G> {
    /// The position.
    pub position: &'a G,
    /// What may be used.
    pub resources: Resources,
    /// Parameters of the solver.
    pub settings: &'a [Setting],
    /// When to give up.
    pub limits: &'a Limits,
}

/// Hears of the progress.
pub type Tell<'a> = &'a mut dyn FnMut(&SolveProgress);

type Answer<G> = Result<SolveReport<<G as Game>::Move>, SolveError>;
type Solve<G> = dyn Fn(&Task<'_, G>, Tell<'_>) -> Answer<G>;

/// A solver under its name.
pub struct Solver<G: Game> {
    /// The name on the command line.
    pub name: &'static str,
    /// What it is, in a line.
    pub summary: &'static str,
    /// Its parameters.
    pub parameters: Vec<Parameter>,
    /// Whether it can use several threads.
    pub has_threads: bool,
    solve: Box<Solve<G>>,
}

impl<G: Game> Solver<G> {
    /// A solver whose parameters are those of a table of fields.
    pub(crate) fn new<P: Clone + 'static>(
        name: &'static str,
        summary: &'static str,
        fields: &'static [&'static [Field<P>]],
        defaults: P,
        solve: impl Fn(&Task<'_, G>, &P, Tell<'_>) -> Answer<G> + 'static,
    ) -> Solver<G> {
        let parameters = fields.iter().flat_map(|table| describe(table, &defaults));
        Solver {
            name,
            summary,
            parameters: parameters.collect(),
            has_threads: false,
            solve: Box::new(move |task, tell| {
                let params = set(fields, &defaults, task.settings)?;
                solve(task, &params, tell)
            }),
        }
    }

    /// A solver with these parameters, which reads its settings itself.
    pub(crate) fn of(
        name: &'static str,
        summary: &'static str,
        parameters: Vec<Parameter>,
        solve: impl Fn(&Task<'_, G>, Tell<'_>) -> Answer<G> + 'static,
    ) -> Solver<G> {
        Solver {
            name,
            summary,
            parameters,
            has_threads: false,
            solve: Box::new(solve),
        }
    }

    /// The same solver, if it can use several threads.
    pub(crate) fn with_threads(mut self) -> Self {
        self.has_threads = true;
        self
    }

    /// The value of a position, knowing nothing of others. A position that is over is answered at once.
    ///
    /// # Errors
    /// If a setting is wrong, the board too large, or there are threads that the solver cannot use.
    pub fn solve(&self, task: &Task<'_, G>, tell: Tell<'_>) -> Answer<G> {
        if task.resources.threads > 1 && !self.has_threads {
            return Err(SolveError::OneThread { solver: self.name });
        }
        (self.solve)(task, tell)
    }
}

/// Parameters changed by settings, each of which is a field of one of several tables.
fn set<P: Clone>(
    tables: &[&[Field<P>]],
    defaults: &P,
    settings: &[Setting],
) -> Result<P, ParameterError> {
    let mut params = defaults.clone();
    for setting in settings {
        let has = |table: &&&[Field<P>]| table.iter().any(|field| field.name == setting.name);
        let table = tables.iter().find(has);
        let table = table.ok_or_else(|| ParameterError::Unknown {
            name: setting.name.clone(),
            known: match names(tables).as_slice() {
                [] => "none".to_owned(),
                names => names.join(", "),
            },
        })?;
        params = apply(table, &params, std::slice::from_ref(setting))?;
    }
    Ok(params)
}

fn names<P>(tables: &[&[Field<P>]]) -> Vec<&'static str> {
    let fields = tables.iter().flat_map(|table| table.iter());
    fields.map(|field| field.name).collect()
}
