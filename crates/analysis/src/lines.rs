//! Lines of the input and what they ask for.

use crate::query::{Query, Refused};
use serde::Deserialize;
use serde_json::Value;
use serde_path_to_error::Segment;
use std::io::{self, BufRead, Read};

/// The longest line that is read, in bytes: longer games do not exist.
pub(crate) const MAX_LINE: usize = 1 << 20;

/// What a line asks for.
pub(crate) enum Request {
    /// Positions to analyse.
    Analyse(Box<Query>),
    /// An end to a query.
    Cancel(Cancel),
    /// The version.
    Version(String),
}

/// An end to a query.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Cancel {
    /// The name of this request.
    pub id: String,
    /// The query to cancel.
    pub of: String,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Version {
    id: String,
}

/// A line of the input; `None` at its end. What is behind the longest line is passed over.
pub(crate) fn next_line(input: &mut impl BufRead) -> io::Result<Option<Vec<u8>>> {
    let mut line = Vec::new();
    let most = MAX_LINE as u64 + 1;
    if input.by_ref().take(most).read_until(b'\n', &mut line)? == 0 {
        return Ok(None);
    }
    let mut ended = line.last() == Some(&b'\n');
    while !ended {
        let buffer = input.fill_buf()?;
        let end = buffer.iter().position(|&byte| byte == b'\n');
        ended = end.is_some() || buffer.is_empty();
        let used = end.map_or(buffer.len(), |end| end + 1);
        input.consume(used);
    }
    Ok(Some(line))
}

/// Reads a line. `None` if there is nothing on it. An error comes with the name of the query, as far as the line
/// has one that can be read.
pub(crate) fn read(line: &[u8]) -> Option<Result<Request, (Option<String>, Refused)>> {
    let text = String::from_utf8_lossy(line);
    if text.trim().is_empty() {
        return None;
    }
    if line.len() > MAX_LINE {
        let why = format!("the line has more than {MAX_LINE} bytes");
        let refused = Refused {
            field: None,
            error: why,
        };
        return Some(Err((id_in(&text), refused)));
    }
    Some(parse(&text).map_err(|refused| (id_in(&text), refused)))
}

fn parse(text: &str) -> Result<Request, Refused> {
    let mut value = json(text)?;
    let Some(object) = value.as_object_mut() else {
        let error = "expected an object: {\"id\": …}".to_owned();
        return Err(Refused { field: None, error });
    };
    let action = object.shift_remove("action");
    match action.as_ref().map(Value::as_str) {
        None | Some(Some("analyse")) => typed(value).map(Request::Analyse),
        Some(Some("cancel")) => typed(value).map(Request::Cancel),
        Some(Some("version")) => typed(value).map(|Version { id }| Request::Version(id)),
        Some(_) => Err(Refused::of("action", "expected analyse, cancel or version")),
    }
}

pub(crate) fn json(text: &str) -> Result<Value, Refused> {
    serde_json::from_str(text).map_err(|why| Refused {
        field: None,
        error: why.to_string(),
    })
}

pub(crate) fn typed<T: for<'a> Deserialize<'a>>(value: Value) -> Result<T, Refused> {
    serde_path_to_error::deserialize(value).map_err(|why| Refused {
        // The field, wherever in it the fault is.
        field: why.path().iter().next().and_then(|part| match part {
            Segment::Map { key } => Some(key.clone()),
            _ => None,
        }),
        error: why.inner().to_string(),
    })
}

/// The value of the first `"id"` in a text, whether or not the rest of it is JSON.
fn id_in(text: &str) -> Option<String> {
    let rest = text.split_once("\"id\"")?.1.trim_start();
    let rest = rest.strip_prefix(':')?;
    let mut values = serde_json::Deserializer::from_str(rest).into_iter::<Value>();
    match values.next()?.ok()? {
        Value::String(id) => Some(id),
        other => Some(other.to_string()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_id_is_found_in_what_is_no_query() {
        for (line, id) in [
            (r#"{"id": "a", "game": }"#, Some("a")),
            (r#"{"game": "chess", "id":"b\"c""#, Some("b\"c")),
            (r#"{"id": 7}"#, Some("7")),
            (r#"{"id"}"#, None),
            ("hello", None),
            ("[1, 2]", None),
        ] {
            let Some(Err((found, _))) = read(line.as_bytes()) else {
                panic!("{line} is no query");
            };
            assert_eq!(found.as_deref(), id, "{line}");
        }
    }

    #[test]
    fn lines_that_are_too_long_are_passed_over() {
        let long = "x".repeat(MAX_LINE + 5);
        let input = format!("one\n{long}\n\nlast");
        let mut input = input.as_bytes();
        let mut lengths = Vec::new();
        while let Some(line) = next_line(&mut input).expect("in memory") {
            lengths.push(line.len());
        }
        assert_eq!(lengths, [4, MAX_LINE + 1, 1, 4]);
    }
}
