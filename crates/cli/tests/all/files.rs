//! Files that the program writes: where the disk is full, the old one stays.

use std::fs;
use std::process::Command;

/// A shell in which no file can grow, as on a full disk.
#[cfg(unix)]
#[test]
fn a_full_disk_leaves_the_old_file() {
    let folder = tempfile::tempdir().expect("a folder");
    let old = folder.path().join("old");
    let game = folder.path().join("game.sgf");
    fs::write(&game, "(;SZ[4];W[d4];B[c3])").expect("written");
    let played = "arena match a@random b@random --size 3 --games 2 --store a.db";
    let played = Command::new(env!("CARGO_BIN_EXE_papamu"))
        .args(played.split(' '))
        .current_dir(folder.path())
        .output()
        .expect("papamu runs");
    assert!(played.status.success(), "{played:?}");
    for command in [
        "show havannah --size 4 --svg old",
        "convert game.sgf --output old",
        "solve havannah --size 3 --moves a1 --export old",
        "gtp havannah --size 4",
        "arena report --store a.db --html old",
        "arena export --store a.db --output old",
    ] {
        fs::write(&old, "what was there").expect("written");
        let input = if command.starts_with("gtp") {
            "printsgf old\n"
        } else {
            ""
        };
        let line = format!(
            "printf '{input}' | (trap '' XFSZ; ulimit -f 0; exec {} {command} 2>&1 | cat)",
            env!("CARGO_BIN_EXE_papamu")
        );
        let output = Command::new("sh")
            .args(["-c", &line])
            .current_dir(folder.path())
            .output()
            .expect("a shell");
        let told = String::from_utf8_lossy(&output.stdout).into_owned();
        assert!(told.contains("cannot write old"), "{command}: {told}");
        let kept = fs::read_to_string(&old).expect("the old file");
        assert_eq!(kept, "what was there", "{command}");
        let entries = fs::read_dir(folder.path()).expect("the folder");
        let mut names: Vec<_> = entries
            .map(|entry| entry.expect("an entry").file_name())
            // The files of SQLite's log come and go with the store.
            .filter(|name| !name.to_string_lossy().starts_with("a.db"))
            .collect();
        names.sort();
        assert_eq!(names, ["game.sgf", "old"], "{command} leaves something");
    }
}

#[test]
fn a_book_gets_each_line_once() {
    let folder = tempfile::tempdir().expect("a folder");
    let run = |line: &str| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_papamu"));
        let output = command.args(line.split(' ')).current_dir(folder.path());
        let output = output.output().expect("papamu runs");
        assert!(output.status.success(), "{line}: {output:?}");
    };
    let book = folder.path().join("book.txt");
    fs::write(&book, "# mine").expect("written");
    run("solve konane --rows 4 --cols 4 --setup centre --certificate centre.cert");
    for _ in 0..2 {
        run("explore centre.cert --book book.txt");
        let book = fs::read_to_string(&book).expect("a book");
        assert_eq!(book, "# mine\n4x4 centre: c1-c3 b1-b3\n");
    }
}
