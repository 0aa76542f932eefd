use crate::Value;
use crate::property::significant;
use encoding_rs::{Encoding, ISO_2022_JP, UTF_8, UTF_16BE, UTF_16LE, WINDOWS_1252};
use std::borrow::Cow;

/// The text of a file, without its byte order mark, and the name of the encoding it was read in, as in
/// `UTF-8` or `Shift_JIS`.
///
/// See [the crate](crate) for how the encoding is found. No byte is lost, except unpaired surrogates in
/// a file whose byte order mark says UTF-16.
pub fn decode(bytes: &[u8]) -> (Cow<'_, str>, &'static str) {
    let mark = Encoding::for_bom(bytes);
    let (marked, body) = match mark {
        Some((encoding, length)) => (Some(encoding), &bytes[length..]),
        None => (None, bytes),
    };
    // In Shift_JIS, Big5 and the like, the second byte of a character may look like `]` or `\`. Where
    // values before the CA hide it, it is found by reading them as if in one of those.
    let stated = charset(bytes, |_| false);
    let hidden = charset(bytes, |byte| byte >= 0x81);
    for encoding in [marked, stated, Some(UTF_8), hidden].into_iter().flatten() {
        if let Some(text) = encoding.decode_without_bom_handling_and_without_replacement(body) {
            return (text, encoding.name());
        }
    }
    let encoding = match marked {
        Some(encoding) if encoding == UTF_16LE || encoding == UTF_16BE => encoding,
        _ => WINDOWS_1252,
    };
    let (text, _) = encoding.decode_without_bom_handling(body);
    (text, encoding.name())
}

/// The encoding that a `CA` property names; `None` if it is unknown, or is one in which the `CA` itself
/// could not have been found.
pub(crate) fn named(label: &Value) -> Option<&'static Encoding> {
    Encoding::for_label_no_replacement(label.simple_text().as_bytes())
        .filter(|encoding| encoding.is_ascii_compatible() || *encoding == ISO_2022_JP)
}

/// What the first root says in its `CA`, found among bytes of any encoding. `leads` tells the bytes
/// that begin a character of two.
fn charset(bytes: &[u8], leads: fn(u8) -> bool) -> Option<&'static Encoding> {
    let mut at = root(bytes)?;
    let mut identifier = String::new();
    while let Some(&byte) = bytes.get(at) {
        at += 1;
        match byte {
            b'[' => {
                let start = at;
                at = end_of_value(bytes, start, leads)?;
                if significant(&identifier).eq(*b"CA") {
                    let label = bytes.get(start..at)?;
                    let label = str::from_utf8(label).ok()?;
                    return named(&Value::from_read(label));
                }
                at += 1;
                identifier.clear();
            }
            b';' | b'(' | b')' => return None,
            _ if byte.is_ascii_alphanumeric() => identifier.push(byte.into()),
            _ if byte.is_ascii_whitespace() => {}
            _ => identifier.clear(),
        }
    }
    None
}

/// The place after the first `(;`.
fn root(bytes: &[u8]) -> Option<usize> {
    let mut opened = false;
    for (at, &byte) in bytes.iter().enumerate() {
        match byte {
            b'(' => opened = true,
            b';' if opened => return Some(at + 1),
            _ if byte.is_ascii_whitespace() => {}
            _ => opened = false,
        }
    }
    None
}

/// The place of the `]` that closes the value which begins here.
fn end_of_value(bytes: &[u8], start: usize, leads: fn(u8) -> bool) -> Option<usize> {
    let mut at = start;
    loop {
        match *bytes.get(at)? {
            b']' => return Some(at),
            b'\\' => at += 2,
            byte if leads(byte) => at += 2,
            _ => at += 1,
        }
    }
}
