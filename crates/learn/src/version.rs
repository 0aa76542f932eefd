//! Which programs play the same games.

use crate::error::LearnError;
use crate::games::with_subject;
use crate::plan::Plan;
use crate::self_play::{Network, Players, play};
use engine::weights::sha256;
use search::StopFlag;
use std::collections::BTreeMap;
use std::path::Path;
use std::sync::{Mutex, PoisonError};

/// What was found, by the identity of a plan: a worker asks each time that it looks for something to play.
static KNOWN: Mutex<BTreeMap<String, String>> = Mutex::new(BTreeMap::new());

/// The version of the program, and digits of a game that it plays by a plan, with the network that it brings. A program
/// with other digits may play other games, although its version be the same.
///
/// # Errors
/// If the plan's player cannot play.
pub(crate) fn version(plan: &Plan) -> Result<String, LearnError> {
    let mut known = KNOWN.lock().unwrap_or_else(PoisonError::into_inner);
    let identity = plan.identity();
    if let Some(version) = known.get(&identity) {
        return Ok(version.clone());
    }
    // No generation of a run has this number.
    let place = (0, 0);
    let game = with_subject!(plan.game, S => {
        let players = Players::<S>::new(plan, Path::new(""))?;
        play(plan, &players, &Network::Shipped, place, &StopFlag::new())?
    });
    let mut digits = sha256(game.unwrap_or_default());
    digits.truncate(12);
    let version = format!("{} ({digits})", env!("CARGO_PKG_VERSION"));
    known.insert(identity, version.clone());
    Ok(version)
}
