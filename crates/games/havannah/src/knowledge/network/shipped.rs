//! The weights that come with the program.

use super::Weights;
use super::file::from_bytes;
use engine::weights::sha256;
use std::sync::{Arc, OnceLock};

/// Weights that come with the program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shipped {
    /// Learned by self-play, for boards up to size 6.
    SmallBoards,
    /// The same weights after further games, which made them better on larger boards alone.
    LargeBoards,
    /// More layers, for long searches on large boards and for all on the largest. WebAssembly, which is downloaded, does
    /// without them.
    #[cfg(not(target_family = "wasm"))]
    Deep,
    /// Learned from games of people, whose moves they expect.
    People,
}

/// A file of weights.
struct Source {
    file: &'static [u8],
    hash: OnceLock<String>,
    weights: OnceLock<Arc<Weights>>,
}

impl Source {
    const fn new(file: &'static [u8]) -> Source {
        Source {
            file,
            hash: OnceLock::new(),
            weights: OnceLock::new(),
        }
    }
}

static SMALL_BOARDS: Source = Source::new(include_bytes!("small_boards.weights"));
static LARGE_BOARDS: Source = Source::new(include_bytes!("large_boards.weights"));
#[cfg(not(target_family = "wasm"))]
static DEEP: Source = Source::new(include_bytes!("deep.weights"));
static PEOPLE: Source = Source::new(include_bytes!("people.weights"));

/// The largest board, by its longest side, on which the weights for small boards play better.
const LARGEST_SMALL: usize = 6;
/// The largest on which short searches ask fewer layers, which have not learned larger boards and lose there even with
/// 0.05 s (docs/lab/learning.md).
#[cfg(not(target_family = "wasm"))]
const LARGEST_WITH_FEW_LAYERS: usize = 10;

impl Shipped {
    /// All of them.
    pub const ALL: &[Shipped] = &[
        Shipped::SmallBoards,
        Shipped::LargeBoards,
        #[cfg(not(target_family = "wasm"))]
        Shipped::Deep,
        Shipped::People,
    ];

    /// What the parameters of players call them.
    pub fn name(self) -> &'static str {
        match self {
            Shipped::SmallBoards => "small-boards",
            Shipped::LargeBoards => "large-boards",
            #[cfg(not(target_family = "wasm"))]
            Shipped::Deep => "deep",
            Shipped::People => "people",
        }
    }

    /// Those that are learned by self-play for boards of a size, which is the longest side, and for short searches.
    pub fn for_size(size: usize) -> Shipped {
        match size {
            ..=LARGEST_SMALL => Shipped::SmallBoards,
            #[cfg(not(target_family = "wasm"))]
            size if size > LARGEST_WITH_FEW_LAYERS => Shipped::Deep,
            _ => Shipped::LargeBoards,
        }
    }

    /// And for long searches.
    pub fn for_long_searches(size: usize) -> Shipped {
        match Shipped::for_size(size) {
            #[cfg(not(target_family = "wasm"))]
            Shipped::LargeBoards => Shipped::Deep,
            same => same,
        }
    }

    fn source(self) -> &'static Source {
        match self {
            Shipped::SmallBoards => &SMALL_BOARDS,
            Shipped::LargeBoards => &LARGE_BOARDS,
            #[cfg(not(target_family = "wasm"))]
            Shipped::Deep => &DEEP,
            Shipped::People => &PEOPLE,
        }
    }

    /// The bytes of the file.
    pub fn file(self) -> &'static [u8] {
        self.source().file
    }

    /// The SHA-256 of the file.
    pub fn sha256(self) -> &'static str {
        let source = self.source();
        source.hash.get_or_init(|| sha256(source.file))
    }

    /// The numbers of the file.
    ///
    /// # Panics
    /// Never: a test reads them.
    pub fn numbers(self) -> Vec<f32> {
        let read = from_bytes(self.source().file);
        read.expect("the weights of the program are whole").0
    }

    /// The weights.
    ///
    /// # Panics
    /// Never: a test reads them.
    pub fn weights(self) -> Arc<Weights> {
        let weights = self.source().weights.get_or_init(|| {
            let weights = Weights::new(&self.numbers());
            Arc::new(weights.expect("the weights of the network are complete"))
        });
        Arc::clone(weights)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_are_whole_and_different() {
        let all = Shipped::ALL;
        for &shipped in all {
            shipped.weights();
            let same = all
                .iter()
                .filter(|other| other.sha256() == shipped.sha256());
            assert_eq!(same.count(), 1);
        }
        assert_eq!(Shipped::for_size(6), Shipped::SmallBoards);
        assert_eq!(Shipped::for_size(7), Shipped::LargeBoards);
        assert_eq!(Shipped::for_size(10), Shipped::LargeBoards);
        #[cfg(not(target_family = "wasm"))]
        assert_eq!(Shipped::for_size(11), Shipped::Deep);
    }
}
