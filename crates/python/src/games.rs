//! `papamu.games`: what there is to play.

use crate::errors::guarded;
use crate::objects::{fields, object};
use papamu::engine::{OptionKind, Parameter};
use papamu::{GameName, Playable, with_game};
use pyo3::prelude::*;
use pyo3::types::PyList;

/// The games with their options, players, solvers and levels.
#[pyfunction]
pub fn games(py: Python<'_>) -> PyResult<Bound<'_, PyList>> {
    guarded(|| {
        let games = PyList::empty(py);
        for &name in GameName::ALL {
            games.append(with_game!(name, G => game::<G>(py))?)?;
        }
        Ok(games)
    })
}

fn game<G: Playable>(py: Python<'_>) -> PyResult<Bound<'_, PyAny>> {
    let (options, players) = (PyList::empty(py), PyList::empty(py));
    let (solvers, levels) = (PyList::empty(py), PyList::empty(py));
    for option in G::OPTIONS {
        let kind = match option.kind {
            OptionKind::Text(_) => "text",
            OptionKind::Number(_) => "number",
            OptionKind::Switch => "switch",
        };
        let fields = fields!(py, {
            "name": option.name,
            "kind": kind,
            "meaning": option.meaning,
            "choices": option.choices.to_vec(),
        });
        options.append(object(py, "StartOption", &fields)?)?;
    }
    for player in G::players() {
        players.append(described(
            py,
            player.name,
            player.summary,
            &player.parameters,
        )?)?;
    }
    for solver in G::solvers() {
        solvers.append(described(
            py,
            solver.name,
            solver.summary,
            &solver.parameters,
        )?)?;
    }
    for level in G::LEVELS {
        let fields = fields!(py, {
            "name": level.name,
            "title": level.title,
            "player": level.player,
            "simulations": level.simulations,
            "seconds": level.seconds,
            "elo": level.rating.map(|(elo, _)| elo),
            "margin": level.rating.map(|(_, margin)| margin),
        });
        levels.append(object(py, "Level", &fields)?)?;
    }
    let fields = fields!(py, {
        "name": G::NAME,
        "title": G::TITLE,
        "options": options,
        "sizes": G::SIZES.to_vec(),
        "first_size": G::FIRST_SIZE,
        "dialects": G::DIALECTS.to_vec(),
        "players": players,
        "solvers": solvers,
        "levels": levels,
    });
    object(py, "Game", &fields)
}

/// A player or a solver.
fn described<'py>(
    py: Python<'py>,
    name: &str,
    summary: &str,
    parameters: &[Parameter],
) -> PyResult<Bound<'py, PyAny>> {
    let all = PyList::empty(py);
    for parameter in parameters {
        let fields = fields!(py, {
            "name": parameter.name,
            "meaning": parameter.meaning,
            "default": &parameter.default,
        });
        all.append(object(py, "Parameter", &fields)?)?;
    }
    let fields = fields!(py, { "name": name, "summary": summary, "parameters": all });
    object(py, "Description", &fields)
}
