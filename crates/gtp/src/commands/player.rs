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
    session.think_with(name, &parse(settings)?, session.thinker.seed)?;
    Ok(String::new())
}

fn players<G: Playable>(session: &Session<G>) -> String {
    let mut lines = String::new();
    for player in G::players() {
        let sign = if player.name == session.thinker.name {
            '*'
        } else {
            ' '
        };
        lines += &format!("\n{sign} {}: {}", player.name, player.summary);
    }
    lines
}

pub(super) fn params<G: Playable>(session: &mut Session<G>, _: &[&str]) -> Reply {
    let thinker = &session.thinker;
    let mut lines = String::new();
    for parameter in &thinker.parameters {
        let value = thinker.value(parameter);
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
        return Ok(session.thinker.seed.to_string());
    };
    let settings = session.thinker.settings.clone();
    session.think_with(session.thinker.name, &settings, arguments::number(seed)?)?;
    Ok(String::new())
}

fn parse(settings: &[&str]) -> Result<Vec<Setting>, ParameterError> {
    settings.iter().map(|setting| setting.parse()).collect()
}
