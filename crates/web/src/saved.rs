//! The games that people have saved, in a file.

use serde::{Deserialize, Serialize};
use service::Problem;
use sqlx::migrate::{Migration, MigrationType, Migrator};
use sqlx::sqlite::{SqliteConnectOptions, SqliteJournalMode, SqliteSynchronous};
use sqlx::{SqlSafeStr, SqlitePool};
use std::path::Path;
use utoipa::ToSchema;

/// A saved game, without its moves.
#[derive(Debug, Serialize, ToSchema)]
pub struct SavedGame {
    /// Its number.
    pub id: i64,
    /// What it is called.
    pub title: String,
    /// When it was saved, in seconds since 1970.
    pub saved: i64,
}

/// A game to save.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct GameToSave {
    /// What it is called.
    pub title: String,
    /// The game as SGF.
    pub sgf: String,
    /// What the page knows of it besides, such as a review, in a form of its own.
    pub study: Option<String>,
}

/// Where the games are.
#[derive(Clone)]
pub struct SavedGames(SqlitePool);

impl SavedGames {
    /// Opens the file, which is made where there is none.
    ///
    /// # Errors
    /// If the file cannot be opened or is no such file.
    pub async fn open(file: &Path) -> Result<SavedGames, sqlx::Error> {
        let options = SqliteConnectOptions::new()
            .filename(file)
            .create_if_missing(true)
            .journal_mode(SqliteJournalMode::Wal)
            .synchronous(SqliteSynchronous::Full);
        let pool = SqlitePool::connect_with(options).await?;
        let games = include_str!("../migrations/0001_games.sql").into_sql_str();
        let studies = include_str!("../migrations/0002_studies.sql").into_sql_str();
        let migrations = vec![
            Migration::new(1, "games".into(), MigrationType::Simple, games, false),
            Migration::new(2, "studies".into(), MigrationType::Simple, studies, false),
        ];
        Migrator::with_migrations(migrations).run(&pool).await?;
        Ok(SavedGames(pool))
    }

    /// All games, the last saved first.
    pub async fn list(&self) -> Result<Vec<SavedGame>, Problem> {
        let rows: Vec<(i64, String, i64)> = sqlx::query_as(
            "SELECT id, title, saved FROM games ORDER BY saved DESC, id DESC LIMIT 1000",
        )
        .fetch_all(&self.0)
        .await
        .map_err(Problem::internal)?;
        let game = |(id, title, saved)| SavedGame { id, title, saved };
        Ok(rows.into_iter().map(game).collect())
    }

    /// The SGF of a game.
    pub async fn sgf(&self, id: i64) -> Result<String, Problem> {
        sqlx::query_scalar("SELECT sgf FROM games WHERE id = ?")
            .bind(id)
            .fetch_optional(&self.0)
            .await
            .map_err(Problem::internal)?
            .ok_or_else(|| no_game(id))
    }

    /// What was known of a game besides its moves when it was saved.
    pub async fn study(&self, id: i64) -> Result<Option<String>, Problem> {
        sqlx::query_scalar("SELECT study FROM games WHERE id = ?")
            .bind(id)
            .fetch_optional(&self.0)
            .await
            .map_err(Problem::internal)?
            .ok_or_else(|| no_game(id))
    }

    /// Saves a new game and gives its number.
    pub async fn add(&self, game: &GameToSave) -> Result<i64, Problem> {
        sqlx::query_scalar(
            "INSERT INTO games (title, saved, sgf, study) VALUES (?, unixepoch(), ?, ?) RETURNING id",
        )
        .bind(&game.title)
        .bind(&game.sgf)
        .bind(&game.study)
        .fetch_one(&self.0)
        .await
        .map_err(Problem::internal)
    }

    /// Forgets a game.
    pub async fn remove(&self, id: i64) -> Result<(), Problem> {
        let done = sqlx::query("DELETE FROM games WHERE id = ?")
            .bind(id)
            .execute(&self.0)
            .await
            .map_err(Problem::internal)?;
        if done.rows_affected() == 0 {
            return Err(no_game(id));
        }
        Ok(())
    }
}

fn no_game(id: i64) -> Problem {
    Problem::not_found(format!("there is no saved game {id}"))
}
