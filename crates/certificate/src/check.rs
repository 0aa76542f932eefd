//! The checker.

use crate::coded::Reading;
use crate::header::{LONGEST_LINE, Version};
use crate::model::Model;
use crate::plies::{Met, Owed, Passed, Stop as PassStop, Way, pass};
use crate::stream::Source;
use crate::walk::{Stop, Walk};
use crate::{Claim, Digest, Header, HeaderError, Promise, Provable, Space, Terms, depth_first};
use game::Notation;
use std::cell::Cell;
use std::io::{self, BufRead, BufReader, Read};
use thiserror::Error;

/// What a certificate that is valid shows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Verdict {
    /// The position and what is proven of it.
    pub header: Header,
    /// What the proof rests on besides.
    pub terms: Terms,
    /// The positions for which the certificate gives a move.
    pub positions: u64,
    /// Those that it leaves out, which the checker found.
    pub omitted: u64,
    /// Those that it leaves to other certificates.
    pub pieces: u64,
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
    /// The first place where something is not shown, in a certificate of version 2 or 3.
    #[error("after {}: {reason}", if line.is_empty() { "no move".to_owned() } else { line.join(" ") })]
    Hole {
        /// The moves from the position of the claim to the place.
        line: Vec<String>,
        /// What is wrong there.
        reason: &'static str,
    },
    /// The first position of which something is not shown.
    #[error("with {position}: {reason}")]
    Unproven {
        /// The stones and whose turn it is.
        position: String,
        /// What is wrong there.
        reason: &'static str,
    },
    /// The bytes of the proof are damaged.
    #[error("at byte {at}: {reason}")]
    Damaged {
        /// How many bytes were read.
        at: u64,
        /// What is wrong there.
        reason: &'static str,
    },
    /// Something is left to a certificate that is not there, or shows something else.
    #[error("piece {piece}: {reason}")]
    Piece {
        /// Which one.
        piece: Digest,
        /// What is wrong with it.
        reason: String,
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

/// How a certificate is checked.
pub struct Checker<'a> {
    /// The threads that work together.
    pub threads: usize,
    /// The memory that it takes.
    pub space: Space,
    /// The headers of the certificates that it may refer to. Each of these has to be checked as well: what is shown
    /// rests on them.
    pub pieces: &'a dyn Fn(&Digest) -> Option<Header>,
}

impl Default for Checker<'_> {
    /// One thread, without a limit of memory; a certificate that refers to others is refused.
    fn default() -> Self {
        Checker {
            threads: 1,
            space: Space::unlimited(),
            pieces: &|_| None,
        }
    }
}

/// A certificate whose header is read, and whose proof is not.
pub struct Unchecked<R> {
    /// What the certificate is about.
    pub header: Header,
    /// What the proof rests on besides.
    pub terms: Terms,
    pub(crate) version: Version,
    pub(crate) source: Source<BufReader<R>>,
}

impl<R: Read> Unchecked<R> {
    /// Reads the header of a certificate of any game.
    ///
    /// # Errors
    /// If it is no header.
    pub fn read(input: R) -> Result<Self, Refusal> {
        let mut source = Source::new(BufReader::new(input));
        let header = Header::read(|| source.line(LONGEST_LINE).map_err(Refusal::from))?;
        let (version, header, terms) = header;
        Ok(Unchecked {
            header,
            terms,
            version,
            source,
        })
    }

    /// About the most positions for which a byte of such a certificate gives a move.
    pub fn positions_per_byte(&self) -> u64 {
        if self.version == Version::Four { 8 } else { 1 }
    }

    /// Checks the proof, in a game with this start, as long as `goes_on` says so, which is asked for each
    /// position that the check comes to and is told the bytes that have been read.
    ///
    /// # Errors
    /// If it is not valid: the first thing that is wrong with it; and if the check was stopped.
    pub fn check_while<G: Provable + Notation>(
        self,
        start: &G,
        checker: &Checker<'_>,
        goes_on: &mut dyn FnMut(u64) -> bool,
    ) -> Result<Verdict, Refusal> {
        let dialect = G::Dialect::default();
        let position = position_of(start, dialect, &self.header)?;
        let pieces = pieces(start, dialect, &self.header, &self.terms, checker)?;
        let Unchecked {
            header,
            terms,
            version,
            mut source,
        } = self;
        let mut passed = Passed::default();
        for promise in header.claim.promises() {
            passed += if version == Version::Four {
                let ways = Ways {
                    terms: &terms,
                    pieces: &pieces,
                    checker,
                };
                ways.check::<_, false>(&position, promise, &mut source, &mut |_| {}, goes_on)?
            } else {
                let mut moves = depth_first::FromSource {
                    source: &mut source,
                    version,
                    goes_on,
                };
                let named = walked(Walk::through(&position, promise, &mut moves))?;
                Passed {
                    named,
                    ..Passed::default()
                }
            };
        }
        let end = source.position;
        if !source.ends_well()? {
            return Err(Refusal::Checksum(end));
        }
        Ok(Verdict {
            header,
            terms,
            positions: passed.named,
            omitted: passed.omitted,
            pieces: passed.pieces,
            bytes: source.position,
        })
    }
}

/// The positions of the pieces, with what they claim.
pub(crate) type Pieces<G> = Vec<(Digest, G, Claim)>;

/// The pieces of a certificate, in the order of its list.
pub(crate) fn pieces<G: Provable + Notation>(
    start: &G,
    dialect: G::Dialect,
    header: &Header,
    terms: &Terms,
    checker: &Checker<'_>,
) -> Result<Pieces<G>, Refusal> {
    let piece = |&piece: &Digest| {
        let wrong = |reason: &str| Refusal::Piece {
            piece,
            reason: reason.to_owned(),
        };
        let of = (checker.pieces)(&piece).ok_or_else(|| wrong("it is not there"))?;
        if (&of.game, &of.board) != (&header.game, &header.board) {
            return Err(wrong("it is about another board"));
        }
        let position = position_of(start, dialect, &of).map_err(|why| wrong(&why.to_string()))?;
        Ok((piece, position, of.claim))
    };
    terms.pieces.iter().map(piece).collect()
}

/// How a proof of the present format is checked.
pub(crate) struct Ways<'a, G> {
    pub terms: &'a Terms,
    pub pieces: &'a Pieces<G>,
    pub checker: &'a Checker<'a>,
}

impl<G: Provable> Ways<'_, G> {
    /// Checks the proof of one promise. What is met is told to `hear`, if that is wanted.
    pub fn check<R: BufRead, const COLLECTS: bool>(
        &self,
        position: &G,
        promise: Promise,
        source: &mut Source<R>,
        hear: &mut dyn FnMut(Met<G>),
        goes_on: &mut dyn FnMut(u64) -> bool,
    ) -> Result<Passed, Refusal> {
        let way = Way {
            promise,
            searched: self.terms.searched,
            threads: self.checker.threads,
            room: self.checker.space.room::<G::Key>(),
        };
        let read = Cell::new(source.position);
        let mut owed = |owed: &Owed<G>| self.is_shown(owed, promise);
        let mut reading = Reading::<G, R, COLLECTS> {
            source,
            read: &read,
            besides: self.terms.besides(),
            model: Model::new(),
            owed: &mut owed,
            hear,
        };
        let passed = pass(position, &way, &mut reading, &mut || goes_on(read.get()));
        passed.map_err(|stop| match stop {
            PassStop::Hole { position, reason } => Refusal::Unproven { position, reason },
            PassStop::Damaged(reason) => Refusal::Damaged {
                at: read.get(),
                reason,
            },
            PassStop::Error(error) => Refusal::Io(error),
            PassStop::Stopped => Refusal::Stopped,
        })
    }

    fn is_shown(&self, owed: &Owed<G>, promise: Promise) -> Result<(), &'static str> {
        let (_, position, claim) = self
            .pieces
            .get(owed.piece)
            .ok_or("there is no such piece")?;
        // The one that is left to it may be turned: a symmetry changes nothing of the value.
        let (key, mut views) = (position.key(), 0..owed.position.views());
        if !views.any(|view| owed.position.in_view(view).key() == key) {
            return Err("the piece is about another position");
        }
        if !claim
            .promises()
            .into_iter()
            .any(|shown| shown.implies(promise))
        {
            return Err("the piece claims something else");
        }
        Ok(())
    }
}

pub(crate) fn walked(walked: Result<u64, Stop<io::Error>>) -> Result<u64, Refusal> {
    walked.map_err(|stop| match stop {
        Stop::Hole { line, reason } => Refusal::Hole { line, reason },
        Stop::Error(error) => Refusal::Io(error),
        Stop::Stopped => Refusal::Stopped,
    })
}

fn nonsense(error: &impl ToString) -> Refusal {
    Refusal::Position(error.to_string())
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
