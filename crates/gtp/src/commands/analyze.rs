//! Analysis while the player thinks.

use super::moves::whose_move;
use super::{Failure, Reply, arguments};
use crate::Session;
use crate::analysis::{Analysis, Until};
use engine::Playable;
use std::time::Duration;

pub(super) fn analyze<G: Playable>(session: &mut Session<G>, arguments: &[&str]) -> Reply {
    begin(session, arguments, false)
}

pub(super) fn genmove_analyze<G: Playable>(session: &mut Session<G>, arguments: &[&str]) -> Reply {
    begin(session, arguments, true)
}

/// Nothing but the first line of the answer: the rest comes while the search goes on.
fn begin<G: Playable>(session: &mut Session<G>, given: &[&str], makes_move: bool) -> Reply {
    let mut side = session.position().to_move();
    let mut interval = Duration::from_secs(1);
    let mut most = usize::MAX;
    let mut words = given.iter().copied();
    while let Some(word) = words.next() {
        let mut value = || words.next().ok_or(Failure::Usage);
        match word {
            "interval" => interval = centiseconds(value()?)?,
            "maxmoves" => most = arguments::number(value()?)?,
            // All moves that were searched are told of, whatever this says.
            "minmoves" => _ = arguments::number::<usize>(value()?)?,
            _ if word.starts_with(|c: char| c.is_ascii_digit()) => interval = centiseconds(word)?,
            _ => side = arguments::side(word)?,
        }
    }
    let name = side.to_string();
    let (_, time) = whose_move(session, &[&name])?;
    session.analysis = Some(Analysis {
        interval,
        most,
        until: if makes_move {
            Until::Move(time)
        } else {
            Until::NextCommand
        },
    });
    Ok(String::new())
}

/// At least one: a search that only talks gets nowhere.
fn centiseconds(text: &str) -> Result<Duration, Failure> {
    let number: u32 = arguments::number(text)?;
    Ok(Duration::from_millis(10) * number.max(1))
}
