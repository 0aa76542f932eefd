//! A file to which numbered records are added one after the other.
//!
//! It begins with a line of text that says what it holds. A record is its length and its number (four bytes each, the
//! lowest first), its bytes, and the first eight bytes of the SHA-256 of all these. A process can be killed while it adds
//! one: what does not fit its checksum, and all behind it, is no part of the file and is cut off when it is opened again.

use sha2::{Digest, Sha256};
use std::collections::BTreeMap;
use std::fs::{File, OpenOptions};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::Path;

const CHECKSUM: usize = 8;
const HEAD: usize = 8;
/// No record is longer.
const LONGEST: usize = 1 << 24;

/// By number.
pub(crate) type Records = BTreeMap<u32, Vec<u8>>;

/// A file that is open to add records.
pub(crate) struct Frames(File);

impl Frames {
    /// Opens a file, or makes it, and gives the records that it has.
    pub(crate) fn open(path: &Path, begin: &str) -> io::Result<(Frames, Records)> {
        let mut file = OpenOptions::new()
            .read(true)
            .write(true)
            .create(true)
            .truncate(false)
            .open(path)?;
        let mut bytes = Vec::new();
        file.read_to_end(&mut bytes)?;
        let (records, whole) = parse(&bytes, begin)?;
        file.set_len(whole as u64)?;
        file.seek(SeekFrom::Start(whole as u64))?;
        if whole == 0 {
            file.write_all(begin.as_bytes())?;
        }
        Ok((Frames(file), records))
    }

    /// Adds a record.
    pub(crate) fn add(&mut self, number: u32, bytes: &[u8]) -> io::Result<()> {
        let mut frame = Vec::with_capacity(HEAD + bytes.len() + CHECKSUM);
        frame.extend((bytes.len() as u32).to_le_bytes());
        frame.extend(number.to_le_bytes());
        frame.extend(bytes);
        let checksum = Sha256::digest(&frame);
        frame.extend(&checksum[..CHECKSUM]);
        self.0.write_all(&frame)
    }

    /// Waits until all records are on the disk.
    pub(crate) fn sync(&self) -> io::Result<()> {
        self.0.sync_data()
    }
}

/// The records of a file that others may be writing.
pub(crate) fn read(path: &Path, begin: &str) -> io::Result<Records> {
    Ok(parse(&std::fs::read(path)?, begin)?.0)
}

/// The records, and how many bytes are whole.
fn parse(bytes: &[u8], begin: &str) -> io::Result<(Records, usize)> {
    let mut records = Records::new();
    let Some(mut rest) = bytes.strip_prefix(begin.as_bytes()) else {
        if begin.as_bytes().starts_with(bytes) {
            return Ok((records, 0));
        }
        let wrong = format!("does not begin with {:?}", begin.trim_end());
        return Err(io::Error::new(io::ErrorKind::InvalidData, wrong));
    };
    while let Some((number, record, after)) = first(rest) {
        records.insert(number, record.to_vec());
        rest = after;
    }
    Ok((records, bytes.len() - rest.len()))
}

/// The first record, and what is behind it.
fn first(bytes: &[u8]) -> Option<(u32, &[u8], &[u8])> {
    let (length, after) = bytes.split_first_chunk()?;
    let (number, after) = after.split_first_chunk()?;
    let length = u32::from_le_bytes(*length) as usize;
    if length > LONGEST {
        return None;
    }
    let (record, after) = after.split_at_checked(length)?;
    let (checksum, after) = after.split_first_chunk::<CHECKSUM>()?;
    let found = Sha256::digest(&bytes[..HEAD + length]);
    (found[..CHECKSUM] == checksum[..]).then(|| (u32::from_le_bytes(*number), record, after))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    const BEGIN: &str = "papamu test 1\n";

    /// A file is cut after each of its bytes, or a byte is changed: what was whole before is kept, and what is added then
    /// is read back.
    #[test]
    fn a_damaged_end_is_dropped() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("file");
        let (mut frames, records) = Frames::open(&path, BEGIN).expect("made");
        assert!(records.is_empty());
        for number in 0..3 {
            frames.add(number, &[number as u8; 5]).expect("added");
        }
        frames.sync().expect("written");
        let whole = fs::read(&path).expect("the file");
        let frame = HEAD + 5 + CHECKSUM;
        assert_eq!(whole.len(), BEGIN.len() + 3 * frame);
        for cut in 0..=whole.len() {
            let mut changed = whole.clone();
            if let Some(byte) = changed.get_mut(cut) {
                *byte ^= 1;
            }
            for damaged in [&whole[..cut], &changed[..]] {
                if cut < BEGIN.len() && damaged.len() > cut {
                    continue;
                }
                fs::write(&path, damaged).expect("written");
                let kept = cut.saturating_sub(BEGIN.len()) / frame;
                let (mut frames, records) = Frames::open(&path, BEGIN).expect("opened");
                assert_eq!(records.len(), kept, "damaged at {cut}");
                frames.add(9, b"new").expect("added");
                let records = read(&path, BEGIN).expect("read");
                assert_eq!(records.len(), kept + 1);
                assert_eq!(records[&9], b"new");
            }
        }
    }

    #[test]
    fn another_file_is_refused() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("file");
        fs::write(&path, "papamu tast 1\nand more").expect("written");
        assert!(Frames::open(&path, BEGIN).is_err());
        assert_eq!(
            fs::read(&path).expect("the file"),
            b"papamu tast 1\nand more"
        );
    }
}
