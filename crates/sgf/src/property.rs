use crate::Value;
use std::borrow::Cow;

/// A property of a node: an identifier and one or more values, as in `AB[a1][b2]`.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Property {
    // Letters and digits, the first a letter.
    identifier: Box<str>,
    // Never empty.
    values: Vec<Value>,
}

/// Whether a property can have this identifier: letters and digits of ASCII, the first one a letter.
///
/// FF\[4\] has capitals only; files of older formats have digits and small letters too.
pub fn is_identifier(text: &str) -> bool {
    text.starts_with(|c: char| c.is_ascii_alphabetic())
        && text.bytes().all(|b| b.is_ascii_alphanumeric())
}

impl Property {
    /// A property with these values. Without any it has one empty value, as in `KO[]`.
    ///
    /// ```
    /// use sgf::Property;
    ///
    /// assert_eq!(Property::new("AB", ["a1", "b2"]).values().len(), 2);
    /// ```
    ///
    /// # Panics
    /// If the identifier is none; ask [`is_identifier`] where it comes from outside.
    pub fn new<V: Into<Value>>(identifier: &str, values: impl IntoIterator<Item = V>) -> Self {
        assert!(
            is_identifier(identifier),
            "{identifier:?} is not a property identifier"
        );
        let mut values: Vec<Value> = values.into_iter().map(Into::into).collect();
        if values.is_empty() {
            values.push(Value::default());
        }
        Property {
            identifier: identifier.into(),
            values,
        }
    }

    /// What the reader found: an identifier it has checked, and the first value.
    pub(crate) fn from_read(identifier: &str, first: Value) -> Self {
        Property {
            identifier: identifier.into(),
            values: vec![first],
        }
    }

    /// The identifier as it is written in the file, such as `GM`, or `GaMe` in an old one.
    pub fn identifier(&self) -> &str {
        &self.identifier
    }

    /// The identifier without the small letters that old files have: `GM` for `GaMe`. One that has no
    /// capital stays as it is.
    pub fn name(&self) -> Cow<'_, str> {
        let small = |c: char| c.is_ascii_lowercase();
        if self.identifier.contains(small) && !lacks_capitals(&self.identifier) {
            Cow::Owned(self.identifier.replace(small, ""))
        } else {
            Cow::Borrowed(&self.identifier)
        }
    }

    /// Whether this is the property of that name, where small letters count as in
    /// [`name`](Property::name).
    pub fn is(&self, name: &str) -> bool {
        significant(&self.identifier).eq(significant(name))
    }

    /// The values, at least one, in the order of the file.
    pub fn values(&self) -> &[Value] {
        &self.values
    }

    /// The first value.
    pub fn value(&self) -> &Value {
        &self.values[0]
    }

    /// Adds a value at the end.
    pub fn push(&mut self, value: impl Into<Value>) {
        self.values.push(value.into());
    }
}

/// The bytes of an identifier that tell it from others.
pub(crate) fn significant(identifier: &str) -> impl Iterator<Item = u8> {
    let all = lacks_capitals(identifier);
    let bytes = identifier.bytes();
    bytes.filter(move |b| all || !b.is_ascii_lowercase())
}

fn lacks_capitals(identifier: &str) -> bool {
    !identifier.bytes().any(|b| b.is_ascii_uppercase())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn named(identifier: &str) -> Property {
        Property::new(identifier, [""])
    }

    #[test]
    fn small_letters_do_not_count_unless_there_are_no_others() {
        for (identifier, name) in [
            ("GM", "GM"),
            ("GaMe", "GM"),
            ("Black", "B"),
            ("b", "b"),
            ("X1a", "X1"),
        ] {
            assert_eq!(named(identifier).name(), name);
            assert!(named(identifier).is(name));
            assert_eq!(named(identifier).identifier(), identifier);
        }
        assert!(named("GM").is("GaMe"));
        assert!(!named("GM").is("G"));
        assert!(!named("b").is("B"));
        assert!(!named("b").is("c"));
    }

    #[test]
    fn identifiers() {
        for good in ["B", "GaMe", "x", "L1", "KGSSB"] {
            assert!(is_identifier(good), "{good:?}");
        }
        for bad in ["", "1", "B-", "É", "A B", "B[", "_X"] {
            assert!(!is_identifier(bad), "{bad:?}");
        }
    }

    #[test]
    fn a_property_without_values_gets_an_empty_one() {
        let property = Property::new("KO", [""; 0]);
        assert_eq!(property.value().raw(), "");
        assert_eq!(property.values().len(), 1);
    }
}
