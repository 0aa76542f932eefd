//! The WebSocket of a page: what it asks for becomes searches of the pool, what they find is told.

mod outbox;

use crate::app::App;
use crate::certificates::Certificates;
use crate::pool::{Full, JobControl, Turn, Weight};
use axum::extract::State;
use axum::extract::ws::{Message, WebSocket, WebSocketUpgrade};
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use futures_util::{SinkExt, StreamExt};
use outbox::Outbox;
use service::{Ask, Asker, Problem, Search, Tell};
use std::collections::HashMap;
use std::sync::{Arc, Weak};
use std::time::Duration;
use tokio::sync::OwnedSemaphorePermit;
use tokio::task::JoinHandle;

/// The longest message that a page may send: a long game is a few kilobytes.
const LONGEST_MESSAGE: usize = 1 << 16;

/// As many requests as one page may have under way.
const REQUESTS_A_PAGE: usize = 8;

/// As many pages as may be open at the same time.
pub const PAGES: usize = 1_000;

/// How often a page is told of experiments at most.
const REPORTS: Duration = Duration::from_secs(2);

/// Accepts the WebSocket of a page.
pub async fn connect(State(app): State<App>, upgrade: WebSocketUpgrade) -> Response {
    match Arc::clone(&app.pages).try_acquire_owned() {
        Ok(place) => upgrade
            .max_message_size(LONGEST_MESSAGE)
            .max_frame_size(LONGEST_MESSAGE)
            .on_upgrade(|socket| serve(app, socket, place)),
        Err(_) => (StatusCode::SERVICE_UNAVAILABLE, "too many pages are open").into_response(),
    }
}

/// Talks to a page until it goes away or sends what cannot be read. All that it asked for ends then.
async fn serve(app: App, socket: WebSocket, _place: OwnedSemaphorePermit) {
    let (mut sender, mut receiver) = socket.split();
    let (outbox, mut inbox) = Outbox::new();
    let mut page = Page {
        app,
        outbox,
        asked: HashMap::new(),
        watches: HashMap::new(),
    };
    loop {
        tokio::select! {
            told = inbox.recv() => {
                let Some(text) = told else { break };
                if sender.send(Message::Text(text.into())).await.is_err() {
                    break;
                }
            }
            asked = receiver.next() => match asked {
                Some(Ok(Message::Text(text))) => match serde_json::from_str(&text) {
                    Ok(ask) => page.answer(ask),
                    Err(why) => {
                        let id = service::id_of(&text);
                        let message = format!("not a request: {why}");
                        let refused = outbox::written(&Tell::Refused { id, message });
                        let sent = sender.send(Message::Text(refused.into())).await;
                        // Who knows what a request is may go on; anybody else is left alone.
                        if id.is_none() || sent.is_err() {
                            break;
                        }
                    }
                },
                Some(Ok(Message::Ping(_) | Message::Pong(_))) => {}
                _ => break,
            },
        }
    }
}

/// A page and what it has asked for.
struct Page {
    app: App,
    outbox: Outbox,
    asked: HashMap<u32, Asked>,
    /// Those that look at the store of experiments for this page.
    watches: HashMap<u32, Watch>,
}

/// A task that looks at the store of experiments, until nobody wants that any more.
struct Watch(JoinHandle<()>);

impl Drop for Watch {
    fn drop(&mut self) {
        self.0.abort();
    }
}

/// A request under way, as its page sees it.
struct Asked {
    control: JobControl,
    /// Lives as long as the search does.
    alive: Weak<()>,
}

/// A page, as its search in the pool sees it.
struct Caller<'a> {
    outbox: Outbox,
    certificates: Arc<Certificates>,
    turn: &'a mut Turn,
}

impl Asker for Caller<'_> {
    fn tell(&self, tell: &Tell) {
        self.outbox.tell(tell);
    }

    fn is_busy(&self) -> bool {
        self.outbox.is_busy()
    }

    fn pass(&mut self) -> bool {
        self.turn.pass()
    }

    fn keep(&mut self, certificate: Vec<u8>) -> u64 {
        self.certificates.keep(certificate)
    }
}

impl Drop for Page {
    fn drop(&mut self) {
        for asked in self.asked.values() {
            self.app.pool.stop(&asked.control);
        }
    }
}

impl Page {
    fn answer(&mut self, ask: Ask) {
        let id = ask.id();
        match ask {
            Ask::Pause { .. } => {
                if let Some(asked) = self.asked.get(&id) {
                    asked.control.pause();
                }
                return;
            }
            Ask::Resume { .. } => {
                if let Some(asked) = self.asked.get(&id) {
                    self.app.pool.resume(&asked.control);
                }
                return;
            }
            _ => {}
        }
        self.watches.remove(&id);
        // A request is known by its name only as long as it is under way.
        if let Some(before) = self.asked.remove(&id) {
            self.app.pool.stop(&before.control);
        }
        if let Err(problem) = self.begin(id, ask) {
            self.outbox.tell(&Tell::Refused {
                id: Some(id),
                message: problem.message,
            });
        }
    }

    fn begin(&mut self, id: u32, ask: Ask) -> Result<(), Problem> {
        self.asked.retain(|_, asked| asked.alive.strong_count() > 0);
        if self.asked.len() >= REQUESTS_A_PAGE {
            return Err(Problem::bad_request(
                "this page has too many requests under way",
            ));
        }
        if let Ask::Watch { experiment, .. } = ask {
            if self.watches.len() >= REQUESTS_A_PAGE {
                return Err(Problem::bad_request("this page has too many open requests"));
            }
            self.watches.insert(id, self.watch(id, experiment));
            return Ok(());
        }
        let control = JobControl::default();
        let Some(search) = Search::new(ask, &control.stop, Some(&self.app.unfinished), 1)? else {
            return Ok(());
        };
        let weight = Weight::of_bytes(search.memory() as u64);
        let weight = weight.ok_or_else(|| Problem::bad_request(Full))?;
        let alive = Arc::new(());
        let asked = Asked {
            control: control.clone(),
            alive: Arc::downgrade(&alive),
        };
        let outbox = self.outbox.clone();
        let certificates = Arc::clone(&self.app.certificates);
        let run = move |turn: &mut Turn| {
            search.run(&mut Caller {
                outbox,
                certificates,
                turn,
            });
            drop(alive);
        };
        let started = self.app.pool.start(weight, &control, run);
        started.map_err(Problem::bad_request)?;
        self.asked.insert(id, asked);
        Ok(())
    }
}

impl Page {
    /// Tells the page what is in the store of experiments, and again when that changes.
    fn watch(&self, id: u32, experiment: Option<String>) -> Watch {
        let (app, outbox) = (self.app.clone(), self.outbox.clone());
        Watch(tokio::spawn(async move {
            loop {
                let mut changes = app.experiments.changes();
                loop {
                    let told = match &experiment {
                        None => {
                            let list = app.experiments.list().await;
                            list.map(|experiments| Tell::Experiments { id, experiments })
                        }
                        Some(experiment) => {
                            let report = app.experiments.report(experiment).await;
                            report.map(|report| Tell::Experiment {
                                id,
                                report: Box::new(report),
                            })
                        }
                    };
                    match told {
                        Ok(told) => outbox.tell(&told),
                        Err(problem) => {
                            let message = problem.message;
                            outbox.tell(&Tell::Refused {
                                id: Some(id),
                                message,
                            });
                            return;
                        }
                    }
                    tokio::time::sleep(REPORTS).await;
                    if changes.changed().await.is_err() {
                        break;
                    }
                }
            }
        }))
    }
}
