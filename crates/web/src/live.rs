//! The WebSocket of a page: what it asks for becomes searches of the pool, what they find is told.

mod analysis;
mod message;
mod outbox;
mod puzzle;
mod review;
mod solve;

pub use message::{Ask, Candidate, Found, PuzzleView, ReviewedView, SolvedView, SolvingView, Tell};

use crate::app::App;
use crate::catalogue::{self, Strength};
use crate::error::Problem;
use crate::pool::{Reins, Turn, Weight};
use crate::position::GameState;
use axum::extract::State;
use axum::extract::ws::{Message, WebSocket, WebSocketUpgrade};
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use engine::{Engine, Playable, Player, Reviewer, Setting};
use futures_util::{SinkExt, StreamExt};
use outbox::Outbox;
use registry::with_game;
use search::{Every, Limits};
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

/// How often a page is told what is new, and how often a search lets others have their turn.
const NEWS: Duration = Duration::from_millis(100);

/// How often a page is told of experiments at most.
const REPORTS: Duration = Duration::from_secs(2);

/// What a search of the pool does.
type Work = Box<dyn FnOnce(&mut Turn) + Send>;

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
                        let id = message::id_of(&text);
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
    reins: Reins,
    /// Lives as long as the search does.
    alive: Weak<()>,
}

/// A request under way, as its search sees it.
struct Request {
    id: u32,
    reins: Reins,
    outbox: Outbox,
    _alive: Arc<()>,
}

impl Request {
    /// Limits under which a search tells of its progress and ends when the page wants it to.
    fn limits(&self) -> Limits {
        Limits {
            progress: Every::Time(NEWS),
            stop: self.reins.stop.clone(),
            ..Limits::default()
        }
    }

    fn is_stopped(&self) -> bool {
        self.reins.stop.is_raised()
    }
}

impl Drop for Page {
    fn drop(&mut self) {
        for asked in self.asked.values() {
            self.app.pool.stop(&asked.reins);
        }
    }
}

impl Page {
    fn answer(&mut self, ask: Ask) {
        let id = ask.id();
        match ask {
            Ask::Pause { .. } => {
                if let Some(asked) = self.asked.get(&id) {
                    asked.reins.pause();
                }
                return;
            }
            Ask::Resume { .. } => {
                if let Some(asked) = self.asked.get(&id) {
                    self.app.pool.resume(&asked.reins);
                }
                return;
            }
            _ => {}
        }
        self.watches.remove(&id);
        // A request is known by its name only as long as it is under way.
        if let Some(before) = self.asked.remove(&id) {
            self.app.pool.stop(&before.reins);
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
        let alive = Arc::new(());
        let asked = Asked {
            reins: Reins::default(),
            alive: Arc::downgrade(&alive),
        };
        let request = Request {
            id,
            reins: asked.reins.clone(),
            outbox: self.outbox.clone(),
            _alive: alive,
        };
        let (weight, work) = match ask {
            Ask::Analyse { state, player, .. } => {
                let player = player.as_deref();
                (
                    Weight::TREE,
                    with_game!(state.game, G => analysed::<G>(request, &state, player))?,
                )
            }
            Ask::Move {
                state,
                level,
                player,
                seconds,
                seed,
                ..
            } => {
                let strength = match &level {
                    Some(level) => catalogue::strength(state.game, level)?,
                    None => Strength::of_player(player, seconds)?,
                };
                let seed = seed.unwrap_or(1).into();
                (
                    Weight::TREE,
                    with_game!(state.game, G => chosen::<G>(request, &state, &strength, seed))?,
                )
            }
            Ask::Review {
                state,
                simulations,
                after,
                ..
            } => {
                let simulations = review::simulations(simulations)?;
                let after = after.unwrap_or(0);
                (
                    Weight::TREE,
                    with_game!(state.game, G => reviewed::<G>(request, &state, simulations, after))?,
                )
            }
            Ask::Solve {
                state,
                solver,
                certificate,
                ..
            } => {
                let asked = solve::Asked {
                    solver,
                    certificate,
                    certificates: Arc::clone(&self.app.certificates),
                    unfinished: self.app.unfinished.clone(),
                };
                (
                    Weight::SOLVER,
                    with_game!(state.game, G => solved::<G>(request, &state, asked))?,
                )
            }
            Ask::Puzzle { game, seed, .. } => {
                let state = puzzle::state(game, seed)?;
                (
                    Weight::SOLVER,
                    with_game!(game, G => puzzled::<G>(request, &state, seed)),
                )
            }
            Ask::Watch { experiment, .. } => {
                if self.watches.len() >= REQUESTS_A_PAGE {
                    return Err(Problem::bad_request("this page watches too much"));
                }
                self.watches.insert(id, self.watch(id, experiment));
                return Ok(());
            }
            Ask::Stop { .. } | Ask::Pause { .. } | Ask::Resume { .. } => return Ok(()),
        };
        let started = self.app.pool.start(weight, &asked.reins, work);
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

/// An engine of a player at a position.
fn engine<G: Playable>(
    position: G,
    player: Option<&str>,
    seed: u64,
    settings: &[Setting],
) -> Result<Box<dyn Engine<G>>, Problem> {
    let player = G::player(player).map_err(Problem::bad_request)?;
    let mut settings = settings.to_vec();
    let memory = (Weight::TREE.bytes() >> 20).to_string();
    settings.extend(setting_if_known(&player, "memory", &memory));
    player
        .build(position, seed, &settings)
        .map_err(Problem::bad_request)
}

/// A setting of a parameter that not every player has.
fn setting_if_known<G: Playable>(player: &Player<G>, name: &str, value: &str) -> Option<Setting> {
    let is_known = player.parameters.iter().any(|known| known.name == name);
    is_known.then(|| Setting {
        name: name.to_owned(),
        value: value.to_owned(),
    })
}

fn analysed<G: Playable>(
    request: Request,
    state: &GameState,
    player: Option<&str>,
) -> Result<Work, Problem> {
    let (_, position) = state.played::<G>()?;
    let known = G::player(player).map_err(Problem::bad_request)?;
    // People compare the moves.
    let settings = Vec::from_iter(setting_if_known(&known, "every-move", "yes"));
    let engine = engine(position, player, 1, &settings)?;
    let dialect = state.dialect::<G>()?;
    Ok(Box::new(move |turn| {
        analysis::analyse(&request, engine, dialect, turn);
    }))
}

fn chosen<G: Playable>(
    request: Request,
    state: &GameState,
    strength: &Strength,
    seed: u64,
) -> Result<Work, Problem> {
    let (_, position) = state.played::<G>()?;
    let settings = &strength.settings;
    let engine = engine(position, strength.player.as_deref(), seed, settings)?;
    let dialect = state.dialect::<G>()?;
    let limits = strength.limits(request.limits());
    let state = state.clone();
    Ok(Box::new(move |turn| {
        analysis::choose(&request, state, engine, dialect, &limits, turn);
    }))
}

fn reviewed<G: Playable>(
    request: Request,
    state: &GameState,
    simulations: u64,
    after: usize,
) -> Result<Work, Problem> {
    let (moves, _) = state.played::<G>()?;
    let start = state.start::<G>()?;
    let engine = engine(start.clone(), None, 1, &[])?;
    let mut reviewer = Reviewer::new(start, moves).map_err(Problem::bad_request)?;
    reviewer.skip_to(after);
    let dialect = state.dialect::<G>()?;
    Ok(Box::new(move |turn| {
        review::review(&request, engine, dialect, reviewer, simulations, turn);
    }))
}

fn puzzled<G: Playable>(request: Request, state: &GameState, seed: u32) -> Work {
    let state = state.clone();
    Box::new(move |turn| puzzle::puzzle::<G>(&request, state, seed, turn))
}

fn solved<G: Playable>(
    request: Request,
    state: &GameState,
    asked: solve::Asked,
) -> Result<Work, Problem> {
    let (_, position) = state.played::<G>()?;
    let dialect = state.dialect::<G>()?;
    G::solver(asked.solver.as_deref()).map_err(Problem::bad_request)?;
    let state = state.clone();
    Ok(Box::new(move |turn| {
        solve::solve(&request, &state, &position, dialect, &asked, turn);
    }))
}
