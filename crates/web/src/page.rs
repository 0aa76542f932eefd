//! The page that a browser asks for, with the answers to what it asks for next: the board is there one exchange
//! and one painting earlier.

use crate::catalogue;
use crate::error::Problem;
use crate::position::{GameState, PositionView};
use serde_json::{Value, json};

/// Where the page keeps answers.
const PLACE: &str = r#"<script type="application/json" id="answers">"#;

/// What a new page sends to see its board, letter by letter.
const FIRST_BOARD: &str = r#"{"game":"havannah","board":{"size":"5","swap":true},"moves":[]}"#;

/// The page of the browser app, with answers.
pub fn with_answers(page: &str) -> Result<String, Problem> {
    // An element ends at the first `</`, whatever is in it.
    let answers = answers()?.to_string().replace('<', r"\u003c");
    Ok(page.replacen(PLACE, &format!("{PLACE}{answers}"), 1))
}

/// Answers by the path that is asked and the text that is sent there.
fn answers() -> Result<Value, Problem> {
    let state: GameState = serde_json::from_str(FIRST_BOARD).map_err(Problem::internal)?;
    Ok(json!({
        "/api/games": catalogue::games(),
        (format!("/api/position{FIRST_BOARD}")): PositionView::after(&state)?,
    }))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_page_has_the_answers() {
        let page = with_answers(&format!("<p>{PLACE}</script></p>")).expect("a page");
        let (_, rest) = page.split_once(PLACE).expect("the place");
        let (text, _) = rest.split_once("</script>").expect("its end");
        let answers: Value = serde_json::from_str(text).expect("JSON");
        assert_eq!(answers["/api/games"][0]["game"], "havannah");
        let board = &answers[format!("/api/position{FIRST_BOARD}")];
        assert_eq!(board["cells"].as_array().map(Vec::len), Some(61));
    }
}
