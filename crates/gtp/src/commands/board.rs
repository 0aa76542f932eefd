//! The board, the rules, and how cells are named.

use super::{Failure, Reply, arguments};
use crate::Session;
use crate::points::Points;
use engine::{BoardOptions, Playable};

pub(super) fn boardsize<G: Playable>(session: &mut Session<G>, size: &[&str]) -> Reply {
    if size.is_empty() {
        return Err(Failure::Usage);
    }
    let unacceptable = |why| Failure::because(format!("unacceptable size: {why}"));
    let columns = size.first().filter(|_| session.gogui && G::HEXAGONS);
    let of_width = columns.and_then(|columns| of_width::<G>(&session.board, columns));
    let of_width = of_width.as_deref();
    let size = of_width.as_ref().map_or(size, std::slice::from_ref);
    let board = G::resized(&session.board, size).map_err(unacceptable)?;
    G::start(&board).map_err(unacceptable)?;
    new_game(session, board)
}

/// The size of the board that has so many columns in GoGui, which knows no other sizes.
fn of_width<G: Playable>(board: &BoardOptions, columns: &str) -> Option<String> {
    let columns: usize = columns.parse().ok()?;
    let sizes = [columns, columns.div_ceil(2)].map(|size| size.to_string());
    sizes.into_iter().find(|size| {
        let start = G::resized(board, &[size]).and_then(|board| G::start(&board));
        start.is_ok_and(|start| Points::of(&start).size().0 == columns)
    })
}

/// KataGo's and Sabaki's command, which names the columns first.
pub(super) fn rectangular_boardsize<G: Playable>(
    session: &mut Session<G>,
    arguments: &[&str],
) -> Reply {
    let [cols, rows] = arguments else {
        return Err(Failure::Usage);
    };
    boardsize(session, &[rows, cols])
}

pub(super) fn clear_board<G: Playable>(session: &mut Session<G>, _: &[&str]) -> Reply {
    new_game(session, session.board.clone())
}

fn new_game<G: Playable>(session: &mut Session<G>, board: BoardOptions) -> Reply {
    session.restart(board)?;
    Ok(String::new())
}

pub(super) fn komi<G: Playable>(_: &mut Session<G>, arguments: &[&str]) -> Reply {
    let komi = arguments.first().ok_or(Failure::Usage)?;
    arguments::number::<f64>(komi).map(|_| String::new())
}

pub(super) fn swap<G: Playable>(session: &mut Session<G>, arguments: &[&str]) -> Reply {
    let Some(argument) = arguments.first() else {
        let swap = if session.board.has("swap") {
            "on"
        } else {
            "off"
        };
        return Ok(swap.to_owned());
    };
    let swap = arguments::switch(argument)?;
    if swap == session.board.has("swap") {
        return Ok(String::new());
    }
    if session.history.len() > 0 {
        return Err(Failure::because(
            "the swap rule cannot change after the first move",
        ));
    }
    let board = session.board.clone().without("swap");
    new_game(
        session,
        if swap {
            board.with("swap", "yes")
        } else {
            board
        },
    )
}

pub(super) fn setup<G: Playable>(session: &mut Session<G>, arguments: &[&str]) -> Reply {
    let setup = match arguments {
        [] => {
            let setup = session.board.get("setup");
            return Ok(setup.unwrap_or("none").to_owned());
        }
        ["none"] => None,
        pair => Some(pair.join(",")),
    };
    let board = session.board.clone().without("setup").without("opening");
    new_game(
        session,
        match setup {
            Some(setup) => board.with("setup", setup),
            None => board,
        },
    )
}

pub(super) fn opening<G: Playable>(session: &mut Session<G>, arguments: &[&str]) -> Reply {
    let board = &session.board;
    let Some(argument) = arguments.first() else {
        let removed = board.get("setup").map(|setup| format!("setup {setup}"));
        let opening = board.get("opening").unwrap_or("traditional");
        return Ok(removed.unwrap_or_else(|| opening.to_owned()));
    };
    let board = board.clone().without("setup").with("opening", argument);
    new_game(session, board)
}

pub(super) fn dialect<G: Playable>(session: &mut Session<G>, arguments: &[&str]) -> Reply {
    let Some(name) = arguments.first() else {
        let name = G::dialect_name(session.dialect);
        return Ok(name.unwrap_or_default().to_owned());
    };
    session.dialect = G::dialect(name).ok_or(Failure::Usage)?;
    Ok(String::new())
}

pub(super) fn hgui_coordinates<G: Playable>(session: &mut Session<G>, _: &[&str]) -> Reply {
    dialect(session, &["grid"])
}

/// In Castro `gridcoords` are the coordinates of Little Golem.
pub(super) fn grid_coordinates<G: Playable>(session: &mut Session<G>, _: &[&str]) -> Reply {
    dialect(session, &["row"])
}
