//! The files by which other machines build, test and package: they are YAML of the right structure, and what they name is
//! there.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
#[cfg(unix)]
use std::process::Command;
use yaml_rust2::{Yaml, YamlLoader};

fn workspace() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn read(file: &str) -> String {
    fs::read_to_string(workspace().join(file)).unwrap_or_else(|why| panic!("{file}: {why}"))
}

/// The one document of a text, which is a mapping.
fn document(text: &str) -> Result<Yaml, String> {
    let mut documents = YamlLoader::load_from_str(text).map_err(|why| why.to_string())?;
    match documents.pop() {
        Some(document) if documents.is_empty() && document.as_hash().is_some() => Ok(document),
        _ => Err("no mapping".to_owned()),
    }
}

/// What a mapping has under a key.
fn at<'a>(node: &'a Yaml, key: &str) -> Option<&'a Yaml> {
    node.as_hash()?.get(&Yaml::String(key.to_owned()))
}

fn keys(node: Option<&Yaml>) -> Vec<String> {
    let mapping = node.and_then(Yaml::as_hash);
    let keys = mapping
        .into_iter()
        .flatten()
        .filter_map(|(key, _)| key.as_str());
    keys.map(str::to_owned).collect()
}

/// A list of texts, or one text.
fn texts(node: Option<&Yaml>) -> Vec<String> {
    let Some(node) = node else {
        return Vec::new();
    };
    let list = node.as_vec().map(|items| items.iter().collect());
    let items: Vec<&Yaml> = list.unwrap_or_else(|| vec![node]);
    items
        .iter()
        .filter_map(|item| item.as_str())
        .map(str::to_owned)
        .collect()
}

/// All texts in a node, at any depth.
fn all_texts(node: &Yaml, found: &mut Vec<String>) {
    if let Some(text) = node.as_str() {
        found.push(text.to_owned());
    }
    for item in node.as_vec().into_iter().flatten() {
        all_texts(item, found);
    }
    for (_, value) in node.as_hash().into_iter().flatten() {
        all_texts(value, found);
    }
}

/// What is wrong with a workflow.
fn faults(text: &str) -> Vec<String> {
    let workflow = match document(text) {
        Ok(workflow) => workflow,
        Err(why) => return vec![why],
    };
    let mut faults = Vec::new();
    for key in ["name", "on", "permissions", "jobs"] {
        if at(&workflow, key).is_none() {
            faults.push(format!("no {key}"));
        }
    }
    let permissions = at(&workflow, "permissions");
    if permissions.is_some_and(|permissions| permissions["contents"].as_str() != Some("read")) {
        faults.push("more than reading is allowed to all jobs".to_owned());
    }
    let jobs = at(&workflow, "jobs");
    let names = keys(jobs);
    for name in &names {
        let job = &jobs.expect("jobs")[name.as_str()];
        let mut fault = |what: String| faults.push(format!("{name}: {what}"));
        for key in ["runs-on", "timeout-minutes", "steps"] {
            if at(job, key).is_none() {
                fault(format!("no {key}"));
            }
        }
        for need in texts(at(job, "needs")) {
            if !names.contains(&need) {
                fault(format!("needs {need}, which is not there"));
            }
        }
        for step in job["steps"].as_vec().into_iter().flatten() {
            let [uses, run] = ["uses", "run"].map(|key| at(step, key).and_then(Yaml::as_str));
            match (uses, run) {
                (Some(action), None) => {
                    let version = action.split_once("@v").map(|(_, version)| version);
                    if !version
                        .is_some_and(|version| version.starts_with(|c: char| c.is_ascii_digit()))
                    {
                        fault(format!("{action} has no version"));
                    }
                }
                (None, Some(command)) => {
                    for what in absent(command) {
                        fault(format!("{command:?} names {what}, which is not there"));
                    }
                }
                _ => fault("a step either uses an action or runs a command".to_owned()),
            }
        }
        for axis in unknown_axes(job) {
            fault(format!("no matrix.{axis}"));
        }
    }
    faults
}

/// The axes of the matrix that a job uses and does not have.
fn unknown_axes(job: &Yaml) -> Vec<String> {
    let matrix = at(job, "strategy").and_then(|strategy| at(strategy, "matrix"));
    let mut known: BTreeSet<String> = keys(matrix).into_iter().collect();
    let include = matrix.and_then(|matrix| at(matrix, "include"));
    for point in include.and_then(Yaml::as_vec).into_iter().flatten() {
        known.extend(keys(Some(point)));
    }
    let mut all = Vec::new();
    all_texts(job, &mut all);
    let used = all.iter().flat_map(|text| text.split("matrix.").skip(1));
    let name = |rest: &str| {
        rest.split(|c: char| !c.is_alphanumeric() && c != '-')
            .next()
            .unwrap_or_default()
            .to_owned()
    };
    used.map(name)
        .filter(|name| !known.contains(name))
        .collect()
}

/// The files, targets of the Makefile and packages that a command names and that are not there.
fn absent(command: &str) -> Vec<String> {
    let words: Vec<&str> = command.split_whitespace().collect();
    let mut absent = Vec::new();
    for (place, &word) in words.iter().enumerate() {
        let is_script = [".ci/", "packaging/"]
            .iter()
            .any(|folder| word.starts_with(folder));
        if is_script && !workspace().join(word).exists() {
            absent.push(word.to_owned());
        }
        let before = place.checked_sub(1).map(|place| words[place]);
        if before == Some("make") && !read("Makefile").contains(&format!("\n{word}:")) {
            absent.push(format!("the target {word}"));
        }
        if before == Some("--package") && !packages().contains(word) {
            absent.push(format!("the package {word}"));
        }
    }
    absent
}

/// The names of all packages.
fn packages() -> BTreeSet<String> {
    let mut names = BTreeSet::new();
    for folder in ["crates", "crates/games"] {
        for entry in fs::read_dir(workspace().join(folder)).expect("a folder of crates") {
            let manifest = entry.expect("an entry").path().join("Cargo.toml");
            let text = fs::read_to_string(manifest).unwrap_or_default();
            let name = text.lines().find_map(|line| line.strip_prefix("name = "));
            names.extend(name.map(|name| name.trim_matches('"').to_owned()));
        }
    }
    names
}

fn names_in(folder: &str) -> Vec<String> {
    let entries = fs::read_dir(workspace().join(folder)).expect("a folder");
    let name =
        |entry: std::io::Result<fs::DirEntry>| entry.expect("an entry").file_name().into_string();
    let mut names: Vec<String> = entries.map(|entry| name(entry).expect("UTF-8")).collect();
    names.sort();
    names
}

#[test]
fn workflows_are_well_formed() {
    let names = names_in(".github/workflows");
    assert!(!names.is_empty());
    for name in names {
        let text = read(&format!(".github/workflows/{name}"));
        assert_eq!(faults(&text), [""; 0], "{name}");
    }
    assert!(read(".github/workflows/ci.yml").contains("run: .ci/run"));
}

#[test]
fn what_is_wrong_with_a_workflow_is_found() {
    let text = read(".github/workflows/ci.yml");
    for (from, to, fault) in [
        ("contents: read", "contents: write", "allowed"),
        ("timeout-minutes: 60", "timeout: 60", "no timeout-minutes"),
        ("actions/checkout@v4", "actions/checkout", "no version"),
        (
            "actions/checkout@v4",
            "actions/checkout@releases/v4",
            "no version",
        ),
        ("run: .ci/run", "run: .ci/walk", ".ci/walk"),
        ("matrix.system", "matrix.machine", "no matrix.machine"),
        ("run: .ci/miri", "walk: .ci/miri", "either uses"),
        ("jobs:", "jobs: [", ""),
    ] {
        let found = faults(&text.replacen(from, to, 1));
        assert!(
            found.iter().any(|found| found.contains(fault)),
            "{to}: {found:?}"
        );
    }
}

/// The jobs for which a job waits, and those for which they wait.
fn waits_for(jobs: &Yaml, name: &str) -> BTreeSet<String> {
    let needs = texts(at(&jobs[name], "needs"));
    let further = needs.iter().flat_map(|need| waits_for(jobs, need));
    further.chain(needs.iter().cloned()).collect()
}

#[test]
fn nothing_is_released_before_the_tag_is_compared_with_the_version() {
    let release = document(&read(".github/workflows/release.yml")).expect("a mapping");
    let jobs = &release["jobs"];
    let compares = &jobs["version"]["steps"][1]["run"];
    assert_eq!(
        compares.as_str(),
        Some("packaging/version \"$GITHUB_REF_NAME\"")
    );
    for name in keys(Some(jobs)) {
        assert!(
            name == "version" || waits_for(jobs, &name).contains("version"),
            "{name}"
        );
    }
}

#[cfg(unix)]
#[test]
fn a_tag_of_another_version_is_refused() {
    let version = env!("CARGO_PKG_VERSION");
    let run = |tag: &str| {
        let script = workspace().join("packaging/version");
        Command::new(script).arg(tag).output().expect("a shell")
    };
    let same = run(&format!("v{version}"));
    assert!(same.status.success());
    assert_eq!(String::from_utf8_lossy(&same.stdout).trim(), version);
    for tag in ["v9.8.7", version] {
        let other = run(tag);
        assert!(!other.status.success(), "{tag}");
        let told = String::from_utf8_lossy(&other.stderr).into_owned();
        assert!(
            told.contains(tag) && told.contains(&format!("v{version}")),
            "{told}"
        );
    }
}

#[test]
fn every_fuzz_target_runs_each_night() {
    let nightly = document(&read(".github/workflows/nightly.yml")).expect("a mapping");
    let matrix = texts(Some(
        &nightly["jobs"]["fuzz"]["strategy"]["matrix"]["target"],
    ));
    let mut targets = names_in("crates/fuzz/tests/all");
    targets.retain_mut(|name| {
        let module = name.strip_suffix(".rs").unwrap_or("main");
        *name = module.to_owned();
        name != "main"
    });
    assert_eq!(matrix, targets);
}

#[test]
fn scripts_name_what_is_there() {
    for folder in [".ci", "packaging"] {
        for name in names_in(folder) {
            let found = absent(&read(&format!("{folder}/{name}")));
            assert_eq!(found, [""; 0], "{folder}/{name}");
        }
    }
}

#[test]
fn the_services_are_well_formed() {
    let text = read("packaging/compose.yaml");
    let compose = document(&text).expect("a mapping");
    let services = keys(at(&compose, "services"));
    assert_eq!(services, ["server", "worker", "database"]);
    for name in &services {
        let service = &compose["services"][name.as_str()];
        for needed in keys(at(service, "depends_on")) {
            assert!(services.contains(&needed), "{name} depends on {needed}");
        }
        for volume in texts(at(service, "volumes")) {
            let volume = volume.split(':').next().unwrap_or_default();
            assert!(keys(at(&compose, "volumes")).contains(&volume.to_owned()));
        }
    }
    assert_eq!(
        compose["services"]["worker"]["deploy"]["replicas"].as_i64(),
        Some(2)
    );
}

#[test]
fn the_container_has_what_it_is_built_from() {
    let workspace: toml::Table = read("Cargo.toml").parse().expect("TOML");
    let rust = workspace["workspace"]["package"]["rust-version"].as_str();
    let image = format!("/rust:{}-", rust.expect("a version"));
    let container = read("packaging/Containerfile");
    assert!(container.contains(&image), "no image {image}");

    let context = read(".dockerignore");
    let members = workspace["workspace"]["members"].as_array();
    let members = members
        .expect("the crates")
        .iter()
        .filter_map(toml::Value::as_str);
    let members = members.filter_map(|member| member.split('/').next());
    let files = ["Cargo.toml", "Cargo.lock", "ui"].into_iter();
    for needed in files.chain(members).collect::<BTreeSet<_>>() {
        let line = format!("!/{needed}");
        assert!(context.lines().any(|other| other == line), "no {line}");
    }
}
