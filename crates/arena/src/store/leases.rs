//! What is to be played, who plays it, and what came of it.

use super::{Effect, ExperimentRow, GameRow, Lease, PublishError, Store, StoreError};
use jobs::Payload;
use serde::{Deserialize, Serialize};
use sqlx::AnyConnection;
use std::collections::BTreeSet;
use std::time::Duration;

/// A pair as a job: its number is that of the job, its point the job's topic.
#[derive(Serialize, Deserialize)]
pub(super) struct PairJob {
    /// The place of its point.
    pub point: u64,
}

impl Payload for PairJob {
    const KIND: &'static str = "arena/pair";
}

impl Store {
    /// Puts an experiment with its pairs into the store. What is there of it already stays.
    ///
    /// # Errors
    /// If its games there are played with other weights, or the store cannot be written. Nothing has changed then.
    pub async fn publish(
        &self,
        experiment: &ExperimentRow,
        pairs: &[(u64, usize)],
    ) -> Result<(), PublishError> {
        let mut transaction = self.jobs.begin().await?;
        self.put_experiment(&mut transaction, experiment)
            .await
            .map_err(|error| self.error(&error))?;
        if let Some(weights) = &experiment.weights {
            self.put_weights(&mut transaction, experiment, weights)
                .await?;
        }
        let payloads: Vec<PairJob> = (pairs.iter())
            .map(|&(_, point)| PairJob {
                point: point as u64,
            })
            .collect();
        let jobs =
            (pairs.iter().zip(&payloads)).map(|(&(pair, point), job)| (pair, point as u64, job));
        self.jobs
            .publish(&mut transaction, &experiment.id, jobs)
            .await?;
        self.jobs.commit(transaction).await?;
        Ok(self.jobs.analyse().await?)
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
        let query = sqlx::query(self.jobs.sql(text));
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
        let claimed = self
            .jobs
            .claim::<PairJob>(experiment, worker, count, lease)
            .await?;
        let mut leases = Vec::with_capacity(claimed.len());
        for jobs::Claimed { lease, .. } in claimed {
            leases.push(Lease {
                stored: self.stored(&lease).await?,
                experiment: lease.queue,
                pair: lease.job,
                worker: lease.worker,
                generation: lease.generation,
            });
        }
        Ok(leases)
    }

    /// Which games of a pair are stored. A pair that is given out for the first time has none.
    async fn stored(&self, lease: &jobs::Lease) -> Result<[bool; 2], StoreError> {
        let mut stored = [false; 2];
        if lease.generation > 1 {
            let text = "SELECT colour FROM games WHERE experiment = $1 AND pair = $2";
            let query = sqlx::query_scalar(text)
                .bind(lease.queue.clone())
                .bind(lease.job as i64);
            let colours: Vec<i64> = query
                .fetch_all(self.jobs.pool())
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
        let mut transaction = self.jobs.begin().await?;
        let mut effects = Vec::with_capacity(games.len());
        for game in games {
            effects.push(self.record_one(&mut transaction, game).await?);
        }
        self.jobs.commit(transaction).await?;
        Ok(effects)
    }

    async fn record_one(
        &self,
        connection: &mut AnyConnection,
        game: &GameRow,
    ) -> Result<Effect, StoreError> {
        let lease = game.lease();
        let holds = self.jobs.holds(connection, &lease).await?;
        if !holds || !self.insert(connection, game).await? {
            let text =
                "SELECT COUNT(*) FROM games WHERE experiment = $1 AND pair = $2 AND colour = $3";
            let query = sqlx::query_scalar(text).bind(game.experiment.clone());
            let query = query.bind(game.pair as i64).bind(game.colour);
            let there: Result<i64, _> = query.fetch_one(&mut *connection).await;
            return Ok(match there.map_err(|error| self.error(&error))? {
                0 => Effect::Late,
                _ => Effect::Duplicate,
            });
        }
        let text = "SELECT COUNT(*) FROM games WHERE experiment = $1 AND pair = $2";
        let query = sqlx::query_scalar(text)
            .bind(game.experiment.clone())
            .bind(game.pair as i64);
        let games: Result<i64, _> = query.fetch_one(&mut *connection).await;
        if games.map_err(|error| self.error(&error))? == 2 {
            self.jobs.finish(connection, &lease).await?;
        }
        Ok(Effect::Stored)
    }

    /// Inserts a game; `false` if it is there already.
    async fn insert(
        &self,
        connection: &mut AnyConnection,
        game: &GameRow,
    ) -> Result<bool, StoreError> {
        let text =
            "INSERT INTO games (experiment, pair, colour, point, score, reason, fault, plies,
                seconds, worker, generation, finished, sgf, turns)
            SELECT queue, job, $1, topic, $2, $3, $4, $5, $6, worker, generation, {now}, $7, $8
            FROM jobs WHERE queue = $9 AND job = $10
            ON CONFLICT DO NOTHING";
        let query = sqlx::query(self.jobs.sql(text))
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
        let inserted = query.execute(connection).await;
        let inserted = inserted.map_err(|error| self.error(&error))?;
        Ok(inserted.rows_affected() > 0)
    }

    /// Makes leases last for `lease` from now, those that are not over.
    ///
    /// # Errors
    /// If the store cannot be written.
    pub async fn extend(&self, leases: &[Lease], lease: Duration) -> Result<(), StoreError> {
        self.jobs.extend(&of_jobs(leases), lease).await
    }

    /// Gives leases back.
    ///
    /// # Errors
    /// If the store cannot be written.
    pub async fn release(&self, leases: &[Lease]) -> Result<(), StoreError> {
        self.jobs.release(&of_jobs(leases)).await
    }

    /// Tells that the rest of a point's pairs are not needed.
    ///
    /// # Errors
    /// If the store cannot be written.
    pub async fn close_point(&self, experiment: &str, point: u64) -> Result<(), StoreError> {
        self.jobs.close_topic(experiment, point).await
    }

    /// Takes back that pairs are not needed, at all points of an experiment.
    ///
    /// # Errors
    /// If the store cannot be written.
    pub async fn reopen_points(&self, experiment: &str) -> Result<(), StoreError> {
        self.jobs.reopen_topics(experiment).await
    }

    /// The points of an experiment that were [closed](Store::close_point).
    ///
    /// # Errors
    /// If the store cannot be read.
    pub async fn closed_points(&self, experiment: &str) -> Result<BTreeSet<u64>, StoreError> {
        self.jobs.closed_topics(experiment).await
    }
}

/// The leases of pairs as those of jobs.
fn of_jobs(leases: &[Lease]) -> Vec<jobs::Lease> {
    leases.iter().map(Lease::of_job).collect()
}
