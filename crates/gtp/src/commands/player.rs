//! Who thinks, and how.

use super::{Failure, Reply, arguments};
use crate::Session;
use crate::session::{
    GOGUI, GOGUI_MEANING, PONDER, PONDER_MEANING, RESIGN_BELOW, RESIGN_BELOW_MEANING,
};
use engine::{ParameterError, Playable, Setting};

pub(super) fn player<G: Playable>(session: &mut Session<G>, arguments: &[&str]) -> Reply {
    let Some((name, settings)) = arguments.split_first() else {
        return Ok(players(session));
    };
    session.think_with(name, &parse(settings)?, session.search_thread.seed)?;
    Ok(String::new())
}

fn players<G: Playable>(session: &Session<G>) -> String {
    let mut lines = String::new();
    for player in G::players() {
        let sign = if player.name == session.search_thread.name {
            '*'
        } else {
            ' '
        };
        lines += &format!("\n{sign} {}: {}", player.name, player.summary);
    }
    lines
}

pub(super) fn params<G: Playable>(session: &mut Session<G>, _: &[&str]) -> Reply {
    let search_thread = &session.search_thread;
    let mut lines = String::new();
    for parameter in &search_thread.parameters {
        let value = search_thread.value(parameter);
        lines += &format!("\n{}={value}: {}", parameter.name, parameter.meaning);
    }
    let ponders = if session.ponders { "yes" } else { "no" };
    lines += &format!("\n{PONDER}={ponders}: {PONDER_MEANING}");
    if G::HEXAGONS {
        let gogui = if session.gogui { "yes" } else { "no" };
        lines += &format!("\n{GOGUI}={gogui}: {GOGUI_MEANING}");
    }
    let value = session.resign_below;
    Ok(lines + &format!("\n{RESIGN_BELOW}={value}: {RESIGN_BELOW_MEANING}"))
}

pub(super) fn set<G: Playable>(session: &mut Session<G>, arguments: &[&str]) -> Reply {
    if arguments.is_empty() {
        return Err(Failure::Usage);
    }
    session.set(&parse(arguments)?)?;
    Ok(String::new())
}

pub(super) fn seed<G: Playable>(session: &mut Session<G>, arguments: &[&str]) -> Reply {
    let Some(seed) = arguments.first() else {
        return Ok(session.search_thread.seed.to_string());
    };
    let settings = session.search_thread.settings.clone();
    session.think_with(
        session.search_thread.name,
        &settings,
        arguments::number(seed)?,
    )?;
    Ok(String::new())
}

fn parse(settings: &[&str]) -> Result<Vec<Setting>, ParameterError> {
    settings.iter().map(|setting| setting.parse()).collect()
}
