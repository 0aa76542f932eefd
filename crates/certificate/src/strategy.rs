//! The writer.

use crate::check::{FREE, NOT_PAID, PAID, number_bytes};
use crate::stream::Sink;
use crate::walk::{Moves, Payment, Step, Stop, Walk};
use crate::{Header, Promise, Provable};
use std::io::{self, Write};
use thiserror::Error;

/// What was written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Written {
    /// The positions for which the certificate gives a move.
    pub positions: u64,
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
    resume(&[], output, header, position, strategy, || true)
}

/// Goes on with a certificate that was begun: its moves are taken from what was written, and what is
/// missing goes to the output, which has to come right behind it. `goes_on` is asked for each position that
/// the proof comes to, with a move of the strategy or without.
///
/// # Errors
/// As [`write`](write()); if what was begun is the certificate of something else; and if `goes_on` ends it.
pub fn resume<G: Provable>(
    begun: &[u8],
    output: impl Write,
    header: &Header,
    position: &G,
    mut strategy: impl FnMut(&G, Promise) -> Option<G::Move>,
    mut goes_on: impl FnMut() -> bool,
) -> Result<Written, WriteError> {
    let mut sink = Sink::new(begun, output);
    header.write(&mut sink)?;
    let mut positions = 0;
    for promise in header.claim.promises() {
        let mut moves = FromStrategy {
            sink: &mut sink,
            ask: |position: &G| strategy(position, promise),
            goes_on: &mut goes_on,
        };
        let walked = Walk::through(position, promise, &mut moves);
        positions += walked.map_err(|stop| match stop {
            Stop::Hole { line, reason } => WriteError::Hole { line, reason },
            Stop::Error(error) => WriteError::Io(error),
            Stop::Stopped => WriteError::Stopped,
        })?;
    }
    Ok(Written {
        positions,
        bytes: sink.finish()?,
    })
}

/// Takes the moves from what was begun, then asks for them and writes them.
struct FromStrategy<'a, 'b, W, F> {
    sink: &'a mut Sink<'b, W>,
    ask: F,
    goes_on: &'a mut dyn FnMut() -> bool,
}

impl<G: Provable, W: Write, F: FnMut(&G) -> Option<G::Move>> Moves<G>
    for FromStrategy<'_, '_, W, F>
{
    type Error = io::Error;

    fn next(&mut self, position: &G, legal: &[G::Move]) -> io::Result<Step<G>> {
        let bytes = number_bytes(legal.len());
        if let Some(begun) = self.sink.begun(bytes) {
            let number = begun
                .iter()
                .fold(0, |number, &byte| number << 8 | usize::from(byte));
            return Ok(legal
                .get(number)
                .map_or(Step::Missing("there is no move of this number"), |&mv| {
                    Step::Play(mv)
                }));
        }
        let Some(mv) = (self.ask)(position) else {
            return Ok(Step::Missing("the strategy has no move"));
        };
        let Ok(number) = legal.binary_search(&mv) else {
            return Ok(Step::Missing("the move is not legal"));
        };
        let number = (number as u16).to_be_bytes();
        self.sink.write_all(&number[2 - bytes..])?;
        Ok(Step::Play(mv))
    }
    fn pay(&mut self) -> io::Result<Payment> {
        if let Some(begun) = self.sink.begun(1) {
            let is_paid = begun == [PAID];
            return Ok(if is_paid {
                Payment::Paid
            } else {
                Payment::Missing(NOT_PAID)
            });
        }
        self.sink.write_all(&[PAID])?;
        Ok(Payment::Paid)
    }

    fn free(&self) -> u64 {
        FREE
    }

    fn goes_on(&mut self) -> bool {
        (self.goes_on)()
    }
}
