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

    /// A block of bytes behind its length; `None` if the input ends before.
    pub fn block(&mut self) -> io::Result<Option<Vec<u8>>> {
        let mut length = 0;
        for place in 0..LENGTH_BYTES {
            let Some(byte) = self.byte()? else {
                return Ok(None);
            };
            length |= usize::from(byte & 0x7f) << (7 * place);
            if byte & 0x80 == 0 {
                // The length may be anything: only what is there takes memory.
                let mut block = Vec::with_capacity(length.min(1 << 16));
                while block.len() < length {
                    let Some(byte) = self.byte()? else {
                        return Ok(None);
                    };
                    block.push(byte);
                }
                return Ok(Some(block));
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

/// The most bytes that the length of a block takes: seven bits in each, the lowest first, and a bit more if
/// another follows.
const LENGTH_BYTES: usize = 4;

/// Writes bytes.
#[derive(Debug)]
pub(crate) struct Sink<W> {
    output: W,
    checksum: Checksum,
    /// The number of bytes so far.
    position: u64,
}

impl<W: Write> Sink<W> {
    pub fn new(output: W) -> Self {
        Sink {
            output,
            checksum: Checksum::START,
            position: 0,
        }
    }

    /// Writes a block behind its length.
    pub fn block(&mut self, block: &[u8]) -> io::Result<()> {
        let mut length = block.len();
        let mut bytes = Vec::new();
        loop {
            let byte = (length & 0x7f) as u8;
            length >>= 7;
            if length == 0 {
                bytes.push(byte);
                break;
            }
            bytes.push(byte | 0x80);
        }
        if bytes.len() > LENGTH_BYTES {
            return Err(io::Error::other("a block of the certificate is too long"));
        }
        self.write_all(&bytes)?;
        self.write_all(block)
    }

    /// Ends the stream with the checksum. Returns its length.
    pub fn finish(mut self) -> io::Result<u64> {
        let checksum = self.checksum.0.to_le_bytes();
        self.write_all(&checksum)?;
        self.output.flush()?;
        Ok(self.position)
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
