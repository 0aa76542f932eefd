//! Progress of an experiment: bars on a terminal, plain lines elsewhere.

use crate::progress::Pace;
use anyhow::Result;
use arena::experiment::Stop;
use arena::verdict::summary;
use arena::{Event, Loaded, Score, Store};
use indicatif::{ProgressBar, ProgressStyle};
use std::collections::{BTreeMap, BTreeSet};
use std::io::IsTerminal;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// How often a plain line is printed.
const BETWEEN_LINES: Duration = Duration::from_secs(10);
/// How often the store is asked for what others have played, and how many times as long as the answer
/// took at least.
const LOOK: Duration = Duration::from_secs(5);
const REST: u32 = 100;

/// What is shown while an experiment is played.
pub struct Progress {
    shown: Mutex<Shown>,
}

struct Shown {
    bar: ProgressBar,
    is_terminal: bool,
    scores: BTreeMap<u64, Score>,
    /// Points whose test has decided.
    closed: BTreeSet<u64>,
    /// The score of the first game of each pair whose second one is not stored yet.
    halves: BTreeMap<u64, i64>,
    games: u64,
    total: u64,
    pace: Pace,
    printed: Instant,
}

impl Progress {
    /// The progress of an experiment, from what is stored already.
    pub async fn new(store: &Store, loaded: &Loaded) -> Result<Progress> {
        let counts = store.counts(&loaded.experiment.id).await?;
        let total = 2 * (counts.open + counts.done);
        let is_terminal = std::io::stderr().is_terminal();
        let bar = if is_terminal {
            ProgressBar::new(total)
        } else {
            ProgressBar::hidden()
        };
        let pace = Pace::new(counts.games);
        if let Ok(style) =
            ProgressStyle::with_template("{wide_bar} {pos}/{len} games, {left} left\n{msg}")
        {
            bar.set_style(pace.shown_as_left(style));
        }
        bar.set_position(counts.games);
        let experiment = &loaded.experiment;
        let shown = Shown {
            bar,
            is_terminal,
            scores: store.scores(&experiment.id, None).await?,
            closed: store.closed_points(&experiment.id).await?,
            halves: BTreeMap::new(),
            games: counts.games,
            total,
            pace,
            printed: Instant::now(),
        };
        let reference = if arena::needs_reference(experiment) {
            format!(
                ", a second of the reference machine is {:.3} s here",
                loaded.reference
            )
        } else {
            String::new()
        };
        shown.line(&format!(
            "{} ({}, {} scale): {} points, {} of {} games stored{reference}",
            experiment.name,
            experiment.id,
            experiment.scale,
            experiment.points.len(),
            counts.games,
            total
        ));
        Ok(Progress {
            shown: Mutex::new(shown),
        })
    }

    /// Looks from time to time for what others have stored, for ever.
    pub async fn follow(&self, store: &Store, experiment: &str) {
        let mut pause = LOOK;
        loop {
            tokio::time::sleep(pause).await;
            let asked = Instant::now();
            let counts = store.counts(experiment).await;
            // If it cannot be reached, those who store games say so.
            if let (Ok(counts), Ok(scores)) = (counts, store.scores(experiment, None).await) {
                let mut shown = self.lock();
                shown.total = 2 * (counts.open + counts.done);
                shown.bar.set_length(shown.total);
                shown.games = counts.games;
                shown.bar.set_position(shown.games);
                shown.scores = scores;
            }
            pause = LOOK.max(REST * asked.elapsed());
        }
    }

    fn lock(&self) -> MutexGuard<'_, Shown> {
        self.shown.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Shows what has happened.
    pub fn tell(&self, event: &Event) {
        let mut shown = self.lock();
        match event {
            Event::Stored(loaded, game) => {
                let first = shown.halves.remove(&game.pair);
                if first.is_none() {
                    shown.halves.insert(game.pair, game.score);
                }
                let score = shown.scores.entry(game.point).or_default();
                // The pair of a game that was stored before this run is counted when the store is asked again.
                if let Some(first) = first {
                    score.pairs[((first + game.score) as usize).min(4)] += 1;
                }
                match game.score {
                    2 => score.wins += 1,
                    1 => score.draws += 1,
                    _ => score.losses += 1,
                }
                let score = *score;
                shown.games += 1;
                if !game.fault.is_empty() {
                    shown.line(&format!(
                        "game {}: {}",
                        arena::game_id(&game.experiment, game.pair, game.colour),
                        game.fault
                    ));
                }
                let point = loaded.experiment.points.get(game.point as usize);
                let closed = shown.closed.contains(&game.point);
                let message = point.map_or(String::new(), |point| {
                    let score = described(&loaded.experiment.stop, &score, closed);
                    format!("{point}: {score}")
                });
                shown.bar.set_message(message.clone());
                shown.bar.set_position(shown.games);
                let is_last = shown.games == shown.total;
                if !shown.is_terminal && (is_last || shown.printed.elapsed() >= BETWEEN_LINES) {
                    shown.printed = Instant::now();
                    shown.line(&format!(
                        "{}/{} games, {} left; {message}",
                        shown.games,
                        shown.total,
                        shown.pace.left(shown.games, shown.total)
                    ));
                }
            }
            Event::Refused(game, effect) => {
                let id = arena::game_id(&game.experiment, game.pair, game.colour);
                shown.line(&format!("game {id} was not stored: {effect:?}"));
            }
            Event::Decided(loaded, point) => {
                shown.closed.insert(*point);
                let score = shown.scores.get(point).copied().unwrap_or_default();
                if let Some(point) = loaded.experiment.points.get(*point as usize) {
                    let score = described(&loaded.experiment.stop, &score, true);
                    shown.line(&format!("{point}: the test has decided: {score}"));
                }
            }
            Event::Trouble(why) | Event::LeftOut(_, why) => shown.line(why),
        }
    }

    /// Takes the bar away.
    pub fn end(&self) {
        self.lock().bar.finish_and_clear();
    }
}

impl Shown {
    fn line(&self, text: &str) {
        if self.is_terminal {
            self.bar.suspend(|| eprintln!("{text}"));
        } else {
            eprintln!("{text}");
        }
    }
}

/// What the games of a point say: `40 games: 61.2 % [45.0, 75.5], Elo +79 [-35, +196], …`.
pub fn described(stop: &Stop, score: &Score, closed: bool) -> String {
    match score.games() {
        0 => "no games".to_owned(),
        games => format!("{games} games: {}", summary(stop, score, closed)),
    }
}
