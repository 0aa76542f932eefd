//! What there is to see.

use super::{Failure, Reply};
use crate::Session;
use engine::Playable;
use game::{Outcome, Side};
use search::{MoveStats, Report};

pub(super) fn showboard<G: Playable>(session: &mut Session<G>, _: &[&str]) -> Reply {
    Ok(format!("\n{}", session.position().picture(session.dialect)))
}

pub(super) fn history<G: Playable>(session: &mut Session<G>, _: &[&str]) -> Reply {
    let moves: Vec<G::Move> = session.history.moves().collect();
    Ok(session.write_moves(&moves))
}

pub(super) fn all_legal<G: Playable>(session: &mut Session<G>, _: &[&str]) -> Reply {
    let mut moves = Vec::new();
    session.position().legal_moves(&mut moves);
    Ok(session.write_moves(&moves))
}

pub(super) fn final_score<G: Playable>(session: &mut Session<G>, _: &[&str]) -> Reply {
    let score = match session.position().outcome() {
        None => return Err(Failure::because("the game is not over")),
        Some(Outcome::Win(Side::White)) => "W+",
        Some(Outcome::Win(Side::Black)) => "B+",
        Some(Outcome::Draw) => "0",
    };
    Ok(score.to_owned())
}

pub(super) fn winner<G: Playable>(session: &mut Session<G>, _: &[&str]) -> Reply {
    let outcome = session.position().outcome();
    Ok(outcome.map_or("none".to_owned(), |outcome| outcome.to_string()))
}

pub(super) fn pv<G: Playable>(session: &mut Session<G>, _: &[&str]) -> Reply {
    Ok(session.write_moves(&last_search(session)?.principal_variation))
}

pub(super) fn move_stats<G: Playable>(session: &mut Session<G>, _: &[&str]) -> Reply {
    let line = |stats: &MoveStats<G::Move>| {
        let mv = session.write_moves(&[stats.mv]);
        let proven = stats
            .proven
            .map_or("unproven".to_owned(), |p| p.to_string());
        format!("\n{mv} {} {:.4} {proven}", stats.visits, stats.value.0)
    };
    Ok(last_search(session)?.moves.iter().map(line).collect())
}

pub(super) fn stats<G: Playable>(session: &mut Session<G>, arguments: &[&str]) -> Reply {
    let report = last_search(session)?;
    let search_thread = &session.search_thread;
    let summary = search_thread.summary(report, session.position(), session.dialect);
    match arguments {
        [] => Ok(format!("\n{}", summary.for_people())),
        ["json"] => {
            let json = serde_json::to_string(&summary);
            json.map_err(|why| Failure::because(why.to_string()))
        }
        _ => Err(Failure::Usage),
    }
}

fn last_search<G: Playable>(session: &Session<G>) -> Result<&Report<G::Move>, Failure> {
    let search = session.last_search.as_ref();
    search.ok_or(Failure::because("nothing was searched in this game"))
}
