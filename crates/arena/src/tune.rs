//! Tuning: the parameters of a player by SPSA, for each board size on its own.
//!
//! Each iteration is an experiment in the store: the player with its parameters moved one way against
//! the same player with them moved the other way. Where the tuning is follows from the results alone, so
//! that it goes on wherever it was, on any machine that reaches the store.

use crate::experiment::{Experiment, ExperimentError, Scale};
use crate::store::{PublishError, Score, Store};
use crate::table::{Loaded, check};
use crate::weights::Found;
use crate::work::{Event, Ledger, Options, Stop, WorkError, publish, work};
use figures::{Axis, Figure, Item, Line, Point, Report};
use game::random::mix;
use serde::Deserialize;
use statistics::spsa::{Parameter, Schedule, Spsa, State};
use std::sync::Arc;

/// The file of a tuning.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
struct File {
    name: String,
    game: toml::Value,
    #[serde(default)]
    title: String,
    #[serde(default = "one")]
    seed: u64,
    iterations: u64,
    /// Pairs of games an iteration.
    pairs: u32,
    /// One tuning for each; none for the board as it is.
    #[serde(default)]
    sizes: Vec<u32>,
    player: toml::Table,
    parameter: Vec<Tuned>,
    #[serde(default)]
    board: toml::Table,
    budget: toml::Table,
    openings: Option<toml::Table>,
}

fn one() -> u64 {
    1
}

/// A parameter that is tuned.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
struct Tuned {
    name: String,
    start: f64,
    min: f64,
    max: f64,
    /// How far it is moved to each side in the last iteration.
    step: f64,
    /// How far it follows a result in the last iteration, in squares of the step.
    #[serde(default = "rate")]
    rate: f64,
    /// Whether it is a whole number.
    #[serde(default)]
    whole: bool,
}

/// The usual rate of fishtest.
fn rate() -> f64 {
    0.002
}

/// A tuning as a file describes it.
#[derive(Clone, Debug)]
pub struct Tuning {
    file: File,
    spsa: Spsa,
}

/// How the parameters moved on one board size.
#[derive(Clone, Debug)]
pub struct Trajectory {
    /// The size; `None` where the file names none.
    pub size: Option<u32>,
    /// The states, from the start on.
    pub states: Vec<State>,
}

impl Tuning {
    /// Reads a file.
    ///
    /// # Errors
    /// If it is none, or its player cannot be had.
    pub fn read(text: &str) -> Result<Tuning, ExperimentError> {
        let wrong = |why: String| ExperimentError::new(why);
        let file: File =
            toml::from_str(text).map_err(|error| wrong(error.to_string().trim().to_owned()))?;
        let parameter = |tuned: &Tuned| Parameter {
            name: tuned.name.clone(),
            start: tuned.start,
            min: tuned.min,
            max: tuned.max,
            c_end: tuned.step,
            r_end: tuned.rate,
        };
        let spsa = Spsa {
            parameters: file.parameter.iter().map(parameter).collect(),
            schedule: Schedule::new(file.iterations),
            seed: file.seed,
        };
        let spsa = spsa.checked().map_err(|error| wrong(error.to_string()))?;
        let tuning = Tuning { file, spsa };
        for size in tuning.sizes() {
            check(&tuning.experiment(size, &tuning.spsa.start())?)?;
        }
        Ok(tuning)
    }

    /// The sizes that are tuned on, one after the other.
    pub fn sizes(&self) -> Vec<Option<u32>> {
        match self.file.sizes.as_slice() {
            [] => vec![None],
            sizes => sizes.iter().copied().map(Some).collect(),
        }
    }

    /// Iterations for each size.
    pub fn iterations(&self) -> u64 {
        self.file.iterations
    }

    /// The values of a state as the player reads them.
    pub fn values(&self, values: &[f64]) -> Vec<(String, String)> {
        let written = |(tuned, value): (&Tuned, &f64)| {
            let text = if tuned.whole {
                format!("{value:.0}")
            } else {
                format!("{value:.4}")
            };
            (tuned.name.clone(), text)
        };
        self.file
            .parameter
            .iter()
            .zip(values)
            .map(written)
            .collect()
    }

    /// The experiment of the next iteration.
    ///
    /// # Errors
    /// If the file makes none.
    pub fn experiment(
        &self,
        size: Option<u32>,
        state: &State,
    ) -> Result<Experiment, ExperimentError> {
        let wrong = |why: &dyn std::fmt::Display| ExperimentError::new(why.to_string());
        let [up, down] = self.spsa.players(state).map_err(|error| wrong(&error))?;
        let mut players = toml::Table::new();
        for (name, values) in [("up", up), ("down", down)] {
            let mut player = self.file.player.clone();
            let mut set = match player.remove("set") {
                Some(toml::Value::Table(set)) => set,
                None => toml::Table::new(),
                Some(_) => return Err(ExperimentError::new("player.set: expected a table")),
            };
            for (name, value) in self.values(&values) {
                set.insert(name, value.into());
            }
            player.insert("set".to_owned(), set.into());
            players.insert(name.to_owned(), player.into());
        }
        let mut meeting = toml::Table::new();
        meeting.insert("player".to_owned(), "up".into());
        meeting.insert("against".to_owned(), "down".into());
        let mut board = self.file.board.clone();
        let of_size = size.map_or(String::new(), |size| format!("-size-{size}"));
        if let Some(size) = size {
            board.insert("size".to_owned(), i64::from(size).into());
        }
        let mut table = toml::Table::new();
        table.insert(
            "name".to_owned(),
            format!("{}{of_size}-{}", self.file.name, state.iteration).into(),
        );
        table.insert("game".to_owned(), self.file.game.clone());
        // TOML has numbers of 63 bits.
        let seed = mix(self.file.seed ^ mix(state.iteration)) >> 1;
        table.insert("seed".to_owned(), (seed as i64).into());
        table.insert("games".to_owned(), i64::from(2 * self.file.pairs).into());
        table.insert("board".to_owned(), board.into());
        table.insert("budget".to_owned(), self.file.budget.clone().into());
        if let Some(openings) = &self.file.openings {
            table.insert("openings".to_owned(), openings.clone().into());
        }
        table.insert("players".to_owned(), players.into());
        table.insert("match".to_owned(), vec![toml::Value::from(meeting)].into());
        let text = toml::to_string(&table).map_err(|error| wrong(&error))?;
        Experiment::read(&text, Scale::Full)
    }

    /// Plays what is left of a tuning on one size, and returns how the parameters moved: to the end, or
    /// as far as it came before it was asked to stop. `moved` is told of every new state.
    ///
    /// # Errors
    /// If something cannot be played here, or the store does not work.
    pub async fn tune(
        &self,
        store: &Store,
        size: Option<u32>,
        options: &Options,
        stop: &Stop,
        moved: &(dyn Fn(&State, &Score) + Sync),
    ) -> Result<Trajectory, WorkError> {
        let mut state = self.spsa.start();
        let mut states = vec![state.clone()];
        while !self.spsa.finished(&state) && !stop.is_raised() {
            let experiment = self.experiment(size, &state)?;
            let id = experiment.id.clone();
            let expected = 2 * u64::from(self.file.pairs);
            // Iterations that are over are not published again, and count only with the same weights.
            if let Some(begun) = store.weights(&id).await?
                && let Some(why) = begun.difference(&Found::of(&experiment)?.weights())
            {
                let experiment = format!("{} ({id})", experiment.name);
                return Err(PublishError::Weights { experiment, why }.into());
            }
            let mut score = self.score(store, &id).await?;
            if score.games() < expected {
                let loaded = Arc::new(Loaded::new(experiment, options.threads)?);
                publish(store, &loaded).await?;
                let options = Options {
                    only: Some(id.clone()),
                    exit_when_idle: true,
                    ..options.clone()
                };
                let quiet = |event: Event| {
                    if let Event::Trouble(why) | Event::LeftOut(_, why) = event {
                        tracing::warn!("{why}");
                    }
                };
                work(
                    store,
                    &options,
                    vec![loaded],
                    stop,
                    &Ledger::default(),
                    &quiet,
                )
                .await?;
                score = self.score(store, &id).await?;
                if score.games() < expected {
                    break;
                }
            }
            let result = score.wins as f64 - score.losses as f64;
            let next = self.spsa.next(&state, result);
            state = next.map_err(|error| ExperimentError::new(error.to_string()))?;
            moved(&state, &score);
            states.push(state.clone());
        }
        Ok(Trajectory { size, states })
    }

    async fn score(&self, store: &Store, id: &str) -> Result<Score, WorkError> {
        Ok(store
            .scores(id, None)
            .await?
            .get(&0)
            .copied()
            .unwrap_or_default())
    }

    /// A page with a figure for each parameter: its value against the iterations, a line for each size.
    pub fn report(&self, trajectories: &[Trajectory]) -> Report {
        let figure = |(place, tuned): (usize, &Tuned)| {
            let line = |trajectory: &Trajectory| Line {
                name: trajectory
                    .size
                    .map_or(String::new(), |size| format!("size {size}")),
                points: (trajectory.states.iter())
                    .map(|state| Point::new(state.iteration as f64, state.values[place]))
                    .collect(),
                ..Line::default()
            };
            Item::from(Figure {
                name: format!("{}-{}", self.file.name, tuned.name),
                title: tuned.name.clone(),
                x: Axis::plain("Iteration"),
                y: Axis::plain(&tuned.name),
                lines: trajectories.iter().map(line).collect(),
                ..Figure::default()
            })
        };
        let title = if self.file.title.is_empty() {
            &self.file.name
        } else {
            &self.file.title
        };
        Report {
            title: title.clone(),
            description: format!(
                "SPSA: {} iterations of {} pairs of games for each size.",
                self.file.iterations, self.file.pairs
            ),
            facts: Vec::new(),
            items: self.file.parameter.iter().enumerate().map(figure).collect(),
        }
    }
}
