//! The store: experiments, leases and games in SQLite (one file) or PostgreSQL, behind one interface.
//!
//! Both databases run the same statements; only the clock and the locks differ in words. Times are those
//! of the database, so that machines with different clocks agree on when a lease ends.
//!
//! A result has exactly one effect: games have the key (experiment, pair, colour), and a game is stored
//! only while the lease under which it was played holds, which the same statement checks: the worker and
//! the generation of the pair must be the game's, and the deadline must not be over.

mod copy;
mod leases;
mod reading;
mod rows;
mod workers;

pub use copy::{Copied, copy};
pub use rows::{Counts, Effect, ExperimentRow, GameRow, Lease, Score, WorkerRow};

use sqlx::any::AnyPoolOptions;
use sqlx::migrate::{Migration, MigrationType, Migrator};
use sqlx::{AnyConnection, AnyPool, AssertSqlSafe, Connection, Executor, SqlSafeStr};
use std::path::Path;
use std::time::Duration;
use thiserror::Error;

/// The tables are made by the same statements in both databases.
fn migrations() -> Migrator {
    let migration = |(version, name, text): (i64, &'static str, &'static str)| {
        let text = text.into_sql_str();
        Migration::new(version, name.into(), MigrationType::Simple, text, false)
    };
    let files = [
        (1, "arena", include_str!("../../migrations/0001_arena.sql")),
        (
            2,
            "open pairs",
            include_str!("../../migrations/0002_open_pairs.sql"),
        ),
    ];
    Migrator::with_migrations(files.map(migration).to_vec())
}

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

impl Store {
    /// Opens a store, making or updating its tables: a path or `sqlite://path` for a file, which is made
    /// if it is not there, or `postgres://…`.
    ///
    /// # Errors
    /// If it cannot be reached or written.
    pub async fn open(place: &str) -> Result<Store, StoreError> {
        let store = Store::connect(place, &url(place), Access::Write).await?;
        let migrations = migrations();
        // Another process may be making the same tables.
        let mut tries = 0;
        loop {
            match migrations.run(&store.pool).await {
                Ok(()) => return Ok(store),
                Err(_) if tries < 20 => tokio::time::sleep(Duration::from_millis(20)).await,
                Err(why) => {
                    return Err(StoreError {
                        place: store.place,
                        what: why.to_string(),
                        passing: false,
                    });
                }
            }
            tries += 1;
        }
    }

    /// Opens a store that is only read, which may lie where this user can write nothing: a file in a folder of somebody
    /// else, a database with the right to select. Only one that an older version has made is written, to bring its
    /// tables up to date.
    ///
    /// # Errors
    /// If it cannot be read, or a newer version has made it.
    pub async fn open_to_read(place: &str) -> Result<Store, StoreError> {
        let latest = migrations().iter().map(|migration| migration.version).max();
        let mut refused = None;
        for url in urls_to_read(place) {
            let found = async {
                let store = Store::connect(place, &url, Access::Read).await?;
                let version = store.version().await?;
                Ok::<_, StoreError>((store, version))
            };
            match found.await {
                Ok((store, version)) if version == latest => return Ok(store),
                Ok((store, version)) if version > latest => {
                    return Err(StoreError {
                        place: store.place,
                        what: "a newer version of the program has made it".to_owned(),
                        passing: false,
                    });
                }
                Ok((store, _)) => {
                    store.close().await;
                    return Store::open(place).await;
                }
                Err(error) => refused = refused.or(Some(error)),
            }
        }
        match refused {
            Some(error) => Err(error),
            None => Store::open(place).await,
        }
    }

    async fn connect(place: &str, url: &str, access: Access) -> Result<Store, StoreError> {
        sqlx::any::install_default_drivers();
        let kind = if is_postgres(place) {
            Kind::Postgres
        } else {
            Kind::Sqlite
        };
        let shown = shown(place);
        if kind == Kind::Postgres && cfg!(not(feature = "postgres")) {
            return Err(StoreError {
                place: shown,
                what: "this papamu is built without PostgreSQL: build it with the feature postgres (cargo install \
                    --path crates/cli has it)"
                    .to_owned(),
                passing: false,
            });
        }
        let error = |error: &sqlx::Error| StoreError::of(&shown, error);
        // A pool would try again and again, and tell in the end that the time is over.
        let first = AnyConnection::connect(url).await;
        let mut first = first.map_err(|why| error(&why))?;
        let ready = set_up(&mut first, kind, access).await;
        ready.map_err(|why| error(&why))?;
        first.close().await.map_err(|why| error(&why))?;
        let connections = if kind == Kind::Postgres {
            CONNECTIONS
        } else {
            1
        };
        let pool = AnyPoolOptions::new()
            .max_connections(connections)
            .acquire_timeout(PATIENCE)
            .after_connect(move |connection, _| Box::pin(set_up(connection, kind, access)))
            .connect(url)
            .await
            .map_err(|why| error(&why))?;
        Ok(Store {
            pool,
            kind,
            place: shown,
        })
    }

    /// The number of the last migration; `None` where there are no tables.
    async fn version(&self) -> Result<Option<i64>, StoreError> {
        let text = "SELECT MAX(version) FROM _sqlx_migrations";
        let version: Result<Option<i64>, _> = sqlx::query_scalar(text).fetch_one(&self.pool).await;
        match version {
            Ok(version) => Ok(version),
            Err(sqlx::Error::Database(error))
                if error.message().contains("no such table")
                    || error.message().contains("does not exist") =>
            {
                Ok(None)
            }
            Err(error) => Err(self.error(&error)),
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

    /// What is wrong with a store that has not answered for so long.
    pub(crate) fn silent_for(&self, time: Duration) -> StoreError {
        StoreError {
            place: self.place.clone(),
            what: format!("no answer within {} s", time.as_secs_f64()),
            passing: true,
        }
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
}

/// What a store is opened for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Access {
    Read,
    Write,
}

async fn set_up(
    connection: &mut AnyConnection,
    kind: Kind,
    access: Access,
) -> Result<(), sqlx::Error> {
    match (kind, access) {
        (Kind::Sqlite, Access::Write) => set_up_sqlite(connection).await,
        (Kind::Sqlite, Access::Read) => {
            connection.execute("PRAGMA busy_timeout = 20000").await?;
            Ok(())
        }
        (Kind::Postgres, _) => set_up_postgres(connection).await,
    }
}

fn is_postgres(place: &str) -> bool {
    place.starts_with("postgres://") || place.starts_with("postgresql://")
}

/// The address of a database that is made if it is not there.
fn url(place: &str) -> String {
    if is_postgres(place) {
        place.to_owned()
    } else {
        sqlite_url(place)
    }
}

/// The addresses at which a database may be readable, the best one first.
fn urls_to_read(place: &str) -> Vec<String> {
    if is_postgres(place) || place.contains("?mode=") {
        return vec![url(place)];
    }
    let path = sqlite_path(place);
    let address = |how: &str| format!("sqlite://{}?mode=ro{how}", escaped(path));
    let mut urls = vec![address("")];
    // Where the files of the log cannot be made, one that nobody writes can be read without them.
    let log = std::fs::metadata(format!("{path}-wal"));
    if !log.is_ok_and(|log| log.is_file() && log.len() > 0) {
        urls.push(address("&immutable=true"));
    }
    urls
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

/// What PostgreSQL needs to let go of what a worker holds that is stopped, or whose machine is gone, in the
/// middle of a transaction.
async fn set_up_postgres(connection: &mut AnyConnection) -> Result<(), sqlx::Error> {
    for setting in [
        "SET idle_in_transaction_session_timeout = '10s'",
        "SET tcp_keepalives_idle = 30",
        "SET tcp_keepalives_interval = 10",
    ] {
        connection.execute(setting).await?;
    }
    Ok(())
}

/// A path as the address of a database that is made if it is not there.
fn sqlite_url(place: &str) -> String {
    let path = sqlite_path(place);
    if path.contains("?mode=") {
        return format!("sqlite://{path}");
    }
    if let Some(folder) = Path::new(path).parent() {
        // If it cannot be made, opening the file says so.
        let _ = std::fs::create_dir_all(folder);
    }
    format!("sqlite://{}?mode=rwc", escaped(path))
}

/// The path of a file that may be given as an address.
fn sqlite_path(place: &str) -> &str {
    let path = place.strip_prefix("sqlite://");
    path.or_else(|| place.strip_prefix("sqlite:"))
        .unwrap_or(place)
}

fn escaped(path: &str) -> String {
    path.replace('%', "%25")
        .replace('?', "%3f")
        .replace('#', "%23")
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
                // PostgreSQL: 57P: shut down or started up, 08: connection, 40: another transaction, 25P03: this
                // process was stopped for too long.
                let passing = ["57P", "08", "40", "25P03"]
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

    #[cfg(not(feature = "postgres"))]
    #[tokio::test]
    async fn a_program_without_postgres_says_how_to_get_one() {
        let error = Store::open("postgres://me@host/db").await.expect_err("no");
        assert!(error.to_string().contains("cargo install"), "{error}");
    }

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
