//! The experiments and learning runs of a store, for those who watch them.

use arena::{Counts, Experiment, ExperimentRow, GameRow, Score, Store};
use figures::{Align, Item, Report, Table};
use learn::Run;
use service::Problem;
use service::experiments::{
    ExperimentReport, ExperimentView, Fact, Part, PlayedView, PointView, TableView,
};
use sha2::{Digest, Sha256};
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError, Weak};
use std::time::Duration;
use tokio::sync::{self, OnceCell, watch};

/// The store, which is opened when it is there and somebody asks for it.
pub struct Experiments {
    place: String,
    store: OnceCell<Store>,
    /// The same store, as learning runs use it.
    learning: OnceCell<learn::Store>,
    /// Told when something has changed; looked at while somebody listens.
    changed: Mutex<Weak<watch::Sender<()>>>,
    /// The reports that were asked for last: they are made anew when there are more games.
    reports: sync::Mutex<Vec<Arc<Known>>>,
}

/// A report, and what it was made of.
struct Known {
    id: String,
    games: u64,
    report: ExperimentReport,
    /// The pictures by name, as SVG.
    figures: Vec<(String, String)>,
}

/// What the identifiers of learning runs begin with.
const LEARNING: &str = "learning-";

/// As many reports as are kept.
const REPORTS: usize = 8;

/// How often the store is looked at while somebody watches.
const LOOK: Duration = Duration::from_secs(1);

/// Games in one answer.
const GAMES: usize = 200;

impl Experiments {
    /// Those of a store, which need not be there.
    pub fn new(place: String) -> Experiments {
        Experiments {
            place,
            store: OnceCell::new(),
            learning: OnceCell::new(),
            changed: Mutex::default(),
            reports: sync::Mutex::default(),
        }
    }

    /// Tells when something has changed in the store. However many listen, one task looks at it, and ends
    /// when nobody listens any more.
    pub fn changes(self: &Arc<Self>) -> watch::Receiver<()> {
        let mut changed = self.changed.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(sender) = changed.upgrade() {
            return sender.subscribe();
        }
        let (sender, receiver) = watch::channel(());
        let sender = Arc::new(sender);
        *changed = Arc::downgrade(&sender);
        let all = Arc::clone(self);
        tokio::spawn(async move {
            let mut before = all.counts().await;
            while sender.receiver_count() > 0 {
                tokio::time::sleep(LOOK).await;
                let now = all.counts().await;
                if now != before {
                    before = now;
                    sender.send_replace(());
                }
            }
        });
        receiver
    }

    /// How far each experiment is. A store that cannot be read is one in which nothing changes.
    async fn counts(&self) -> Vec<(String, u64, u64, u64)> {
        let all = self.list().await.unwrap_or_default().into_iter();
        all.map(|one| (one.id, one.games, one.done, one.leased))
            .collect()
    }

    /// Whether there is a store.
    fn is_there(&self) -> bool {
        let file = self.place.strip_prefix("sqlite://").unwrap_or(&self.place);
        let file = file.split('?').next().unwrap_or_default();
        self.place.starts_with("postgres") || Path::new(file).exists()
    }

    /// The learning runs, and the store that has them, if there is one.
    async fn runs(&self) -> Result<Option<(&learn::Store, Vec<Run>)>, Problem> {
        if !self.is_there() {
            return Ok(None);
        }
        let open = || learn::Store::open_to_read(&self.place);
        let store = self.learning.get_or_try_init(open).await;
        let store = store.map_err(Problem::internal)?;
        let runs = store.runs().await.map_err(Problem::internal)?;
        Ok(Some((store, runs)))
    }

    /// The learning run of an identifier, if it is one.
    async fn run(&self, id: &str) -> Result<Option<(&learn::Store, Run)>, Problem> {
        let Some(id) = id.strip_prefix(LEARNING) else {
            return Ok(None);
        };
        let (store, runs) = self.runs().await?.ok_or_else(|| no("learning run"))?;
        let mut found = runs.into_iter().filter(|run| run.id == id);
        let run = found.next();
        let run = run.ok_or_else(|| no(&format!("learning run {id:?}")))?;
        Ok(Some((store, run)))
    }

    /// The store, if there is one.
    async fn store(&self) -> Result<Option<&Store>, Problem> {
        if !self.is_there() {
            return Ok(None);
        }
        let open = || Store::open_to_read(&self.place);
        self.store
            .get_or_try_init(open)
            .await
            .map(Some)
            .map_err(Problem::internal)
    }

    /// All learning runs and experiments, the newest first.
    pub async fn list(&self) -> Result<Vec<ExperimentView>, Problem> {
        let Some(store) = self.store().await? else {
            return Ok(Vec::new());
        };
        let rate = rate(store).await?;
        let mut all = Vec::new();
        if let Some((learning, runs)) = self.runs().await? {
            for run in &runs {
                all.push(learned(learning, run).await?);
            }
        }
        // They stand behind the experiments until the order is turned round.
        let learning = all.len();
        for row in store.experiments().await.map_err(Problem::internal)? {
            let counts = store.counts(&row.id).await.map_err(Problem::internal)?;
            all.push(progress(row, counts, rate));
        }
        all.rotate_left(learning);
        all.reverse();
        Ok(all)
    }

    /// What is known of one.
    pub async fn report(&self, id: &str) -> Result<ExperimentReport, Problem> {
        if let Some((learning, run)) = self.run(id).await? {
            let known = self.known_run(learning, &run).await?;
            return Ok(ExperimentReport {
                progress: learned(learning, &run).await?,
                ..known.report.clone()
            });
        }
        let (store, row) = self.find(id).await?;
        let known = self.known(store, &row).await?;
        let counts = store.counts(&row.id).await.map_err(Problem::internal)?;
        Ok(ExperimentReport {
            progress: progress(row, counts, rate(store).await?),
            ..known.report.clone()
        })
    }

    /// The report of one, which is made once for so many games, whoever asks.
    async fn known(&self, store: &Store, row: &ExperimentRow) -> Result<Arc<Known>, Problem> {
        let mut reports = self.reports.lock().await;
        let counts = store.counts(&row.id).await.map_err(Problem::internal)?;
        if let Some(known) = kept(&mut reports, &row.id, counts.games) {
            return Ok(known);
        }
        let experiment = read(row)?;
        let games = counts.games;
        let report = arena::report::report(store, &experiment)
            .await
            .map_err(Problem::internal)?;
        let scores = store
            .scores(&row.id, None)
            .await
            .map_err(Problem::internal)?;
        let points = experiment.points.iter().zip(0..).map(|(point, place)| {
            let score: Score = scores.get(&place).copied().unwrap_or_default();
            PointView {
                name: point.to_string(),
                wins: score.wins,
                draws: score.draws,
                losses: score.losses,
            }
        });
        let known = known_of(
            progress(row.clone(), counts, 0.0),
            games,
            report,
            points.collect(),
        );
        Ok(keep(&mut reports, known))
    }

    /// The report of a learning run, which is made once for so many steps.
    async fn known_run(&self, store: &learn::Store, run: &Run) -> Result<Arc<Known>, Problem> {
        let rows = store.generations(run).await.map_err(Problem::internal)?;
        let games = rows.len() as u64;
        let progress = learned(store, run).await?;
        let mut reports = self.reports.lock().await;
        if let Some(known) = kept(&mut reports, &progress.id, games) {
            return Ok(known);
        }
        let report = learn::report(&run.name, &rows);
        Ok(keep(
            &mut reports,
            known_of(progress, games, report, Vec::new()),
        ))
    }

    /// A figure of one as SVG.
    pub async fn figure(&self, id: &str, name: &str) -> Result<String, Problem> {
        let known = if let Some((learning, run)) = self.run(id).await? {
            self.known_run(learning, &run).await?
        } else {
            let (store, row) = self.find(id).await?;
            self.known(store, &row).await?
        };
        let mut named = known.figures.iter().filter(|(figure, _)| figure == name);
        let (_, svg) = named
            .next()
            .ok_or_else(|| no(&format!("figure {name:?}")))?;
        Ok(svg.clone())
    }

    /// Games of one, from a place on.
    pub async fn games(&self, id: &str, after: (i64, i64)) -> Result<Vec<PlayedView>, Problem> {
        if id.starts_with(LEARNING) {
            return Ok(Vec::new());
        }
        let (store, row) = self.find(id).await?;
        let experiment = read(&row)?;
        let games = store.games(&row.id, after, GAMES).await;
        let view = |game: GameRow| PlayedView {
            point: experiment
                .points
                .get(game.point as usize)
                .map_or_else(String::new, ToString::to_string),
            pair: game.pair,
            colour: game.colour,
            score: game.score,
            reason: game.reason,
            plies: game.plies,
            seconds: game.seconds,
        };
        Ok(games
            .map_err(Problem::internal)?
            .into_iter()
            .map(view)
            .collect())
    }

    /// The SGF of a game.
    pub async fn game(&self, id: &str, pair: u64, colour: i64) -> Result<String, Problem> {
        let (store, row) = self.find(id).await?;
        let game = store.game(&row.id, pair, colour).await;
        let game = game.map_err(Problem::internal)?;
        Ok(game.ok_or_else(|| no("such game"))?.sgf)
    }

    async fn find(&self, id: &str) -> Result<(&Store, ExperimentRow), Problem> {
        let store = self.store().await?.ok_or_else(|| no("experiment"))?;
        let all = store.experiments().await.map_err(Problem::internal)?;
        let mut found = all.into_iter().filter(|row| row.id == id);
        let row = found
            .next()
            .ok_or_else(|| no(&format!("experiment {id:?}")))?;
        Ok((store, row))
    }
}

/// A report that was made before of the same.
fn kept(reports: &mut Vec<Arc<Known>>, id: &str, games: u64) -> Option<Arc<Known>> {
    let place = reports.iter().position(|known| known.id == id)?;
    let known = reports.remove(place);
    if known.games != games {
        return None;
    }
    reports.push(Arc::clone(&known));
    Some(known)
}

/// Keeps a report, and forgets the one that was asked for longest ago if there are too many.
fn keep(reports: &mut Vec<Arc<Known>>, known: Known) -> Arc<Known> {
    let known = Arc::new(known);
    reports.push(Arc::clone(&known));
    if reports.len() > REPORTS {
        reports.remove(0);
    }
    known
}

fn known_of(progress: ExperimentView, games: u64, report: Report, points: Vec<PointView>) -> Known {
    let figures: Vec<(String, String)> = report
        .items
        .iter()
        .filter_map(|item| match item {
            Item::Figure(figure) => Some((figure.name.clone(), figure.svg())),
            _ => None,
        })
        .collect();
    let mut parts: Vec<Part> = report.items.iter().map(part).collect();
    for part in &mut parts {
        let svg = figures
            .iter()
            .find(|(name, _)| part.figure.as_ref() == Some(name));
        part.version = svg.map(|(_, svg)| version(svg));
    }
    let facts = report.facts.into_iter();
    Known {
        id: progress.id.clone(),
        games,
        report: ExperimentReport {
            points,
            progress,
            title: report.title,
            description: report.description,
            facts: facts.map(|(name, value)| Fact { name, value }).collect(),
            parts,
        },
        figures,
    }
}

/// How far a learning run is.
async fn learned(store: &learn::Store, run: &Run) -> Result<ExperimentView, Problem> {
    let rows = store.generations(run).await.map_err(Problem::internal)?;
    let step = store.progress(run).await.map_err(Problem::internal)?;
    let (_, is_match, counts) = step.unwrap_or_default();
    let played = rows.iter().filter_map(|row| row.played.as_ref());
    Ok(ExperimentView {
        id: format!("{LEARNING}{}", run.id),
        name: run.name.clone(),
        scale: "learning".to_owned(),
        unit: if is_match { "pairs" } else { "games" }.to_owned(),
        games: played.map(|played| played.games).sum(),
        done: counts.done,
        leased: counts.leased,
        open: counts.open,
        finished: run.is_finished,
        seconds_left: None,
    })
}

fn no(what: &str) -> Problem {
    Problem::not_found(format!("there is no {what}"))
}

fn read(row: &ExperimentRow) -> Result<Experiment, Problem> {
    let scale = row.scale.parse().map_err(Problem::internal)?;
    Experiment::read(&row.file, scale).map_err(Problem::internal)
}

/// Games in a second, by all workers, in the last minute.
async fn rate(store: &Store) -> Result<f64, Problem> {
    let workers = store.workers().await.map_err(Problem::internal)?;
    Ok(workers.iter().map(|worker| worker.last_minute).sum::<i64>() as f64 / 60.0)
}

fn progress(row: ExperimentRow, counts: Counts, rate: f64) -> ExperimentView {
    let left = 2.0 * counts.open as f64;
    ExperimentView {
        id: row.id,
        name: row.name,
        scale: row.scale,
        unit: "pairs".to_owned(),
        games: counts.games,
        done: counts.done,
        leased: counts.leased,
        open: counts.open,
        finished: counts.open == 0,
        seconds_left: (rate > 0.0).then(|| left / rate),
    }
}

/// A name for a picture, which another one does not have.
fn version(svg: &str) -> String {
    let hash = Sha256::digest(svg.as_bytes());
    let first: u64 = hash
        .iter()
        .take(8)
        .fold(0, |sum, &byte| sum << 8 | u64::from(byte));
    format!("{first:016x}")
}

fn part(item: &Item) -> Part {
    match item {
        Item::Figure(figure) => Part {
            title: figure.title.clone(),
            text: figure.caption.clone(),
            source: figure.source.clone(),
            figure: Some(figure.name.clone()),
            version: None,
            table: Some(table(&figure.table())),
        },
        Item::Table(of) => Part {
            title: of.title.clone(),
            text: of.caption.clone(),
            source: of.source.clone(),
            figure: None,
            version: None,
            table: Some(table(of)),
        },
        Item::Text { title, text } => Part {
            title: title.clone(),
            text: text.clone(),
            source: String::new(),
            figure: None,
            version: None,
            table: None,
        },
    }
}

fn table(of: &Table) -> TableView {
    let numbers = of.columns.iter().enumerate();
    TableView {
        columns: of
            .columns
            .iter()
            .map(|column| column.title.clone())
            .collect(),
        numbers: numbers
            .filter(|(_, column)| column.align == Align::Right)
            .map(|(place, _)| place)
            .collect(),
        rows: (of.rows.iter())
            .map(|row| row.iter().map(|cell| cell.text().to_owned()).collect())
            .collect(),
    }
}
