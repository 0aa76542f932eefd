//! The moves of certificates of the versions 2 and 3, which go through a proof depth first.

use crate::Provable;
use crate::header::Version;
use crate::stream::Source;
use crate::walk::{Moves, Payment, Step};
use std::io::{self, BufRead};

/// Reads the moves.
pub(crate) struct FromSource<'a, R> {
    pub source: &'a mut Source<R>,
    pub version: Version,
    pub goes_on: &'a mut dyn FnMut(u64) -> bool,
}

impl<G: Provable, R: BufRead> Moves<G> for FromSource<'_, R> {
    type Error = io::Error;

    fn next(&mut self, _: &G, legal: &[G::Move], _: usize) -> io::Result<Step<G>> {
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
            Some(_) => Payment::Missing("a zero should stand here"),
            None => Payment::Missing(ENDS),
        })
    }

    fn free(&self) -> u64 {
        match self.version {
            Version::Two => FREE_IN_VERSION_2,
            Version::Three | Version::Four => FREE,
        }
    }

    fn goes_on(&mut self) -> bool {
        (self.goes_on)(self.source.position)
    }
}

const ENDS: &str = "the certificate ends here";

/// The byte that stands for [`FREE`] positions without a move.
const PAID: u8 = 0;

/// The positions that a walk may come to without a byte. The work for a certificate is bounded by its length.
const FREE: u64 = 256;

/// The same in version 2, which has no such bytes: certificates of a few hundred bytes could otherwise
/// keep a checker busy for ever.
const FREE_IN_VERSION_2: u64 = 1 << 16;

/// The bytes that a move's number takes where there are so many legal moves.
const fn number_bytes(legal: usize) -> usize {
    if legal <= 256 { 1 } else { 2 }
}
