//! The checker.

use crate::header::LONGEST_LINE;
use crate::header::Version;
use crate::stream::Source;
use crate::walk::{Moves, Payment, Step, Stop, Walk};
use crate::{Claim, Header, HeaderError, Promise, Provable};
use game::Notation;
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
    #[error("the certificate names an unknown game, {0:?}")]
    Game(String),
    /// The board or the moves to the position make no sense.
    #[error("the position of the certificate is not valid: {0}")]
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
    /// Whoever asked did not want to know any more.
    #[error("the check was stopped")]
    Stopped,
}

/// A certificate whose header is read, and whose proof is not.
pub struct Unchecked<R> {
    /// What the certificate is about.
    pub header: Header,
    version: Version,
    source: Source<BufReader<R>>,
}

impl<R: Read> Unchecked<R> {
    /// Reads the header of a certificate of any game.
    ///
    /// # Errors
    /// If it is no header.
    pub fn read(input: R) -> Result<Self, Refusal> {
        let mut source = Source::new(BufReader::new(input));
        let (version, header) = Header::read(|| source.line(LONGEST_LINE).map_err(Refusal::from))?;
        Ok(Unchecked {
            header,
            version,
            source,
        })
    }

    /// Checks the proof, in a game with this start, as long as `goes_on` says so, which is asked for each
    /// position that the check comes to and is told the bytes that have been read.
    ///
    /// # Errors
    /// If it is not valid: the first thing that is wrong with it; and if the check was stopped.
    pub fn check_while<G: Provable + Notation>(
        mut self,
        start: &G,
        goes_on: &mut dyn FnMut(u64) -> bool,
    ) -> Result<Verdict, Refusal> {
        let mut moves = FromSource {
            source: &mut self.source,
            version: self.version,
            goes_on,
        };
        let positions = check_from(start, G::Dialect::default(), &self.header, &mut moves)?;
        let end = self.source.position;
        if !self.source.ends_well()? {
            return Err(Refusal::Checksum(end));
        }
        Ok(Verdict {
            header: self.header,
            positions,
            bytes: self.source.position,
        })
    }
}

fn nonsense(error: &impl ToString) -> Refusal {
    Refusal::Position(error.to_string())
}

/// The most memory, in bytes, that the check of a certificate of this length takes on a board with so many
/// cells: each of its bytes may be the move in a position, which is kept when it is done.
pub fn memory(cells: usize, length: u64) -> u64 {
    // With what a set of keys leaves free, and what it takes while it grows; larger keys lie by themselves.
    let position = if cells <= 62 { 64 } else { 96 + cells };
    length.saturating_mul(position as u64)
}

/// Refuses what could be written in another way: what is echoed is what was checked.
///
/// # Errors
/// If it is.
pub fn as_written(text: &str, known: &impl ToString) -> Result<(), Refusal> {
    let known = known.to_string();
    if text == known {
        return Ok(());
    }
    Err(nonsense(&format!("{text:?} should be {known:?}")))
}

/// Checks the proof of what a header claims, in a game with this start.
fn check_from<G: Provable + Notation, R: BufRead>(
    start: &G,
    dialect: G::Dialect,
    header: &Header,
    moves: &mut FromSource<'_, R>,
) -> Result<u64, Refusal> {
    let position = position_of(start, dialect, header)?;
    let mut positions = 0;
    for promise in header.claim.promises() {
        positions += walk(&position, promise, moves)?;
    }
    Ok(positions)
}

/// The position of the claim.
pub(crate) fn position_of<G: Provable + Notation>(
    start: &G,
    dialect: G::Dialect,
    header: &Header,
) -> Result<G, Refusal> {
    let mut position = start.clone();
    for text in &header.moves {
        let mv = position
            .parse_move(text, dialect)
            .map_err(|error| nonsense(&error))?;
        as_written(text, &position.name(mv))?;
        position.try_play(mv).map_err(|error| nonsense(&error))?;
    }
    Ok(position)
}

pub(crate) fn walk<G: Provable>(
    position: &G,
    promise: Promise,
    moves: &mut impl Moves<G, Error = io::Error>,
) -> Result<u64, Refusal> {
    Walk::through(position, promise, moves).map_err(|stop| match stop {
        Stop::Hole { line, reason } => Refusal::Hole { line, reason },
        Stop::Error(error) => Refusal::Io(error),
        Stop::Stopped => Refusal::Stopped,
    })
}

/// Reads the moves.
pub(crate) struct FromSource<'a, R> {
    pub source: &'a mut Source<R>,
    pub version: Version,
    pub goes_on: &'a mut dyn FnMut(u64) -> bool,
}

impl<G: Provable, R: BufRead> Moves<G> for FromSource<'_, R> {
    type Error = io::Error;

    fn next(&mut self, _: &G, legal: &[G::Move]) -> io::Result<Step<G>> {
        let mut number = 0;
        for _ in 0..number_bytes(legal.len()) {
            let Some(byte) = self.source.byte()? else {
                return Ok(Step::Missing(ENDS));
            };
            number = number << 8 | usize::from(byte);
        }
        Ok(legal
            .get(number)
            .map_or(Step::Missing("there is no move of this number"), |&mv| {
                Step::Play(mv)
            }))
    }

    fn pay(&mut self) -> io::Result<Payment> {
        if self.version == Version::Two {
            let why = "more positions without a move than version 2 may have: write it anew";
            return Ok(Payment::Missing(why));
        }
        Ok(match self.source.byte()? {
            Some(PAID) => Payment::Paid,
            Some(_) => Payment::Missing(NOT_PAID),
            None => Payment::Missing(ENDS),
        })
    }

    fn free(&self) -> u64 {
        match self.version {
            Version::Two => FREE_IN_VERSION_2,
            Version::Three => FREE,
        }
    }

    fn goes_on(&mut self) -> bool {
        (self.goes_on)(self.source.position)
    }
}

const ENDS: &str = "the certificate ends here";
pub(crate) const NOT_PAID: &str = "a zero should stand here";

/// The byte that stands for [`FREE`] positions without a move.
pub(crate) const PAID: u8 = 0;

/// The positions that a walk may come to without a byte. The work for a certificate is bounded by its length.
pub(crate) const FREE: u64 = 256;

/// The same in version 2, which has no such bytes: certificates of a few hundred bytes could otherwise
/// keep a checker busy for ever.
const FREE_IN_VERSION_2: u64 = 1 << 16;

/// The bytes that a move's number takes where there are so many legal moves.
pub(crate) const fn number_bytes(legal: usize) -> usize {
    if legal <= 256 { 1 } else { 2 }
}
