//! Arguments that several commands read.

use super::Failure;
use game::Side;
use std::str::FromStr;
use std::time::Duration;

/// A year: no move or game takes longer, and sums of such times do not overflow.
const LONGEST: f64 = 31_536_000.0;

/// A colour in upper or lower case, as a word or a letter.
pub(super) fn side(text: &str) -> Result<Side, Failure> {
    match text.to_ascii_lowercase().as_str() {
        "w" | "white" => Ok(Side::White),
        "b" | "black" => Ok(Side::Black),
        _ => Err(Failure::because(format!(
            "syntax error: {text:?} is not a colour: expected white or black"
        ))),
    }
}

pub(super) fn seconds(text: &str) -> Result<Duration, Failure> {
    let seconds: f64 = number(text)?;
    if (0.0..=LONGEST).contains(&seconds) {
        Ok(Duration::from_secs_f64(seconds))
    } else {
        Err(Failure::because(format!(
            "syntax error: {text} is not a number of seconds from 0 to a year"
        )))
    }
}

pub(super) fn number<T: FromStr>(text: &str) -> Result<T, Failure> {
    text.parse().map_err(|_| {
        Failure::because(format!(
            "syntax error: {text:?} is not a number that can be used here"
        ))
    })
}

/// `on`, `off`, or `1` and `0` for the same.
pub(super) fn switch(text: &str) -> Result<bool, Failure> {
    match text {
        "on" | "1" => Ok(true),
        "off" | "0" => Ok(false),
        _ => Err(Failure::Usage),
    }
}
