//! Every path of the project that a page, a help text or a source file names exists, and every link of a page leads
//! somewhere.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

fn workspace() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// All files below a folder with one of these endings, those left out that were built, and tests, which name what they make
/// up.
fn files(folder: &Path, endings: &[&str], found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).expect("a folder of the workspace") {
        let path = entry.expect("an entry").path();
        let name = path.file_name().and_then(|name| name.to_str());
        let name = name.expect("a name in UTF-8");
        if path.is_dir() {
            let is_ours = !name.starts_with('.')
                && !["target", "node_modules", "dist", "tests"].contains(&name);
            if is_ours {
                files(&path, endings, found);
            }
        } else if endings.iter().any(|ending| name.ends_with(ending)) {
            found.push(path);
        }
    }
}

fn all(endings: &[&str]) -> Vec<PathBuf> {
    let mut found = Vec::new();
    files(&workspace(), endings, &mut found);
    assert!(!found.is_empty());
    found
}

fn read(file: &Path) -> String {
    fs::read_to_string(file).expect("a text file")
}

/// The paths from the root of the project in a text.
fn paths(text: &str) -> Vec<&str> {
    let ends = |c: char| c.is_whitespace() || "`\"'()[]{}|,;".contains(c);
    let words = text
        .split(ends)
        .map(|word| word.trim_end_matches(['.', ':', '!', '?']));
    let is_path = |word: &&str| {
        let folders = [
            "crates/",
            "docs/",
            "experiments/",
            "ui/",
            "packaging/",
            ".ci/",
        ];
        folders.iter().any(|folder| word.starts_with(folder))
    };
    // `crates/yourgame` stands for one that a reader makes, the browser app is built, and what has a placeholder names no
    // file.
    let is_real = |word: &&str| {
        !word.contains(['<', '*', '…', '$', '\\'])
            && !["yourgame", "ui/dist", "node_modules"]
                .iter()
                .any(|made| word.contains(made))
    };
    words.filter(is_path).filter(is_real).collect()
}

/// The targets of links and pictures in Markdown.
fn links(text: &str) -> impl Iterator<Item = &str> {
    text.split("](")
        .skip(1)
        .filter_map(|rest| rest.split([')', ' ']).next())
}

/// The anchors of the headings of a page, as the hosts of repositories make them.
fn anchors(page: &str) -> Vec<String> {
    let headings = page.lines().filter(|line| line.starts_with('#'));
    let anchor = |heading: &str| {
        let text = heading.trim_start_matches('#').trim().to_lowercase();
        let kept = text
            .chars()
            .filter(|&c| c.is_alphanumeric() || " -_".contains(c));
        kept.map(|c| if c == ' ' { '-' } else { c }).collect()
    };
    headings.map(anchor).collect()
}

#[test]
fn paths_in_pages_and_sources_exist() {
    let mut missing = Vec::new();
    for file in all(&[".md", ".rs", ".toml", "Makefile"]) {
        let text = read(&file);
        let lost = paths(&text).into_iter().filter(|path| {
            let path = path.split('#').next().unwrap_or_default();
            !workspace().join(path).exists()
        });
        missing.extend(lost.map(|path| format!("{}: {path}", file.display())));
    }
    assert!(missing.is_empty(), "{}", missing.join("\n"));
}

#[test]
fn links_of_pages_lead_somewhere() {
    let mut broken = Vec::new();
    for file in all(&[".md"]) {
        let text = read(&file);
        let folder = file.parent().expect("a folder");
        for link in
            links(&text).filter(|link| !link.contains("://") && !link.starts_with("mailto:"))
        {
            let (path, anchor) = link.split_once('#').unwrap_or((link, ""));
            let target = if path.is_empty() {
                file.clone()
            } else {
                folder.join(path)
            };
            let is_page = target
                .extension()
                .is_some_and(|extension| extension == "md");
            let leads = target.exists()
                && (anchor.is_empty()
                    || !is_page
                    || anchors(&read(&target)).contains(&anchor.to_owned()));
            if !leads {
                broken.push(format!("{}: {link}", file.display()));
            }
        }
    }
    assert!(broken.is_empty(), "{}", broken.join("\n"));
}

/// `packaging/site` copies pages, and what they link to in some folders; any other link would end it.
#[test]
fn links_of_pages_lead_to_what_the_site_has() {
    let root = workspace().canonicalize().expect("the workspace");
    let script = read(&root.join("packaging/site"));
    let copied = script.lines().find_map(|line| line.strip_prefix("cp -r "));
    let copied = copied
        .into_iter()
        .flat_map(str::split_whitespace)
        .map(|name| name.trim_start_matches("./"));
    let named = script
        .split_once(r"'\]\([./]*(")
        .and_then(|(_, rest)| rest.split_once(')'));
    let folders: Vec<&str> = named
        .into_iter()
        .flat_map(|(named, _)| named.split('|'))
        .chain(copied)
        .collect();
    assert!(
        ["docs", "*.md", "packaging"].map(|name| folders.contains(&name)) == [true; 3],
        "{folders:?}"
    );
    let has = |path: &Path| {
        let first = path.iter().next().and_then(|first| first.to_str());
        let first = first.unwrap_or_default();
        let is_font_licence = path == Path::new("ui/public/figtree-OFL.txt");
        let is_page = path.iter().count() == 1 && path.extension().is_some_and(|end| end == "md");
        is_page || is_font_licence || first.starts_with("LICENSE-") || folders.contains(&first)
    };
    let mut lost = Vec::new();
    for file in all(&[".md"]) {
        let file = file.canonicalize().expect("a page");
        let page = file.strip_prefix(&root).expect("a page of the workspace");
        if !has(page) || page.starts_with("crates") || page.starts_with("packaging") {
            continue;
        }
        let text = read(&file);
        for link in links(&text).filter(|link| !link.contains(':') && !link.starts_with('#')) {
            let path = link.split('#').next().unwrap_or_default();
            let target = file.parent().expect("a folder").join(path).canonicalize();
            if target.is_ok_and(|target| !target.strip_prefix(&root).is_ok_and(has)) {
                lost.push(format!("{}: {link}", page.display()));
            }
        }
    }
    assert!(
        lost.is_empty(),
        "packaging/site copies none of these:\n{}",
        lost.join("\n")
    );
}

fn help(command: &[&str]) -> String {
    let output = Command::new(env!("CARGO_BIN_EXE_papamu"))
        .args(command)
        .arg("--help")
        .output()
        .expect("the program runs");
    assert!(output.status.success(), "{command:?}");
    String::from_utf8(output.stdout).expect("text")
}

/// Looks at the help of a command and of all below it; tells how many there are.
fn look_at_help(command: &[&str]) -> usize {
    let text = help(command);
    for path in paths(&text) {
        assert!(
            workspace().join(path).exists(),
            "papamu {} --help names {path}",
            command.join(" ")
        );
    }
    let below = text.split("\nCommands:\n").nth(1).unwrap_or_default();
    let below = below.split("\n\n").next().unwrap_or_default();
    let names = below
        .lines()
        .filter(|line| line.starts_with("  ") && !line.starts_with("   "));
    let names = names.filter_map(|line| line.split_whitespace().next());
    let names = names.filter(|&name| name != "help");
    1 + names
        .map(|name| look_at_help(&[command, &[name]].concat()))
        .sum::<usize>()
}

#[test]
fn paths_in_help_exist() {
    assert!(look_at_help(&[]) > 15);
}

#[test]
fn paths_and_links_are_found() {
    let text =
        "See `docs/a.md`, crates/yourgame/src and (experiments/b.toml). [c](../d.md#e) ![f](g.svg)";
    assert_eq!(paths(text), ["docs/a.md", "experiments/b.toml"]);
    assert_eq!(links(text).collect::<Vec<_>>(), ["../d.md#e", "g.svg"]);
    assert_eq!(
        anchors("# A page: of 2\n## Kōnane"),
        ["a-page-of-2", "kōnane"]
    );
}
