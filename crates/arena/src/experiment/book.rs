//! Books of openings: files beside that of an experiment, which becomes whole by taking their moves in.

use super::{ExperimentError, GameName};
use engine::Playable;
use record::Record;
use registry::with_game;
use std::path::Path;

/// The file of an experiment with the moves of its books in their places (`openings.file`), so that it says all by
/// itself wherever it is read. A file without books stays as it is. `folder` is where relative names begin.
///
/// # Errors
/// If a book cannot be read, or has no openings.
pub fn with_books(text: &str, folder: &Path) -> Result<String, ExperimentError> {
    // What is wrong with the file itself is told where it is read.
    let Ok(mut file) = text.parse::<toml::Table>() else {
        return Ok(text.to_owned());
    };
    let game = file
        .get("game")
        .and_then(|game| game.clone().try_into().ok());
    let mut has_books = has_book(&mut file, game, folder)?;
    if let Some(quick) = file.get_mut("quick").and_then(toml::Value::as_table_mut) {
        has_books |= has_book(quick, game, folder)?;
    }
    if !has_books {
        return Ok(text.to_owned());
    }
    toml::to_string(&file).map_err(|error| ExperimentError::new(error.to_string()))
}

/// Takes in the book of a table's `openings`; whether it has one.
fn has_book(
    table: &mut toml::Table,
    game: Option<GameName>,
    folder: &Path,
) -> Result<bool, ExperimentError> {
    let Some(openings) = table
        .get_mut("openings")
        .and_then(toml::Value::as_table_mut)
    else {
        return Ok(false);
    };
    let Some(toml::Value::String(name)) = openings.get("file").cloned() else {
        return Ok(false);
    };
    let wrong = |why: String| ExperimentError::new(format!("openings.file = {name:?}: {why}"));
    let plies = match openings.get("plies") {
        None => None,
        Some(toml::Value::Integer(plies @ 1..)) => Some(*plies as usize),
        Some(other) => return Err(wrong(format!("plies = {other}: expected a number from 1"))),
    };
    let others = ["moves", "random", "every", "setups"];
    if let Some(other) = others.iter().find(|other| openings.contains_key(**other)) {
        return Err(wrong(format!("a book and {other} exclude each other")));
    }
    let bytes = std::fs::read(folder.join(&name)).map_err(|error| wrong(error.to_string()))?;
    let game = game.ok_or_else(|| wrong("the experiment names no game".to_owned()))?;
    let lines = lines(&bytes, game, plies).map_err(wrong)?;
    openings.remove("file");
    openings.remove("plies");
    let lines: Vec<toml::Value> = lines.into_iter().map(toml::Value::String).collect();
    openings.insert("moves".to_owned(), lines.into());
    Ok(true)
}

/// The openings of a book, each once, as lists of moves: the first `plies` moves of each game of an SGF file, or of each
/// line of any other, where `#` begins a comment.
fn lines(bytes: &[u8], game: GameName, plies: Option<usize>) -> Result<Vec<String>, String> {
    let text = String::from_utf8_lossy(bytes);
    let is_sgf = text
        .trim_start_matches(['\u{feff}', ' ', '\n', '\r', '\t'])
        .starts_with('(');
    let mut lines: Vec<String> = Vec::new();
    let mut add = |moves: Vec<String>| {
        let shown = plies.unwrap_or(usize::MAX).min(moves.len());
        let line = moves[..shown].join(" ");
        if shown > 0 && !lines.contains(&line) {
            lines.push(line);
        }
    };
    if is_sgf {
        let records = record::read(bytes).map_err(|error| error.to_string())?;
        for (record, place) in records.iter().zip(1..) {
            let moves = with_game!(game, G => {
                let replayed = record.replay::<G>(None).map_err(|why| why.to_string());
                replayed.and_then(|record| moves(&record))
            });
            add(moves.map_err(|why| format!("game {place}: {why}"))?);
        }
    } else {
        for line in text.trim_start_matches('\u{feff}').lines() {
            let line = line.split('#').next().unwrap_or_default();
            add(engine::list_items(line).map(str::to_owned).collect());
        }
    }
    if lines.is_empty() {
        return Err("there are no openings in it".to_owned());
    }
    Ok(lines)
}

/// The moves of a game as lists of moves have them.
fn moves<G: Playable>(record: &Record<G>) -> Result<Vec<String>, String> {
    match &record.fault {
        Some(fault) => Err(fault.to_string()),
        None => Ok(record.moves_in(G::Dialect::default())),
    }
}
