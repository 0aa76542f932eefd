//! Parameters of players as text: `--set key=value` on the command line, and the like.

use std::fmt;
use std::str::FromStr;
use thiserror::Error;

/// A value for a parameter, as somebody wrote it: `exploration=0.9`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Setting {
    /// The name of the parameter.
    pub name: String,
    /// The value.
    pub value: String,
}

impl FromStr for Setting {
    type Err = ParameterError;

    fn from_str(text: &str) -> Result<Setting, ParameterError> {
        let (name, value) = text
            .split_once('=')
            .ok_or_else(|| ParameterError::NotASetting(text.to_owned()))?;
        Ok(Setting {
            name: name.trim().to_owned(),
            value: value.trim().to_owned(),
        })
    }
}

/// Why a setting was refused. The player is as it was before.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum ParameterError {
    /// There is no `=`.
    #[error("{0:?} is not a setting: expected name=value")]
    NotASetting(String),
    /// The player has no such parameter.
    #[error("no parameter {name:?}; there are: {known}")]
    Unknown {
        /// What was asked for.
        name: String,
        /// The names that exist.
        known: String,
    },
    /// The value is none for this parameter.
    #[error("{name} = {value:?}: expected {expected}")]
    BadValue {
        /// The parameter.
        name: String,
        /// What was given.
        value: String,
        /// What can be given.
        expected: String,
    },
    /// The value names something that cannot be used.
    #[error("{name}: {value} {why}")]
    Unusable {
        /// The parameter.
        name: String,
        /// What was given.
        value: String,
        /// What is wrong with what it names.
        why: String,
    },
}

/// A parameter of a player: what it is called, what it means, and what it is now.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Parameter {
    /// The name.
    pub name: &'static str,
    /// What it does, with unit and range.
    pub meaning: &'static str,
    /// The default value.
    pub default: String,
}

/// How one parameter is written to and read from a structure of parameters.
pub struct Field<P> {
    /// The name.
    pub name: &'static str,
    /// What it does, with unit and range.
    pub meaning: &'static str,
    /// What can be given, in words: "a number from 0".
    pub expected: &'static str,
    /// The value as text.
    pub get: fn(&P) -> String,
    /// Sets the parameter if the text is a value for it.
    pub set: fn(&mut P, &str) -> Option<()>,
}

/// The parameters that a table of fields describes, with the defaults of `params`.
pub fn describe<P>(fields: &[Field<P>], params: &P) -> Vec<Parameter> {
    let parameter = |field: &Field<P>| Parameter {
        name: field.name,
        meaning: field.meaning,
        default: (field.get)(params),
    };
    fields.iter().map(parameter).collect()
}

/// Parameters changed by settings, the last of a name counting.
///
/// # Errors
/// If a setting names no field, or has no value for it.
pub fn apply<P: Clone>(
    fields: &[Field<P>],
    params: &P,
    settings: &[Setting],
) -> Result<P, ParameterError> {
    apply_all(&[fields], params, settings)
}

/// The same, where each setting is a field of one of several tables.
///
/// # Errors
/// Likewise.
pub fn apply_all<P: Clone>(
    tables: &[&[Field<P>]],
    params: &P,
    settings: &[Setting],
) -> Result<P, ParameterError> {
    let mut params = params.clone();
    let fields = || tables.iter().copied().flatten();
    for Setting { name, value } in settings {
        let field = fields().find(|field| field.name == name);
        let field = field.ok_or_else(|| {
            let names: Vec<&str> = fields().map(|field| field.name).collect();
            let known = if names.is_empty() {
                "none".to_owned()
            } else {
                names.join(", ")
            };
            let name = name.clone();
            ParameterError::Unknown { name, known }
        })?;
        (field.set)(&mut params, value).ok_or_else(|| ParameterError::BadValue {
            name: name.clone(),
            value: value.clone(),
            expected: field.expected.to_owned(),
        })?;
    }
    Ok(params)
}

/// A number in a text, if it is one and in the range.
pub fn number<T: FromStr + PartialOrd>(
    text: &str,
    range: impl std::ops::RangeBounds<T>,
) -> Option<T> {
    text.parse().ok().filter(|number| range.contains(number))
}

/// A switch in a text, if it is one.
pub fn yes_or_no(text: &str) -> Option<bool> {
    match text {
        "yes" => Some(true),
        "no" => Some(false),
        _ => None,
    }
}

/// A switch in words.
pub fn name_of(yes: bool) -> String {
    if yes { "yes" } else { "no" }.to_owned()
}

impl fmt::Display for Parameter {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "{} (default {}): {}",
            self.name, self.default, self.meaning
        )
    }
}
