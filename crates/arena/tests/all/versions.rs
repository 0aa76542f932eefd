//! Stores of other versions of the program: older ones go on, newer ones are refused.

use crate::postgres::Postgres;
use crate::store::{MINUTE, claim, experiment, game};
use arena::{Counts, Effect, Store};

/// Makes a store as the first version of the program did, with two pairs of which one is played.
async fn first_version(url: &str) {
    use sqlx::Connection;
    use sqlx::migrate::{Migration, MigrationType, Migrator};
    sqlx::any::install_default_drivers();
    let mut connection = sqlx::AnyConnection::connect(url)
        .await
        .expect("a connection");
    let migration = |(version, name, text): (i64, &'static str, &'static str)| {
        let kind = MigrationType::Simple;
        Migration::new(
            version,
            name.into(),
            kind,
            sqlx::SqlSafeStr::into_sql_str(text),
            false,
        )
    };
    let steps = [
        (1, "arena", include_str!("../../migrations/0001_arena.sql")),
        (
            2,
            "open pairs",
            include_str!("../../migrations/0002_open_pairs.sql"),
        ),
    ];
    let migrator = Migrator::with_migrations(steps.map(migration).to_vec());
    migrator.run(&mut connection).await.expect("its tables");
    for text in [
        "INSERT INTO experiments VALUES ('e', 'name', 'full', 'text with ''quotes'' and ō', '0.1.0', 1)",
        "INSERT INTO pairs (experiment, pair, point, state, worker, generation, deadline)
            VALUES ('e', 0, 0, 1, 'old#0', 1, 5), ('e', 1, 1, 0, 'old#0', 2, 5), ('e', 2, 0, 2, '', 0, 0)",
        "INSERT INTO games VALUES ('e', 0, 0, 0, 2, 'fork', '', 30, 1.5, 'old#0', 1, 5, 'a', '[]'),
            ('e', 0, 1, 0, 0, 'ring', '', 31, 1.5, 'old#0', 1, 6, 'b', '[]'),
            ('e', 1, 0, 1, 1, 'full', '', 32, 1.5, 'old#0', 2, 7, 'c', '[]')",
        "INSERT INTO workers VALUES ('old', 'm', 7, 1, '0.1.0', 0, 1, 5, 0, 0)",
    ] {
        let done = sqlx::query(text).execute(&mut connection).await;
        done.expect("written");
    }
    connection.close().await.expect("closed");
}

/// What was played stays, and what was not goes on where it was.
async fn goes_on(store: &Store) {
    let counts = Counts {
        open: 1,
        leased: 0,
        done: 1,
        not_needed: 1,
        games: 3,
    };
    assert_eq!(store.counts("e").await.expect("counts"), counts);
    assert_eq!(store.experiments().await.expect("rows"), [experiment("e")]);
    let workers = store.workers().await.expect("workers");
    assert_eq!((&*workers[0].worker.id, workers[0].games), ("old", 3));
    let leases = claim(store, "new#0", 9, MINUTE).await;
    assert_eq!(leases.len(), 1);
    assert_eq!(
        (leases[0].pair, leases[0].generation, leases[0].stored),
        (1, 3, [true, false])
    );
    let effects = store.record(&[game(&leases[0], 1, 2)]).await;
    assert_eq!(effects.expect("recorded"), [Effect::Stored]);
    let counts = Counts {
        open: 0,
        done: 2,
        games: 4,
        ..counts
    };
    assert_eq!(store.counts("e").await.expect("counts"), counts);
    let closed = store.closed_points("e").await.expect("points");
    assert_eq!(closed.into_iter().collect::<Vec<_>>(), [0]);
}

#[tokio::test]
async fn a_store_of_the_first_version_goes_on() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("old.db").display().to_string();
    first_version(&format!("sqlite://{path}?mode=rwc")).await;
    let error = Store::open_to_read(&format!("sqlite://{path}?mode=ro")).await;
    let error = error.expect_err("it cannot be brought up to date");
    let error = error.to_string();
    assert!(
        error.contains("older version") && error.contains("copy it"),
        "{error}"
    );
    let reader = Store::open_to_read(&path)
        .await
        .expect("brought up to date");
    assert_eq!(reader.counts("e").await.expect("counts").games, 3);
    goes_on(&Store::open(&path).await.expect("a store")).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_database_of_the_first_version_goes_on() {
    let Some(postgres) = Postgres::start() else {
        return;
    };
    first_version(&postgres.url()).await;
    goes_on(&Store::open(&postgres.url()).await.expect("a store")).await;
}

#[tokio::test]
async fn a_store_of_a_newer_version_is_refused() {
    use sqlx::Connection;
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("new.db").display().to_string();
    Store::open(&path).await.expect("a store").close().await;
    let mut connection = sqlx::AnyConnection::connect(&format!("sqlite://{path}"))
        .await
        .expect("a connection");
    let text = "INSERT INTO _sqlx_migrations SELECT 1000, 'x', installed_on, success, checksum, execution_time
        FROM _sqlx_migrations WHERE version = 1";
    let later = sqlx::query(text).execute(&mut connection).await;
    later.expect("written");
    connection.close().await.expect("closed");
    for opened in [Store::open(&path).await, Store::open_to_read(&path).await] {
        let error = opened.expect_err("refused").to_string();
        assert!(error.contains("newer version"), "{error}");
    }
}
