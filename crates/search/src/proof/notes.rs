//! What searches that share no table tell each other: entries of their tables, as checkpoints have them.
//!
//! Of a table nothing says what is new. So a search notes the positions whose numbers it finds, and later gives their
//! entries, each once.

use super::checkpoint::{Saved, write};
use super::{CheckpointError, Key, Spent, Table, Tag, Value};

/// So many positions are noted at most: they are to be a small part of what a search takes, and of what is sent at once.
const MOST: usize = 1 << 15;

/// Positions of which others are to hear.
#[derive(Clone, Debug)]
pub struct Notes<K> {
    /// Those are noted whose search took so many nodes.
    least: u64,
    positions: Vec<(K, Tag)>,
}

impl<K: Key> Notes<K> {
    /// Notes positions whose search takes so many nodes or more; none without a number.
    pub fn new(least: Option<u64>) -> Notes<K> {
        Notes {
            least: least.unwrap_or(u64::MAX),
            positions: Vec::new(),
        }
    }

    /// Empty ones for another thread.
    #[must_use]
    pub fn for_another(&self) -> Notes<K> {
        Notes {
            least: self.least,
            positions: Vec::new(),
        }
    }

    /// Notes a position that has been searched, if that took long enough.
    #[inline(always)]
    pub fn add(&mut self, key: K, tag: Tag, nodes: u64) {
        if nodes >= self.least && self.positions.len() < MOST {
            self.positions.push((key, tag));
        }
    }

    /// Adds what another thread has noted.
    pub fn append(&mut self, mut other: Notes<K>) {
        self.positions.append(&mut other.positions);
        self.positions.truncate(MOST);
    }

    /// The positions, each once; they are noted no more.
    fn take(&mut self) -> Vec<(K, Tag)> {
        let mut positions = std::mem::take(&mut self.positions);
        let words = |&(key, tag): &(K, Tag)| {
            let parts = (0..K::PARTS).map(move |place| key.part(place));
            parts.chain([u64::from(tag.number())])
        };
        // Not by their hashes, in whose order a table that grows would lose most of them.
        positions.sort_unstable_by(|one, other| words(one).cmp(words(other)));
        positions.dedup();
        positions
    }
}

impl<K: Key, V: Value> Table<K, V> {
    /// What the table has of positions that were noted, and are noted no more; `None` if that is nothing. `what` says on one
    /// line what it is of.
    pub fn noted(&self, what: &str, notes: &mut Notes<K>) -> Option<Vec<u8>> {
        let mut words = Vec::new();
        for (key, tag) in notes.take() {
            self.append_words(key, tag, &mut words);
        }
        let entries = words.len() / Self::WORDS;
        let mut noted = Vec::with_capacity(size_of_val(&*words) + 100);
        let spent = Spent::default();
        let written = write(what, entries as u64, spent, words.into_iter(), &mut noted);
        (entries > 0 && written.is_ok()).then_some(noted)
    }

    /// Takes what another table has of positions; what is solved here stays solved.
    ///
    /// # Errors
    /// If that is damaged or of something else. The table has not changed then.
    pub fn take_noted(&mut self, what: &str, noted: &[u8]) -> Result<(), CheckpointError> {
        let mut all = Vec::new();
        Saved::open(what, noted)?.read(Self::WORDS, |words| all.extend_from_slice(words))?;
        for words in all.chunks_exact(Self::WORDS) {
            self.put_words(words);
            self.grow_if_crowded();
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Growth, ProofNumbers};
    use super::*;

    type Numbered = Table<u64, ProofNumbers>;

    const TAG: Tag = Tag::new(1);

    fn open(proof: u32) -> ProofNumbers {
        ProofNumbers {
            proof,
            disproof: 7,
            lost: false,
        }
    }

    fn table() -> Numbered {
        Table::new(1 << 20, Growth::default())
    }

    /// A table that has found out something about three positions, and what it tells of those that took five nodes.
    fn told() -> Vec<u8> {
        let table = table();
        let mut notes = Notes::new(Some(5));
        let found = [
            (1, open(2), 9),
            (1, open(3), 5),
            (2, ProofNumbers::PROVEN, 70),
            (3, open(4), 4),
        ];
        for (key, value, nodes) in found {
            table.put(key, TAG, value, nodes);
            notes.add(key, TAG, nodes);
        }
        let told = table.noted("a board", &mut notes).expect("entries");
        assert_eq!(table.noted("a board", &mut notes), None, "told once");
        told
    }

    #[test]
    fn another_table_knows_what_was_told() {
        let mut other = table();
        other.put(2, TAG, open(1), 1000);
        other.take_noted("a board", &told()).expect("whole");
        let known = [1, 2, 3].map(|key| other.get(key, TAG));
        assert_eq!(known, [Some(open(3)), Some(ProofNumbers::PROVEN), None]);
        // What is solved stays so.
        let mut solved = table();
        solved.put(1, TAG, ProofNumbers::PROVEN, 1);
        solved.take_noted("a board", &told()).expect("whole");
        assert_eq!(solved.get(1, TAG), Some(ProofNumbers::PROVEN));
    }

    #[test]
    fn what_is_noted_is_limited() {
        let mut notes = Notes::new(Some(1));
        for key in 0..2 * MOST as u64 {
            notes.add(key, TAG, 1);
        }
        let mut all = notes.for_another();
        all.append(notes.clone());
        all.append(notes);
        assert_eq!(all.positions.len(), MOST);
        assert_eq!(all.take().len(), MOST, "each is another one");
    }

    #[test]
    fn what_is_damaged_or_of_another_board_changes_nothing() {
        let told = told();
        let mut other = table();
        let mut refused = |what, told: &[u8]| {
            other.take_noted(what, told).expect_err("refused");
            assert_eq!(other.used(), 0);
        };
        refused("another board", &told);
        for place in 0..told.len() {
            refused("a board", &told[..place]);
        }
        // Of the second line only the number of entries matters.
        let lines = told.iter().enumerate().filter(|&(_, &byte)| byte == b'\n');
        let ends: Vec<usize> = lines.map(|(place, _)| place).collect();
        for place in (0..ends[0] + 2).chain(ends[1] + 1..told.len()) {
            let mut damaged = told.clone();
            damaged[place] ^= 1;
            refused("a board", &damaged);
        }
    }
}
