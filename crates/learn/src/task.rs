//! What follows from a number and what a run has made before: a game of self-play, or a pair of games of a match.

use crate::error::LearnError;
use crate::games::Subject;
use crate::matches::play_pair;
use crate::plan::Plan;
use crate::self_play::{Network, Players, play};
use search::StopFlag;
use serde::{Deserialize, Serialize};

/// Which games are played.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Task {
    pub generation: u32,
    /// The best network so far, which plays against itself unless there is a new one.
    pub best: Network,
    /// The new network of a match.
    pub new: Option<Network>,
}

impl Task {
    /// Plays those with a number and gives the record; `None` if it was stopped.
    pub(crate) fn perform<S: Subject>(
        &self,
        plan: &Plan,
        players: &Players<'_, S>,
        number: u32,
        stop: &StopFlag,
    ) -> Result<Option<Vec<u8>>, LearnError> {
        let place = (self.generation, number);
        match &self.new {
            None => play(plan, players, &self.best, place, stop),
            Some(new) => {
                let points = play_pair(plan, players, (new, &self.best), place, stop)?;
                Ok(points.map(|points| vec![points]))
            }
        }
    }

    /// The weights that have to be at hand.
    pub(crate) fn weights(&self) -> impl Iterator<Item = &String> {
        let networks = std::iter::once(&self.best).chain(&self.new);
        networks.filter_map(|network| match network {
            Network::Learned(hash) => Some(hash),
            Network::Absent | Network::Shipped => None,
        })
    }
}
