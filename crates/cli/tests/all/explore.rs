//! A folder of certificates as a table and a picture, and files that are no certificates.

use std::collections::BTreeSet;
use std::path::Path;
use std::process::Command;

fn papamu(folder: &Path, line: &str) -> String {
    let mut command = Command::new(env!("CARGO_BIN_EXE_papamu"));
    let output = command.args(line.split(' ')).current_dir(folder);
    let output = output.output().expect("papamu runs");
    assert!(output.status.success(), "{line}: {output:?}");
    String::from_utf8(output.stdout).expect("text")
}

/// The rows of the table, without its heading, with single spaces.
fn rows(folder: &Path, line: &str) -> Vec<String> {
    let table = papamu(folder, line);
    let row = |line: &str| line.split_whitespace().collect::<Vec<_>>().join(" ");
    table.lines().skip(1).map(row).collect()
}

/// The proofs of a game whose openings are setups begin without a move.
#[test]
fn positions_without_moves_are_named_by_their_boards() {
    let folder = tempfile::tempdir().expect("a folder");
    std::fs::create_dir(folder.path().join("proofs")).expect("a folder");
    for setup in ["centre", "corner"] {
        let solve = format!("solve konane --rows 4 --cols 4 --setup {setup} --certificate");
        papamu(folder.path(), &format!("{solve} proofs/{setup}.cert"));
    }
    let rows = rows(folder.path(), "explore proofs");
    let mut names: Vec<_> = rows
        .iter()
        .filter_map(|row| row.split_once(" white wins"))
        .map(|(name, _)| name)
        .collect();
    names.sort_unstable();
    assert_eq!(
        names,
        ["konane 4x4 centre", "konane 4x4 corner"],
        "{rows:?}"
    );
}

/// Each cell is shaded and has the number of positions of its proof, all in letters of one size.
#[test]
fn all_openings_have_a_row_and_a_place_in_the_picture() {
    let folder = tempfile::tempdir().expect("a folder");
    let solve = "solve havannah --size 3 --all-openings --certificate proofs";
    papamu(folder.path(), solve);
    let rows = rows(folder.path(), "explore proofs --svg openings.svg");
    let opening = |row: &String| {
        let rest = row.strip_prefix("havannah 3, after ")?;
        let (opening, claim) = rest.split_once(' ')?;
        Some((opening.to_owned(), claim.starts_with("white wins")))
    };
    let openings: BTreeSet<_> = rows.iter().filter_map(opening).collect();
    let expected = [("a1", true), ("a2", false), ("b2", false), ("c3", false)];
    let expected = expected.map(|(opening, wins)| (opening.to_owned(), wins));
    assert_eq!(openings, BTreeSet::from(expected), "{rows:?}");
    let svg = std::fs::read_to_string(folder.path().join("openings.svg")).expect("a picture");
    let (_, labels) = svg.split_once("class=\"labels\"").expect("labels");
    let (labels, _) = labels.split_once("</g>").expect("their end");
    let sizes = labels.split("font-size=\"").skip(1);
    let sizes: Vec<_> = sizes.filter_map(|rest| rest.split('"').next()).collect();
    assert_eq!(sizes.len(), 19, "{labels}");
    assert_eq!(sizes.iter().collect::<BTreeSet<_>>().len(), 1, "{labels}");
}

#[test]
fn a_store_is_told_from_a_certificate() {
    let folder = tempfile::tempdir().expect("a folder");
    papamu(
        folder.path(),
        "solve konane --rows 4 --cols 4 --setup centre --store solving.db",
    );
    for line in ["explore solving.db", "verify solving.db"] {
        let mut command = Command::new(env!("CARGO_BIN_EXE_papamu"));
        let output = command.args(line.split(' ')).current_dir(folder.path());
        let output = output.output().expect("papamu runs");
        let said = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{line}: {said}");
        for part in [
            "solving.db is a store and no certificate",
            "papamu status solving.db",
            "--certificate FILE",
        ] {
            assert!(said.contains(part), "{line}: {said}");
        }
    }
}
