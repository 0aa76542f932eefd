//! What stands in a table: text for people, and the value behind it for programs.

use serde::{Serialize, Serializer};

/// A cell of a table. Its text is what pages and terminals show; JSON and CSV have its value.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Cell {
    text: String,
    value: Value,
}

/// The value of a cell.
#[derive(Debug, Clone, Default, PartialEq)]
pub enum Value {
    /// Nothing: the text is all there is, or the cell is empty.
    #[default]
    Text,
    /// A whole number.
    Count(u64),
    /// A number.
    Number(f64),
    /// A number with its interval.
    Estimate {
        /// The number.
        value: f64,
        /// The lower end.
        low: f64,
        /// The upper end.
        high: f64,
    },
    /// Several whole numbers, such as games won, drawn and lost.
    Counts(Vec<u64>),
    /// A name of which people are shown less.
    Name(String),
}

impl Cell {
    /// A whole number.
    pub fn count(count: u64) -> Cell {
        Cell {
            text: count.to_string(),
            value: Value::Count(count),
        }
    }

    /// Several whole numbers.
    pub fn counts(counts: &[u64]) -> Cell {
        let texts: Vec<String> = counts.iter().map(u64::to_string).collect();
        Cell {
            text: texts.join(" / "),
            value: Value::Counts(counts.to_vec()),
        }
    }

    /// A number, and how people read it.
    pub fn number(value: f64, text: impl Into<String>) -> Cell {
        Cell {
            text: text.into(),
            value: Value::Number(value),
        }
    }

    /// A number with the ends of its interval, and how people read it.
    pub fn estimate(value: f64, (low, high): (f64, f64), text: impl Into<String>) -> Cell {
        Cell {
            text: text.into(),
            value: Value::Estimate { value, low, high },
        }
    }

    /// A name, and as much of it as people read.
    pub fn name(name: impl Into<String>, text: impl Into<String>) -> Cell {
        Cell {
            text: text.into(),
            value: Value::Name(name.into()),
        }
    }

    /// What people read.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// What programs read.
    pub fn value(&self) -> &Value {
        &self.value
    }
}

impl From<String> for Cell {
    fn from(text: String) -> Cell {
        Cell {
            text,
            value: Value::Text,
        }
    }
}

impl From<&str> for Cell {
    fn from(text: &str) -> Cell {
        text.to_owned().into()
    }
}

/// A number, an object with `value`, `low` and `high`, a list of numbers, or text; `null` where there is nothing, and for
/// numbers that JSON has not.
impl Serialize for Cell {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        #[derive(Serialize)]
        struct Estimate {
            value: f64,
            low: f64,
            high: f64,
        }
        match &self.value {
            Value::Text if self.text.is_empty() => serializer.serialize_none(),
            Value::Text => serializer.serialize_str(&self.text),
            Value::Count(count) => serializer.serialize_u64(*count),
            Value::Number(number) => serializer.serialize_f64(*number),
            &Value::Estimate { value, low, high } => {
                Estimate { value, low, high }.serialize(serializer)
            }
            Value::Counts(counts) => counts.serialize(serializer),
            Value::Name(name) => serializer.serialize_str(name),
        }
    }
}
