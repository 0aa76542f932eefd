//! What is on its way to a page.

use service::Tell;
use tokio::sync::mpsc::{self, Receiver, Sender};

/// Sends messages to a page from any thread, and never waits for a page that is slow.
#[derive(Clone)]
pub struct Outbox(Sender<String>);

/// Messages that may wait for a page: more than the longest game has moves.
const WAITING: usize = 4096;

/// News that may wait: when more do, the page is slow, and later news will be newer.
const NEWS: usize = 2;

impl Outbox {
    /// An outbox, and the end at which the messages come out.
    pub fn new() -> (Outbox, Receiver<String>) {
        let (sender, receiver) = mpsc::channel(WAITING);
        (Outbox(sender), receiver)
    }

    /// Sends a message. It is lost where the page has gone or has stopped reading.
    pub fn tell(&self, tell: &Tell) {
        let _ = self.0.try_send(written(tell));
    }

    /// Whether news would only add to what waits already.
    pub fn is_busy(&self) -> bool {
        self.0.capacity() < WAITING - NEWS
    }
}

/// A message as it is sent.
pub fn written(tell: &Tell) -> String {
    serde_json::to_string(tell).unwrap_or_else(|why| {
        tracing::error!("a message cannot be written: {why}");
        String::new()
    })
}
