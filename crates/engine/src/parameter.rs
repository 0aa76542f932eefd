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

impl ParameterError {
    /// The name in the setting; the whole text where it is none.
    pub fn name(&self) -> &str {
        match self {
            ParameterError::NotASetting(text) => text,
            ParameterError::Unknown { name, .. }
            | ParameterError::BadValue { name, .. }
            | ParameterError::Unusable { name, .. } => name,
        }
    }
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

/// A parameter as a part of a structure of parameters.
pub struct Field<P: 'static> {
    /// The name.
    pub name: &'static str,
    /// What it does, with unit and range.
    pub meaning: &'static str,
    /// The part of the structure, and the values that it may have.
    pub values: &'static dyn Values<P>,
}

/// The values of a part of a structure of parameters, as text.
pub trait Values<P>: Sync {
    /// What can be given, in words: "a number from 0 to 1".
    fn expected(&self) -> String;
    /// The value.
    fn get(&self, params: &mut P) -> String;
    /// Sets the part if the text is one of its values.
    fn set(&self, params: &mut P, text: &str) -> Option<()>;
}

/// Numbers from the first to the last.
pub struct Number<P, T>(pub T, pub T, pub fn(&mut P) -> &mut T);

/// A type of numbers.
pub trait Numeral: FromStr + PartialOrd + fmt::Display + Sync {
    /// What one is called.
    const NAME: &'static str;
}

/// Whole numbers of MiB from the first to the last, for a number of bytes.
pub struct Mebibytes<P>(pub usize, pub usize, pub fn(&mut P) -> &mut usize);

/// Yes and no.
pub struct Switch<P>(pub fn(&mut P) -> &mut bool);

/// One of several values, each with its name.
pub struct Choice<P, T: 'static>(pub &'static [(&'static str, T)], pub fn(&mut P) -> &mut T);

/// What can be read from text and is written as such; the first is what can be given, in words.
pub struct Text<P, T>(pub &'static str, pub fn(&mut P) -> &mut T);

impl Numeral for f32 {
    const NAME: &'static str = "a number";
}

impl Numeral for f64 {
    const NAME: &'static str = "a number";
}

impl Numeral for i32 {
    const NAME: &'static str = "a whole number";
}

impl Numeral for u32 {
    const NAME: &'static str = "a whole number";
}

impl Numeral for usize {
    const NAME: &'static str = "a whole number";
}

impl<P, T: Numeral> Values<P> for Number<P, T> {
    fn expected(&self) -> String {
        let Number(least, most, _) = self;
        let most = most.to_string();
        let joint = if most == "inf" { ", or" } else { " to" };
        format!("{} from {least}{joint} {most}", T::NAME)
    }

    fn get(&self, params: &mut P) -> String {
        (self.2)(params).to_string()
    }

    fn set(&self, params: &mut P, text: &str) -> Option<()> {
        let number = text.parse().ok();
        *(self.2)(params) = number.filter(|number| (&self.0..=&self.1).contains(&number))?;
        Some(())
    }
}

impl<P> Values<P> for Mebibytes<P> {
    fn expected(&self) -> String {
        format!("{} from {} to {}", usize::NAME, self.0, self.1)
    }

    fn get(&self, params: &mut P) -> String {
        (*(self.2)(params) >> 20).to_string()
    }

    fn set(&self, params: &mut P, text: &str) -> Option<()> {
        let number = text.parse().ok();
        *(self.2)(params) = number.filter(|number| (self.0..=self.1).contains(number))? << 20;
        Some(())
    }
}

const YES_OR_NO: &[(&str, bool)] = &[("yes", true), ("no", false)];

impl<P> Values<P> for Switch<P> {
    fn expected(&self) -> String {
        Choice(YES_OR_NO, self.0).expected()
    }

    fn get(&self, params: &mut P) -> String {
        Choice(YES_OR_NO, self.0).get(params)
    }

    fn set(&self, params: &mut P, text: &str) -> Option<()> {
        Choice(YES_OR_NO, self.0).set(params, text)
    }
}

impl<P, T: Copy + PartialEq + Sync> Values<P> for Choice<P, T> {
    fn expected(&self) -> String {
        let names: Vec<&str> = self.0.iter().map(|(name, _)| *name).collect();
        match names.split_last() {
            Some((last, others)) if !others.is_empty() => {
                format!("{} or {last}", others.join(", "))
            }
            _ => names.concat(),
        }
    }

    fn get(&self, params: &mut P) -> String {
        let value = (self.1)(params);
        let named = self.0.iter().find(|(_, named)| named == value);
        named.map_or_else(String::new, |(name, _)| (*name).to_owned())
    }

    fn set(&self, params: &mut P, text: &str) -> Option<()> {
        let (_, value) = self.0.iter().find(|(name, _)| *name == text)?;
        *(self.1)(params) = *value;
        Some(())
    }
}

impl<P, T: FromStr + fmt::Display> Values<P> for Text<P, T> {
    fn expected(&self) -> String {
        self.0.to_owned()
    }

    fn get(&self, params: &mut P) -> String {
        (self.1)(params).to_string()
    }

    fn set(&self, params: &mut P, text: &str) -> Option<()> {
        *(self.1)(params) = text.parse().ok()?;
        Some(())
    }
}

/// The parameters that a table of fields describes, with the defaults of `params`.
pub fn describe<P: Clone>(fields: &[Field<P>], params: &P) -> Vec<Parameter> {
    let mut params = params.clone();
    let parameter = |field: &Field<P>| Parameter {
        name: field.name,
        meaning: field.meaning,
        default: field.values.get(&mut params),
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
        let field = field.ok_or_else(|| unknown(name, fields().map(|field| field.name)))?;
        let values = field.values;
        let set = values.set(&mut params, value);
        set.ok_or_else(|| ParameterError::BadValue {
            name: name.clone(),
            value: value.clone(),
            expected: values.expected(),
        })?;
    }
    Ok(params)
}

/// Whether each setting names one of these parameters.
pub(crate) fn check_names(
    parameters: &[Parameter],
    settings: &[Setting],
) -> Result<(), ParameterError> {
    let names = || parameters.iter().map(|parameter| parameter.name);
    let stranger = settings
        .iter()
        .find(|setting| names().all(|name| name != setting.name));
    stranger.map_or(Ok(()), |setting| Err(unknown(&setting.name, names())))
}

fn unknown<'a>(name: &str, known: impl Iterator<Item = &'a str>) -> ParameterError {
    let known: Vec<&str> = known.collect();
    ParameterError::Unknown {
        name: name.to_owned(),
        known: if known.is_empty() {
            "none".to_owned()
        } else {
            known.join(", ")
        },
    }
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

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(Clone)]
    struct Params {
        weight: f64,
        bytes: usize,
        rule: Option<u8>,
        on: bool,
    }

    const FIELDS: &[Field<Params>] = &[
        Field {
            name: "weight",
            meaning: "",
            values: &Number(0.5, f64::INFINITY, |params: &mut Params| &mut params.weight),
        },
        Field {
            name: "bytes",
            meaning: "",
            values: &Mebibytes(1, 64, |params: &mut Params| &mut params.bytes),
        },
        Field {
            name: "rule",
            meaning: "",
            values: &Choice(
                &[("none", None), ("first", Some(1)), ("second", Some(2))],
                |params: &mut Params| &mut params.rule,
            ),
        },
        Field {
            name: "on",
            meaning: "",
            values: &Switch(|params: &mut Params| &mut params.on),
        },
    ];

    const PARAMS: Params = Params {
        weight: 1.0,
        bytes: 3 << 20,
        rule: None,
        on: true,
    };

    fn set(text: &str) -> Result<Vec<String>, String> {
        let setting = text.parse::<Setting>().expect("a setting");
        let params = apply(FIELDS, &PARAMS, &[setting]).map_err(|error| error.to_string())?;
        let described = describe(FIELDS, &params).into_iter();
        Ok(described.map(|parameter| parameter.default).collect())
    }

    #[test]
    fn values_are_read_as_they_are_written() {
        assert_eq!(set("weight=1").expect("set"), ["1", "3", "none", "yes"]);
        assert_eq!(set("weight=inf").expect("set"), ["inf", "3", "none", "yes"]);
        assert_eq!(set("bytes=64").expect("set"), ["1", "64", "none", "yes"]);
        assert_eq!(
            set("rule=second").expect("set"),
            ["1", "3", "second", "yes"]
        );
        assert_eq!(set("on=no").expect("set"), ["1", "3", "none", "no"]);
        let params = apply(FIELDS, &PARAMS, &["bytes=64".parse().expect("a setting")]);
        assert_eq!(params.expect("set").bytes, 64 << 20);
    }

    #[test]
    fn other_values_are_refused_with_those_that_there_are() {
        for (text, expected) in [
            ("weight=0.4", "a number from 0.5, or inf"),
            ("weight=nan", "a number from 0.5, or inf"),
            ("bytes=0", "a whole number from 1 to 64"),
            ("bytes=65", "a whole number from 1 to 64"),
            ("bytes=-1", "a whole number from 1 to 64"),
            ("rule=third", "none, first or second"),
            ("rule=", "none, first or second"),
            ("on=1", "yes or no"),
        ] {
            let error = set(text).expect_err(text);
            assert!(error.ends_with(&format!("expected {expected}")), "{error}");
        }
    }
}
