//! The writer.
//!
//! It goes through the strategy depth first, so that a solver is asked about positions that belong together, and keeps
//! the answers, on disk where they do not fit; then it writes them in the order of the format.

use crate::coded::{Answer, Answers, Writing};
use crate::model::{Model, Said};
use crate::plies::{Stop as PassStop, Way, pass};
use crate::sorted::{Room, Sorted};
use crate::stream::Sink;
use crate::walk::{Moves, Payment, Step, Stop, Walk};
use crate::{Digest, Header, Promise, Provable, Terms, omitted};
use std::collections::{BTreeMap, HashMap};
use std::io::{self, ErrorKind, Read, Write};
use std::path::PathBuf;
use thiserror::Error;

/// What was written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Written {
    /// The positions for which the certificate gives a move.
    pub positions: u64,
    /// Those that it leaves out, since the checker finds them.
    pub omitted: u64,
    /// Those that it leaves to other certificates.
    pub pieces: u64,
    /// The length of the certificate.
    pub bytes: u64,
}

/// Why no certificate could be written.
#[derive(Debug, Error)]
pub enum WriteError {
    /// The strategy does not show the claim.
    #[error("after {}: {reason}", if line.is_empty() { "no move".to_owned() } else { line.join(" ") })]
    Hole {
        /// The moves from the position of the claim to where it fails.
        line: Vec<String>,
        /// What is wrong there.
        reason: &'static str,
    },
    /// Writing failed.
    #[error("the certificate cannot be written")]
    Io(#[from] io::Error),
    /// Whoever asked did not want it any more.
    #[error("the writing was stopped")]
    Stopped,
}

/// How much memory the writer and the checker may take, and where they keep what does not fit.
#[derive(Clone, Debug)]
pub struct Space {
    /// Bytes.
    pub memory: usize,
    /// The folder of temporary files.
    pub folder: PathBuf,
}

impl Space {
    /// No limit, and no file.
    pub fn unlimited() -> Space {
        Space {
            memory: usize::MAX,
            folder: PathBuf::new(),
        }
    }

    /// The room for sets of records that take so many bytes in memory. A few of them are there at a time.
    pub(crate) fn room<R>(&self) -> Room {
        Room {
            records: self.memory / size_of::<R>() / SETS,
            folder: self.folder.clone(),
        }
    }
}

/// The sets that share the memory.
const SETS: usize = 8;

/// What a certificate may leave out, and how it is written.
#[derive(Clone, Debug)]
pub struct Writer<G: Provable> {
    /// The positions that the checker searches at most for one that is left out; 0 leaves out none.
    pub searched: u32,
    /// Certificates that prove what is asked of the side to move, and need not be repeated.
    pub pieces: HashMap<(G::Key, Promise), Digest>,
    /// The memory besides that of the strategy.
    pub space: Space,
}

impl<G: Provable> Default for Writer<G> {
    fn default() -> Self {
        Writer {
            searched: 0,
            pieces: HashMap::new(),
            space: Space::unlimited(),
        }
    }
}

/// The answers of a strategy, kept as they are found, so that an interrupted writer need not ask again.
pub struct Log<'a> {
    /// What was kept before, in whole [records](Log::RECORD).
    pub begun: &'a mut dyn Read,
    /// Where the others go, right behind it.
    pub output: &'a mut dyn Write,
}

impl Log<'_> {
    /// The bytes of an answer.
    pub const RECORD: u64 = 4;
}

/// Writes a certificate of what a header claims of a position. `strategy` is asked for a move that
/// keeps a promise of the side to move, once for each position that needs one; where it has none, or
/// its moves do not keep the promise, writing ends with that place.
///
/// # Errors
/// If the strategy does not show the claim, or those of the output.
pub fn write<G: Provable>(
    output: impl Write,
    header: &Header,
    position: &G,
    strategy: impl FnMut(&G, Promise) -> Option<G::Move>,
) -> Result<Written, WriteError> {
    Writer::default().write(output, header, position, None, strategy, || true)
}

impl<G: Provable> Writer<G> {
    /// What the certificate says of itself behind the claim.
    pub fn terms(&self) -> Terms {
        let mut pieces: Vec<Digest> = self.pieces.values().copied().collect();
        pieces.sort_unstable();
        pieces.dedup();
        Terms {
            searched: self.searched,
            pieces,
        }
    }

    /// As [`write`](write()). Answers that are in the log are not asked for again. `goes_on` is asked for each position
    /// that the proof comes to, with a move of the strategy or without.
    ///
    /// # Errors
    /// As [`write`](write()); if the log is about something else; and if `goes_on` ends it.
    pub fn write(
        &self,
        output: impl Write,
        header: &Header,
        position: &G,
        log: Option<Log<'_>>,
        mut strategy: impl FnMut(&G, Promise) -> Option<G::Move>,
        mut goes_on: impl FnMut() -> bool,
    ) -> Result<Written, WriteError> {
        let (mut nothing, mut nowhere) = (io::empty(), io::sink());
        let (begun, kept): (&mut dyn Read, &mut dyn Write) = match log {
            Some(log) => (log.begun, log.output),
            None => (&mut nothing, &mut nowhere),
        };
        let listed = self.terms().pieces;
        let mut found = Vec::new();
        let mut used = vec![false; listed.len()];
        for promise in header.claim.promises() {
            let mut finding = Finding {
                writer: self,
                promise,
                listed: &listed,
                used: &mut used,
                begun,
                kept,
                ask: |position: &G| strategy(position, promise),
                answers: BTreeMap::new(),
                room: self.space.room::<Answer<G::Key>>(),
                goes_on: &mut goes_on,
            };
            let walked = Walk::through(position, promise, &mut finding);
            found.push((promise, finding.answers));
            walked.map_err(|stop| match stop {
                Stop::Hole { line, reason } => WriteError::Hole { line, reason },
                Stop::Error(error) => WriteError::Io(error),
                Stop::Stopped => WriteError::Stopped,
            })?;
        }
        kept.flush()?;
        self.put_in_order(output, header, position, found, &used, &mut goes_on)
    }

    /// Writes what was found in the order of the format. Of the pieces only those are named that are `used`.
    fn put_in_order(
        &self,
        output: impl Write,
        header: &Header,
        position: &G,
        found: Vec<(Promise, Answers<G::Key>)>,
        used: &[bool],
        goes_on: &mut dyn FnMut() -> bool,
    ) -> Result<Written, WriteError> {
        let mut terms = self.terms();
        let mut number = 0;
        let renumbered: Vec<usize> = used
            .iter()
            .map(|&used| {
                number += usize::from(used);
                number.saturating_sub(1)
            })
            .collect();
        let mut is_used = used.iter();
        terms.pieces.retain(|_| is_used.next() == Some(&true));
        let mut sink = Sink::new(output);
        header.write(&terms, &mut sink)?;
        let mut written = Written {
            positions: 0,
            omitted: 0,
            pieces: 0,
            bytes: 0,
        };
        for (promise, answers) in found {
            let way = Way {
                promise,
                searched: self.searched,
                threads: 1,
                room: self.space.room::<G::Key>(),
            };
            let mut writing = Writing {
                sink: &mut sink,
                besides: terms.besides(),
                renumbered: &renumbered,
                model: Model::new(),
                answers,
                now: None,
            };
            let passed = pass(position, &way, &mut writing, goes_on);
            let passed = passed.map_err(|stop| match stop {
                PassStop::Hole { position, reason } => WriteError::Hole {
                    line: vec![position],
                    reason,
                },
                PassStop::Damaged(why) => WriteError::Io(io::Error::other(why)),
                PassStop::Error(error) => WriteError::Io(error),
                PassStop::Stopped => WriteError::Stopped,
            })?;
            written.positions += passed.named;
            written.omitted += passed.omitted;
            written.pieces += passed.pieces;
        }
        written.bytes = sink.finish()?;
        Ok(written)
    }
}

/// Takes the answers from the log, then finds them and writes them there; and keeps them all.
struct Finding<'a, G: Provable, F> {
    writer: &'a Writer<G>,
    promise: Promise,
    /// The pieces in their order.
    listed: &'a [Digest],
    used: &'a mut [bool],
    begun: &'a mut dyn Read,
    kept: &'a mut dyn Write,
    ask: F,
    answers: Answers<G::Key>,
    room: Room,
    goes_on: &'a mut dyn FnMut() -> bool,
}

impl<G: Provable, F: FnMut(&G) -> Option<G::Move>> Finding<'_, G, F> {
    /// An answer.
    fn find(&mut self, position: &G, view: usize) -> Result<Said<G::Move>, &'static str> {
        let known = &self.writer.pieces;
        let mut views = 0..if known.is_empty() {
            0
        } else {
            position.views()
        };
        let piece = views.find_map(|view| known.get(&(position.in_view(view).key(), self.promise)));
        let piece = piece.and_then(|digest| self.listed.binary_search(digest).ok());
        if let Some(piece) = piece {
            return Ok(Said::Piece(piece));
        }
        let searched = self.writer.searched;
        if searched > 0 && omitted::is_found(position, self.promise, searched, self.goes_on) {
            return Ok(Said::Omitted);
        }
        // As the moves led to it: a solver would have to search anew what it knows in another view.
        let mv = (self.ask)(&position.in_view(view)).ok_or("the strategy has no move")?;
        Ok(Said::Play(position.move_from_view(view, mv)))
    }

    /// The next answer of the log.
    fn kept(&mut self) -> io::Result<Option<u32>> {
        let mut bytes = [0; Log::RECORD as usize];
        match self.begun.read_exact(&mut bytes) {
            Ok(()) => Ok(Some(u32::from_be_bytes(bytes))),
            Err(error) if error.kind() == ErrorKind::UnexpectedEof => Ok(None),
            Err(error) => Err(error),
        }
    }
}

impl<G: Provable, F: FnMut(&G) -> Option<G::Move>> Moves<G> for Finding<'_, G, F> {
    type Error = io::Error;

    fn next(&mut self, position: &G, legal: &[G::Move], view: usize) -> io::Result<Step<G>> {
        let key = position.key();
        let answer = if let Some(number) = self.kept()? {
            Answer { key, number }
        } else {
            let said = match self.find(position, view) {
                Ok(said) => said,
                Err(reason) => return Ok(Step::Missing(reason)),
            };
            if !(self.goes_on)() {
                // A search that was stopped found nothing, which says nothing.
                return Ok(Step::Missing("the writing was stopped"));
            }
            if let Said::Play(mv) = said
                && legal.binary_search(&mv).is_err()
            {
                return Ok(Step::Missing("the move is not legal"));
            }
            let number = |mv| legal.binary_search(&mv).unwrap_or(usize::MAX) as u32;
            let answer = Answer::new(key, said, number);
            self.kept.write_all(&answer.number.to_be_bytes())?;
            answer
        };
        let Some(said) = answer.said(legal) else {
            return Ok(Step::Missing("there is no move of this number"));
        };
        let room = &self.room;
        let answers = self.answers.entry(position.progress());
        answers.or_insert_with(|| Sorted::new(room)).add(answer)?;
        Ok(match said {
            Said::Play(mv) => Step::Play(mv),
            Said::Omitted => Step::Done,
            Said::Piece(piece) => match self.used.get_mut(piece) {
                Some(used) => {
                    *used = true;
                    Step::Done
                }
                None => Step::Missing("there is no such piece"),
            },
        })
    }

    fn pay(&mut self) -> io::Result<Payment> {
        Ok(Payment::Paid)
    }

    fn free(&self) -> u64 {
        u64::MAX
    }

    fn goes_on(&mut self) -> bool {
        (self.goes_on)()
    }

    /// As the checker does.
    fn turns(&self) -> bool {
        true
    }

    fn remembered(&self) -> usize {
        // Half of the memory, since what is forgotten is asked for again. A table is between half and seven eighths full.
        self.writer.space.memory / 2 / (2 * size_of::<G::Key>())
    }
}
