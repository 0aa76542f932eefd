//! Lines of bounded length.

use std::io::{self, BufRead, ErrorKind};

/// What [`read_line`] found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Line {
    /// A line. The last line of the input need not end in a line break.
    Whole,
    /// A line of more bytes than allowed. What is left of it is for [`skip_line`].
    TooLong,
    /// The end of the input.
    End,
}

/// Reads the next line into `line`, without its line break and without what it held before. Never keeps
/// more than `limit` bytes.
///
/// # Errors
/// If the input cannot be read.
pub(crate) fn read_line(
    input: &mut impl BufRead,
    limit: usize,
    line: &mut Vec<u8>,
) -> io::Result<Line> {
    line.clear();
    let mut found = Line::End;
    loop {
        let Some(part) = part(input.fill_buf())? else {
            continue;
        };
        if part.bytes.len() > limit - line.len() {
            return Ok(Line::TooLong);
        }
        line.extend_from_slice(part.bytes);
        let (read, ends) = (part.len(), part.ends_line);
        if read > 0 {
            found = Line::Whole;
        }
        input.consume(read);
        if ends || read == 0 {
            return Ok(found);
        }
    }
}

/// Passes over the rest of a line.
///
/// # Errors
/// If the input cannot be read.
pub(crate) fn skip_line(input: &mut impl BufRead) -> io::Result<()> {
    loop {
        let Some(part) = part(input.fill_buf())? else {
            continue;
        };
        let (read, ends) = (part.len(), part.ends_line);
        input.consume(read);
        if ends || read == 0 {
            return Ok(());
        }
    }
}

/// A piece of a line.
struct Part<'a> {
    /// Without the line break.
    bytes: &'a [u8],
    ends_line: bool,
}

impl Part<'_> {
    /// The length with the line break; 0 at the end of the input only.
    fn len(&self) -> usize {
        self.bytes.len() + usize::from(self.ends_line)
    }
}

/// The piece that the input has ready; `None` if it was interrupted.
fn part(ready: io::Result<&[u8]>) -> io::Result<Option<Part<'_>>> {
    let bytes = match ready {
        Err(error) if error.kind() == ErrorKind::Interrupted => return Ok(None),
        ready => ready?,
    };
    let end = bytes.iter().position(|&byte| byte == b'\n');
    Ok(Some(Part {
        bytes: &bytes[..end.unwrap_or(bytes.len())],
        ends_line: end.is_some(),
    }))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::{BufReader, Read};

    /// The lines of an input that comes `chunk` bytes at a time, with a limit of 5.
    fn lines(input: &[u8], chunk: usize) -> Vec<(Line, String)> {
        let mut input = BufReader::with_capacity(chunk, input);
        let mut line = Vec::new();
        let mut lines = Vec::new();
        loop {
            let found = read_line(&mut input, 5, &mut line).expect("no error");
            if found == Line::End {
                return lines;
            }
            assert!(line.len() <= 5);
            if found == Line::TooLong {
                skip_line(&mut input).expect("no error");
            }
            let text = if found == Line::Whole { &line[..] } else { b"" };
            lines.push((found, String::from_utf8_lossy(text).into_owned()));
        }
    }

    #[test]
    fn lines_are_the_same_however_they_come() {
        let input = b"12345\n\n123456\nab\n1234567890123\nend";
        let whole = |text: &str| (Line::Whole, text.to_owned());
        let too_long = || (Line::TooLong, String::new());
        let expected = [
            whole("12345"),
            whole(""),
            too_long(),
            whole("ab"),
            too_long(),
            whole("end"),
        ];
        for chunk in 1..40 {
            assert_eq!(lines(input, chunk), expected);
        }
        assert_eq!(lines(b"", 3), []);
        assert_eq!(lines(b"123456", 3), [too_long()]);
    }

    #[test]
    fn a_long_line_is_not_kept() {
        // It has no end at all.
        let mut input = BufReader::new(io::repeat(b'x'));
        let mut line = Vec::new();
        let found = read_line(&mut input, 1000, &mut line).expect("no error");
        assert_eq!(found, Line::TooLong);
        assert!(line.capacity() < 10_000, "{}", line.capacity());
    }

    #[test]
    fn an_interruption_is_not_the_end() {
        struct Interrupted(bool);
        impl Read for Interrupted {
            fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
                if std::mem::replace(&mut self.0, false) {
                    return Err(ErrorKind::Interrupted.into());
                }
                (&b"quit\n"[..]).read(buffer)
            }
        }
        let mut line = Vec::new();
        let mut input = BufReader::new(Interrupted(true));
        let found = read_line(&mut input, 10, &mut line).expect("no error");
        assert_eq!((found, &line[..]), (Line::Whole, &b"quit"[..]));
    }
}
