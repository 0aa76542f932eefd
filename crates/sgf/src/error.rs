use crate::read::MAX_BYTES;
use crate::value::line_break;
use thiserror::Error;

/// Why a file could not be read.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum ReadError {
    /// The text is not SGF.
    #[error("line {line}, column {column}: expected {expected}, found {found}")]
    Syntax {
        /// The line, counted from 1. LF, CR, CRLF and LFCR each end one.
        line: usize,
        /// The character in that line, counted from 1.
        column: usize,
        /// What could have stood there.
        expected: String,
        /// What stands there, shown as in Rust, or the end of the file.
        found: String,
    },

    /// The file is too large.
    #[error("the file has {bytes} bytes, and at most {MAX_BYTES} are read")]
    TooLarge {
        /// The size of the file in bytes.
        bytes: usize,
    },
}

impl ReadError {
    /// The error for what stands at this place of the text, a byte offset.
    pub(crate) fn at(text: &str, place: usize, expected: impl Into<String>) -> Self {
        let (line, column) = line_and_column(text, place);
        let found = match text[place..].chars().next() {
            Some(c) => format!("{c:?}"),
            None => "the end of the file".into(),
        };
        ReadError::Syntax {
            line,
            column,
            expected: expected.into(),
            found,
        }
    }
}

/// The line and the column, both from 1, of a byte offset.
pub(crate) fn line_and_column(text: &str, place: usize) -> (usize, usize) {
    let (mut line, mut start, mut at) = (1, 0, 0);
    while let Some(found) = text[at..place].find(['\n', '\r']) {
        at += found;
        at += line_break(&text[at..]);
        if at > place {
            // Between the two characters of a line break.
            break;
        }
        line += 1;
        start = at;
    }
    (line, text[start..place].chars().count() + 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_end_in_any_of_the_four_ways() {
        for (text, expected) in [
            ("", (1, 1)),
            ("ab", (1, 3)),
            ("é", (1, 2)),
            ("a\nb", (2, 2)),
            ("a\rb", (2, 2)),
            ("a\r\nb", (2, 2)),
            ("a\n\rb", (2, 2)),
            ("a\n\nb", (3, 2)),
            ("a\r\n\r\n", (3, 1)),
        ] {
            assert_eq!(line_and_column(text, text.len()), expected, "{text:?}");
        }
        assert_eq!(line_and_column("a\r\nb", 2), (1, 3));
    }
}
