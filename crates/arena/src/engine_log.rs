//! What other programs write on their standard error, kept for those who look for the reason of a fault.

use std::fs::{File, OpenOptions};
use std::io::{self, Write};
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};

/// A file for the messages of all programs, or none. Clones share it.
#[derive(Clone, Debug, Default)]
pub struct EngineLog(Option<Arc<Mutex<File>>>);

impl EngineLog {
    /// Adds to the end of a file, which is made if it is not there.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn open(path: &Path) -> io::Result<EngineLog> {
        let file = OpenOptions::new().create(true).append(true).open(path)?;
        Ok(EngineLog(Some(Arc::new(Mutex::new(file)))))
    }

    /// What takes the lines of a player's program: each is written behind the player's name.
    pub(crate) fn of_player(&self, name: &str) -> impl FnMut(&str) + Send + use<> {
        let (file, name) = (self.0.clone(), name.to_owned());
        move |line: &str| {
            let Some(file) = &file else { return };
            let mut file = file.lock().unwrap_or_else(PoisonError::into_inner);
            // A log that cannot be written is no reason to end a game.
            let _ = file.write_all(format!("{name}: {line}\n").as_bytes());
        }
    }
}
