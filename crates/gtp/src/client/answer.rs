//! Reading what other programs answer.

use crate::lines::{Line, read_line};
use std::fmt;
use std::io::{self, BufRead};

/// The longest response that is read, in bytes.
const MAX_ANSWER: usize = 1 << 20;

/// A response as it was read.
#[derive(Debug)]
pub(super) struct Answer {
    pub id: Option<u32>,
    pub result: Result<String, String>,
}

/// Why there is no response.
#[derive(Debug)]
pub(super) enum AnswerError {
    /// The beginning of something that is none.
    Garbage(String),
    /// It is longer than [`MAX_ANSWER`].
    TooLong,
    /// The output has ended.
    End,
    Io(io::Error),
}

/// Reads the next response: the lines up to an empty one. Empty lines before it are passed over, what is
/// not UTF-8 is replaced, and lines may end in CR LF.
pub(super) fn read_answer(output: &mut impl BufRead) -> Result<Answer, AnswerError> {
    let first = loop {
        match next_line(output, MAX_ANSWER)? {
            Some(line) if line.trim().is_empty() => {}
            Some(line) => break line,
            None => return Err(AnswerError::End),
        }
    };
    let (sign, rest) = first.split_at_checked(1).unwrap_or_default();
    let succeeded = match sign {
        "=" => true,
        "?" => false,
        _ => return Err(AnswerError::Garbage(beginning(&first))),
    };
    let digits = rest.bytes().take_while(u8::is_ascii_digit).count();
    let (id, rest) = rest.split_at(digits);
    let mut text = rest.trim_start_matches([' ', '\t']).to_owned();
    // A response that the end of the output breaks off is not whole.
    loop {
        let room = MAX_ANSWER.saturating_sub(text.len());
        let line = next_line(output, room)?.ok_or(AnswerError::End)?;
        if line.is_empty() {
            break;
        }
        text.push('\n');
        text.push_str(&line);
    }
    let text = text.trim_end().to_owned();
    Ok(Answer {
        id: id.parse().ok(),
        result: if succeeded { Ok(text) } else { Err(text) },
    })
}

/// The next line without its line break; `None` at the end.
fn next_line(output: &mut impl BufRead, limit: usize) -> Result<Option<String>, AnswerError> {
    let mut line = Vec::new();
    match read_line(output, limit, &mut line).map_err(AnswerError::Io)? {
        Line::End => Ok(None),
        Line::TooLong => Err(AnswerError::TooLong),
        Line::Whole => {
            let line = line.strip_suffix(b"\r").unwrap_or(&line);
            Ok(Some(String::from_utf8_lossy(line).into_owned()))
        }
    }
}

/// The beginning of a text, for an error.
pub(super) fn beginning(text: &str) -> String {
    text.chars().take(80).collect()
}

/// The beginning of the response.
impl fmt::Display for Answer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (sign, text) = match &self.result {
            Ok(text) => ('=', text),
            Err(text) => ('?', text),
        };
        let id = self.id.map_or(String::new(), |id| id.to_string());
        f.write_str(&beginning(&format!("{sign}{id} {text}")))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Response;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn what_this_program_answers_is_read_back(
            lines in proptest::collection::vec("[!-~é]([ -~é]{0,8}[!-~é])?", 0..5),
            id in any::<u32>(),
            succeeds in any::<bool>(),
        ) {
            let text = lines.join("\n");
            let result = if succeeds { Ok(text) } else { Err(text) };
            let id_text = Some(id.to_string());
            let response = Response { id: id_text, result: result.clone() }.to_string();
            let twice = response.repeat(2);
            let mut output = twice.as_bytes();
            for _ in 0..2 {
                let answer = read_answer(&mut output).expect("an answer");
                prop_assert_eq!(answer.id, Some(id));
                prop_assert_eq!(answer.result, result.clone());
            }
            prop_assert!(matches!(read_answer(&mut output), Err(AnswerError::End)));
        }

        #[test]
        fn any_output_is_read_to_its_end(output in proptest::collection::vec(
            prop_oneof![any::<u8>(), Just(b'\n'), Just(b'='), Just(b'?')],
            0..200,
        )) {
            let mut output = &output[..];
            while read_answer(&mut output).is_ok() {}
        }
    }

    #[test]
    fn a_picture_stays_in_shape() {
        let mut output = &b"=1 \n  a b\n c d\n\n"[..];
        let answer = read_answer(&mut output).expect("an answer");
        assert_eq!(answer.result, Ok("\n  a b\n c d".to_owned()));
    }
}
