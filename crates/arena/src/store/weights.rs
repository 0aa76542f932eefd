//! The weights with which the games of an experiment are played, noted once and for all.

use super::{ExperimentRow, Store, StoreError};
use crate::weights::{OtherWeights, Weights};
use sqlx::AnyConnection;
use thiserror::Error;

/// Why an experiment was not put into a store.
#[derive(Debug, Error)]
pub enum PublishError {
    /// The store does not work.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// Its games there are played with other weights.
    #[error("{experiment}: {why}")]
    Weights {
        /// Its name and identifier.
        experiment: String,
        /// Whose weights differ.
        why: OtherWeights,
    },
}

impl Store {
    /// The weights with which the games of an experiment are played; `None` if they are not noted.
    ///
    /// # Errors
    /// If the store cannot be read.
    pub async fn weights(&self, experiment: &str) -> Result<Option<Weights>, StoreError> {
        let query = sqlx::query_scalar("SELECT weights FROM experiments WHERE id = $1");
        let text: Option<String> = query
            .bind(experiment.to_owned())
            .fetch_optional(self.jobs.pool())
            .await
            .map_err(|error| self.error(&error))?;
        self.read_weights(&text.unwrap_or_default())
    }

    /// Notes the weights with which an experiment of the store is played here. The first ones stay.
    ///
    /// # Errors
    /// If others are noted, or the store cannot be written.
    pub async fn note_weights(
        &self,
        experiment: &ExperimentRow,
        weights: &Weights,
    ) -> Result<(), PublishError> {
        let mut transaction = self.jobs.begin().await?;
        self.put_weights(&mut transaction, experiment, weights)
            .await?;
        Ok(self.jobs.commit(transaction).await?)
    }

    /// The same within a transaction, which is not to be committed after an error.
    pub(super) async fn put_weights(
        &self,
        connection: &mut AnyConnection,
        experiment: &ExperimentRow,
        weights: &Weights,
    ) -> Result<(), PublishError> {
        // Texts can always be written.
        let text = serde_json::to_string(weights).unwrap_or_default();
        let query = "UPDATE experiments SET weights = $1 WHERE id = $2 AND weights = ''";
        sqlx::query(query)
            .bind(text)
            .bind(experiment.id.clone())
            .execute(&mut *connection)
            .await
            .map_err(|error| self.error(&error))?;
        let query = sqlx::query_scalar("SELECT weights FROM experiments WHERE id = $1");
        let noted: String = query
            .bind(experiment.id.clone())
            .fetch_one(&mut *connection)
            .await
            .map_err(|error| self.error(&error))?;
        let noted = self.read_weights(&noted)?;
        match noted.and_then(|noted| noted.difference(weights)) {
            None => Ok(()),
            Some(why) => Err(PublishError::Weights {
                experiment: format!("{} ({})", experiment.name, experiment.id),
                why,
            }),
        }
    }

    /// Weights as the store has them.
    pub(super) fn read_weights(&self, text: &str) -> Result<Option<Weights>, StoreError> {
        if text.is_empty() {
            return Ok(None);
        }
        let weights = serde_json::from_str(text);
        weights.map(Some).map_err(|why| {
            StoreError::lasting(self.place(), format!("the weights of an experiment: {why}"))
        })
    }
}
