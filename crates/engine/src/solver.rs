//! Named solvers.

use crate::named::Named;
use crate::parameter::{
    Field, Parameter, ParameterError, Setting, apply_all, check_names, describe,
};
use game::Game;
use search::Limits;
use search::proof::{SolveProgress, SolveReport};
use std::time::Duration;
use thiserror::Error;

/// What a solver may use.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Resources {
    /// The most bytes for all that it allocates, its tree or table above all.
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
    /// The game has no solver that writes proofs.
    #[error("{game} has no solver with certificates and checkpoints")]
    NoProofs {
        /// The game.
        game: &'static str,
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
#[error("{}", self.in_words())]
pub struct UnknownSolver {
    /// What was asked for.
    pub name: String,
    /// The game.
    pub game: &'static str,
    /// The names that exist; empty if the game has no solver.
    pub known: String,
}

impl UnknownSolver {
    fn in_words(&self) -> String {
        let UnknownSolver { name, game, known } = self;
        if known.is_empty() {
            format!("{game} has no solver")
        } else {
            format!("no solver {name:?} of {game}; there are: {known}")
        }
    }
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

/// Solves until its limits are reached, and goes on from there when it is called again.
pub type Work<M> = Box<dyn FnMut(&Limits, Tell<'_>) -> Result<SolveReport<M>, SolveError> + Send>;

/// A solver that is ready, or why it is not.
pub type Begun<G> = Result<Work<<G as Game>::Move>, SolveError>;
type Begin<G> = dyn Fn(&Task<'_, G>) -> Begun<G>;

/// A solver at work on a position: it can be stopped, and goes on from there.
pub struct Solving<G: Game> {
    work: Work<G::Move>,
    nodes: u64,
    elapsed: Duration,
    found: Option<SolveReport<G::Move>>,
}

impl<G: Game> Solving<G> {
    /// Solves until the limits are reached. Nodes and time, of the progress too, are those of all calls
    /// together; the limits are those of this call alone. When the value is known, it is told again.
    ///
    /// # Errors
    /// If a file of the solver cannot be written.
    pub fn go_on(
        &mut self,
        limits: &Limits,
        tell: Tell<'_>,
    ) -> Result<SolveReport<G::Move>, SolveError> {
        if let Some(found) = self.found {
            return Ok(found);
        }
        let (nodes, elapsed) = (self.nodes, self.elapsed);
        let mut report = (self.work)(limits, &mut |progress| {
            tell(&SolveProgress {
                nodes: nodes + progress.nodes,
                elapsed: elapsed + progress.elapsed,
                ..*progress
            });
        })?;
        report.nodes += nodes;
        report.elapsed += elapsed;
        self.nodes = report.nodes;
        self.elapsed = report.elapsed;
        self.found = report.outcome.is_some().then_some(report);
        Ok(report)
    }
}

impl<G: Game> Named for Solver<G> {
    fn name(&self) -> &'static str {
        self.name
    }

    fn aliases(&self) -> &'static [&'static str] {
        self.aliases
    }
}

/// A solver under its name.
pub struct Solver<G: Game> {
    /// The name on the command line.
    pub name: &'static str,
    /// Other names that mean it.
    pub aliases: &'static [&'static str],
    /// What it is, in a line.
    pub summary: &'static str,
    /// Its parameters.
    pub parameters: Vec<Parameter>,
    /// Whether it can use several threads.
    pub has_threads: bool,
    begin: Box<Begin<G>>,
}

impl<G: Game> Solver<G> {
    /// A solver whose parameters are those of a table of fields.
    pub fn new<P: Clone + 'static>(
        name: &'static str,
        summary: &'static str,
        fields: &'static [&'static [Field<P>]],
        defaults: P,
        begin: impl Fn(&Task<'_, G>, &P) -> Begun<G> + 'static,
    ) -> Solver<G> {
        let parameters = fields.iter().flat_map(|table| describe(table, &defaults));
        Solver {
            name,
            aliases: &[],
            summary,
            parameters: parameters.collect(),
            has_threads: false,
            begin: Box::new(move |task| {
                let params = apply_all(fields, &defaults, task.settings)?;
                begin(task, &params)
            }),
        }
    }

    /// A solver with these parameters, which reads its settings itself.
    pub fn of(
        name: &'static str,
        summary: &'static str,
        parameters: Vec<Parameter>,
        begin: impl Fn(&Task<'_, G>) -> Begun<G> + 'static,
    ) -> Solver<G> {
        Solver {
            name,
            aliases: &[],
            summary,
            parameters,
            has_threads: false,
            begin: Box::new(begin),
        }
    }

    /// The same solver, if it can use several threads.
    #[must_use]
    pub fn with_threads(mut self) -> Self {
        self.has_threads = true;
        self
    }

    /// The same solver, if other names mean it too.
    #[must_use]
    pub fn also(mut self, aliases: &'static [&'static str]) -> Self {
        self.aliases = aliases;
        self
    }

    /// Makes the solver ready for a position, knowing nothing of others. The limits of the task are not
    /// looked at: each call of [`Solving::go_on`] has its own.
    ///
    /// # Errors
    /// If a setting is wrong, the board too large, or there are threads that the solver cannot use.
    pub fn begin(&self, task: &Task<'_, G>) -> Result<Solving<G>, SolveError> {
        if task.resources.threads > 1 && !self.has_threads {
            return Err(SolveError::OneThread { solver: self.name });
        }
        check_names(&self.parameters, task.settings)?;
        Ok(Solving {
            work: (self.begin)(task)?,
            nodes: 0,
            elapsed: Duration::ZERO,
            found: None,
        })
    }

    /// The value of a position, if the limits allow it. A position that is over is answered at once.
    ///
    /// # Errors
    /// Those of [`begin`](Solver::begin) and of [`go_on`](Solving::go_on).
    pub fn solve(
        &self,
        task: &Task<'_, G>,
        tell: Tell<'_>,
    ) -> Result<SolveReport<G::Move>, SolveError> {
        self.begin(task)?.go_on(task.limits, tell)
    }
}
