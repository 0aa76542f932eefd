//! The table of a solver in a file, so that a long search can be gone on with.
//!
//! A line of text names the format and the board, another what was spent so far; then come the entries
//! as numbers of 64 bits, the lowest byte first, and a checksum. What is not whole is not read: a proof
//! must not rest on a damaged table.

use super::{Growth, Key, Table, Value};
use game::random::mix;
use std::io::{self, BufRead, BufReader, BufWriter, Read, Write};
use std::time::Duration;
use thiserror::Error;

const FIRST_WORDS: &str = "papamu checkpoint ";
const VERSION: &str = "3";
const BAD_LINE: CheckpointError = CheckpointError::Damaged("its first lines make no sense");
const LONGEST_LINE: u64 = 200;

/// What was spent on a search before it was stopped.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Spent {
    /// Nodes expanded.
    pub nodes: u64,
    /// The time that it took.
    pub elapsed: Duration,
}

/// Why a checkpoint cannot be used.
#[derive(Debug, Error)]
pub enum CheckpointError {
    /// It is of something else.
    #[error("the checkpoint is of {0}, not of {1}")]
    Other(String, String),
    /// It is not whole.
    #[error("the checkpoint is damaged: {0}")]
    Damaged(&'static str),
    /// There is nothing in it.
    #[error("it is empty")]
    Empty,
    /// Its entries are not what they are today.
    #[error("it was written by another version of papamu, in format {0} rather than {VERSION}")]
    Version(String),
    /// It begins otherwise.
    #[error("it is not a checkpoint of papamu")]
    NoCheckpoint,
    /// The table would have to forget some of it.
    #[error(
        "the checkpoint has {entries} positions, of which only {kept} fit: allow as much memory as when \
         it was written, or {} MiB",
        .bytes.div_ceil(1 << 20)
    )]
    NoRoom {
        /// Positions in the checkpoint.
        entries: u64,
        /// Those for which the table has room.
        kept: u64,
        /// Bytes of a table that certainly has room for all of them.
        bytes: u64,
    },
    /// Reading failed.
    #[error("the checkpoint cannot be read")]
    Io(#[from] io::Error),
}

/// Numbers with a running checksum.
struct Sum(u64);

impl Sum {
    fn add(&mut self, number: u64) {
        self.0 = mix(self.0.rotate_left(1) ^ number);
    }
}

impl<K: Key, V: Value> Table<K, V> {
    /// Writes the table. `what` says on one line what it is of.
    ///
    /// # Errors
    /// Those of the output.
    pub fn save(&self, what: &str, spent: Spent, output: impl Write) -> io::Result<()> {
        let output = BufWriter::with_capacity(1 << 20, output);
        write(what, self.counted(), spent, self.words(), output)
    }

    /// Reads a table of no more than so many bytes. A search that went on with less than the checkpoint has would write
    /// one that knows less in the place of this one.
    ///
    /// # Errors
    /// If the checkpoint is damaged or of something else, or more than one entry in a hundred finds no room.
    pub fn load(
        what: &str,
        bytes: usize,
        growth: Growth,
        input: impl Read,
    ) -> Result<(Table<K, V>, Spent), CheckpointError> {
        let saved = Saved::open(what, input)?;
        let entries = saved.entries;
        // One that grew while they come, in the order of their hashes, would drop most of them.
        let mut table = Table::with_room(bytes, growth, entries);
        let spent = saved.read(Self::WORDS, |words| table.insert(words))?;
        let kept = table.used();
        if kept < entries - entries / 100 {
            let bytes = Self::bytes_for(entries, growth);
            return Err(CheckpointError::NoRoom {
                entries,
                kept,
                bytes,
            });
        }
        Ok((table, spent))
    }
}

/// Writes so many entries, of which these are the numbers.
pub(super) fn write(
    what: &str,
    entries: u64,
    spent: Spent,
    numbers: impl Iterator<Item = u64>,
    mut output: impl Write,
) -> io::Result<()> {
    writeln!(output, "{FIRST_WORDS}{VERSION} {what}")?;
    let micros = spent.elapsed.as_micros();
    writeln!(output, "{entries} {} {micros}", spent.nodes)?;
    let mut sum = Sum(0);
    for number in numbers {
        sum.add(number);
        output.write_all(&number.to_le_bytes())?;
    }
    output.write_all(&sum.0.to_le_bytes())?;
    output.flush()
}

/// A checkpoint whose first lines are read.
pub(super) struct Saved<R> {
    input: BufReader<R>,
    entries: u64,
    spent: Spent,
}

impl<R: Read> Saved<R> {
    /// Reads the first lines.
    pub fn open(what: &str, input: R) -> Result<Saved<R>, CheckpointError> {
        let mut input = BufReader::with_capacity(1 << 20, input);
        let mut line = || -> Result<String, CheckpointError> {
            let mut bytes = Vec::new();
            let mut limited = input.by_ref().take(LONGEST_LINE);
            limited.read_until(b'\n', &mut bytes)?;
            Ok(String::from_utf8_lossy(&bytes).into_owned())
        };
        let text = line()?;
        if text.is_empty() {
            return Err(CheckpointError::Empty);
        }
        let rest = text.strip_prefix(FIRST_WORDS);
        let rest = rest.ok_or(CheckpointError::NoCheckpoint)?;
        let (version, of) = rest.trim_end().split_once(' ').ok_or(BAD_LINE)?;
        if version != VERSION {
            return Err(CheckpointError::Version(version.to_owned()));
        }
        if of != what {
            return Err(CheckpointError::Other(of.to_owned(), what.to_owned()));
        }
        let text = line()?;
        let fields: Result<Vec<u64>, _> = text.split_whitespace().map(str::parse).collect();
        let fields = fields.map_err(|_| BAD_LINE)?;
        let &[entries, nodes, micros] = fields.as_slice() else {
            return Err(BAD_LINE);
        };
        let elapsed = Duration::from_micros(micros);
        Ok(Saved {
            input,
            entries,
            spent: Spent { nodes, elapsed },
        })
    }

    /// Reads the entries of so many numbers each, and hands them on. They may be used only if the end is
    /// `Ok`.
    pub fn read(
        mut self,
        numbers: usize,
        mut take: impl FnMut(&[u64]),
    ) -> Result<Spent, CheckpointError> {
        let mut sum = Sum(0);
        let mut entry = vec![0; numbers];
        for _ in 0..self.entries {
            for place in &mut entry {
                *place = self.number()?;
                sum.add(*place);
            }
            take(&entry);
        }
        if self.number()? != sum.0 || self.input.read(&mut [0])? != 0 {
            return Err(CheckpointError::Damaged("its checksum is wrong"));
        }
        Ok(self.spent)
    }

    fn number(&mut self) -> Result<u64, CheckpointError> {
        let mut bytes = [0; 8];
        let read = self.input.read_exact(&mut bytes);
        read.map_err(|_| CheckpointError::Damaged("it ends too soon"))?;
        Ok(u64::from_le_bytes(bytes))
    }
}
