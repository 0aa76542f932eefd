//! `papamu.read_games`.

use crate::arguments::{Any, contents, optional_text, outcome_name, side_name};
use crate::errors::{Fault, guarded};
use crate::objects::{fields, object};
use crate::position::Position;
use crate::typed;
use papamu::record::RawGame;
use papamu::{GameName, Playable, with_game};
use pyo3::prelude::*;
use pyo3::types::PyList;

/// The games of a file, replayed under the rules: SGF, HGF or a list of moves. `source` is its text, its bytes, or
/// its path as `pathlib.Path`.
#[pyfunction]
#[pyo3(signature = (source, *, dialect=None))]
pub fn read_games<'py>(
    py: Python<'py>,
    source: Any<'_, 'py>,
    dialect: Option<Any<'_, 'py>>,
) -> PyResult<Bound<'py, PyList>> {
    guarded(|| {
        let dialect = optional_text("dialect", dialect)?;
        let games = papamu::games(&contents("source", source)?).map_err(Fault::record)?;
        let records = PyList::empty(py);
        for raw in &games {
            let game = GameName::of_file(raw.game()).map_err(Fault::record)?;
            let dialect = dialect.as_deref();
            records.append(with_game!(game, G => record::<G>(py, game, raw, dialect))?)?;
        }
        Ok(records)
    })
}

fn record<'py, G: Playable>(
    py: Python<'py>,
    game: GameName,
    raw: &RawGame,
    dialect: Option<&str>,
) -> PyResult<Bound<'py, PyAny>> {
    let dialect = dialect.map(|name| {
        let dialect = G::dialect(name);
        dialect.ok_or_else(|| Fault::record(format!("{} has no dialect {name:?}", G::NAME)))
    });
    let record = raw
        .replay::<G>(dialect.transpose()?)
        .map_err(Fault::record)?;
    let fields = fields!(py, {
        "game": game.name(),
        "end": record.end().to_string(),
        "winner": record.winner().map(outcome_name),
        "claimed": record.claimed.map(outcome_name),
        "resigned": record.resigned.map(side_name),
        "fault": record.fault.as_ref().map(ToString::to_string),
        "position": Bound::new(py, Position { shared: typed::of_record(game, record) })?,
    });
    object(py, "Record", &fields)
}
