//! What stores of experiments hold, as JSON: `papamu/arena.py` makes objects of it.

use crate::arguments::{Any, optional_number, optional_text, path};
use crate::errors::{Fault, guarded};
use crate::job::Job;
use arena::experiment::with_books;
use arena::report::report;
use arena::{
    Experiment, ExperimentRow, Ledger, Loaded, Options, Scale, Stop, Store, check, publish,
};
use papamu::search::StopFlag;
use pyo3::prelude::*;
use serde_json::{Value, json};
use std::fmt::Display;
use std::future::Future;
use std::num::NonZero;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;
use tokio::runtime::Runtime;

/// Games read at a time.
const GAMES: usize = 500;

/// Reads in a store that must be there already, while the interpreter is free.
fn reading<F>(
    py: Python<'_>,
    place: Any<'_, '_>,
    read: impl FnOnce(Store) -> F + Send + 'static,
) -> PyResult<String>
where
    F: Future<Output = Result<Value, Fault>>,
{
    guarded(|| {
        let place = path("store", place)?;
        let place = place.to_string_lossy().into_owned();
        let mut job: Job<(), String> = Job::start(StopFlag::new(), move |_| {
            runtime()?.block_on(async {
                let file = place.strip_prefix("sqlite://").unwrap_or(&place);
                let file = file.split('?').next().unwrap_or_default();
                if !place.starts_with("postgres") && !Path::new(file).exists() {
                    return Err(Fault::store(format!("there is no store {file}")));
                }
                let store = Store::open_to_read(&place).await.map_err(Fault::store)?;
                Ok(read(store).await?.to_string())
            })
        });
        job.wait(py, |()| Ok(true))
    })
}

/// The experiment with a name or the beginning of an identifier; the only one where none is given.
async fn find(store: &Store, name: Option<&str>) -> Result<ExperimentRow, Fault> {
    let all = store.experiments().await.map_err(Fault::store)?;
    let known: Vec<String> = all
        .iter()
        .map(|row| format!("{} ({})", row.name, row.id))
        .collect();
    let known = known.join(", ");
    let fits = |row: &&ExperimentRow| {
        name.is_none_or(|name| row.name == name || (name.len() >= 4 && row.id.starts_with(name)))
    };
    let mut found = all.iter().filter(fits);
    match (found.next(), found.next()) {
        (Some(row), None) => Ok(row.clone()),
        (Some(_), Some(_)) => Err(Fault::store(format!(
            "which experiment? there are: {known}"
        ))),
        (None, _) if all.is_empty() => Err(Fault::store(format!(
            "the store {} has no experiment",
            store.place()
        ))),
        (None, _) => {
            let name = name.unwrap_or_default();
            Err(Fault::store(format!(
                "no experiment {name:?}; there are: {known}"
            )))
        }
    }
}

fn experiment(row: &ExperimentRow) -> Result<Experiment, Fault> {
    let wrong = |why: &dyn Display| Fault::store(format!("{} in the store: {why}", row.name));
    let scale: Scale = row.scale.parse().map_err(|why| wrong(&why))?;
    Experiment::read(&row.file, scale).map_err(|why| wrong(&why))
}

#[pyfunction]
pub fn arena_experiments(py: Python<'_>, store: Any<'_, '_>) -> PyResult<String> {
    reading(py, store, async |store: Store| {
        let rows = store.experiments().await.map_err(Fault::store)?;
        let rows = rows.iter().map(
            |row| json!({ "id": row.id, "name": row.name, "scale": row.scale, "file": row.file }),
        );
        Ok(rows.collect())
    })
}

#[pyfunction]
#[pyo3(signature = (store, experiment=None))]
pub fn arena_report(
    py: Python<'_>,
    store: Any<'_, '_>,
    experiment: Option<Any<'_, '_>>,
) -> PyResult<String> {
    let name = optional_text("experiment", experiment)?;
    reading(py, store, async move |store: Store| {
        let row = find(&store, name.as_deref()).await?;
        let found = report(&store, &self::experiment(&row)?).await;
        Ok(found.map_err(Fault::store)?.json())
    })
}

#[pyfunction]
#[pyo3(signature = (store, experiment=None))]
pub fn arena_games(
    py: Python<'_>,
    store: Any<'_, '_>,
    experiment: Option<Any<'_, '_>>,
) -> PyResult<String> {
    let name = optional_text("experiment", experiment)?;
    reading(py, store, async move |store: Store| {
        let row = find(&store, name.as_deref()).await?;
        let experiment = self::experiment(&row)?;
        let mut games = Vec::new();
        let mut after = (-1, 1);
        loop {
            let rows = store.games(&row.id, after, GAMES).await;
            let rows = rows.map_err(Fault::store)?;
            let Some(last) = rows.last() else { break };
            after = (last.pair as i64, last.colour);
            for row in &rows {
                let point = experiment.points.get(row.point as usize);
                games.push(json!({
                    "pair": row.pair,
                    "game": row.colour,
                    "player": point.map(|point| &point.player.name),
                    "against": point.map(|point| &point.against.name),
                    "score": row.score as f64 / 2.0,
                    "reason": row.reason,
                    "fault": row.fault,
                    "plies": row.plies,
                    "seconds": row.seconds,
                    "worker": row.worker,
                    "finished": row.finished,
                    "sgf": row.sgf,
                }));
            }
        }
        Ok(Value::Array(games))
    })
}

/// How often a run looks whether it has to stop.
const LOOK: Duration = Duration::from_millis(50);

/// Plays what is left of an experiment and returns its identifier. When it is stopped, the running games are finished.
#[pyfunction]
#[pyo3(signature = (file, store, scale=None, concurrency=None))]
pub fn arena_run(
    py: Python<'_>,
    file: Any<'_, '_>,
    store: Any<'_, '_>,
    scale: Option<Any<'_, '_>>,
    concurrency: Option<Any<'_, '_>>,
) -> PyResult<String> {
    guarded(|| {
        let file = path("file", file)?;
        let place = path("store", store)?.to_string_lossy().into_owned();
        let scale = optional_text("scale", scale)?.unwrap_or_else(|| "full".to_owned());
        let scale: Scale = scale.parse().map_err(Fault::argument)?;
        let cores = || std::thread::available_parallelism().map_or(1, NonZero::get);
        let threads = optional_number("concurrency", concurrency, 1)?;
        let threads = threads.map_or_else(cores, |threads| threads.min(1024) as usize);
        let text = std::fs::read_to_string(&file)?;
        let folder = file.parent().unwrap_or(Path::new(""));
        let experiment = with_books(&text, folder).map_err(Fault::experiment)?;
        let experiment = Experiment::read(&experiment, scale).map_err(Fault::experiment)?;
        check(&experiment).map_err(Fault::experiment)?;
        let asked = StopFlag::new();
        let mut job: Job<(), String> = Job::start(asked.clone(), move |_| {
            runtime()?.block_on(async {
                let store = Store::open(&place).await.map_err(Fault::store)?;
                let options = Options {
                    threads,
                    only: Some(experiment.id.clone()),
                    ..Options::default()
                };
                let loaded = Loaded::new(experiment, threads).map_err(Fault::experiment)?;
                let loaded = Arc::new(loaded);
                publish(&store, &loaded).await.map_err(Fault::store)?;
                let (stop, ledger) = (Stop::default(), Ledger::default());
                // The work blocks its own task until all games are played, so another one looks.
                let look = tokio::spawn(raised_with(asked, stop.clone()));
                let known = vec![loaded.clone()];
                let worked = arena::work(&store, &options, known, &stop, &ledger, &|_| {}).await;
                look.abort();
                store.close().await;
                worked.map_err(Fault::store)?;
                Ok(loaded.experiment.id.clone())
            })
        });
        job.wait(py, |()| Ok(true))
    })
}

/// Asks to stop when the flag is raised.
async fn raised_with(flag: StopFlag, stop: Stop) {
    while !flag.is_raised() {
        tokio::time::sleep(LOOK).await;
    }
    stop.raise();
}

fn runtime() -> Result<Runtime, Fault> {
    let mut builder = tokio::runtime::Builder::new_multi_thread();
    builder.enable_all().build().map_err(Fault::store)
}
