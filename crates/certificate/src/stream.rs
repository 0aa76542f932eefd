//! Bytes with a running checksum.

use std::io::{self, BufRead, Write};

/// FNV-1a with 64 bits (Fowler, Noll and Vo).
#[derive(Clone, Copy, Debug)]
struct Checksum(u64);

impl Checksum {
    const START: Checksum = Checksum(0xcbf2_9ce4_8422_2325);

    #[inline]
    fn add(&mut self, byte: u8) {
        self.0 = (self.0 ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3);
    }
}

/// Reads bytes.
#[derive(Debug)]
pub(crate) struct Source<R> {
    input: io::Bytes<R>,
    checksum: Checksum,
    /// The number of bytes read so far.
    pub position: u64,
}

impl<R: BufRead> Source<R> {
    pub fn new(input: R) -> Self {
        Source {
            input: input.bytes(),
            checksum: Checksum::START,
            position: 0,
        }
    }

    /// The next byte; `None` at the end.
    pub fn byte(&mut self) -> io::Result<Option<u8>> {
        let Some(byte) = self.input.next().transpose()? else {
            return Ok(None);
        };
        self.checksum.add(byte);
        self.position += 1;
        Ok(Some(byte))
    }

    /// A line without its end; `None` if the input or the bound comes first, or it is not text.
    pub fn line(&mut self, longest: usize) -> io::Result<Option<String>> {
        let mut line = Vec::new();
        while line.len() < longest {
            match self.byte()? {
                Some(b'\n') => return Ok(String::from_utf8(line).ok()),
                Some(byte) => line.push(byte),
                None => return Ok(None),
            }
        }
        Ok(None)
    }

    /// Whether what follows is the checksum of what was read, and then nothing.
    pub fn ends_well(&mut self) -> io::Result<bool> {
        let expected = self.checksum.0.to_le_bytes();
        for byte in expected {
            if self.byte()? != Some(byte) {
                return Ok(false);
            }
        }
        Ok(self.byte()?.is_none())
    }
}

/// Writes the bytes that are not there yet.
#[derive(Debug)]
pub(crate) struct Sink<'a, W> {
    /// What is there of the bytes to come.
    begun: &'a [u8],
    output: W,
    checksum: Checksum,
    /// The number of bytes so far.
    position: u64,
}

impl<'a, W: Write> Sink<'a, W> {
    pub fn new(begun: &'a [u8], output: W) -> Self {
        Sink {
            begun,
            output,
            checksum: Checksum::START,
            position: 0,
        }
    }

    /// So many bytes that are there already.
    pub fn begun(&mut self, count: usize) -> Option<&'a [u8]> {
        let (bytes, rest) = self.begun.split_at_checked(count)?;
        self.begun = rest;
        self.add(bytes);
        Some(bytes)
    }

    fn add(&mut self, bytes: &[u8]) {
        for &byte in bytes {
            self.checksum.add(byte);
        }
        self.position += bytes.len() as u64;
    }

    /// Ends the stream with the checksum. Returns its length.
    pub fn finish(mut self) -> io::Result<u64> {
        let checksum = self.checksum.0.to_le_bytes();
        self.write_all(&checksum)?;
        if !self.begun.is_empty() {
            return Err(other_certificate());
        }
        self.output.flush()?;
        Ok(self.position)
    }
}

impl<W: Write> Write for Sink<'_, W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let count = if self.begun.is_empty() {
            self.output.write(bytes)?
        } else {
            let count = bytes.len().min(self.begun.len());
            let (begun, rest) = self.begun.split_at(count);
            if begun != &bytes[..count] {
                return Err(other_certificate());
            }
            self.begun = rest;
            count
        };
        self.add(&bytes[..count]);
        Ok(count)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.output.flush()
    }
}

fn other_certificate() -> io::Error {
    let why = "what was begun is not the beginning of this certificate";
    io::Error::new(io::ErrorKind::InvalidData, why)
}
