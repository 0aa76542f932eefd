//! What a run has done: a file with a line of JSON for each step.

use crate::error::{LearnError, of_file};
use serde::{Deserialize, Serialize};
use statistics::{Estimate, Pairs};
use std::fs::{File, OpenOptions};
use std::io::{Seek, SeekFrom, Write};
use std::path::Path;
use training::Loss;

/// The games of a generation.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Played {
    /// Games.
    pub games: u64,
    /// Positions that can be learned from.
    pub positions: u64,
    /// Those of which a full search is known.
    pub searched: u64,
    /// Points of White, the side that moves first.
    pub white_points: f64,
    /// Games that a search ended by a proof.
    pub proven: u64,
    /// Games that a side gave up.
    pub resigned: u64,
    /// Games in which a side would have given up, but was held to play on.
    pub controls: u64,
    /// Those of them that it did not lose.
    pub wrong_controls: u64,
    /// Bytes of the file of games.
    pub bytes: u64,
}

/// What training came to.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Trained {
    /// The SHA-256 of the file of weights, in hexadecimal digits.
    pub weights: String,
    /// Positions of the window.
    pub positions: u64,
    /// Steps of the generation.
    pub steps: u64,
    /// How well positions were predicted while they were learned from.
    pub learned: Loss,
    /// How well positions of games were predicted that were not learned from.
    pub held_out: Loss,
}

/// A match of new weights against the best so far.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Matched {
    /// Pairs by the points of the new weights.
    pub pairs: Pairs,
    /// Whether the new weights are the best now.
    pub promoted: bool,
}

/// A step of a run.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub(crate) struct Line {
    pub generation: u32,
    /// Seconds that the process which finished the step has worked on it.
    pub seconds: f64,
    pub step: Step,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Step {
    Played(Played),
    Trained(Trained),
    Matched(Matched),
}

/// A generation as far as it is known.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub struct Generation {
    /// Counted from 1.
    pub generation: u32,
    /// Its games.
    pub played: Option<Played>,
    /// Its training.
    pub trained: Option<Trained>,
    /// Its match.
    pub matched: Option<Matched>,
    /// Elo against the best so far with its interval of 95 %. Where all points were won or all lost, half a point counts
    /// as scored by the other side.
    pub elo: Option<Estimate>,
    /// Elo against what the run began with: the sum of the matches that were promoted, and this one.
    pub elo_so_far: Option<Estimate>,
    /// Seconds of its steps.
    pub seconds: f64,
}

/// The level of the intervals.
const LEVEL: f64 = 0.95;

/// What is known of each generation.
pub(crate) fn generations(lines: &[Line]) -> Vec<Generation> {
    let mut found: Vec<Generation> = Vec::new();
    let mut best = Estimate::symmetric(0.0, 0.0);
    for line in lines {
        if found
            .last()
            .is_none_or(|last| last.generation != line.generation)
        {
            found.push(Generation {
                generation: line.generation,
                ..Generation::default()
            });
        }
        let Some(generation) = found.last_mut() else {
            continue;
        };
        generation.seconds += line.seconds;
        match &line.step {
            Step::Played(played) => generation.played = Some(played.clone()),
            Step::Trained(trained) => generation.trained = Some(trained.clone()),
            Step::Matched(matched) => {
                generation.elo = elo(&matched.pairs);
                generation.elo_so_far = generation.elo.map(|elo| sum(best, elo));
                if let (true, Some(elo)) = (matched.promoted, generation.elo_so_far) {
                    best = elo;
                }
                generation.matched = Some(matched.clone());
            }
        }
    }
    found
}

fn elo(pairs: &Pairs) -> Option<Estimate> {
    let found = pairs.elo(LEVEL)?;
    let games = pairs.games() as f64;
    let score = pairs.points().clamp(0.5, games - 0.5) / games;
    let value = if found.value.is_finite() {
        found.value
    } else {
        statistics::elo::of_score(score)
    };
    let finite = |bound: f64| if bound.is_finite() { bound } else { value };
    Some(Estimate {
        value,
        low: finite(found.low).min(value),
        high: finite(found.high).max(value),
    })
}

/// The sum of two independent estimates.
fn sum(one: Estimate, other: Estimate) -> Estimate {
    let value = one.value + other.value;
    let low = libm::hypot(one.value - one.low, other.value - other.low);
    let high = libm::hypot(one.high - one.value, other.high - other.value);
    Estimate {
        value,
        low: value - low,
        high: value + high,
    }
}

/// The journal, open to add lines.
pub(crate) struct Journal {
    file: File,
    pub lines: Vec<Line>,
}

impl Journal {
    /// Opens a journal, or makes it. A line that was not written to its end is cut off.
    pub(crate) fn open(path: &Path) -> Result<Journal, LearnError> {
        let mut options = OpenOptions::new();
        options.read(true).write(true).create(true).truncate(false);
        let mut file = of_file(path, options.open(path))?;
        let (lines, whole) = parse(path, &of_file(path, std::fs::read(path))?)?;
        of_file(path, file.set_len(whole as u64))?;
        of_file(path, file.seek(SeekFrom::Start(whole as u64)))?;
        Ok(Journal { file, lines })
    }

    /// Adds a line, which is on the disk afterwards.
    pub(crate) fn add(&mut self, path: &Path, line: Line) -> Result<(), LearnError> {
        let written = serde_json::to_string(&line).map_err(std::io::Error::from);
        let mut text = of_file(path, written)?;
        text.push('\n');
        of_file(path, self.file.write_all(text.as_bytes()))?;
        of_file(path, self.file.sync_data())?;
        self.lines.push(line);
        Ok(())
    }
}

/// The lines of a journal that others may be writing.
pub(crate) fn read(path: &Path) -> Result<Vec<Line>, LearnError> {
    Ok(parse(path, &of_file(path, std::fs::read(path))?)?.0)
}

/// The lines, and how many bytes are whole.
fn parse(path: &Path, bytes: &[u8]) -> Result<(Vec<Line>, usize), LearnError> {
    let whole = bytes
        .iter()
        .rposition(|&byte| byte == b'\n')
        .map_or(0, |end| end + 1);
    let mut lines = Vec::new();
    for (number, line) in (1..).zip(bytes[..whole].split_inclusive(|&byte| byte == b'\n')) {
        let line = serde_json::from_slice(line).map_err(|why| LearnError::Damaged {
            path: path.to_owned(),
            what: format!("line {number}: {why}"),
            remedy: "remove this line and all behind it: their steps are done again",
        })?;
        lines.push(line);
    }
    Ok((lines, whole))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn matched(generation: u32, pairs: [u64; 5], promoted: bool) -> Line {
        Line {
            generation,
            seconds: 1.0,
            step: Step::Matched(Matched {
                pairs: Pairs::new(pairs),
                promoted,
            }),
        }
    }

    #[test]
    fn elo_adds_up_over_promotions() {
        let lines = [
            matched(1, [0, 0, 10, 0, 10], true),
            matched(2, [10, 0, 10, 0, 0], false),
            matched(3, [0, 0, 10, 0, 10], true),
        ];
        let found = generations(&lines);
        let elo: Vec<f64> = found
            .iter()
            .filter_map(|row| row.elo_so_far)
            .map(|elo| elo.value)
            .collect();
        // Three quarters of the points are 190.8 Elo.
        for (found, expected) in elo.iter().zip([190.8, 0.0, 381.7]) {
            assert!((found - expected).abs() < 0.1, "{elo:?}");
        }
        let margins: Vec<f64> = found
            .iter()
            .filter_map(|row| row.elo_so_far)
            .map(|elo| elo.margin())
            .collect();
        assert!(
            (margins[2] / margins[0] - 2f64.sqrt()).abs() < 0.01,
            "{margins:?}"
        );
    }

    #[test]
    fn a_line_without_its_end_is_cut_off() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("journal.jsonl");
        let mut journal = Journal::open(&path).expect("made");
        for generation in 1..4 {
            let line = matched(generation, [1, 2, 3, 4, 5], true);
            journal.add(&path, line).expect("added");
        }
        let whole = std::fs::read(&path).expect("the file");
        let ends: Vec<usize> = (0..whole.len()).filter(|&at| whole[at] == b'\n').collect();
        for cut in 0..whole.len() {
            std::fs::write(&path, &whole[..cut]).expect("written");
            let lines = Journal::open(&path).expect("opened").lines;
            assert_eq!(lines.len(), ends.iter().filter(|&&end| end < cut).count());
            assert_eq!(lines, journal.lines[..lines.len()]);
        }
        std::fs::write(&path, "{}\n").expect("written");
        let refused = Journal::open(&path).err().map(|why| why.to_string());
        assert!(refused.is_some_and(|why| why.contains("line 1: missing field")));
    }
}
