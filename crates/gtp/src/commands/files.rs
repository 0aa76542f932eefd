//! Games from files and into them.

use super::{Failure, Reply, arguments};
use crate::Session;
use crate::history::History;
use engine::{Playable, replace_file};
use record::{Record, to_sgf};
use std::io::Write;
use std::path::Path;

pub(super) fn loadsgf<G: Playable>(session: &mut Session<G>, arguments: &[&str]) -> Reply {
    let (file, number) = file_and_number(arguments)?;
    let game: Record<G> = read(&file)?;
    let played = match number {
        None => game.moves.len(),
        // GTP stops before the move with this number.
        Some(number) => game.moves.len().min(number.saturating_sub(1)),
    };
    let options = game.options_admitting();
    let mut history = History::new(game.start);
    for &mv in &game.moves[..played] {
        history.play(mv)?;
    }
    session.restart(options)?;
    session.history = history;
    session.search_thread.restarted();
    Ok(String::new())
}

pub(super) fn printsgf<G: Playable>(session: &mut Session<G>, arguments: &[&str]) -> Reply {
    let start = session.history.start().clone();
    let moves = session.history.moves().collect();
    let game = Record::played(session.board.clone(), start, moves, None);
    let text = to_sgf(&game).to_string();
    let file = arguments.join(" ");
    if file.is_empty() || file == "-" {
        return Ok(format!("\n{text}").trim_end().to_owned());
    }
    replace_file(Path::new(&file), |out| out.write_all(text.as_bytes()))
        .map_err(|why| Failure::because(format!("cannot write {file}: {why}")))?;
    Ok(String::new())
}

/// The name of a file, which may have spaces in it, and the number after it if there is one.
fn file_and_number(given: &[&str]) -> Result<(String, Option<usize>), Failure> {
    match given {
        [] => Err(Failure::Usage),
        [file @ .., number] if !file.is_empty() && number.parse::<usize>().is_ok() => {
            Ok((file.join(" "), Some(arguments::number(number)?)))
        }
        file => Ok((file.join(" "), None)),
    }
}

/// The first game of a file.
fn read<G: Playable>(file: &str) -> Result<Record<G>, Failure> {
    let cannot =
        |why: &dyn std::fmt::Display| Failure::because(format!("cannot load {file}: {why}"));
    let bytes = std::fs::read(file).map_err(|why| cannot(&why))?;
    let games = record::read(&bytes).map_err(|why| cannot(&why))?;
    let game = games.first().ok_or_else(|| cannot(&"it holds no game"))?;
    let game: Record<G> = game.replay(None).map_err(|why| cannot(&why))?;
    match &game.fault {
        Some(fault) => Err(cannot(fault)),
        None => Ok(game),
    }
}
