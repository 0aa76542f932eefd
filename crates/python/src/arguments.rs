//! What Python passes, read with an answer for whatever it is.

use crate::errors::Fault;
use papamu::engine::Setting;
use papamu::search::StopFlag;
use papamu::{BoardOptions, Every, GameName, Limits, Outcome, Side};
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyBytes, PyDict, PyFloat, PyString};
use std::borrow::Cow;
use std::path::PathBuf;
use std::time::Duration;

/// An argument that may be anything.
pub type Any<'a, 'py> = &'a Bound<'py, PyAny>;

/// The longest time that a search can be given: 100 years.
const LONGEST: f64 = 100.0 * 365.25 * 86_400.0;

fn type_name(value: Any<'_, '_>) -> String {
    let name = value.get_type().name();
    name.map_or_else(|_| "something else".to_owned(), |name| name.to_string())
}

fn expected(name: &str, expected: &str, value: Any<'_, '_>) -> Fault {
    Fault::wrong_type(format!("{name} is {expected}, not {}", type_name(value)))
}

/// A text.
pub fn text(name: &str, value: Any<'_, '_>) -> Result<String, Fault> {
    let text = value.cast::<PyString>().ok();
    let text = text.ok_or_else(|| expected(name, "a text", value))?;
    let text = text.to_cow().map(Cow::into_owned);
    text.map_err(|_| Fault::argument(format!("{name} is not valid Unicode")))
}

/// A text, or nothing.
pub fn optional_text(name: &str, value: Option<Any<'_, '_>>) -> Result<Option<String>, Fault> {
    given(value).map(|value| text(name, value)).transpose()
}

/// An argument that is not `None`.
pub fn given<'a, 'py>(value: Option<Any<'a, 'py>>) -> Option<Any<'a, 'py>> {
    value.filter(|value| !value.is_none())
}

/// A whole number from `least` on.
pub fn number(name: &str, value: Any<'_, '_>, least: u64) -> Result<u64, Fault> {
    let is_switch = value.is_instance_of::<PyBool>();
    // What has `__index__` is a whole number: NumPy's integers do.
    if is_switch || !value.hasattr("__index__").unwrap_or(false) {
        return Err(expected(name, "a whole number", value));
    }
    let number = value.extract::<u64>().ok();
    number.filter(|&number| number >= least).ok_or_else(|| {
        let shown = value
            .str()
            .map_or_else(|_| String::new(), |text| text.to_string());
        Fault::argument(format!(
            "{name} is {shown}: expected a whole number from {least} to 2^64 - 1"
        ))
    })
}

/// A whole number from `least` on, or nothing.
pub fn optional_number(
    name: &str,
    value: Option<Any<'_, '_>>,
    least: u64,
) -> Result<Option<u64>, Fault> {
    let value = given(value);
    value.map(|value| number(name, value, least)).transpose()
}

/// A number of seconds, or nothing.
pub fn optional_seconds(name: &str, value: Option<Any<'_, '_>>) -> Result<Option<Duration>, Fault> {
    let Some(value) = given(value) else {
        return Ok(None);
    };
    if value.is_instance_of::<PyBool>() || value.is_instance_of::<PyString>() {
        return Err(expected(name, "a number of seconds", value));
    }
    let seconds = value.extract::<f64>();
    let seconds = seconds.map_err(|_| expected(name, "a number of seconds", value))?;
    if !(0.0..=LONGEST).contains(&seconds) {
        return Err(Fault::argument(format!(
            "{name} is {seconds}: expected a number of seconds from 0 to {LONGEST}"
        )));
    }
    Ok(Some(Duration::from_secs_f64(seconds)))
}

/// The name of a game.
pub fn game(value: Any<'_, '_>) -> Result<GameName, Fault> {
    text("game", value)?.parse().map_err(Fault::game)
}

/// What a keyword argument says as a text: `True` is `yes`.
fn value_as_text(name: &str, value: Any<'_, '_>) -> Result<String, Fault> {
    if value.is_instance_of::<PyBool>() {
        let yes = value.is_truthy().unwrap_or(false);
        return Ok(if yes { "yes" } else { "no" }.to_owned());
    }
    if value.is_instance_of::<PyFloat>() {
        let number = value.extract::<f64>();
        return number
            .map(|number| number.to_string())
            .map_err(Fault::argument);
    }
    if value.is_instance_of::<PyString>() {
        return text(name, value);
    }
    if let Ok(number) = value.extract::<i64>() {
        return Ok(number.to_string());
    }
    if let Ok(number) = value.extract::<f64>() {
        return Ok(number.to_string());
    }
    Err(expected(name, "a text, a number, True or False", value))
}

/// Keyword arguments as names and texts. `_` stands for `-`; what is `None` is left out.
fn pairs(keywords: Option<&Bound<'_, PyDict>>) -> Result<Vec<(String, String)>, Fault> {
    let mut pairs = Vec::new();
    for (name, value) in keywords.into_iter().flatten() {
        let name = text("a keyword", &name)?.replace('_', "-");
        if !value.is_none() {
            let text = value_as_text(&name, &value)?;
            pairs.push((name, text));
        }
    }
    Ok(pairs)
}

/// The options of a board.
pub fn options(keywords: Option<&Bound<'_, PyDict>>) -> Result<BoardOptions, Fault> {
    let mut options = BoardOptions::default();
    for (name, value) in pairs(keywords)? {
        options = options.with(name, value);
    }
    Ok(options)
}

/// The settings of a player or a solver.
pub fn settings(keywords: Option<&Bound<'_, PyDict>>) -> Result<Vec<Setting>, Fault> {
    let pairs = pairs(keywords)?.into_iter();
    Ok(pairs.map(|(name, value)| Setting { name, value }).collect())
}

/// Moves: one text with all of them, or a list of texts.
pub fn moves(name: &str, value: Option<Any<'_, '_>>) -> Result<Vec<String>, Fault> {
    let Some(value) = given(value) else {
        return Ok(Vec::new());
    };
    if value.is_instance_of::<PyString>() {
        let text = text(name, value)?;
        return Ok(papamu::engine::list_items(&text)
            .map(str::to_owned)
            .collect());
    }
    let wrong = || expected(name, "a text with moves or a list of texts", value);
    let items = value.try_iter().map_err(|_| wrong())?;
    items
        .map(|item| text(name, &item.map_err(|_| wrong())?))
        .collect()
}

/// The bytes of a file: given as bytes, as a text, or by the path of the file.
pub fn contents(name: &str, value: Any<'_, '_>) -> PyResult<Vec<u8>> {
    if let Ok(bytes) = value.cast::<PyBytes>() {
        return Ok(bytes.as_bytes().to_vec());
    }
    if value.is_instance_of::<PyString>() {
        return Ok(text(name, value)?.into_bytes());
    }
    Ok(std::fs::read(path(name, value)?)?)
}

/// The path of a file, as `pathlib.Path`.
pub fn path(name: &str, value: Any<'_, '_>) -> Result<PathBuf, Fault> {
    let path = value.extract::<PathBuf>();
    path.map_err(|_| expected(name, "a path, a text or bytes", value))
}

/// Limits of a search as Python gives them.
#[derive(Default)]
pub struct Asked<'a, 'py> {
    /// Seconds.
    pub seconds: Option<Any<'a, 'py>>,
    /// Simulations.
    pub simulations: Option<Any<'a, 'py>>,
    /// Nodes.
    pub nodes: Option<Any<'a, 'py>>,
    /// Plies.
    pub depth: Option<Any<'a, 'py>>,
    /// Seconds between two tellings of the progress.
    pub every: Option<Any<'a, 'py>>,
}

/// How often progress is told where nobody says: ten times a second.
const EVERY: Duration = Duration::from_millis(100);

impl Asked<'_, '_> {
    /// The limits with a flag that is not raised.
    pub fn limits(&self) -> Result<Limits, Fault> {
        let depth = optional_number("depth", self.depth, 1)?;
        let every = optional_seconds("every", self.every)?;
        Ok(Limits {
            time: optional_seconds("seconds", self.seconds)?,
            simulations: optional_number("simulations", self.simulations, 1)?,
            nodes: optional_number("nodes", self.nodes, 1)?,
            depth: depth.map(|depth| u32::try_from(depth).unwrap_or(u32::MAX)),
            progress: Every::Time(every.unwrap_or(EVERY)),
            stop: StopFlag::new(),
        })
    }
}

/// `white` or `black`.
pub fn side_name(side: Side) -> &'static str {
    match side {
        Side::White => "white",
        Side::Black => "black",
    }
}

/// `white`, `black` or `draw`.
pub fn outcome_name(outcome: Outcome) -> &'static str {
    outcome.winner().map_or("draw", side_name)
}
