//! The table of a solver in a file, so that a long search can be gone on with.
//!
//! A line of text names the format and the board, another what was spent so far; then come the entries
//! as numbers of 64 bits, the lowest byte first, and a checksum. What is not whole is not read: a proof
//! must not rest on a damaged table.

use game::random::mix;
use std::io::{self, BufRead, BufReader, BufWriter, Read, Write};
use std::time::Duration;
use thiserror::Error;

const FIRST_LINE: &str = "papamu checkpoint 1";
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

/// Writes the numbers of so many entries. `what` says on one line what they are of.
///
/// # Errors
/// Those of the output.
pub fn save(
    what: &str,
    spent: Spent,
    entries: u64,
    numbers: impl Iterator<Item = u64>,
    output: impl Write,
) -> io::Result<()> {
    let mut output = BufWriter::with_capacity(1 << 20, output);
    writeln!(output, "{FIRST_LINE} {what}")?;
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

/// Reads entries of so many numbers each, and hands them on. They may be used only if the end is `Ok`.
///
/// # Errors
/// If they are damaged or of something else.
pub fn load(
    what: &str,
    numbers: usize,
    input: impl Read,
    mut take: impl FnMut(&[u64]),
) -> Result<Spent, CheckpointError> {
    let mut input = BufReader::with_capacity(1 << 20, input);
    let mut line = |text: &mut String| -> Result<(), CheckpointError> {
        text.clear();
        let mut limited = input.by_ref().take(LONGEST_LINE);
        limited.read_line(text).map_err(|_| BAD_LINE)?;
        text.ends_with('\n').then_some(()).ok_or(BAD_LINE)
    };
    let mut text = String::new();
    line(&mut text)?;
    let of = text.strip_prefix(FIRST_LINE).ok_or(BAD_LINE)?.trim();
    if of != what {
        return Err(CheckpointError::Other(of.to_owned(), what.to_owned()));
    }
    line(&mut text)?;
    let fields: Result<Vec<u64>, _> = text.split_whitespace().map(str::parse).collect();
    let fields = fields.map_err(|_| BAD_LINE)?;
    let &[entries, nodes, micros] = fields.as_slice() else {
        return Err(BAD_LINE);
    };
    let mut sum = Sum(0);
    let number = |input: &mut BufReader<_>| -> Result<u64, CheckpointError> {
        let mut bytes = [0; 8];
        let read = input.read_exact(&mut bytes);
        read.map_err(|_| CheckpointError::Damaged("it ends too soon"))?;
        Ok(u64::from_le_bytes(bytes))
    };
    let mut entry = vec![0; numbers];
    for _ in 0..entries {
        for place in &mut entry {
            *place = number(&mut input)?;
            sum.add(*place);
        }
        take(&entry);
    }
    if number(&mut input)? != sum.0 || input.read(&mut [0])? != 0 {
        return Err(CheckpointError::Damaged("its checksum is wrong"));
    }
    let elapsed = Duration::from_micros(micros);
    Ok(Spent { nodes, elapsed })
}
