//! What there is to choose from: games, boards, players and levels of strength.

use crate::error::Problem;
use crate::position::GameName;
use engine::{Playable, Setting};
use search::Limits;
use serde::Serialize;
use std::time::Duration;
use utoipa::ToSchema;

/// A game, and what there is to choose from in it.
#[derive(Debug, Serialize, ToSchema)]
pub struct GameInfo {
    /// The game.
    pub game: GameName,
    /// Its name for people.
    pub title: &'static str,
    /// Boards that people play on.
    pub sizes: &'static [&'static str],
    /// The board for a first game.
    pub first_size: &'static str,
    /// Ways of writing the cells; empty where there is only one.
    pub dialects: &'static [&'static str],
    /// Pairs that can be removed before a game of Kōnane.
    pub setups: &'static [&'static str],
    /// Levels of strength, the weakest first.
    pub levels: &'static [Level],
    /// The players that can analyse, the default one first.
    pub players: Vec<NameInfo>,
    /// The solvers, the default one first.
    pub solvers: Vec<NameInfo>,
}

/// A player or a solver.
#[derive(Debug, Serialize, ToSchema)]
pub struct NameInfo {
    /// The name.
    pub name: &'static str,
    /// What it is, in a line.
    pub summary: &'static str,
}

/// A strength that somebody can choose to play against.
#[derive(Clone, Copy, Debug, Serialize, ToSchema)]
pub struct Level {
    /// The name in requests.
    pub name: &'static str,
    /// The name for people.
    pub title: &'static str,
    /// The player.
    pub player: &'static str,
    /// A parameter of the player, `name=value`.
    pub setting: Option<&'static str>,
    /// Simulations for each move, or nodes of a player without simulations.
    pub simulations: Option<u64>,
    /// Seconds for each move.
    pub seconds: Option<f64>,
    /// How strong it is, in Elo above the first level. `experiments/levels` measures it.
    pub rating: Rating,
}

/// A measured strength: it lies within the margin with a probability of 95 %.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub struct Rating {
    /// Elo.
    pub elo: i32,
    /// Elo likewise.
    pub margin: i32,
}

/// A player, and what it may use for a move.
pub struct Strength {
    /// Its name; the default one if there is none.
    pub player: Option<String>,
    /// Its parameters.
    pub settings: Vec<Setting>,
    simulations: Option<u64>,
    time: Option<Duration>,
}

impl Strength {
    /// A player with so many seconds for a move.
    pub fn of_player(player: Option<String>, seconds: Option<f64>) -> Result<Strength, Problem> {
        let seconds = seconds.unwrap_or(1.0);
        if !(0.01..=60.0).contains(&seconds) {
            let why = "a player has from 0.01 to 60 seconds for a move";
            return Err(Problem::bad_request(why));
        }
        Ok(Strength {
            player,
            settings: Vec::new(),
            simulations: None,
            time: Some(Duration::from_secs_f64(seconds)),
        })
    }

    /// The same limits with what a move may take.
    pub fn limits(&self, limits: Limits) -> Limits {
        Limits {
            simulations: self.simulations,
            time: self.time,
            ..limits
        }
    }
}

impl Level {
    const fn of(name: &'static str, title: &'static str, player: &'static str) -> Level {
        Level {
            name,
            title,
            player,
            setting: None,
            simulations: None,
            seconds: None,
            rating: Rating { elo: 0, margin: 0 },
        }
    }

    const fn rated(mut self, elo: i32, margin: i32) -> Level {
        self.rating = Rating { elo, margin };
        self
    }

    const fn simulations(mut self, simulations: u64) -> Level {
        self.simulations = Some(simulations);
        self
    }

    const fn seconds(mut self, seconds: f64) -> Level {
        self.seconds = Some(seconds);
        self
    }

    const fn setting(mut self, setting: &'static str) -> Level {
        self.setting = Some(setting);
        self
    }

    /// The level of a game with a name.
    pub fn named(game: GameName, name: &str) -> Result<&'static Level, Problem> {
        let levels = levels(game);
        levels
            .iter()
            .find(|level| level.name == name)
            .ok_or_else(|| {
                let known: Vec<&str> = levels.iter().map(|level| level.name).collect();
                Problem::bad_request(format!(
                    "no level {name:?}; there are: {}",
                    known.join(", ")
                ))
            })
    }

    /// The player at this level.
    pub fn strength(&self) -> Strength {
        let settings = self.setting.iter().filter_map(|text| text.parse().ok());
        Strength {
            player: Some(self.player.to_owned()),
            settings: settings.collect(),
            simulations: self.simulations,
            time: self.seconds.map(Duration::from_secs_f64),
        }
    }
}

const HAVANNAH_LEVELS: [Level; 6] = [
    Level::of("beginner", "Beginner", "uct").simulations(30),
    Level::of("easy", "Easy", "uct")
        .simulations(300)
        .rated(124, 69),
    Level::of("casual", "Casual", "rave")
        .simulations(300)
        .rated(570, 109),
    Level::of("club", "Club", "rave")
        .simulations(1_000)
        .rated(787, 126),
    Level::of("strong", "Strong", "papamu")
        .simulations(5_000)
        .rated(1_278, 167),
    Level::of("full", "Full strength", "papamu")
        .seconds(5.0)
        .rated(1_490, 178),
];

const KONANE_LEVELS: [Level; 7] = [
    Level::of("beginner", "Beginner", "greedy-captures"),
    Level::of("easy", "Easy", "greedy-mobility").rated(127, 70),
    Level::of("casual", "Casual", "dabs")
        .setting("depth=2")
        .rated(678, 140),
    Level::of("club", "Club", "dabs")
        .setting("depth=4")
        .rated(930, 157),
    Level::of("strong", "Strong", "papamu")
        .simulations(500)
        .rated(1_418, 197),
    Level::of("expert", "Expert", "papamu")
        .simulations(5_000)
        .rated(1_906, 234),
    Level::of("full", "Full strength", "papamu")
        .seconds(5.0)
        .rated(2_228, 248),
];

fn levels(game: GameName) -> &'static [Level] {
    match game {
        GameName::Havannah => &HAVANNAH_LEVELS,
        GameName::Konane => &KONANE_LEVELS,
    }
}

/// All games.
pub fn games() -> Vec<GameInfo> {
    vec![
        GameInfo {
            game: GameName::Havannah,
            title: "Havannah",
            sizes: &["4", "5", "6", "7", "8", "9", "10"],
            first_size: "5",
            dialects: &["grid", "row"],
            setups: &[],
            levels: levels(GameName::Havannah),
            players: players::<havannah::Position>(),
            solvers: solvers::<havannah::Position>(),
        },
        GameInfo {
            game: GameName::Konane,
            title: "Kōnane",
            sizes: &["6", "8", "10", "14x17"],
            first_size: "8",
            dialects: &[],
            setups: &["corner", "corner-vertical", "centre", "centre-vertical"],
            levels: levels(GameName::Konane),
            players: players::<record::KonanePosition>(),
            solvers: solvers::<record::KonanePosition>(),
        },
    ]
}

fn players<G: Playable>() -> Vec<NameInfo> {
    let info = |player: engine::Player<G>| NameInfo {
        name: player.name,
        summary: player.summary,
    };
    G::players().into_iter().map(info).collect()
}

fn solvers<G: Playable>() -> Vec<NameInfo> {
    let info = |solver: engine::Solver<G>| NameInfo {
        name: solver.name,
        summary: solver.summary,
    };
    G::solvers().into_iter().map(info).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn build_all<G: Playable>(game: GameName) {
        let start = G::start(&engine::BoardOptions::default()).unwrap();
        for level in levels(game) {
            let player = G::player(Some(level.player)).unwrap();
            let settings = level.strength().settings;
            assert!(
                player.build(start.clone(), 1, &settings).is_ok(),
                "{}",
                level.name
            );
            assert_eq!(settings.len(), usize::from(level.setting.is_some()));
        }
    }

    #[test]
    fn every_level_has_a_player_that_takes_its_parameters() {
        build_all::<havannah::Position>(GameName::Havannah);
        build_all::<record::KonanePosition>(GameName::Konane);
    }
}
