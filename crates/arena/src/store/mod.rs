//! The store: experiments, leases and games in SQLite (one file) or PostgreSQL, behind one interface.
//!
//! Both databases run the same statements; only the clock and the locks differ in words. Times are those
//! of the database, so that machines with different clocks agree on when a lease ends.
//!
//! A result has exactly one effect: games have the key (experiment, pair, colour), and a game is stored
//! only while the lease under which it was played holds, which the same statement checks: the worker and
//! the generation of the pair must be the game's, and the deadline must not be over.

mod copy;
mod rows;

pub use copy::{Copied, copy};
pub use rows::{Counts, Effect, ExperimentRow, GameRow, Lease, Score, WorkerRow};

use sqlx::any::{AnyPoolOptions, AnyRow};
use sqlx::migrate::Migrator;
use sqlx::{AnyConnection, AnyPool, AssertSqlSafe, Executor, Row};
use std::path::Path;
use std::time::Duration;
use thiserror::Error;

static SQLITE: Migrator = sqlx::migrate!("./migrations/sqlite");
static POSTGRES: Migrator = sqlx::migrate!("./migrations/postgres");

/// Why the store did not do what it was asked for.
#[derive(Debug, Error)]
#[error("store {place}: {what}")]
pub struct StoreError {
    place: String,
    what: String,
    /// Whether it may work if it is tried again: the connection was lost, or somebody else was writing.
    pub passing: bool,
}

/// Which database it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Sqlite,
    Postgres,
}

/// An open store. Clones share it.
#[derive(Clone, Debug)]
pub struct Store {
    pool: AnyPool,
    kind: Kind,
    /// Its place without a password, for messages.
    place: String,
}

/// How long another process may write before a write fails.
const PATIENCE: Duration = Duration::from_secs(20);
/// Connections to PostgreSQL.
const CONNECTIONS: u32 = 8;
/// Rows of one statement that inserts pairs.
const ROWS: usize = 200;

impl Store {
    /// Opens a store, making or updating its tables: a path or `sqlite://path` for a file, which is made
    /// if it is not there, or `postgres://…`.
    ///
    /// # Errors
    /// If it cannot be reached or written.
    pub async fn open(place: &str) -> Result<Store, StoreError> {
        sqlx::any::install_default_drivers();
        let is_postgres = place.starts_with("postgres://") || place.starts_with("postgresql://");
        let (kind, url) = if is_postgres {
            (Kind::Postgres, place.to_owned())
        } else {
            (Kind::Sqlite, sqlite_url(place))
        };
        let shown = shown(place);
        let error = |error: &sqlx::Error| StoreError::of(&shown, error);
        let connections = if is_postgres { CONNECTIONS } else { 1 };
        let pool = AnyPoolOptions::new()
            .max_connections(connections)
            .acquire_timeout(PATIENCE)
            .after_connect(move |connection, _| {
                Box::pin(async move {
                    if kind == Kind::Sqlite {
                        set_up_sqlite(connection).await?;
                    }
                    Ok(())
                })
            })
            .connect(&url)
            .await
            .map_err(|why| error(&why))?;
        let store = Store {
            pool,
            kind,
            place: shown.clone(),
        };
        let migrator = match kind {
            Kind::Sqlite => &SQLITE,
            Kind::Postgres => &POSTGRES,
        };
        // Another process may be making the same tables.
        let mut tries = 0;
        loop {
            match migrator.run(&store.pool).await {
                Ok(()) => return Ok(store),
                Err(_) if tries < 20 => tokio::time::sleep(Duration::from_millis(20)).await,
                Err(why) => {
                    return Err(StoreError {
                        place: shown,
                        what: why.to_string(),
                        passing: false,
                    });
                }
            }
            tries += 1;
        }
    }

    /// Where it is, without a password.
    pub fn place(&self) -> &str {
        &self.place
    }

    /// Keeps a SQLite file from growing beyond so many pages, for as long as the store is open.
    ///
    /// # Errors
    /// If it is no such file.
    pub async fn limit_pages(&self, pages: u32) -> Result<(), StoreError> {
        let text = AssertSqlSafe(format!("PRAGMA max_page_count = {pages}"));
        sqlx::query(text)
            .execute(&self.pool)
            .await
            .map_err(|error| self.error(&error))?;
        Ok(())
    }

    /// Closes it, with all that was written on the disk.
    pub async fn close(&self) {
        self.pool.close().await;
    }

    fn error(&self, error: &sqlx::Error) -> StoreError {
        StoreError::of(&self.place, error)
    }

    /// A statement with the words of this database: `{now}` is the time in seconds since 1970, `{skip}`
    /// passes over rows that others lock, `{share}` locks rows against change.
    fn sql(&self, text: &str) -> AssertSqlSafe<String> {
        let (now, skip, share) = match self.kind {
            Kind::Sqlite => ("((julianday('now') - 2440587.5) * 86400.0)", "", ""),
            Kind::Postgres => (
                "CAST(EXTRACT(EPOCH FROM clock_timestamp()) AS DOUBLE PRECISION)",
                "FOR UPDATE SKIP LOCKED",
                "FOR SHARE",
            ),
        };
        AssertSqlSafe(
            text.replace("{now}", now)
                .replace("{skip}", skip)
                .replace("{share}", share),
        )
    }

    async fn begin(&self) -> Result<sqlx::Transaction<'static, sqlx::Any>, StoreError> {
        let statement = match self.kind {
            // A transaction that began by reading could not go on to write while another writes.
            Kind::Sqlite => "BEGIN IMMEDIATE",
            Kind::Postgres => "BEGIN",
        };
        self.pool
            .begin_with(statement)
            .await
            .map_err(|error| self.error(&error))
    }

    /// Puts an experiment with its pairs into the store. What is there of it already stays.
    ///
    /// # Errors
    /// If the store cannot be written.
    pub async fn publish(
        &self,
        experiment: &ExperimentRow,
        pairs: &[(u64, usize)],
    ) -> Result<(), StoreError> {
        let mut transaction = self.begin().await?;
        self.put_experiment(&mut transaction, experiment)
            .await
            .map_err(|error| self.error(&error))?;
        for rows in pairs.chunks(ROWS) {
            let places: Vec<String> = (0..rows.len())
                .map(|row| format!("($1, ${}, ${})", 2 * row + 2, 2 * row + 3))
                .collect();
            let text = format!(
                "INSERT INTO pairs (experiment, pair, point) VALUES {} ON CONFLICT DO NOTHING",
                places.join(", ")
            );
            let mut query = sqlx::query(AssertSqlSafe(text)).bind(experiment.id.clone());
            for &(pair, point) in rows {
                query = query.bind(pair as i64).bind(point as i64);
            }
            query
                .execute(&mut *transaction)
                .await
                .map_err(|error| self.error(&error))?;
        }
        transaction
            .commit()
            .await
            .map_err(|error| self.error(&error))
    }

    async fn put_experiment(
        &self,
        connection: &mut AnyConnection,
        row: &ExperimentRow,
    ) -> Result<(), sqlx::Error> {
        // What to show, and how many games, may have been changed in the file since.
        let text = "INSERT INTO experiments (id, name, scale, file, version, created)
            VALUES ($1, $2, $3, $4, $5, {now})
            ON CONFLICT (id) DO UPDATE SET name = excluded.name, scale = excluded.scale, file = excluded.file";
        let query = sqlx::query(self.sql(text));
        let query = query
            .bind(row.id.clone())
            .bind(row.name.clone())
            .bind(row.scale.clone());
        query
            .bind(row.file.clone())
            .bind(env!("CARGO_PKG_VERSION"))
            .execute(connection)
            .await?;
        Ok(())
    }

    /// All experiments, the oldest first.
    ///
    /// # Errors
    /// If the store cannot be read.
    pub async fn experiments(&self) -> Result<Vec<ExperimentRow>, StoreError> {
        let text = "SELECT id, name, scale, file FROM experiments ORDER BY created, id";
        let rows = sqlx::query(text)
            .fetch_all(&self.pool)
            .await
            .map_err(|error| self.error(&error))?;
        let row = |row: &AnyRow| {
            Ok(ExperimentRow {
                id: row.try_get(0)?,
                name: row.try_get(1)?,
                scale: row.try_get(2)?,
                file: row.try_get(3)?,
            })
        };
        rows.iter()
            .map(row)
            .collect::<Result<_, _>>()
            .map_err(|error| self.error(&error))
    }

    /// Leases up to `count` open pairs of an experiment to a worker, the first ones that nobody plays.
    ///
    /// # Errors
    /// If the store cannot be written.
    pub async fn claim(
        &self,
        experiment: &str,
        worker: &str,
        count: usize,
        lease: Duration,
    ) -> Result<Vec<Lease>, StoreError> {
        let text =
            "UPDATE pairs SET worker = $1, generation = generation + 1, deadline = {now} + $2
            WHERE experiment = $3 AND pair IN (
                SELECT pair FROM pairs WHERE experiment = $3 AND state = 0 AND deadline < {now}
                ORDER BY pair LIMIT $4 {skip})
            RETURNING pair, generation";
        let query = sqlx::query(self.sql(text))
            .bind(worker.to_owned())
            .bind(lease.as_secs_f64());
        let query = query.bind(experiment.to_owned()).bind(count as i64);
        let rows = query
            .fetch_all(&self.pool)
            .await
            .map_err(|error| self.error(&error))?;
        let mut leases = Vec::with_capacity(rows.len());
        for row in &rows {
            let of_row = || Ok((row.try_get::<i64, _>(0)?, row.try_get::<i64, _>(1)?));
            let (pair, generation) = of_row().map_err(|error| self.error(&error))?;
            leases.push(Lease {
                experiment: experiment.to_owned(),
                pair: pair as u64,
                worker: worker.to_owned(),
                generation,
                stored: self.stored(experiment, pair, generation).await?,
            });
        }
        leases.sort_by_key(|lease| lease.pair);
        Ok(leases)
    }

    /// Which games of a pair are stored. A pair that is given out for the first time has none.
    async fn stored(
        &self,
        experiment: &str,
        pair: i64,
        generation: i64,
    ) -> Result<[bool; 2], StoreError> {
        let mut stored = [false; 2];
        if generation > 1 {
            let text = "SELECT colour FROM games WHERE experiment = $1 AND pair = $2";
            let query = sqlx::query_scalar(text)
                .bind(experiment.to_owned())
                .bind(pair);
            let colours: Vec<i64> = query
                .fetch_all(&self.pool)
                .await
                .map_err(|error| self.error(&error))?;
            for colour in colours {
                stored[usize::from(colour != 0)] = true;
            }
        }
        Ok(stored)
    }

    /// Stores games, all together in one transaction, and tells what each did.
    ///
    /// # Errors
    /// If the store cannot be written; nothing is stored then.
    pub async fn record(&self, games: &[GameRow]) -> Result<Vec<Effect>, StoreError> {
        let mut transaction = self.begin().await?;
        let mut effects = Vec::with_capacity(games.len());
        for game in games {
            let effect = self.record_one(&mut transaction, game).await;
            effects.push(effect.map_err(|error| self.error(&error))?);
        }
        transaction
            .commit()
            .await
            .map_err(|error| self.error(&error))?;
        Ok(effects)
    }

    async fn record_one(
        &self,
        connection: &mut AnyConnection,
        game: &GameRow,
    ) -> Result<Effect, sqlx::Error> {
        let text = "INSERT INTO games (experiment, pair, colour, point, score, reason, fault, plies,
                seconds, worker, generation, finished, sgf, turns)
            SELECT experiment, pair, $1, point, $2, $3, $4, $5, $6, worker, generation, {now}, $7, $8
            FROM pairs WHERE experiment = $9 AND pair = $10 AND worker = $11 AND generation = $12
                AND deadline > {now} {share}
            ON CONFLICT DO NOTHING";
        let query = sqlx::query(self.sql(text))
            .bind(game.colour)
            .bind(game.score);
        let query = query
            .bind(game.reason.clone())
            .bind(game.fault.clone())
            .bind(game.plies as i64);
        let query = query
            .bind(game.seconds)
            .bind(game.sgf.clone())
            .bind(game.turns.clone());
        let query = query.bind(game.experiment.clone()).bind(game.pair as i64);
        let query = query.bind(game.worker.clone()).bind(game.generation);
        if query.execute(&mut *connection).await?.rows_affected() == 0 {
            let text =
                "SELECT COUNT(*) FROM games WHERE experiment = $1 AND pair = $2 AND colour = $3";
            let query = sqlx::query_scalar(text).bind(game.experiment.clone());
            let query = query.bind(game.pair as i64).bind(game.colour);
            let there: i64 = query.fetch_one(&mut *connection).await?;
            return Ok(if there > 0 {
                Effect::Duplicate
            } else {
                Effect::Late
            });
        }
        let text = "UPDATE pairs SET state = 1 WHERE experiment = $1 AND pair = $2
            AND (SELECT COUNT(*) FROM games WHERE games.experiment = $1 AND games.pair = $2) = 2";
        let query = sqlx::query(text)
            .bind(game.experiment.clone())
            .bind(game.pair as i64);
        query.execute(&mut *connection).await?;
        Ok(Effect::Stored)
    }

    /// Makes leases last for `lease` from now, those that are not over.
    ///
    /// # Errors
    /// If the store cannot be written.
    pub async fn extend(&self, leases: &[Lease], lease: Duration) -> Result<(), StoreError> {
        let text = "UPDATE pairs SET deadline = {now} + $1
            WHERE experiment = $2 AND pair = $3 AND worker = $4 AND generation = $5 AND deadline > {now}";
        self.for_leases(text, lease.as_secs_f64(), leases).await
    }

    /// Gives leases back.
    ///
    /// # Errors
    /// If the store cannot be written.
    pub async fn release(&self, leases: &[Lease]) -> Result<(), StoreError> {
        let text = "UPDATE pairs SET deadline = $1
            WHERE experiment = $2 AND pair = $3 AND worker = $4 AND generation = $5";
        self.for_leases(text, 0.0, leases).await
    }

    async fn for_leases(&self, text: &str, first: f64, leases: &[Lease]) -> Result<(), StoreError> {
        if leases.is_empty() {
            return Ok(());
        }
        let mut transaction = self.begin().await?;
        for lease in leases {
            let query = sqlx::query(self.sql(text))
                .bind(first)
                .bind(lease.experiment.clone());
            let query = query
                .bind(lease.pair as i64)
                .bind(lease.worker.clone())
                .bind(lease.generation);
            query
                .execute(&mut *transaction)
                .await
                .map_err(|error| self.error(&error))?;
        }
        transaction
            .commit()
            .await
            .map_err(|error| self.error(&error))
    }

    /// Tells that the rest of a point's pairs are not needed.
    ///
    /// # Errors
    /// If the store cannot be written.
    pub async fn close_point(&self, experiment: &str, point: u64) -> Result<(), StoreError> {
        let text = "UPDATE pairs SET state = 2 WHERE experiment = $1 AND point = $2 AND state = 0";
        let query = sqlx::query(text)
            .bind(experiment.to_owned())
            .bind(point as i64);
        query
            .execute(&self.pool)
            .await
            .map_err(|error| self.error(&error))?;
        Ok(())
    }

    /// How far an experiment is.
    ///
    /// # Errors
    /// If the store cannot be read.
    pub async fn counts(&self, experiment: &str) -> Result<Counts, StoreError> {
        let mut counts = Counts::default();
        let text =
            "SELECT state, CASE WHEN state = 0 AND deadline > {now} THEN 1 ELSE 0 END AS held,
                COUNT(*) FROM pairs WHERE experiment = $1 GROUP BY 1, 2";
        let query = sqlx::query(self.sql(text)).bind(experiment.to_owned());
        let rows = query
            .fetch_all(&self.pool)
            .await
            .map_err(|error| self.error(&error))?;
        for row in &rows {
            let numbers = (|| {
                let held: i64 = match row.try_get::<i64, _>(1) {
                    Ok(held) => held,
                    Err(_) => i64::from(row.try_get::<i32, _>(1)?),
                };
                Ok((
                    row.try_get::<i64, _>(0)?,
                    held,
                    row.try_get::<i64, _>(2)? as u64,
                ))
            })();
            let (state, held, count) = numbers.map_err(|error| self.error(&error))?;
            match state {
                0 => {
                    counts.open += count;
                    counts.leased += if held == 1 { count } else { 0 };
                }
                1 => counts.done += count,
                _ => counts.not_needed += count,
            }
        }
        let query = sqlx::query_scalar("SELECT COUNT(*) FROM games WHERE experiment = $1");
        let games: i64 = query
            .bind(experiment.to_owned())
            .fetch_one(&self.pool)
            .await
            .map_err(|error| self.error(&error))?;
        counts.games = games as u64;
        Ok(counts)
    }

    /// The games of each point of an experiment, or of one of them.
    ///
    /// # Errors
    /// If the store cannot be read.
    pub async fn scores(
        &self,
        experiment: &str,
        point: Option<u64>,
    ) -> Result<std::collections::BTreeMap<u64, Score>, StoreError> {
        let text = "SELECT point, pair, CAST(SUM(score) AS BIGINT), COUNT(*),
                COUNT(CASE WHEN score = 2 THEN 1 END), COUNT(CASE WHEN score = 1 THEN 1 END),
                COUNT(CASE WHEN fault LIKE 'player%' THEN 1 END),
                COUNT(CASE WHEN fault LIKE 'against%' THEN 1 END)
            FROM games WHERE experiment = $1 AND point BETWEEN $2 AND $3 GROUP BY point, pair";
        let (first, last) = point.map_or((0, i64::MAX), |point| (point as i64, point as i64));
        let query = sqlx::query(text)
            .bind(experiment.to_owned())
            .bind(first)
            .bind(last);
        let rows = query
            .fetch_all(&self.pool)
            .await
            .map_err(|error| self.error(&error))?;
        let mut scores = std::collections::BTreeMap::new();
        for row in &rows {
            let numbers: Result<Vec<u64>, sqlx::Error> = (0..8)
                .map(|column| Ok(row.try_get::<i64, _>(column)? as u64))
                .collect();
            let numbers = numbers.map_err(|error| self.error(&error))?;
            let [point, _, sum, games, wins, draws, faults, others] = numbers[..] else {
                continue;
            };
            let score: &mut Score = scores.entry(point).or_default();
            score.wins += wins;
            score.draws += draws;
            score.losses += games - wins - draws;
            score.faults[0] += faults;
            score.faults[1] += others;
            if games == 2 {
                score.pairs[(sum as usize).min(4)] += 1;
            }
        }
        Ok(scores)
    }

    /// Games of an experiment in the order of their pairs, from a place on, without SGF.
    ///
    /// # Errors
    /// If the store cannot be read.
    pub async fn games(
        &self,
        experiment: &str,
        after: (i64, i64),
        count: usize,
    ) -> Result<Vec<GameRow>, StoreError> {
        let text =
            "SELECT experiment, pair, colour, point, score, reason, fault, plies, seconds, worker,
                generation, finished, sgf, turns FROM games
            WHERE experiment = $1 AND (pair > $2 OR (pair = $2 AND colour > $3))
            ORDER BY pair, colour LIMIT $4";
        let query = sqlx::query(text)
            .bind(experiment.to_owned())
            .bind(after.0)
            .bind(after.1);
        let rows = query
            .bind(count as i64)
            .fetch_all(&self.pool)
            .await
            .map_err(|error| self.error(&error))?;
        rows.iter()
            .map(game_row)
            .collect::<Result<_, _>>()
            .map_err(|error| self.error(&error))
    }

    /// One game; `None` if it is not stored.
    ///
    /// # Errors
    /// If the store cannot be read.
    pub async fn game(
        &self,
        experiment: &str,
        pair: u64,
        colour: i64,
    ) -> Result<Option<GameRow>, StoreError> {
        let games = self.games(experiment, (pair as i64, colour - 1), 1).await?;
        Ok(games
            .into_iter()
            .find(|game| game.pair == pair && game.colour == colour))
    }

    /// Tells that a worker is there.
    ///
    /// # Errors
    /// If the store cannot be written.
    pub async fn greet(&self, worker: &WorkerRow) -> Result<(), StoreError> {
        let text =
            "INSERT INTO workers (id, machine, process, threads, version, reference, started, seen)
            VALUES ($1, $2, $3, $4, $5, $6, {now}, {now})
            ON CONFLICT (id) DO UPDATE SET reference = excluded.reference, seen = excluded.seen";
        let query = sqlx::query(self.sql(text))
            .bind(worker.id.clone())
            .bind(worker.machine.clone());
        let query = query
            .bind(worker.process)
            .bind(worker.threads)
            .bind(worker.version.clone());
        let query = query.bind(worker.reference);
        query
            .execute(&self.pool)
            .await
            .map_err(|error| self.error(&error))?;
        Ok(())
    }

    /// Tells that a worker is still there, with so many threads whose move takes longer than it may.
    ///
    /// # Errors
    /// If the store cannot be written.
    pub async fn seen(&self, worker: &str, stuck: usize, ended: bool) -> Result<(), StoreError> {
        let text = "UPDATE workers SET seen = {now}, stuck = $1, ended = $2 WHERE id = $3";
        let query = sqlx::query(self.sql(text))
            .bind(stuck as i64)
            .bind(i64::from(ended));
        query
            .bind(worker.to_owned())
            .execute(&self.pool)
            .await
            .map_err(|error| self.error(&error))?;
        Ok(())
    }

    /// All workers, the oldest first.
    ///
    /// # Errors
    /// If the store cannot be read.
    pub async fn workers(&self) -> Result<Vec<WorkerRow>, StoreError> {
        let text = "SELECT w.id, w.machine, w.process, w.threads, w.version, w.reference, w.started,
                {now} - w.seen, w.stuck, w.ended, COUNT(g.pair),
                COUNT(CASE WHEN g.finished > {now} - 60 THEN 1 END)
            FROM workers w LEFT JOIN games g ON g.worker LIKE w.id || '#%'
            GROUP BY w.id, w.machine, w.process, w.threads, w.version, w.reference, w.started, w.seen,
                w.stuck, w.ended ORDER BY w.started, w.id";
        let rows = sqlx::query(self.sql(text))
            .fetch_all(&self.pool)
            .await
            .map_err(|error| self.error(&error))?;
        let row = |row: &AnyRow| {
            Ok(WorkerRow {
                id: row.try_get(0)?,
                machine: row.try_get(1)?,
                process: row.try_get(2)?,
                threads: row.try_get(3)?,
                version: row.try_get(4)?,
                reference: row.try_get(5)?,
                started: row.try_get(6)?,
                silent: row.try_get(7)?,
                stuck: row.try_get(8)?,
                ended: row.try_get::<i64, _>(9)? != 0,
                games: row.try_get(10)?,
                last_minute: row.try_get(11)?,
            })
        };
        rows.iter()
            .map(row)
            .collect::<Result<_, _>>()
            .map_err(|error| self.error(&error))
    }

    /// Ends the leases of workers of a machine whose processes are gone, so that nobody has to wait for
    /// their deadlines.
    ///
    /// # Errors
    /// If the store cannot be written.
    pub async fn bury(
        &self,
        machine: &str,
        is_alive: impl Fn(&str) -> bool,
    ) -> Result<(), StoreError> {
        let text = "SELECT id FROM workers WHERE machine = $1 AND ended = 0";
        let query = sqlx::query_scalar(text).bind(machine.to_owned());
        let ids: Vec<String> = query
            .fetch_all(&self.pool)
            .await
            .map_err(|error| self.error(&error))?;
        for id in ids.into_iter().filter(|id| !is_alive(id)) {
            for text in [
                "UPDATE pairs SET deadline = 0 WHERE state = 0 AND worker LIKE $1 || '#%'",
                "UPDATE workers SET ended = 1 WHERE id = $1",
            ] {
                let query = sqlx::query(text).bind(id.clone());
                query
                    .execute(&self.pool)
                    .await
                    .map_err(|error| self.error(&error))?;
            }
        }
        Ok(())
    }
}

fn game_row(row: &AnyRow) -> Result<GameRow, sqlx::Error> {
    Ok(GameRow {
        experiment: row.try_get(0)?,
        pair: row.try_get::<i64, _>(1)? as u64,
        colour: row.try_get(2)?,
        point: row.try_get::<i64, _>(3)? as u64,
        score: row.try_get(4)?,
        reason: row.try_get(5)?,
        fault: row.try_get(6)?,
        plies: row.try_get::<i64, _>(7)? as u64,
        seconds: row.try_get(8)?,
        worker: row.try_get(9)?,
        generation: row.try_get(10)?,
        finished: row.try_get(11)?,
        sgf: row.try_get(12)?,
        turns: row.try_get(13)?,
    })
}

/// What SQLite needs to lose nothing: a log that is on the disk before a transaction counts.
async fn set_up_sqlite(connection: &mut AnyConnection) -> Result<(), sqlx::Error> {
    for pragma in [
        "PRAGMA busy_timeout = 20000",
        "PRAGMA journal_mode = WAL",
        "PRAGMA synchronous = FULL",
        "PRAGMA foreign_keys = ON",
    ] {
        connection.execute(pragma).await?;
    }
    Ok(())
}

/// A path as the address of a database that is made if it is not there.
fn sqlite_url(place: &str) -> String {
    let path = place
        .strip_prefix("sqlite://")
        .or_else(|| place.strip_prefix("sqlite:"))
        .unwrap_or(place);
    if path.contains("?mode=") {
        return format!("sqlite://{path}");
    }
    if let Some(folder) = Path::new(path).parent() {
        // If it cannot be made, opening the file says so.
        let _ = std::fs::create_dir_all(folder);
    }
    let path = path
        .replace('%', "%25")
        .replace('?', "%3f")
        .replace('#', "%23");
    format!("sqlite://{path}?mode=rwc")
}

/// A place without the password that it may have.
fn shown(place: &str) -> String {
    let Some((scheme, rest)) = place.split_once("://") else {
        return place.to_owned();
    };
    match rest.rsplit_once('@') {
        Some((user, host)) => {
            let user = user.split(':').next().unwrap_or_default();
            format!("{scheme}://{user}@{host}")
        }
        None => place.to_owned(),
    }
}

impl StoreError {
    fn of(place: &str, error: &sqlx::Error) -> StoreError {
        let (what, passing) = match error {
            sqlx::Error::Database(error) => {
                let message = error.message();
                let code = error.code().unwrap_or_default();
                let what = match message {
                    full if full.contains("disk is full") => {
                        "the disk or the database is full; what was stored stays whole".to_owned()
                    }
                    locked if locked.contains("readonly") => {
                        "it can only be read; what was stored stays whole".to_owned()
                    }
                    other => other.to_owned(),
                };
                // PostgreSQL: 57P: shut down or started up, 08: connection, 40: another transaction.
                let passing = ["57P", "08", "40"]
                    .iter()
                    .any(|class| code.starts_with(class));
                (what, passing || message.contains("is locked"))
            }
            sqlx::Error::Io(error) => (error.to_string(), true),
            sqlx::Error::PoolTimedOut => ("no connection".to_owned(), true),
            other => (other.to_string(), false),
        };
        StoreError {
            place: place.to_owned(),
            what,
            passing,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn passwords_are_not_shown() {
        assert_eq!(
            shown("postgres://me:secret@host/db"),
            "postgres://me@host/db"
        );
        assert_eq!(shown("postgres://host/db"), "postgres://host/db");
        assert_eq!(shown("a.db"), "a.db");
    }

    #[test]
    fn paths_become_addresses() {
        assert_eq!(sqlite_url("a b?.db"), "sqlite://a b%3f.db?mode=rwc");
        assert_eq!(sqlite_url("sqlite://x.db"), "sqlite://x.db?mode=rwc");
        assert_eq!(sqlite_url("x.db?mode=ro"), "sqlite://x.db?mode=ro");
    }
}
