//! The files of `experiments/`: each can be played at both scales, and shows the published numbers beside
//! lines of its own.

use arena::experiment::{Figure, Measure};
use arena::tune::Tuning;
use arena::{Experiment, Scale, check};
use std::path::{Path, PathBuf};

fn experiments() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../experiments")
}

fn toml_files(folder: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder).expect("a folder of experiments");
    entries
        .map(|entry| entry.expect("a file").path())
        .filter(|path| {
            path.extension()
                .is_some_and(|extension| extension == "toml")
        })
        .collect()
}

/// Those of the theses' figures and tables.
fn files() -> Vec<PathBuf> {
    let mut files: Vec<PathBuf> = ["havannah", "konane"]
        .iter()
        .flat_map(|game| toml_files(&experiments().join(game)))
        .collect();
    files.sort();
    files
}

fn read(path: &Path, scale: Scale) -> Experiment {
    let text = std::fs::read_to_string(path).expect("a readable file");
    let experiment = Experiment::read(&text, scale);
    let experiment = experiment.unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    check(&experiment).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    experiment
}

/// The lines of a figure of which games are played.
fn lines(experiment: &Experiment, figure: &Figure) -> Vec<String> {
    let line = |point| arena::experiment::Point::fill(point, &figure.line).expect("a line");
    experiment.points.iter().map(line).collect()
}

#[test]
fn every_file_can_be_played_at_both_scales() {
    let files = files();
    assert!(files.len() >= 35, "{} files", files.len());
    for path in &files {
        for scale in [Scale::Full, Scale::Quick] {
            let experiment = read(path, scale);
            let stem = path.file_stem().and_then(|stem| stem.to_str());
            assert_eq!(Some(&*experiment.name), stem);
            assert!(
                !experiment.title.is_empty() && !experiment.source.is_empty(),
                "{path:?}"
            );
            assert!(!experiment.figures.is_empty() || experiment.name.contains("tournament"));
        }
        let [full, quick] = [Scale::Full, Scale::Quick].map(|scale| read(path, scale));
        let games = |experiment: &Experiment| {
            experiment.points.len() as u64 * u64::from(experiment.pairs.unwrap_or(1))
        };
        assert!(
            games(&quick) < games(&full),
            "{}: quick is not quicker",
            path.display()
        );
    }
}

/// Those beside the theses' figures too: matches with other programs, levels, clocks.
#[test]
fn every_other_file_can_be_played() {
    let mut others = Vec::new();
    for folder in [
        experiments(),
        experiments().join("castro"),
        experiments().join("first-stone"),
        experiments().join("havannah-first"),
        experiments().join("konane-first"),
        experiments().join("lajkonik"),
        experiments().join("levels"),
    ] {
        others.extend(toml_files(&folder));
    }
    assert!(others.len() >= 6, "{others:?}");
    for path in &others {
        let experiment = read(path, Scale::Full);
        assert!(!experiment.title.is_empty(), "{path:?}");
    }
}

/// The ids are hashes of what decides the games, under which stores keep results: a change to one parts an experiment
/// from its games. `BLESS=1` takes the ids as they are.
#[test]
fn the_ids_of_experiments_stay() {
    let mut files = files();
    for folder in [
        experiments(),
        experiments().join("castro"),
        experiments().join("first-stone"),
        experiments().join("havannah-first"),
        experiments().join("konane-first"),
        experiments().join("lajkonik"),
        experiments().join("levels"),
    ] {
        files.extend(toml_files(&folder));
    }
    files.sort();
    let mut ids = String::new();
    for path in &files {
        let name = path.strip_prefix(experiments()).expect("in the folder");
        for (scale, title) in [(Scale::Full, "full"), (Scale::Quick, "quick")] {
            let id = read(path, scale).id;
            ids += &format!("{} {title} {id}\n", name.display());
        }
    }
    let pinned = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/experiment-ids.txt");
    if std::env::var_os("BLESS").is_some() {
        std::fs::write(&pinned, &ids).expect("written");
    }
    let pinned = std::fs::read_to_string(pinned).expect("the ids");
    for (now, before) in ids.lines().zip(pinned.lines()) {
        assert_eq!(now, before);
    }
    assert_eq!(ids.lines().count(), pinned.lines().count());
}

#[test]
fn every_tuning_can_go_on() {
    let files = toml_files(&experiments().join("tuning"));
    assert!(!files.is_empty());
    for path in files {
        let text = std::fs::read_to_string(&path).expect("a file");
        let tuning = Tuning::read(&text).unwrap_or_else(|error| panic!("{path:?}: {error}"));
        assert!(tuning.iterations() > 0, "{path:?}");
    }
}

/// A published line beside which nothing is ever played is a mistake in its name, but for those that
/// the source gives of something else.
#[test]
fn published_lines_are_beside_measured_ones() {
    let of_something_else = [
        // The same games, seen from the other side.
        "One ply",
        "Disabled",
        // One example game, and a remark on all depths.
        "example of the thesis, Black",
        "example of the thesis, White",
        "best of any depth",
    ];
    let mut all = 0;
    for path in files() {
        let full = read(&path, Scale::Full);
        let quick = read(&path, Scale::Quick);
        for figure in full
            .figures
            .iter()
            .filter(|figure| figure.measure == Measure::Score)
        {
            let measured = lines(&full, figure);
            for published in &figure.published {
                all += published.points.len();
                let known = measured.contains(&published.line);
                let other = of_something_else.contains(&&*published.line);
                assert!(known || other, "{}: {:?}", path.display(), published.line);
            }
        }
        for figure in quick
            .figures
            .iter()
            .filter(|figure| !figure.published.is_empty())
        {
            let measured = lines(&quick, figure);
            let beside = figure
                .published
                .iter()
                .any(|published| measured.contains(&published.line));
            let elsewhere = figure
                .published
                .iter()
                .all(|p| of_something_else.contains(&&*p.line));
            assert!(
                beside || elsewhere,
                "{}: nothing of it is played at quick scale",
                path.display()
            );
        }
    }
    // 1,008 coordinates of the Castro thesis; wins, table 3.1 and the survey of Shokry's.
    assert_eq!(all, 1_008 + 9 + 1 + 25 + 1);
}
