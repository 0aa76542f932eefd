//! The grammar of FF\[4\], read with a stack of its own, so that no depth can overflow the program's:
//!
//! ```text
//! Collection = GameTree { GameTree }
//! GameTree   = "(" Sequence { GameTree } ")"
//! Sequence   = Node { Node }
//! Node       = ";" { Property }
//! Property   = PropIdent PropValue { PropValue }
//! PropValue  = "[" CValueType "]"
//! ```

use crate::error::line_and_column;
use crate::{Collection, NodeId, Property, ReadError, Tree, Value, decode};

/// The size in bytes of the largest file that is read: 256 MiB.
pub const MAX_BYTES: usize = 256 << 20;

/// Reads a file.
///
/// Text before the first `(;` is skipped, as is white space between all parts (and what editors leave
/// there: NUL, Ctrl-Z, byte order marks). See [the crate](crate) for the charset.
///
/// Takes time and memory in proportion to the size of the file, whatever it holds. The memory is at
/// most about 100 times the size, which a file of nothing but short properties without values can
/// need.
///
/// # Errors
/// If the file is not SGF: the error says where, and what was expected. If it has more than
/// [`MAX_BYTES`].
pub fn read(bytes: &[u8]) -> Result<Collection, ReadError> {
    check_size(bytes.len())?;
    let (text, _) = decode(bytes);
    Reader::new(&text).collection()
}

/// Reads a file whose charset is settled.
pub(crate) fn collection(text: &str) -> Result<Collection, ReadError> {
    check_size(text.len())?;
    Reader::new(text).collection()
}

fn check_size(bytes: usize) -> Result<(), ReadError> {
    if bytes > MAX_BYTES {
        return Err(ReadError::TooLarge { bytes });
    }
    Ok(())
}

/// Where the text is read. Everything that gives form is ASCII, so `at` is compared with bytes and
/// is always the beginning of a character.
struct Reader<'a> {
    text: &'a str,
    at: usize,
}

/// What came last in a game tree, which decides what may come next.
#[derive(Clone, Copy, PartialEq)]
enum After {
    Opening,
    Node,
    Variation,
}

impl<'a> Reader<'a> {
    fn new(text: &'a str) -> Self {
        Reader { text, at: 0 }
    }

    fn collection(mut self) -> Result<Collection, ReadError> {
        self.skip_to_first_tree()?;
        let mut trees = Vec::new();
        loop {
            trees.push(self.tree()?);
            self.skip_blanks();
            match self.peek() {
                Some(b'(') => {}
                None => return Ok(Collection { trees }),
                Some(_) => {
                    return Err(self.expected("'(' or the end of the file after a game tree"));
                }
            }
        }
    }

    /// Goes to the first `(` with a `;` after it.
    fn skip_to_first_tree(&mut self) -> Result<(), ReadError> {
        let mut opened = None;
        while let Some(found) = self.text[self.at..].find('(') {
            let opening = self.at + found;
            self.at = opening + 1;
            self.skip_blanks();
            if self.peek() == Some(b';') {
                self.at = opening;
                return Ok(());
            }
            opened.get_or_insert(self.at);
        }
        if let Some(place) = opened {
            self.at = place;
            return Err(self.expected("';' after '('"));
        }
        self.at = 0;
        self.skip_blanks();
        Err(self.expected("'(;' at the start of a game tree"))
    }

    /// Reads a game tree; the text goes on with its `(`.
    fn tree(&mut self) -> Result<Tree, ReadError> {
        let mut tree = Tree::new();
        // The node last read in the innermost game tree.
        let mut last = None;
        // For each open game tree, its place and the node that it is a variation after.
        let mut open: Vec<(usize, Option<NodeId>)> = Vec::new();
        let mut after = After::Variation;
        loop {
            match (self.peek(), after) {
                (Some(b'('), After::Node | After::Variation) => {
                    open.push((self.at, last));
                    self.at += 1;
                    after = After::Opening;
                }
                (Some(b';'), After::Opening | After::Node) => {
                    self.at += 1;
                    let node = match last {
                        None => NodeId::ROOT,
                        Some(parent) => tree.add_child(parent),
                    };
                    last = Some(node);
                    self.properties(tree.properties_mut(node))?;
                    after = After::Node;
                }
                (Some(b')'), After::Node | After::Variation) => {
                    self.at += 1;
                    last = open.pop().and_then(|(_, parent)| parent);
                    if open.is_empty() {
                        return Ok(tree);
                    }
                    after = After::Variation;
                }
                (None, After::Node | After::Variation) => {
                    let place = open.last().map_or(0, |&(place, _)| place);
                    let (line, column) = line_and_column(self.text, place);
                    return Err(self.expected(format!(
                        "')' to close the game tree opened at line {line}, column {column}"
                    )));
                }
                (_, After::Opening) => return Err(self.expected("';' after '('")),
                (_, After::Node) => {
                    return Err(self.expected("a property, ';', '(' or ')'"));
                }
                (_, After::Variation) => {
                    return Err(self.expected("'(' or ')' after a variation"));
                }
            }
            self.skip_blanks();
        }
    }

    /// Reads the properties of a node, up to what begins none.
    fn properties(&mut self, properties: &mut Vec<Property>) -> Result<(), ReadError> {
        loop {
            self.skip_blanks();
            if !self.peek().is_some_and(|b| b.is_ascii_alphabetic()) {
                properties.shrink_to_fit();
                return Ok(());
            }
            let rest = &self.text[self.at..];
            let end = rest.find(|c: char| !c.is_ascii_alphanumeric());
            let identifier = &rest[..end.unwrap_or(rest.len())];
            self.at += identifier.len();
            self.skip_blanks();
            if self.peek() != Some(b'[') {
                let expected = format!("'[' after the property identifier {}", shown(identifier));
                return Err(self.expected(expected));
            }
            let mut property = Property::from_read(identifier, self.value(identifier)?);
            self.skip_blanks();
            while self.peek() == Some(b'[') {
                property.push(self.value(identifier)?);
                self.skip_blanks();
            }
            properties.push(property);
        }
    }

    /// Reads a value; the text goes on with its `[`.
    fn value(&mut self, identifier: &str) -> Result<Value, ReadError> {
        let opening = self.at;
        let start = opening + 1;
        let mut end = start;
        while let Some(found) = self.text.as_bytes()[end..]
            .iter()
            .position(|b| matches!(b, b']' | b'\\'))
        {
            end += found;
            if self.text.as_bytes()[end] == b']' {
                self.at = end + 1;
                return Ok(Value::from_read(&self.text[start..end]));
            }
            // If the escaped character has several bytes, the others cannot be taken for `]` or `\`.
            end = (end + 2).min(self.text.len());
        }
        self.at = self.text.len();
        let (line, column) = line_and_column(self.text, opening);
        Err(self.expected(format!(
            "']' to close the value of {} opened at line {line}, column {column}",
            shown(identifier)
        )))
    }

    fn peek(&self) -> Option<u8> {
        self.text.as_bytes().get(self.at).copied()
    }

    fn skip_blanks(&mut self) {
        let blank = |c: char| c.is_whitespace() || matches!(c, '\0' | '\x1a' | '\u{feff}');
        let rest = &self.text[self.at..];
        self.at += rest.len() - rest.trim_start_matches(blank).len();
    }

    fn expected(&self, expected: impl Into<String>) -> ReadError {
        ReadError::at(self.text, self.at, expected)
    }
}

/// An identifier for an error, cut if it is very long.
fn shown(identifier: &str) -> String {
    match identifier.get(..40) {
        Some(start) if start.len() < identifier.len() => format!("{start}…"),
        _ => identifier.into(),
    }
}
