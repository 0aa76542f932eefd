//! Texts with places for the values of the grid: `"{k}"`.

use super::{Binding, ExperimentError, Value};
use serde::Deserialize;
use serde::de::{Deserializer, Error};

/// A text, number or truth value of the file, kept as text; `{name}` stands for a value of the grid.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Text(pub String);

impl<'de> Deserialize<'de> for Text {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Text, D::Error> {
        let value = toml::Value::deserialize(deserializer)?;
        let value = Value::of_toml(&value);
        let value = value.ok_or_else(|| D::Error::custom("expected a text or a number"))?;
        Ok(Text(value.to_string()))
    }
}

impl Text {
    /// The text with the values in place.
    pub fn fill(&self, bindings: &[Binding]) -> Result<String, ExperimentError> {
        fill(&self.0, bindings, &[])
    }

    /// The number that the text is with the values in place.
    pub fn number<T: std::str::FromStr>(
        &self,
        bindings: &[Binding],
        what: &str,
    ) -> Result<T, ExperimentError> {
        let text = self.fill(bindings)?;
        let error = |_| ExperimentError::new(format!("{what} = {text:?} is not such a number"));
        text.parse().map_err(error)
    }
}

/// A text in which `{name}` is replaced by the value of that name. Names in `kept` stay as they are:
/// they get their values later.
pub(super) fn fill(
    template: &str,
    bindings: &[Binding],
    kept: &[&str],
) -> Result<String, ExperimentError> {
    let mut filled = String::new();
    let mut rest = template;
    while let Some((before, after)) = rest.split_once('{') {
        filled += before;
        let (name, after) = after.split_once('}').ok_or_else(|| {
            ExperimentError::new(format!("{template:?} has an opening brace without its end"))
        })?;
        if let Some(binding) = bindings.iter().find(|binding| binding.name == name) {
            filled += &binding.value.to_string();
        } else if kept.contains(&name) {
            filled += &format!("{{{name}}}");
        } else {
            let mut known: Vec<&str> = bindings.iter().map(|binding| &*binding.name).collect();
            known.extend(kept);
            return Err(ExperimentError::new(format!(
                "{template:?}: nothing in the grid is called {name:?}; there are: {}",
                known.join(", ")
            )));
        }
        rest = after;
    }
    Ok(filled + rest)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_take_their_places() {
        let bindings = [
            Binding {
                name: "k".to_owned(),
                value: Value::Integer(50),
            },
            Binding {
                name: "w".to_owned(),
                value: Value::Text("x".to_owned()),
            },
        ];
        assert_eq!(
            fill("a{k}b{w}{k}", &bindings, &[]).expect("filled"),
            "a50bx50"
        );
        assert_eq!(
            fill("{seconds}", &bindings, &["seconds"]).expect("kept"),
            "{seconds}"
        );
        let error = fill("{z}", &bindings, &[]).expect_err("no z").to_string();
        assert!(error.contains("\"z\"") && error.contains("k, w"), "{error}");
        assert!(fill("{k", &bindings, &[]).is_err());
    }
}
