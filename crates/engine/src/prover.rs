//! Solvers that show what they say.

use crate::{BoardError, BoardOptions, Playable, SolveError, Tell};
use certificate::{Claim, Header, Log, Promise, Provable, WriteError, Writer, Written};
use game::{Game, Outcome, Side};
use search::Limits;
use search::proof::{CheckpointError, Crew, ProofNumbers, SolveProgress, SolveReport, Spent};
use search::threads::with_deep_stack;
use std::io::{self, Read, Write};

/// A solver that also knows the moves of a strategy that shows a value, of which a certificate consists,
/// and that can write down what it knows. What it learns of one position helps it with the next.
pub trait Prover<G: Game>: Send {
    /// The value of a position, if the limits allow it. A search that they ended resumes.
    fn value(&mut self, position: &G, limits: &Limits, tell: Tell<'_>) -> SolveReport<G::Move>;

    /// A move of the side to move with which a promise is kept; `None` if there is none, or the limits
    /// are reached.
    fn keep(&mut self, position: &G, promise: Promise, limits: &Limits) -> Option<G::Move>;

    /// Whether `attacker` wins a position below the one that the solver was made for, searched until that is known, one
    /// of the numbers reaches its bound, or the limits end the search; and the nodes of the search. Numbers that are no
    /// answer are a measure of what is left; a solver without any says nothing.
    fn search(
        &mut self,
        position: &G,
        attacker: Side,
        bounds: ProofNumbers,
        limits: &Limits,
    ) -> (ProofNumbers, u64) {
        let _ = bounds;
        let report = self.value(position, limits, &mut |_| {});
        let numbers = report.outcome.map_or(ProofNumbers::UNKNOWN, |outcome| {
            ProofNumbers::of_outcome(outcome, attacker)
        });
        (numbers, report.nodes)
    }

    /// Lets the solver know an answer that was proven elsewhere, which took so many nodes there. One that cannot take it
    /// finds it again.
    fn learn(&mut self, position: &G, attacker: Side, answer: ProofNumbers, nodes: u64) {
        let _ = (position, attacker, answer, nodes);
    }

    /// Notes from now on what searches find out about positions, of those that take so many nodes or more, or of none. Whether
    /// it can.
    fn note(&mut self, least: Option<u64>) -> bool {
        let _ = least;
        false
    }

    /// What it has noted since the last time, for solvers of the same board that share no table with it. `None` if that is
    /// nothing.
    fn noted(&mut self) -> Option<Vec<u8>> {
        None
    }

    /// Takes what another solver has noted, whose answers it believes.
    ///
    /// # Errors
    /// If that is damaged or of another board or version; then nothing changes.
    fn take_noted(&mut self, noted: &[u8]) -> Result<(), CheckpointError> {
        let _ = noted;
        Ok(())
    }

    /// Its threads, to which others may be added while it searches. `None` from a solver that cannot use more.
    fn crew(&self) -> Option<Crew> {
        None
    }

    /// Writes all that the solver knows, with what was spent so far.
    ///
    /// # Errors
    /// Those of the output.
    fn save(&self, spent: Spent, output: &mut dyn Write) -> io::Result<()>;

    /// Reads what a solver knew, and forgets all else.
    ///
    /// # Errors
    /// If that is damaged or was of another board; then nothing changes.
    fn load(&mut self, input: &mut dyn Read) -> Result<Spent, CheckpointError>;

    /// What is known of a position without a search: the nodes of the longest visit, and the value.
    /// `None` from a solver that does not tell.
    fn known(&mut self, position: &G) -> Option<(u64, Option<Outcome>)> {
        let _ = position;
        None
    }

    /// Writes the certificate of a position's value, for which the solver is asked for the moves, as long as `goes_on` says
    /// so, which is asked for each position that the proof comes to. The flag of the limits ends it too.
    ///
    /// # Errors
    /// As [`Writer::write`].
    // A method of the solver, so that it is compiled where the solver is, and not where a certificate is asked for.
    fn certify(
        &mut self,
        value: &Certified<'_, G>,
        output: &mut dyn Write,
        log: Option<Log<'_>>,
        limits: &Limits,
        goes_on: &mut dyn FnMut() -> bool,
    ) -> Result<Written, WriteError>
    where
        G: Provable,
    {
        let strategy = |position: &G, promise| {
            let stopped = limits.stop.is_raised();
            (!stopped).then(|| self.keep(position, promise, limits))?
        };
        let Certified {
            writer,
            header,
            position,
        } = *value;
        // One stack for all answers, where each would ask the system for its own.
        with_deep_stack(|| writer.write(output, header, position, log, strategy, goes_on))
    }
}

/// What a certificate is to show, and how.
#[derive(Clone, Copy)]
pub struct Certified<'a, G: Provable> {
    /// What it leaves out.
    pub writer: &'a Writer<G>,
    /// The claim.
    pub header: &'a Header,
    /// The position that the header describes.
    pub position: &'a G,
}

/// How many nodes are left of a search, as far as that can be told.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NodesLeft {
    /// One search in ten has fewer.
    pub low: u64,
    /// One in two has fewer.
    pub likely: u64,
    /// One in ten has more.
    pub high: u64,
}

impl NodesLeft {
    /// The seconds that they take at the rate of the search so far: `low`, `likely` and `high`.
    pub fn seconds(self, progress: &SolveProgress) -> [f64; 3] {
        let of_node = progress.elapsed.as_secs_f64() / progress.nodes.max(1) as f64;
        [self.low, self.likely, self.high].map(|nodes| nodes as f64 * of_node)
    }
}

/// Why a game has no [`Prover`] for a position.
pub fn no_prover<G: Playable>() -> SolveError {
    SolveError::NoProofs { game: G::NAME }
}

/// The beginning of the certificate of a position's value. The moves that led to it are in the default
/// dialect.
///
/// # Errors
/// If there are no certificates about such games.
pub fn certificate_header<G: Playable>(
    position: &G,
    options: &BoardOptions,
    moves: Vec<String>,
    outcome: Outcome,
) -> Result<Header, BoardError> {
    Ok(Header {
        game: G::NAME.to_owned(),
        board: position.certified_board(options)?,
        moves,
        claim: Claim::value(outcome),
    })
}
