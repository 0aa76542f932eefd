//! What a command is answered with.

use crate::SyntaxError;
use std::fmt;

/// The answer to one command.
///
/// As text it is `=id text` or `?id message` and an empty line. Whatever the text, there is no empty
/// line before the last: section 2.6 of the specification has the empty line end the response.
///
/// ```
/// use gtp::Response;
///
/// let response = Response { id: Some("3".to_owned()), result: Ok("\na\n\nb\n".to_owned()) };
/// assert_eq!(response.to_string(), "=3 \na\nb\n\n");
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Response {
    /// The number of the command.
    pub id: Option<String>,
    /// The answer, or the error message. A text of several lines may begin with a line break, to have
    /// them all below each other.
    pub result: Result<String, String>,
}

impl From<SyntaxError> for Response {
    fn from(error: SyntaxError) -> Response {
        Response {
            result: Err(error.to_string()),
            id: error.id,
        }
    }
}

impl fmt::Display for Response {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (sign, text) = match &self.result {
            Ok(text) => ('=', text),
            Err(text) => ('?', text),
        };
        let id = self.id.as_deref().unwrap_or_default();
        let mut lines = text.lines();
        let first = lines.next().unwrap_or_default();
        writeln!(f, "{sign}{id} {}", printable(first))?;
        for line in lines.map(printable).filter(|line| !line.is_empty()) {
            writeln!(f, "{line}")?;
        }
        writeln!(f)
    }
}

/// A line without control characters, and without white space at its end.
fn printable(line: &str) -> String {
    let line = line.replace('\t', " ");
    let line: String = line.chars().filter(|c| !c.is_control()).collect();
    line.trim_end().to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn written(id: Option<&str>, result: Result<&str, &str>) -> String {
        let response = Response {
            id: id.map(str::to_owned),
            result: result.map(str::to_owned).map_err(str::to_owned),
        };
        response.to_string()
    }

    #[test]
    fn success_and_failure_with_and_without_a_number() {
        assert_eq!(written(None, Ok("")), "= \n\n");
        assert_eq!(written(Some("7"), Ok("e5")), "=7 e5\n\n");
        assert_eq!(written(None, Err("no")), "? no\n\n");
        assert_eq!(written(Some("7"), Err("no")), "?7 no\n\n");
    }

    #[test]
    fn a_picture_keeps_its_indentation() {
        assert_eq!(written(None, Ok("\n  a b\n c\n")), "= \n  a b\n c\n\n");
    }

    proptest! {
        #[test]
        fn the_only_empty_line_is_the_last(text in "([ -~é\\r\\t]|\n){0,20}") {
            let written = written(Some("1"), Ok(&text));
            prop_assert_eq!(written.find("\n\n"), Some(written.len() - 2));
            prop_assert!(written.starts_with("=1 "));
        }
    }
}
