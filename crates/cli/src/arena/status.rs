//! `papamu arena status`: how far experiments are, and who works on them.

use super::progress::described;
use super::{StoreArg, read};
use crate::output;
use crate::progress::time;
use anyhow::Result;
use arena::verdict::{Summary, summary};
use arena::{Counts, Score, Store, Weights, WorkerRow};
use jobs::Done;
use serde::Serialize;
use std::collections::HashMap;
use std::process::ExitCode;

/// Show the progress of the experiments of a store, their workers, and the time left.
#[derive(clap::Args)]
#[command(after_help = "Example: papamu arena status --json")]
pub struct Args {
    #[command(flatten)]
    store: StoreArg,
    /// Show every point of experiments with several points
    #[arg(long)]
    points: bool,
    /// Write JSON: a line for each experiment, then one for each worker
    #[arg(long)]
    json: bool,
}

/// An experiment as it is shown.
#[derive(Serialize)]
struct Shown {
    experiment: String,
    name: String,
    scale: String,
    /// The SHA-256 of the weights of each player that has some; `null` if they are not noted.
    weights: Option<Weights>,
    #[serde(flatten)]
    counts: Counts,
    /// Seconds until all is played, at the rate of the last minute.
    seconds_left: Option<f64>,
    points: Vec<Point>,
}

#[derive(Serialize)]
struct Point {
    #[serde(rename = "point")]
    name: String,
    #[serde(flatten)]
    counted: Score,
    #[serde(flatten)]
    summary: Summary,
    /// The same for people.
    #[serde(skip)]
    shown: String,
}

/// A worker as it is shown.
#[derive(Serialize)]
struct ShownWorker {
    #[serde(flatten)]
    row: WorkerRow,
    /// Nodes that it has searched for positions that are to be solved.
    #[serde(skip_serializing_if = "Option::is_none")]
    nodes: Option<i64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    nodes_last_minute: Option<i64>,
}

/// A worker that was silent for longer is taken for gone, in seconds.
const SILENT: f64 = 120.0;

impl Args {
    /// Runs the command.
    pub async fn run(self) -> Result<ExitCode> {
        let store = self.store.open_existing().await?;
        show_experiments(&store, self.points, self.json).await?;
        show_workers(&store, &HashMap::new(), self.json).await?;
        Ok(ExitCode::SUCCESS)
    }
}

/// Shows the experiments of a store.
pub async fn show_experiments(store: &Store, all_points: bool, json: bool) -> Result<()> {
    let workers = store.workers().await?;
    let rate = workers.iter().map(|worker| worker.last_minute).sum::<i64>() as f64 / 60.0;
    for row in store.experiments().await? {
        let counts = store.counts(&row.id).await?;
        let experiment = read(&row)?;
        let scores = store.scores(&row.id, None).await?;
        let closed = store.closed_points(&row.id).await?;
        let points = (0..).zip(&experiment.points).map(|(place, point)| {
            let counted = scores.get(&place).copied().unwrap_or_default();
            let closed = closed.contains(&place);
            Point {
                name: point.to_string(),
                counted,
                summary: summary(&experiment.stop, &counted, closed),
                shown: described(&experiment.stop, &counted, closed),
            }
        });
        let left = 2.0 * counts.open as f64;
        let shown = Shown {
            experiment: row.id,
            name: row.name,
            scale: row.scale,
            weights: row.weights,
            seconds_left: (rate > 0.0).then(|| left / rate),
            counts,
            points: points.collect(),
        };
        if json {
            output::json_line(&shown)?;
        } else {
            output::text(&shown.for_people(all_points))?;
        }
    }
    Ok(())
}

/// Shows the workers of a store that have not ended, with the games that they have played, and the nodes of those that
/// have solved.
pub async fn show_workers(store: &Store, nodes: &HashMap<String, Done>, json: bool) -> Result<()> {
    for row in store.workers().await? {
        if row.worker.ended {
            continue;
        }
        let nodes = nodes.get(&row.worker.id).copied();
        let shown = ShownWorker {
            row,
            nodes: nodes.map(|done| done.all),
            nodes_last_minute: nodes.map(|done| done.last_minute),
        };
        if json {
            output::json_line(&shown)?;
        } else {
            output::text(&shown.for_people())?;
        }
    }
    Ok(())
}

impl Shown {
    fn for_people(&self, points: bool) -> String {
        let Counts {
            open,
            leased,
            done,
            not_needed,
            games,
        } = self.counts;
        let mut text = format!(
            "{} ({}, {} scale): {games} games; pairs: {done} done, {leased} in play, {} waiting",
            self.name,
            self.experiment,
            self.scale,
            open - leased
        );
        if not_needed > 0 {
            text += &format!(", {not_needed} not needed");
        }
        if let (Some(seconds), true) = (self.seconds_left, open > 0) {
            text += &format!("; {} left", time(seconds));
        }
        text.push('\n');
        let weights = self.weights.as_ref().map(Weights::to_string);
        if let Some(weights) = weights.filter(|weights| !weights.is_empty()) {
            text += &format!("  weights: {weights}\n");
        }
        let points = points || self.points.len() == 1;
        for Point { name, shown, .. } in self.points.iter().filter(|_| points) {
            text += &format!("  {name}: {shown}\n");
        }
        text
    }
}

impl ShownWorker {
    fn for_people(&self) -> String {
        let WorkerRow {
            worker,
            games,
            last_minute,
        } = &self.row;
        let state = match worker {
            worker if worker.silent > SILENT => format!("silent for {}", time(worker.silent)),
            worker if worker.stuck > 0 => format!("threads that hang: {}", worker.stuck),
            _ => "working".to_owned(),
        };
        let mut text = format!(
            "worker {}: {state}, {} at a time",
            worker.id, worker.threads
        );
        if let (Some(nodes), Some(last_minute)) = (self.nodes, self.nodes_last_minute) {
            text += &format!(", {nodes} nodes, {last_minute} in the last minute");
        }
        if *games > 0 || self.nodes.is_none() {
            text += &format!(", {games} games, {last_minute} in the last minute");
        }
        text + "\n"
    }
}
