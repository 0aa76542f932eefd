//! Making moves and taking them back.

use super::{Failure, Reply, arguments};
use crate::Session;
use engine::Playable;
use game::Side;
use std::time::Duration;

pub(super) fn play<G: Playable>(session: &mut Session<G>, arguments: &[&str]) -> Reply {
    let [side, mv, ..] = arguments else {
        return Err(Failure::Usage);
    };
    if ends_as_in_go(session) && mv.eq_ignore_ascii_case("pass") {
        return Ok(String::new());
    }
    session.turn_of(arguments::side(side)?)?;
    session.play(mv)?;
    Ok(String::new())
}

pub(super) fn playgame<G: Playable>(session: &mut Session<G>, moves: &[&str]) -> Reply {
    if moves.is_empty() {
        return Err(Failure::Usage);
    }
    let before = session.history.len();
    for (place, mv) in moves.iter().enumerate() {
        if let Err(failure) = session.play(mv) {
            session.rewind(before);
            return Err(match failure {
                Failure::Because(why) => {
                    Failure::because(format!("move {} ({mv}): {why}", place + 1))
                }
                Failure::Usage => Failure::Usage,
            });
        }
    }
    Ok(String::new())
}

pub(super) fn undo<G: Playable>(session: &mut Session<G>, arguments: &[&str]) -> Reply {
    let number = arguments
        .first()
        .map_or(Ok(1), |text| arguments::number(text))?;
    match session.history.len().checked_sub(number) {
        Some(len) if number > 0 => session.rewind(len),
        _ => return Err(Failure::because("cannot undo")),
    }
    Ok(String::new())
}

/// Two passes end a game of Go, and what a program of GoGui does not know to be over goes on until then.
fn ends_as_in_go<G: Playable>(session: &Session<G>) -> bool {
    session.gogui && session.open().is_err()
}

pub(super) fn genmove<G: Playable>(session: &mut Session<G>, arguments: &[&str]) -> Reply {
    if ends_as_in_go(session) {
        return Ok("pass".to_owned());
    }
    let (_, time) = whose_move(session, arguments)?;
    session.think(time);
    make_found_move(session)
}

/// Makes the move that the last search has found, or resigns; the answer to the command.
pub(crate) fn make_found_move<G: Playable>(session: &mut Session<G>) -> Reply {
    let side = session.position().to_move();
    let report = session
        .last_search
        .as_ref()
        .ok_or(Failure::because("nothing was searched"))?;
    let score = report.value.0;
    // An engine that answers with no move, or an illegal one, must not end the conversation.
    let mv = report.best.ok_or(Failure::because("no move found"))?;
    let text = session.write_moves(&[mv]);
    let resigns = score < session.resign_below;
    if !resigns {
        session.history.play(mv)?;
    }
    session.played_side = Some(side);
    session.clocks.spend(side, session.received.elapsed());
    Ok(if resigns { "resign".to_owned() } else { text })
}

pub(super) fn reg_genmove<G: Playable>(session: &mut Session<G>, arguments: &[&str]) -> Reply {
    let (_, time) = whose_move(session, arguments)?;
    let best = session.think(time).best;
    let mv = best.ok_or(Failure::because("no move found"))?;
    Ok(session.write_moves(&[mv]))
}

/// The side to move and the time that it has, if a move can be looked for.
pub(super) fn whose_move<G: Playable>(
    session: &Session<G>,
    arguments: &[&str],
) -> Result<(Side, Option<Duration>), Failure> {
    let to_move = session.position().to_move();
    let side = arguments
        .first()
        .map_or(Ok(to_move), |side| arguments::side(side))?;
    session.turn_of(side)?;
    let Some(time) = arguments.get(1) else {
        return Ok((side, session.clocks.allotted(side, session.simulations)));
    };
    let time = arguments::seconds(time)?;
    if !time.is_zero() {
        return Ok((side, Some(time)));
    }
    match session.simulations {
        Some(_) => Ok((side, None)),
        None => Err(Failure::because(
            "0 seconds need a limit by simulations (time -i N)",
        )),
    }
}
