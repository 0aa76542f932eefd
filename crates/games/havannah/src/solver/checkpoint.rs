//! The table in a file, so that a long search can be gone on with.

use super::key::Key;
use super::table::{Entry, Table};
use search::proof::checkpoint;
use search::proof::{CheckpointError, Spent};
use std::io::{self, Read, Write};

/// Writes a table. `what` says on one line what it is of.
pub fn save<K: Key>(
    table: &Table<K>,
    what: &str,
    spent: Spent,
    output: impl Write,
) -> io::Result<()> {
    let numbers = table
        .entries()
        .flat_map(|entry| entry.key.parts().chain([entry.packed]));
    checkpoint::save(what, spent, table.used(), numbers, output)
}

/// Reads a table of no more than so many bytes.
///
/// # Errors
/// If the checkpoint is damaged or of something else, or finds no room.
pub fn load<K: Key>(
    what: &str,
    bytes: usize,
    input: impl Read,
) -> Result<(Table<K>, Spent), CheckpointError> {
    let saved = checkpoint::Saved::open(what, input)?;
    let entries = saved.entries();
    let mut table = Table::with_room(bytes, entries);
    let spent = saved.read(K::PARTS + 1, |numbers| {
        if let Some((&packed, parts)) = numbers.split_last() {
            let key = K::from_parts(parts.iter().copied());
            table.insert(Entry { key, packed });
        }
    })?;
    checkpoint::check_room(entries, table.used(), Table::<K>::bytes_for(entries))?;
    Ok((table, spent))
}
