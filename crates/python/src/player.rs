//! `papamu.Player` and `papamu.Thinking`.

use crate::arguments::{Any, Asked, given, number, optional_text};
use crate::erased::{Analysis, AnyEngine, Shared};
use crate::errors::{Fault, guarded};
use crate::job::Job;
use crate::objects;
use crate::position::position;
use crate::typed;
use papamu::engine::Setting;
use papamu::search::StopFlag;
use papamu::{BoardOptions, GameName, Limits, Playable, with_game};
use pyo3::prelude::*;
use pyo3::types::PyDict;
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};
use std::time::Duration;

/// How long a player thinks where nobody says.
const A_SECOND: Duration = Duration::from_secs(1);

/// A player of a game: the default one, which is the strongest, one with a name, or a level of strength.
///
/// `papamu.games()` lists them with their settings; `_` stands for `-` in the name of a setting. A player keeps
/// what it knows from move to move of one game. A search with one thread, a seed and a number of simulations or
/// nodes gives the same on every machine.
#[pyclass(frozen, module = "papamu")]
pub struct Player {
    game: GameName,
    name: String,
    seed: u64,
    settings: Vec<Setting>,
    /// Limits where nobody says.
    usual: Limits,
    seat: Arc<Mutex<Seat>>,
}

/// What a player does.
enum Seat {
    /// Nothing; it has an engine if it has thought before.
    Idle(Option<Box<dyn AnyEngine>>),
    /// It searches, until the flag is raised.
    Busy(StopFlag),
}

fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Gives the engine back when the search ends; not when it panics, as then nobody knows in what state it is.
struct Back {
    seat: Arc<Mutex<Seat>>,
    engine: Option<Box<dyn AnyEngine>>,
}

impl Drop for Back {
    fn drop(&mut self) {
        let engine = self.engine.take();
        *locked(&self.seat) = Seat::Idle(engine);
    }
}

/// What a player of a game and a level is, and how long it thinks.
fn level<G: Playable>(name: &str) -> Result<(String, Vec<Setting>, Limits), Fault> {
    let level = G::LEVELS.iter().find(|level| level.name == name);
    let level = level.ok_or_else(|| {
        let known: Vec<&str> = G::LEVELS.iter().map(|level| level.name).collect();
        let known = known.join(", ");
        Fault::player(format!(
            "no level {name:?} of {}; there are: {known}",
            G::NAME
        ))
    })?;
    let settings = level.setting.into_iter().map(str::parse);
    let settings = settings.collect::<Result<_, _>>().map_err(Fault::player)?;
    let limits = Limits {
        simulations: level.simulations,
        time: level.seconds.map(Duration::from_secs_f64),
        ..Limits::default()
    };
    Ok((level.player.to_owned(), settings, limits))
}

/// Looks whether there is such a player.
fn checked<G: Playable>(
    game: GameName,
    name: Option<&str>,
    seed: u64,
    settings: &[Setting],
) -> Result<String, Fault> {
    let name = G::player(name).map_err(Fault::player)?.name;
    let start = typed::begin::<G>(game, BoardOptions::sized(G::FIRST_SIZE), None, &[])?;
    start.player(Some(name), seed, settings)?;
    Ok(name.to_owned())
}

impl Player {
    /// Starts to think.
    fn start(&self, py: Python<'_>, position: Shared, asked: &Asked<'_, '_>) -> PyResult<Search> {
        let mut limits = asked.limits()?;
        let given = limits.time.is_some() || limits.nodes.is_some();
        if !(given || limits.simulations.is_some() || limits.depth.is_some()) {
            limits.time = self.usual.time;
            limits.simulations = self.usual.simulations;
        }
        if position.game() != self.game {
            let why = format!("this player plays {}, not {}", self.game, position.game());
            return Err(Fault::game(why).into());
        }
        let engine = self.engine(py, &limits.stop)?;
        let engine = match engine {
            Some(engine) => Ok(engine),
            None => position.player(Some(&self.name), self.seed, &self.settings),
        };
        let mut back = Back {
            seat: Arc::clone(&self.seat),
            engine: None,
        };
        let mut engine = engine?;
        Ok(Job::start(limits.stop.clone(), move |tell| {
            let found = engine.think(&*position, &limits, tell);
            back.engine = Some(engine);
            drop(back);
            found
        }))
    }

    /// The engine, of which nobody else makes use. A search that was stopped is waited for.
    fn engine(&self, py: Python<'_>, stop: &StopFlag) -> PyResult<Option<Box<dyn AnyEngine>>> {
        loop {
            {
                let mut seat = locked(&self.seat);
                match &mut *seat {
                    Seat::Idle(engine) => {
                        let engine = engine.take();
                        *seat = Seat::Busy(stop.clone());
                        return Ok(engine);
                    }
                    Seat::Busy(other) if other.is_raised() => {}
                    Seat::Busy(_) => {
                        let why =
                            "this player is thinking already: stop it first, or make another one";
                        return Err(Fault::busy(why).into());
                    }
                }
            }
            py.detach(|| std::thread::sleep(Duration::from_millis(1)));
            py.check_signals()?;
        }
    }
}

type Search = Job<Analysis, Analysis>;

#[pymethods]
impl Player {
    #[new]
    #[pyo3(signature = (game, name=None, *, level=None, seed=None, **settings))]
    fn new(
        game: Any<'_, '_>,
        name: Option<Any<'_, '_>>,
        level: Option<Any<'_, '_>>,
        seed: Option<Any<'_, '_>>,
        settings: Option<&Bound<'_, PyDict>>,
    ) -> PyResult<Player> {
        guarded(|| {
            let game = crate::arguments::game(game)?;
            let mut name = optional_text("name", name)?;
            let seed = given(seed).map_or(Ok(1), |seed| number("seed", seed, 0))?;
            let mut usual = Limits::default();
            let mut all = Vec::new();
            if let Some(wanted) = optional_text("level", level)? {
                if name.is_some() {
                    let why = "a player has a name or a level, not both";
                    return Err(Fault::player(why).into());
                }
                let (player, of_level, limits) = with_game!(game, G => self::level::<G>(&wanted))?;
                name = Some(player);
                all = of_level;
                usual = limits;
            }
            if usual.simulations.is_none() && usual.time.is_none() {
                usual.time = Some(A_SECOND);
            }
            all.extend(crate::arguments::settings(settings)?);
            let name = with_game!(game, G => checked::<G>(game, name.as_deref(), seed, &all))?;
            Ok(Player {
                game,
                name,
                seed,
                settings: all,
                usual,
                seat: Arc::new(Mutex::new(Seat::Idle(None))),
            })
        })
    }

    /// The name of the game.
    #[getter]
    fn game(&self) -> &'static str {
        self.game.name()
    }

    /// The name of the player.
    #[getter]
    fn name(&self) -> &str {
        &self.name
    }

    /// The random seed.
    #[getter]
    fn seed(&self) -> u64 {
        self.seed
    }

    /// The settings.
    #[getter]
    fn settings<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let settings = PyDict::new(py);
        for Setting { name, value } in &self.settings {
            settings.set_item(name, value)?;
        }
        Ok(settings)
    }

    /// Searches within limits; the first that is reached ends the search. Without any it thinks as long as its
    /// level does, or one second.
    ///
    /// `progress` is called with what is known so far, each tenth of a second or `every` so many seconds. It ends
    /// the search by returning `False`. Other threads of Python run meanwhile. Ctrl-C ends the search with
    /// `KeyboardInterrupt`.
    #[pyo3(signature = (position, *, seconds=None, simulations=None, nodes=None, depth=None, progress=None, every=None))]
    #[expect(clippy::too_many_arguments, reason = "keyword arguments of Python")]
    fn think<'py>(
        &self,
        py: Python<'py>,
        position: Any<'_, 'py>,
        seconds: Option<Any<'_, 'py>>,
        simulations: Option<Any<'_, 'py>>,
        nodes: Option<Any<'_, 'py>>,
        depth: Option<Any<'_, 'py>>,
        progress: Option<Any<'_, 'py>>,
        every: Option<Any<'_, 'py>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        guarded(|| {
            let asked = Asked {
                seconds,
                simulations,
                nodes,
                depth,
                every,
            };
            let progress = callable(progress)?;
            let mut job = self.start(py, self::position(position)?, &asked)?;
            let found = job.wait(py, |found| hear(progress, || objects::analysis(py, &found)))?;
            objects::analysis(py, &found)
        })
    }

    /// The same as an iterator. Leaving the loop and forgetting the iterator ends the search.
    #[pyo3(signature = (position, *, seconds=None, simulations=None, nodes=None, depth=None, every=None))]
    #[expect(clippy::too_many_arguments, reason = "keyword arguments of Python")]
    fn analyse(
        &self,
        py: Python<'_>,
        position: Any<'_, '_>,
        seconds: Option<Any<'_, '_>>,
        simulations: Option<Any<'_, '_>>,
        nodes: Option<Any<'_, '_>>,
        depth: Option<Any<'_, '_>>,
        every: Option<Any<'_, '_>>,
    ) -> PyResult<Thinking> {
        guarded(|| {
            let asked = Asked {
                seconds,
                simulations,
                nodes,
                depth,
                every,
            };
            let job = self.start(py, self::position(position)?, &asked)?;
            Ok(Thinking {
                job: Mutex::new(job),
                result: OnceLock::new(),
            })
        })
    }

    /// Ends the running search, from another thread.
    fn stop(&self) {
        if let Seat::Busy(stop) = &*locked(&self.seat) {
            stop.raise();
        }
    }

    fn __repr__(&self) -> String {
        let mut text = format!(
            "Player({:?}, {:?}, seed={}",
            self.game.name(),
            self.name,
            self.seed
        );
        for Setting { name, value } in &self.settings {
            text += &format!(", {}={value:?}", name.replace('-', "_"));
        }
        text + ")"
    }
}

/// A callback that was given, if it can be called.
pub fn callable<'a, 'py>(progress: Option<Any<'a, 'py>>) -> Result<Option<Any<'a, 'py>>, Fault> {
    match given(progress) {
        Some(value) if !value.is_callable() => {
            Err(Fault::wrong_type("progress is a function of one argument"))
        }
        value => Ok(value),
    }
}

/// Tells a callback. `False` ends the search.
pub fn hear<'py>(
    progress: Option<Any<'_, 'py>>,
    found: impl FnOnce() -> PyResult<Bound<'py, PyAny>>,
) -> PyResult<bool> {
    let Some(progress) = progress else {
        return Ok(true);
    };
    let answer = progress.call1((found()?,))?;
    Ok(!answer.is(pyo3::types::PyBool::new(progress.py(), false)))
}

/// A running search: an iterator over its progress. The last item is the result.
#[pyclass(frozen, module = "papamu")]
pub struct Thinking {
    job: Mutex<Search>,
    result: OnceLock<Py<PyAny>>,
}

impl Thinking {
    /// The job, which one thread at a time asks.
    fn job(&self) -> Result<MutexGuard<'_, Search>, Fault> {
        self.job
            .try_lock()
            .map_err(|_| Fault::busy("another thread is asking this search"))
    }
}

#[pymethods]
impl Thinking {
    fn __iter__(slf: Py<Self>) -> Py<Self> {
        slf
    }

    fn __next__<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyAny>>> {
        guarded(|| {
            if self.result.get().is_some() {
                return Ok(None);
            }
            if let Some(found) = self.job()?.next(py)? {
                return Ok(Some(objects::analysis(py, &found)?));
            }
            Ok(Some(self.result(py)?))
        })
    }

    /// Waits for the search, and returns its result.
    #[getter]
    fn result<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        guarded(|| {
            if let Some(result) = self.result.get() {
                return Ok(result.bind(py).clone());
            }
            let found = self.job()?.wait(py, |_| Ok(true))?;
            let found = objects::analysis(py, &found)?;
            Ok(self.result.get_or_init(|| found.unbind()).bind(py).clone())
        })
    }

    /// Ends the search. Its result is the latest progress.
    fn stop(&self, py: Python<'_>) -> PyResult<()> {
        py.check_signals()?;
        self.job()?.stop();
        Ok(())
    }
}
