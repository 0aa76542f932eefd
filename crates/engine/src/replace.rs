//! Files that are written whole or not at all.

use crate::with_suffix;
use std::fs::{self, File, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

/// A file that is written beside the old one, and takes its place when it is whole and on the disk: where
/// the disk is full or the process is killed, the old file stays. A link goes on naming the same file, and
/// the new file has the permissions of the old one. What is no regular file, such as a pipe or a
/// terminal, is written directly. What was begun and does not [take its place](Replacement::finish) is removed.
#[derive(Debug)]
pub struct Replacement {
    file: File,
    path: PathBuf,
    /// Where it is written; `None` where it is written directly, and once it has taken its place.
    beside: Option<PathBuf>,
}

impl Replacement {
    /// Begins a file.
    ///
    /// # Errors
    /// If it cannot be made. The old one, if there is one, is as it was.
    pub fn begin(path: &Path) -> io::Result<Replacement> {
        let path = fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
        let old = fs::metadata(&path).ok();
        if old.as_ref().is_some_and(|old| !old.is_file()) {
            let file = OpenOptions::new().write(true).open(&path)?;
            let beside = None;
            return Ok(Replacement { file, path, beside });
        }
        // Two processes that write the same file do not write into each other's.
        let beside = with_suffix(&path, &format!(".{}.partial", std::process::id()));
        let begun = Replacement {
            file: File::create(&beside)?,
            path,
            beside: Some(beside),
        };
        if let Some(old) = old {
            begun.file.set_permissions(old.permissions())?;
        }
        Ok(begun)
    }

    /// Puts the file in the place of the old one.
    ///
    /// # Errors
    /// If it cannot be written whole. The old one, if there is one, is as it was.
    pub fn finish(mut self) -> io::Result<()> {
        if let Some(beside) = &self.beside {
            self.file.sync_all()?;
            fs::rename(beside, &self.path)?;
            self.beside = None;
        }
        Ok(())
    }
}

impl Write for Replacement {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.file.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file.flush()
    }
}

impl Drop for Replacement {
    fn drop(&mut self) {
        if let Some(beside) = &self.beside {
            // If it cannot even be removed, the error to tell is the first one.
            let _ = fs::remove_file(beside);
        }
    }
}

/// Writes a [`Replacement`] at once.
///
/// # Errors
/// If the file cannot be written. The old one, if there is one, is as it was.
pub fn replace_file(
    path: &Path,
    write: impl FnOnce(&mut File) -> io::Result<()>,
) -> io::Result<()> {
    let mut replacement = Replacement::begin(path)?;
    write(&mut replacement.file)?;
    replacement.finish()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(folder: &Path) -> Vec<String> {
        let entries = fs::read_dir(folder).expect("a folder");
        let mut names: Vec<String> = entries
            .map(|entry| {
                entry
                    .expect("an entry")
                    .file_name()
                    .into_string()
                    .expect("UTF-8")
            })
            .collect();
        names.sort();
        names
    }

    #[test]
    fn a_file_that_cannot_be_written_whole_leaves_the_old_one() {
        let folder = tempfile::tempdir().expect("a folder");
        let file = folder.path().join("old");
        replace_file(&file, |out| out.write_all(b"old")).expect("written");
        let full = replace_file(&file, |out| {
            out.write_all(b"half of the n")?;
            Err(io::Error::from(io::ErrorKind::StorageFull))
        });
        assert_eq!(full.expect_err("full").kind(), io::ErrorKind::StorageFull);
        assert_eq!(fs::read(&file).expect("the file"), b"old");
        assert_eq!(names(folder.path()), ["old"]);
        replace_file(&file, |out| out.write_all(b"new")).expect("written");
        assert_eq!(fs::read(&file).expect("the file"), b"new");
        assert_eq!(names(folder.path()), ["old"]);
    }

    #[test]
    fn a_folder_is_refused() {
        let folder = tempfile::tempdir().expect("a folder");
        assert!(replace_file(folder.path(), |_| Ok(())).is_err());
    }

    #[cfg(unix)]
    #[test]
    fn links_and_permissions_stay() {
        use std::os::unix::fs::{PermissionsExt, symlink};
        let folder = tempfile::tempdir().expect("a folder");
        let (file, link) = (folder.path().join("file"), folder.path().join("link"));
        fs::write(&file, "old").expect("written");
        fs::set_permissions(&file, fs::Permissions::from_mode(0o640)).expect("set");
        symlink(&file, &link).expect("a link");
        replace_file(&link, |out| out.write_all(b"new")).expect("written");
        assert_eq!(fs::read(&file).expect("the file"), b"new");
        assert!(fs::symlink_metadata(&link).expect("the link").is_symlink());
        let mode = fs::metadata(&file).expect("the file").permissions().mode();
        assert_eq!(mode & 0o777, 0o640);
    }

    #[test]
    #[cfg(unix)]
    fn what_is_no_file_is_written_directly() {
        replace_file(Path::new("/dev/null"), |out| out.write_all(b"gone")).expect("written");
        assert!(fs::metadata("/dev/null").is_ok_and(|null| !null.is_file()));
    }
}
