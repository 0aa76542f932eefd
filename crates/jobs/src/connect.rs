//! The connection to a store, its tables, its clock, and its transactions.
//!
//! Both databases run the same statements; only the clock and the locks differ in words. Times are those of the database.

use crate::StoreError;
use crate::place::{is_postgres, is_web, shown, url, urls_to_read};
use sqlx::any::AnyPoolOptions;
use sqlx::migrate::{self, MigrationType, Migrator};
use sqlx::{AnyConnection, AnyPool, AssertSqlSafe, Connection, Executor, SqlSafeStr};
use std::collections::BTreeSet;
use std::time::Duration;

/// How long to wait where SQLite does not do so itself, and how often: 20 s, as it waits elsewhere.
const BETWEEN_TRIES: Duration = Duration::from_millis(20);
const MOST_TRIES: u32 = 1000;

/// A step that makes or changes tables, the same in both databases.
#[derive(Clone, Copy, Debug)]
pub struct Migration {
    /// Its number, which no other migration of the workspace has: users may share a database.
    pub version: i64,
    /// What it makes.
    pub name: &'static str,
    /// The statements.
    pub text: &'static str,
}

/// The tables of this crate.
const TABLES: Migration = Migration {
    version: 3,
    name: "jobs",
    text: include_str!("../migrations/0003_jobs.sql"),
};

/// A transaction. What was done in it is undone if it is dropped without [`Store::commit`].
pub type Transaction = sqlx::Transaction<'static, sqlx::Any>;

/// Which database it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    Sqlite,
    Postgres,
}

/// What a store is opened for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Access {
    Read,
    Write,
}

/// An open store. Clones share it.
#[derive(Clone, Debug)]
pub struct Store {
    pool: AnyPool,
    pub(crate) kind: Kind,
    /// Its place without a password, for messages.
    place: String,
}

/// How long another process may write before a write fails.
const PATIENCE: Duration = Duration::from_secs(20);
/// Connections to PostgreSQL: one for what may wait, and one for heartbeats. A server has 100 for all by default.
const CONNECTIONS: u32 = 2;

/// The last migration of the workspace: a store that has been through later ones belongs to a newer program.
const LATEST: i64 = 9;
/// From this number on, migrations belong to programs outside the workspace.
const FOREIGN: i64 = 9000;

/// This crate's migrations and those of its user, in their order.
fn migrator(tables: &[Migration]) -> Migrator {
    let mut all = [&[TABLES], tables].concat();
    all.sort_by_key(|migration| migration.version);
    let migration = |Migration {
                         version,
                         name,
                         text,
                     }: Migration| {
        let text = text.into_sql_str();
        migrate::Migration::new(version, name.into(), MigrationType::Simple, text, false)
    };
    let mut migrator = Migrator::with_migrations(all.into_iter().map(migration).collect());
    // Those of others who use the same database.
    migrator.set_ignore_missing(true);
    migrator
}

impl Store {
    /// Opens a store with the tables of its user, making or updating them: a path or `sqlite://path` for a file, which is
    /// made if it is not there, or `postgres://…`.
    ///
    /// # Errors
    /// If it cannot be reached or written.
    pub async fn open(place: &str, tables: &[Migration]) -> Result<Store, StoreError> {
        refuse_web(place)?;
        let store = Store::connect(place, &url(place), Access::Write).await?;
        store.check_age(&store.versions().await?)?;
        store.with(tables).await
    }

    /// The same open store with the tables of another user, made or updated. They share its connections, of which a
    /// database does not have many.
    ///
    /// # Errors
    /// If it cannot be written.
    pub async fn with(&self, tables: &[Migration]) -> Result<Store, StoreError> {
        let migrator = migrator(tables);
        // Another process may be making the same tables.
        let mut tries = 0;
        while let Err(why) = migrator.run(&self.pool).await {
            tries += 1;
            let what = why.to_string();
            if tries > if is_locked(&what) { MOST_TRIES } else { 20 } {
                return Err(StoreError::lasting(&self.place, what));
            }
            tokio::time::sleep(BETWEEN_TRIES).await;
        }
        Ok(self.clone())
    }

    /// Opens a store that is only read, which may lie where this user can write nothing: a file in a folder of somebody
    /// else, a database with the right to select. Only one that an older version has made is written, to bring its
    /// tables up to date.
    ///
    /// # Errors
    /// If it cannot be read.
    pub async fn open_to_read(place: &str, tables: &[Migration]) -> Result<Store, StoreError> {
        refuse_web(place)?;
        let needed = migrator(tables);
        let mut refused = None;
        for url in urls_to_read(place) {
            let found = async {
                let store = Store::connect(place, &url, Access::Read).await?;
                let versions = store.versions().await?;
                Ok::<_, StoreError>((store, versions))
            };
            match found.await {
                Ok((store, versions)) => {
                    store.check_age(&versions)?;
                    if needed.iter().all(|step| versions.contains(&step.version)) {
                        return Ok(store);
                    }
                    store.close().await;
                    return Store::open(place, tables).await.map_err(|why| {
                        let what = format!(
                            "an older version of the program has made it, and its tables cannot be brought up to \
                             date ({}): copy it to a place that you can write, or ask its owner to open it",
                            why.what
                        );
                        StoreError::lasting(&why.place, what)
                    });
                }
                Err(error) => refused = refused.or(Some(error)),
            }
        }
        match refused {
            Some(error) => Err(error),
            None => Store::open(place, tables).await,
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
            let what = "this papamu is built without PostgreSQL: build it with the feature postgres (cargo install \
                --path crates/cli has it)";
            return Err(StoreError::lasting(&shown, what));
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
            // A few connections may stay open. The task of the pool that closes idle ones can miscount them (sqlx 0.9.0, issue
            // 3645 there): then it never ends, and the program neither.
            .idle_timeout(None)
            .max_lifetime(None)
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

    /// Refuses a store that a newer version of the program has made.
    fn check_age(&self, versions: &BTreeSet<i64>) -> Result<(), StoreError> {
        match versions.range(LATEST + 1..FOREIGN).next() {
            None => Ok(()),
            Some(_) => Err(StoreError::lasting(
                &self.place,
                "a newer version of the program has made it: use that one",
            )),
        }
    }

    /// The numbers of the migrations that the tables have been through.
    async fn versions(&self) -> Result<BTreeSet<i64>, StoreError> {
        let text = "SELECT version FROM _sqlx_migrations WHERE success";
        let versions: Result<Vec<i64>, _> = sqlx::query_scalar(text).fetch_all(&self.pool).await;
        match versions {
            Ok(versions) => Ok(versions.into_iter().collect()),
            Err(sqlx::Error::Database(error))
                if error.message().contains("no such table")
                    || error.message().contains("does not exist") =>
            {
                Ok(BTreeSet::new())
            }
            Err(error) => Err(self.error(&error)),
        }
    }

    /// Where it is, without a password.
    pub fn place(&self) -> &str {
        &self.place
    }

    /// The connections, for statements that need no transaction.
    pub fn pool(&self) -> &AnyPool {
        &self.pool
    }

    /// Keeps a SQLite file from growing beyond so many pages, for as long as the store is open.
    ///
    /// # Errors
    /// If it is no such file.
    pub async fn limit_pages(&self, pages: u32) -> Result<(), StoreError> {
        let text = AssertSqlSafe(format!("PRAGMA max_page_count = {pages}"));
        let limited = sqlx::query(text).execute(&self.pool).await;
        limited.map_err(|error| self.error(&error))?;
        Ok(())
    }

    /// Closes it, with all that was written on the disk.
    pub async fn close(&self) {
        self.pool.close().await;
    }

    /// What an error of the database says of this store.
    pub fn error(&self, error: &sqlx::Error) -> StoreError {
        StoreError::of(&self.place, error)
    }

    /// A statement with the words of this database: `{now}` is the time in seconds since 1970, `{skip}`
    /// passes over rows that others lock, `{share}` locks rows against change, `{update}` against all other locks.
    pub fn sql(&self, text: &str) -> AssertSqlSafe<String> {
        let (now, skip, share, update) = match self.kind {
            // A transaction of SQLite that writes is alone.
            Kind::Sqlite => ("((julianday('now') - 2440587.5) * 86400.0)", "", "", ""),
            Kind::Postgres => (
                "CAST(EXTRACT(EPOCH FROM clock_timestamp()) AS DOUBLE PRECISION)",
                "FOR UPDATE SKIP LOCKED",
                "FOR SHARE",
                "FOR UPDATE",
            ),
        };
        AssertSqlSafe(
            text.replace("{now}", now)
                .replace("{skip}", skip)
                .replace("{share}", share)
                .replace("{update}", update),
        )
    }

    /// Begins a transaction that writes.
    ///
    /// # Errors
    /// If the store cannot be reached, or somebody else writes for too long.
    pub async fn begin(&self) -> Result<Transaction, StoreError> {
        let statement = match self.kind {
            // A transaction that began by reading could not go on to write while another writes.
            Kind::Sqlite => "BEGIN IMMEDIATE",
            Kind::Postgres => "BEGIN",
        };
        let begun = self.pool.begin_with(statement).await;
        begun.map_err(|error| self.error(&error))
    }

    /// Ends a transaction: all of it is on the disk then.
    ///
    /// # Errors
    /// If it cannot be written; nothing of it is stored then.
    pub async fn commit(&self, transaction: Transaction) -> Result<(), StoreError> {
        let committed = transaction.commit().await;
        committed.map_err(|error| self.error(&error))
    }
}

/// Refuses the address of a server, which would otherwise be the path of a file.
fn refuse_web(place: &str) -> Result<(), StoreError> {
    if is_web(place) {
        let what = "this needs the store itself, a file or a database: only `papamu worker` and `papamu status` work through a server";
        return Err(StoreError::lasting(&shown(place), what));
    }
    Ok(())
}

async fn set_up(
    connection: &mut AnyConnection,
    kind: Kind,
    access: Access,
) -> Result<(), sqlx::Error> {
    let statements: &[&'static str] = match (kind, access) {
        // What SQLite needs to lose nothing: a log that is on the disk before a transaction counts.
        (Kind::Sqlite, Access::Write) => &[
            "PRAGMA busy_timeout = 20000",
            "PRAGMA journal_mode = WAL",
            "PRAGMA synchronous = FULL",
            "PRAGMA foreign_keys = ON",
        ],
        (Kind::Sqlite, Access::Read) => &["PRAGMA busy_timeout = 20000"],
        // What PostgreSQL needs to let go of what a worker holds that is stopped, or whose machine is gone, in the
        // middle of a transaction.
        (Kind::Postgres, _) => &[
            "SET idle_in_transaction_session_timeout = '10s'",
            "SET tcp_keepalives_idle = 30",
            "SET tcp_keepalives_interval = 10",
        ],
    };
    for statement in statements {
        let mut tries = 0;
        // SQLite changes the journal of a new file only for a process that is alone, and does not wait to be.
        while let Err(why) = connection.execute(*statement).await {
            tries += 1;
            if tries > MOST_TRIES || !is_locked(&why.to_string()) {
                return Err(why);
            }
            tokio::time::sleep(BETWEEN_TRIES).await;
        }
    }
    Ok(())
}

/// Whether SQLite says that somebody else was at work.
fn is_locked(what: &str) -> bool {
    what.contains("is locked")
}

#[cfg(all(test, not(feature = "postgres")))]
mod tests {
    use super::*;

    #[tokio::test]
    async fn a_program_without_postgres_says_how_to_get_one() {
        let error = Store::open("postgres://me@host/db", &[])
            .await
            .expect_err("no");
        assert!(error.to_string().contains("cargo install"), "{error}");
    }
}
