//! Progress of an experiment: bars on a terminal, plain lines elsewhere.

use anyhow::Result;
use arena::{Event, Loaded, Score, Store};
use indicatif::{ProgressBar, ProgressStyle};
use std::collections::BTreeMap;
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
    games: u64,
    total: u64,
    new: u64,
    started: Instant,
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
        if let Ok(style) =
            ProgressStyle::with_template("{wide_bar} {pos}/{len} games, {eta} left\n{msg}")
        {
            bar.set_style(style);
        }
        bar.set_position(counts.games);
        bar.reset_eta();
        let experiment = &loaded.experiment;
        let shown = Shown {
            bar,
            is_terminal,
            scores: store.scores(&experiment.id, None).await?,
            games: counts.games,
            total,
            new: 0,
            started: Instant::now(),
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
                let score = shown.scores.entry(game.point).or_default();
                // Which games of pairs are there is only known when the store is asked; until then the
                // interval is that of single games.
                score.pairs = [0; 5];
                match game.score {
                    2 => score.wins += 1,
                    1 => score.draws += 1,
                    _ => score.losses += 1,
                }
                let score = *score;
                shown.games += 1;
                shown.new += 1;
                if !game.fault.is_empty() {
                    shown.line(&format!(
                        "game {}: {}",
                        arena::game_id(&game.experiment, game.pair, game.colour),
                        game.fault
                    ));
                }
                let point = loaded.experiment.points.get(game.point as usize);
                let message = point.map_or(String::new(), |point| {
                    format!("{point}: {}", described(&score))
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
                        shown.left()
                    ));
                }
            }
            Event::Refused(game, effect) => {
                let id = arena::game_id(&game.experiment, game.pair, game.colour);
                shown.line(&format!("game {id} was not stored: {effect:?}"));
            }
            Event::Decided(loaded, point) => {
                if let Some(point) = loaded.experiment.points.get(*point as usize) {
                    shown.line(&format!("{point}: the test has decided"));
                }
            }
            Event::Trouble(why) => shown.line(why),
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

    /// The time left, at the rate since the start.
    fn left(&self) -> String {
        let rate = self.new as f64 / self.started.elapsed().as_secs_f64();
        let seconds = self.total.saturating_sub(self.games) as f64 / rate;
        time(seconds)
    }
}

/// A time for people.
pub fn time(seconds: f64) -> String {
    match seconds {
        seconds if !seconds.is_finite() => "?".to_owned(),
        seconds if seconds < 100.0 => format!("{seconds:.0} s"),
        seconds if seconds < 6000.0 => format!("{:.0} min", seconds / 60.0),
        seconds => format!("{:.1} h", seconds / 3600.0),
    }
}

/// The score of a point with its interval.
pub fn described(score: &Score) -> String {
    match arena::verdict::score(score) {
        None => "no games".to_owned(),
        Some(estimate) => format!(
            "{:.1} % [{:.1}, {:.1}] of {} games",
            100.0 * estimate.value,
            100.0 * estimate.low,
            100.0 * estimate.high,
            score.games()
        ),
    }
}
