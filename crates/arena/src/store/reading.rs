//! What is stored.

use super::{Counts, ExperimentRow, GameRow, Score, Store, StoreError};
use sqlx::Row;
use sqlx::any::AnyRow;
use std::collections::BTreeMap;

impl Store {
    /// All experiments, the oldest first.
    ///
    /// # Errors
    /// If the store cannot be read.
    pub async fn experiments(&self) -> Result<Vec<ExperimentRow>, StoreError> {
        self.listed("SELECT id, name, scale, file, weights FROM experiments ORDER BY created, id")
            .await
    }

    /// The experiments with pairs that are still to be played, the oldest first.
    ///
    /// # Errors
    /// If the store cannot be read.
    pub async fn unfinished(&self) -> Result<Vec<ExperimentRow>, StoreError> {
        let text = "SELECT id, name, scale, file, weights FROM experiments WHERE EXISTS (
                SELECT 1 FROM jobs WHERE queue = experiments.id AND state = 0)
            ORDER BY created, id";
        self.listed(text).await
    }

    async fn listed(&self, text: &'static str) -> Result<Vec<ExperimentRow>, StoreError> {
        let rows = sqlx::query(text)
            .fetch_all(self.jobs.pool())
            .await
            .map_err(|error| self.error(&error))?;
        let text = |row: &AnyRow, column: usize| {
            let text = row.try_get::<String, _>(column);
            text.map_err(|error| self.error(&error))
        };
        let row = |row: &AnyRow| {
            Ok(ExperimentRow {
                id: text(row, 0)?,
                name: text(row, 1)?,
                scale: text(row, 2)?,
                file: text(row, 3)?,
                weights: self.read_weights(&text(row, 4)?)?,
            })
        };
        rows.iter().map(row).collect()
    }

    /// How far an experiment is.
    ///
    /// # Errors
    /// If the store cannot be read.
    pub async fn counts(&self, experiment: &str) -> Result<Counts, StoreError> {
        let jobs::Counts {
            open,
            leased,
            done,
            not_needed,
        } = self.jobs.counts(experiment).await?;
        let query = sqlx::query_scalar("SELECT COUNT(*) FROM games WHERE experiment = $1");
        let games: i64 = query
            .bind(experiment.to_owned())
            .fetch_one(self.jobs.pool())
            .await
            .map_err(|error| self.error(&error))?;
        Ok(Counts {
            open,
            leased,
            done,
            not_needed,
            games: games as u64,
        })
    }

    /// When an experiment was stored, in seconds since 1970.
    ///
    /// # Errors
    /// If the store cannot be read.
    pub async fn created(&self, experiment: &str) -> Result<f64, StoreError> {
        sqlx::query_scalar("SELECT created FROM experiments WHERE id = $1")
            .bind(experiment.to_owned())
            .fetch_one(self.jobs.pool())
            .await
            .map_err(|error| self.error(&error))
    }

    /// The games of each point of an experiment, or of one of them.
    ///
    /// # Errors
    /// If the store cannot be read.
    pub async fn scores(
        &self,
        experiment: &str,
        point: Option<u64>,
    ) -> Result<BTreeMap<u64, Score>, StoreError> {
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
            .fetch_all(self.jobs.pool())
            .await
            .map_err(|error| self.error(&error))?;
        let mut scores = BTreeMap::new();
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
            .fetch_all(self.jobs.pool())
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
