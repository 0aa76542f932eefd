//! One line of input as a command.

use thiserror::Error;

/// A command with its arguments.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Command {
    /// The number that the response repeats, as it was written.
    pub id: Option<String>,
    /// The name.
    pub name: String,
    /// What follows, split at spaces.
    pub arguments: Vec<String>,
}

/// Why a line is no command.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("{reason}")]
pub struct SyntaxError {
    /// The number that the line begins with, if it does.
    pub id: Option<String>,
    /// What is wrong.
    pub reason: &'static str,
}

/// Reads a line, with or without its line break. Control characters are dropped, tabs are spaces, and
/// what follows a `#` is a comment (sections 2.2 to 2.5 of the specification). `None` if nothing is left.
///
/// ```
/// let command = gtp::parse_line(b"7 play\tw d4 # the centre\r\n").unwrap().unwrap();
/// assert_eq!(command.id.as_deref(), Some("7"));
/// assert_eq!(command.name, "play");
/// assert_eq!(command.arguments, ["w", "d4"]);
/// ```
///
/// # Errors
/// If the line is not UTF-8, comments aside, or consists of a number alone.
pub fn parse_line(line: &[u8]) -> Result<Option<Command>, SyntaxError> {
    let text: Vec<u8> = line
        .iter()
        .take_while(|&&byte| byte != b'#')
        .filter(|&&byte| byte == b'\t' || !byte.is_ascii_control())
        .map(|&byte| if byte == b'\t' { b' ' } else { byte })
        .collect();
    let text = str::from_utf8(&text).map_err(|_| SyntaxError {
        id: id_at_start(&text),
        reason: "invalid UTF-8",
    })?;
    let mut words = text.split(' ').filter(|word| !word.is_empty()).peekable();
    let id = words.next_if(|word| is_id(word.as_bytes()));
    let id = id.map(str::to_owned);
    let Some(name) = words.next() else {
        return match id {
            None => Ok(None),
            id => Err(SyntaxError {
                id,
                reason: "no command after the number",
            }),
        };
    };
    Ok(Some(Command {
        id,
        name: name.to_owned(),
        arguments: words.map(str::to_owned).collect(),
    }))
}

fn is_id(word: &[u8]) -> bool {
    word.iter().all(u8::is_ascii_digit)
}

fn id_at_start(text: &[u8]) -> Option<String> {
    let mut words = text.split(|&byte| byte == b' ');
    let first = words.find(|word| !word.is_empty())?;
    let id = str::from_utf8(first).ok().filter(|_| is_id(first))?;
    Some(id.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(line: &[u8]) -> Vec<String> {
        let Command {
            id,
            name,
            arguments,
        } = parse_line(line).expect("a line").expect("a command");
        let id = id.unwrap_or_else(|| "-".to_owned());
        [id, name].into_iter().chain(arguments).collect()
    }

    #[test]
    fn a_line_is_a_number_a_name_and_arguments() {
        assert_eq!(words(b"showboard"), ["-", "showboard"]);
        assert_eq!(words(b"12 showboard\n"), ["12", "showboard"]);
        assert_eq!(words(b"007 play b  e5 "), ["007", "play", "b", "e5"]);
        assert_eq!(words(b"play 1 2"), ["-", "play", "1", "2"]);
        assert_eq!(words(b"-1 play"), ["-", "-1", "play"]);
        let long = "1".repeat(100) + " name";
        assert_eq!(words(long.as_bytes())[0].len(), 100);
    }

    #[test]
    fn control_characters_tabs_and_comments() {
        assert_eq!(words(b"\x01sho\x07wbo\x7fard\x00\r\n"), ["-", "showboard"]);
        assert_eq!(words(b"\t1\tplay\tw\ta1\t"), ["1", "play", "w", "a1"]);
        assert_eq!(words(b"undo# 3"), ["-", "undo"]);
        assert_eq!(words(b"undo 2 # \xff"), ["-", "undo", "2"]);
        for nothing in [&b""[..], b"\r\n", b" \t \n", b"# 1 play", b"\x02\x03"] {
            assert_eq!(parse_line(nothing), Ok(None));
        }
    }

    #[test]
    fn what_is_no_command() {
        let error = |line| parse_line(line).expect_err("an error");
        assert_eq!(error(b"12 # quit").id.as_deref(), Some("12"));
        assert_eq!(error(b"12").reason, "no command after the number");
        assert_eq!(error(b"\xff").id, None);
        assert_eq!(error(b" 3 play \xc3").id.as_deref(), Some("3"));
        assert_eq!(error(b" 3 play \xc3").reason, "invalid UTF-8");
        assert_eq!(error(b"3\xff play").id, None);
    }

    #[test]
    fn letters_beyond_ascii_are_letters() {
        assert_eq!(
            words("kōnane é\u{a0}5".as_bytes())[1..],
            ["kōnane", "é\u{a0}5"]
        );
    }
}
