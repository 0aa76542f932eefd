//! Comparing pictures with committed files.

use std::env;
use std::fs;
use std::path::Path;

/// Compares a text with a file of the project, or writes the file if the environment has `BLESS`.
pub fn compare(file: &Path, text: &str) {
    if env::var_os("BLESS").is_some() {
        fs::write(file, text).expect("a place for the file");
        return;
    }
    let committed = fs::read_to_string(file).unwrap_or_default();
    assert!(
        committed == text,
        "{} is not what the program draws now.\n\
         If that is right: BLESS=1 cargo test -p papamu-diagram, and look at it.",
        file.display()
    );
}
