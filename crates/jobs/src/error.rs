//! Why a store did not do what it was asked for.

use std::time::Duration;
use thiserror::Error;

/// Why the store did not do what it was asked for.
#[derive(Debug, Error)]
#[error("store {place}: {what}")]
pub struct StoreError {
    pub(crate) place: String,
    pub(crate) what: String,
    /// Whether it may work if it is tried again: the connection was lost, or somebody else was writing.
    pub passing: bool,
}

impl StoreError {
    pub(crate) fn of(place: &str, error: &sqlx::Error) -> StoreError {
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

    /// What is wrong, without the place.
    pub fn what(&self) -> &str {
        &self.what
    }

    /// What may work if it is tried again.
    #[must_use]
    pub fn passing(place: &str, what: impl Into<String>) -> StoreError {
        StoreError {
            place: place.to_owned(),
            what: what.into(),
            passing: true,
        }
    }

    /// What is wrong with a store that has not answered for so long.
    #[must_use]
    pub fn silent(place: &str, time: Duration) -> StoreError {
        StoreError {
            place: place.to_owned(),
            what: format!("no answer within {} s", time.as_secs_f64()),
            passing: true,
        }
    }

    /// What no trying again will mend.
    #[must_use]
    pub fn lasting(place: &str, what: impl Into<String>) -> StoreError {
        StoreError {
            place: place.to_owned(),
            what: what.into(),
            passing: false,
        }
    }
}
