use std::borrow::Cow;

/// One value of a property, kept as it stands between the brackets: with its escapes.
///
/// ```
/// use sgf::Value;
///
/// let value = Value::from("[a] and \\");
/// assert_eq!(value.raw(), "[a\\] and \\\\");
/// assert_eq!(value.text(), "[a] and \\");
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Value {
    // Holds no `]` that is not escaped, and does not end in a lone `\`.
    raw: String,
}

impl Value {
    /// The value with this raw text, or `None` if that would end too early or not at all: if it has a
    /// `]` that is not escaped or ends in the middle of an escape.
    pub fn from_raw(raw: impl Into<String>) -> Option<Self> {
        let raw = raw.into();
        let mut chars = raw.chars();
        while let Some(c) = chars.next() {
            match c {
                ']' => return None,
                '\\' => {
                    chars.next()?;
                }
                _ => {}
            }
        }
        Some(Value { raw })
    }

    /// What the reader found between the brackets.
    pub(crate) fn from_read(raw: &str) -> Self {
        Value { raw: raw.into() }
    }

    /// A value composed of two texts, `first:second`, as in `LB[a1:1st]` or `AP[papamu:1.0]`.
    pub fn composed(first: &str, second: &str) -> Self {
        let mut raw = String::with_capacity(first.len() + second.len() + 1);
        escape(first, true, &mut raw);
        raw.push(':');
        escape(second, true, &mut raw);
        Value { raw }
    }

    /// The text between the brackets as it is in the file, escapes included.
    pub fn raw(&self) -> &str {
        &self.raw
    }

    /// The value as the standard's type Text: escapes are resolved, a line break (LF, CR, CRLF or LFCR)
    /// is `\n`, an escaped line break is removed, and other white space is a space.
    pub fn text(&self) -> Cow<'_, str> {
        unescape(&self.raw, "\n")
    }

    /// The value as the standard's type `SimpleText`: like [`text`](Value::text), but a line break is a
    /// space. White space at the ends stays.
    pub fn simple_text(&self) -> Cow<'_, str> {
        unescape(&self.raw, " ")
    }

    /// The two parts of a composed value, cut at the first colon that is not escaped; `None` where
    /// there is no such colon.
    pub fn parts(&self) -> Option<(Value, Value)> {
        let mut chars = self.raw.char_indices();
        while let Some((at, c)) = chars.next() {
            match c {
                ':' => {
                    let (first, second) = (&self.raw[..at], &self.raw[at + 1..]);
                    return Some((Value::from_read(first), Value::from_read(second)));
                }
                '\\' => {
                    chars.next();
                }
                _ => {}
            }
        }
        None
    }
}

/// Escapes a text. Line breaks stay, so [`Value::text`] gives the text back, and other white space as
/// spaces.
impl From<&str> for Value {
    fn from(text: &str) -> Self {
        let mut raw = String::with_capacity(text.len());
        escape(text, false, &mut raw);
        Value { raw }
    }
}

/// Escapes a text.
impl From<String> for Value {
    fn from(text: String) -> Self {
        Value::from(text.as_str())
    }
}

/// The length in bytes of the line break with which the text begins: LF, CR, CRLF or LFCR; 0 if it
/// begins with none.
pub(crate) fn line_break(text: &str) -> usize {
    match text.as_bytes() {
        [b'\r', b'\n', ..] | [b'\n', b'\r', ..] => 2,
        [b'\r' | b'\n', ..] => 1,
        _ => 0,
    }
}

fn escape(text: &str, composed: bool, raw: &mut String) {
    for c in text.chars() {
        if c == ']' || c == '\\' || (composed && c == ':') {
            raw.push('\\');
        }
        raw.push(c);
    }
}

/// Resolves escapes and white space by sections 3.2 (Text) and 3.3 (`SimpleText`) of the standard.
fn unescape<'a>(raw: &'a str, hard_break: &str) -> Cow<'a, str> {
    let special = ['\\', '\n', '\r', '\t', '\x0b', '\x0c'];
    let Some(mut at) = raw.find(special) else {
        return Cow::Borrowed(raw);
    };
    let mut text = String::with_capacity(raw.len());
    text.push_str(&raw[..at]);
    while at < raw.len() {
        let escaped = raw[at..].starts_with('\\');
        at += usize::from(escaped);
        let rest = &raw[at..];
        let broken = line_break(rest);
        if broken > 0 {
            text.push_str(if escaped { "" } else { hard_break });
            at += broken;
        } else if let Some(c) = rest.chars().next() {
            text.push(if matches!(c, '\t' | '\x0b' | '\x0c') {
                ' '
            } else {
                c
            });
            at += c.len_utf8();
        }
    }
    Cow::Owned(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn raw(text: &str) -> Value {
        Value::from_raw(text).expect("a raw value")
    }

    #[test]
    fn the_example_of_the_standard() {
        let value = raw("Meijin NR: yeah, k4 is won\\\nderful\n\
             sweat NR: thank you! :\\)\n\
             dada NR: yup. I like this move too. It's a move only to be expected from a pro. \
             I really like it :)\n\
             jansteen 4d: Can anyone\\\n explain [me\\] k4?");
        let rendered = "Meijin NR: yeah, k4 is wonderful\n\
             sweat NR: thank you! :)\n\
             dada NR: yup. I like this move too. It's a move only to be expected from a pro. \
             I really like it :)\n\
             jansteen 4d: Can anyone explain [me] k4?";
        assert_eq!(value.text(), rendered);
        assert_eq!(value.simple_text(), rendered.replace('\n', " "));
    }

    #[test]
    fn white_space_by_the_rules_of_text_and_simple_text() {
        for (written, text, simple) in [
            ("a\nb", "a\nb", "a b"),
            ("a\rb", "a\nb", "a b"),
            ("a\r\nb", "a\nb", "a b"),
            ("a\n\rb", "a\nb", "a b"),
            ("a\n\nb", "a\n\nb", "a  b"),
            ("a\r\n\r\nb", "a\n\nb", "a  b"),
            ("a\\\nb", "ab", "ab"),
            ("a\\\r\nb", "ab", "ab"),
            ("a\\\n\nb", "a\nb", "a b"),
            ("a\\\\\nb", "a\\\nb", "a\\ b"),
            ("a\tb\x0bc\x0cd", "a b c d", "a b c d"),
            ("a\\\tb", "a b", "a b"),
            ("\\a\\:\\]\\é", "a:]é", "a:]é"),
            (" \u{3000}[ ", " \u{3000}[ ", " \u{3000}[ "),
            ("", "", ""),
        ] {
            assert_eq!(raw(written).text(), text, "text of {written:?}");
            assert_eq!(
                raw(written).simple_text(),
                simple,
                "simple text of {written:?}"
            );
        }
    }

    #[test]
    fn a_raw_value_must_end_where_it_ends() {
        for good in ["", "a", "\\]", "\\\\", "[", "a:b", "\\\\\\]"] {
            assert_eq!(raw(good).raw(), good);
        }
        for bad in ["]", "a]b", "\\", "\\\\]", "\\\\\\"] {
            assert_eq!(Value::from_raw(bad), None, "{bad:?}");
        }
    }

    #[test]
    fn composed_values_are_cut_at_the_first_colon_that_is_not_escaped() {
        let value = Value::composed("a:]b", "c:\\d");
        assert_eq!(value.raw(), "a\\:\\]b:c\\:\\\\d");
        let (first, second) = value.parts().expect("two parts");
        assert_eq!((&*first.text(), &*second.text()), ("a:]b", "c:\\d"));

        let (first, second) = raw("a\\\\:b:c").parts().expect("two parts");
        assert_eq!((first.raw(), second.raw()), ("a\\\\", "b:c"));
        assert_eq!(raw("a\\:b").parts(), None);
    }
}
