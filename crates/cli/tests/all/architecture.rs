//! The invariants of ARCHITECTURE.md that can be read off the sources.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

fn workspace() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// The Rust files below a folder of the workspace, those of tests left out.
fn sources(folder: &str) -> Vec<PathBuf> {
    let mut files = Vec::new();
    let mut folders = vec![workspace().join(folder)];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(&folder).expect("a folder of the workspace") {
            let path = entry.expect("an entry").path();
            if path.ends_with("tests") || path.ends_with("tests.rs") {
                continue;
            }
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|extension| extension == "rs") {
                files.push(path);
            }
        }
    }
    assert!(!files.is_empty(), "no sources in {folder}");
    files
}

/// The lines of code below a folder that contain a word, comments left out.
fn lines_with(folder: &str, word: &str) -> Vec<String> {
    let mut found = Vec::new();
    for file in sources(folder) {
        let text = fs::read_to_string(&file).expect("a source file");
        let code = text
            .lines()
            .filter(|line| !line.trim_start().starts_with("//"));
        for line in code.filter(|line| line.to_lowercase().contains(word)) {
            found.push(format!("{}: {line}", file.display()));
        }
    }
    found
}

/// The folders of all crates with their names, such as `("konane", "crates/games/konane")`.
fn crates() -> BTreeMap<String, String> {
    let mut found = BTreeMap::new();
    for folder in ["crates", "crates/games"] {
        for entry in fs::read_dir(workspace().join(folder)).expect("a folder of the workspace") {
            let entry = entry.expect("an entry");
            if entry.path().join("Cargo.toml").exists() {
                let name = entry.file_name().into_string().expect("a name in UTF-8");
                let path = format!("{folder}/{name}");
                found.insert(name, path);
            }
        }
    }
    found
}

/// The crates of the workspace that a crate depends on, tests aside.
fn dependencies(of: &str) -> Vec<String> {
    let crates = crates();
    let manifest = workspace().join(&crates[of]).join("Cargo.toml");
    let manifest = fs::read_to_string(manifest).expect("a manifest");
    let section = manifest.split("[dependencies]").nth(1).unwrap_or_default();
    let section = section.split("\n[").next().unwrap_or_default();
    let names = section
        .lines()
        .filter_map(|line| line.split(['.', ' ', '=']).next());
    names
        .filter(|&name| crates.contains_key(name))
        .map(str::to_owned)
        .collect()
}

#[test]
fn searches_name_no_game() {
    for game in ["havannah", "konane", "kōnane"] {
        assert_eq!(lines_with("crates/search/src", game), [] as [String; 0]);
    }
    assert_eq!(dependencies("search"), ["game", "statistics"]);
    assert_eq!(dependencies("game"), [] as [String; 0]);
}

#[test]
fn rules_name_no_search() {
    for rules in [
        "crates/games/havannah/src/rules",
        "crates/games/konane/src/rules",
    ] {
        assert_eq!(lines_with(rules, "use search"), [] as [String; 0]);
    }
}

/// Games are named in the registry, and where something is about one game alone.
#[test]
fn only_the_registry_names_games() {
    let games: Vec<String> = fs::read_dir(workspace().join("crates/games"))
        .expect("the games")
        .map(|entry| entry.expect("an entry").file_name())
        .map(|name| name.into_string().expect("a name in UTF-8"))
        .collect();
    assert!(games.len() >= 2, "{games:?}");
    for name in [
        "analysis",
        "certificate",
        "diagram",
        "engine",
        "gtp",
        "python",
        "record",
        "service",
        "wasm",
        "web",
    ] {
        let named = dependencies(name).into_iter();
        let named: Vec<String> = named.filter(|name| games.contains(name)).collect();
        assert_eq!(named, [] as [String; 0], "{name}");
    }
}

#[test]
fn the_checker_of_certificates_shares_only_the_rules() {
    for folder in [
        "crates/certificate/src",
        "crates/games/havannah/src/certificate",
        "crates/games/konane/src/certificate",
    ] {
        for search in ["solver", "search"] {
            let lines = lines_with(folder, &format!("{search}::"));
            assert_eq!(lines, [] as [String; 0]);
        }
    }
    assert_eq!(dependencies("certificate"), ["game"]);
}

#[test]
fn libraries_do_not_print() {
    for (name, folder) in crates() {
        if name == "cli" {
            continue;
        }
        for print in ["println!", "print!", "dbg!"] {
            assert_eq!(
                lines_with(&format!("{folder}/src"), print),
                [] as [String; 0]
            );
        }
    }
}

/// Each program of tests links everything, so a crate has one: `tests/all`. A file that it does not name would never run.
/// Only a test that counts what is allocated has a program, and an allocator, of its own.
#[test]
fn each_crate_has_one_program_of_tests() {
    for (name, folder) in crates() {
        let tests = workspace().join(&folder).join("tests");
        let Ok(entries) = fs::read_dir(&tests) else {
            continue;
        };
        for entry in entries {
            let path = entry.expect("an entry").path();
            let is_program = path.extension().is_some_and(|extension| extension == "rs")
                || path.join("main.rs").exists();
            let has_allocator =
                fs::read_to_string(&path).is_ok_and(|text| text.contains("#[global_allocator]"));
            assert!(
                !is_program || path.ends_with("all") || has_allocator,
                "{} is a program of its own: make it a module of tests/all",
                path.display()
            );
        }
        all_are_modules(&name, &tests.join("all"), "main.rs");
    }
}

/// Each file and folder of Rust in a folder is a module of it, which `root` declares.
fn all_are_modules(of: &str, folder: &Path, root: &str) {
    let text = fs::read_to_string(folder.join(root)).expect("the root of the modules");
    for entry in fs::read_dir(folder).expect("a folder of tests") {
        let path = entry.expect("an entry").path();
        let is_module = path.join("mod.rs").exists()
            || path.extension().is_some_and(|extension| extension == "rs") && !path.ends_with(root);
        let name = path.file_stem().and_then(|name| name.to_str());
        let name = name.expect("a name in UTF-8");
        assert!(
            !is_module || text.contains(&format!("mod {name};")),
            "{} is no module of the tests of {of}",
            path.display()
        );
        if path.join("mod.rs").exists() {
            all_are_modules(of, &path, "mod.rs");
        }
    }
}
