//! Solvers that show what they say.

use crate::{BoardError, BoardOptions, Playable, Resources, SolveError, Tell};
use certificate::{Claim, Header, Promise, Provable};
use game::Outcome;
use search::Limits;
use search::proof::{CheckpointError, SolveReport, Spent};
use std::io::{self, Read, Write};

/// A game whose default solver also knows the moves of a strategy that shows a value, of which a
/// certificate consists.
pub trait Solvable: Playable + Provable {
    /// The solver. What it learns of one position helps it with the next.
    type Prover: Send;

    /// A solver for the board of this position that knows nothing yet. Threads are for those that can use
    /// several.
    ///
    /// # Errors
    /// If the board is too large.
    fn prover(&self, resources: Resources) -> Result<Self::Prover, SolveError>;

    /// The value of the position, if the limits allow it. A search that they ended is gone on with.
    fn value(
        &self,
        prover: &mut Self::Prover,
        limits: &Limits,
        tell: Tell<'_>,
    ) -> SolveReport<Self::Move>;

    /// A move of the side to move with which a promise is kept; `None` if there is none, or the limits
    /// are reached.
    fn keep(
        &self,
        prover: &mut Self::Prover,
        promise: Promise,
        limits: &Limits,
    ) -> Option<Self::Move>;

    /// Writes all that a solver knows, with what was spent so far.
    ///
    /// # Errors
    /// Those of the output.
    fn save(prover: &Self::Prover, spent: Spent, output: impl Write) -> io::Result<()>;

    /// Reads what a solver knew, and lets it forget all else.
    ///
    /// # Errors
    /// If that is damaged or was of another board; then nothing changes.
    fn load(prover: &mut Self::Prover, input: impl Read) -> Result<Spent, CheckpointError>;

    /// What certificates call the board on which this position came about.
    ///
    /// # Errors
    /// If there are no certificates about such games.
    fn certified_board(&self, options: &BoardOptions) -> Result<String, BoardError>;

    /// The board that certificates call so.
    fn options_of_certified(board: &str) -> BoardOptions;
}

/// The beginning of the certificate of a position's value. The moves that led to it are in the default
/// dialect.
///
/// # Errors
/// If there are no certificates about such games.
pub fn certificate_header<G: Solvable>(
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

/// The strategy of a solver as [`certificate::write`] asks for it. It ends when the limits' flag is raised.
pub fn strategy<'a, G: Solvable>(
    prover: &'a mut G::Prover,
    limits: &'a Limits,
) -> impl FnMut(&G, Promise) -> Option<G::Move> + 'a {
    move |position, promise| {
        let stopped = limits.stop.is_raised();
        (!stopped).then(|| position.keep(prover, promise, limits))?
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Two boards that some option tells apart have different headers, or no certificates: what a folder of
    /// certificates shows is never taken for an answer to another question.
    #[test]
    fn every_option_of_a_board_is_in_the_header() {
        let text = |text: &str| Some(text.to_owned());
        // Without `..`, so that a new option has to be thought of here.
        let BoardOptions {
            size: _,
            rows: _,
            cols: _,
            setup: _,
            opening: _,
            swap: _,
        } = BoardOptions::default();
        let of = BoardOptions::default;
        let havannah = [
            of(),
            BoardOptions {
                size: text("5"),
                ..of()
            },
            BoardOptions {
                size: text("4x4x5"),
                ..of()
            },
            BoardOptions {
                size: text("4x5x4"),
                ..of()
            },
            BoardOptions { swap: true, ..of() },
            BoardOptions {
                size: text("5"),
                swap: true,
                ..of()
            },
        ];
        check::<havannah::Position>(&havannah, 2);
        let konane = [
            of(),
            BoardOptions {
                size: text("6"),
                ..of()
            },
            BoardOptions {
                rows: Some(6),
                cols: Some(7),
                ..of()
            },
            BoardOptions {
                rows: Some(7),
                cols: Some(6),
                ..of()
            },
            BoardOptions {
                setup: text("corner"),
                ..of()
            },
            BoardOptions {
                setup: text("corner-vertical"),
                ..of()
            },
            BoardOptions {
                setup: text("centre"),
                ..of()
            },
            BoardOptions {
                setup: text("d4,e4"),
                ..of()
            },
            BoardOptions {
                opening: text("any"),
                ..of()
            },
        ];
        check::<konane::Position<konane::SmallBitBoard>>(&konane, 0);
    }

    /// `without` boards have no certificates.
    fn check<G: Solvable>(boards: &[BoardOptions], without: usize) {
        let mut headers = Vec::new();
        for board in boards {
            let position = G::start(board).expect("a board");
            if let Ok(header) = certificate_header(&position, board, Vec::new(), Outcome::Draw) {
                assert!(!headers.contains(&header), "{header:?} of {board:?}");
                let again = G::start(&G::options_of_certified(&header.board)).expect("a board");
                assert_eq!(again.hash(), position.hash(), "{header:?}");
                headers.push(header);
            }
        }
        assert_eq!(headers.len(), boards.len() - without);
    }
}
