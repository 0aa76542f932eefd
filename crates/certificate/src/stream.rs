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

/// The number of bytes of the checksum.
const CHECKSUM_BYTES: usize = 8;

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

/// Writes bytes.
#[derive(Debug)]
pub(crate) struct Sink<W> {
    output: W,
    checksum: Checksum,
    /// The number of bytes written so far.
    pub position: u64,
}

impl<W: Write> Sink<W> {
    pub fn new(output: W) -> Self {
        Sink {
            output,
            checksum: Checksum::START,
            position: 0,
        }
    }

    /// Ends the stream with the checksum.
    pub fn finish(mut self) -> io::Result<u64> {
        let checksum = self.checksum.0.to_le_bytes();
        self.output.write_all(&checksum)?;
        self.output.flush()?;
        Ok(self.position + CHECKSUM_BYTES as u64)
    }
}

impl<W: Write> Write for Sink<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let count = self.output.write(bytes)?;
        for &byte in &bytes[..count] {
            self.checksum.add(byte);
        }
        self.position += count as u64;
        Ok(count)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.output.flush()
    }
}
