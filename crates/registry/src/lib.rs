//! The registry: every game that Papamu plays, each in one line.
//!
//! Whoever does something with any game asks [`with_game!`] for the type of its positions, and is generic
//! over [`engine::Playable`].
//!
//! ```
//! use engine::{BoardOptions, Playable};
//! use registry::{GameName, with_game};
//!
//! let name: GameName = "konane".parse()?;
//! let size = with_game!(name, G => G::start(&BoardOptions::default())?.size_name());
//! assert_eq!(size, "8");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

pub mod folder;

use certificate::{Checker, Header, Refusal, Space, Unchecked, Verdict, as_written};
use engine::{BoardError, OptionKind, Playable, StartOption};
use game::Game;
use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use serde_json::Value;
use std::fmt;
use std::io::Read;
use std::str::FromStr;
use thiserror::Error;

/// Makes the names of the games, and the dispatch over them, of one list.
macro_rules! registry {
    ($dollar:tt $($(#[$doc:meta])* $Name:ident: $Position:ty,)*) => {
        /// A game.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub enum GameName {
            $($(#[$doc])* $Name,)*
        }

        impl GameName {
            /// All games.
            pub const ALL: &'static [GameName] = &[$(GameName::$Name),*];

            /// The name on the command line, in files and in requests.
            pub const fn name(self) -> &'static str {
                match self {
                    $(GameName::$Name => <$Position as Game>::NAME,)*
                }
            }
        }

        /// The positions of each game.
        pub mod positions {
            $($(#[$doc])* pub type $Name = $Position;)*
        }

        /// Evaluates an expression in which `G` is the type of the positions of a game:
        /// `with_game!(name, G => function::<G>(arguments))`.
        #[macro_export]
        macro_rules! with_game {
            ($dollar name:expr, $dollar G:ident => $dollar value:expr) => {
                match $dollar name {
                    $($crate::GameName::$Name => {
                        type $dollar G = $crate::positions::$Name;
                        $dollar value
                    })*
                }
            };
        }
    };
}

registry! { $
    /// Havannah, on a hexagonal board.
    Havannah: havannah::Position,
    /// Kōnane, on a rectangle.
    Konane: konane::Position,
    /// Hex, on a rhombus.
    Hex: hex::Position,
}

/// A game that is not in the registry.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("the game is {0:?}: expected {names}", names = GameName::names())]
pub struct UnknownGame(pub String);

impl GameName {
    /// The names of all games for people: `a, b or c`.
    pub fn names() -> String {
        let names: Vec<&str> = GameName::ALL.iter().map(|game| game.name()).collect();
        match names.split_last() {
            Some((last, others)) if !others.is_empty() => {
                format!("{} or {last}", others.join(", "))
            }
            _ => names.concat(),
        }
    }

    /// The game of a file that names one, or none, as files of [Little Golem](Playable::little_golem) do.
    ///
    /// # Errors
    /// If there is no such game.
    pub fn of_file(named: Option<&str>) -> Result<GameName, UnknownGame> {
        if let Some(name) = named {
            return name.parse();
        }
        let is_unnamed = |game: &GameName| with_game!(*game, G => G::little_golem().is_some());
        let unnamed = GameName::ALL.iter().copied().find(is_unnamed);
        unnamed.ok_or_else(|| UnknownGame(String::new()))
    }

    /// What can be chosen before a game.
    pub fn options(self) -> &'static [StartOption] {
        with_game!(self, G => G::OPTIONS)
    }

    /// The name for people.
    pub fn title(self) -> &'static str {
        with_game!(self, G => G::TITLE)
    }
}

/// What can be chosen before a game of any kind: each name once, with the games that have it.
pub fn options() -> Vec<(StartOption, Vec<GameName>)> {
    let mut all: Vec<(StartOption, Vec<GameName>)> = Vec::new();
    for &game in GameName::ALL {
        for &option in game.options() {
            match all.iter_mut().find(|(known, _)| known.name == option.name) {
                Some((_, games)) => games.push(game),
                None => all.push((option, vec![game])),
            }
        }
    }
    all
}

/// The meaning of an option: once if it is the same for all games, otherwise after the titles of the games.
pub fn meaning(name: &str) -> String {
    let mut meanings: Vec<(&str, Vec<&str>)> = Vec::new();
    for game in GameName::ALL {
        for own in game.options().iter().filter(|own| own.name == name) {
            match meanings.iter_mut().find(|(known, _)| *known == own.meaning) {
                Some((_, titles)) => titles.push(game.title()),
                None => meanings.push((own.meaning, vec![game.title()])),
            }
        }
    }
    let texts = meanings.iter().map(|(meaning, titles)| {
        if titles.len() == GameName::ALL.len() {
            let mut letters = meaning.chars();
            let first = letters.next().into_iter().flat_map(char::to_uppercase);
            first.chain(letters).collect()
        } else {
            format!("{}: {meaning}", titles.join(", "))
        }
    });
    texts.collect::<Vec<_>>().join(". ")
}

/// The value of an option in JSON: a text, a number, or true or false. `None` for one that is off or null.
///
/// # Errors
/// If no game has the option, or it cannot have the value.
pub fn option_value(name: &str, value: &Value) -> Result<Option<String>, String> {
    let mut named = options()
        .into_iter()
        .filter(|(option, _)| option.name == name);
    let (option, _) = named
        .next()
        .ok_or_else(|| format!("unknown field `{name}`: no game has such an option"))?;
    Ok(match (option.kind, value) {
        (_, Value::Null) | (OptionKind::Switch, Value::Bool(false)) => None,
        (OptionKind::Switch, Value::Bool(true)) => Some("yes".to_owned()),
        (_, Value::String(text)) => Some(text.clone()),
        (OptionKind::Number(_) | OptionKind::Text(_), Value::Number(number)) if number.is_u64() => {
            Some(number.to_string())
        }
        (OptionKind::Switch, _) => return Err(format!("{name}: expected true or false")),
        (OptionKind::Number(_), _) => return Err(format!("{name}: expected a whole number")),
        (OptionKind::Text(_), _) => {
            return Err(format!(
                "{name}: expected a number such as 8, or a text such as \"4x4x5\""
            ));
        }
    })
}

/// Checks a certificate of any game, which refers to no others.
///
/// # Errors
/// If it is not valid: the first thing that is wrong with it.
pub fn verify(input: impl Read) -> Result<Verdict, Refusal> {
    verify_while(input, |_| true)
}

/// The same as long as `goes_on` says so, which is asked for each position that the check comes to and is
/// told the bytes that have been read.
///
/// # Errors
/// If it is not valid: the first thing that is wrong with it; and if the check was stopped.
pub fn verify_while(
    mut input: impl Read,
    mut goes_on: impl FnMut(u64) -> bool,
) -> Result<Verdict, Refusal> {
    let checker = Checker {
        space: space(),
        ..Checker::default()
    };
    verify_as(&mut input, &checker, &mut goes_on)
}

/// The memory of a check; what does not fit is in files. A file of somebody else may ask for much.
#[cfg(not(target_arch = "wasm32"))]
fn space() -> Space {
    Space {
        memory: 256 << 20,
        folder: std::env::temp_dir(),
    }
}

/// A page has no files.
#[cfg(target_arch = "wasm32")]
fn space() -> Space {
    Space::unlimited()
}

/// Checks a certificate as a checker is set up. Where that knows other certificates, what is shown rests on those to which
/// this one refers: [`folder`] checks them all.
///
/// # Errors
/// As [`verify_while`].
// Compiled here, once for every kind of input, and not where it is called, as a generic function is.
pub fn verify_as(
    input: &mut dyn Read,
    checker: &Checker<'_>,
    goes_on: &mut dyn FnMut(u64) -> bool,
) -> Result<Verdict, Refusal> {
    let unchecked = Unchecked::read(input)?;
    let Header { game, board, .. } = &unchecked.header;
    let game: GameName = game
        .parse()
        .map_err(|_| Refusal::Game(game.chars().take(40).collect()))?;
    let nonsense = |error: BoardError| Refusal::Position(error.to_string());
    with_game!(game, G => {
        let options = G::options_of_certified(board).map_err(nonsense)?;
        let start = G::start(&options).map_err(nonsense)?;
        as_written(board, &start.certified_board(&options).map_err(nonsense)?)?;
        unchecked.check_while(&start, checker, goes_on)
    })
}

/// The memory, in bytes, that a walk through a certificate of this length takes where it is kept as a whole.
pub fn memory<R: Read>(certificate: &Unchecked<R>, length: u64) -> u64 {
    let header = &certificate.header;
    let cells = header.game.parse().map_or(
        0,
        |game: GameName| with_game!(game, G => cells::<G>(&header.board)),
    );
    // With what a set of keys leaves free, and what it takes while it grows; larger keys lie by themselves.
    let position = if cells <= 62 { 64 } else { 96 + cells };
    length.saturating_mul(position as u64 * certificate.positions_per_byte())
}

/// The cells of a board that certificates call so; none if there is no such board.
fn cells<G: Playable>(board: &str) -> usize {
    let start = G::options_of_certified(board).and_then(|options| G::start(&options));
    start.map_or(0, |start| start.scene(G::Dialect::default()).tiles.len())
}

impl FromStr for GameName {
    type Err = UnknownGame;

    fn from_str(text: &str) -> Result<GameName, UnknownGame> {
        let mut all = GameName::ALL.iter().copied();
        let named = all.find(|game| game.name() == text);
        named.ok_or_else(|| UnknownGame(text.to_owned()))
    }
}

impl fmt::Display for GameName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

impl Serialize for GameName {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.name())
    }
}

impl<'de> Deserialize<'de> for GameName {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        text.parse().map_err(D::Error::custom)
    }
}
