//! The pages that `papamu reference` writes.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::process::Command;

fn write_to(folder: &Path) -> std::process::Output {
    Command::new(env!("CARGO_BIN_EXE_papamu"))
        .arg("reference")
        .arg(folder)
        .output()
        .expect("the program")
}

fn pages(folder: &Path) -> BTreeMap<String, String> {
    let entries = fs::read_dir(folder).expect("the folder");
    entries
        .map(|entry| {
            let entry = entry.expect("an entry");
            let text = fs::read_to_string(entry.path()).expect("a page");
            (entry.file_name().into_string().expect("a name"), text)
        })
        .collect()
}

#[test]
fn all_pages_are_in_the_site_and_whole() {
    let folder = tempfile::tempdir().expect("a folder");
    let folder = folder.path().join("new/reference");
    assert!(write_to(&folder).status.success());
    let written = pages(&folder);
    assert!(write_to(&folder).status.success());
    assert_eq!(pages(&folder), written, "a second time");

    let site = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../packaging/mkdocs.yml");
    let site = fs::read_to_string(site).expect("the site");
    for (name, page) in &written {
        assert!(site.contains(&format!("docs/reference/{name}")), "{name}");
        // A bar in a meaning would be the end of its cell.
        let mut columns = 0;
        for row in page.lines().filter(|line| line.starts_with('|')) {
            let bars = row.matches('|').count() - row.matches("\\|").count();
            if row.starts_with("|---") {
                assert_eq!(columns, bars, "{name}: {row}");
            } else if columns != bars {
                columns = bars;
            }
        }
    }
    for named in ["## papamu solve", "## papamu arena run", "--memory <MB>"] {
        assert!(written["commands.md"].contains(named), "{named}");
    }
    for named in [
        "| `genmove [COLOUR [SECONDS]]` |",
        "| `rave` |",
        "| `castro-pns`, or `pns`, `pns-parallel` |",
    ] {
        assert!(written["havannah.md"].contains(named), "{named}");
    }
    assert!(!written["hex.md"].contains("## Solvers"));
}

#[test]
fn a_file_is_no_folder() {
    let file = tempfile::NamedTempFile::new().expect("a file");
    let output = write_to(file.path());
    assert_eq!(output.status.code(), Some(2));
    let told = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(told.starts_with("papamu: cannot make the folder"), "{told}");
}
