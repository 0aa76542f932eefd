//! Moving experiments from one store to another.

use super::{ExperimentRow, GameRow, PublishError, Store};
use sqlx::{AnyConnection, Row};

/// What was copied. What was there already is not counted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Copied {
    /// Experiments.
    pub experiments: u64,
    /// Games.
    pub games: u64,
}

/// Games read at a time.
const GAMES: usize = 500;

/// Copies experiments with their games: those with one of the names (whole identifiers or names), or all
/// where no name is given. Leases stay behind. A game that the other store has already is left as it is
/// there, so that copying twice does no harm.
///
/// # Errors
/// If the games of an experiment are played with other weights there, or a store cannot be read or written. What was copied
/// before is whole.
pub async fn copy(from: &Store, to: &Store, names: &[String]) -> Result<Copied, PublishError> {
    let mut copied = Copied::default();
    for experiment in from.experiments().await? {
        let wanted = |name: &String| *name == experiment.id || *name == experiment.name;
        if names.is_empty() || names.iter().any(wanted) {
            copied.experiments += 1;
            copied.games += copy_one(from, to, &experiment).await?;
        }
    }
    Ok(copied)
}

async fn copy_one(
    from: &Store,
    to: &Store,
    experiment: &ExperimentRow,
) -> Result<u64, PublishError> {
    let text = "SELECT job, topic, state FROM jobs WHERE queue = $1 ORDER BY job";
    let query = sqlx::query(text).bind(experiment.id.clone());
    let rows = query
        .fetch_all(from.jobs.pool())
        .await
        .map_err(|error| from.error(&error))?;
    let mut pairs = Vec::with_capacity(rows.len());
    let mut states = Vec::new();
    for row in &rows {
        let numbers = (0..3)
            .map(|column| row.try_get::<i64, _>(column))
            .collect::<Result<Vec<_>, _>>();
        let numbers = numbers.map_err(|error| from.error(&error))?;
        pairs.push((numbers[0] as u64, numbers[1] as usize));
        states.push((numbers[0], numbers[2]));
    }
    to.publish(experiment, &pairs).await?;
    let mut copied = 0;
    let mut after = (-1, 1);
    loop {
        let games = from.games(&experiment.id, after, GAMES).await?;
        let Some(last) = games.last() else { break };
        after = (last.pair as i64, last.colour);
        let mut transaction = to.jobs.begin().await?;
        for game in &games {
            copied += insert(&mut transaction, game)
                .await
                .map_err(|error| to.error(&error))?;
        }
        to.jobs.commit(transaction).await?;
    }
    let mut transaction = to.jobs.begin().await?;
    for (pair, state) in states.into_iter().filter(|(_, state)| *state != 0) {
        let text = "UPDATE jobs SET state = $1 WHERE queue = $2 AND job = $3 AND state = 0";
        let query = sqlx::query(text)
            .bind(state)
            .bind(experiment.id.clone())
            .bind(pair);
        query
            .execute(&mut *transaction)
            .await
            .map_err(|error| to.error(&error))?;
    }
    to.jobs.commit(transaction).await?;
    Ok(copied)
}

/// Inserts a game as it is; 1 if it was not there.
async fn insert(connection: &mut AnyConnection, game: &GameRow) -> Result<u64, sqlx::Error> {
    let text = "INSERT INTO games (experiment, pair, colour, point, score, reason, fault, plies, seconds,
            worker, generation, finished, sgf, turns)
        VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14) ON CONFLICT DO NOTHING";
    let query = sqlx::query(text)
        .bind(game.experiment.clone())
        .bind(game.pair as i64)
        .bind(game.colour);
    let query = query
        .bind(game.point as i64)
        .bind(game.score)
        .bind(game.reason.clone());
    let query = query
        .bind(game.fault.clone())
        .bind(game.plies as i64)
        .bind(game.seconds);
    let query = query
        .bind(game.worker.clone())
        .bind(game.generation)
        .bind(game.finished);
    let query = query.bind(game.sgf.clone()).bind(game.turns.clone());
    Ok(query.execute(connection).await?.rows_affected())
}
