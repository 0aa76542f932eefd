//! What takes time: searches that tell a page what they find.

mod analysis;
mod puzzle;
mod review;
mod solve;
#[cfg(test)]
mod tests;

pub(crate) use analysis::written;

use crate::catalogue::{self, Strength};
use crate::message::{Ask, Tell};
use crate::position::GameState;
use crate::problem::Problem;
use crate::unfinished::Unfinished;
use engine::{Engine, Playable, Player, Reviewer, Setting};
use registry::with_game;
use search::{Every, Limits, StopFlag};
use std::time::Duration;

/// How often a page is told what is new, and how often a search lets others have their turn.
pub const NEWS: Duration = Duration::from_millis(100);

/// The most memory that a search takes, in bytes.
pub mod memory {
    /// A search tree, or the check of a file.
    pub const TREE: usize = 32 << 20;
    /// The table of a solver.
    pub const SOLVER: usize = 256 << 20;
}

/// Whoever asked for a search, as the search sees it.
pub trait Asker {
    /// Hears what was found. Never waits.
    fn tell(&self, tell: &Tell);

    /// Whether news would only add to what waits already.
    fn is_busy(&self) -> bool {
        false
    }

    /// Called now and then: lets others have their turn. Says whether the search is to go on.
    fn pass(&mut self) -> bool {
        true
    }

    /// Keeps a certificate, and gives the number under which it can be asked for.
    fn keep(&mut self, certificate: Vec<u8>) -> u64;
}

/// A search that can be run.
pub struct Search {
    id: u32,
    stop: StopFlag,
    memory: usize,
    work: Work,
}

/// What a search does.
type Work = Box<dyn FnOnce(&mut Request) + Send>;

impl Search {
    /// The search for what a page asks; `None` if that is no search. It ends when `stop` is raised. A solver goes on where
    /// an earlier one was ended, if there is a folder for that. Where no number of simulations says what is found, there
    /// are so many `threads`, if the player or solver can use them.
    ///
    /// # Errors
    /// If it asks for what there is not, or for the position after a move that is not legal.
    pub fn new(
        ask: Ask,
        stop: &StopFlag,
        unfinished: Option<&Unfinished>,
        threads: usize,
    ) -> Result<Option<Search>, Problem> {
        let id = ask.id();
        let (memory, work) = match ask {
            Ask::Analyse {
                state,
                player,
                seed,
                ..
            } => {
                let player = player.as_deref();
                let seed = seed.unwrap_or(1).into();
                (
                    memory::TREE,
                    with_game!(state.game, G => analysed::<G>(&state, player, seed, threads))?,
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
                    memory::TREE,
                    with_game!(state.game, G => chosen::<G>(&state, strength, seed, threads))?,
                )
            }
            Ask::Review {
                state,
                simulations,
                after,
                ..
            } => {
                let after = after.unwrap_or(0);
                (
                    memory::TREE,
                    with_game!(state.game, G => reviewed::<G>(&state, simulations, after))?,
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
                    unfinished: unfinished.cloned(),
                    threads,
                };
                (
                    memory::SOLVER,
                    with_game!(state.game, G => solved::<G>(&state, asked))?,
                )
            }
            Ask::Puzzle { game, seed, .. } => {
                let state = puzzle::state(game, seed)?;
                (
                    memory::SOLVER,
                    with_game!(game, G => puzzled::<G>(&state, seed)),
                )
            }
            Ask::Watch { .. } | Ask::Stop { .. } | Ask::Pause { .. } | Ask::Resume { .. } => {
                return Ok(None);
            }
        };
        Ok(Some(Search {
            id,
            stop: stop.clone(),
            memory,
            work,
        }))
    }

    /// The most memory that it takes, in bytes.
    pub fn memory(&self) -> usize {
        self.memory
    }

    /// Searches, and tells what is found, until there is nothing more to find or nobody wants it any more.
    pub fn run(self, asker: &mut dyn Asker) {
        (self.work)(&mut Request {
            id: self.id,
            stop: self.stop,
            asker,
        });
    }
}

/// A request under way.
struct Request<'a> {
    id: u32,
    stop: StopFlag,
    asker: &'a mut dyn Asker,
}

impl Request<'_> {
    /// Limits under which a search tells of its progress and ends when the page wants it to.
    fn limits(&self) -> Limits {
        Limits {
            progress: Every::Time(NEWS),
            stop: self.stop.clone(),
            ..Limits::default()
        }
    }

    fn is_stopped(&self) -> bool {
        self.stop.is_raised()
    }

    fn tell(&self, tell: &Tell) {
        self.asker.tell(tell);
    }

    fn refuse(&self, message: String) {
        let id = Some(self.id);
        self.tell(&Tell::Refused { id, message });
    }

    fn finish(&self) {
        self.tell(&Tell::Finished { id: self.id });
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
    let memory = (memory::TREE >> 20).to_string();
    settings.extend(setting_if_known(&player, "memory", &memory));
    player
        .build(position, seed, &settings)
        .map_err(Problem::bad_request)
}

/// The setting for so many threads, which players have that can use them.
fn threads_if_any<G: Playable>(
    player: Option<&str>,
    threads: usize,
) -> Result<Option<Setting>, Problem> {
    let player = G::player(player).map_err(Problem::bad_request)?;
    let setting = setting_if_known(&player, "threads", &threads.to_string());
    Ok(setting.filter(|_| threads > 1))
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
    state: &GameState,
    player: Option<&str>,
    seed: u64,
    threads: usize,
) -> Result<Work, Problem> {
    let (_, position) = state.played::<G>()?;
    let known = G::player(player).map_err(Problem::bad_request)?;
    // People compare the moves.
    let mut settings = Vec::from_iter(setting_if_known(&known, "every-move", "yes"));
    settings.extend(threads_if_any::<G>(player, threads)?);
    let engine = engine(position, player, seed, &settings)?;
    let dialect = state.dialect::<G>()?;
    Ok(Box::new(move |request| {
        analysis::analyse(request, engine, dialect);
    }))
}

fn chosen<G: Playable>(
    state: &GameState,
    strength: Strength,
    seed: u64,
    threads: usize,
) -> Result<Work, Problem> {
    let (_, position) = state.played::<G>()?;
    let player = strength.player.as_deref();
    let mut settings = strength.settings.clone();
    if strength.has_a_time() {
        settings.extend(threads_if_any::<G>(player, threads)?);
    }
    let engine = engine(position, player, seed, &settings)?;
    let dialect = state.dialect::<G>()?;
    let state = state.clone();
    Ok(Box::new(move |request| {
        let limits = strength.limits(request.limits());
        analysis::choose(request, state, engine, dialect, &limits);
    }))
}

fn reviewed<G: Playable>(
    state: &GameState,
    simulations: Option<u64>,
    after: usize,
) -> Result<Work, Problem> {
    let simulations = review::simulations::<G>(simulations)?;
    let (moves, _) = state.played::<G>()?;
    let start = state.start::<G>()?;
    let engine = engine(start.clone(), None, 1, &[])?;
    let mut reviewer = Reviewer::new(start, moves).map_err(Problem::bad_request)?;
    reviewer.skip_to(after);
    let dialect = state.dialect::<G>()?;
    Ok(Box::new(move |request| {
        review::review(request, engine, dialect, reviewer, simulations);
    }))
}

fn puzzled<G: Playable>(state: &GameState, seed: u32) -> Work {
    let state = state.clone();
    Box::new(move |request| puzzle::puzzle::<G>(request, state, seed))
}

fn solved<G: Playable>(state: &GameState, asked: solve::Asked) -> Result<Work, Problem> {
    let (_, position) = state.played::<G>()?;
    let dialect = state.dialect::<G>()?;
    G::solver(asked.solver.as_deref()).map_err(Problem::bad_request)?;
    let state = state.clone();
    Ok(Box::new(move |request| {
        solve::solve(request, &state, &position, dialect, &asked);
    }))
}
