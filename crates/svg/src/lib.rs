//! Text and numbers in SVG, HTML and other XML: what pictures of boards and charts share.

/// The text with every character replaced that means something else in XML, or that XML cannot hold.
pub fn escaped(text: &str) -> String {
    let mut safe = String::with_capacity(text.len());
    for character in text.chars() {
        match character {
            '&' => safe += "&amp;",
            '<' => safe += "&lt;",
            '>' => safe += "&gt;",
            '"' => safe += "&quot;",
            '\t' | '\n' | '\r' => safe.push(' '),
            '\0'..='\u{1f}' | '\u{fffe}' | '\u{ffff}' => safe.push('\u{fffd}'),
            _ => safe.push(character),
        }
    }
    safe
}

/// A length in the units of the picture, rounded to a tenth, in as few characters as that takes.
pub fn length(value: f64) -> String {
    // Adding 0 turns −0 into 0.
    let tenths = (value * 10.0).round() + 0.0;
    format!("{}", tenths / 10.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lengths_are_short() {
        let short: Vec<String> = [1.0, 2.25, -0.04, 17.3205, -20.0, 0.1 + 0.2]
            .map(length)
            .into();
        assert_eq!(short, ["1", "2.3", "0", "17.3", "-20", "0.3"]);
    }

    #[test]
    fn any_text_is_safe() {
        assert_eq!(
            escaped("<a & \"b\">\0\n\u{ffff}é"),
            "&lt;a &amp; &quot;b&quot;&gt;\u{fffd} \u{fffd}é"
        );
    }
}
