//! Analysis while the player thinks.

use super::moves::whose_move;
use super::{Failure, Reply, arguments};
use crate::Session;
use crate::analysis::{Analysis, Form, Until};
use engine::Playable;
use std::time::Duration;

pub(super) fn analyze<G: Playable>(session: &mut Session<G>, arguments: &[&str]) -> Reply {
    begin(session, arguments, Form::Leela, false)
}

pub(super) fn genmove_analyze<G: Playable>(session: &mut Session<G>, arguments: &[&str]) -> Reply {
    begin(session, arguments, Form::Leela, true)
}

pub(super) fn kata_analyze<G: Playable>(session: &mut Session<G>, arguments: &[&str]) -> Reply {
    begin(session, arguments, Form::Kata { root: false }, false)
}

pub(super) fn kata_genmove_analyze<G: Playable>(
    session: &mut Session<G>,
    arguments: &[&str],
) -> Reply {
    begin(session, arguments, Form::Kata { root: false }, true)
}

/// What KataGo can add to a line and no search here knows. Front ends for Go ask for it unseen, so that it is
/// left out and not refused.
const LEFT_OUT: [&str; 7] = [
    "ownership",
    "ownershipStdev",
    "movesOwnership",
    "movesOwnershipStdev",
    "pvVisits",
    "pvEdgeVisits",
    "noResultValue",
];

/// Nothing but the first line of the answer: the rest comes while the search goes on.
fn begin<G: Playable>(
    session: &mut Session<G>,
    given: &[&str],
    form: Form,
    makes_move: bool,
) -> Reply {
    let mut form = form;
    let mut side = session.position().to_move();
    let mut interval = Duration::from_secs(1);
    let mut most = usize::MAX;
    let mut words = given.iter().copied();
    while let Some(word) = words.next() {
        let mut value = || words.next().ok_or(Failure::Usage);
        match (word, form) {
            ("interval", _) => interval = centiseconds(value()?)?,
            ("maxmoves", _) => most = arguments::number(value()?)?,
            // All moves that were searched are told of, whatever this says.
            ("minmoves", _) => _ = arguments::number::<usize>(value()?)?,
            ("rootInfo", Form::Kata { .. }) => {
                form = Form::Kata {
                    root: truth(value()?)?,
                }
            }
            (_, Form::Kata { .. }) if LEFT_OUT.contains(&word) => _ = truth(value()?)?,
            _ if word.starts_with(|c: char| c.is_ascii_digit()) => interval = centiseconds(word)?,
            _ => side = arguments::side(word)?,
        }
    }
    let name = side.to_string();
    let (_, time) = whose_move(session, &[&name])?;
    session.analysis = Some(Analysis {
        interval,
        most,
        form,
        until: if makes_move {
            Until::Move(time)
        } else {
            Until::NextCommand
        },
    });
    Ok(String::new())
}

fn truth(text: &str) -> Result<bool, Failure> {
    match text {
        "true" => Ok(true),
        "false" => Ok(false),
        _ => Err(Failure::Usage),
    }
}

/// At least one: a search that only talks gets nowhere.
fn centiseconds(text: &str) -> Result<Duration, Failure> {
    let number: u32 = arguments::number(text)?;
    Ok(Duration::from_millis(10) * number.max(1))
}
