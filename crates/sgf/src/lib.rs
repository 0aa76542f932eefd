//! Reads and writes SGF (Smart Game Format) without loss.
//!
//! An SGF file is a [`Collection`] of game trees. A [`Tree`] is made of nodes, a [`Node`] has
//! properties, a [`Property`] has an identifier and one or more [`Value`]s:
//!
//! ```text
//! (;FF[4]SZ[4]PB[Ann]PW[Bob];W[a1];B[b2]C[Solid.](;W[c3])(;W[d4]))
//!   ─────────────────────── root     ────────── a property with a value
//! ```
//!
//! This crate knows the form and nothing of any game: what `B[b2]` means is for others to say. It
//! reads FF\[4\] (<https://www.red-bean.com/sgf/sgf4.html>), the older formats, and HGF, in which
//! Little Golem keeps its Havannah games and which has the same form.
//!
//! # Reading
//!
//! ```
//! let file = b"(;FF[4]SZ[4]PB[Ann]PW[Bob];W[a1];B[b2]C[Solid [really\\].](;W[c3])(;W[d4]))";
//! let games = sgf::read(file)?;
//! let game = &games.trees[0];
//!
//! assert_eq!(game.root().simple_text("SZ").as_deref(), Some("4"));
//! for node in game.main_line() {
//!     if let Some(comment) = node.text("C") {
//!         assert_eq!(comment, "Solid [really].");
//!     }
//! }
//! let last = game.main_line().last().unwrap();
//! assert_eq!(last.simple_text("W").as_deref(), Some("c3"));
//! # Ok::<(), sgf::ReadError>(())
//! ```
//!
//! Mistakes are told with their place:
//!
//! ```
//! let mistake = sgf::read(b"(;FF[4]\n;W[a1]\n;B;W[c3])").unwrap_err();
//! assert_eq!(
//!     mistake.to_string(),
//!     "line 3, column 3: expected '[' after the property identifier B, found ';'"
//! );
//! ```
//!
//! # Writing
//!
//! ```
//! use sgf::{NodeId, Tree, Value};
//!
//! let mut game = Tree::new();
//! game.set(NodeId::ROOT, "FF", "4");
//! game.set(NodeId::ROOT, "PB", "Ann [3d]"); // escaped for you
//! let first = game.add_child(NodeId::ROOT);
//! game.set(first, "W", "a1");
//! game.append(first, "LB", Value::composed("a1", "1st"));
//!
//! assert_eq!(game.to_string(), "(;FF[4]PB[Ann [3d\\]]\n ;W[a1]LB[a1:1st])\n");
//! ```
//!
//! # What is kept
//!
//! Every property is kept, known or unknown, with its place among the others, its identifier as it
//! was written and its values as they were written, escapes and line breaks included. What is not kept
//! is the white space between them and the text before the first `(;`. So reading what was
//! written gives an equal tree, with one exception: the charset.
//!
//! # Charsets
//!
//! A file is read in the first of these that fits all its bytes: what its byte order mark says, what
//! the `CA` property of its first root says, UTF-8, and last Latin-1 (as windows-1252), in which every
//! byte stands for a character. So a file that claims a charset it does not have is read without
//! loss.
//!
//! Files are always written in UTF-8. If a collection has text outside ASCII, then `CA[UTF-8]` takes the
//! place of the `CA` of each of its trees, and each tree with such text gets one where it has none,
//! since the standard's default is Latin-1. A collection that is all ASCII keeps its `CA` as it is
//! (but for ISO-2022-JP, which gives some ASCII characters another meaning).

mod collection;
mod encoding;
mod error;
mod node;
mod property;
mod read;
mod tree;
mod value;
mod write;

pub use collection::Collection;
pub use encoding::decode;
pub use error::ReadError;
pub use node::Node;
pub use property::{Property, is_identifier};
pub use read::{MAX_BYTES, read};
pub use tree::{NodeId, Tree};
pub use value::Value;
