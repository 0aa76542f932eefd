//! The layout of a written file: the root has a line, as many nodes as fit follow in each line, a
//! variation begins a line and is indented.
//!
//! ```text
//! (;FF[4]SZ[4]
//!  ;W[a1];B[b2]
//!  (;W[c3]
//!   (;B[a2])
//!   (;B[a3];W[a4])
//!  )
//!  (;W[d4])
//! )
//! ```

use crate::encoding::named;
use crate::{Collection, Node, Property, Tree, Value};
use encoding_rs::{Encoding, UTF_8};
use std::fmt::{self, Write};

/// A node that would make its line longer than this begins a new one. In characters.
const WIDTH: usize = 80;

/// The depth of variations from which on they are not indented further, so that the file of a deep tree
/// does not become mostly spaces.
const DEEPEST_INDENT: usize = 24;

impl fmt::Display for Collection {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write_trees(&self.trees, f)
    }
}

/// Writes a file of this one game.
impl fmt::Display for Tree {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write_trees(std::slice::from_ref(self), f)
    }
}

fn write_trees(trees: &[Tree], f: &mut fmt::Formatter<'_>) -> fmt::Result {
    // Read as any charset that it may name, such a file is the same.
    let plain = trees
        .iter()
        .all(|tree| is_ascii(tree) && charset_fits(tree));
    for tree in trees {
        let mut writer = Writer::new(f);
        if plain || says_utf8(tree) || (charset(tree).is_none() && is_ascii(tree)) {
            writer.root(tree.root().properties().iter())?;
        } else {
            let utf8 = Property::new("CA", ["UTF-8"]);
            writer.root(with_charset(tree, &utf8))?;
        }
        writer.after_root(tree.root())?;
    }
    Ok(())
}

fn is_ascii(tree: &Tree) -> bool {
    tree.nodes()
        .flat_map(Node::properties)
        .flat_map(Property::values)
        .all(|value| value.raw().is_ascii())
}

fn charset(tree: &Tree) -> Option<&Value> {
    tree.root().property("CA").map(Property::value)
}

fn charset_fits(tree: &Tree) -> bool {
    charset(tree)
        .and_then(named)
        .is_none_or(Encoding::is_ascii_compatible)
}

fn says_utf8(tree: &Tree) -> bool {
    charset(tree).and_then(named) == Some(UTF_8)
}

/// The properties of the root, with this one in the place of the first `CA`, or else after `FF` if that
/// comes first, or else before all others.
fn with_charset<'a>(
    tree: &'a Tree,
    charset: &'a Property,
) -> impl Iterator<Item = &'a Property> + Clone {
    let properties = tree.root().properties();
    let place = properties.iter().position(|p| p.is("CA"));
    let place =
        place.unwrap_or_else(|| usize::from(properties.first().is_some_and(|p| p.is("FF"))));
    let (before, after) = properties.split_at(place);
    let after = after.iter().filter(|p| !p.is("CA"));
    before.iter().chain([charset]).chain(after)
}

struct Writer<'f, 'g> {
    out: &'f mut fmt::Formatter<'g>,
    // The characters in the line so far.
    column: usize,
    // The game trees that are open.
    depth: usize,
    // Whether what was written last is the end of a variation.
    closed: bool,
}

impl<'f, 'g> Writer<'f, 'g> {
    fn new(out: &'f mut fmt::Formatter<'g>) -> Self {
        Writer {
            out,
            column: 0,
            depth: 0,
            closed: false,
        }
    }

    fn root<'a>(&mut self, properties: impl Iterator<Item = &'a Property> + Clone) -> fmt::Result {
        self.open()?;
        self.node(properties)
    }

    /// Writes what comes after the root, and closes it.
    fn after_root(&mut self, root: Node<'_>) -> fmt::Result {
        let mut node = root;
        loop {
            if let Some(child) = node.children().next() {
                node = child;
            } else {
                let Some(variation) = self.close_up_to_variation(node)? else {
                    return self.out.write_char('\n');
                };
                node = variation;
            }
            if node.has_siblings() {
                self.new_line()?;
                self.open()?;
            } else if node.parent().map(Node::id) == Some(root.id())
                || self.column + width(node.properties().iter()) > WIDTH
            {
                self.new_line()?;
            }
            self.node(node.properties().iter())?;
        }
    }

    /// Closes all game trees that end at this node, and gives the variation that comes after them.
    fn close_up_to_variation<'t>(&mut self, end: Node<'t>) -> Result<Option<Node<'t>>, fmt::Error> {
        let mut node = end;
        loop {
            if node.has_siblings() {
                self.close()?;
                if let Some(next) = node.next_sibling() {
                    return Ok(Some(next));
                }
            }
            let Some(parent) = node.parent() else {
                self.close()?;
                return Ok(None);
            };
            node = parent;
        }
    }

    fn open(&mut self) -> fmt::Result {
        self.depth += 1;
        self.closed = false;
        self.put('(')
    }

    fn close(&mut self) -> fmt::Result {
        self.depth -= 1;
        if self.closed {
            self.new_line()?;
        }
        self.closed = true;
        self.put(')')
    }

    fn new_line(&mut self) -> fmt::Result {
        self.put('\n')?;
        for _ in 0..self.depth.min(DEEPEST_INDENT) {
            self.put(' ')?;
        }
        Ok(())
    }

    fn node<'a>(&mut self, properties: impl Iterator<Item = &'a Property> + Clone) -> fmt::Result {
        for part in parts(properties) {
            self.out.write_str(part)?;
            self.column = match part.rsplit_once('\n') {
                Some((_, line)) => line.chars().count(),
                None => self.column + part.chars().count(),
            };
        }
        Ok(())
    }

    fn put(&mut self, c: char) -> fmt::Result {
        self.column = if c == '\n' { 0 } else { self.column + 1 };
        self.out.write_char(c)
    }
}

/// The texts which, one after the other, are the node.
fn parts<'a>(properties: impl Iterator<Item = &'a Property>) -> impl Iterator<Item = &'a str> {
    let property = |property: &'a Property| {
        let values = property.values().iter();
        [property.identifier()]
            .into_iter()
            .chain(values.flat_map(|value| ["[", value.raw(), "]"]))
    };
    [";"].into_iter().chain(properties.flat_map(property))
}

/// The characters of the node that come into the line in which it begins.
fn width<'a>(properties: impl Iterator<Item = &'a Property>) -> usize {
    let mut width = 0;
    for part in parts(properties) {
        if let Some((line, _)) = part.split_once('\n') {
            return width + line.chars().count();
        }
        width += part.chars().count();
    }
    width
}

#[cfg(test)]
mod tests {
    use crate::{Collection, NodeId, Tree};

    fn rewritten(text: &str) -> String {
        text.parse::<Collection>().expect("reads").to_string()
    }

    #[test]
    fn variations_are_indented() {
        let text = "\
(;FF[4]SZ[4]
 ;W[a1];B[b2]
 (;W[c3]
  (;B[a2])
  (;B[a3];W[a4])
 )
 (;W[d4])
)
";
        let one_line: String = text.split_whitespace().collect();
        assert_eq!(rewritten(&one_line), text);
        assert_eq!(rewritten(text), text);
    }

    #[test]
    fn long_lines_are_broken_between_nodes() {
        let mut tree = Tree::new();
        let mut last = NodeId::ROOT;
        for _ in 0..100 {
            last = tree.add_child(last);
            tree.set(last, "B", "é1");
        }
        let text = tree.to_string();
        assert!(text.lines().all(|line| line.chars().count() <= 81));
        // 13 nodes of 6 characters, an indent of 1, and in the last line the closing parenthesis.
        assert_eq!(text.lines().count(), 1 + 100_usize.div_ceil(13));
    }

    #[test]
    fn a_game_follows_another() {
        assert_eq!(rewritten("(;A[])(;B[];)"), "(;A[])\n(;B[]\n ;)\n");
        assert_eq!(Collection::default().to_string(), "");
    }
}
