use crate::{ReadError, Tree, read};
use std::str::FromStr;

/// What an SGF file holds: one or more games.
///
/// Its `Display` writes the file, with one game after the other; see [the crate](crate) for the
/// charset. A collection without games is written as nothing, which is not a file that can be read.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Collection {
    /// The games in the order of the file.
    pub trees: Vec<Tree>,
}

impl From<Tree> for Collection {
    fn from(tree: Tree) -> Self {
        Collection { trees: vec![tree] }
    }
}

/// Reads text whose charset is settled: here `CA` is a property like any other.
impl FromStr for Collection {
    type Err = ReadError;

    fn from_str(text: &str) -> Result<Self, ReadError> {
        read::collection(text)
    }
}
