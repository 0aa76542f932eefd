//! The experiments of the arena's store, for those who watch them.

use arena::{Counts, Experiment, ExperimentRow, GameRow, Score, Store};
use figures::{Align, Item, Table};
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

    /// The store, if there is one.
    async fn store(&self) -> Result<Option<&Store>, Problem> {
        let file = self.place.strip_prefix("sqlite://").unwrap_or(&self.place);
        let file = file.split('?').next().unwrap_or_default();
        if !self.place.starts_with("postgres") && !Path::new(file).exists() {
            return Ok(None);
        }
        let open = || Store::open_to_read(&self.place);
        self.store
            .get_or_try_init(open)
            .await
            .map(Some)
            .map_err(Problem::internal)
    }

    /// All experiments, the newest first.
    pub async fn list(&self) -> Result<Vec<ExperimentView>, Problem> {
        let Some(store) = self.store().await? else {
            return Ok(Vec::new());
        };
        let rate = rate(store).await?;
        let mut all = Vec::new();
        for row in store.experiments().await.map_err(Problem::internal)? {
            let counts = store.counts(&row.id).await.map_err(Problem::internal)?;
            all.push(progress(row, counts, rate));
        }
        all.reverse();
        Ok(all)
    }

    /// What is known of one.
    pub async fn report(&self, id: &str) -> Result<ExperimentReport, Problem> {
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
        let place = reports.iter().position(|known| known.id == row.id);
        if let Some(known) = place.map(|place| reports.remove(place))
            && known.games == counts.games
        {
            reports.push(Arc::clone(&known));
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
        let known = Arc::new(Known {
            id: row.id.clone(),
            games,
            report: ExperimentReport {
                points: points.collect(),
                progress: progress(row.clone(), counts, 0.0),
                title: report.title,
                description: report.description,
                facts: report
                    .facts
                    .into_iter()
                    .map(|(name, value)| Fact { name, value })
                    .collect(),
                parts,
            },
            figures,
        });
        reports.push(Arc::clone(&known));
        if reports.len() > REPORTS {
            reports.remove(0);
        }
        Ok(known)
    }

    /// A figure of one as SVG.
    pub async fn figure(&self, id: &str, name: &str) -> Result<String, Problem> {
        let (store, row) = self.find(id).await?;
        let known = self.known(store, &row).await?;
        let mut named = known.figures.iter().filter(|(figure, _)| figure == name);
        let (_, svg) = named
            .next()
            .ok_or_else(|| no(&format!("figure {name:?}")))?;
        Ok(svg.clone())
    }

    /// Games of one, from a place on.
    pub async fn games(&self, id: &str, after: (i64, i64)) -> Result<Vec<PlayedView>, Problem> {
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
        games: counts.games,
        done: counts.done,
        leased: counts.leased,
        open: counts.open,
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
