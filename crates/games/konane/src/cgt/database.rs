use super::{RegionKey, Valuer};
use std::collections::HashMap;
use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use thiserror::Error;

/// A file with the values of regions.
///
/// It is text: a first line that names the format; a line for each region with its rows, its columns, its
/// cells and stones as hexadecimal numbers ([`RegionKey`]) and its value as [`write_ascii`] writes it; and
/// a last line with a checksum, FNV-1a with 64 bits of all bytes before that line. The file is never
/// changed where it lies: a new one with all that the old one has is written beside it, and takes its
/// place when it is whole.
///
/// [`write_ascii`]: super::Games::write_ascii
#[derive(Clone, Debug)]
pub struct Database {
    path: PathBuf,
    /// The lines of the regions that the file has.
    lines: HashMap<RegionKey, String>,
}

/// Why a file cannot be used. It is left as it is.
#[derive(Debug, Error)]
pub enum DatabaseError {
    /// Reading or writing failed.
    #[error("cannot read or write the database {}", path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// What happened.
        source: io::Error,
    },
    /// The first line is another.
    #[error("{} is not a database of regions", .0.display())]
    Format(PathBuf),
    /// The checksum is missing or wrong.
    #[error("the database {} is damaged: its checksum is wrong; it is left as it is", .0.display())]
    Checksum(PathBuf),
    /// A line makes no sense.
    #[error("the database {} is damaged in line {line}; it is left as it is", path.display())]
    Line {
        /// The file.
        path: PathBuf,
        /// The line, from 1.
        line: usize,
    },
}

const FIRST_LINE: &str = "papamu konane regions 1";

impl Database {
    /// Opens a file, which need not exist yet, and teaches a valuer what it has.
    ///
    /// # Errors
    /// If the file cannot be read or is damaged.
    pub fn open(path: &Path, valuer: &mut Valuer) -> Result<Database, DatabaseError> {
        let mut database = Database {
            path: path.to_owned(),
            lines: HashMap::new(),
        };
        let text = match fs::read(path) {
            Ok(text) => text,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(database),
            Err(source) => return Err(database.io(source)),
        };
        // What is no text fails the checksum or the first line.
        let text = String::from_utf8_lossy(&text);
        if !text.starts_with(FIRST_LINE) {
            return Err(DatabaseError::Format(database.path));
        }
        let body = text
            .trim_end_matches('\n')
            .rfind('\n')
            .map_or("", |end| &text[..=end]);
        if text[body.len()..] != checksum_line(body) {
            return Err(DatabaseError::Checksum(database.path));
        }
        for (index, line) in body.lines().enumerate().skip(1) {
            let known = parse_line(line).and_then(|(key, value)| {
                let value = valuer.games.parse(value).ok()?;
                valuer.learn(key, value);
                database
                    .lines
                    .insert(key, line.to_owned())
                    .is_none()
                    .then_some(())
            });
            if known.is_none() {
                return Err(DatabaseError::Line {
                    path: database.path,
                    line: index + 1,
                });
            }
        }
        Ok(database)
    }

    /// How many regions it has.
    pub fn regions(&self) -> usize {
        self.lines.len()
    }

    /// Writes the file anew if the valuer knows regions that it lacks.
    ///
    /// # Errors
    /// If it cannot be written; then the old file is still there.
    pub fn save(&mut self, valuer: &mut Valuer) -> Result<(), DatabaseError> {
        let known: Vec<_> = valuer.known().collect();
        let before = self.lines.len();
        for (key, value) in known {
            self.lines.entry(key).or_insert_with(|| {
                let value = valuer.games.write_ascii(value);
                let RegionKey {
                    rows,
                    cols,
                    cells,
                    stones,
                } = key;
                format!("{rows} {cols} {cells:x} {stones:x} {value}")
            });
        }
        if self.lines.len() == before && self.path.exists() {
            return Ok(());
        }
        let mut keys: Vec<&RegionKey> = self.lines.keys().collect();
        keys.sort_unstable();
        let mut body = format!("{FIRST_LINE}\n");
        for key in keys {
            body.push_str(&self.lines[key]);
            body.push('\n');
        }
        let sum = checksum_line(&body);
        let mut beside = self.path.clone().into_os_string();
        beside.push(format!(".{}.tmp", std::process::id()));
        let beside = PathBuf::from(beside);
        let write = || {
            let mut file = fs::File::create(&beside)?;
            file.write_all(body.as_bytes())?;
            file.write_all(sum.as_bytes())?;
            file.sync_all()?;
            fs::rename(&beside, &self.path)
        };
        write().map_err(|source| {
            // What is left of an attempt is of no use to anybody.
            let _ = fs::remove_file(&beside);
            self.io(source)
        })
    }

    fn io(&self, source: io::Error) -> DatabaseError {
        DatabaseError::Io {
            path: self.path.clone(),
            source,
        }
    }
}

fn checksum_line(body: &str) -> String {
    let sum = body.bytes().fold(0xcbf2_9ce4_8422_2325_u64, |sum, byte| {
        (sum ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3)
    });
    format!("checksum {sum:016x}\n")
}

/// A region and the text of its value; `None` if the line makes no sense.
fn parse_line(line: &str) -> Option<(RegionKey, &str)> {
    let mut parts = line.split(' ');
    let key = RegionKey {
        rows: parts.next()?.parse().ok()?,
        cols: parts.next()?.parse().ok()?,
        cells: u64::from_str_radix(parts.next()?, 16).ok()?,
        stones: u64::from_str_radix(parts.next()?, 16).ok()?,
    };
    let value = parts.next()?;
    let is_key = key.region()?.key() == (key, false);
    (parts.next().is_none() && is_key).then_some((key, value))
}
