//! What workers tell each other of positions below the nodes of a tree.
//!
//! Workers that search different positions come to the same ones below, which each would have to find out about with its own
//! table. So with its results each gives the entries of its table that are worth the way, and takes those of the others before
//! its next job. Answers among them are believed as results are. Only the newest are kept: who misses some finds the same by
//! itself.

use crate::store::Store;
use crate::tree::Tree;
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD as BASE64;
use jobs::StoreError;
use serde::{Deserialize, Serialize};
use sqlx::any::AnyRow;
use sqlx::{AnyConnection, Row};

/// Of a tree, the notes of so many deliveries are kept: about as many as one worker makes before another one joins.
const KEPT: i64 = 128;
/// A worker asks for no more of them at once.
pub(crate) const AT_ONCE: usize = 8;
/// A position is worth the way from this many nodes of its search on, for each worker that hears of it: many workers tell
/// less, so that each does not hear more.
const LEAST: u64 = 2;
/// And from one node in so many of a job's on, which bounds what a job tells.
const PART: u64 = 20_000;

/// The nodes of a search that is worth noting, where so many others work with jobs of so many nodes.
pub(crate) fn least_noted(others: usize, budget: u64) -> Option<u64> {
    let others = others as u64;
    (others > 0).then(|| (LEAST * others).max(budget / PART))
}

/// What a worker has noted in a job, or in a batch.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Noted {
    /// Its place among those of its tree.
    pub place: i64,
    /// Entries of a table, in base64.
    entries: String,
}

impl Noted {
    /// Entries of a table as they are stored.
    pub fn encode(entries: &[u8]) -> String {
        BASE64.encode(entries)
    }

    /// The entries; none if that is no base64.
    pub fn entries(&self) -> Vec<u8> {
        BASE64.decode(&self.entries).unwrap_or_default()
    }
}

impl Store {
    /// Keeps what a worker has noted of a tree, in the place of the oldest.
    pub(crate) async fn keep_noted(
        &self,
        connection: &mut AnyConnection,
        tree: &Tree,
        worker: &str,
        entries: &str,
    ) -> Result<(), StoreError> {
        let text = "INSERT INTO solve_notes (tree, place, worker, entries)
            SELECT $1, COALESCE(MAX(place), 0) + 1, $2, $3 FROM solve_notes WHERE tree = $1";
        let query = sqlx::query(text).bind(tree.name.clone());
        let query = query.bind(worker.to_owned()).bind(entries.to_owned());
        let done = query.execute(&mut *connection).await;
        done.map_err(|error| self.error(&error))?;
        let text = "DELETE FROM solve_notes WHERE tree = $1
            AND place <= (SELECT MAX(place) FROM solve_notes WHERE tree = $1) - $2";
        let query = sqlx::query(text).bind(tree.name.clone()).bind(KEPT);
        let done = query.execute(connection).await;
        done.map_err(|error| self.error(&error))?;
        Ok(())
    }

    /// Forgets what was noted of a tree.
    pub(crate) async fn forget_noted(
        &self,
        connection: &mut AnyConnection,
        tree: &Tree,
    ) -> Result<(), StoreError> {
        let query = sqlx::query("DELETE FROM solve_notes WHERE tree = $1").bind(tree.name.clone());
        let done = query.execute(connection).await;
        done.map_err(|error| self.error(&error))?;
        Ok(())
    }

    /// What other workers have noted of a tree after a place, the oldest first, and not more than is taken at once.
    pub(crate) async fn noted_after(
        &self,
        tree: &Tree,
        worker: &str,
        after: i64,
    ) -> Result<Vec<Noted>, StoreError> {
        let text = "SELECT place, entries FROM solve_notes
            WHERE tree = $1 AND worker <> $2 AND place > $3 ORDER BY place LIMIT $4";
        let query = sqlx::query(text).bind(tree.name.clone());
        let query = query
            .bind(worker.to_owned())
            .bind(after)
            .bind(AT_ONCE as i64);
        let rows = query.fetch_all(self.jobs.pool()).await;
        let rows = rows.map_err(|error| self.error(&error))?;
        let read = |row: &AnyRow| {
            Ok(Noted {
                place: row.try_get(0)?,
                entries: row.try_get(1)?,
            })
        };
        let noted: Result<_, sqlx::Error> = rows.iter().map(read).collect();
        noted.map_err(|error| self.error(&error))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn many_workers_and_long_jobs_tell_of_longer_searches() {
        assert_eq!(least_noted(0, 20_000), None, "nobody hears it");
        assert_eq!(least_noted(1, 50_000), Some(2));
        assert_eq!(least_noted(23, 50_000), Some(46));
        assert_eq!(least_noted(1, 10_000_000), Some(500));
    }

    /// Of another worker, the newest, in their order and a part at a time.
    #[tokio::test]
    async fn what_is_kept_is_read_in_parts() {
        let folder = tempfile::tempdir().expect("a folder");
        let place = folder.path().join("notes.db").display().to_string();
        let store = Store::open(&place).await.expect("a store");
        let tree = Tree {
            name: "run/white".to_owned(),
            attacker: game::Side::White,
        };
        let mut transaction = store.jobs.begin().await.expect("a transaction");
        for number in 1..=140_u8 {
            let worker = if number % 10 == 0 { "own" } else { "other" };
            let entries = Noted::encode(&[number]);
            let kept = store.keep_noted(&mut transaction, &tree, worker, &entries);
            kept.await.expect("kept");
        }
        store.jobs.commit(transaction).await.expect("stored");
        let (mut read, mut after) = (Vec::new(), 0);
        loop {
            let part = store.noted_after(&tree, "own", after).await.expect("read");
            assert!(part.len() <= AT_ONCE);
            let Some(last) = part.last() else { break };
            after = last.place;
            read.extend(part.iter().flat_map(Noted::entries));
        }
        let expected: Vec<u8> = (13..=140).filter(|number| number % 10 != 0).collect();
        assert_eq!(read, expected);
    }
}
