//! The report of an experiment: its figures, the score of every point, ratings where many players met,
//! and what players did wrong.

mod comparison;
mod lines;
mod tables;

pub use comparison::{Comparison, Effect};

use crate::experiment::{Experiment, ExperimentError, Figure, Form, Measure};
use crate::play::Notes;
use crate::store::{GameRow, Score, Store, StoreError};
use crate::{Role, needs_reference};
use figures::{Item, Report};
use lines::Games;
use std::collections::BTreeMap;
use thiserror::Error;

/// Why there is no report.
#[derive(Debug, Error)]
pub enum ReportError {
    /// The store cannot be read.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// A figure does not fit the experiment.
    #[error(transparent)]
    Experiment(#[from] ExperimentError),
}

/// What is read of a stored game.
pub(crate) struct Seen {
    point: usize,
    plies: u64,
    reason: String,
    fault: String,
    /// Each turn after the opening.
    turns: Vec<(Role, Notes)>,
}

/// Games read at a time.
const GAMES: usize = 500;

/// The report of an experiment, from what is stored of it now.
///
/// # Errors
/// If the store cannot be read, or a figure does not fit.
pub async fn report(store: &Store, experiment: &Experiment) -> Result<Report, ReportError> {
    let scores = store.scores(&experiment.id, None).await?;
    let mut games = Games::new(experiment)?;
    let mut ends: BTreeMap<(String, String), u64> = BTreeMap::new();
    let mut faults: BTreeMap<(usize, String), u64> = BTreeMap::new();
    let mut after = (-1, 1);
    loop {
        let rows = store.games(&experiment.id, after, GAMES).await?;
        let Some(last) = rows.last() else { break };
        after = (last.pair as i64, last.colour);
        for row in &rows {
            let seen = seen(row);
            games.add(&seen);
            if let Some(point) = experiment.points.get(seen.point) {
                let players = format!("{} – {}", point.player.name, point.against.name);
                *ends.entry((players, seen.reason.clone())).or_default() += 1;
                if !seen.fault.is_empty() {
                    *faults.entry((seen.point, seen.fault)).or_default() += 1;
                }
            }
        }
    }
    let mut items = Vec::new();
    for (place, figure) in experiment.figures.iter().enumerate() {
        let drawn = games.figure(place, figure, &scores);
        items.push(match figure.form {
            Form::Chart => Item::Figure(drawn),
            Form::Table => Item::Table(drawn.table()),
        });
    }
    let compared = compared(experiment, &games, &scores);
    items.extend(compared.table(&experiment.name).map(Item::from));
    if !experiment.remark.is_empty() {
        items.push(Item::Text {
            title: "Remark".to_owned(),
            text: experiment.remark.clone(),
        });
    }
    let closed = store.closed_points(&experiment.id).await?;
    items.push(tables::points(experiment, &scores, &closed).into());
    if let Some(weights) = store.weights(&experiment.id).await? {
        items.extend(tables::weights(experiment, &weights).map(Item::from));
    }
    items.extend(tables::ratings(experiment, &scores).map(Item::from));
    items.extend(tables::cross(experiment, &scores).map(Item::from));
    items.push(tables::ends(&ends).into());
    if !faults.is_empty() {
        items.push(tables::faults(experiment, &faults).into());
    }
    let title = match experiment.title.as_str() {
        "" => &experiment.name,
        title => title,
    };
    Ok(Report {
        title: title.to_owned(),
        description: experiment.description.clone(),
        facts: facts(store, experiment, &scores).await?,
        items,
    })
}

/// The published scores of an experiment beside what is stored of it now.
///
/// # Errors
/// If the store cannot be read, or a figure does not fit.
pub async fn comparison(store: &Store, experiment: &Experiment) -> Result<Comparison, ReportError> {
    let scores = store.scores(&experiment.id, None).await?;
    Ok(compared(experiment, &Games::new(experiment)?, &scores))
}

fn compared(
    experiment: &Experiment,
    games: &Games<'_>,
    scores: &BTreeMap<u64, Score>,
) -> Comparison {
    let figures = experiment.figures.iter().enumerate();
    let of_scores = figures.filter(|(_, figure)| figure.measure == Measure::Score);
    let drawn = of_scores.map(|(place, figure)| games.figure(place, figure, scores));
    Comparison::of(drawn.collect::<Vec<_>>().iter())
}

fn seen(row: &GameRow) -> Seen {
    Seen {
        point: row.point as usize,
        plies: row.plies,
        reason: row.reason.clone(),
        fault: row.fault.clone(),
        // What another version has written, and this one cannot read, is not shown.
        turns: serde_json::from_str(&row.turns).unwrap_or_default(),
    }
}

async fn facts(
    store: &Store,
    experiment: &Experiment,
    scores: &BTreeMap<u64, Score>,
) -> Result<Vec<(String, String)>, StoreError> {
    let counts = store.counts(&experiment.id).await?;
    let games: u64 = scores.values().map(Score::games).sum();
    let mut facts = vec![
        ("Source", experiment.source.clone()),
        (
            "Experiment",
            format!("{}, {} scale", experiment.id, experiment.scale),
        ),
        (
            "Games",
            match counts.open {
                0 => format!("{games}"),
                open => format!("{games} so far, {open} pairs are still to be played"),
            },
        ),
        ("Budget", budgets(experiment)),
        ("Program", format!("papamu {}", env!("CARGO_PKG_VERSION"))),
    ];
    if needs_reference(experiment) {
        let workers = store.workers().await?;
        let measured = workers.iter().filter(|row| row.worker.reference > 0.0);
        let seconds: Vec<String> = measured
            .map(|row| format!("{:.3} s", row.worker.reference))
            .collect();
        facts.push((
            "A second of the reference machine",
            format!("{} (one for each worker)", seconds.join(", ")),
        ));
    }
    facts.retain(|(_, fact)| !fact.is_empty());
    Ok(facts
        .into_iter()
        .map(|(name, fact)| (name.to_owned(), fact))
        .collect())
}

/// The budgets of all players, the first ones if they are many.
fn budgets(experiment: &Experiment) -> String {
    const SHOWN: usize = 4;
    let mut budgets: Vec<String> = Vec::new();
    for point in &experiment.points {
        for contestant in [&point.player, &point.against] {
            let budget = contestant.budget.to_string();
            if !budgets.contains(&budget) {
                budgets.push(budget);
            }
        }
    }
    if budgets.len() > SHOWN {
        budgets.truncate(SHOWN);
        budgets.push("…".to_owned());
    }
    budgets.join("; ")
}

/// The name of a figure in files and addresses.
fn figure_name(experiment: &Experiment, place: usize, figure: &Figure) -> String {
    let last = match experiment.figures.len() {
        1 => String::new(),
        _ => format!("-{}", place + 1),
    };
    let measure = serde_json::to_value(figure.measure).ok();
    let measure = measure
        .as_ref()
        .and_then(|measure| measure.as_str())
        .unwrap_or_default();
    match measure {
        "score" => format!("{}{last}", experiment.name),
        measure => format!("{}{last}-{measure}", experiment.name),
    }
}
