//! What a certificate says as bytes: blocks of positions in order, written and read.

use crate::model::{Besides, Model, Said};
use crate::plies::{BLOCK, Block, Lines, Met, Owed, Script, Stop};
use crate::range_coder::{Decoder, Encoder};
use crate::sorted::{Merged, Record, Sorted};
use crate::stream::{Sink, Source};
use crate::{Candidate, Provable, Terms};
use std::cell::Cell;
use std::collections::{BTreeMap, VecDeque};
use std::io::{BufRead, Write};
use std::iter::Peekable;

impl Terms {
    pub(crate) fn besides(&self) -> Besides {
        Besides {
            omitted: self.searched > 0,
            pieces: self.pieces.len(),
        }
    }
}

/// The fewest bytes of a block with so many positions: the work for a certificate is bounded by its length.
pub(crate) const fn least_bytes(positions: usize) -> usize {
    positions / POSITIONS_PER_BYTE
}

/// The positions for which a certificate has one byte at least.
const POSITIONS_PER_BYTE: usize = 256;

const _: () = assert!(BLOCK.is_multiple_of(POSITIONS_PER_BYTE));

/// Reads blocks. What is met is told to `hear`, if that is wanted.
pub(crate) struct Reading<'a, G: Provable, R, const COLLECTS: bool> {
    pub source: &'a mut Source<R>,
    /// The bytes read so far.
    pub read: &'a Cell<u64>,
    pub besides: Besides,
    /// What each block begins with: the end of the first one of the last progress.
    pub model: Model<G::Move>,
    pub owed: &'a mut dyn FnMut(&Owed<G>) -> Result<(), &'static str>,
    pub hear: &'a mut dyn FnMut(Met<G>),
}

/// A block that is read.
pub(crate) struct ReadLines<G: Provable, const COLLECTS: bool> {
    decoder: Decoder,
    length: usize,
    besides: Besides,
    model: Model<G::Move>,
}

impl<G: Provable, R: BufRead, const COLLECTS: bool> Script<G> for Reading<'_, G, R, COLLECTS> {
    type Lines = ReadLines<G, COLLECTS>;

    fn begin(&mut self, keys: &[G::Key], _: u32) -> Result<Self::Lines, Stop> {
        let bytes = self.source.block()?;
        self.read.set(self.source.position);
        let bytes = bytes.ok_or(Stop::Damaged(ENDS))?;
        if bytes.len() < least_bytes(keys.len()) {
            return Err(Stop::Damaged("a block is too short for its positions"));
        }
        Ok(ReadLines {
            length: bytes.len(),
            decoder: Decoder::new(bytes),
            besides: self.besides,
            model: self.model.clone(),
        })
    }

    fn end(&mut self, block: Block<G, Self::Lines>, is_first: bool) -> Result<(), Stop> {
        let lines = block.lines;
        let rest = lines.decoder.rest();
        let is_filled = lines.length <= least_bytes(block.positions);
        if !(rest.is_empty() || is_filled && rest.iter().all(|&byte| byte == 0)) {
            return Err(Stop::Damaged("a block says more than it should"));
        }
        for owed in &block.owed {
            (self.owed)(owed).map_err(|reason| Stop::Hole {
                position: owed.position.described(),
                reason,
            })?;
        }
        block.met.into_iter().for_each(&mut *self.hear);
        if is_first {
            self.model = lines.model;
        }
        Ok(())
    }
}

const ENDS: &str = "the certificate ends here";

impl<G: Provable, const COLLECTS: bool> Lines<G> for ReadLines<G, COLLECTS> {
    const COLLECTS: bool = COLLECTS;

    fn next(
        &mut self,
        _: &G,
        mut candidates: Vec<Candidate<G>>,
    ) -> Result<Said<G::Move>, &'static str> {
        let decoder = &mut self.decoder;
        let said = self
            .model
            .code::<G>(decoder, &mut candidates, self.besides, None);
        said.ok_or("there is no such piece")
    }
}

/// What was found of a position, for the writer.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Answer<K> {
    pub key: K,
    /// The number of a move among all legal ones, or one of these.
    pub number: u32,
}

/// The number of what is left out.
const OMITTED: u32 = u32::MAX;
/// What is added to the number of a piece.
const PIECES: u32 = 1 << 24;

impl<K> Answer<K> {
    pub fn new<M>(key: K, said: Said<M>, number_of: impl FnOnce(M) -> u32) -> Self {
        let number = match said {
            Said::Play(mv) => number_of(mv),
            Said::Omitted => OMITTED,
            Said::Piece(piece) => PIECES + piece as u32,
        };
        Answer { key, number }
    }

    pub fn said<M: Copy>(&self, legal: &[M]) -> Option<Said<M>> {
        match self.number {
            OMITTED => Some(Said::Omitted),
            PIECES.. => Some(Said::Piece((self.number - PIECES) as usize)),
            number => legal.get(number as usize).map(|&mv| Said::Play(mv)),
        }
    }
}

impl<K> Answer<K> {
    fn renumber(&mut self, numbers: &[usize]) {
        if self.number >= PIECES && self.number != OMITTED {
            let number = numbers.get((self.number - PIECES) as usize);
            self.number = number.map_or(OMITTED - 1, |&number| PIECES + number as u32);
        }
    }
}

impl<K: Record> Record for Answer<K> {
    fn put(&self, bytes: &mut Vec<u8>) {
        bytes.extend(self.number.to_be_bytes());
        self.key.put(bytes);
    }

    fn take(bytes: &[u8]) -> Self {
        let (number, key) = bytes.split_at(size_of::<u32>());
        Answer {
            key: K::take(key),
            number: number
                .iter()
                .fold(0, |number, &byte| number << 8 | u32::from(byte)),
        }
    }
}

/// What was found, by progress.
pub(crate) type Answers<K> = BTreeMap<u32, Sorted<Answer<K>>>;

type InOrder<K> = Peekable<Merged<Answer<K>>>;

/// Writes blocks.
pub(crate) struct Writing<'a, G: Provable, W> {
    pub sink: &'a mut Sink<W>,
    pub besides: Besides,
    /// The numbers of the pieces of which some are not used.
    pub renumbered: &'a [usize],
    /// As in [`Reading`].
    pub model: Model<G::Move>,
    /// What was found, by progress.
    pub answers: Answers<G::Key>,
    /// Those of the present progress.
    pub now: Option<(u32, InOrder<G::Key>)>,
}

/// A block that is written.
pub(crate) struct WrittenLines<G: Provable> {
    encoder: Encoder,
    besides: Besides,
    model: Model<G::Move>,
    answers: VecDeque<Answer<G::Key>>,
}

impl<G: Provable, W: Write> Script<G> for Writing<'_, G, W> {
    type Lines = WrittenLines<G>;

    fn begin(&mut self, keys: &[G::Key], progress: u32) -> Result<Self::Lines, Stop> {
        if self.now.as_ref().is_none_or(|&(now, _)| now != progress) {
            let answers = self.answers.remove(&progress);
            let answers = answers.map(Sorted::merged).transpose()?;
            self.now = answers.map(|answers| (progress, answers.peekable()));
        }
        let mut answers = VecDeque::new();
        if let (Some((_, all)), Some(last)) = (&mut self.now, keys.last()) {
            while let Some(next) =
                all.next_if(|next| next.as_ref().map_or(true, |next| next.key <= *last))
            {
                let mut next = next?;
                next.renumber(self.renumbered);
                answers.push_back(next);
            }
        }
        Ok(WrittenLines {
            encoder: Encoder::new(),
            besides: self.besides,
            model: self.model.clone(),
            answers,
        })
    }

    fn end(&mut self, block: Block<G, Self::Lines>, is_first: bool) -> Result<(), Stop> {
        let mut bytes = block.lines.encoder.finish();
        let least = least_bytes(block.positions);
        bytes.resize(bytes.len().max(least), 0);
        self.sink.block(&bytes)?;
        if is_first {
            self.model = block.lines.model;
        }
        Ok(())
    }
}

impl<G: Provable> Lines<G> for WrittenLines<G> {
    // They were searched when they were left out.
    const SEARCHES: bool = false;

    fn next(
        &mut self,
        position: &G,
        mut candidates: Vec<Candidate<G>>,
    ) -> Result<Said<G::Move>, &'static str> {
        let key = position.key();
        while self.answers.front().is_some_and(|first| first.key < key) {
            self.answers.pop_front();
        }
        let legal: Vec<G::Move> = candidates.iter().map(|&(_, mv)| mv).collect();
        let answer = self.answers.front().filter(|first| first.key == key);
        let said = answer.and_then(|answer| answer.said(&legal));
        let said = said.ok_or("the strategy has no move")?;
        let encoder = &mut self.encoder;
        self.model
            .code::<G>(encoder, &mut candidates, self.besides, Some(said));
        Ok(said)
    }
}
