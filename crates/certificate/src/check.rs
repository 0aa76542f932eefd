//! The checker.

use crate::header::LONGEST_LINE;
use crate::stream::Source;
use crate::walk::{Moves, Step, Stop, Walk};
use crate::{Claim, Header, HeaderError, Provable, konane};
use ::konane::{Board, LargeBitBoard, SmallBitBoard};
use game::{Game, Notation};
use havannah::{Dialect, Position, Shape};
use std::io::{self, BufRead, BufReader, Read};
use thiserror::Error;

/// What a certificate that is valid shows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Verdict {
    /// The position and what is proven of it.
    pub header: Header,
    /// The positions for which the certificate gives a move.
    pub positions: u64,
    /// The length of the certificate.
    pub bytes: u64,
}

impl Verdict {
    /// What is proven.
    pub fn claim(&self) -> Claim {
        self.header.claim
    }
}

/// Why a certificate is refused.
#[derive(Debug, Error)]
pub enum Refusal {
    /// The beginning is not that of a certificate.
    #[error(transparent)]
    Header(#[from] HeaderError),
    /// The game is none that is known here.
    #[error("the certificate is about {0:?}, which is no game known here")]
    Game(String),
    /// The board or the moves to the position make no sense.
    #[error("the position of the certificate makes no sense: {0}")]
    Position(String),
    /// The first place where something is not shown.
    #[error("after {}: {reason}", if line.is_empty() { "no move".to_owned() } else { line.join(" ") })]
    Hole {
        /// The moves from the position of the claim to the place.
        line: Vec<String>,
        /// What is wrong there.
        reason: &'static str,
    },
    /// The proof is complete, but what follows is not its checksum.
    #[error("the checksum after the proof, at byte {0}, is wrong")]
    Checksum(u64),
    /// Reading failed.
    #[error("the certificate cannot be read")]
    Io(#[from] io::Error),
}

/// Checks a certificate of any game.
///
/// # Errors
/// If it is not valid: the first thing that is wrong with it.
pub fn verify(input: impl Read) -> Result<Verdict, Refusal> {
    let mut source = Source::new(BufReader::new(input));
    let header = Header::read(|| source.line(LONGEST_LINE).map_err(Refusal::from))?;
    let positions = match header.game.as_str() {
        Position::NAME => {
            let shape: Shape = header.board.parse().map_err(|error| nonsense(&error))?;
            check_from(&Position::new(shape), Dialect::Grid, &header, &mut source)?
        }
        konane::NAME => {
            let start = konane::start(&header.board)
                .ok_or_else(|| nonsense(&"a board is such as 6x7 corner"))?;
            // Most boards have their cells in one word, which makes everything faster.
            if start.shape.area() <= SmallBitBoard::CAPACITY {
                let position = ::konane::Position::<SmallBitBoard>::new(&start);
                let position = position.map_err(|error| nonsense(&error))?;
                check_from(&position, (), &header, &mut source)?
            } else {
                let position = ::konane::Position::<LargeBitBoard>::new(&start);
                let position = position.map_err(|error| nonsense(&error))?;
                check_from(&position, (), &header, &mut source)?
            }
        }
        other => return Err(Refusal::Game(other.to_owned())),
    };
    let end = source.position;
    if !source.ends_well()? {
        return Err(Refusal::Checksum(end));
    }
    Ok(Verdict {
        header,
        positions,
        bytes: source.position,
    })
}

fn nonsense(error: &impl ToString) -> Refusal {
    Refusal::Position(error.to_string())
}

/// Checks the proof of what a header claims, in a game with this start.
fn check_from<G: Provable + Notation, R: BufRead>(
    start: &G,
    dialect: G::Dialect,
    header: &Header,
    source: &mut Source<R>,
) -> Result<u64, Refusal> {
    let mut position = start.clone();
    for text in &header.moves {
        let mv = position
            .parse_move(text, dialect)
            .map_err(|error| nonsense(&error))?;
        position.try_play(mv).map_err(|error| nonsense(&error))?;
    }
    let mut positions = 0;
    for promise in header.claim.promises() {
        let walked = Walk::through(&position, promise, &mut FromSource(&mut *source));
        positions += walked.map_err(|stop| match stop {
            Stop::Hole { line, reason } => Refusal::Hole { line, reason },
            Stop::Error(error) => Refusal::Io(error),
        })?;
    }
    Ok(positions)
}

/// Reads the moves.
struct FromSource<'a, R>(&'a mut Source<R>);

impl<G: Provable, R: BufRead> Moves<G> for FromSource<'_, R> {
    type Error = io::Error;

    fn next(&mut self, _: &G, legal: &[G::Move]) -> io::Result<Step<G>> {
        let mut number = 0;
        for _ in 0..number_bytes(legal.len()) {
            let Some(byte) = self.0.byte()? else {
                return Ok(Step::Missing("the certificate ends here"));
            };
            number = number << 8 | usize::from(byte);
        }
        Ok(legal
            .get(number)
            .map_or(Step::Missing("there is no move of this number"), |&mv| {
                Step::Play(mv)
            }))
    }
}

/// The bytes that a move's number takes where there are so many legal moves.
pub(crate) const fn number_bytes(legal: usize) -> usize {
    if legal <= 256 { 1 } else { 2 }
}
