//! Every example of every help text, and every command in the documentation, run as a newcomer would run it: by a
//! shell, in a folder that has the files they name. Numbers that would take long are made small; databases on other
//! machines are files.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::{env, fs};

const PAPAMU: &str = env!("CARGO_BIN_EXE_papamu");

/// A command line and where it stands.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Example {
    line: String,
    source: String,
    /// In the middle of a sentence, which may be about the command and leave out what it needs.
    mention: bool,
}

fn repository() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn help(of: &[String]) -> String {
    let output = Command::new(PAPAMU).args(of).arg("--help").output();
    let output = output.expect("papamu runs");
    assert!(output.status.success(), "papamu {of:?} --help");
    String::from_utf8(output.stdout).expect("text")
}

/// The subcommands that a help text lists.
fn listed(help: &str) -> impl Iterator<Item = &str> {
    let list = help.split("\nCommands:\n").nth(1).unwrap_or_default();
    let lines = list.lines().take_while(|line| line.starts_with("  "));
    let entries = lines.filter(|line| !line.starts_with("   "));
    entries
        .filter_map(|line| line.split_whitespace().next())
        .filter(|&name| name != "help")
}

/// Every command and subcommand, with its help.
fn commands() -> Vec<(Vec<String>, String)> {
    let mut found = Vec::new();
    let mut waiting = vec![Vec::new()];
    while let Some(command) = waiting.pop() {
        let help = help(&command);
        for name in listed(&help) {
            waiting.push([command.clone(), vec![name.to_owned()]].concat());
        }
        found.push((command, help));
    }
    assert!(found.len() > 15, "{found:?}");
    found
}

fn examples_of_help() -> BTreeSet<Example> {
    let mut examples = BTreeSet::new();
    for (command, help) in commands() {
        let source = format!("papamu {} --help", command.join(" "));
        let after = help.split("\nExample").nth(1).unwrap_or_default();
        let before = examples.len();
        for line in after.lines() {
            let line = line.trim_start_matches("s:").trim_start_matches(':').trim();
            if line.starts_with("papamu ") {
                let line = line.split("   ").next().unwrap_or(line);
                examples.insert(Example {
                    line: line.to_owned(),
                    source: source.clone(),
                    mention: false,
                });
            }
        }
        let leads_on = listed(&help).next().is_some();
        assert!(
            leads_on || examples.len() > before,
            "{source} has no example"
        );
    }
    examples
}

fn pages() -> Vec<PathBuf> {
    let mut pages: Vec<PathBuf> = ["README.md", "CONTRIBUTING.md", "experiments/README.md"]
        .map(|page| repository().join(page))
        .to_vec();
    let mut folders = vec![repository().join("docs")];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).expect("a folder") {
            let path = entry.expect("an entry").path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|ending| ending == "md") {
                pages.push(path);
            }
        }
    }
    pages
}

/// The commands in blocks of code, and those between single backticks.
fn examples_of_pages() -> BTreeSet<Example> {
    let mut examples = BTreeSet::new();
    for page in pages() {
        let text = fs::read_to_string(&page).expect("a page");
        let source = page
            .file_name()
            .unwrap_or_default()
            .to_string_lossy()
            .into_owned();
        let mut add = |line: &str, mention: bool| {
            // The first line of a file.
            if line.starts_with("papamu certificate ") {
                return;
            }
            examples.insert(Example {
                line: line.trim().to_owned(),
                source: source.clone(),
                mention,
            });
        };
        for (place, part) in text.split("```").enumerate() {
            if place % 2 == 1 {
                let block = part.replace("\\\n", " ");
                for line in block.lines() {
                    let typed = line.strip_prefix("$ ");
                    let line = typed.unwrap_or(line);
                    if line.starts_with("papamu ")
                        || typed.is_some_and(|line| line.contains("papamu "))
                    {
                        add(line.split("  #").next().unwrap_or(line), false);
                    }
                }
            } else {
                let spans = part.split('`').skip(1).step_by(2);
                for span in spans.filter(|span| span.starts_with("papamu ")) {
                    add(&span.split_whitespace().collect::<Vec<_>>().join(" "), true);
                }
            }
        }
    }
    examples
}

/// Whether somebody has to put something in its place first: `FILE`, `N`, `…`, `R`.
fn has_placeholder(line: &str) -> bool {
    let capital = |word: &str| {
        let word = word.trim_end_matches(".toml").trim_matches(['[', ']', '|']);
        !word.is_empty()
            && word
                .bytes()
                .all(|byte| byte.is_ascii_uppercase() || byte == b'|')
    };
    line.contains('…') || line.split_whitespace().any(capital)
}

/// Every word of a line is a command or an option that there is.
fn check_names(example: &Example, commands: &[(Vec<String>, String)]) {
    let begin = example.line.find("papamu ").unwrap_or_default();
    let words: Vec<&str> = example.line[begin..].split_whitespace().skip(1).collect();
    let begins = |command: &[String]| {
        words.len() >= command.len() && words.iter().zip(command).all(|(word, name)| word == name)
    };
    let longest = commands
        .iter()
        .filter(|(command, _)| begins(command))
        .max_by_key(|(command, _)| command.len());
    let (command, help) = longest.expect("papamu itself");
    let first = words.get(command.len());
    let is_command = !command.is_empty()
        || first.is_none_or(|word| word.starts_with('-') || has_placeholder(word));
    assert!(is_command, "{example:?}: no command {first:?}");
    for option in words.iter().filter(|word| word.starts_with("--")) {
        let option = option
            .split('=')
            .next()
            .unwrap_or(option)
            .trim_end_matches([',', '.', ']']);
        let known = help.split([' ', ',', '\n']).any(|word| word == option);
        assert!(
            known || option == "--help",
            "{example:?}: papamu {command:?} has no {option}"
        );
    }
}

/// The value after an option made small.
fn scaled(line: &str, option: &str, small: &str) -> String {
    let mut words: Vec<&str> = line.split(' ').collect();
    let places: Vec<usize> = (1..words.len())
        .filter(|&place| words[place - 1] == option)
        .collect();
    for place in places {
        words[place] = small;
    }
    words.join(" ")
}

/// The same command at a small scale.
fn small(line: &str, game_of_arena: &str) -> String {
    let mut line = line.to_owned();
    for (option, value) in [
        ("--simulations", "20"),
        ("--time", "0.2"),
        ("--memory", "64"),
        ("--depth", "3"),
        ("--checkpoint-every", "1"),
        ("--tell", "90"),
    ] {
        line = scaled(&line, option, value);
    }
    if line.starts_with("papamu arena match") {
        line = scaled(&line, "--games", "2");
    }
    if line.contains("--all-openings") {
        line = scaled(&line, "--size", "2");
    } else if line.starts_with("papamu solve")
        && !line.contains("--time")
        && !line.contains("--solvers")
    {
        line += " --time 5";
    }
    if line.starts_with("papamu serve") {
        line = line.replace(" --open", "").replace(" --host 0.0.0.0", "");
    }
    // There is no server: the same worker with a store.
    line = line.replace("http://server:8080 --token-file token.txt", "other.db");
    let mut words: Vec<String> = Vec::new();
    for word in line.split(' ') {
        let (id, rest) = word.split_once('-').unwrap_or((word, ""));
        let is_game =
            id.len() == 16 && id.bytes().all(|byte| byte.is_ascii_hexdigit()) && !rest.is_empty();
        words.push(match word {
            _ if is_game => game_of_arena.to_owned(),
            _ if word.starts_with("postgres://") => "other.db".to_owned(),
            _ => word.to_owned(),
        });
    }
    let line = words.join(" ");
    let add = |begin: &str, option: &str| {
        let wanted =
            line.starts_with(begin) && !line.contains(option.split(' ').next().unwrap_or(option));
        wanted.then(|| format!(" {option}"))
    };
    let more: String = [
        add("papamu review", "--player uct"),
        add("papamu review", "--simulations 20"),
        add("papamu bench", "--simulations 20"),
        add("papamu arena worker", "--exit-when-idle"),
        add("papamu worker", "--exit-when-idle"),
        add("papamu serve", "--check"),
        add("papamu serve --check", "--port 0"),
        add("papamu analyse", "--simulations 20"),
    ]
    .into_iter()
    .flatten()
    .collect();
    // What is added stands before a redirection or the next command.
    let end = [" > ", " < ", " | ", " && "]
        .into_iter()
        .filter_map(|sign| line.find(sign))
        .min();
    let (head, tail) = line.split_at(end.unwrap_or(line.len()));
    if !line.starts_with("papamu serve") {
        return format!("{head}{more}{tail}");
    }
    if line.contains("--describe") || line.contains("--help") {
        return line;
    }
    // At any port that is free, whichever the example names.
    let words: Vec<&str> = head.split(' ').collect();
    let named = words.iter().position(|&word| word == "--port");
    let named = named.map_or(0..0, |place| place..place + 2);
    let kept = words.iter().enumerate();
    let kept = kept.filter(|(place, _)| !named.contains(place));
    let head = kept.map(|(_, &word)| word).collect::<Vec<_>>().join(" ");
    format!("{head} --check --port 0 --games games.sqlite{tail}")
}

/// Runs a line by a shell.
fn run(folder: &Path, line: &str) -> Output {
    let path = Path::new(PAPAMU).parent().expect("a folder");
    let path = format!(
        "{}:{}",
        path.display(),
        env::var("PATH").unwrap_or_default()
    );
    Command::new("sh")
        .args(["-c", line])
        .current_dir(folder)
        .env("PATH", path)
        .env("HOME", folder)
        .env_remove("PAPAMU_STORE")
        .stdin(Stdio::null())
        .output()
        .expect("a shell")
}

fn told(folder: &Path, line: &str) -> String {
    let output = run(folder, line);
    assert!(
        output.status.success(),
        "{line}: {}",
        String::from_utf8_lossy(&output.stderr)
    );
    String::from_utf8(output.stdout).expect("text")
}

fn is_toml(word: &str) -> bool {
    Path::new(word)
        .extension()
        .is_some_and(|ending| ending == "toml")
}

/// The files that the examples name. An experiment has the name of the real one, and is small.
fn prepare(folder: &Path, examples: &BTreeSet<Example>) {
    let write = |name: &str, text: &str| {
        let file = folder.join(name);
        fs::create_dir_all(file.parent().expect("a folder")).expect("made");
        fs::write(file, text).expect("written");
    };
    let game = "(;FF[4]EV[null]PB[Ann]PW[Bob]SZ[4]RU[LG]RE[B]SO[http://www.littlegolem.com];W[F3];B[swap];W[B4];B[resign])\n";
    write("token.txt", "a-token-of-the-examples\n");
    write("games/game.hgf", game);
    write("game.hgf", game);
    write(
        "queries.jsonl",
        "{\"id\": \"a\", \"game\": \"havannah\", \"size\": 3, \"player\": \"uct\"}\n",
    );
    write("game.sgf", "(;SZ[4];W[d4];B[c3];W[e5])\n");
    write("hard.tsv", "a1 b2 c3\tblack\twhite\t1\n");
    fs::create_dir_all(folder.join(".local/share/bash-completion/completions")).expect("made");
    let words = examples.iter().flat_map(|example| example.line.split(' '));
    for word in words.clone().filter(|word| word.starts_with("crates/")) {
        let real = fs::read_to_string(repository().join(word));
        write(
            word,
            &real.unwrap_or_else(|error| panic!("an example names {word}: {error}")),
        );
    }
    for word in words.filter(|word| is_toml(word) && !has_placeholder(word)) {
        let real = repository().join(word);
        let is_tuning = fs::read_to_string(&real).is_ok_and(|text| text.contains("[[parameter]]"))
            || word == "tune.toml";
        if word.contains('/') {
            assert!(
                real.exists(),
                "an example names {word}, which does not exist"
            );
        }
        if word.starts_with("learning/") {
            let tiny = repository().join("learning/tiny.toml");
            write(word, &fs::read_to_string(tiny).expect("a plan"));
            continue;
        }
        let name = Path::new(word)
            .file_stem()
            .unwrap_or_default()
            .to_string_lossy()
            .into_owned();
        let common = "game = \"havannah\"\n[budget]\nsimulations = 5\n[openings]\nrandom = 1\n";
        let text = if is_tuning {
            format!(
                "name = \"{name}\"\nsizes = [2]\niterations = 1\npairs = 1\n{common}[player]\nplayer = \"uct\"\n[[parameter]]\nname = \"exploration\"\nstart = 0.5\nmin = 0\nmax = 2\nstep = 0.1\n"
            )
        } else {
            format!(
                "name = \"{name}\"\ngames = 2\n{common}[board]\nsize = 2\n[players.a]\nplayer = \"uct\"\n[players.b]\nplayer = \"uct\"\n[[match]]\nplayer = \"a\"\nagainst = \"b\"\n[quick]\ngames = 2\n[[figure]]\ntitle = \"Turns\"\nmeasure = \"seconds\"\nx = \"turn\"\n"
            )
        };
        let text = text.replacen("game = \"havannah\"\n", "", 1);
        write(word, &format!("game = \"havannah\"\n{text}"));
    }
    told(folder, "papamu learn learning/havannah.toml");
    told(folder, "papamu learn learning/havannah-5.toml");
    told(
        folder,
        "papamu solve havannah --size 2 --all-openings --certificate proofs",
    );
    told(
        folder,
        "papamu solve havannah --size 4 --moves \"b1 d2 a2 e4\" --certificate early.cert --export early.sgf --export-work 50",
    );
    told(
        folder,
        "papamu solve havannah --size 2 --all-openings --certificate proofs",
    );
}

/// A store with the results of one experiment, and a game of it.
fn fill_store(folder: &Path) -> String {
    let _ = fs::remove_file(folder.join("arena.db"));
    told(
        folder,
        "papamu arena run experiments/havannah/rave-vs-uct.toml",
    );
    let status = told(folder, "papamu arena status --json");
    let status: serde_json::Value =
        serde_json::from_str(status.lines().next().unwrap_or_default()).expect("JSON");
    let id = status["id"]
        .as_str()
        .or_else(|| status["experiment"].as_str());
    format!(
        "{}-0-0",
        id.unwrap_or_else(|| panic!("no identifier in {status}"))
    )
}

#[test]
fn examples_work() {
    let commands = commands();
    let mut examples = examples_of_help();
    assert!(examples.len() > 20, "{examples:?}");
    examples.extend(examples_of_pages());
    assert!(examples.len() > 60, "{examples:?}");
    let folder = tempfile::tempdir().expect("a folder");
    let folder = folder.path();
    let (to_check, to_run): (BTreeSet<Example>, BTreeSet<Example>) = examples
        .into_iter()
        .partition(|example| has_placeholder(&example.line));
    for example in to_check.iter().chain(&to_run) {
        for part in example.line.split(" && ") {
            let part = Example {
                line: part.to_owned(),
                ..example.clone()
            };
            check_names(&part, &commands);
        }
    }
    prepare(folder, &to_run);
    let game = fill_store(folder);
    let mut failed = Vec::new();
    let mut ran = BTreeSet::new();
    for example in to_run {
        let parts: Vec<String> = example
            .line
            .split(" && ")
            .map(|part| small(part, &game))
            .collect();
        if !ran.insert(parts.clone()) {
            continue;
        }
        if parts.iter().any(|part| part.contains("arena")) {
            fill_store(folder);
        }
        let line = parts.join(" && ");
        let output = run(folder, &line);
        let errors = String::from_utf8_lossy(&output.stderr).into_owned();
        let unsolved = line.starts_with("papamu solve") && output.status.code() != Some(2);
        let not_built =
            line.starts_with("papamu serve") && errors.contains("without the browser app");
        // The name of a command in a sentence has no arguments.
        let lacks = [
            "required arguments were not provided",
            "no command is given",
            "stones have to be removed first",
        ]
        .iter()
        .any(|what| errors.contains(what));
        if !(output.status.success() || unsolved || not_built || (example.mention && lacks)) {
            failed.push(format!("{example:?} run as {line:?}: {errors}"));
        }
    }
    assert!(failed.is_empty(), "{}", failed.join("\n"));
    assert!(ran.len() > 40, "{ran:?}");
}

/// What a page shows below a command is what the command prints, but for the seconds: at least its first lines.
#[test]
fn what_is_shown_is_printed() {
    let page = fs::read_to_string(repository().join("docs/solving.md")).expect("a page");
    let folder = tempfile::tempdir().expect("a folder");
    let mut shown = 0;
    for block in page.split("```console\n").skip(1) {
        let block = block.split("```").next().unwrap_or_default();
        // Blocks of commands alone name files that nothing makes.
        if block.lines().all(|line| line.starts_with("$ ")) {
            continue;
        }
        let mut printed = Vec::new();
        for line in block.lines() {
            if let Some(command) = line.strip_prefix("$ ") {
                let output = told(folder.path(), command);
                printed = output.lines().map(without_seconds).rev().collect();
            } else {
                assert_eq!(printed.pop(), Some(without_seconds(line)), "{block}");
                shown += 1;
            }
        }
    }
    assert!(shown > 3, "{shown} lines test nothing");
}

/// A line with its decimal fractions, which are seconds, left out.
fn without_seconds(line: &str) -> String {
    let is_fraction = |word: &&str| word.contains('.') && word.parse::<f64>().is_ok();
    let words: Vec<&str> = line.split(' ').filter(|word| !is_fraction(word)).collect();
    words.join(" ")
}
