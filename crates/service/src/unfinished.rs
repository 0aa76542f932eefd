//! What solvers know of positions that they have not solved yet, in files: a search goes on after its page
//! was closed, or the server ended.

use engine::{Checkpoints, Playable, Prover, load_checkpoint};
use game::Game;
use search::proof::Spent;
use std::collections::HashSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, SystemTime};

/// As many bytes as all files may have together; the oldest go first. A search has 256 MiB at most.
const ROOM: u64 = 1 << 30;

/// The folder with the files.
#[derive(Clone)]
pub struct Unfinished {
    folder: PathBuf,
    every: Duration,
    in_work: Arc<Mutex<HashSet<PathBuf>>>,
}

impl Unfinished {
    /// Files in a folder, which need not be there, written as often.
    pub fn new(folder: PathBuf, every: Duration) -> Unfinished {
        Unfinished {
            folder,
            every,
            in_work: Arc::default(),
        }
    }

    /// The file of a position, for one search at a time; the others have none.
    pub fn of<G: Playable>(&self, position: &G) -> Option<CheckpointFile> {
        // Two positions of a board with one name would do no harm: a file may be of any of them.
        let (board, hash) = (position.size_name(), position.hash());
        let name = format!("{}-{board}-{hash:016x}.checkpoint", G::NAME);
        let file = self.folder.join(name);
        let mut in_work = self.lock();
        if !in_work.insert(file.clone()) {
            return None;
        }
        let checkpoint = CheckpointFile {
            file,
            all: self.clone(),
        };
        drop(in_work);
        match fs::create_dir_all(&self.folder) {
            Ok(()) => {
                self.make_room();
                Some(checkpoint)
            }
            Err(why) => {
                tracing::error!("searches of solvers are not kept: {why}");
                None
            }
        }
    }

    fn lock(&self) -> MutexGuard<'_, HashSet<PathBuf>> {
        self.in_work.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Removes the oldest files beyond the room there is, and what a killed server left half written.
    fn make_room(&self) {
        let Ok(entries) = fs::read_dir(&self.folder) else {
            return;
        };
        let in_work = self.lock();
        let mut files: Vec<(SystemTime, u64, PathBuf)> = entries
            .filter_map(|entry| {
                let entry = entry.ok()?;
                let about = entry.metadata().ok()?;
                Some((about.modified().ok()?, about.len(), entry.path()))
            })
            .filter(|(_, _, path)| !in_work.contains(&whole(path)))
            .collect();
        files.sort();
        let mut room = ROOM;
        for (_, bytes, path) in files.iter().rev() {
            match room.checked_sub(*bytes) {
                Some(left) if whole(path) == *path => room = left,
                _ => remove(path),
            }
        }
    }
}

/// The file that one which is being written will replace; any other is itself.
fn whole(file: &Path) -> PathBuf {
    if file.extension().is_some_and(|end| end == "partial") {
        file.with_extension("")
    } else {
        file.to_owned()
    }
}

fn remove(file: &Path) {
    if let Err(why) = fs::remove_file(file) {
        tracing::error!("cannot remove {}: {why}", file.display());
    }
}

/// The file of a position while a search has it.
pub struct CheckpointFile {
    file: PathBuf,
    all: Unfinished,
}

impl CheckpointFile {
    /// Where to write checkpoints.
    pub fn checkpoints(&self) -> Checkpoints<'_> {
        Checkpoints {
            file: &self.file,
            every: self.all.every,
        }
    }

    /// Lets a solver start from what was known before, and says what that cost. A file that is damaged
    /// counts as none.
    pub fn load<G: Game>(&self, prover: &mut dyn Prover<G>) -> Spent {
        match load_checkpoint(prover, &self.file) {
            Ok(spent) => spent.unwrap_or_default(),
            Err(why) => {
                tracing::error!("a search begins anew: {why}");
                Spent::default()
            }
        }
    }

    /// Forgets the file: the position is solved.
    pub fn finished(self) {
        if self.file.exists() {
            remove(&self.file);
        }
    }
}

impl Drop for CheckpointFile {
    fn drop(&mut self) {
        self.all.lock().remove(&self.file);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use engine::{BoardOptions, with_suffix};
    use fs::File;

    #[test]
    fn what_is_in_work_stays_and_the_oldest_make_room() {
        let folder = tempfile::tempdir().unwrap();
        let all = Unfinished::new(folder.path().to_owned(), Duration::from_secs(1));
        let position = havannah::Position::start(&BoardOptions::default()).unwrap();
        let checkpoint = all.of(&position).unwrap();
        assert!(all.of(&position).is_none(), "one search at a time");
        let in_work = with_suffix(&checkpoint.file, ".partial");
        let left = folder.path().join("left.checkpoint.partial");
        let large = folder.path().join("large.checkpoint");
        let small = folder.path().join("small.checkpoint");
        for file in [&in_work, &left, &large, &small] {
            File::create(file).unwrap();
        }
        let huge = File::options().write(true).open(&large).unwrap();
        huge.set_len(ROOM + 1).unwrap();
        all.make_room();
        assert!(in_work.exists() && small.exists());
        assert!(!left.exists() && !large.exists());
        drop(checkpoint);
        assert!(all.of(&position).is_some());
        all.make_room();
        assert!(!in_work.exists());
    }
}
