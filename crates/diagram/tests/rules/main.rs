//! The pictures of `docs/rules.md`, and that the committed ones are these.

mod havannah;
mod konane;
#[path = "../support/mod.rs"]
mod support;

use std::collections::BTreeSet;
use std::fs;
use std::path::PathBuf;

/// A picture in `docs/images`.
struct Picture {
    /// The file's name without its ending.
    name: &'static str,
    svg: String,
}

fn pictures() -> Vec<Picture> {
    [havannah::pictures(), konane::pictures()]
        .into_iter()
        .flatten()
        .collect()
}

fn docs() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../docs")
}

#[test]
fn the_committed_pictures_are_what_the_program_draws() {
    for Picture { name, svg } in pictures() {
        support::compare(&docs().join(format!("images/{name}.svg")), &svg);
    }
}
