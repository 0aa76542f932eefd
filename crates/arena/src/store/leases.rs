//! What is to be played, who plays it, and what came of it.

use super::{Effect, ExperimentRow, GameRow, Kind, Lease, Store, StoreError};
use sqlx::{AnyConnection, AssertSqlSafe, Row};
use std::time::Duration;

/// Rows of one statement that inserts pairs.
const ROWS: usize = 200;

impl Store {
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
            .map_err(|error| self.error(&error))?;
        // PostgreSQL plans by statistics, and knows nothing yet of so many new rows.
        if self.kind == Kind::Postgres {
            let analysed = sqlx::query("ANALYZE pairs").execute(&self.pool).await;
            analysed.map_err(|error| self.error(&error))?;
        }
        Ok(())
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
        let mut transaction = self.begin().await?;
        if self.kind == Kind::Postgres {
            // The index of open pairs has what is asked for, in order. A planner with statistics from before the pairs
            // would rather read and sort them all.
            let text = "SELECT set_config(name, 'off', true)
                FROM unnest(ARRAY['enable_seqscan', 'enable_bitmapscan', 'enable_sort']) AS name";
            let set = sqlx::query(text).execute(&mut *transaction).await;
            set.map_err(|error| self.error(&error))?;
        }
        // Not a part of the update: a join could ask for it, and lock other pairs, more than once.
        let text = "WITH chosen AS MATERIALIZED (
                SELECT pair FROM pairs WHERE experiment = $3 AND state = 0 AND deadline < {now}
                ORDER BY pair LIMIT $4 {skip})
            UPDATE pairs SET worker = $1, generation = generation + 1, deadline = {now} + $2
            WHERE experiment = $3 AND pair IN (SELECT pair FROM chosen)
            RETURNING pair, generation";
        let query = sqlx::query(self.sql(text))
            .bind(worker.to_owned())
            .bind(lease.as_secs_f64());
        let query = query.bind(experiment.to_owned()).bind(count as i64);
        let rows = query
            .fetch_all(&mut *transaction)
            .await
            .map_err(|error| self.error(&error))?;
        transaction
            .commit()
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
    /// Takes back that pairs are not needed, at all points of an experiment.
    ///
    /// # Errors
    /// If the store cannot be written.
    pub async fn reopen_points(&self, experiment: &str) -> Result<(), StoreError> {
        let text = "UPDATE pairs SET state = 0 WHERE experiment = $1 AND state = 2";
        let query = sqlx::query(text).bind(experiment.to_owned());
        query
            .execute(&self.pool)
            .await
            .map_err(|error| self.error(&error))?;
        Ok(())
    }
}
