//! Certificates that refer to each other.

use crate::verify_as;
use certificate::{Checker, Digest, Header, Refusal, Space, Unchecked, Verdict};
use sha2::{Digest as _, Sha256};
use std::collections::HashMap;
use std::fs::File;
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

/// Files of certificates, by their SHA-256.
#[derive(Debug, Default)]
pub struct Folder {
    files: Vec<Member>,
    known: HashMap<Digest, usize>,
}

/// A file with what its header says, which nobody has checked.
#[derive(Debug)]
pub struct Member {
    /// Where it is.
    pub path: PathBuf,
    /// The SHA-256 of the whole file.
    pub digest: Digest,
    /// What it is about; `None` if it is no certificate.
    pub header: Option<Header>,
    /// The certificates to which it refers.
    pub pieces: Vec<Digest>,
}

/// What the check of a file gave, and of all those on which it rests.
#[derive(Debug)]
pub struct Checked {
    /// Where it is.
    pub path: PathBuf,
    /// The SHA-256 of what was checked.
    pub digest: Digest,
    /// What it shows.
    pub verdict: Result<Verdict, Refusal>,
    /// Whether another of the files refers to it.
    pub is_piece: bool,
}

/// A reader that hashes what it reads.
struct Hashing<R> {
    input: R,
    hash: Sha256,
}

impl<R: Read> Hashing<R> {
    fn new(input: R) -> Self {
        Hashing {
            input,
            hash: Sha256::new(),
        }
    }

    /// The digest of all that the input holds.
    fn finish(mut self) -> io::Result<Digest> {
        io::copy(&mut self, &mut io::sink())?;
        Ok(Digest(self.hash.finalize().into()))
    }
}

impl<R: Read> Read for Hashing<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let count = self.input.read(buffer)?;
        self.hash.update(&buffer[..count]);
        Ok(count)
    }
}

impl Folder {
    /// The certificates (`*.cert`) in a folder, in the order of their names.
    ///
    /// # Errors
    /// If it cannot be read.
    pub fn files_in(folder: &Path) -> io::Result<Vec<PathBuf>> {
        let mut files = Vec::new();
        for entry in folder.read_dir()? {
            let path = entry?.path();
            if path.extension().is_some_and(|end| end == "cert") {
                files.push(path);
            }
        }
        files.sort();
        Ok(files)
    }

    /// Reads files, without a check.
    ///
    /// # Errors
    /// If one cannot be read.
    pub fn read(files: impl IntoIterator<Item = PathBuf>) -> io::Result<Folder> {
        let mut folder = Folder::default();
        for path in files {
            let mut hashing = Hashing::new(File::open(&path)?);
            let unchecked = Unchecked::read(&mut hashing);
            let (header, pieces) = match unchecked {
                Ok(unchecked) => (Some(unchecked.header), unchecked.terms.pieces),
                Err(Refusal::Io(error)) => return Err(error),
                Err(_) => (None, Vec::new()),
            };
            let digest = hashing.finish()?;
            folder.known.insert(digest, folder.files.len());
            folder.files.push(Member {
                path,
                digest,
                header,
                pieces,
            });
        }
        Ok(folder)
    }

    /// A certificate and those in its folder on which it rests, without a check.
    ///
    /// # Errors
    /// If one cannot be read.
    pub fn of_file(file: &Path) -> io::Result<Folder> {
        let alone = Folder::read([file.to_owned()])?;
        if alone.files.iter().all(|member| member.pieces.is_empty()) {
            return Ok(alone);
        }
        let beside = file.parent().filter(|folder| *folder != Path::new(""));
        let mut files = vec![file.to_owned()];
        files.extend(Folder::files_in(beside.unwrap_or(Path::new(".")))?);
        Ok(Folder::read(files)?.of_first())
    }

    /// What the certificate with a digest is about, if it is one of the files.
    pub fn header(&self, digest: &Digest) -> Option<Header> {
        let &file = self.known.get(digest)?;
        self.files[file].header.clone()
    }

    /// The files.
    pub fn files(&self) -> &[Member] {
        &self.files
    }

    /// The first file and those on which it rests, without the others.
    fn of_first(self) -> Folder {
        let mut wanted = vec![false; self.files.len()];
        let mut todo: Vec<usize> = (0..self.files.len().min(1)).collect();
        while let Some(file) = todo.pop() {
            if !std::mem::replace(&mut wanted[file], true) {
                let pieces = self.files[file].pieces.iter();
                todo.extend(pieces.filter_map(|piece| self.known.get(piece)));
            }
        }
        let mut wanted = wanted.into_iter();
        let mut files = self.files;
        files.retain(|_| wanted.next() == Some(true));
        let known = files
            .iter()
            .zip(0..)
            .map(|(file, number)| (file.digest, number));
        Folder {
            known: known.collect(),
            files,
        }
    }

    /// Checks all files, several at a time. `goes_on` is asked now and then.
    pub fn check(
        &self,
        threads: usize,
        space: &Space,
        goes_on: &(dyn Fn() -> bool + Sync),
    ) -> Vec<Checked> {
        let header = |digest: &Digest| self.header(digest);
        let at_a_time = threads.clamp(1, self.files.len().max(1));
        let space = Space {
            memory: space.memory / at_a_time,
            folder: space.folder.clone(),
        };
        let own = |member: &Member| {
            let checker = Checker {
                threads: threads / at_a_time,
                space: space.clone(),
                pieces: &header,
            };
            let mut hashing = Hashing::new(File::open(&member.path)?);
            let verdict = verify_as(&mut hashing, &checker, &mut |_| goes_on())?;
            if hashing.finish()? == member.digest {
                Ok(verdict)
            } else {
                let why = "it changed while it was checked";
                Err(Refusal::Io(io::Error::other(why)))
            }
        };
        let next = AtomicUsize::new(0);
        let done: Vec<Mutex<Option<Result<Verdict, Refusal>>>> =
            self.files.iter().map(|_| Mutex::default()).collect();
        let work = || {
            while let Some(place) = done.get(next.fetch_add(1, Ordering::Relaxed)) {
                let number = done.iter().position(|other| std::ptr::eq(other, place));
                let Some(number) = number else { return };
                let verdict = own(&self.files[number]);
                if let Ok(mut place) = place.lock() {
                    *place = Some(verdict);
                }
            }
        };
        if at_a_time == 1 {
            work();
        } else {
            std::thread::scope(|scope| {
                for _ in 0..at_a_time {
                    scope.spawn(work);
                }
            });
        }
        let own = done.into_iter().map(|place| match place.into_inner() {
            Ok(Some(verdict)) => verdict,
            _ => Err(Refusal::Stopped),
        });
        self.together(own.collect())
    }

    /// A certificate is valid if it is, given its pieces, and they are too.
    fn together(&self, own: Vec<Result<Verdict, Refusal>>) -> Vec<Checked> {
        let mut standing = vec![Standing::Unknown; own.len()];
        for file in 0..own.len() {
            self.stand(file, &own, &mut standing);
        }
        let mut is_piece = vec![false; own.len()];
        for file in &self.files {
            for piece in file.pieces.iter().filter_map(|piece| self.known.get(piece)) {
                is_piece[*piece] = true;
            }
        }
        let files = self.files.iter().zip(own).zip(standing).zip(is_piece);
        let checked = files.map(|(((member, own), standing), is_piece)| Checked {
            path: member.path.clone(),
            digest: member.digest,
            verdict: match standing {
                Standing::Falls(piece) => own.and(Err(Refusal::Piece {
                    piece,
                    reason: "it is not valid, or rests on something that is not".to_owned(),
                })),
                _ => own,
            },
            is_piece,
        });
        checked.collect()
    }

    /// Where a file rests on others that rest on it, which their hashes make all but impossible, none of them stands.
    fn stand(&self, first: usize, own: &[Result<Verdict, Refusal>], standing: &mut [Standing]) {
        let mut todo = vec![first];
        while let Some(&file) = todo.last() {
            if !matches!(standing[file], Standing::Unknown | Standing::Asked) {
                todo.pop();
                continue;
            }
            let was_asked = std::mem::replace(&mut standing[file], Standing::Asked);
            let mut stands = if own[file].is_ok() {
                Standing::Stands
            } else {
                Standing::Fails
            };
            let mut open = Vec::new();
            for &piece in &self.files[file].pieces {
                match self
                    .known
                    .get(&piece)
                    .map(|&number| (number, standing[number]))
                {
                    Some((_, Standing::Stands)) => {}
                    Some((number, Standing::Unknown)) => open.push(number),
                    _ => stands = Standing::Falls(piece),
                }
            }
            if open.is_empty() || was_asked == Standing::Asked {
                standing[file] = stands;
                todo.pop();
            } else {
                todo.extend(open);
            }
        }
    }
}

/// Whether a file and all those on which it rests are valid.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Standing {
    Unknown,
    /// Those on which it rests are being looked at.
    Asked,
    Stands,
    /// It is not valid itself.
    Fails,
    /// This piece does not stand.
    Falls(Digest),
}
