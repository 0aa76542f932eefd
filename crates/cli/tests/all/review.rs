//! Reviews of real games, compared with committed output. The number of simulations is fixed, so that
//! they come out the same on every machine. `make bless` takes what is printed now as what is expected.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::{env, fs};

/// Three games, of sizes 4, 6 and 10; they end with a ring, a fork and a resignation.
const GAMES: [&str; 3] = ["1043987", "1043752", "1011194"];

fn games() -> Option<PathBuf> {
    let data = env::var_os("PAPAMU_DATA").map_or_else(
        || Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/data"),
        PathBuf::from,
    );
    let folder = data.join("littlegolem");
    if folder.is_dir() {
        return Some(folder);
    }
    eprintln!("skipped: no games in {}; set PAPAMU_DATA", folder.display());
    None
}

fn review(file: &Path, more: &[&str]) -> String {
    let output = Command::new(env!("CARGO_BIN_EXE_papamu"))
        .arg("review")
        .arg(file)
        .args(["--player", "uct", "--simulations", "1000"])
        .args(more)
        .output()
        .expect("papamu runs");
    assert!(output.status.success(), "{output:?}");
    String::from_utf8(output.stdout).expect("text")
}

#[test]
fn reviews_of_real_games_are_as_committed() {
    let Some(folder) = games() else { return };
    let expected = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/review");
    for game in GAMES {
        let file = folder.join(game).with_extension("hgf");
        for (extension, more) in [("txt", &[][..]), ("jsonl", &["--json"])] {
            let printed = review(&file, more);
            let golden = expected.join(game).with_extension(extension);
            if env::var_os("BLESS").is_some() {
                fs::write(&golden, &printed).expect("a writable file");
            }
            let committed = fs::read_to_string(&golden).unwrap_or_default();
            assert_eq!(
                printed, committed,
                "{game}: `make bless` if this is as it should be"
            );
        }
    }
}
