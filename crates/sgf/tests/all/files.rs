//! The games of Little Golem and the proof trees of Havannah size 4, as found in `PAPAMU_DATA` or
//! beside the workspace.

use sgf::{Collection, Node, NodeId, Tree, read};
use std::io::{Write, stderr};
use std::path::{Path, PathBuf};

/// The files of a folder that end in `.hgf`; says so if the folder is absent.
fn files(folder: &str) -> Vec<(PathBuf, Vec<u8>)> {
    let beside = || Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/data");
    let data = std::env::var_os("PAPAMU_DATA").map_or_else(beside, PathBuf::from);
    let folder = data.join(folder);
    let Ok(entries) = std::fs::read_dir(&folder) else {
        // Not by `println!`, which is shown for tests that fail only.
        let _ = writeln!(stderr(), "skipped: no folder {}", folder.display());
        return Vec::new();
    };
    let mut paths: Vec<PathBuf> = entries
        .map(|entry| entry.expect("a folder that can be listed").path())
        .filter(|path| path.extension().is_some_and(|end| end == "hgf"))
        .collect();
    paths.sort();
    assert!(!paths.is_empty(), "{} has no .hgf", folder.display());
    let bytes = |path: &PathBuf| std::fs::read(path).expect("a file that can be read");
    paths
        .into_iter()
        .map(|path| (path.clone(), bytes(&path)))
        .collect()
}

fn count(bytes: &[u8], pattern: &[u8]) -> usize {
    bytes
        .windows(pattern.len())
        .filter(|window| *window == pattern)
        .count()
}

fn count_property(games: &Collection, name: &str) -> usize {
    let nodes = games.trees.iter().flat_map(Tree::nodes);
    nodes
        .flat_map(Node::properties)
        .filter(|p| p.is(name))
        .count()
}

fn without_white_space(text: &str) -> String {
    text.split_whitespace().collect()
}

/// No value in these files has a parenthesis, a semicolon or an escape, so counting bytes is a parser.
fn check(path: &Path, bytes: &[u8]) -> Collection {
    let name = path.display();
    assert_eq!(count(bytes, b"\\"), 0, "{name}");
    let games = read(bytes).unwrap_or_else(|mistake| panic!("{name}: {mistake}"));
    assert_eq!(games.trees.len(), 1, "{name}");
    assert_eq!(games.trees[0].len(), count(bytes, b";"), "{name}");
    for move_of in ["B", "W"] {
        let pattern = format!(";{move_of}[");
        let expected = count(bytes, pattern.as_bytes());
        assert_eq!(count_property(&games, move_of), expected, "{name}");
    }

    let written = games.to_string();
    let again = read(written.as_bytes()).unwrap_or_else(|mistake| panic!("{name}: {mistake}"));
    assert_eq!(again.to_string(), written, "{name}");
    if bytes.is_ascii() {
        assert_eq!(again, games, "{name}");
        let original = str::from_utf8(bytes).expect("ASCII");
        // The proof trees have parentheses around a lone variation, which are not written.
        let bare = |text: &str| without_white_space(text).replace(['(', ')'], "");
        assert_eq!(bare(&written), bare(original), "{name}");
    }
    games
}

#[test]
fn the_games_of_little_golem() {
    let files = files("littlegolem");
    let mut names = Vec::new();
    for (path, bytes) in &files {
        let mut games = check(path, bytes);
        let root = games.trees[0].root();
        let number = path.file_stem().expect("a name").to_string_lossy();
        assert_eq!(root.text("GC"), Some(format!(" game #{number}").into()));
        for player in ["PB", "PW"] {
            let name = root.simple_text(player).expect("a player");
            if !name.is_ascii() {
                names.push(name.into_owned());
            }
        }
        if !bytes.is_ascii() {
            let written = games.to_string();
            assert!(written.starts_with("(;FF[4]CA[UTF-8]"), "{written}");
            games.trees[0].set(NodeId::ROOT, "CA", "UTF-8");
            // Same values, the new one in its place.
            let again = read(written.as_bytes()).expect("reads");
            games.trees[0].properties_mut(NodeId::ROOT).rotate_right(1);
            games.trees[0].properties_mut(NodeId::ROOT).swap(0, 1);
            assert_eq!(again, games);
        }
    }
    names.sort();
    names.dedup();
    if !files.is_empty() {
        assert_eq!(names, ["Héctor Máximo Canteros", "Loïc Boisnier"]);
    }
}

#[test]
fn the_proof_trees_of_size_4() {
    for (path, bytes) in files("havannah") {
        let games = check(&path, &bytes);
        // Every node but the root has a move and what the proof found.
        let tree = &games.trees[0];
        assert!(tree.nodes().skip(1).all(|node| {
            let comment = node.text("C");
            comment.is_some_and(|comment| comment.contains("outcome:"))
        }));
    }
}

#[test]
fn a_file_cut_anywhere_is_refused() {
    for (path, bytes) in files("littlegolem").iter().step_by(200) {
        let end = bytes.iter().rposition(|b| *b == b')').expect("a game");
        for cut in 0..end {
            assert!(
                read(&bytes[..cut]).is_err(),
                "{} cut at {cut}",
                path.display()
            );
        }
    }
}
