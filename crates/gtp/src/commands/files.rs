//! Games from files and into them.

use super::{Failure, Reply, arguments};
use crate::Session;
use crate::history::History;
use engine::{BoardOptions, Playable, replace_file};
use game::Notation;
use record::PlainGame;
use std::io::Write;
use std::path::Path;

pub(super) fn loadsgf<G: Playable>(session: &mut Session<G>, arguments: &[&str]) -> Reply {
    let (file, number) = file_and_number(arguments)?;
    let game = read::<G>(&file)?;
    let played = match number {
        None => game.moves.len(),
        // GTP stops before the move with this number.
        Some(number) => game.moves.len().min(number.saturating_sub(1)),
    };
    let dialect = <G as Notation>::Dialect::default();
    let moves: Vec<&str> = game.moves.iter().map(String::as_str).collect();
    let mut history = History::new(G::start(&game.options)?.admitting(&moves));
    for text in &moves[..played] {
        let mv = history.position().parse_move(text, dialect)?;
        history
            .play(mv)
            .map_err(|why| Failure::because(format!("{text}: {why}")))?;
    }
    session.restart(game.options)?;
    session.history = history;
    session.thinker.restarted();
    Ok(String::new())
}

pub(super) fn printsgf<G: Playable>(session: &mut Session<G>, arguments: &[&str]) -> Reply {
    let mut moves = Vec::with_capacity(session.history.len());
    for (position, mv) in session.history.played() {
        moves.push(position.write_move(mv, <G as Notation>::Dialect::default()));
    }
    let game = PlainGame {
        game: G::NAME,
        options: session.board.clone(),
        moves,
        fault: None,
    };
    let text = game.replay()?.to_sgf().to_string();
    let file = arguments.join(" ");
    if file.is_empty() || file == "-" {
        return Ok(format!("\n{text}").trim_end().to_owned());
    }
    replace_file(Path::new(&file), |out| out.write_all(text.as_bytes()))
        .map_err(|why| Failure::because(format!("cannot write {file}: {why}")))?;
    Ok(String::new())
}

/// The board of the game in a file, if the file has one of this game.
pub(crate) fn board_in_file<G: Playable>(arguments: &[&str]) -> Option<BoardOptions> {
    let (file, _) = file_and_number(arguments).ok()?;
    Some(read::<G>(&file).ok()?.options)
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
fn read<G: Playable>(file: &str) -> Result<PlainGame, Failure> {
    let cannot =
        |why: &dyn std::fmt::Display| Failure::because(format!("cannot load {file}: {why}"));
    let bytes = std::fs::read(file).map_err(|why| cannot(&why))?;
    let games = record::read(&bytes, None).map_err(|why| cannot(&why))?;
    let game = games.first().ok_or_else(|| cannot(&"it holds no game"))?;
    let game = game.plain();
    if game.game != G::NAME {
        return Err(cannot(&format!("it is a game of {}", game.game)));
    }
    match &game.fault {
        Some(fault) => Err(cannot(fault)),
        None => Ok(game),
    }
}
