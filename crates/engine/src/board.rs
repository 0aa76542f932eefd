//! Boards as people ask for them, before anybody knows whether there is such a board.

use std::collections::BTreeMap;
use std::fmt;
use thiserror::Error;

/// A board and its rules as they are asked for: values by the names of a game's [`StartOption`]s. What is
/// not given has the default of the game.
///
/// ```
/// use engine::BoardOptions;
///
/// let options = BoardOptions::sized(5).with("swap", "yes");
/// assert_eq!(options.get("size"), Some("5"));
/// assert!(options.has("swap"));
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct BoardOptions(BTreeMap<String, String>);

impl BoardOptions {
    /// A board of a size, such as `8` or `4x4x5`.
    pub fn sized(size: impl fmt::Display) -> BoardOptions {
        BoardOptions::default().with("size", size)
    }

    /// The same with another value of one option.
    #[must_use]
    pub fn with(mut self, name: impl Into<String>, value: impl fmt::Display) -> BoardOptions {
        self.0.insert(name.into(), value.to_string());
        self
    }

    /// The same without an option.
    #[must_use]
    pub fn without(mut self, name: &str) -> BoardOptions {
        self.0.remove(name);
        self
    }

    /// The value of an option, if it is given.
    pub fn get(&self, name: &str) -> Option<&str> {
        self.0.get(name).map(String::as_str)
    }

    /// Whether a switch is on.
    pub fn has(&self, name: &str) -> bool {
        self.get(name) == Some("yes")
    }

    /// The value of an option as a number, if it is given.
    ///
    /// # Errors
    /// If it is no number.
    pub fn number(&self, name: &str) -> Result<Option<u32>, BoardError> {
        let parsed = self.get(name).map(|text| {
            let error = |_| BoardError::of(format!("{name} {text:?} is not a number")).about(name);
            text.parse().map_err(error)
        });
        parsed.transpose()
    }

    /// The names that are given with their values.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &str)> {
        let pairs = self.0.iter();
        pairs.map(|(name, value)| (name.as_str(), value.as_str()))
    }
}

/// What the value of an option is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OptionKind {
    /// A text, with the word that stands for it in help.
    Text(&'static str),
    /// A whole number, likewise.
    Number(&'static str),
    /// `yes`, or `no`, which is the default.
    Switch,
}

/// A choice that there is before a game begins.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct StartOption {
    /// The name in files, in requests, and as an argument: `size`.
    pub name: &'static str,
    /// What its value is.
    pub kind: OptionKind,
    /// What it means, with its range and its default.
    pub meaning: &'static str,
    /// Values to choose from; empty where they cannot be listed.
    pub choices: &'static [&'static str],
}

impl StartOption {
    /// An option with a meaning and no list of values.
    pub const fn new(name: &'static str, kind: OptionKind, meaning: &'static str) -> StartOption {
        StartOption {
            name,
            kind,
            meaning,
            choices: &[],
        }
    }

    /// The same with values to choose from.
    #[must_use]
    pub const fn choices(mut self, choices: &'static [&'static str]) -> StartOption {
        self.choices = choices;
        self
    }
}

/// Why there is no such board, with what can be asked for.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("{why}")]
pub struct BoardError {
    why: String,
    option: Option<String>,
}

impl BoardError {
    /// The error with these words, or those of another.
    pub fn of(why: impl fmt::Display) -> BoardError {
        BoardError {
            why: why.to_string(),
            option: None,
        }
    }

    /// The same about the value of an option, unless it says already which option is wrong.
    #[must_use]
    pub fn about(mut self, name: &str) -> BoardError {
        self.option.get_or_insert_with(|| name.to_owned());
        self
    }

    /// The option that is wrong, if one is.
    pub fn option(&self) -> Option<&str> {
        self.option.as_deref()
    }
}
