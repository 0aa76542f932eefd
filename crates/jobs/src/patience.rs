//! Trying again.

use crate::StoreError;
use std::time::{Duration, Instant};

/// How long to wait before the store is tried again.
const TRY_AGAIN: Duration = Duration::from_millis(500);

/// Does something with a store, again and again while what is wrong with it may pass, `patience` is not over and
/// `goes_on`. `told` hears of each failure that is tried again.
///
/// # Errors
/// The last failure.
pub async fn patiently<T>(
    patience: Duration,
    goes_on: impl Fn() -> bool,
    mut told: impl FnMut(&StoreError),
    action: impl AsyncFn() -> Result<T, StoreError>,
) -> Result<T, StoreError> {
    let deadline = Instant::now() + patience;
    loop {
        match action().await {
            Err(why) if why.passing && Instant::now() < deadline && goes_on() => {
                told(&why);
                tokio::time::sleep(TRY_AGAIN).await;
            }
            done => return done,
        }
    }
}
