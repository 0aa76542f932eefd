//! What there is to choose from: games, boards, players and levels of strength.

use crate::position::{Board, GameName, GameState, Name};
use crate::problem::Problem;
use engine::{BoardOptions, OptionKind, Playable, Setting, Sight};
use registry::with_game;
use search::Limits;
use serde::Serialize;
use std::time::Duration;
use utoipa::ToSchema;

/// A game, and what there is to choose from in it.
#[derive(Debug, Serialize, ToSchema)]
pub struct GameInfo {
    /// The game.
    #[schema(value_type = Name)]
    pub game: GameName,
    /// Its name for people.
    pub title: &'static str,
    /// How it is played and won, in a sentence or two.
    pub goal: &'static str,
    /// Boards that people play on.
    pub sizes: &'static [&'static str],
    /// The board for a first game.
    pub first_size: &'static str,
    /// Another size, as an example of how one is written.
    pub other_size: &'static str,
    /// A position that shows what the game looks like, on a small board.
    pub example: GameState,
    /// What can be seen in a position without a search.
    pub sights: Vec<SightName>,
    /// Ways of writing the cells; empty where there is only one.
    pub dialects: &'static [&'static str],
    /// What can be chosen before a game.
    pub options: Vec<OptionInfo>,
    /// Values of the option `setup`, if the game has it.
    pub setups: &'static [&'static str],
    /// Whether there are puzzles.
    pub puzzles: bool,
    /// Levels of strength, the weakest first.
    pub levels: Vec<Level>,
    /// The players that can analyse, the default one first.
    pub players: Vec<PlayerInfo>,
    /// The solvers, the default one first.
    pub solvers: Vec<NameInfo>,
}

/// Something that can be chosen before a game.
#[derive(Debug, Serialize, ToSchema)]
pub struct OptionInfo {
    /// The name.
    pub name: &'static str,
    /// What its value is.
    pub kind: OptionType,
}

/// A kind of thing that can be seen in a position.
#[derive(Clone, Copy, Debug, Serialize, ToSchema)]
#[serde(rename_all = "kebab-case")]
pub enum SightName {
    /// Cells that win, and cells that must be blocked.
    Threats,
    /// How many stones each side needs to win.
    Distances,
    /// Stones that can move, and independent regions.
    Mobility,
    /// What the game's network expects, before any search.
    Network,
    /// The structures with which games of the network end.
    Structures,
    /// What the first stone of a game is worth.
    FirstStones,
}

/// What the value of an option is.
#[derive(Clone, Copy, Debug, Serialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum OptionType {
    /// A text.
    Text,
    /// A whole number.
    Number,
    /// True or false.
    Switch,
}

/// A player.
#[derive(Debug, Serialize, ToSchema)]
pub struct PlayerInfo {
    /// The name.
    pub name: &'static str,
    /// What it is, in a line.
    pub summary: &'static str,
    /// Whether it is a Monte Carlo search: with another seed it finds something else, and what both have found can be added up.
    pub monte_carlo: bool,
}

/// A solver.
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
    /// How strong it is, in Elo above the first level. `experiments/levels` measures it; absent where
    /// nobody has.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rating: Option<Rating>,
}

impl From<&engine::Level> for Level {
    fn from(level: &engine::Level) -> Level {
        Level {
            name: level.name,
            title: level.title,
            player: level.player,
            setting: level.setting,
            simulations: level.simulations,
            seconds: level.seconds,
            rating: level.rating.map(|(elo, margin)| Rating { elo, margin }),
        }
    }
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
    ///
    /// # Errors
    /// If these are too few or too many.
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

    /// Whether its time ends a search, and no number of simulations.
    pub fn has_a_time(&self) -> bool {
        self.simulations.is_none() && self.time.is_some()
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

/// The player at a level of a game.
///
/// # Errors
/// If the game has no such level.
pub fn strength(game: GameName, name: &str) -> Result<Strength, Problem> {
    let levels = with_game!(game, G => G::LEVELS);
    let level = levels.iter().find(|level| level.name == name);
    let level = level.ok_or_else(|| {
        let known: Vec<&str> = levels.iter().map(|level| level.name).collect();
        Problem::bad_request(format!(
            "no level {name:?}; there are: {}",
            known.join(", ")
        ))
    })?;
    Ok(of_level(level))
}

fn of_level(level: &engine::Level) -> Strength {
    let settings = level.setting.iter().filter_map(|text| text.parse().ok());
    Strength {
        player: Some(level.player.to_owned()),
        settings: settings.collect(),
        simulations: level.simulations,
        time: level.seconds.map(Duration::from_secs_f64),
    }
}

/// All games.
pub fn games() -> Vec<GameInfo> {
    let info = |&game: &GameName| with_game!(game, G => info::<G>(game));
    GameName::ALL.iter().map(info).collect()
}

fn info<G: Playable>(game: GameName) -> GameInfo {
    let choices = |name: &str| {
        let named = G::OPTIONS.iter().find(|option| option.name == name);
        named.map_or(&[][..], |option| option.choices)
    };
    GameInfo {
        game,
        title: G::TITLE,
        goal: G::GOAL,
        sizes: G::SIZES,
        first_size: G::FIRST_SIZE,
        other_size: G::OTHER_SIZE,
        example: example::<G>(game),
        sights: G::SIGHTS.iter().copied().map(sight).collect(),
        dialects: G::DIALECTS,
        options: G::OPTIONS.iter().map(option).collect(),
        setups: choices("setup"),
        puzzles: !G::PUZZLE_SIZES.is_empty(),
        levels: G::LEVELS.iter().map(Level::from).collect(),
        players: players::<G>(),
        solvers: solvers::<G>(),
    }
}

fn example<G: Playable>(game: GameName) -> GameState {
    let (size, moves) = G::EXAMPLE;
    GameState {
        game,
        board: Board(BoardOptions::sized(size)),
        moves: moves.split_whitespace().map(str::to_owned).collect(),
        dialect: None,
    }
}

fn sight(sight: Sight) -> SightName {
    match sight {
        Sight::Threats => SightName::Threats,
        Sight::Distances => SightName::Distances,
        Sight::Mobility => SightName::Mobility,
        Sight::Network => SightName::Network,
        Sight::Structures => SightName::Structures,
        Sight::FirstStones => SightName::FirstStones,
    }
}

fn option(option: &engine::StartOption) -> OptionInfo {
    OptionInfo {
        name: option.name,
        kind: match option.kind {
            OptionKind::Text(_) => OptionType::Text,
            OptionKind::Number(_) => OptionType::Number,
            OptionKind::Switch => OptionType::Switch,
        },
    }
}

fn players<G: Playable>() -> Vec<PlayerInfo> {
    // What explores is a Monte Carlo search.
    let explores = |known: &engine::Parameter| known.name == "exploration";
    let info = |player: engine::Player<G>| PlayerInfo {
        name: player.name,
        summary: player.summary,
        monte_carlo: player.parameters.iter().any(explores),
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
    use crate::position::PositionView;

    fn build_all<G: Playable>() {
        let start = G::start(&BoardOptions::default()).unwrap();
        for level in G::LEVELS {
            let player = G::player(Some(level.player)).unwrap();
            let settings = of_level(level).settings;
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
        for &game in GameName::ALL {
            with_game!(game, G => build_all::<G>());
        }
    }

    #[test]
    fn examples_are_games_under_way_and_other_sizes_are_boards() {
        for info in games() {
            let shown = PositionView::after(&info.example).unwrap();
            assert_eq!(shown.outcome, None, "{}", info.title);
            let other = GameState {
                board: Board(BoardOptions::sized(info.other_size)),
                moves: Vec::new(),
                ..info.example
            };
            assert!(PositionView::after(&other).is_ok(), "{}", info.title);
            assert!(!info.sizes.contains(&info.other_size), "{}", info.title);
        }
    }
}
