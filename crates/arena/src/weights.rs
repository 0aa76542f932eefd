//! The weights with which the players of an experiment play. Games count together only as long as they are the same, and
//! neither the file of the experiment nor the version of the program says which ones they are.

use crate::experiment::{Contestant, Experiment, ExperimentError, Kind, Point, Role};
use crate::play::NotHere;
use crate::schedule;
use engine::Playable;
use engine::weights::WeightsInUse;
use registry::with_game;
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, HashSet};
use std::fmt;
use thiserror::Error;

/// The SHA-256 of the weights of each player that has some, by its name in reports. Where a grid makes several players
/// with other weights of one name, the name says which one it is: `net (papamu, a.weights)`.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Weights(BTreeMap<String, String>);

impl Weights {
    /// The names of the players with the SHA-256 of their weights.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &str)> {
        let all = self.0.iter();
        all.map(|(player, hash)| (player.as_str(), hash.as_str()))
    }

    /// The first player that has other weights in `now`.
    pub fn difference(&self, now: &Weights) -> Option<OtherWeights> {
        let mut players = self.0.keys().chain(now.0.keys());
        let player = players.find(|player| self.0.get(*player) != now.0.get(*player))?;
        Some(OtherWeights {
            begun: self.0.get(player).cloned(),
            found: now.0.get(player).cloned(),
            player: player.clone(),
        })
    }
}

/// For people: `net 6f68c99d6d0b, old d109c8e46c90`.
impl fmt::Display for Weights {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let each = |(player, hash)| format!("{player} {}", short(hash));
        let each: Vec<String> = self.iter().map(each).collect();
        f.pad(&each.join(", "))
    }
}

/// As much of a hash as people are shown.
pub(crate) fn short(hash: &str) -> &str {
    const DIGITS: usize = 12;
    hash.get(..DIGITS).unwrap_or(hash)
}

/// A player has other weights than those with which an experiment began.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Error)]
pub struct OtherWeights {
    /// Its name.
    pub player: String,
    /// The SHA-256 of the weights with which the experiment began; `None` if it had none.
    pub begun: Option<String>,
    /// That of those it has now.
    pub found: Option<String>,
}

impl fmt::Display for OtherWeights {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let named = |hash: &Option<String>| match hash {
            Some(hash) => format!("the weights {hash}"),
            None => "no weights".to_owned(),
        };
        let (begun, found) = (named(&self.begun), named(&self.found));
        let player = &self.player;
        write!(
            f,
            "{player} began with {begun}, and has {found} now: go on with the former ones (their file, or the program that \
             has them), or take another store (--store)"
        )
    }
}

/// The weights that the players of an experiment have on this machine: by the name of the player in reports, then by what
/// plays and by its file.
pub(crate) struct Found(BTreeMap<String, BTreeMap<(String, String), String>>);

impl Found {
    /// Looks for them.
    ///
    /// # Errors
    /// If a board or a player cannot be had, or a file not be read.
    pub fn of(experiment: &Experiment) -> Result<Found, ExperimentError> {
        let mut found = Found(BTreeMap::new());
        let mut seen = HashSet::new();
        for point in &experiment.points {
            with_game!(experiment.game, G => found.look::<G>(point, &mut seen))
                .map_err(|error| error.within(point))?;
        }
        Ok(found)
    }

    fn look<G: Playable>(
        &mut self,
        point: &Point,
        seen: &mut HashSet<String>,
    ) -> Result<(), ExperimentError> {
        let board = schedule::first_board(point);
        let start = G::start(&board).map_err(|error| ExperimentError::new(error.to_string()))?;
        for role in [Role::Player, Role::Against] {
            let contestant = point.contestant(role);
            if !seen.insert(format!(
                "{board:?} {} {:?}",
                contestant.name, contestant.kind
            )) {
                continue;
            }
            let weights = in_use(contestant, &start)
                .map_err(|why| ExperimentError::new(why).within(&contestant.name))?;
            if let Some((player, weights)) = weights {
                let of_name = self.0.entry(contestant.name.clone()).or_default();
                of_name.insert((player, weights.file), weights.sha256);
            }
        }
        Ok(())
    }

    /// As the store keeps them.
    pub fn weights(&self) -> Weights {
        let mut weights = BTreeMap::new();
        for (name, files) in &self.0 {
            for ((player, file), hash) in files {
                let name = match files.len() {
                    1 => name.clone(),
                    _ => format!("{name} ({player}, {file})"),
                };
                weights.insert(name, hash.clone());
            }
        }
        Weights(weights)
    }

    /// The SHA-256 of the weights that a player has from the start of a game on, if it has some.
    ///
    /// # Errors
    /// If they are others than those found before: their file has changed, which is read for each game.
    pub fn unchanged<G: Playable>(
        &self,
        contestant: &Contestant,
        start: &G,
    ) -> Result<Option<String>, NotHere> {
        let not_here = |why| NotHere {
            player: contestant.name.clone(),
            why,
        };
        let Some((player, now)) = in_use(contestant, start).map_err(not_here)? else {
            return Ok(None);
        };
        let WeightsInUse { file, sha256 } = now;
        let of_name = self.0.get(&contestant.name);
        let before = of_name.and_then(|files| files.get(&(player, file.clone())));
        if before == Some(&sha256) {
            return Ok(Some(sha256));
        }
        let before = before.map_or("none", |hash| hash);
        Err(not_here(format!(
            "the weights of {file} have changed since the start ({before}, now {sha256}); no game with the new ones is stored"
        )))
    }
}

/// What plays, and its weights, if it is one of our players and has some.
fn in_use<G: Playable>(
    contestant: &Contestant,
    start: &G,
) -> Result<Option<(String, WeightsInUse)>, String> {
    let Kind::Own { player, settings } = &contestant.kind else {
        return Ok(None);
    };
    let player = G::player(Some(player)).map_err(|error| error.to_string())?;
    let weights = player.weights(start, settings);
    let weights = weights.map_err(|error| error.to_string())?;
    Ok(weights.map(|weights| (player.name.to_owned(), weights)))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn weights(of: &[(&str, &str)]) -> Weights {
        let owned = |&(player, hash): &(&str, &str)| (player.to_owned(), hash.to_owned());
        Weights(of.iter().map(owned).collect())
    }

    #[test]
    fn the_first_player_that_differs_is_named() {
        let before = weights(&[("a", "1"), ("b", "2")]);
        assert_eq!(before.difference(&before), None);
        for (now, player, begun, found) in [
            (
                weights(&[("a", "1"), ("b", "1")]),
                "b",
                Some("2"),
                Some("1"),
            ),
            (weights(&[("a", "1")]), "b", Some("2"), None),
            (
                weights(&[("a", "1"), ("b", "2"), ("c", "3")]),
                "c",
                None,
                Some("3"),
            ),
        ] {
            let other = before.difference(&now).expect("a difference");
            let hashes = (other.begun.as_deref(), other.found.as_deref());
            assert_eq!((&*other.player, hashes), (player, (begun, found)));
        }
        let none = before.difference(&Weights::default()).expect("none");
        let words = "a began with the weights 1, and has no weights now: ";
        assert!(none.to_string().starts_with(words), "{none}");
    }

    #[test]
    fn people_are_shown_as_much_as_tells_weights_apart() {
        let hash = "0123456789abcdef0123456789abcdef";
        let all = weights(&[("a", hash), ("b", "2")]);
        assert_eq!(all.to_string(), "a 0123456789ab, b 2");
        assert_eq!(weights(&[]).to_string(), "");
    }
}
