//! What GoGui asks of programs for games other than Go.

use super::{Failure, Reply};
use crate::Session;
use crate::points::Points;
use diagram::capitalised;
use engine::Playable;
use game::Outcome;

/// That it was asked is enough.
pub(super) fn version<G: Playable>(_: &mut Session<G>, _: &[&str]) -> Reply {
    Ok(String::new())
}

/// GoGui keeps a ruler of games that have the same name.
pub(super) fn game_id<G: Playable>(_: &mut Session<G>, _: &[&str]) -> Reply {
    Ok(G::TITLE.to_owned())
}

pub(super) fn board_size<G: Playable>(session: &mut Session<G>, _: &[&str]) -> Reply {
    Ok(match Points::of(session.position()).size() {
        (width, height) if width == height => format!("{width} hex"),
        (width, height) => format!("{width} {height} hex"),
    })
}

pub(super) fn board<G: Playable>(session: &mut Session<G>, _: &[&str]) -> Reply {
    Ok(Points::of(session.position()).picture())
}

/// Nothing when the game is over: that is how GoGui sees it.
pub(super) fn legal_moves<G: Playable>(session: &mut Session<G>, _: &[&str]) -> Reply {
    let mut moves = Vec::new();
    if session.open().is_ok() {
        session.position().legal_moves(&mut moves);
    }
    Ok(session.write_moves(&moves))
}

pub(super) fn side_to_move<G: Playable>(session: &mut Session<G>, _: &[&str]) -> Reply {
    Ok(session.position().to_move().to_string())
}

pub(super) fn final_result<G: Playable>(session: &mut Session<G>, _: &[&str]) -> Reply {
    let structure = session.position().structure();
    let with = structure.map_or_else(String::new, |structure| format!(" with a {structure}"));
    match session.position().outcome() {
        None => Err(Failure::because("the game is not over")),
        Some(Outcome::Draw) => Ok("The game is a draw.".to_owned()),
        Some(Outcome::Win(side)) => Ok(format!("{} has won{with}.", capitalised(side))),
    }
}
