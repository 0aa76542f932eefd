//! Sets that may be larger than memory: sorted parts on disk, which are merged as they are read.

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::fs::File;
use std::io::{self, BufReader, BufWriter, Read, Seek, SeekFrom, Write};
use std::path::PathBuf;
use std::vec;

/// What can be kept on disk. All of a set take as many bytes.
pub trait Record: Ord + Clone {
    /// Appends the bytes.
    fn put(&self, bytes: &mut Vec<u8>);

    /// What was put.
    fn take(bytes: &[u8]) -> Self;
}

impl Record for Box<[u8]> {
    fn put(&self, bytes: &mut Vec<u8>) {
        bytes.extend(self);
    }

    fn take(bytes: &[u8]) -> Self {
        bytes.into()
    }
}

/// How much of a set is kept in memory.
#[derive(Clone, Debug)]
pub(crate) struct Room {
    /// The most records in memory.
    pub records: usize,
    /// The folder of what does not fit.
    pub folder: PathBuf,
}

/// The most parts on disk, each of which is an open file.
const PARTS: usize = 64;

/// A set that grows.
#[derive(Debug)]
pub(crate) struct Sorted<R> {
    room: Room,
    fresh: Vec<R>,
    /// The first of the fresh ones that are not in order.
    ordered: usize,
    parts: Vec<Part>,
}

#[derive(Debug)]
struct Part {
    file: File,
    records: u64,
    bytes: usize,
}

impl<R: Record> Sorted<R> {
    pub fn new(room: &Room) -> Self {
        Sorted {
            room: room.clone(),
            fresh: Vec::new(),
            ordered: 0,
            parts: Vec::new(),
        }
    }

    pub fn add(&mut self, record: R) -> io::Result<()> {
        self.fresh.push(record);
        // What comes again and again does not fill the memory.
        let most = self.room.records.max(2);
        if self.fresh.len() >= most.min(2 * self.ordered.max(1 << 16)) {
            self.order();
            if self.fresh.len() > most / 2 {
                self.put_away()?;
            }
        }
        Ok(())
    }

    fn order(&mut self) {
        // The beginning is in order already, of which this sort makes use.
        self.fresh.sort();
        self.fresh.dedup();
        self.ordered = self.fresh.len();
    }

    fn put_away(&mut self) -> io::Result<()> {
        if self.parts.len() == PARTS {
            let parts = std::mem::take(&mut self.parts);
            let one = self.write(&mut Merged::of(parts, Vec::new())?)?;
            self.parts.push(one);
        }
        let fresh = std::mem::take(&mut self.fresh);
        let part = self.write(&mut fresh.into_iter().map(Ok))?;
        self.parts.push(part);
        self.ordered = 0;
        Ok(())
    }

    fn write(&self, records: &mut dyn Iterator<Item = io::Result<R>>) -> io::Result<Part> {
        let mut output = BufWriter::new(tempfile::tempfile_in(&self.room.folder)?);
        let mut part = (0, Vec::new());
        for record in records {
            part.1.clear();
            record?.put(&mut part.1);
            output.write_all(&part.1)?;
            part.0 += 1;
        }
        Ok(Part {
            file: output.into_inner()?,
            records: part.0,
            bytes: part.1.len(),
        })
    }

    /// The records in order, each once.
    pub fn merged(mut self) -> io::Result<Merged<R>> {
        self.order();
        Merged::of(self.parts, self.fresh)
    }
}

/// The records of a set in order.
#[derive(Debug)]
pub(crate) struct Merged<R> {
    fresh: vec::IntoIter<R>,
    parts: Vec<PartReader>,
    /// The next record of the fresh ones (0) and of each part (from 1).
    next: BinaryHeap<Reverse<(R, usize)>>,
}

#[derive(Debug)]
struct PartReader {
    input: BufReader<File>,
    left: u64,
    bytes: Vec<u8>,
}

impl<R: Record> Merged<R> {
    fn of(parts: Vec<Part>, fresh: Vec<R>) -> io::Result<Self> {
        let mut merged = Merged {
            fresh: fresh.into_iter(),
            parts: Vec::new(),
            next: BinaryHeap::new(),
        };
        for mut part in parts {
            part.file.seek(SeekFrom::Start(0))?;
            merged.parts.push(PartReader {
                input: BufReader::new(part.file),
                left: part.records,
                bytes: vec![0; part.bytes],
            });
        }
        for from in 0..=merged.parts.len() {
            merged.draw(from)?;
        }
        Ok(merged)
    }

    fn draw(&mut self, from: usize) -> io::Result<()> {
        let record = match from.checked_sub(1) {
            None => self.fresh.next(),
            Some(part) => {
                let part = &mut self.parts[part];
                if part.left == 0 {
                    None
                } else {
                    part.left -= 1;
                    part.input.read_exact(&mut part.bytes)?;
                    Some(R::take(&part.bytes))
                }
            }
        };
        self.next
            .extend(record.map(|record| Reverse((record, from))));
        Ok(())
    }

    fn least(&mut self) -> io::Result<Option<R>> {
        let Some(Reverse((record, from))) = self.next.pop() else {
            return Ok(None);
        };
        self.draw(from)?;
        while let Some(Reverse((other, from))) = self.next.peek() {
            if *other != record {
                break;
            }
            let from = *from;
            self.next.pop();
            self.draw(from)?;
        }
        Ok(Some(record))
    }
}

impl<R: Record> Iterator for Merged<R> {
    type Item = io::Result<R>;

    fn next(&mut self) -> Option<io::Result<R>> {
        if self.parts.is_empty() {
            // In order and without repetitions already.
            if let Some(Reverse((record, _))) = self.next.pop() {
                return Some(Ok(record));
            }
            return self.fresh.next().map(Ok);
        }
        self.least().transpose()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use game::random;
    use std::collections::BTreeSet;

    impl Record for u32 {
        fn put(&self, bytes: &mut Vec<u8>) {
            bytes.extend(self.to_be_bytes());
        }

        fn take(bytes: &[u8]) -> u32 {
            u32::from_be_bytes(bytes.try_into().expect("four bytes"))
        }
    }

    #[test]
    fn a_set_is_the_same_in_memory_and_on_disk() {
        let mut rng = random::seeded(2);
        for (records, below) in [(1, 50), (10, 1000), (10, 10), (1000, 500), (100_000, 5000)] {
            let room = Room {
                records,
                folder: std::env::temp_dir(),
            };
            let mut sorted = Sorted::new(&room);
            let mut expected = BTreeSet::new();
            for _ in 0..200 {
                let some: Vec<u32> = (0..10).map(|_| random::below(below, &mut rng)).collect();
                expected.extend(some.iter().copied());
                for one in some {
                    sorted.add(one).expect("added");
                }
            }
            let merged: Vec<u32> = sorted.merged().and_then(Iterator::collect).expect("merged");
            assert_eq!(merged, expected.into_iter().collect::<Vec<_>>());
        }
    }
}
